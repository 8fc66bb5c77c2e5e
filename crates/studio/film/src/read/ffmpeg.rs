//! Decodes through the program ffmpeg, if it is installed: raw frames over a pipe, at a constant rate.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use super::{Facts, Frame, Limits, SLACK, check_length, check_size};
use crate::Error;
use crate::color::I420;
use crate::write::Rate;

/// The folders in which systems install programs. A process without an environment has no search path.
const PLACES: [&str; 4] = ["/usr/local/bin", "/usr/bin", "/bin", "/opt/homebrew/bin"];
/// Containers of single recordings. None of them refers to other files or addresses.
const FORMATS: &str = "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm";
/// The longest line of output that is read, in bytes.
const LINE: u64 = 4_096;
/// Seconds by which the declared length may differ from the packets' before the packets count.
const CLOSE: f64 = 0.1;
/// Seconds that ffmpeg reads beyond the limit, so that a film that is too long is noticed.
const BEYOND: f64 = 1.0;
/// Packets listed for each frame that the limits allow. A constant rate needs fewer frames than some files have.
const PACKETS_PER_FRAME: u64 = 4;

/// A running ffmpeg and the frames that it produces.
#[derive(Debug)]
pub(super) struct Foreign {
    codec: String,
    seconds: f64,
    width: u32,
    height: u32,
    limits: Limits,
    next: u64,
    frames: BufReader<ChildStdout>,
    _running: Running,
}

/// Stops the program when dropped.
#[derive(Debug)]
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself, which is fine too.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn program() -> Option<PathBuf> {
    PLACES
        .iter()
        .map(|place| Path::new(place).join("ffmpeg"))
        .find(|path| path.is_file())
}

fn command(program: &Path, path: &Path) -> Result<Command, Error> {
    let mut command = Command::new(program);
    command
        .args([
            "-hide_banner",
            "-nostdin",
            "-threads",
            "2",
            "-protocol_whitelist",
            "file",
        ])
        .args(["-format_whitelist", FORMATS, "-i"])
        .arg(std::path::absolute(path)?)
        .stdin(Stdio::null());
    Ok(command)
}

impl Foreign {
    /// Starts decoding at a frame of the constant rate.
    pub(super) fn open(path: &Path, limits: &Limits, codec: &str, from: u64) -> Result<Self, Error> {
        Self::open_by(program().filter(|_| limits.ffmpeg), path, limits, codec, from)
    }

    fn open_by(
        program: Option<PathBuf>,
        path: &Path,
        limits: &Limits,
        codec: &str,
        from: u64,
    ) -> Result<Self, Error> {
        let Some(program) = program else {
            return Err(Error::Codec {
                codec: codec.to_owned(),
            });
        };
        let declared = declared(&program, path)?;
        check_length(declared.unwrap_or(0.0), 0, limits)?;
        let listed = listed(&program, path, limits)?
            .ok_or_else(|| Error::Damaged(format!("ffmpeg finds no video in it ({codec})")))?;
        if listed > limits.seconds + SLACK {
            return Err(longer(limits));
        }
        // The packets decide: a header can declare anything.
        let seconds = declared
            .filter(|declared| (declared - listed).abs() <= CLOSE)
            .unwrap_or(listed);
        Self::start(&program, path, limits, codec, from, seconds)
    }

    /// Reads the same film from another frame on.
    pub(super) fn again(&self, path: &Path, limits: &Limits, from: u64) -> Result<Self, Error> {
        let Some(program) = program() else {
            return Err(Error::Codec {
                codec: self.codec.clone(),
            });
        };
        Self::start(&program, path, limits, &self.codec, from, self.seconds)
    }

    fn start(
        program: &Path,
        path: &Path,
        limits: &Limits,
        codec: &str,
        from: u64,
        seconds: f64,
    ) -> Result<Self, Error> {
        let Rate { frames, seconds: per } = limits.rate;
        // The first frame is at zero, even if another stream begins earlier.
        let filter = format!(
            "setpts=PTS-STARTPTS,fps={frames}/{per},select='gte(n,{from})',\
             crop=trunc(iw/2)*2:trunc(ih/2)*2,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p"
        );
        let mut child = command(program, path)?
            .args([
                "-v",
                "error",
                "-map",
                "0:v:0",
                "-an",
                "-sn",
                "-dn",
                "-vsync",
                "passthrough",
                "-vf",
                &filter,
            ])
            .args([
                "-t",
                &(limits.seconds + BEYOND).to_string(),
                "-f",
                "yuv4mpegpipe",
                "-strict",
                "-1",
                "-",
            ])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let output = child.stdout.take();
        let running = Running(child);
        let mut frames = BufReader::with_capacity(1 << 18, output.ok_or_else(|| silent(codec))?);
        let (width, height) = header(&mut frames).ok_or_else(|| silent(codec))?;
        check_size(width, height, limits)?;
        Ok(Self {
            codec: codec.to_owned(),
            seconds,
            width,
            height,
            limits: *limits,
            next: from,
            frames,
            _running: running,
        })
    }

    pub(super) fn facts(&self, has_sound: bool) -> Facts {
        let Rate { frames, seconds } = self.limits.rate;
        Facts {
            width: self.width,
            height: self.height,
            seconds: self.seconds,
            frames: (self.seconds * f64::from(frames) / f64::from(seconds))
                .round()
                .max(1.0) as u64,
            foreign: true,
            has_sound,
        }
    }

    pub(super) fn next(&mut self, reuse: Option<I420>) -> Result<Option<Frame>, Error> {
        let (width, height) = (self.width as usize, self.height as usize);
        let mut line = Vec::new();
        (&mut self.frames).take(LINE).read_until(b'\n', &mut line)?;
        if !line.starts_with(b"FRAME") {
            return Ok(None);
        }
        let mut picture = reuse
            .filter(|frame| (frame.width, frame.height) == (width, height))
            .unwrap_or_else(|| I420::new(width, height));
        if self.frames.read_exact(&mut picture.data).is_err() {
            return Ok(None);
        }
        let time = self.limits.rate.time_of(self.next);
        if time >= self.limits.seconds + SLACK {
            return Err(longer(&self.limits));
        }
        self.next += 1;
        Ok(Some(Frame { time, picture }))
    }
}

fn silent(codec: &str) -> Error {
    Error::Damaged(format!("ffmpeg cannot decode its video track ({codec})"))
}

/// Reads width and height from the line that begins a yuv4mpeg stream.
fn header(frames: &mut impl BufRead) -> Option<(u32, u32)> {
    let mut line = Vec::new();
    frames.take(LINE).read_until(b'\n', &mut line).ok()?;
    let line = std::str::from_utf8(&line).ok()?;
    let mut words = line.split_ascii_whitespace();
    if words.next() != Some("YUV4MPEG2") {
        return None;
    }
    let value = |letter: char| {
        words
            .clone()
            .find_map(|word| word.strip_prefix(letter)?.parse().ok())
    };
    Some((value('W')?, value('H')?))
}

fn longer(limits: &Limits) -> Error {
    Error::TooLarge(format!("it is longer than {} s, the maximum", limits.seconds))
}

/// Measures the video track: the seconds from the beginning of its first packet to the end of its last. ffmpeg lists
/// the packets without decoding them. Returns `None` if it lists none.
fn listed(program: &Path, path: &Path, limits: &Limits) -> Result<Option<f64>, Error> {
    let most = PACKETS_PER_FRAME * u64::from(limits.frames);
    let mut child = command(program, path)?
        .args(["-v", "quiet", "-map", "0:v:0", "-c", "copy", "-t"])
        .arg((limits.seconds + BEYOND).to_string())
        .args(["-frames:v", &(most + 1).to_string(), "-f", "framecrc", "-"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let output = child.stdout.take();
    let _running = Running(child);
    let Some(output) = output else { return Ok(None) };
    let mut lines = BufReader::new(output);
    let mut extent = Extent::default();
    loop {
        let mut line = Vec::new();
        (&mut lines).take(LINE).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(extent.seconds());
        }
        extent.add(&String::from_utf8_lossy(&line));
        if extent.packets > most {
            return Err(Error::TooLarge(format!(
                "it has more than {most} packets, the maximum"
            )));
        }
    }
}

/// The extent of a listing of packets (ffmpeg's format `framecrc`) so far.
#[derive(Debug, Default)]
struct Extent {
    /// Seconds of one tick.
    tick: f64,
    /// The beginning of the first packet and the end of the last, in ticks.
    ticks: Option<(i64, i64)>,
    packets: u64,
}

impl Extent {
    /// Reads a line: `#tb 0: 1/1000`, or `0, decoding time, time, duration, size, checksum[, F=flags]`.
    fn add(&mut self, line: &str) {
        /// Marks a packet that the edit list hides.
        const DISCARD: u32 = 4;
        if let Some((above, below)) = line
            .strip_prefix("#tb 0: ")
            .and_then(|tick| tick.trim().split_once('/'))
        {
            self.tick = above.parse().unwrap_or(0.0) / below.parse().unwrap_or(1.0);
            return;
        }
        let fields: Vec<&str> = line.split(',').map(str::trim).collect();
        let (Some(Ok(start)), Some(Ok(ticks))) = (
            fields.get(2).map(|field| field.parse::<i64>()),
            fields.get(3).map(|field| field.parse::<i64>()),
        ) else {
            return;
        };
        self.packets += 1;
        let flags = fields.get(6).and_then(|field| field.strip_prefix("F=0x"));
        if flags.is_some_and(|flags| u32::from_str_radix(flags, 16).unwrap_or(0) & DISCARD > 0) {
            return;
        }
        let end = start.saturating_add(ticks);
        self.ticks = Some(
            self.ticks
                .map_or((start, end), |(first, last)| (first.min(start), last.max(end))),
        );
    }

    fn seconds(&self) -> Option<f64> {
        self.ticks
            .map(|(first, last)| last.saturating_sub(first) as f64 * self.tick)
    }
}

/// Asks ffmpeg for the length that a file declares. Without an output file, ffmpeg prints it and ends.
fn declared(program: &Path, path: &Path) -> Result<Option<f64>, Error> {
    let mut child = command(program, path)?
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()?;
    let errors = child.stderr.take();
    let _running = Running(child);
    let mut text = Vec::new();
    if let Some(errors) = errors {
        errors.take(1 << 16).read_to_end(&mut text)?;
    }
    Ok(duration(&String::from_utf8_lossy(&text)))
}

/// Parses seconds from `Duration: 00:01:02.50,`.
fn duration(text: &str) -> Option<f64> {
    let clock = text.split("Duration: ").nth(1)?.split(',').next()?;
    let mut parts = clock.split(':').map(str::parse::<f64>);
    let (hours, minutes, seconds) = (parts.next()?.ok()?, parts.next()?.ok()?, parts.next()?.ok()?);
    Some(hours * 3600.0 + minutes * 60.0 + seconds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::container::{self, Found};

    #[test]
    fn declared_lengths_are_parsed_from_ffmpegs_output() {
        let text = "Input #0, mov\n  Duration: 00:01:02.50, start: 0.000000, bitrate: 1 kb/s\n";
        assert_eq!(duration(text), Some(62.5));
        assert_eq!(duration("Duration: N/A, start"), None);
    }

    #[test]
    fn the_extent_of_packets_is_from_the_first_to_the_end_of_the_last() {
        let mut extent = Extent::default();
        for line in [
            "#software: Lavf59",
            "#tb 0: 1/1000",
            "0, -80, -40, 40, 900, 0x1, F=0x5",
            "0, -40, 0, 40, 900, 0x1",
            "0, 0, 80, 40, 90, 0x2, F=0x0",
            "0, 40, 40, 40, 90, 0x3, F=0x0",
            "nonsense",
        ] {
            extent.add(line);
        }
        assert_eq!((extent.seconds(), extent.packets), (Some(0.12), 4));
        assert_eq!(Extent::default().seconds(), None);
    }

    #[test]
    fn without_the_program_an_error_names_the_codec_and_what_helps() {
        let Some(ffmpeg) = atelier_found::program("ffmpeg") else {
            return;
        };
        let folder = tempfile::tempdir().unwrap();
        for (name, coding, called) in [
            ("hevc.mp4", "-c:v libx265 -x265-params log-level=none", "HEVC"),
            ("av1.mp4", "-c:v libsvtav1 -preset 12", "AV1"),
            ("vp9.webm", "-c:v libvpx-vp9 -cpu-used 8", "WebM"),
            ("ten.mp4", "-c:v libx264 -pix_fmt yuv420p10le", "10-bit H.264"),
        ] {
            let file = folder.path().join(name);
            let made = Command::new(&ffmpeg)
                .args([
                    "-v",
                    "error",
                    "-nostdin",
                    "-f",
                    "lavfi",
                    "-i",
                    "testsrc2=s=128x96:d=0.3",
                ])
                .args(coding.split(' '))
                .arg(&file)
                .stderr(Stdio::null())
                .status()
                .unwrap();
            assert!(made.success(), "{name}");
            let limits = Limits::default();
            let Found::Elsewhere { codec, .. } = container::open(&file, &limits).unwrap() else {
                panic!("{name} is read here");
            };
            let error = Foreign::open_by(None, &file, &limits, &codec, 0).unwrap_err();
            let said = error.to_string();
            assert!(
                said.contains(called) && said.contains("ffmpeg") && said.contains("send H.264"),
                "{name}: {said}"
            );
        }
    }

    #[test]
    fn headers_give_sizes() {
        let mut stream: &[u8] = b"YUV4MPEG2 W320 H180 F24:1 Ip A1:1 C420jpeg\nFRAME\n";
        assert_eq!(header(&mut stream), Some((320, 180)));
        assert_eq!(header(&mut &b"nothing"[..]), None);
    }
}

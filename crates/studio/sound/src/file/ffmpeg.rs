//! Decodes through the program ffmpeg, if it is installed.

use std::{
    io::{BufReader, Read},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use super::{
    Audio,
    limits::{DecodeError, Limits, bounded, sanitise, within},
};

/// The folders in which systems install programs. The process of the embedded engines has no environment, so no search
/// path either.
const PLACES: [&str; 4] = ["/usr/local/bin", "/usr/bin", "/bin", "/opt/homebrew/bin"];
/// Containers of single recordings. None of them refers to other files or addresses.
const FORMATS: &str = "ogg,matroska,webm,mov,mp4,m4a,3gp,aac,ac3,eac3,dts,amr,wv,ape,asf,caf,aiff,au,mp3,flac,wav,\
                       mpeg,mpegts,tta,tak,avi";

/// Decodes `codec`, which is not supported here.
pub(super) fn decode(path: &Path, limits: &Limits, codec: String) -> Result<Audio, DecodeError> {
    let Some(program) = program().filter(|_| limits.ffmpeg) else {
        return Err(DecodeError::Codec { codec });
    };
    let child = Command::new(program)
        .args(["-nostdin", "-v", "error", "-protocol_whitelist", "file,pipe"])
        .args(["-format_whitelist", FORMATS, "-i"])
        .arg(std::path::absolute(path)?)
        .args([
            "-map",
            "0:a:0",
            "-vn",
            "-sn",
            "-dn",
            "-f",
            "wav",
            "-c:a",
            "pcm_f32le",
            "-",
        ])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let mut running = Running(child);
    let Some(output) = running.0.stdout.take() else {
        return Err(DecodeError::Damaged("ffmpeg gave no output".to_owned()));
    };
    let mut audio = read_wav(&mut BufReader::with_capacity(1 << 16, output), limits)?;
    if audio.frames() == 0 {
        return Err(DecodeError::Damaged(format!(
            "ffmpeg finds nothing to decode in {codec}"
        )));
    }
    sanitise(&mut audio);
    Ok(audio)
}

fn program() -> Option<PathBuf> {
    PLACES
        .iter()
        .map(|place| Path::new(place).join("ffmpeg"))
        .find(|path| path.is_file())
}

/// Stops the program when dropped.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself, which is fine too.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Reads a WAV stream of 32-bit floating point samples, whose lengths are unknown.
fn read_wav(input: &mut impl Read, limits: &Limits) -> Result<Audio, DecodeError> {
    let damaged = |_| DecodeError::Damaged("ffmpeg cannot decode it".to_owned());
    let mut head = [0; 12];
    input.read_exact(&mut head).map_err(damaged)?;
    let mut audio = Audio::default();
    loop {
        let mut chunk = [0; 8];
        input.read_exact(&mut chunk).map_err(damaged)?;
        let length = u32::from_le_bytes([chunk[4], chunk[5], chunk[6], chunk[7]]);
        if &chunk[..4] == b"data" {
            break;
        }
        if length > 1 << 16 {
            return Err(DecodeError::Damaged(
                "ffmpeg's output has an unknown format".to_owned(),
            ));
        }
        let mut body = vec![0; length.next_multiple_of(2) as usize];
        input.read_exact(&mut body).map_err(damaged)?;
        if &chunk[..4] == b"fmt " && body.len() >= 16 {
            let channels = usize::from(u16::from_le_bytes([body[2], body[3]]));
            audio.rate = u32::from_le_bytes([body[4], body[5], body[6], body[7]]);
            within(channels, Some(audio.rate), limits)?;
            audio.channels = vec![Vec::new(); channels];
        }
    }
    if audio.channels.is_empty() {
        return Err(DecodeError::NoAudio);
    }
    let mut frame = vec![0; 4 * audio.channels.len()];
    while input.read_exact(&mut frame).is_ok() {
        for (channel, bytes) in audio.channels.iter_mut().zip(frame.chunks_exact(4)) {
            channel.push(f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
        }
        if audio.frames().is_multiple_of(4_096) {
            bounded(&audio, 0.0, limits)?;
        }
    }
    bounded(&audio, 0.0, limits)?;
    Ok(audio)
}

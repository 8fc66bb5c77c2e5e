//! Writes a film: takes frames and sound as they are made, and produces a fast-start MP4.
//!
//! Encoding runs on its own thread, so that the caller can draw the next frame meanwhile; at most three frames wait.
//! Encoded data goes to a work file beside the film, because the tables that must precede it are known only at the
//! end. [`Writer::finish`] puts both together.

mod aac;
mod avc;
mod muxer;

use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::thread::{self, JoinHandle};

use crate::Error;
use crate::color::{self, I420, Planes};
use crate::mp4::Movie;
use crate::tags::Tags;
use muxer::{Muxer, Tables};

/// The quantizer that [`Video::new`] sets: about 45 dB on drawn pictures, a difference that nobody sees.
const QUANTIZER: u8 = 24;
/// Side lengths that the encoder accepts.
const LONGEST: u32 = 3_840;
const SHORTEST: u32 = 16;
/// Frames that may wait for the encoder, besides the one in progress.
const WAITING: usize = 2;
/// The movie's clock ticks at least this often per second: edits of sound are finer than frames.
const FINE: u32 = 10_000;

/// Frames per second, as a fraction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    pub frames: u32,
    pub seconds: u32,
}

impl Rate {
    /// A whole number of frames per second.
    pub const fn whole(frames: u32) -> Self {
        Self { frames, seconds: 1 }
    }

    /// When a frame is shown, in seconds.
    pub fn time_of(self, frame: u64) -> f64 {
        frame as f64 * f64::from(self.seconds) / f64::from(self.frames)
    }
}

/// The properties of a film's frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Video {
    /// Width and height in pixels: even, 16 to 3,840, at most 8.3 megapixels.
    pub width: u32,
    pub height: u32,
    pub rate: Rate,
    /// H.264's quantizer, 12 (finest) to 40. It is the same for all frames: simple pictures take few bits, and quality
    /// does not fluctuate.
    pub quantizer: u8,
}

impl Video {
    /// Frames of this size, 24 per second, in good quality.
    pub const fn new(width: u32, height: u32) -> Self {
        Self {
            width,
            height,
            rate: Rate::whole(24),
            quantizer: QUANTIZER,
        }
    }
}

/// The sound of a film. It is made as long as the picture: padded with silence, or cut.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sound {
    /// Stereo samples will come through [`Writer::samples`] at this rate: 44,100, 48,000 or another AAC rate. They are
    /// encoded as AAC-LC.
    Stereo { rate: u32 },
    /// An existing AAC stream, copied as it is.
    Coded(Coded),
}

/// An AAC stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coded {
    pub rate: u32,
    pub channels: u16,
    /// The AudioSpecificConfig (ISO/IEC 14496-3).
    pub config: Vec<u8>,
    /// Samples per packet.
    pub packet: u32,
    /// Samples to skip at the beginning.
    pub skip: u64,
    pub packets: Vec<Box<[u8]>>,
}

/// One frame, borrowed. Rows from the top, without gaps.
#[derive(Debug, Clone, Copy)]
pub enum Picture<'a> {
    /// Red, green, blue.
    Rgb(&'a [u8]),
    /// Red, green, blue and an ignored byte.
    Rgbx(&'a [u8]),
    /// BT.709 in limited range.
    I420(Planes<'a>),
}

/// The properties of a finished file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Recorded {
    pub frames: u64,
    pub seconds: f64,
    pub bytes: u64,
}

/// A film being written. If dropped before [`Writer::finish`], it leaves nothing behind.
///
/// ```no_run
/// use atelier_film::{Picture, Sound, Tags, Video, Writer};
///
/// # fn main() -> Result<(), atelier_film::Error> {
/// let video = Video::new(1280, 720);
/// let sound = Sound::Stereo { rate: 48_000 };
/// let tags = Tags { title: "Grey".into(), ..Tags::default() };
/// let mut film = Writer::create("grey.mp4".as_ref(), video, Some(sound), tags)?;
/// for _ in 0..24 {
///     film.frame(Picture::Rgb(&[128; 1280 * 720 * 3]))?;
///     film.samples(&[0.0; 2 * 2_000])?;
/// }
/// film.finish()?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Writer {
    path: PathBuf,
    video: Video,
    tags: Tags,
    takes_samples: bool,
    /// `None` once it has failed.
    coder: Option<Coder>,
    frames: u64,
    work: Work,
}

/// The encoding thread, and the channels to it and back.
#[derive(Debug)]
struct Coder {
    orders: SyncSender<Order>,
    /// Encoded frames that can be filled again.
    empties: Receiver<I420>,
    thread: JoinHandle<Result<Tables, Error>>,
}

#[derive(Debug)]
enum Order {
    Frame(I420),
    Samples(Vec<f32>),
}

/// The file of encoded data, deleted when this value is dropped.
#[derive(Debug)]
struct Work(PathBuf);

impl Drop for Work {
    fn drop(&mut self) {
        // It may never have been created.
        let _ = fs::remove_file(&self.0);
    }
}

impl Writer {
    /// Begins a film. `path` is written only at the end; until then, a file beside it ends in `.part`.
    pub fn create(path: &Path, video: Video, sound: Option<Sound>, tags: Tags) -> Result<Self, Error> {
        check(&video)?;
        let mut part = path.as_os_str().to_owned();
        part.push(".part");
        let work = Work(part.into());
        let takes_samples = matches!(sound, Some(Sound::Stereo { .. }));
        let (orders, received) = sync_channel(WAITING);
        let (returns, empties) = channel();
        let muxer = Muxer::new(video, sound, BufWriter::new(File::create(&work.0)?))?;
        let thread = thread::Builder::new()
            .name("film".into())
            .spawn(move || muxer.work(&received, &returns))?;
        Ok(Self {
            path: path.to_owned(),
            video,
            tags,
            takes_samples,
            coder: Some(Coder {
                orders,
                empties,
                thread,
            }),
            frames: 0,
            work,
        })
    }

    /// Adds a frame. Waits while the encoder is behind.
    pub fn frame(&mut self, picture: Picture<'_>) -> Result<(), Error> {
        let (width, height) = (self.video.width as usize, self.video.height as usize);
        let coder = self.coder.as_ref().ok_or_else(over)?;
        let mut frame = coder
            .empties
            .try_recv()
            .unwrap_or_else(|_| I420::new(width, height));
        match picture {
            Picture::Rgb(rgb) => {
                fits(rgb, width * height * 3)?;
                color::from_rgb::<3>(rgb, &mut frame);
            }
            Picture::Rgbx(rgbx) => {
                fits(rgbx, width * height * 4)?;
                color::from_rgb::<4>(rgbx, &mut frame);
            }
            Picture::I420(planes) => {
                fits(planes.y, width * height)?;
                fits(planes.u, width * height / 4)?;
                fits(planes.v, width * height / 4)?;
                frame.data.clear();
                for plane in [planes.y, planes.u, planes.v] {
                    frame.data.extend_from_slice(plane);
                }
            }
        }
        self.send(Order::Frame(frame))?;
        self.frames += 1;
        Ok(())
    }

    /// Adds interleaved stereo samples, −1 to 1. Only their amount matters, not when they come.
    pub fn samples(&mut self, stereo: &[f32]) -> Result<(), Error> {
        if !self.takes_samples {
            return Err(Error::Settings(
                "the film has no stereo sound: pass `Sound::Stereo` to `Writer::create`".into(),
            ));
        }
        if !stereo.len().is_multiple_of(2) {
            return Err(Error::Settings("stereo samples must come in pairs".into()));
        }
        self.send(Order::Samples(stereo.to_vec()))
    }

    /// Number of frames so far.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Encodes what is left and writes the file.
    pub fn finish(mut self) -> Result<Recorded, Error> {
        if self.frames == 0 {
            return Err(Error::Settings("a film needs at least one frame".into()));
        }
        let mut reels = self.end()?;
        let movie = Movie {
            clock: clock(self.video.rate).0,
            video: &reels.video,
            sound: reels.sound.as_ref(),
            tags: &self.tags,
            media: reels.bytes,
        };
        let head = movie.head();
        let mut out = File::create(&self.path)?;
        io::Write::write_all(&mut out, &head)?;
        io::copy(&mut File::open(&self.work.0)?, &mut out)?;
        let bytes = head.len() as u64 + mem::take(&mut reels.bytes);
        Ok(Recorded {
            frames: self.frames,
            seconds: self.video.rate.time_of(self.frames),
            bytes,
        })
    }

    fn send(&mut self, order: Order) -> Result<(), Error> {
        let coder = self.coder.as_ref().ok_or_else(over)?;
        if coder.orders.send(order).is_ok() {
            return Ok(());
        }
        // The thread ends early only after an error.
        Err(match self.end() {
            Err(error) => error,
            Ok(_) => over(),
        })
    }

    fn end(&mut self) -> Result<Tables, Error> {
        let coder = self.coder.take().ok_or_else(over)?;
        drop(coder.orders);
        coder
            .thread
            .join()
            .map_err(|_| Error::Encoder("the encoder's thread ended unexpectedly".into()))?
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // The thread must stop writing to the work file before it is removed. An error does not matter any more.
        let _ = self.end();
    }
}

/// Ticks per second, and ticks per frame.
fn clock(rate: Rate) -> (u32, u32) {
    let times = FINE.div_ceil(rate.frames).max(1);
    (rate.frames * times, rate.seconds * times)
}

fn over() -> Error {
    Error::Settings("writing this film has already failed".into())
}

fn fits(plane: &[u8], expected: usize) -> Result<(), Error> {
    if plane.len() == expected {
        return Ok(());
    }
    Err(Error::Settings(format!(
        "a frame's plane has {} bytes; {expected} are needed",
        plane.len()
    )))
}

fn check(video: &Video) -> Result<(), Error> {
    let (short, long) = (video.width.min(video.height), video.width.max(video.height));
    if short < SHORTEST || long > LONGEST || short > 2_160 || short % 2 + long % 2 > 0 {
        return Err(Error::Settings(format!(
            "a film's sides must be even, {SHORTEST} to {LONGEST} pixels, the shorter one at most 2160 (got {} × {})",
            video.width, video.height
        )));
    }
    let Rate { frames, seconds } = video.rate;
    if !(1..=240_000).contains(&frames) || !(1..=1_001_000).contains(&seconds) || frames / seconds > 240 {
        return Err(Error::Settings(format!(
            "a film can have at most 240 frames a second (got {frames} in {seconds} s)"
        )));
    }
    if !(12..=40).contains(&video.quantizer) {
        return Err(Error::Settings(format!(
            "the quantizer must be between 12 and 40 (got {})",
            video.quantizer
        )));
    }
    Ok(())
}

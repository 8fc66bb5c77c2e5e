//! Writing a film: frames and sound go in as they are made, a fast-start MP4 comes out.
//!
//! Coding runs on a thread of its own, so that the next frame is drawn while the last one is coded; at most three
//! frames wait. Coded data goes to a work file beside the film, because the tables that must stand in front of it
//! are known only at the end; [`Writer::finish`] puts both together.

mod aac;
mod avc;
mod studio;

use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::thread::{self, JoinHandle};

use crate::Error;
use crate::color::{self, I420, Planes};
use crate::mp4::Movie;
use studio::{Reels, Studio};

/// The quantizer that [`Video::new`] sets: about 45 dB on drawn pictures, differences that no eye sees.
const QUANTIZER: u8 = 24;
/// Sides that the encoder takes.
const LONGEST: u32 = 3_840;
const SHORTEST: u32 = 16;
/// Frames that may wait for the encoder, beside the one that it codes.
const WAITING: usize = 2;
/// The movie's clock ticks at least so many times a second: sound has edits finer than frames.
const FINE: u32 = 10_000;

/// Frames a second, as a fraction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    pub frames: u32,
    pub seconds: u32,
}

impl Rate {
    /// Whole frames a second.
    pub const fn whole(frames: u32) -> Self {
        Self { frames, seconds: 1 }
    }

    /// When a frame is shown, in seconds.
    pub fn time_of(self, frame: u64) -> f64 {
        frame as f64 * f64::from(self.seconds) / f64::from(self.frames)
    }
}

/// What the frames of a film are like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Video {
    /// Pixels across and down: even, 16 to 3,840, 8.3 megapixels at most.
    pub width: u32,
    pub height: u32,
    pub rate: Rate,
    /// H.264's quantizer, 12 (finest) to 40. It is the same for all frames: what is easy to code takes few bits, and
    /// quality does not breathe.
    pub quantizer: u8,
}

impl Video {
    /// Frames of this size, 24 a second, in good quality.
    pub const fn new(width: u32, height: u32) -> Self {
        Self {
            width,
            height,
            rate: Rate::whole(24),
            quantizer: QUANTIZER,
        }
    }
}

/// The sound of a film. It is as long as the picture: what is missing is silence, what is too much is left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sound {
    /// Stereo samples will come through [`Writer::samples`], so many a second: 44,100 or 48,000 (or another rate of
    /// AAC). They become AAC-LC.
    Stereo { rate: u32 },
    /// AAC that is there already and is taken as it is.
    Coded(Coded),
}

/// An AAC stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coded {
    pub rate: u32,
    pub channels: u16,
    /// The AudioSpecificConfig (ISO/IEC 14496-3).
    pub config: Vec<u8>,
    /// Samples in each packet.
    pub packet: u32,
    /// Samples to leave out at the beginning.
    pub skip: u64,
    pub packets: Vec<Box<[u8]>>,
}

/// What a film says of itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tags {
    pub title: String,
    /// The program that made it.
    pub encoder: String,
    pub comment: String,
    /// A whole XMP packet, for the marks that archives read, such as IPTC's digital source type.
    pub xmp: Option<String>,
}

/// One frame, borrowed. Rows from the top, without gaps.
#[derive(Debug, Clone, Copy)]
pub enum Picture<'a> {
    /// Red, green, blue.
    Rgb(&'a [u8]),
    /// Red, green, blue and a byte that is not looked at.
    Rgbx(&'a [u8]),
    /// BT.709 in limited range.
    I420(Planes<'a>),
}

/// What was written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Recorded {
    pub frames: u64,
    pub seconds: f64,
    pub bytes: u64,
}

/// A film being written. Dropped before [`Writer::finish`], it leaves nothing behind.
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
    /// None once it has failed.
    studio: Option<At>,
    frames: u64,
    work: Work,
}

/// The thread that codes, and the ways to it and back.
#[derive(Debug)]
struct At {
    orders: SyncSender<Order>,
    /// Frames that were coded and may be filled again.
    empties: Receiver<I420>,
    thread: JoinHandle<Result<Reels, Error>>,
}

#[derive(Debug)]
enum Order {
    Frame(I420),
    Samples(Vec<f32>),
}

/// The file of coded data, gone when this value is.
#[derive(Debug)]
struct Work(PathBuf);

impl Drop for Work {
    fn drop(&mut self) {
        // It may never have been made.
        let _ = fs::remove_file(&self.0);
    }
}

impl Writer {
    /// Begins a film. `path` is written at the end only; until then a file beside it, ending in `.part`, is.
    pub fn create(path: &Path, video: Video, sound: Option<Sound>, tags: Tags) -> Result<Self, Error> {
        check(&video)?;
        let mut part = path.as_os_str().to_owned();
        part.push(".part");
        let work = Work(part.into());
        let takes_samples = matches!(sound, Some(Sound::Stereo { .. }));
        let (orders, received) = sync_channel(WAITING);
        let (returns, empties) = channel();
        let studio = Studio::new(video, sound, BufWriter::new(File::create(&work.0)?))?;
        let thread = thread::Builder::new()
            .name("film".into())
            .spawn(move || studio.work(&received, &returns))?;
        Ok(Self {
            path: path.to_owned(),
            video,
            tags,
            takes_samples,
            studio: Some(At {
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
        let at = self.studio.as_ref().ok_or_else(over)?;
        let mut frame = at.empties.try_recv().unwrap_or_else(|_| I420::new(width, height));
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

    /// Adds sound: left and right in turn, −1 to 1. When it comes does not matter, only how much of it there is.
    pub fn samples(&mut self, stereo: &[f32]) -> Result<(), Error> {
        if !self.takes_samples {
            return Err(Error::Settings("the film was begun without stereo sound".into()));
        }
        if !stereo.len().is_multiple_of(2) {
            return Err(Error::Settings("stereo samples come in pairs".into()));
        }
        self.send(Order::Samples(stereo.to_vec()))
    }

    /// Frames so far.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Codes what waits still and writes the file.
    pub fn finish(mut self) -> Result<Recorded, Error> {
        if self.frames == 0 {
            return Err(Error::Settings("a film has at least one frame".into()));
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
        let at = self.studio.as_ref().ok_or_else(over)?;
        if at.orders.send(order).is_ok() {
            return Ok(());
        }
        // The thread ends early only when something went wrong.
        Err(match self.end() {
            Err(error) => error,
            Ok(_) => over(),
        })
    }

    fn end(&mut self) -> Result<Reels, Error> {
        let at = self.studio.take().ok_or_else(over)?;
        drop(at.orders);
        at.thread
            .join()
            .map_err(|_| Error::Encoder("the encoder's thread ended unexpectedly".into()))?
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // The work file must not be written to while it is removed. What went wrong, if anything did, is not asked.
        let _ = self.end();
    }
}

/// Ticks a second, and ticks a frame.
fn clock(rate: Rate) -> (u32, u32) {
    let times = FINE.div_ceil(rate.frames).max(1);
    (rate.frames * times, rate.seconds * times)
}

fn over() -> Error {
    Error::Settings("the film has failed before and takes nothing more".into())
}

fn fits(plane: &[u8], expected: usize) -> Result<(), Error> {
    if plane.len() == expected {
        return Ok(());
    }
    Err(Error::Settings(format!(
        "a frame's plane has {} bytes, not {expected}",
        plane.len()
    )))
}

fn check(video: &Video) -> Result<(), Error> {
    let (short, long) = (video.width.min(video.height), video.width.max(video.height));
    if short < SHORTEST || long > LONGEST || short > 2_160 || short % 2 + long % 2 > 0 {
        return Err(Error::Settings(format!(
            "a film cannot be {} × {}: sides are even, {SHORTEST} to {LONGEST}, the shorter one 2160 at most",
            video.width, video.height
        )));
    }
    let Rate { frames, seconds } = video.rate;
    if !(1..=240_000).contains(&frames) || !(1..=1_001_000).contains(&seconds) || frames / seconds > 240 {
        return Err(Error::Settings(format!(
            "a film cannot have {frames} frames in {seconds} s; up to 240 a second are possible"
        )));
    }
    if !(12..=40).contains(&video.quantizer) {
        return Err(Error::Settings(format!(
            "the quantizer is 12 to 40, not {}",
            video.quantizer
        )));
    }
    Ok(())
}

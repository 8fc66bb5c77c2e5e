//! Reads a film: frames one after another, upright, in BT.709, with their times.
//!
//! H.264 in MP4 and QuickTime files is decoded here. Everything else (other codecs, ten bits, interlaced pictures,
//! fragments, WebM) goes through the program ffmpeg, if it is installed. Files are untrusted: sizes, counts and
//! lengths are checked before memory is allocated, and every fault is an error.

mod avc;
mod container;
mod edits;
mod ffmpeg;
mod sps;
mod turn;

use std::path::{Path, PathBuf};

use crate::Error;
use crate::color::I420;
use crate::write::{Coded, Rate};
use avc::Native;
use container::Tracks;
use ffmpeg::Foreign;

/// Seconds by which a film may exceed its limit: the lengths of tracks and frames are rounded.
const SLACK: f64 = 0.5;

/// The limits that a file must keep. A file that exceeds one ends with [`Error::TooLarge`], whatever its header
/// declares: when it is opened or, if only decoding shows it, at the first frame beyond the limit.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Seconds of film.
    pub seconds: f64,
    /// Longer side, in pixels.
    pub side: u32,
    /// Number of frames.
    pub frames: u32,
    /// The rate that ffmpeg converts uneven frame times to.
    pub rate: Rate,
    /// Whether the program ffmpeg may be used. If not, it counts as not installed.
    pub ffmpeg: bool,
}

impl Limits {
    /// The limits of an input whose duration was measured: it must not last longer.
    pub fn measured(seconds: Option<f64>) -> Self {
        seconds.map_or_else(Self::default, Self::of_seconds)
    }

    /// The default limits, with at most this many seconds.
    pub fn of_seconds(seconds: f64) -> Self {
        let default = Self::default();
        Self {
            seconds: seconds.min(default.seconds),
            ..default
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            seconds: 120.0,
            side: 4_096,
            frames: 30_000,
            rate: Rate::whole(24),
            ffmpeg: true,
        }
    }
}

/// The facts known about a film before its first frame is decoded.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Facts {
    /// Upright, and even: an odd last row or column is left out.
    pub width: u32,
    pub height: u32,
    /// From the beginning of the first frame to the end of the last.
    pub seconds: f64,
    pub frames: u64,
    /// Whether the program ffmpeg decodes it.
    pub foreign: bool,
    /// Whether there is a sound track of any kind.
    pub has_sound: bool,
}

/// A film being read.
///
/// ```no_run
/// use atelier_film::{Limits, Reader};
///
/// # fn main() -> Result<(), atelier_film::Error> {
/// let mut film = Reader::open("film.mp4".as_ref(), &Limits::default())?;
/// // A constant rate out of whatever times the file has:
/// let mut n = 0;
/// while let Some(frame) = film.at(f64::from(n) / 24.0)? {
///     assert_eq!(frame.width, film_width(&frame));
///     n += 1;
/// }
/// # fn film_width(frame: &atelier_film::I420) -> usize { frame.width }
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Reader {
    path: PathBuf,
    limits: Limits,
    facts: Facts,
    source: Source,
    /// The frame last requested by time, and the one after it.
    shown: Option<Frame>,
    ahead: Option<Frame>,
    ended: bool,
}

#[derive(Debug)]
enum Source {
    Native(Box<Native>),
    Foreign(Foreign),
}

/// A decoded frame and its time.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// Seconds from the beginning of the film.
    pub time: f64,
    pub picture: I420,
}

impl Reader {
    pub fn open(path: &Path, limits: &Limits) -> Result<Self, Error> {
        let (facts, source) = match container::open(path, limits)? {
            container::Found::Here(tracks) => {
                let native = Native::new(path, *tracks)?;
                (native.facts(), Source::Native(Box::new(native)))
            }
            container::Found::Elsewhere { codec, has_sound } => {
                let foreign = Foreign::open(path, limits, &codec, 0)?;
                (foreign.facts(has_sound), Source::Foreign(foreign))
            }
        };
        Ok(Self {
            path: path.to_owned(),
            limits: *limits,
            facts,
            source,
            shown: None,
            ahead: None,
            ended: false,
        })
    }

    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Returns the next frame in display order, or `None` at the end. `reuse` is a frame whose memory can be reused.
    pub fn next(&mut self, reuse: Option<I420>) -> Result<Option<Frame>, Error> {
        match &mut self.source {
            Source::Native(native) => native.next(reuse),
            Source::Foreign(foreign) => foreign.next(reuse),
        }
    }

    /// Returns the frame that is shown at a time in seconds, or `None` after the end. Times must not decrease between
    /// calls.
    pub fn at(&mut self, time: f64) -> Result<Option<&I420>, Error> {
        // Rounding must not show the frame before.
        let time = time + 1e-4;
        if time >= self.facts.seconds + 2e-4 && self.shown.is_some() {
            return Ok(None);
        }
        if self.shown.is_none() {
            self.shown = self.next(None)?;
        }
        while !self.ended {
            if self.ahead.is_none() {
                // The previous picture is not needed once there is a later one.
                self.ahead = self.next(None)?;
                self.ended = self.ahead.is_none();
            }
            match &self.ahead {
                Some(ahead) if ahead.time <= time => self.shown = self.ahead.take(),
                _ => break,
            }
        }
        Ok(self.shown.as_ref().map(|frame| &frame.picture))
    }

    /// Goes back to the first frame.
    pub fn restart(&mut self) -> Result<(), Error> {
        match &mut self.source {
            Source::Native(native) => native.restart()?,
            Source::Foreign(foreign) => *foreign = foreign.again(&self.path, &self.limits, 0)?,
        }
        (self.shown, self.ahead, self.ended) = (None, None, false);
        Ok(())
    }

    /// Goes to a frame, counted in display order. Decodes from the key frame before it.
    pub fn seek(&mut self, frame: u64) -> Result<(), Error> {
        match &mut self.source {
            Source::Native(native) => native.seek(frame)?,
            Source::Foreign(foreign) => *foreign = foreign.again(&self.path, &self.limits, frame)?,
        }
        (self.shown, self.ahead, self.ended) = (None, None, false);
        Ok(())
    }

    /// When a frame is shown, counted in display order.
    pub fn time_of(&self, frame: u64) -> Option<f64> {
        match &self.source {
            Source::Native(native) => native.time_of(frame),
            Source::Foreign(_) => (frame < self.facts.frames).then(|| self.limits.rate.time_of(frame)),
        }
    }

    /// Returns the numbers of the key frames, counted in display order: a seek to one of them decodes no others. Only
    /// the first frame is known of a film that ffmpeg decodes.
    pub fn keys(&self) -> Vec<u64> {
        match &self.source {
            Source::Native(native) => native.keys(),
            Source::Foreign(_) => vec![0],
        }
    }

    /// Returns the sound as stored in the file, if it is AAC that can be copied without encoding it again. Only
    /// packets of the first `seconds` are returned.
    pub fn coded_sound(&self, seconds: f64) -> Result<Option<Coded>, Error> {
        match &self.source {
            Source::Native(native) => native.coded_sound(seconds),
            Source::Foreign(_) => Ok(None),
        }
    }

    /// Returns the first frame.
    pub fn first(path: &Path, limits: &Limits) -> Result<I420, Error> {
        let frame = Self::open(path, limits)?.next(None)?;
        Ok(frame.ok_or_else(empty)?.picture)
    }

    /// Returns the last frame.
    pub fn last(path: &Path, limits: &Limits) -> Result<I420, Error> {
        let mut film = Self::open(path, limits)?;
        film.seek(film.facts.frames.saturating_sub(2))?;
        let mut last = film.next(None)?.ok_or_else(empty)?;
        while let Some(frame) = film.next(None)? {
            last = frame;
        }
        Ok(last.picture)
    }
}

fn empty() -> Error {
    Error::Damaged("no frame of it can be decoded".into())
}

/// Refuses frames that are too large, before any is decoded.
fn check_size(width: u32, height: u32, limits: &Limits) -> Result<(), Error> {
    if width < 16 || height < 16 {
        return Err(Error::TooLarge(format!(
            "its frames are {width} × {height}; each side must be at least 16 pixels"
        )));
    }
    // The limit of H.264's level 5.2, and what memory is planned for.
    if width.max(height) > limits.side || u64::from(width) * u64::from(height) > 9_437_184 {
        return Err(Error::TooLarge(format!(
            "its frames are {width} × {height}; at most {} pixels a side and 9.4 megapixels are accepted",
            limits.side
        )));
    }
    Ok(())
}

fn check_length(seconds: f64, frames: u64, limits: &Limits) -> Result<(), Error> {
    if !seconds.is_finite() || seconds > limits.seconds + SLACK {
        return Err(Error::TooLarge(format!(
            "it is {seconds:.1} s long; at most {} s are accepted",
            limits.seconds
        )));
    }
    if frames > u64::from(limits.frames) {
        return Err(Error::TooLarge(format!(
            "it has {frames} frames; at most {} are accepted",
            limits.frames
        )));
    }
    Ok(())
}

impl Tracks {
    fn seconds(&self) -> f64 {
        let last = self.frames.iter().rfind(|frame| !frame.hidden);
        last.map_or(0.0, |frame| frame.end)
    }
}

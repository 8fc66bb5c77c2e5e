//! Writes a mark into the frames of a film, and reads it from them.

use std::{fs, path::Path};

use atelier_film::{Error as FilmError, Facts, Limits, Picture, Rate, Reader, Sound, Video, Writer};
use atelier_marking::{Frames, Id, Key, Marker, Reading, Shape};
use atelier_protocol::Error;

use super::{UNSUPPORTED, about::About};

/// A little coarser than that of drawn films: the mark is a grain that stands still while the picture moves, and takes
/// more bits than the picture.
const QUANTIZER: u8 = 25;
/// The most pixels of all frames together: a minute of 1920 × 1080 at 24 frames a second, which takes some 100 seconds
/// of a processor.
const MOST_PIXELS: u64 = 3_000_000_000;
/// The longest film, in seconds.
const LONGEST: f64 = 120.0;
/// A marked file may be so many times as large as the one before, and so many bytes more.
const GROWTH: u64 = 8;
const AT_LEAST: u64 = 1 << 20;
/// By how much the times of frames may differ from an even rate, and the sound may outlast the picture, in seconds.
const UNEVEN: f64 = 0.002;
const OUTLASTS: f64 = 0.25;

/// Writes the film with a mark to `out`. `Err` in the result says why that is not possible; then there is no file.
pub(super) fn marked(
    path: &Path,
    out: &Path,
    (id, key): (Id, &Key),
    progress: &mut dyn FnMut(f32),
) -> Result<Result<(), &'static str>, Error> {
    let done = match write(path, out, (id, key), progress) {
        // The task must not fail because of a film that cannot be read.
        Err(Stop::Film(FilmError::Io(error))) => return Err(error.into()),
        Err(Stop::Film(_)) => Err(UNSUPPORTED),
        Err(Stop::Said(why)) => Err(why),
        Ok(()) => Ok(()),
    };
    if done.is_err() && out.exists() {
        fs::remove_file(out)?;
    }
    Ok(done)
}

enum Stop {
    Film(FilmError),
    Said(&'static str),
}

impl From<FilmError> for Stop {
    fn from(error: FilmError) -> Self {
        Self::Film(error)
    }
}

fn write(path: &Path, out: &Path, (id, key): (Id, &Key), progress: &mut dyn FnMut(f32)) -> Result<(), Stop> {
    const NO: Stop = Stop::Said(UNSUPPORTED);
    let about = About::of(path).map_err(FilmError::Io)?.ok_or(NO)?;
    if about.is_signed {
        return Err(Stop::Said("signed"));
    }
    // A file of QuickTime would become an MP4.
    if !about.is_mp4 {
        return Err(NO);
    }
    let limits = Limits {
        ffmpeg: false,
        ..Limits::of_seconds(LONGEST)
    };
    let mut film = Reader::open(path, &limits)?;
    let facts = *film.facts();
    let (width, height) = (facts.width as usize, facts.height as usize);
    if (width * height) as u64 * facts.frames > MOST_PIXELS || !is_shown_as_stored(&about, &facts) {
        return Err(NO);
    }
    let sound = sound(&film, &about)?;
    let video = Video {
        rate: rate(&film).ok_or(NO)?,
        quantizer: QUANTIZER,
        ..Video::new(facts.width, facts.height)
    };
    let too_plain = |_| Stop::Said("too_plain");
    let mut marker = Marker::new(width, height, id, key).map_err(too_plain)?;
    let mut writer = Writer::create(out, video, sound, about.tags)?;
    let mut reuse = None;
    while let Some(mut frame) = film.next(reuse.take())? {
        marker.mark(&mut frame.picture.data[..width * height]);
        writer.frame(Picture::I420(frame.picture.planes()))?;
        progress(writer.frames() as f32 / (facts.frames + 1) as f32);
        reuse = Some(frame.picture);
    }
    if writer.frames() != facts.frames {
        return Err(NO);
    }
    marker.finish().map_err(too_plain)?;
    let before = fs::metadata(path).map_err(FilmError::Io)?.len();
    if writer.finish()?.bytes > before * GROWTH + AT_LEAST {
        return Err(NO);
    }
    Ok(())
}

/// Whether pixels are square and every track will be there.
fn is_shown_as_stored(about: &About, facts: &Facts) -> bool {
    let own = f64::from(facts.width) / f64::from(facts.height);
    let is_own = |aspect: &f64| (aspect / own - 1.0).abs() < 0.02 || (aspect * own - 1.0).abs() < 0.02;
    about.tracks == 1 + usize::from(facts.has_sound) && about.aspects.iter().all(is_own)
}

/// The film's own sound. One that would have to be coded again, or cut, is not touched.
fn sound(film: &Reader, about: &About) -> Result<Option<Sound>, Stop> {
    let facts = film.facts();
    if about.tracks == 1 && !facts.has_sound {
        return Ok(None);
    }
    let coded = film.coded_sound(2.0 * LONGEST)?.ok_or(Stop::Said(UNSUPPORTED))?;
    let samples = (coded.packets.len() as u64 * u64::from(coded.packet)).saturating_sub(coded.skip);
    if samples as f64 / f64::from(coded.rate) > facts.seconds + OUTLASTS {
        return Err(Stop::Said(UNSUPPORTED));
    }
    Ok(Some(Sound::Coded(coded)))
}

/// The even rate of a film's frames, if they have one.
fn rate(film: &Reader) -> Option<Rate> {
    let facts = film.facts();
    let last = facts.frames.checked_sub(1)?;
    let length = if last == 0 {
        facts.seconds
    } else {
        film.time_of(last)? / last as f64
    };
    let own = 1.0 / length;
    let whole = own.round().max(1.0) as u32;
    let candidates = [
        Rate::whole(whole),
        Rate {
            frames: whole * 1_000,
            seconds: 1_001,
        },
        Rate {
            frames: (own * 1_000.0).round() as u32,
            seconds: 1_000,
        },
    ];
    let fits = |rate: &Rate| {
        let mut times = (0..facts.frames).map(|frame| Some((film.time_of(frame)?, rate.time_of(frame))));
        times.all(|times| times.is_some_and(|(time, even)| (time - even).abs() < UNEVEN))
    };
    candidates.into_iter().find(fits)
}

/// Frames that are added up before the mark is read, at most.
const READ: u64 = 32;
/// The stretches of a film that are looked at. Each begins with a key frame.
const STRETCHES: usize = 8;
/// The frames from one that is read to the next.
const STEP: u64 = 3;
/// What a key frame counts. Between key frames, a coder moves the mark along with the picture.
const KEY_WEIGHT: f32 = 8.0;

/// Reads the mark of a film, from frames that are spread over it. `None`: it is too small, or there is none.
pub(super) fn read(path: &Path, key: &Key) -> Result<Option<Reading>, Error> {
    let limits = Limits {
        seconds: 3_600.0,
        frames: 250_000,
        ..Limits::default()
    };
    let unreadable = |error: FilmError| Error::InvalidInput(error.to_string());
    let mut film = Reader::open(path, &limits).map_err(unreadable)?;
    let (width, height) = (film.facts().width as usize, film.facts().height as usize);
    let mut frames = Frames::new(Shape {
        width,
        height,
        channels: 1,
    });
    let keys = spread(&film.keys());
    let each = READ / keys.len().max(1) as u64;
    for (at, first) in keys.iter().enumerate() {
        film.seek(*first).map_err(unreadable)?;
        // The next stretch reads its own frames.
        let end = keys.get(at + 1).map_or(u64::MAX, |next| next - first);
        for number in 0..(each * STEP).min(end) {
            let Some(frame) = film.next(None).map_err(unreadable)? else {
                break;
            };
            if number % STEP == 0 {
                let weight = if number == 0 { KEY_WEIGHT } else { 1.0 };
                frames.add_weighted(&frame.picture.data[..width * height], weight);
            }
        }
    }
    Ok(frames.read(key))
}

/// At most so many of the key frames, evenly.
fn spread(keys: &[u64]) -> Vec<u64> {
    let count = keys.len().min(STRETCHES);
    (0..count).map(|at| keys[at * keys.len() / count]).collect()
}

//! The edit list of MP4 files (ISO/IEC 14496-12, 8.6.6): which part of the decoded audio is presented. It removes the
//! encoder's delay and padding, and what the author cut. The demuxer does not apply it.

use std::{
    fs::File,
    io::{Read, Seek, SeekFrom},
    path::Path,
};

use super::Audio;

/// The largest `moov` box that is read, in bytes.
const LARGEST_MOOV: u64 = 32 << 20;

/// The part of a track that is presented.
pub(super) struct Edit {
    /// Seconds into the track.
    start: f64,
    /// Seconds; 0 means to the end.
    length: f64,
}

impl Edit {
    /// Seconds at the beginning of the track that are not presented.
    pub(super) fn start(&self) -> f64 {
        self.start
    }

    /// Whether the audio decoded so far contains the whole edit, so that decoding can stop.
    pub(super) fn is_covered_by(&self, audio: &Audio) -> bool {
        let (start, length) = self.samples(audio.rate);
        length > 0 && audio.frames() >= start.saturating_add(length)
    }

    /// Cuts the audio to the edit.
    pub(super) fn apply(&self, audio: &mut Audio) {
        let (start, length) = self.samples(audio.rate);
        if start >= audio.frames() {
            return;
        }
        for channel in &mut audio.channels {
            channel.drain(..start);
            if length > 0 {
                channel.truncate(length);
            }
        }
    }

    /// Start and length in samples.
    fn samples(&self, rate: u32) -> (usize, usize) {
        let samples = |seconds: f64| (seconds * f64::from(rate)).round() as usize;
        (samples(self.start), samples(self.length))
    }
}

/// Reads the edit list of a file, if it is an MP4 file with a simple one.
pub(super) fn read(path: &Path) -> Option<Edit> {
    let mut file = File::open(path).ok()?;
    let mut head = [0; 8];
    file.read_exact(&mut head).ok()?;
    if &head[4..] != b"ftyp" {
        return None;
    }
    let moov = find_moov(&mut file)?;
    let movie_scale = timescale(child(&moov, *b"mvhd")?)?;
    let track = children(&moov)
        .filter(|(kind, _)| *kind == b"trak")
        .map(|(_, body)| body)
        .find(|track| is_sound(track).unwrap_or(false))?;
    let track_scale = timescale(child(child(track, *b"mdia")?, *b"mdhd")?)?;
    let list = child(child(track, *b"edts")?, *b"elst")?;
    if number(list.get(4..8)?) != 1 {
        return None;
    }
    let (length, start) = match list.first()? {
        0 => (number(list.get(8..12)?), number(list.get(12..16)?)),
        _ => (number(list.get(8..16)?), number(list.get(16..24)?)),
    };
    Some(Edit {
        start: start as f64 / track_scale,
        length: length as f64 / movie_scale,
    })
}

fn find_moov(file: &mut File) -> Option<Vec<u8>> {
    let mut at = 0_u64;
    // Files have few top-level boxes; a file with thousands is not worth following.
    for _ in 0..64 {
        file.seek(SeekFrom::Start(at)).ok()?;
        let mut head = [0; 16];
        file.read_exact(&mut head[..8]).ok()?;
        let (mut length, mut header) = (number(&head[..4]), 8);
        if length == 1 {
            file.read_exact(&mut head[8..]).ok()?;
            (length, header) = (number(&head[8..]), 16);
        }
        if &head[4..8] == b"moov" {
            let mut body = Vec::new();
            file.take(length.checked_sub(header)?.min(LARGEST_MOOV))
                .read_to_end(&mut body)
                .ok()?;
            return Some(body);
        }
        at = at.checked_add(length.max(8))?;
    }
    None
}

fn is_sound(track: &[u8]) -> Option<bool> {
    let handler = child(child(track, *b"mdia")?, *b"hdlr")?;
    Some(handler.get(8..12)? == b"soun")
}

/// The time scale of an `mvhd` or `mdhd` box.
fn timescale(header: &[u8]) -> Option<f64> {
    let at = if *header.first()? == 0 { 12 } else { 20 };
    Some(number(header.get(at..at + 4)?) as f64).filter(|scale| *scale > 0.0)
}

fn child(parent: &[u8], kind: [u8; 4]) -> Option<&[u8]> {
    children(parent)
        .find(|(found, _)| **found == kind)
        .map(|(_, body)| body)
}

fn children(mut rest: &[u8]) -> impl Iterator<Item = (&[u8; 4], &[u8])> {
    std::iter::from_fn(move || {
        let length = usize::try_from(number(rest.get(..4)?)).ok()?.max(8);
        let kind = rest.get(4..8)?.first_chunk::<4>()?;
        let body = rest.get(8..length)?;
        rest = &rest[length..];
        Some((kind, body))
    })
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |sum, byte| sum << 8 | u64::from(*byte))
}

//! Duration of WAV, FLAC and Ogg from their headers (of Ogg, from its last page).

use std::io::{Read, Seek};

use crate::source::Source;

/// Chunks looked at before a WAV counts as unreadable.
const CHUNKS: usize = 1_000;

pub(super) fn wav<R: Read + Seek>(source: &mut Source<R>) -> Option<f64> {
    let mut bytes_per_second = 0;
    let mut at = 12;
    for _ in 0..CHUNKS {
        let kind = source.array::<4>(at)?;
        let length = u64::from(source.le32(at + 4)?);
        match &kind {
            b"fmt " => bytes_per_second = source.le32(at + 16)?,
            b"data" => {
                // A program that writes to a pipe cannot know the length and says the largest.
                let length = length.min(source.size().saturating_sub(at + 8));
                return (bytes_per_second > 0).then(|| length as f64 / f64::from(bytes_per_second));
            }
            _ => {}
        }
        at += 8 + length + (length & 1);
    }
    None
}

/// A FLAC stream that begins at `start`.
pub(super) fn flac<R: Read + Seek>(source: &mut Source<R>, start: u64) -> Option<f64> {
    // The first block; its highest bit says whether it is the last, too.
    matches!(source.u8(start + 4)?, 0 | 0x80).then_some(())?;
    stream_info(source, start + 8)
}

pub(super) fn ogg<R: Read + Seek>(source: &mut Source<R>) -> Option<f64> {
    let serial = source.array::<4>(14)?;
    let payload = 27 + u64::from(source.u8(26)?);
    let (rate, skipped) = match &source.array::<5>(payload)? {
        b"\x01vorb" => (source.le32(payload + 12)?, 0),
        // Opus counts at 48 kHz whatever it was made from, and begins with samples that are not played.
        b"OpusH" => (48_000, source.le16(payload + 10)?.into()),
        b"Speex" => (source.le32(payload + 36)?, 0),
        b"\x7fFLAC" => (sample_rate(source, payload + 17)?, 0),
        _ => return None,
    };
    let played = last_granule(source, serial)?.checked_sub(skipped)?;
    (rate > 0).then(|| played as f64 / f64::from(rate))
}

/// The position that the last page of a stream ends at, in samples.
fn last_granule<R: Read + Seek>(source: &mut Source<R>, serial: [u8; 4]) -> Option<u64> {
    const STEP: u64 = 8 * 1024;
    /// The longest page, and then some.
    const REACH: u64 = 128 * 1024;
    const HEADER: usize = 18;
    let size = source.size();
    let mut start = size;
    while start > 0 && size - start < REACH {
        start = start.saturating_sub(STEP);
        let bytes = source.upto(start, STEP as usize + HEADER - 1);
        let found = bytes.windows(HEADER).rev().find_map(|page| {
            let granule = u64::from_le_bytes(page.get(6..14)?.try_into().ok()?);
            let fits = page.starts_with(b"OggS\0") && page[14..18] == serial && granule != u64::MAX;
            fits.then_some(granule)
        });
        if found.is_some() {
            return found;
        }
    }
    None
}

/// The duration by a FLAC `STREAMINFO` at `at`. No samples means "unknown".
fn stream_info<R: Read + Seek>(source: &mut Source<R>, at: u64) -> Option<f64> {
    let rate = sample_rate(source, at)?;
    let samples = u64::from(source.u8(at + 13)? & 0xf) << 32 | u64::from(source.be32(at + 14)?);
    (rate > 0 && samples > 0).then(|| samples as f64 / f64::from(rate))
}

fn sample_rate<R: Read + Seek>(source: &mut Source<R>, at: u64) -> Option<u32> {
    Some(source.be32(at + 10)? >> 12)
}

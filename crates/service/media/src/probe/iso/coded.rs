//! The length of decoded sound samples, by the description of their codec: raw samples, AAC and ALAC. The times in a
//! sample table can say anything; a frame of AAC holds 1,024 samples.

use std::io::{Read, Seek};

use super::{Part, part};
use crate::source::Source;

/// A frame's samples of one channel, and how many of them a second takes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Coded {
    samples: u32,
    rate: u32,
}

impl Coded {
    pub(super) fn seconds(self, frames: u64) -> f64 {
        frames as f64 * f64::from(self.samples) / f64::from(self.rate)
    }

    /// Reads the first entry of a sample description, if it is one of sound whose frames have a fixed size.
    pub(super) fn read<R: Read + Seek>(source: &mut Source<R>, stsd: &Part) -> Option<Self> {
        let entry = part(source, stsd.body + 8, stsd.end)?;
        let (samples, rate) = match &entry.kind {
            b"mp4a" => aac(source, &entry)?,
            b"alac" => alac(source, &entry)?,
            b"sowt" | b"twos" | b"raw " | b"in24" | b"in32" | b"fl32" | b"fl64" | b"ulaw" | b"alaw" => {
                // 16.16 fixed point.
                (1, source.be32(entry.body + 24)? >> 16)
            }
            _ => return None,
        };
        (samples > 0 && rate > 0).then_some(Self { samples, rate })
    }
}

/// The part of that name among the contents of a description of sound.
fn child<R: Read + Seek>(source: &mut Source<R>, entry: &Part, kind: [u8; 4]) -> Option<Part> {
    // QuickTime's later versions have more fields before the parts.
    let fields = match source.be16(entry.body + 8)? {
        0 => 28,
        1 => 44,
        _ => 64,
    };
    find(source, entry.body + fields, entry.end, kind).or_else(|| {
        let wave = find(source, entry.body + fields, entry.end, *b"wave")?;
        find(source, wave.body, wave.end, kind)
    })
}

fn find<R: Read + Seek>(source: &mut Source<R>, mut at: u64, end: u64, kind: [u8; 4]) -> Option<Part> {
    loop {
        let part = part(source, at, end)?;
        if part.kind == kind {
            return Some(part);
        }
        at = part.end;
    }
}

fn alac<R: Read + Seek>(source: &mut Source<R>, entry: &Part) -> Option<(u32, u32)> {
    let cookie = child(source, entry, *b"alac")?;
    Some((source.be32(cookie.body + 4)?, source.be32(cookie.body + 24)?))
}

/// AAC by its `esds` (ISO/IEC 14496-1, 7.2.6, and 14496-3, 1.6.2): the rate is that of the core, without what spectral
/// band replication adds, which also doubles the samples.
fn aac<R: Read + Seek>(source: &mut Source<R>, entry: &Part) -> Option<(u32, u32)> {
    const STREAM: u8 = 3;
    const DECODER: u8 = 4;
    const SPECIFIC: u8 = 5;
    const MPEG4_AUDIO: u8 = 0x40;
    let esds = child(source, entry, *b"esds")?;
    let at = descriptor(source, esds.body + 4, STREAM)?;
    let flags = source.u8(at + 2)?;
    let mut at = at + 3 + 2 * u64::from(flags >> 7) + 2 * u64::from(flags >> 5 & 1);
    if flags & 0x40 != 0 {
        at += 1 + u64::from(source.u8(at)?);
    }
    let at = descriptor(source, at, DECODER)?;
    if source.u8(at)? != MPEG4_AUDIO {
        return None;
    }
    let at = descriptor(source, at + 13, SPECIFIC)?;
    let mut head = [0; 8];
    let bytes = source.upto(at, 8);
    head[..bytes.len()].copy_from_slice(bytes);
    audio_config(u64::from_be_bytes(head))
}

/// Returns the start of the contents of a descriptor with this tag, if it is at `at`.
fn descriptor<R: Read + Seek>(source: &mut Source<R>, at: u64, tag: u8) -> Option<u64> {
    (source.u8(at)? == tag).then_some(())?;
    // The length takes up to four bytes; all but the last have their highest bit set.
    (1..=4)
        .find(|length| source.u8(at + length).is_some_and(|byte| byte & 0x80 == 0))
        .map(|length| at + length + 1)
}

/// Samples of a frame, and the core's rate, of the configuration that begins with these bits.
fn audio_config(bits: u64) -> Option<(u32, u32)> {
    const RATES: [u32; 13] = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
    ];
    let mut at = 0;
    let mut take = |count: u32| {
        let value = (bits << at >> (64 - count)) as u32;
        at += count;
        value
    };
    let kind = take(5);
    let rate = match take(4) {
        15 => take(24),
        index => *RATES.get(index as usize)?,
    };
    let _channels = take(4);
    let band_replication = matches!(kind, 5 | 29);
    let short = !band_replication && take(1) == 1;
    match (kind, short) {
        (1..=5 | 29, false) => Some((1024, rate)),
        (1..=4, true) => Some((960, rate)),
        (23 | 39, false) => Some((512, rate)),
        (23 | 39, true) => Some((480, rate)),
        _ => None,
    }
}

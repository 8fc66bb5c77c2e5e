//! Duration of FLAC: the frames are found by their headers and counted. After RFC 9639.
//! `STREAMINFO` says how many samples there should be; it counts if the frames agree.

use std::io::{Read, Seek};

use super::settled;
use crate::source::Source;

/// Metadata blocks looked at before a stream counts as unreadable.
const BLOCKS: usize = 10_000;
/// The longest frame header.
const HEADER: usize = 16;

/// A FLAC stream that begins at `start`.
pub(super) fn flac<R: Read + Seek>(source: &mut Source<R>, start: u64) -> Option<f64> {
    // The first block; its highest bit says whether it is the last, too.
    matches!(source.u8(start + 4)?, 0 | 0x80).then_some(())?;
    let info = StreamInfo::read(source, start + 8)?;
    let mut at = start + 4;
    for _ in 0..BLOCKS {
        let [kind, a, b, c] = source.array(at)?;
        at += 4 + u64::from(u32::from_be_bytes([0, a, b, c]));
        if kind & 0x80 != 0 {
            let counted = count(source, at, info.rate)?;
            return settled(info.seconds(), counted);
        }
    }
    None
}

/// The fields of `STREAMINFO`.
#[derive(Debug, Clone, Copy)]
pub(super) struct StreamInfo {
    pub(super) rate: u32,
    samples: u64,
}

impl StreamInfo {
    pub(super) fn read<R: Read + Seek>(source: &mut Source<R>, at: u64) -> Option<Self> {
        let rate = source.be32(at + 10)? >> 12;
        let samples = u64::from(source.u8(at + 13)? & 0xf) << 32 | u64::from(source.be32(at + 14)?);
        (rate > 0).then_some(Self { rate, samples })
    }

    /// No samples means "unknown".
    fn seconds(self) -> Option<f64> {
        (self.samples > 0).then(|| self.samples as f64 / f64::from(self.rate))
    }
}

/// A frame's header.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    length: usize,
    /// Samples of one channel.
    pub(super) samples: u32,
    /// `None`: that of `STREAMINFO`.
    pub(super) rate: Option<u32>,
    /// The number of the frame, or of its first sample.
    number: u64,
    /// The bytes that say how the samples are coded; frames of one stream have the same.
    coding: [u8; 3],
}

/// Seconds of all frames from `at` to the end of the file.
fn count<R: Read + Seek>(source: &mut Source<R>, mut at: u64, rate: u32) -> Option<f64> {
    let mut seconds = 0.0;
    let mut last: Option<Frame> = None;
    loop {
        let bytes = source.window(at);
        let whole = bytes.len();
        let found = memchr::memchr_iter(0xff, bytes).find_map(|offset| {
            let frame = frame(&bytes[offset..])?;
            // The checksum has eight bits only: chance makes headers as well, in compressed data.
            let expected =
                last.is_none_or(|last| last.coding == frame.coding || last.number + 1 == frame.number);
            expected.then_some((offset, frame))
        });
        if let Some((offset, frame)) = found {
            let rate = frame.rate.filter(|rate| *rate > 0).unwrap_or(rate);
            seconds += f64::from(frame.samples) / f64::from(rate);
            at += (offset + frame.length) as u64;
            last = Some(frame);
        } else if whole <= HEADER {
            return last.map(|_| seconds);
        } else {
            // A header may stand across the end of the window.
            at += (whole - HEADER + 1) as u64;
        }
    }
}

/// The frame header at the start of `bytes`, if its checksum is right.
pub(super) fn frame(bytes: &[u8]) -> Option<Frame> {
    let &[0xff, second @ (0xf8 | 0xf9), third, fourth, ..] = bytes else {
        return None;
    };
    if fourth >> 4 > 10 || fourth & 1 != 0 {
        return None;
    }
    let (number, mut at) = number(bytes.get(4..)?)?;
    at += 4;
    let mut take = |count: usize| {
        let value = bytes
            .get(at..at + count)?
            .iter()
            .fold(0, |value, byte| value << 8 | u32::from(*byte));
        at += count;
        Some(value)
    };
    let samples = match third >> 4 {
        0 => return None,
        1 => 192,
        code @ 2..=5 => 576 << (code - 2),
        6 => take(1)? + 1,
        7 => take(2)? + 1,
        code => 256 << (code - 8),
    };
    let rate = match third & 0xf {
        0 => None,
        12 => Some(take(1)? * 1000),
        13 => Some(take(2)?),
        14 => Some(take(2)? * 10),
        15 => return None,
        code => Some(
            [
                88_200, 176_400, 192_000, 8_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000,
            ][usize::from(code) - 1],
        ),
    };
    (*bytes.get(at)? == checksum(&bytes[..at])).then_some(Frame {
        length: at + 1,
        samples,
        rate,
        number,
        coding: [second, third & 0xf, fourth & 0xf],
    })
}

/// A number in UTF-8's way of writing it, of up to 36 bits, and its length.
fn number(bytes: &[u8]) -> Option<(u64, usize)> {
    let &first = bytes.first()?;
    let length = match first.leading_ones() {
        0 => return Some((first.into(), 1)),
        length @ 2..=7 => length as usize,
        _ => return None,
    };
    let mut value = u64::from(first) & (0x7f >> length);
    for byte in bytes.get(1..length)? {
        if byte >> 6 != 2 {
            return None;
        }
        value = value << 6 | u64::from(byte & 0x3f);
    }
    Some((value, length))
}

/// CRC-8 with the polynomial x⁸ + x² + x + 1.
pub(super) fn checksum(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |crc, byte| {
        (0..8).fold(crc ^ byte, |crc: u8, _| {
            (crc << 1) ^ (if crc & 0x80 == 0 { 0 } else { 7 })
        })
    })
}

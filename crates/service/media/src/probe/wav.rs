//! Duration of WAV: the bytes of its `data` chunks, divided by what the sample format takes a second.
//! The header's own rate of bytes is used only for formats whose samples have no fixed size.

use std::io::{Read, Seek};

use crate::source::Source;

/// Chunks looked at before a WAV counts as unreadable.
const CHUNKS: usize = 1_000;

pub(super) fn wav<R: Read + Seek>(source: &mut Source<R>) -> Option<f64> {
    let mut bytes_per_second = None;
    let mut bytes = 0;
    let mut at = 12;
    for _ in 0..CHUNKS {
        let Some((kind, length)) = chunk(source, at) else {
            break;
        };
        match &kind {
            b"fmt " if bytes_per_second.is_none() => bytes_per_second = Some(byte_rate(source, at + 8)?),
            b"data" => {
                let length = data_length(source, at + 8, length);
                bytes += length;
                at += 8 + length + (length & 1);
                continue;
            }
            _ => {}
        }
        at += 8 + length + (length & 1);
    }
    if chunk(source, at).is_some() {
        return None;
    }
    let rate = bytes_per_second.filter(|rate| *rate > 0.0)?;
    (bytes > 0).then(|| bytes as f64 / rate)
}

fn chunk<R: Read + Seek>(source: &mut Source<R>, at: u64) -> Option<([u8; 4], u64)> {
    Some((source.array(at)?, source.le32(at + 4)?.into()))
}

/// How much of the file from `at` on is sound, of which a chunk claims `length` bytes.
///
/// A program that writes to a pipe cannot know the length: it writes zero or the largest number. If no chunks follow
/// where the claim ends, the claim is wrong, and the sound goes on to the end of the file.
fn data_length<R: Read + Seek>(source: &mut Source<R>, at: u64, length: u64) -> u64 {
    let left = source.size().saturating_sub(at);
    let known = length > 0 && length < left && chunks_follow(source, at + length + (length & 1));
    if known { length } else { left }
}

/// Whether nothing but whole chunks stands between `at` and the end of the file.
fn chunks_follow<R: Read + Seek>(source: &mut Source<R>, mut at: u64) -> bool {
    let size = source.size();
    for _ in 0..CHUNKS {
        // A byte of padding, or a few, may end the file.
        if at + 8 > size {
            return true;
        }
        let Some((kind, length)) = chunk(source, at) else {
            return false;
        };
        if !kind.iter().all(|byte| byte.is_ascii_graphic() || *byte == b' ') {
            return false;
        }
        at += 8 + length;
        if at > size {
            return false;
        }
        at += length & 1;
    }
    false
}

/// Bytes a second of the format at `at`.
fn byte_rate<R: Read + Seek>(source: &mut Source<R>, at: u64) -> Option<f64> {
    const PCM: u16 = 1;
    const MICROSOFT_ADPCM: u16 = 2;
    const FLOAT: u16 = 3;
    const A_LAW: u16 = 6;
    const MU_LAW: u16 = 7;
    const IMA_ADPCM: u16 = 17;
    const EXTENSIBLE: u16 = 0xfffe;
    let format = match source.le16(at)? {
        // The first two bytes of the identifier are the format.
        EXTENSIBLE => source.le16(at + 24)?,
        format => format,
    };
    let channels = u64::from(source.le16(at + 2)?);
    let rate = f64::from(source.le32(at + 4)?);
    let block = u64::from(source.le16(at + 12)?);
    let bits = u64::from(source.le16(at + 14)?);
    // Bytes of a block and the samples in it, of one channel.
    let (bytes, samples) = match format {
        PCM | FLOAT => (channels * bits.div_ceil(8), 1),
        A_LAW | MU_LAW => (channels, 1),
        MICROSOFT_ADPCM => (block, block.checked_sub(7 * channels)? * 2 / channels.max(1) + 2),
        IMA_ADPCM => (block, block.checked_sub(4 * channels)? * 2 / channels.max(1) + 1),
        _ => return source.le32(at + 8).map(f64::from),
    };
    (bytes > 0 && samples > 0).then(|| rate * bytes as f64 / samples as f64)
}

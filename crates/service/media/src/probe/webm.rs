//! WebM: picture size and duration from the segment's headers, or from the last block where no duration is written
//! (a browser's recorder cannot know it). After the Matroska element registry.

use std::io::{Read, Seek};

use super::Found;
use crate::sniff::ebml_size;
use crate::source::Source;

pub(crate) const SEGMENT: u32 = 0x1853_8067;
pub(crate) const INFO: u32 = 0x1549_a966;
const TIMESTAMP_SCALE: u32 = 0x2a_d7b1;
const DURATION: u32 = 0x4489;
const TRACKS: u32 = 0x1654_ae6b;
const TRACK_ENTRY: u32 = 0xae;
const VIDEO: u32 = 0xe0;
const PIXEL_WIDTH: u32 = 0xb0;
const PIXEL_HEIGHT: u32 = 0xba;
pub(crate) const CLUSTER: u32 = 0x1f43_b675;
const CLUSTER_TIMESTAMP: u32 = 0xe7;
const BLOCK_GROUP: u32 = 0xa0;
const BLOCK: u32 = 0xa1;
const SIMPLE_BLOCK: u32 = 0xa3;

pub(super) fn read<R: Read + Seek>(source: &mut Source<R>, found: &mut Found) {
    let mut scale = 1_000_000;
    let mut duration = None;
    let mut size = (None, None);
    let mut cluster = 0_u64;
    let mut last = 0_u64;
    let mut at = 0;
    // Masters of interest are stepped into and all else over, so that masters of unknown size need no bookkeeping.
    while let Some((id, body, length)) = element(source, at) {
        at = body;
        match id {
            CLUSTER if duration.is_some() => break,
            SEGMENT | INFO | TRACKS | TRACK_ENTRY | VIDEO | CLUSTER | BLOCK_GROUP => continue,
            TIMESTAMP_SCALE => scale = unsigned(source, body, length).unwrap_or(scale),
            DURATION => duration = float(source, body, length).filter(|&duration| duration > 0.0),
            PIXEL_WIDTH => size.0 = size.0.or(unsigned(source, body, length)),
            PIXEL_HEIGHT => size.1 = size.1.or(unsigned(source, body, length)),
            CLUSTER_TIMESTAMP => cluster = unsigned(source, body, length).unwrap_or(cluster),
            SIMPLE_BLOCK | BLOCK => last = last.max(block_time(source, body, cluster).unwrap_or(0)),
            _ => {}
        }
        match at.checked_add(length) {
            Some(next) => at = next,
            None => break,
        }
    }
    if let (Some(width), Some(height)) = size {
        found.picture(u32::try_from(width).ok().zip(u32::try_from(height).ok()));
    }
    let ticks = duration.or((last > 0).then_some(last as f64));
    found.duration = ticks.map(|ticks| ticks * scale as f64 / 1e9);
}

/// Id, start of the contents, and their length: the largest value where it is unknown.
pub(crate) fn element<R: Read + Seek>(source: &mut Source<R>, at: u64) -> Option<(u32, u64, u64)> {
    let bytes = source.upto(at, 12);
    let id_length = bytes.first()?.leading_zeros() as usize + 1;
    if id_length > 4 {
        return None;
    }
    let id = bytes
        .get(..id_length)?
        .iter()
        .fold(0, |id, &byte| id << 8 | u32::from(byte));
    let (length, size_length) = ebml_size(&bytes[id_length..])?;
    Some((id, at + (id_length + size_length) as u64, length))
}

fn unsigned<R: Read + Seek>(source: &mut Source<R>, body: u64, length: u64) -> Option<u64> {
    let length = usize::try_from(length).ok().filter(|length| *length <= 8)?;
    Some(
        source
            .slice(body, length)?
            .iter()
            .fold(0, |value, &byte| value << 8 | u64::from(byte)),
    )
}

fn float<R: Read + Seek>(source: &mut Source<R>, body: u64, length: u64) -> Option<f64> {
    match length {
        4 => source.array(body).map(|bytes| f32::from_be_bytes(bytes).into()),
        8 => source.array(body).map(f64::from_be_bytes),
        _ => None,
    }
}

/// A block's time: its cluster's, and an offset after the track number.
fn block_time<R: Read + Seek>(source: &mut Source<R>, body: u64, cluster: u64) -> Option<u64> {
    let (_, length) = ebml_size(source.upto(body, 8))?;
    let offset = i16::from_be_bytes(source.array(body + length as u64)?);
    cluster.checked_add_signed(offset.into())
}

//! WebM: picture size, and duration from the blocks of its tracks. After the Matroska element registry.
//! The duration in the segment's header is used if the blocks agree with it.

mod track;

use std::io::{Read, Seek};

use self::track::{Block, Tracks};
use super::{Found, settled};
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
const BLOCK_DURATION: u32 = 0x9b;
const SIMPLE_BLOCK: u32 = 0xa3;

/// The statements of the elements so far.
struct Reading {
    /// Nanoseconds of a tick.
    scale: u64,
    /// Ticks, from the header.
    duration: Option<f64>,
    size: (Option<u64>, Option<u64>),
    cluster: u64,
    tracks: Tracks,
}

pub(super) fn read<R: Read + Seek>(source: &mut Source<R>, found: &mut Found) {
    let mut reading = Reading {
        scale: 1_000_000,
        duration: None,
        size: (None, None),
        cluster: 0,
        tracks: Tracks::default(),
    };
    let mut at = 0;
    while at < source.size() {
        let next = match element(source, at) {
            Some((id, body, length)) => reading.element(source, id, body, length),
            // Decoders go on with the next cluster.
            None => source.find(at + 1, &CLUSTER.to_be_bytes()),
        };
        match next {
            Some(next) => at = next,
            None => break,
        }
    }
    reading.tell(found);
}

impl Reading {
    /// Takes an element, and says where the next one begins. Masters of interest are stepped into and all else over, so
    /// that masters of unknown size need no bookkeeping.
    fn element<R: Read + Seek>(
        &mut self,
        source: &mut Source<R>,
        id: u32,
        body: u64,
        length: u64,
    ) -> Option<u64> {
        match id {
            SEGMENT | INFO | TRACKS | VIDEO | CLUSTER | BLOCK_GROUP => return Some(body),
            TRACK_ENTRY => {
                self.tracks.begin();
                return Some(body);
            }
            TIMESTAMP_SCALE => self.scale = unsigned(source, body, length).unwrap_or(self.scale),
            DURATION => self.duration = float(source, body, length).filter(|&duration| duration > 0.0),
            PIXEL_WIDTH => self.size.0 = self.size.0.or(unsigned(source, body, length)),
            PIXEL_HEIGHT => self.size.1 = self.size.1.or(unsigned(source, body, length)),
            CLUSTER_TIMESTAMP => self.cluster = unsigned(source, body, length).unwrap_or(self.cluster),
            SIMPLE_BLOCK | BLOCK => {
                if let Some(block) = Block::read(source, body, length, self.cluster) {
                    self.tracks.block(&block);
                }
            }
            BLOCK_DURATION => {
                let duration = unsigned(source, body, length).unwrap_or(0);
                self.tracks.block_lasts(duration);
            }
            _ => self.tracks.field(source, id, body, length),
        }
        body.checked_add(length)
    }

    fn tell(&self, found: &mut Found) {
        if let (Some(width), Some(height)) = self.size {
            found.picture(u32::try_from(width).ok().zip(u32::try_from(height).ok()));
        }
        let tick = self.scale as f64 / 1e9;
        let announced = self.duration.map(|ticks| ticks * tick);
        found.duration = settled(announced, self.tracks.seconds(tick));
    }
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

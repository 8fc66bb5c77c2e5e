//! The tracks of a WebM, and what their blocks say about time.

use std::io::{Read, Seek};

use super::unsigned;
use crate::{
    probe::{TOLERANCE, opus},
    sniff::ebml_size,
    source::Source,
};

const TRACK_NUMBER: u32 = 0xd7;
const TRACK_TYPE: u32 = 0x83;
const CODEC: u32 = 0x86;
const DEFAULT_DURATION: u32 = 0x23_e383;
const TYPE_VIDEO: u64 = 1;
const TYPE_SOUND: u64 = 2;
/// Tracks remembered; real files have two.
const MOST: usize = 64;

/// One block: frames of one track, and when the first is shown.
pub(super) struct Block {
    track: u64,
    time: u64,
    frames: u64,
    /// Samples at 48 kHz of the first frame, if it is Opus.
    opus: u32,
}

#[derive(Default)]
pub(super) struct Tracks {
    tracks: Vec<Track>,
    /// The track of the last block, and its time.
    current: Option<(usize, u64)>,
}

#[derive(Default)]
struct Track {
    number: u64,
    kind: u64,
    is_opus: bool,
    /// Nanoseconds of a frame.
    frame: u64,
    frames: u64,
    /// Samples at 48 kHz.
    opus: u64,
    /// Ticks: the first block, and the end of the last one.
    first: Option<u64>,
    last: u64,
    end: u64,
    /// Ticks between the last two moments.
    gap: u64,
}

impl Block {
    /// Reads the head of a block: the track's number, an offset to the cluster's time, and flags.
    pub(super) fn read<R: Read + Seek>(
        source: &mut Source<R>,
        body: u64,
        length: u64,
        cluster: u64,
    ) -> Option<Self> {
        let head = source.upto(body, length.min(16) as usize);
        let (track, at) = ebml_size(head)?;
        let &[high, low, flags, ref rest @ ..] = head.get(at..)? else {
            return None;
        };
        let offset = i16::from_be_bytes([high, low]);
        // With lacing, a count of frames comes first, and their sizes.
        let laced = flags & 6 != 0;
        Some(Self {
            track,
            time: cluster.checked_add_signed(offset.into()).unwrap_or(0),
            frames: if laced { 1 + u64::from(*rest.first()?) } else { 1 },
            opus: if laced { 0 } else { opus::samples(rest) },
        })
    }
}

impl Tracks {
    /// A new track entry begins.
    pub(super) fn begin(&mut self) {
        if self.tracks.len() < MOST {
            self.tracks.push(Track::default());
        }
    }

    /// Takes a field of the current track entry.
    pub(super) fn field<R: Read + Seek>(&mut self, source: &mut Source<R>, id: u32, body: u64, length: u64) {
        let Some(track) = self.tracks.last_mut() else {
            return;
        };
        let number = |source: &mut Source<R>| unsigned(source, body, length).unwrap_or(0);
        match id {
            TRACK_NUMBER => track.number = number(source),
            TRACK_TYPE => track.kind = number(source),
            DEFAULT_DURATION => track.frame = number(source),
            CODEC => track.is_opus = source.upto(body, length.min(6) as usize) == b"A_OPUS",
            _ => {}
        }
    }

    pub(super) fn block(&mut self, block: &Block) {
        let known = self.tracks.iter().position(|track| track.number == block.track);
        let index = known.unwrap_or_else(|| {
            // A block of a track without an entry: whatever it is, it takes its time.
            self.tracks.push(Track {
                number: block.track,
                kind: TYPE_VIDEO,
                ..Track::default()
            });
            self.tracks.len() - 1
        });
        if index >= MOST {
            self.tracks.truncate(MOST);
            return;
        }
        self.tracks[index].block(block);
        self.current = Some((index, block.time));
    }

    /// The last block says how long it lasts, in ticks.
    pub(super) fn block_lasts(&mut self, ticks: u64) {
        if let Some((index, time)) = self.current
            && let Some(track) = self.tracks.get_mut(index)
        {
            track.end = track.end.max(time.saturating_add(ticks));
        }
    }

    /// Seconds of the longest track of pictures or sound.
    pub(super) fn seconds(&self, tick: f64) -> f64 {
        self.tracks
            .iter()
            .filter(|track| matches!(track.kind, TYPE_VIDEO | TYPE_SOUND))
            .map(|track| track.seconds(tick))
            .fold(0.0, f64::max)
    }
}

impl Track {
    fn block(&mut self, block: &Block) {
        self.first = Some(self.first.map_or(block.time, |first| first.min(block.time)));
        if block.time > self.last {
            self.gap = block.time - self.last;
            self.last = block.time;
        }
        self.frames += block.frames;
        if self.is_opus {
            self.opus += u64::from(block.opus);
        }
    }

    /// By the times of the blocks. The frames' own duration counts if it is longer: the times hang on one number, the
    /// scale, that decoders of sound ignore.
    fn seconds(&self, tick: f64) -> f64 {
        let frame = self.frame as f64 / 1e9;
        let last = if self.frame > 0 {
            frame
        } else {
            // Nothing says how long the last frame is shown: as long as the one before, within reason.
            (self.gap as f64 * tick).min(TOLERANCE)
        };
        let shown = (self.last as f64 * tick + last).max(self.end as f64 * tick);
        let frames = (self.frames as f64 * frame).max(self.opus as f64 / 48_000.0);
        match self.first {
            None => 0.0,
            Some(_) if frames > shown + TOLERANCE => frames,
            Some(_) => shown,
        }
    }
}

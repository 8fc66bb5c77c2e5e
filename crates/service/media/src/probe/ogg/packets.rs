//! How many samples a packet of each codec decodes to, from its first bytes.

use std::io::{Read, Seek};

use crate::{
    probe::{
        flac::{self, StreamInfo},
        opus,
    },
    source::Source,
};

/// The longest setup header of Vorbis that is kept to find its modes.
const SETUP: usize = 256 * 1024;

/// A codec, and what its packets have added up to.
pub(super) struct Codec {
    /// Samples a second.
    pub(super) rate: u32,
    /// Samples at the beginning that are not played.
    pub(super) skipped: u64,
    samples: u64,
    kind: Kind,
}

enum Kind {
    Opus,
    Flac,
    Speex { samples: u32, headers: u32 },
    Vorbis(Vorbis),
}

struct Vorbis {
    /// Half the short and the long block.
    halves: [u32; 2],
    headers: u32,
    setup: Vec<u8>,
    /// Whether each mode has long blocks; `None` if the setup cannot be read.
    modes: Option<Vec<bool>>,
    last: Option<u32>,
}

impl Codec {
    /// Reads the first packet of a stream, at `at`.
    pub(super) fn read<R: Read + Seek>(source: &mut Source<R>, at: u64) -> Option<Self> {
        let (rate, skipped, kind) = match &source.array::<5>(at)? {
            b"\x01vorb" => {
                let sizes = source.u8(at + 28)?;
                let half = |exponent: u8| 1_u32 << exponent.clamp(6, 13) >> 1;
                let vorbis = Vorbis {
                    halves: [half(sizes & 0xf), half(sizes >> 4)],
                    headers: 0,
                    setup: Vec::new(),
                    modes: None,
                    last: None,
                };
                (source.le32(at + 12)?, 0, Kind::Vorbis(vorbis))
            }
            // Opus counts at 48 kHz whatever it was made from, and begins with samples that are not played.
            b"OpusH" => (48_000, source.le16(at + 10)?.into(), Kind::Opus),
            b"Speex" => {
                let frames = source.le32(at + 64)?.clamp(1, 64);
                let samples = source.le32(at + 56)?.min(4096).saturating_mul(frames);
                let headers = source.le32(at + 68)?.min(16) + 2;
                (source.le32(at + 36)?, 0, Kind::Speex { samples, headers })
            }
            b"\x7fFLAC" => (StreamInfo::read(source, at + 17)?.rate, 0, Kind::Flac),
            _ => return None,
        };
        (rate > 0).then_some(Self {
            rate,
            skipped,
            samples: 0,
            kind,
        })
    }

    /// Samples of all packets; `None` if they cannot be told.
    pub(super) fn counted(&self) -> Option<u64> {
        match &self.kind {
            Kind::Vorbis(vorbis) if vorbis.modes.is_none() => None,
            _ => (self.samples > 0).then_some(self.samples),
        }
    }

    /// Takes a packet, or the part of one that lies on a page.
    pub(super) fn packet<R: Read + Seek>(
        &mut self,
        source: &mut Source<R>,
        at: u64,
        length: u64,
        continued: bool,
        ends: bool,
    ) {
        if let Kind::Vorbis(vorbis) = &mut self.kind
            && vorbis.headers < 3
        {
            vorbis.header(source, at, length, ends);
            return;
        }
        if continued || length == 0 {
            return;
        }
        let head = source.upto(at, length.min(16) as usize);
        let samples = match &mut self.kind {
            Kind::Opus if head.starts_with(b"Opus") => 0,
            Kind::Opus => opus::samples(head),
            Kind::Flac => flac::frame(head).map_or(0, |frame| frame.samples),
            Kind::Speex { headers, samples } => {
                let is_header = *headers > 0;
                *headers = headers.saturating_sub(1);
                if is_header { 0 } else { *samples }
            }
            Kind::Vorbis(vorbis) => head.first().map_or(0, |first| vorbis.samples(*first)),
        };
        self.samples = self.samples.saturating_add(samples.into());
    }
}

impl Vorbis {
    fn header<R: Read + Seek>(&mut self, source: &mut Source<R>, at: u64, length: u64, ends: bool) {
        const PIECE: u64 = 4096;
        if self.headers == 2 {
            let (mut at, end) = (at, at + length);
            while at < end && self.setup.len() < SETUP {
                let bytes = source.upto(at, (end - at).min(PIECE) as usize);
                if bytes.is_empty() {
                    break;
                }
                self.setup.extend_from_slice(bytes);
                at += bytes.len() as u64;
            }
        }
        if ends {
            self.headers += 1;
        }
        if self.headers == 3 {
            self.modes = modes(&self.setup);
            self.setup = Vec::new();
        }
    }

    /// Samples of the packet that begins with this byte: half of it overlaps with half of the one before.
    fn samples(&mut self, first: u8) -> u32 {
        let Some(modes) = &self.modes else { return 0 };
        if first & 1 != 0 {
            return 0;
        }
        let bits = usize::BITS - (modes.len() - 1).leading_zeros();
        let mode = usize::from(first >> 1) & ((1 << bits) - 1);
        let Some(&long) = modes.get(mode) else { return 0 };
        let half = self.halves[usize::from(long)];
        self.last
            .replace(half)
            .map_or(0, |last| u32::midpoint(last, half))
    }
}

/// Whether each mode has long blocks, from the end of a setup header (Vorbis I, 4.2.4).
///
/// The modes are the last thing in it, and all before them is compressed too well to be skipped. They are found
/// backwards: 41 bits each, of which 32 are zero, after a count of six bits.
fn modes(setup: &[u8]) -> Option<Vec<bool>> {
    const MODE: usize = 41;
    let last = setup.iter().rposition(|byte| *byte != 0)?;
    let bit = |at: usize| setup[at / 8] >> (at % 8) & 1 != 0;
    let value = |at: usize, bits: usize| (0..bits).fold(0, |value, i| value | u32::from(bit(at + i)) << i);
    // The highest bit that is set is the framing flag, which stands after the modes.
    let end = last * 8 + 7 - setup[last].leading_zeros() as usize;
    let mut found = None;
    for count in 1..=64 {
        let Some(start) = end.checked_sub(count * MODE).filter(|start| *start >= 6 + 56) else {
            break;
        };
        // The flag, the window's type and the transform's, which are zero, and the mapping.
        if value(start + 1, 32) != 0 || value(start + 33, 8) > 63 {
            break;
        }
        if value(start - 6, 6) as usize + 1 == count {
            found = Some((0..count).map(|mode| bit(start + mode * MODE)).collect());
        }
    }
    found
}

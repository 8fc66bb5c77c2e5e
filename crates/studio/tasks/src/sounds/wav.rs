//! WAV files, whose samples are changed where they are.

use std::ops::Range;

use atelier_sound::file::Audio;

/// A WAV file with integers of 16, 24 or 32 bits, or floating point numbers of 32 bits.
pub(super) struct Wav<'a> {
    file: &'a [u8],
    pub(super) data: Range<usize>,
    rate: u32,
    channels: usize,
    depth: Depth,
}

#[derive(Clone, Copy)]
enum Depth {
    /// Bytes of an integer.
    Integer(usize),
    Float,
}

impl Depth {
    fn bytes(self) -> usize {
        match self {
            Self::Integer(bytes) => bytes,
            Self::Float => 4,
        }
    }
}

const INTEGER: u16 = 1;
const FLOAT: u16 = 3;
const EXTENSIBLE: u16 = 0xfffe;
const RATES: Range<u32> = 8_000..192_001;
const MOST_CHANNELS: usize = 8;
/// Samples of all channels together, as many as the decoder of other formats accepts.
const MOST_SAMPLES: usize = 600 * 2 * 96_000;

impl<'a> Wav<'a> {
    /// `None` for any other file.
    pub(super) fn of(file: &'a [u8]) -> Option<Self> {
        if !file.starts_with(b"RIFF") || file.get(8..12)? != b"WAVE" {
            return None;
        }
        let (mut at, mut format, mut data) = (12, None, None);
        while let Some(header) = file.get(at..at + 8) {
            let length = number(&header[4..]) as usize;
            let body = at + 8..(at + 8).checked_add(length)?.min(file.len());
            match &header[..4] {
                b"fmt " => format = Some(file.get(body.clone())?),
                b"data" => data = Some(body.clone()),
                _ => {}
            }
            at = body.end + length % 2;
        }
        let (format, data) = (format.filter(|format| format.len() >= 16)?, data?);
        let short = |at: usize| u16::from_le_bytes([format[at], format[at + 1]]);
        let kind = match short(0) {
            EXTENSIBLE if format.len() >= 26 => short(24),
            kind => kind,
        };
        let depth = match (kind, short(14)) {
            (INTEGER, bits @ (16 | 24 | 32)) => Depth::Integer(usize::from(bits / 8)),
            (FLOAT, 32) => Depth::Float,
            _ => return None,
        };
        let (channels, rate) = (usize::from(short(2)), number(&format[4..]));
        let fits = (1..=MOST_CHANNELS).contains(&channels)
            && RATES.contains(&rate)
            && data.len() <= MOST_SAMPLES * depth.bytes()
            && usize::from(short(12)) == channels * depth.bytes();
        fits.then_some(Self {
            file,
            data,
            rate,
            channels,
            depth,
        })
    }

    pub(super) fn audio(&self) -> Audio {
        let width = self.depth.bytes();
        let frames = self.file[self.data.clone()].chunks_exact(width * self.channels);
        let mut channels = vec![Vec::with_capacity(frames.len()); self.channels];
        for frame in frames {
            for (channel, bytes) in channels.iter_mut().zip(frame.chunks_exact(width)) {
                channel.push(match self.depth {
                    Depth::Integer(_) => (integer(bytes) as f64 / full(width)) as f32,
                    // A file may hold anything.
                    Depth::Float => Some(float(bytes))
                        .filter(|x| x.is_finite())
                        .unwrap_or_default()
                        .clamp(-8.0, 8.0),
                });
            }
        }
        Audio {
            rate: self.rate,
            channels,
        }
    }

    /// The file with what `after` adds to `before`.
    pub(super) fn with(&self, before: &Audio, after: &Audio) -> Vec<u8> {
        let mut file = self.file.to_vec();
        let width = self.depth.bytes();
        let frames = file[self.data.clone()].chunks_exact_mut(width * self.channels);
        for (number, frame) in frames.enumerate() {
            for (channel, bytes) in frame.chunks_exact_mut(width).enumerate() {
                let change =
                    f64::from(after.channels[channel][number]) - f64::from(before.channels[channel][number]);
                match self.depth {
                    Depth::Float => bytes.copy_from_slice(&(float(bytes) + change as f32).to_le_bytes()),
                    Depth::Integer(_) => {
                        let full = full(width);
                        let sum = (integer(bytes) as f64 + change * full).round();
                        let value = sum.clamp(-full, full - 1.0) as i64;
                        bytes.copy_from_slice(&value.to_le_bytes()[..width]);
                    }
                }
            }
        }
        file
    }
}

/// The number of full scale for integers of this many bytes.
fn full(bytes: usize) -> f64 {
    2_f64.powi(8 * bytes as i32 - 1)
}

fn number(bytes: &[u8]) -> u32 {
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}

fn float(bytes: &[u8]) -> f32 {
    f32::from_bits(number(bytes))
}

/// A signed integer of two to four bytes.
fn integer(bytes: &[u8]) -> i64 {
    let unsigned = bytes
        .iter()
        .rev()
        .fold(0_i64, |all, &byte| all << 8 | i64::from(byte));
    let unused = 64 - 8 * bytes.len();
    unsigned << unused >> unused
}

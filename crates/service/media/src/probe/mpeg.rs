//! Duration of MP3 and raw AAC, after any ID3 tags: their frames are counted.
//! An encoder's own count is used only if the frames agree with it.

use std::io::{Read, Seek};

use atelier_domain::MediaType;

use super::{Found, flac, settled};
use crate::sniff::{MpegFrame, adts_frame, id3_length, mpeg_frame};
use crate::source::Source;

/// Tags in a row; two happen.
const TAGS: usize = 8;

/// Reads what was taken for an MP3. Behind a long tag there may be something else.
pub(super) fn mp3<R: Read + Seek>(source: &mut Source<R>, found: &mut Found) {
    let start = after_tags(source);
    if source.upto(start, 4) == b"fLaC" {
        found.media_type = MediaType::Flac;
        found.duration = flac::flac(source, start);
    } else if adts_frame(source.upto(start, 7)).is_some() {
        found.media_type = MediaType::Aac;
        found.duration = count_adts(source, start);
    } else {
        found.duration = count_mp3(source, start);
    }
}

pub(super) fn aac<R: Read + Seek>(source: &mut Source<R>) -> Option<f64> {
    let start = after_tags(source);
    count_adts(source, start)
}

/// Returns the position after the ID3 tags.
pub(crate) fn after_tags<R: Read + Seek>(source: &mut Source<R>) -> u64 {
    let mut at = 0;
    for _ in 0..TAGS {
        match id3_length(source.upto(at, 10)) {
            Some(length) => at += length as u64,
            None => break,
        }
    }
    at
}

/// One frame: its length in bytes and its samples, of one channel.
#[derive(Debug, Clone, Copy)]
struct Frame {
    length: usize,
    samples: u32,
    rate: u32,
}

impl Frame {
    fn seconds(self) -> f64 {
        f64::from(self.samples) / f64::from(self.rate)
    }

    /// The layer III frame at the start of `bytes`.
    fn mp3(bytes: &[u8]) -> Option<Self> {
        let frame = mpeg_frame(bytes)?;
        Some(Self {
            length: frame.length,
            samples: frame.samples,
            rate: frame.sample_rate,
        })
    }

    /// The ADTS frame at the start of `bytes`.
    fn adts(bytes: &[u8]) -> Option<Self> {
        const RATES: [u32; 13] = [
            96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000,
            7_350,
        ];
        let length = adts_frame(bytes)?;
        Some(Self {
            length,
            // A frame holds one to four blocks of 1,024 samples.
            samples: 1024 * (1 + u32::from(*bytes.get(6)? & 3)),
            rate: *RATES.get(usize::from(bytes.get(2)? >> 2 & 0xf))?,
        })
    }
}

/// Frames found one after the other. Bytes between them are passed over, as decoders do.
struct Frames {
    /// How a frame is read, and how many bytes that takes.
    read: fn(&[u8]) -> Option<Frame>,
    header: usize,
    at: u64,
    /// Whether the last frame ended at `at`: then one header is proof enough.
    in_step: bool,
}

impl Frames {
    fn mp3(at: u64) -> Self {
        Self {
            read: Frame::mp3,
            header: 4,
            at,
            in_step: false,
        }
    }

    fn adts(at: u64) -> Self {
        Self {
            read: Frame::adts,
            header: 7,
            ..Self::mp3(at)
        }
    }

    /// Returns the start of the next frame, and its header.
    fn next<R: Read + Seek>(&mut self, source: &mut Source<R>) -> Option<(u64, Frame)> {
        loop {
            let at = self.at;
            if let Some(frame) = (self.read)(source.upto(at, self.header))
                && (self.in_step || self.is_followed(source, at, frame))
            {
                self.at += frame.length as u64;
                self.in_step = true;
                return Some((at, frame));
            }
            self.in_step = false;
            self.at = sync_byte(source, at + 1)?;
        }
    }

    /// Whether another frame of the same rate follows, or the end of the file.
    fn is_followed<R: Read + Seek>(&self, source: &mut Source<R>, at: u64, frame: Frame) -> bool {
        let next = at + frame.length as u64;
        let end = source.size();
        next + self.header as u64 > end
            || (self.read)(source.upto(next, self.header)).is_some_and(|next| next.rate == frame.rate)
    }
}

/// Returns the position of the next byte that may begin a frame.
fn sync_byte<R: Read + Seek>(source: &mut Source<R>, mut at: u64) -> Option<u64> {
    loop {
        let bytes = source.window(at);
        if let Some(found) = memchr::memchr(0xff, bytes) {
            return Some(at + found as u64);
        }
        if bytes.is_empty() {
            return None;
        }
        at += bytes.len() as u64;
    }
}

fn count_adts<R: Read + Seek>(source: &mut Source<R>, start: u64) -> Option<f64> {
    let mut frames = Frames::adts(start);
    let mut seconds = 0.0;
    while let Some((_, frame)) = frames.next(source) {
        seconds += frame.seconds();
    }
    (seconds > 0.0).then_some(seconds)
}

fn count_mp3<R: Read + Seek>(source: &mut Source<R>, start: u64) -> Option<f64> {
    let mut frames = Frames::mp3(start);
    let (at, first) = frames.next(source)?;
    let header = mpeg_frame(source.upto(at, 4))?;
    let tag = Announced::read(source, at, &header);
    // The frame that holds an encoder's count holds no sound.
    let mut seconds = if tag.is_some() { 0.0 } else { first.seconds() };
    while let Some((_, frame)) = frames.next(source) {
        seconds += frame.seconds();
    }
    settled(tag.and_then(|tag| tag.seconds(first)), seconds)
}

/// An encoder's own count of frames.
#[derive(Debug, Clone, Copy)]
struct Announced {
    frames: Option<u32>,
    /// Samples of silence that the encoder says it has added.
    added: u64,
}

impl Announced {
    /// Reads the Xing, Info or VBRI header of the frame at `at`.
    fn read<R: Read + Seek>(source: &mut Source<R>, at: u64, first: &MpegFrame) -> Option<Self> {
        let xing = at + 4 + first.side_info as u64;
        let vbri = at + 4 + 32;
        if matches!(source.upto(xing, 4), b"Xing" | b"Info") {
            let flags = source.be32(xing + 4)?;
            // Only behind a complete header is the encoder's own part where it is looked for.
            let added = if flags & 0xf == 0xf {
                added_silence(source, xing + 120)
            } else {
                None
            };
            let frames = if flags & 1 == 0 {
                None
            } else {
                source.be32(xing + 8)
            };
            return Some(Self {
                frames,
                added: added.unwrap_or(0),
            });
        }
        (source.upto(vbri, 4) == b"VBRI").then(|| Self {
            frames: source.be32(vbri + 14),
            added: 0,
        })
    }

    fn seconds(self, first: Frame) -> Option<f64> {
        let samples = u64::from(self.frames?) * u64::from(first.samples);
        (samples > self.added).then(|| (samples - self.added) as f64 / f64::from(first.rate))
    }
}

/// Samples before and after the sound: two numbers of 12 bits in the tag that LAME introduced.
fn added_silence<R: Read + Seek>(source: &mut Source<R>, tag: u64) -> Option<u64> {
    matches!(source.upto(tag, 4), b"LAME" | b"Lavc" | b"Lavf").then_some(())?;
    let [a, b, c] = source.array(tag + 21)?;
    let both = u32::from_be_bytes([0, a, b, c]);
    Some(u64::from(both >> 12) + u64::from(both & 0xfff))
}

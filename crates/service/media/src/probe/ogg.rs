//! Duration of Ogg: the packets of its sound streams are counted, page by page (RFC 3533).
//! The position that a page claims (its granule) is used if the packets agree with it, or cannot be counted.

mod packets;

use std::io::{Read, Seek};

use self::packets::Codec;
use super::TOLERANCE;
use crate::source::Source;

/// Streams that lie side by side; real files have one or two.
const STREAMS: usize = 16;

/// One stream of sound.
struct Stream {
    serial: [u8; 4],
    codec: Codec,
    /// The furthest position that a page claims, in samples.
    granule: u64,
}

/// The head of a page.
struct Page {
    serial: [u8; 4],
    granule: u64,
    begins_stream: bool,
    continues_packet: bool,
    lacing: Vec<u8>,
    /// The start of the packets.
    body: u64,
}

/// Adds up the chained parts of the file: each begins with new streams, and lasts as long as its longest one.
pub(super) fn ogg<R: Read + Seek>(source: &mut Source<R>) -> Option<f64> {
    let mut total = 0.0;
    let mut streams: Vec<Stream> = Vec::new();
    let mut in_heads = true;
    let mut at = 0;
    while let Some(found) = source.find(at, b"OggS\0") {
        let Some(page) = Page::read(source, found) else {
            at = found + 4;
            continue;
        };
        if page.begins_stream {
            if !in_heads {
                total += longest(&streams);
                streams.clear();
            }
            in_heads = true;
            if streams.len() == STREAMS {
                return None;
            }
            if let Some(codec) = Codec::read(source, page.body) {
                streams.push(Stream {
                    serial: page.serial,
                    codec,
                    granule: 0,
                });
            }
        } else {
            in_heads = false;
        }
        if let Some(stream) = streams.iter_mut().find(|stream| stream.serial == page.serial) {
            stream.take(source, &page);
        }
        at = page.end();
    }
    total += longest(&streams);
    (total > 0.0).then_some(total)
}

fn longest(streams: &[Stream]) -> f64 {
    streams.iter().map(Stream::seconds).fold(0.0, f64::max)
}

impl Stream {
    fn take<R: Read + Seek>(&mut self, source: &mut Source<R>, page: &Page) {
        // All ones: no packet ends on this page.
        if page.granule != u64::MAX {
            self.granule = self.granule.max(page.granule);
        }
        let mut at = page.body;
        let mut continued = page.continues_packet;
        for packet in page.lacing.split_inclusive(|length| *length < 255) {
            let length = packet.iter().map(|length| u64::from(*length)).sum();
            let ends = packet.last().is_some_and(|length| *length < 255);
            self.codec.packet(source, at, length, continued, ends);
            at += length;
            continued = false;
        }
    }

    fn seconds(&self) -> f64 {
        let rate = f64::from(self.codec.rate);
        let claimed = self.granule.saturating_sub(self.codec.skipped) as f64 / rate;
        match self.codec.counted() {
            Some(samples) => {
                let counted = samples.saturating_sub(self.codec.skipped) as f64 / rate;
                if (claimed - counted).abs() <= TOLERANCE {
                    claimed
                } else {
                    counted
                }
            }
            None => claimed,
        }
    }
}

impl Page {
    fn read<R: Read + Seek>(source: &mut Source<R>, at: u64) -> Option<Self> {
        let head: [u8; 27] = source.array(at)?;
        let lacing = source.slice(at + 27, usize::from(head[26]))?.to_vec();
        Some(Self {
            serial: [head[14], head[15], head[16], head[17]],
            granule: source.le64(at + 6)?,
            begins_stream: head[5] & 2 != 0,
            continues_packet: head[5] & 1 != 0,
            body: at + 27 + lacing.len() as u64,
            lacing,
        })
    }

    fn end(&self) -> u64 {
        self.body + self.lacing.iter().map(|length| u64::from(*length)).sum::<u64>()
    }
}

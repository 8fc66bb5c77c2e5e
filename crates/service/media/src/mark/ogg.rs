//! Ogg (RFC 3533) with Opus, Vorbis or FLAC: pages. The comments are the second packet of the stream. They and the
//! headers after them are written into as many pages as before, so that no other page changes.

use std::io::{Read, Seek};

use super::{Mark, Plan, Planned, pieces::Pieces, vorbis};
use crate::source::Source;

/// The largest headers accepted; they may contain pictures.
const HEADERS: usize = 16 << 20;
/// Segments in a page, and bytes in a segment.
const SEGMENTS: usize = 255;
const SEGMENT: usize = 255;
/// The granule of a page in which no packet ends.
const NOWHERE: u64 = u64::MAX;

const CONTINUED: u8 = 1;
const FIRST: u8 = 2;

struct Page {
    flags: u8,
    serial: u32,
    number: u32,
    lacing: Vec<u8>,
    body: u64,
    end: u64,
}

fn page<R: Read + Seek>(source: &mut Source<R>, at: u64) -> Option<Page> {
    if source.array::<5>(at)? != *b"OggS\0" {
        return None;
    }
    let flags = source.u8(at + 5)?;
    let (serial, number) = (source.le32(at + 14)?, source.le32(at + 18)?);
    let count = usize::from(source.u8(at + 26)?);
    let lacing = source.slice(at + 27, count)?.to_vec();
    let body = at + 27 + count as u64;
    let end = body + lacing.iter().map(|&length| u64::from(length)).sum::<u64>();
    (end <= source.size()).then_some(Page {
        flags,
        serial,
        number,
        lacing,
        body,
        end,
    })
}

pub(super) fn plan<R: Read + Seek>(source: &mut Source<R>, mark: &Mark) -> Planned {
    let first = page(source, 0)?;
    let description = source.upto(first.body, 16).to_vec();
    let (before, others) = if description.starts_with(b"OpusHead") {
        (&b"OpusTags"[..], 0)
    } else if description.starts_with(b"\x01vorbis") {
        (&b"\x03vorbis"[..], 1)
    } else if description.starts_with(b"\x7fFLAC") {
        // The number of blocks after this one.
        let blocks = u16::from_be_bytes(description.get(7..9)?.try_into().ok()?);
        (&b""[..], usize::from(blocks).checked_sub(1)?)
    } else {
        return None;
    };
    let (mut packets, pages, end) = headers(source, &first, 1 + others)?;
    let comments = packets.first()?;
    packets[0] = if before.is_empty() {
        // A FLAC block of comments, with its header.
        let block = vorbis::comments(b"atelier", mark);
        let last = comments.first()? & 0x80;
        [&[last | 4, 0][..], &(block.len() as u16).to_be_bytes(), &block].concat()
    } else {
        let said = comments.strip_prefix(before)?;
        let mut packet = [before, &vorbis::comments(vendor(said)?, mark)].concat();
        if before == b"OpusTags" {
            // Zeros are padding here (RFC 7845). They fill the pages that a large comment leaves.
            packet.resize(packet.len().max(pages * SEGMENT), 0);
        } else {
            // The framing bit after Vorbis comments.
            packet.push(1);
        }
        packet
    };
    let mut pieces = Pieces::default();
    pieces.keep(0, first.end);
    for page in paged(&first, &packets, pages)? {
        pieces.put(page);
    }
    pieces.keep(end, source.size());
    Some(Plan::Pieces(pieces))
}

/// The name of the encoder, by which decoders know its quirks.
fn vendor(comments: &[u8]) -> Option<&[u8]> {
    let length = u32::from_le_bytes(comments.first_chunk().copied()?) as usize;
    let vendor = comments.get(4..4 + length)?;
    Some(if length <= SEGMENT { vendor } else { b"atelier" })
}

/// The header packets after the first page, how many pages they take, and where those pages end.
fn headers<R: Read + Seek>(
    source: &mut Source<R>,
    first: &Page,
    count: usize,
) -> Option<(Vec<Vec<u8>>, usize, u64)> {
    let mut packets = Vec::new();
    let mut packet = Vec::new();
    let (mut at, mut pages, mut taken) = (first.end, 0, 0);
    while packets.len() < count || !packet.is_empty() {
        let page = page(source, at)?;
        // Several streams: not audio alone.
        if page.serial != first.serial || page.flags & FIRST != 0 {
            return None;
        }
        let mut from = page.body;
        for &length in &page.lacing {
            packet.extend(source.slice(from, length.into())?);
            from += u64::from(length);
            if usize::from(length) < SEGMENT {
                packets.push(std::mem::take(&mut packet));
            }
        }
        taken += page.lacing.len() * SEGMENT;
        if taken > HEADERS {
            return None;
        }
        at = page.end;
        pages += 1;
    }
    (packets.len() == count).then_some((packets, pages, at))
}

/// Writes packets into exactly this many pages, which follow the first.
fn paged(first: &Page, packets: &[Vec<u8>], count: usize) -> Option<Vec<Vec<u8>>> {
    let lacing: Vec<u8> = packets
        .iter()
        .flat_map(|packet| {
            let whole = packet.len() / SEGMENT;
            std::iter::repeat_n(255, whole).chain([(packet.len() % SEGMENT) as u8])
        })
        .collect();
    if lacing.len() < count || lacing.len() > count * SEGMENTS {
        return None;
    }
    let bytes = packets.concat();
    let (mut segments, mut bytes) = (&lacing[..], &bytes[..]);
    let mut pages = Vec::new();
    let mut continues = false;
    for left in (1..=count).rev() {
        let (lacing, later) = segments.split_at(segments.len().div_ceil(left));
        let length = lacing.iter().map(|&length| usize::from(length)).sum();
        let (body, rest) = bytes.split_at(length);
        (segments, bytes) = (later, rest);
        let ends_packet = lacing.iter().any(|&length| usize::from(length) < SEGMENT);
        let mut page = b"OggS\0".to_vec();
        page.push(if continues { CONTINUED } else { 0 });
        page.extend(if ends_packet { 0 } else { NOWHERE }.to_le_bytes());
        page.extend(first.serial.to_le_bytes());
        page.extend(first.number.wrapping_add(1 + pages.len() as u32).to_le_bytes());
        page.extend([0; 4]);
        page.push(lacing.len() as u8);
        page.extend(lacing);
        page.extend(body);
        let sum = checksum(&page).to_le_bytes();
        page[22..26].copy_from_slice(&sum);
        pages.push(page);
        continues = lacing.last() == Some(&255);
    }
    Some(pages)
}

/// CRC-32 with the polynomial 04C11DB7, neither reflected nor inverted.
fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |sum, &byte| {
        (0..8).fold(sum ^ u32::from(byte) << 24, |sum, _| {
            sum << 1 ^ if sum >> 31 == 1 { 0x04c1_1db7 } else { 0 }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_the_format() {
        // The header page of an Opus stream, as ffmpeg writes it.
        assert_eq!(checksum(b""), 0);
        assert_eq!(checksum(b"123456789"), 0x89a1_897f);
    }
}

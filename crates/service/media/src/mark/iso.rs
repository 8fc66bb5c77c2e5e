//! ISO base media (MP4, MOV, M4A): boxes. The mark is a box of its own after everything that offsets point to. Old
//! metadata is overwritten in place, so nothing moves, and a file that plays while it loads still does (ISO/IEC
//! 14496-12, ISO 16684-3).

use std::io::{Read, Seek};

use super::{Mark, Plan, Planned, pieces::Pieces};
use crate::source::Source;

/// The box for XMP.
const XMP: [u8; 16] = [
    0xbe, 0x7a, 0xcf, 0xcb, 0x97, 0xa9, 0x42, 0xe8, 0x9c, 0x71, 0x99, 0x94, 0x91, 0xe3, 0xaf, 0xac,
];
/// The box for a C2PA manifest.
const C2PA: [u8; 16] = [
    0xd8, 0xfe, 0xc3, 0xd6, 0x1b, 0x0e, 0x48, 0x3c, 0x92, 0x97, 0x58, 0x28, 0x87, 0x7e, 0xc4, 0x81,
];
/// How many silent samples begin and end a recording: the only tag that affects playback.
const GAPLESS: &[u8] = b"iTunSMPB";

struct Part {
    kind: [u8; 4],
    at: u64,
    body: u64,
    end: u64,
    /// Its size says "to the end of the file".
    is_open: bool,
}

fn part<R: Read + Seek>(source: &mut Source<R>, at: u64, end: u64) -> Option<Part> {
    let length = source.be32(at)?;
    let kind = source.array(at + 4)?;
    let (header, length, is_open) = match length {
        0 => (8, end - at, true),
        1 => (16, u64::from_be_bytes(source.array(at + 8)?), false),
        length => (8, length.into(), false),
    };
    let part = Part {
        kind,
        at,
        body: at + header,
        end: at.checked_add(length)?,
        is_open,
    };
    (length >= header && part.end <= end).then_some(part)
}

pub(super) fn plan<R: Read + Seek>(source: &mut Source<R>, mark: &Mark) -> Planned {
    let mut parts = Vec::new();
    let mut at = 0;
    while at + 8 <= source.size() {
        let part = part(source, at, source.size())?;
        let id = source.array::<16>(part.body).unwrap_or_default();
        if &part.kind == b"uuid" && id == C2PA {
            return Some(Plan::Signed);
        }
        at = part.end;
        let is_xmp = &part.kind == b"uuid" && id == XMP;
        parts.push((part, is_xmp));
    }
    // No offset points behind the last of these.
    let moves = |part: &Part| matches!(&part.kind, b"uuid" | b"free" | b"skip" | b"mfra");
    let fixed = parts
        .iter()
        .rposition(|(part, _)| !moves(part))
        .map_or(0, |last| last + 1);
    let mut pieces = Pieces::default();
    for (part, is_xmp) in &parts[..fixed] {
        match &part.kind {
            b"moov" => {
                pieces.keep(part.at, part.body);
                within(source, part, &mut pieces)?;
            }
            b"meta" | b"udta" | b"free" | b"skip" => blank(part, &mut pieces),
            b"uuid" if *is_xmp => blank(part, &mut pieces),
            _ if part.is_open => close(part, &mut pieces)?,
            _ => pieces.keep(part.at, part.end),
        }
    }
    let packet = mark.xmp();
    pieces.put((24 + packet.len() as u32).to_be_bytes());
    pieces.put([b"uuid", &XMP[..], packet.as_bytes()].concat());
    // An index of fragments is found from the end.
    for (part, is_xmp) in &parts[fixed..] {
        if !is_xmp && !matches!(&part.kind, b"free" | b"skip") {
            close(part, &mut pieces)?;
        }
    }
    Some(Plan::Pieces(pieces))
}

/// A box with its size written out, because something follows it now.
fn close(part: &Part, pieces: &mut Pieces) -> Option<()> {
    if part.is_open {
        pieces.put(u32::try_from(part.end - part.at).ok()?.to_be_bytes());
        pieces.keep(part.at + 4, part.end);
    } else {
        pieces.keep(part.at, part.end);
    }
    Some(())
}

/// The contents of the movie box and of its track boxes.
fn within<R: Read + Seek>(source: &mut Source<R>, parent: &Part, pieces: &mut Pieces) -> Option<()> {
    let mut at = parent.body;
    while at + 8 <= parent.end {
        let part = part(source, at, parent.end)?;
        at = part.end;
        match &part.kind {
            b"trak" if &parent.kind == b"moov" => {
                pieces.keep(part.at, part.body);
                within(source, &part, pieces)?;
            }
            b"udta" | b"meta" if source.contains(part.body, part.end, GAPLESS) => {
                tags(source, &part, pieces)?;
            }
            b"udta" | b"meta" | b"free" | b"skip" => blank(&part, pieces),
            _ => pieces.keep(part.at, part.end),
        }
    }
    pieces.keep(at, parent.end);
    Some(())
}

/// Tags. Only the one that affects playback stays.
fn tags<R: Read + Seek>(source: &mut Source<R>, parent: &Part, pieces: &mut Pieces) -> Option<()> {
    // Four bytes of version come first, except in QuickTime files.
    if !source.enter() {
        return None;
    }
    let has_version = &parent.kind == b"meta" && &source.array::<4>(parent.body + 4)? != b"hdlr";
    let mut at = parent.body + if has_version { 4 } else { 0 };
    pieces.keep(parent.at, at);
    while at + 8 <= parent.end {
        let part = part(source, at, parent.end)?;
        at = part.end;
        match &part.kind {
            b"meta" | b"ilst" if part.kind != parent.kind => tags(source, &part, pieces)?,
            b"----" if source.contains(part.body, part.end, GAPLESS) => pieces.keep(part.at, part.end),
            b"hdlr" => pieces.keep(part.at, part.end),
            _ => blank(&part, pieces),
        }
    }
    pieces.keep(at, parent.end);
    source.leave();
    Some(())
}

/// Padding in place of a box.
fn blank(part: &Part, pieces: &mut Pieces) {
    pieces.keep(part.at, part.at + 4);
    pieces.put(*b"free");
    pieces.keep(part.at + 8, part.body);
    pieces.zeros(part.end - part.body);
}

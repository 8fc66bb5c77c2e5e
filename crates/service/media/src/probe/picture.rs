//! Picture sizes as shown: the sides are exchanged if the EXIF orientation asks for it.

use std::io::{Read, Seek};

use crate::source::Source;

/// Segments, chunks or blocks looked at before a picture counts as unreadable.
const PARTS: usize = 10_000;

type Size = Option<(u32, u32)>;

pub(super) fn png<R: Read + Seek>(source: &mut Source<R>) -> Size {
    if source.slice(12, 4)? != b"IHDR" {
        return None;
    }
    let size = (source.be32(16)?, source.be32(20)?);
    let mut turned = false;
    let mut at = 8;
    for _ in 0..PARTS {
        // Chunks: length, type, data, checksum.
        let (Some(length), Some(kind)) = (source.be32(at), source.array::<4>(at + 4)) else {
            break;
        };
        match &kind {
            b"eXIf" => {
                turned = exif_turns(source, at + 8, u64::from(length));
                break;
            }
            b"IDAT" | b"IEND" => break,
            _ => at += 12 + u64::from(length),
        }
    }
    Some(shown(size, turned))
}

pub(super) fn gif<R: Read + Seek>(source: &mut Source<R>) -> Size {
    Some((source.le16(6)?.into(), source.le16(8)?.into()))
}

pub(super) fn jpeg<R: Read + Seek>(source: &mut Source<R>) -> Size {
    let mut turned = false;
    let mut at = 2;
    for _ in 0..PARTS {
        let [0xff, marker] = source.array::<2>(at)? else {
            return None;
        };
        match marker {
            // Fill bytes; markers that stand alone.
            0xff => at += 1,
            0x01 | 0xd0..=0xd8 => at += 2,
            // The picture's data, or its end, before a frame header.
            0xd9 | 0xda => return None,
            // Frame headers: C4, C8 and CC are tables.
            0xc0..=0xc3 | 0xc5..=0xc7 | 0xc9..=0xcb | 0xcd..=0xcf => {
                let height = source.be16(at + 5)?.into();
                let width = source.be16(at + 7)?.into();
                return Some(shown((width, height), turned));
            }
            _ => {
                let length = u64::from(source.be16(at + 2)?);
                if marker == 0xe1 && source.slice(at + 4, 6).is_some_and(|tag| tag == b"Exif\0\0") {
                    turned = exif_turns(source, at + 10, length.saturating_sub(8));
                }
                at += 2 + length.max(2);
            }
        }
    }
    None
}

pub(crate) fn webp<R: Read + Seek>(source: &mut Source<R>) -> Size {
    match &source.array::<4>(12)? {
        // A key frame's header: frame tag, start code, then 14 bits for each side.
        b"VP8 " => {
            (source.slice(23, 3)? == [0x9d, 0x01, 0x2a]).then_some(())?;
            Some((
                u32::from(source.le16(26)? & 0x3fff),
                u32::from(source.le16(28)? & 0x3fff),
            ))
        }
        // After the signature byte, 14 bits for each side minus one.
        b"VP8L" => {
            (source.u8(20)? == 0x2f).then_some(())?;
            let bits = source.le32(21)?;
            Some(((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1))
        }
        b"VP8X" => {
            let flags = source.u8(20)?;
            let side = |[a, b, c]: [u8; 3]| u32::from_le_bytes([a, b, c, 0]) + 1;
            let size = (side(source.array(24)?), side(source.array(27)?));
            let turned = flags & 0x08 != 0 && webp_exif_turns(source).unwrap_or(false);
            Some(shown(size, turned))
        }
        _ => None,
    }
}

/// Looks for the `EXIF` chunk, which comes after the picture.
fn webp_exif_turns<R: Read + Seek>(source: &mut Source<R>) -> Option<bool> {
    let mut at = 12;
    for _ in 0..PARTS {
        let kind = source.array::<4>(at)?;
        let length = u64::from(source.le32(at + 4)?);
        if &kind == b"EXIF" {
            // Some writers keep JPEG's prefix.
            let prefix = if source.slice(at + 8, 6).is_some_and(|tag| tag == b"Exif\0\0") {
                6
            } else {
                0
            };
            return Some(exif_turns(source, at + 8 + prefix, length.saturating_sub(prefix)));
        }
        at += 8 + length + (length & 1);
    }
    None
}

/// Whether the EXIF data at `at` asks for a quarter turn, that is for exchanged sides.
fn exif_turns<R: Read + Seek>(source: &mut Source<R>, at: u64, length: u64) -> bool {
    exif_orientation(source, at, length).is_some_and(|orientation| (5..=8).contains(&orientation))
}

/// The orientation tag in the first directory of a TIFF structure.
pub(crate) fn exif_orientation<R: Read + Seek>(source: &mut Source<R>, at: u64, length: u64) -> Option<u16> {
    const ORIENTATION: u16 = 0x0112;
    const SHORT: u16 = 3;
    let big = match &source.array::<4>(at)? {
        b"MM\0*" => true,
        b"II*\0" => false,
        _ => return None,
    };
    let short = |source: &mut Source<R>, at| if big { source.be16(at) } else { source.le16(at) };
    let long = |source: &mut Source<R>, at| if big { source.be32(at) } else { source.le32(at) };
    let directory = u64::from(long(source, at + 4)?);
    let entries = u64::from(short(source, at + directory)?);
    for entry in 0..entries {
        let offset = directory + 2 + entry * 12;
        if offset + 12 > length {
            return None;
        }
        if short(source, at + offset)? == ORIENTATION && short(source, at + offset + 2)? == SHORT {
            return short(source, at + offset + 8);
        }
    }
    None
}

fn shown((width, height): (u32, u32), turned: bool) -> (u32, u32) {
    if turned { (height, width) } else { (width, height) }
}

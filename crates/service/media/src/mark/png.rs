//! PNG (ISO/IEC 15948): chunks. Chunks that affect how the picture looks stay; all text is removed.

use std::io::{Read, Seek};

use super::{Mark, Plan, Planned, exif, pieces::Pieces};
use crate::{probe::picture::exif_orientation, source::Source};

/// Ancillary chunks that stay. Chunks with a capital first letter are the picture itself.
const KEPT: [&[u8; 4]; 18] = [
    b"acTL", b"bKGD", b"cHRM", b"cICP", b"cLLI", b"cLLi", b"fcTL", b"fdAT", b"gAMA", b"hIST", b"iCCP",
    b"mDCV", b"mDCv", b"pHYs", b"sBIT", b"sPLT", b"sRGB", b"tRNS",
];

pub(super) fn plan<R: Read + Seek>(source: &mut Source<R>, mark: &Mark) -> Planned {
    let mut rest = Pieces::default();
    let mut orientation = None;
    let header = 8 + 12 + 13;
    let mut at = header;
    loop {
        let length = u64::from(source.be32(at)?);
        let kind = source.array::<4>(at + 4)?;
        let end = at + 12 + length;
        if end > source.size() {
            return None;
        }
        match &kind {
            // A C2PA manifest.
            b"caBX" => return Some(Plan::Signed),
            b"eXIf" => orientation = exif_orientation(source, at + 8, length),
            kind if kind[0].is_ascii_uppercase() || KEPT.contains(&kind) => rest.keep(at, end),
            _ => {}
        }
        at = end;
        if &kind == b"IEND" {
            break;
        }
    }
    let mut pieces = Pieces::default();
    pieces.keep(0, header);
    pieces.put(chunk(*b"tEXt", [b"Software\0", mark.program.as_bytes()].concat()));
    // Not compressed, without a language and a translated keyword.
    let text = [b"XML:com.adobe.xmp\0\0\0\0\0", mark.xmp().as_bytes()].concat();
    pieces.put(chunk(*b"iTXt", text));
    if let Some(exif) = exif(orientation) {
        pieces.put(chunk(*b"eXIf", exif));
    }
    pieces.append(rest);
    Some(Plan::Pieces(pieces))
}

fn chunk(kind: [u8; 4], data: Vec<u8>) -> Vec<u8> {
    let mut sum = crc32fast::Hasher::new();
    sum.update(&kind);
    sum.update(&data);
    let mut chunk = (data.len() as u32).to_be_bytes().to_vec();
    chunk.extend(kind);
    chunk.extend(data);
    chunk.extend(sum.finalize().to_be_bytes());
    chunk
}

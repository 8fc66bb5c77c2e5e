//! RIFF: WebP and WAV. Chunks with a name and a length, padded to even lengths.

use std::io::{Read, Seek};

use super::{Mark, Plan, Planned, exif, pieces::Pieces};
use crate::{
    probe::picture::{self, exif_orientation},
    source::Source,
};

/// WAV chunks that hold the sound, its format, and its cue points and loops.
const HEARD: [&[u8; 4]; 7] = [b"cue ", b"data", b"fact", b"fmt ", b"inst", b"plst", b"smpl"];
/// A C2PA manifest.
const SIGNED: &[u8; 4] = b"C2PA";

/// Feature flags of a WebP.
const PROFILE: u8 = 0x20;
const ALPHA: u8 = 0x10;
const EXIF: u8 = 0x08;
const XMP: u8 = 0x04;
const FILM: u8 = 0x02;

struct Chunk {
    kind: [u8; 4],
    at: u64,
    length: u64,
}

impl Chunk {
    fn body(&self) -> u64 {
        self.at + 8
    }

    /// With its padding, which may be missing at the end of the file.
    fn end(&self, size: u64) -> u64 {
        (self.body() + self.length + (self.length & 1)).min(size)
    }
}

fn chunk_at<R: Read + Seek>(source: &mut Source<R>, at: u64) -> Option<Chunk> {
    Some(Chunk {
        kind: source.array(at)?,
        at,
        length: source.le32(at + 4)?.into(),
    })
}

fn chunk(kind: [u8; 4], data: &[u8]) -> Vec<u8> {
    let mut chunk = kind.to_vec();
    chunk.extend((data.len() as u32).to_le_bytes());
    chunk.extend(data);
    chunk.resize(chunk.len().next_multiple_of(2), 0);
    chunk
}

fn file(form: [u8; 4], body: Pieces) -> Planned {
    let length = u32::try_from(4 + body.length()).ok()?;
    let mut pieces = Pieces::default();
    pieces.put([*b"RIFF", length.to_le_bytes(), form].concat());
    pieces.append(body);
    Some(Plan::Pieces(pieces))
}

pub(super) fn plan_webp<R: Read + Seek>(source: &mut Source<R>, mark: &Mark) -> Planned {
    let size = source.size().min(8 + u64::from(source.le32(4)?));
    let mut kept = Pieces::default();
    let (mut flags, mut orientation) = (XMP, None);
    let mut at = 12;
    while at + 8 <= size {
        let chunk = chunk_at(source, at)?;
        if chunk.body() + chunk.length > source.size() {
            return None;
        }
        at = chunk.end(source.size());
        match &chunk.kind {
            SIGNED => return Some(Plan::Signed),
            b"VP8X" => flags |= source.u8(chunk.body())? & (ALPHA | FILM),
            b"VP8L" => {
                flags |= if source.u8(chunk.body() + 4)? & 0x10 == 0 {
                    0
                } else {
                    ALPHA
                }
            }
            b"ALPH" => flags |= ALPHA,
            b"ICCP" => flags |= PROFILE,
            b"EXIF" => {
                // Some writers keep the prefix that JPEG uses.
                let prefix = if source.upto(chunk.body(), 6) == b"Exif\0\0" {
                    6
                } else {
                    0
                };
                let length = chunk.length.saturating_sub(prefix);
                orientation = exif_orientation(source, chunk.body() + prefix, length);
            }
            _ => {}
        }
        if matches!(
            &chunk.kind,
            b"VP8 " | b"VP8L" | b"ALPH" | b"ICCP" | b"ANIM" | b"ANMF"
        ) {
            kept.keep(chunk.at, at);
        }
    }
    let exif = exif(orientation);
    flags |= if exif.is_some() { EXIF } else { 0 };
    let (width, height) = canvas(source)?;
    let mut features = vec![flags, 0, 0, 0];
    for side in [width, height] {
        features.extend(&side.checked_sub(1)?.to_le_bytes()[..3]);
    }
    let mut body = Pieces::default();
    body.put(chunk(*b"VP8X", &features));
    body.append(kept);
    if let Some(exif) = exif {
        body.put(chunk(*b"EXIF", &exif));
    }
    body.put(chunk(*b"XMP ", mark.xmp().as_bytes()));
    file(*b"WEBP", body)
}

/// The sides of the picture, before any rotation.
fn canvas<R: Read + Seek>(source: &mut Source<R>) -> Option<(u32, u32)> {
    if &source.array::<4>(12)? != b"VP8X" {
        return picture::webp(source);
    }
    let side = |[a, b, c]: [u8; 3]| u32::from_le_bytes([a, b, c, 0]) + 1;
    Some((side(source.array(24)?), side(source.array(27)?)))
}

pub(super) fn plan_wav<R: Read + Seek>(source: &mut Source<R>, mark: &Mark) -> Planned {
    let mut body = Pieces::default();
    let mut at = 12;
    while at + 8 <= source.size() {
        let chunk = chunk_at(source, at)?;
        let is_whole = chunk.body() + chunk.length <= source.size();
        at = chunk.end(source.size());
        match &chunk.kind {
            SIGNED => return Some(Plan::Signed),
            // A streaming writer did not know the length: the samples go on to the end, and the header says so now.
            b"data" if !is_whole => {
                let length = u32::try_from(source.size() - chunk.body()).ok()?;
                body.put([*b"data", length.to_le_bytes()].concat());
                body.keep(chunk.body(), at);
                body.zeros(u64::from(length & 1));
            }
            _ if !is_whole => return None,
            kind if HEARD.contains(&kind) => {
                body.keep(chunk.at, at);
                body.zeros(chunk.body() + chunk.length + (chunk.length & 1) - at);
            }
            _ => {}
        }
    }
    let text = |name: &[u8; 4], text: &str| chunk(*name, &[text.as_bytes(), b"\0"].concat());
    let info = [
        b"INFO".to_vec(),
        text(b"ICMT", "AI-generated"),
        text(b"ISFT", &mark.program),
    ];
    body.put(chunk(*b"LIST", &info.concat()));
    body.put(chunk(*b"_PMX", mark.xmp().as_bytes()));
    file(*b"WAVE", body)
}

//! MP3 and AAC: audio frames between tags. The tags at both ends are removed, and one of ours (ID3v2.4) is put before
//! the first frame.

use std::io::{Read, Seek};

use super::{Mark, Plan, Planned, pieces::Pieces};
use crate::{probe::mpeg::after_tags, source::Source};

pub(super) fn plan<R: Read + Seek>(source: &mut Source<R>, mark: &Mark) -> Planned {
    let Some((start, end)) = untagged(source) else {
        return Some(Plan::Signed);
    };
    if start >= end {
        return None;
    }
    let mut pieces = Pieces::default();
    pieces.put(tag(mark)?);
    pieces.keep(start, end);
    Some(Plan::Pieces(pieces))
}

/// Returns the start and the end of the audio, or `None` if a tag holds a C2PA manifest.
pub(super) fn untagged<R: Read + Seek>(source: &mut Source<R>) -> Option<(u64, u64)> {
    let start = after_tags(source).min(source.size());
    if source.contains(0, start, b"application/x-c2pa-manifest-store") {
        return None;
    }
    let mut end = source.size();
    // ID3v1 is last, and an APE tag comes before it.
    if end
        .checked_sub(128)
        .is_some_and(|at| at >= start && source.upto(at, 3) == b"TAG")
    {
        end -= 128;
    }
    if let Some(footer) = end.checked_sub(32).filter(|at| *at >= start)
        && source.upto(footer, 8) == b"APETAGEX"
        && let (Some(length), Some(flags)) = (source.le32(footer + 12), source.le32(footer + 20))
    {
        // The length includes the footer. The flags say whether there is a header.
        let header = if flags >> 31 == 1 { 32 } else { 0 };
        let begin = end.checked_sub(u64::from(length) + header);
        end = begin.filter(|at| *at >= start).unwrap_or(end);
    }
    Some((start, end))
}

fn tag(mark: &Mark) -> Option<Vec<u8>> {
    let mut frames = Vec::new();
    for (name, value) in mark.tags() {
        match name {
            "COMMENT" => frame(&mut frames, *b"COMM", format!("\u{3}eng\0{value}").as_bytes())?,
            "SOFTWARE" => frame(&mut frames, *b"TSSE", format!("\u{3}{value}").as_bytes())?,
            name => frame(&mut frames, *b"TXXX", format!("\u{3}{name}\0{value}").as_bytes())?,
        }
    }
    frame(&mut frames, *b"PRIV", &[b"XMP\0", mark.xmp().as_bytes()].concat())?;
    let mut tag = b"ID3\x04\0\0".to_vec();
    tag.extend(synchsafe(frames.len())?);
    tag.extend(frames);
    Some(tag)
}

/// Texts begin with the number of their encoding: 3 is UTF-8.
fn frame(frames: &mut Vec<u8>, id: [u8; 4], data: &[u8]) -> Option<()> {
    frames.extend(id);
    frames.extend(synchsafe(data.len())?);
    frames.extend([0, 0]);
    frames.extend(data);
    Some(())
}

/// A length in four bytes of seven bits each, so that none looks like the start of an audio frame.
fn synchsafe(length: usize) -> Option<[u8; 4]> {
    (length < 1 << 28).then(|| [21, 14, 7, 0].map(|shift| (length >> shift & 0x7f) as u8))
}

//! FLAC (RFC 9639): blocks before the first frame. Blocks that describe the stream stay. Offsets in the seek table
//! count from the first frame, so they stay right.

use std::io::{Read, Seek};

use super::{Mark, Plan, Planned, id3, pieces::Pieces, vorbis};
use crate::source::Source;

const COMMENTS: u8 = 4;
/// Description of the stream, seek table, cue sheet.
const KEPT: [u8; 3] = [0, 3, 5];

pub(super) fn plan<R: Read + Seek>(source: &mut Source<R>, mark: &Mark) -> Planned {
    let Some((start, end)) = id3::untagged(source) else {
        return Some(Plan::Signed);
    };
    if source.array::<4>(start)? != *b"fLaC" {
        return None;
    }
    let mut pieces = Pieces::default();
    pieces.keep(start, start + 4);
    let mut at = start + 4;
    loop {
        let header = source.be32(at)?;
        let (kind, length) = ((header >> 24 & 0x7f) as u8, header & 0x00ff_ffff);
        let next = at + 4 + u64::from(length);
        if next > end {
            return None;
        }
        if KEPT.contains(&kind) {
            pieces.put((u32::from(kind) << 24 | length).to_be_bytes());
            pieces.keep(at + 4, next);
        }
        at = next;
        // The last block has a flag for it.
        if header >> 31 == 1 {
            break;
        }
    }
    let comments = vorbis::comments(b"atelier", mark);
    let header = 1 << 31 | u32::from(COMMENTS) << 24 | comments.len() as u32;
    pieces.put(header.to_be_bytes());
    pieces.put(comments);
    pieces.keep(at, end);
    Some(Plan::Pieces(pieces))
}

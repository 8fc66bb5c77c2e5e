//! Edit lists (ISO/IEC 14496-12, 8.6.6), as far as mp4parse does not tell: how many edits a track has. The end of an
//! edit counts only if it is the only one.

use std::io::{Read, Seek, SeekFrom};

/// The largest `moov` box that is read, in bytes.
const LARGEST_MOOV: u64 = 32 << 20;
/// Boxes of the file that are looked at. Real files have few.
const BOXES: usize = 64;

/// Whether the edit list of a track, counted from 0, has exactly one edit.
pub(super) fn is_one(file: &mut (impl Read + Seek), track: usize) -> bool {
    moov(file).is_some_and(|moov| count(&moov, track) == Some(1))
}

fn count(moov: &[u8], track: usize) -> Option<u64> {
    let (_, track) = children(moov).filter(|(kind, _)| *kind == b"trak").nth(track)?;
    let (_, edits) = children(track).find(|(kind, _)| *kind == b"edts")?;
    let (_, list) = children(edits).find(|(kind, _)| *kind == b"elst")?;
    Some(number(list.get(4..8)?))
}

fn moov(file: &mut (impl Read + Seek)) -> Option<Vec<u8>> {
    let mut at = 0_u64;
    for _ in 0..BOXES {
        file.seek(SeekFrom::Start(at)).ok()?;
        let mut head = [0; 16];
        file.read_exact(&mut head[..8]).ok()?;
        let (mut length, mut header) = (number(&head[..4]), 8);
        if length == 1 {
            file.read_exact(&mut head[8..]).ok()?;
            (length, header) = (number(&head[8..]), 16);
        }
        if &head[4..8] == b"moov" {
            let length = if length == 0 { u64::MAX } else { length };
            let mut body = Vec::new();
            file.take(length.checked_sub(header)?.min(LARGEST_MOOV))
                .read_to_end(&mut body)
                .ok()?;
            return Some(body);
        }
        at = at.checked_add(length.max(8))?;
    }
    None
}

fn children(mut rest: &[u8]) -> impl Iterator<Item = (&[u8; 4], &[u8])> {
    std::iter::from_fn(move || {
        let length = usize::try_from(number(rest.get(..4)?)).ok()?.max(8);
        let kind = rest.get(4..8)?.first_chunk::<4>()?;
        let body = rest.get(8..length)?;
        rest = &rest[length..];
        Some((kind, body))
    })
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |sum, byte| sum << 8 | u64::from(*byte))
}

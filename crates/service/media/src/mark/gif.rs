//! GIF: blocks. XMP goes into an application block whose end every decoder finds (XMP specification, part 3).

use std::io::{Read, Seek};

use super::{Mark, Plan, Planned, pieces::Pieces};
use crate::source::Source;

/// Applications whose blocks say how often the animation repeats, and what its colours mean.
const KEPT: [&[u8; 11]; 3] = [b"NETSCAPE2.0", b"ANIMEXTS1.0", b"ICCRGBG1012"];

pub(super) fn plan<R: Read + Seek>(source: &mut Source<R>, mark: &Mark) -> Planned {
    let mut pieces = Pieces::default();
    // Application blocks exist since this version.
    pieces.put(*b"GIF89a");
    let mut at = 13 + colors(source.u8(10)?);
    pieces.keep(6, at);
    pieces.put(xmp(mark));
    loop {
        let begin = at;
        match source.u8(at)? {
            0x21 => {
                let label = source.u8(at + 1)?;
                let application: [u8; 11] = source.array(at + 3).unwrap_or_default();
                at = after_blocks(source, at + 2)?;
                match label {
                    0xff if application.starts_with(b"C2PA_GIF") => return Some(Plan::Signed),
                    0xff if !KEPT.contains(&&application) => {}
                    // A comment.
                    0xfe => {}
                    _ => pieces.keep(begin, at),
                }
            }
            0x2c => {
                let data = at + 10 + colors(source.u8(at + 9)?) + 1;
                at = after_blocks(source, data)?;
                pieces.keep(begin, at);
            }
            0x3b => {
                pieces.keep(begin, at + 1);
                return Some(Plan::Pieces(pieces));
            }
            _ => return None,
        }
    }
}

/// Bytes of the colour table that these flags announce.
fn colors(flags: u8) -> u64 {
    if flags & 0x80 == 0 {
        0
    } else {
        3 << ((flags & 7) + 1)
    }
}

fn after_blocks<R: Read + Seek>(source: &mut Source<R>, mut at: u64) -> Option<u64> {
    loop {
        let length = source.u8(at)?;
        at += 1 + u64::from(length);
        if length == 0 {
            return Some(at);
        }
    }
}

fn xmp(mark: &Mark) -> Vec<u8> {
    let mut block = b"\x21\xff\x0bXMP DataXMP".to_vec();
    block.extend(mark.xmp().into_bytes());
    // Whichever byte of the text a decoder takes for a length, it lands here and goes on to the end.
    block.push(1);
    block.extend((0..=0xff).rev());
    block.push(0);
    block
}

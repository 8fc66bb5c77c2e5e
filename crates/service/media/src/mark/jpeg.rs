//! JPEG (ITU-T T.81): segments before the first scan. Tables, the colour profile and everything decoders need stay.

use std::io::{Read, Seek};

use super::{Mark, Plan, Planned, exif, pieces::Pieces};
use crate::{probe::picture::exif_orientation, source::Source};

pub(super) fn plan<R: Read + Seek>(source: &mut Source<R>, mark: &Mark) -> Planned {
    let (mut first, mut rest) = (Pieces::default(), Pieces::default());
    first.keep(0, 2);
    let mut orientation = None;
    let mut at = 2;
    loop {
        let [0xff, marker] = source.array::<2>(at)? else {
            return None;
        };
        match marker {
            // Fill bytes, or a marker without a segment.
            0xff => {
                at += 1;
                continue;
            }
            0x01 => {
                at += 2;
                continue;
            }
            // The scans, up to the end.
            0xda => {
                rest.keep(at, source.size());
                break;
            }
            0x00 | 0xd0..=0xd9 => return None,
            _ => {}
        }
        let length = u64::from(source.be16(at + 2)?);
        let end = at + 2 + length;
        if length < 2 || end > source.size() {
            return None;
        }
        let mut says = |text: &[u8]| source.upto(at + 4, text.len()) == text;
        match marker {
            // JFIF and its extension.
            0xe0 => first.keep(at, end),
            0xe1 if says(b"Exif\0\0") => {
                orientation = exif_orientation(source, at + 10, length.saturating_sub(8));
            }
            // The offsets of further pictures in the file, which would be wrong afterwards.
            0xe2 if says(b"MPF\0") => return None,
            0xe2 if says(b"ICC_PROFILE\0") => rest.keep(at, end),
            // JUMBF boxes: a C2PA manifest.
            0xeb if says(b"JP") => return Some(Plan::Signed),
            // Adobe: how colours are coded.
            0xee if says(b"Adobe") => rest.keep(at, end),
            // All other application segments, and comments.
            0xe1..=0xef | 0xfe => {}
            _ => rest.keep(at, end),
        }
        at = end;
    }
    if let Some(exif) = exif(orientation) {
        first.put(segment([b"Exif\0\0", &exif[..]].concat())?);
    }
    let text = [b"http://ns.adobe.com/xap/1.0/\0", mark.xmp().as_bytes()].concat();
    first.put(segment(text)?);
    first.append(rest);
    Some(Plan::Pieces(first))
}

/// An APP1 segment.
fn segment(data: Vec<u8>) -> Option<Vec<u8>> {
    let length = u16::try_from(data.len() + 2).ok()?;
    let mut segment = vec![0xff, 0xe1];
    segment.extend(length.to_be_bytes());
    segment.extend(data);
    Some(segment)
}

//! What an MP4 file says about itself, as far as a film that is written again must say the same.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    path::Path,
};

use atelier_film::Tags;

/// The id of the box that holds XMP (ISO 16684-3).
const XMP: [u8; 16] = [
    0xbe, 0x7a, 0xcf, 0xcb, 0x97, 0xa9, 0x42, 0xe8, 0x9c, 0x71, 0x99, 0x94, 0x91, 0xe3, 0xaf, 0xac,
];
/// The id of the box that holds a signed manifest (C2PA 2.1, A.5).
const C2PA: [u8; 16] = [
    0xd8, 0xfe, 0xc3, 0xd6, 0x1b, 0x0e, 0x48, 0x3c, 0x92, 0x97, 0x58, 0x28, 0x87, 0x7e, 0xc4, 0x81,
];
/// The longest text that is read.
const LONGEST: u64 = 1 << 20;
/// The most boxes of one level.
const MOST: usize = 10_000;

#[derive(Debug, Default)]
pub(super) struct About {
    pub(super) tags: Tags,
    pub(super) is_mp4: bool,
    /// It carries a signed manifest, which any change would break.
    pub(super) is_signed: bool,
    pub(super) tracks: usize,
    /// Width to height, as the tracks with pictures want to be shown before they are turned.
    pub(super) aspects: Vec<f64>,
}

#[derive(Debug, Clone, Copy)]
struct Part {
    kind: [u8; 4],
    body: u64,
    end: u64,
}

impl About {
    /// `None` if the boxes cannot be followed.
    pub(super) fn of(path: &Path) -> io::Result<Option<Self>> {
        let mut file = File::open(path)?;
        let length = file.metadata()?.len();
        let mut about = Self::default();
        let read = about.read(&mut file, length);
        Ok(read.map(|()| about))
    }

    fn read(&mut self, file: &mut File, length: u64) -> Option<()> {
        for part in parts(file, 0, length)? {
            match &part.kind {
                b"uuid" => match bytes(file, part.body, part.body + 16)?.try_into().ok()? {
                    C2PA => self.is_signed = true,
                    XMP => self.tags.xmp = text(file, part.body + 16, part.end),
                    _ => {}
                },
                b"ftyp" => self.is_mp4 = bytes(file, part.body, part.body + 4)? != b"qt  ",
                b"moov" => self.movie(file, part)?,
                _ => {}
            }
        }
        Some(())
    }

    fn movie(&mut self, file: &mut File, movie: Part) -> Option<()> {
        for part in parts(file, movie.body, movie.end)? {
            match &part.kind {
                b"trak" => {
                    self.tracks += 1;
                    let header = child(file, part, *b"tkhd")?;
                    let size = bytes(file, header.end.checked_sub(8)?, header.end)?;
                    let side =
                        |at: usize| u32::from_be_bytes([size[at], size[at + 1], size[at + 2], size[at + 3]]);
                    if side(0) > 0 && side(4) > 0 {
                        self.aspects.push(f64::from(side(0)) / f64::from(side(4)));
                    }
                }
                b"udta" => self.notes(file, part).unwrap_or_default(),
                _ => {}
            }
        }
        Some(())
    }

    /// The title, the program and the comment; other programs may write other things there.
    fn notes(&mut self, file: &mut File, part: Part) -> Option<()> {
        let meta = child(file, part, *b"meta")?;
        let list = Part {
            body: meta.body + 4,
            ..meta
        };
        let list = child(file, list, *b"ilst")?;
        for item in parts(file, list.body, list.end)? {
            let text = |file: &mut File| {
                let data = child(file, item, *b"data")?;
                text(file, data.body + 8, data.end)
            };
            let place = match &item.kind {
                b"\xa9nam" => &mut self.tags.title,
                b"\xa9too" => &mut self.tags.encoder,
                b"\xa9cmt" => &mut self.tags.comment,
                _ => continue,
            };
            *place = text(file).unwrap_or_default();
        }
        Some(())
    }
}

fn parts(file: &mut File, from: u64, to: u64) -> Option<Vec<Part>> {
    let (mut found, mut at) = (Vec::new(), from);
    while at + 8 <= to && found.len() < MOST {
        let head = bytes(file, at, at + 8)?;
        let (size, kind) = head.split_first_chunk::<4>()?;
        let (header, size) = match u32::from_be_bytes(*size) {
            0 => (8, to - at),
            1 => (
                16,
                u64::from_be_bytes(bytes(file, at + 8, at + 16)?.try_into().ok()?),
            ),
            size => (8, u64::from(size)),
        };
        let end = at.checked_add(size)?;
        if size < header || end > to {
            return None;
        }
        found.push(Part {
            kind: kind.try_into().ok()?,
            body: at + header,
            end,
        });
        at = end;
    }
    Some(found)
}

fn child(file: &mut File, parent: Part, kind: [u8; 4]) -> Option<Part> {
    let parts = parts(file, parent.body, parent.end)?;
    parts.into_iter().find(|part| part.kind == kind)
}

fn bytes(file: &mut File, from: u64, to: u64) -> Option<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(to.checked_sub(from)?).ok()?];
    file.seek(SeekFrom::Start(from)).ok()?;
    file.read_exact(&mut bytes).ok()?;
    Some(bytes)
}

fn text(file: &mut File, from: u64, to: u64) -> Option<String> {
    if to.checked_sub(from)? > LONGEST {
        return None;
    }
    String::from_utf8(bytes(file, from, to)?).ok()
}

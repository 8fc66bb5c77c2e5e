//! WebM: elements (RFC 8794, RFC 9559). The mark is a list of tags at the end, to which the index at the beginning
//! points. Old metadata is overwritten in place, so that nothing an offset points to moves.

use std::io::{Read, Seek};

use super::{Mark, Plan, Planned, pieces::Pieces};
use crate::{
    probe::webm::{INFO, SEGMENT, element},
    source::Source,
};

const HEADER: u32 = 0x1a45_dfa3;
const INDEX: u32 = 0x114d_9b74;
const INDEXED: u32 = 0x4dbb;
const INDEXED_ID: u32 = 0x53ab;
const INDEXED_PLACE: u32 = 0x53ac;
const CLUSTER: u32 = 0x1f43_b675;
const TAGS: u32 = 0x1254_c367;
const ATTACHMENTS: u32 = 0x1941_a469;
const TAG: u32 = 0x7373;
const TARGETS: u32 = 0x63c0;
const SIMPLE_TAG: u32 = 0x67c8;
const TAG_NAME: u32 = 0x45a3;
const TAG_TEXT: u32 = 0x4487;
const TITLE: u32 = 0x7ba9;
const VOID: u32 = 0xec;
const CHECKSUM: u32 = 0xbf;

/// Elements other than clusters that a file may have.
const MOST: usize = 1_000;

#[derive(Debug, Clone, Copy)]
struct Element {
    id: u32,
    at: u64,
    body: u64,
    end: u64,
}

pub(super) fn plan<R: Read + Seek>(source: &mut Source<R>, mark: &Mark) -> Planned {
    let (HEADER, body, length) = element(source, 0)? else {
        return None;
    };
    let segment = body.checked_add(length)?;
    let (SEGMENT, start, length) = element(source, segment)? else {
        return None;
    };
    let is_open = length == u64::MAX;
    let size = source.size();
    // A second segment, or bytes after the last one.
    if !is_open && start.checked_add(length)? != size {
        return None;
    }
    let elements = elements(source, start, size)?;
    // The mark replaces lists of tags at the end.
    let mut end = size;
    for found in elements.iter().rev() {
        if found.id != TAGS || found.end != end {
            break;
        }
        end = found.at;
    }
    let mut body = Pieces::default();
    let mut at = start;
    let mut is_indexed = false;
    let mut following = elements.iter().skip(1);
    for found in &elements {
        let next = following.next();
        // Padding that the index before it has used, or lists that the mark replaces.
        if found.at < at || found.at >= end {
            continue;
        }
        body.keep(at, found.at);
        at = found.end;
        match found.id {
            INDEX => {
                let room = next.filter(|next| next.id == VOID && next.at == found.end);
                let until = room.map_or(found.end, |room| room.end);
                let index = if is_indexed {
                    None
                } else {
                    index(source, found, until, end - start)?
                };
                if let Some(index) = index {
                    body.append(index);
                    at = until;
                    is_indexed = true;
                } else {
                    unlist(source, found, &mut body)?;
                }
            }
            INFO => untitled(source, found, &mut body)?,
            _ => body.append(void(found.end - found.at)?),
        }
    }
    body.keep(at, end);
    body.put(tags(mark));
    let mut pieces = Pieces::default();
    if is_open {
        pieces.keep(0, start);
    } else {
        pieces.keep(0, segment + 4);
        pieces.put(long(body.length()));
    }
    pieces.append(body);
    Some(Plan::Pieces(pieces))
}

/// The elements to overwrite and the indexes, in order. Clusters are stepped into, so that those of unknown length need
/// no bookkeeping.
fn elements<R: Read + Seek>(source: &mut Source<R>, start: u64, size: u64) -> Option<Vec<Element>> {
    let mut elements = Vec::new();
    let mut at = start;
    while at < size {
        let (id, body, length) = element(source, at)?;
        if id == CLUSTER {
            at = match body.checked_add(length) {
                Some(end) if end <= size => end,
                _ if length == u64::MAX => body,
                _ => return None,
            };
            continue;
        }
        let end = body.checked_add(length).filter(|end| *end <= size)?;
        if matches!(id, INDEX | INFO | TAGS | ATTACHMENTS | VOID) {
            elements.push(Element { id, at, body, end });
        }
        at = end;
        if elements.len() > MOST {
            return None;
        }
    }
    Some(elements)
}

/// An index that also points to the mark, and padding up to `until`. `None` if it does not fit.
#[expect(clippy::option_option, reason = "damaged, or without room")]
fn index<R: Read + Seek>(
    source: &mut Source<R>,
    found: &Element,
    until: u64,
    place: u64,
) -> Option<Option<Pieces>> {
    let mut entries = Pieces::default();
    each(source, found, |source, part| {
        if part.id == INDEXED && listed(source, part) != Some(TAGS) {
            entries.keep(part.at, part.end);
        }
        Some(())
    })?;
    let entry = [
        master(INDEXED_ID, &TAGS.to_be_bytes()),
        master(INDEXED_PLACE, &place.to_be_bytes()),
    ];
    entries.put(master(INDEXED, &entry.concat()));
    let mut index = Pieces::default();
    index.put(id(INDEX));
    index.put(long(entries.length()));
    index.append(entries);
    let left = (until - found.at).checked_sub(index.length());
    Some(match left {
        Some(0) => Some(index),
        Some(left) if left >= 2 => {
            index.append(void(left)?);
            Some(index)
        }
        _ => None,
    })
}

/// An index without its entries about tags.
fn unlist<R: Read + Seek>(source: &mut Source<R>, found: &Element, body: &mut Pieces) -> Option<()> {
    let mut at = found.at;
    each(source, found, |source, part| {
        if part.id == CHECKSUM || part.id == INDEXED && listed(source, part) == Some(TAGS) {
            body.keep(at, part.at);
            body.append(void(part.end - part.at)?);
            at = part.end;
        }
        Some(())
    })?;
    body.keep(at, found.end);
    Some(())
}

/// The description of the segment without a title.
fn untitled<R: Read + Seek>(source: &mut Source<R>, found: &Element, body: &mut Pieces) -> Option<()> {
    let mut blanks = Vec::new();
    each(source, found, |_, part| {
        if matches!(part.id, TITLE | CHECKSUM) {
            blanks.push(*part);
        }
        Some(())
    })?;
    // The checksum stays right if nothing is overwritten.
    if blanks.iter().all(|blank| blank.id == CHECKSUM) {
        blanks.clear();
    }
    let mut at = found.at;
    for blank in blanks {
        body.keep(at, blank.at);
        body.append(void(blank.end - blank.at)?);
        at = blank.end;
    }
    body.keep(at, found.end);
    Some(())
}

/// The element that an entry of an index points to.
fn listed<R: Read + Seek>(source: &mut Source<R>, entry: &Element) -> Option<u32> {
    let mut listed = None;
    each(source, entry, |source, part| {
        if part.id == INDEXED_ID && part.end - part.body == 4 {
            listed = source.be32(part.body);
        }
        Some(())
    })?;
    listed
}

fn each<R: Read + Seek>(
    source: &mut Source<R>,
    parent: &Element,
    mut visit: impl FnMut(&mut Source<R>, &Element) -> Option<()>,
) -> Option<()> {
    let mut at = parent.body;
    while at < parent.end {
        let (id, body, length) = element(source, at)?;
        let end = body.checked_add(length).filter(|end| *end <= parent.end)?;
        visit(source, &Element { id, at, body, end })?;
        at = end;
    }
    Some(())
}

/// Tags of the whole file.
fn tags(mark: &Mark) -> Vec<u8> {
    let mut tag = master(TARGETS, b"");
    for (name, value) in mark.tags() {
        let texts = [
            master(TAG_NAME, name.as_bytes()),
            master(TAG_TEXT, value.as_bytes()),
        ];
        tag.extend(master(SIMPLE_TAG, &texts.concat()));
    }
    master(TAGS, &master(TAG, &tag))
}

fn id(id: u32) -> Vec<u8> {
    let bytes = id.to_be_bytes();
    bytes[id.leading_zeros() as usize / 8..].to_vec()
}

/// A length in its longest form.
fn long(length: u64) -> [u8; 8] {
    (length | 1 << 56).to_be_bytes()
}

fn master(name: u32, body: &[u8]) -> Vec<u8> {
    let mut bytes = id(name);
    match body.len() {
        // All ones means that the length is unknown.
        length @ 0..0x7f => bytes.push(0x80 | length as u8),
        length => bytes.extend(long(length as u64)),
    }
    bytes.extend(body);
    bytes
}

/// Padding of this many bytes.
fn void(total: u64) -> Option<Pieces> {
    let mut pieces = Pieces::default();
    let mut head = id(VOID);
    let zeros = if total < 9 {
        let zeros = total.checked_sub(2)?;
        head.push(0x80 | zeros as u8);
        zeros
    } else {
        head.extend(long(total - 9));
        total - 9
    };
    pieces.put(head);
    pieces.zeros(zeros);
    Some(pieces)
}

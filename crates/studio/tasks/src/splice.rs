//! Writes new pixels into a PNG, JPEG or WebP file and keeps everything else: its metadata, colour profile and
//! orientation.

pub(crate) mod webp;

/// The content of a file besides its pixels.
pub(crate) enum Around<'a> {
    /// The chunks before and after the pixels.
    Png(Vec<&'a [u8]>, Vec<&'a [u8]>),
    /// The segments of applications and comments.
    Jpeg(Vec<&'a [u8]>),
    Webp(webp::Around<'a>),
}

/// Why the pixels of a file cannot be replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unfit {
    /// Another format, an animation, or a damaged file.
    Unsupported,
    /// It carries a signed manifest of its origin (C2PA), which any change would break.
    Signed,
}

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";
/// Chunks that describe the pixels as they were stored.
const OF_PIXELS: [&[u8; 4]; 7] = [b"IHDR", b"PLTE", b"tRNS", b"bKGD", b"sBIT", b"hIST", b"IEND"];

pub(crate) fn is_png(file: &[u8]) -> bool {
    file.starts_with(PNG)
}

impl<'a> Around<'a> {
    pub(crate) fn of(file: &'a [u8]) -> Result<Self, Unfit> {
        if is_png(file) {
            return around_png(file);
        }
        if webp::is_webp(file) {
            return webp::Around::of(file).map(Self::Webp);
        }
        let segments = segments(file).ok_or(Unfit::Unsupported)?;
        let mut kept = Vec::new();
        for (marker, segment) in segments {
            let body = segment.get(4..).unwrap_or_default();
            match marker {
                // JPEG boxes of a manifest.
                0xeb if body.starts_with(b"JP") => return Err(Unfit::Signed),
                0xe0 if body.starts_with(b"JFIF\0") => kept.push(segment),
                0xe1 | 0xed | 0xfe => kept.push(segment),
                0xe2 if body.starts_with(b"ICC_PROFILE\0") => kept.push(segment),
                _ => {}
            }
        }
        Ok(Self::Jpeg(kept))
    }

    /// The file with the pixels of `fresh`, a file of the same format that has nothing but pixels.
    pub(crate) fn with_pixels_of(&self, fresh: &[u8]) -> Option<Vec<u8>> {
        match self {
            Self::Png(before, after) => {
                let mut file = PNG.to_vec();
                let fresh = chunks(fresh)?;
                let (header, rest) = fresh.split_first()?;
                file.extend_from_slice(header.1);
                file.extend(before.concat());
                for (kind, chunk) in rest {
                    if *kind == b"IEND" {
                        file.extend(after.concat());
                    }
                    file.extend_from_slice(chunk);
                }
                Some(file)
            }
            Self::Webp(around) => around.with_pixels_of(fresh),
            Self::Jpeg(kept) => {
                let mut file = fresh.get(..2)?.to_vec();
                file.extend(kept.concat());
                let has_header = kept.iter().any(|segment| segment.get(1) == Some(&0xe0));
                let mut at = 2;
                for (marker, segment) in segments(fresh)? {
                    at += segment.len();
                    if marker != 0xe0 || !has_header {
                        file.extend_from_slice(segment);
                    }
                }
                file.extend_from_slice(fresh.get(at..)?);
                Some(file)
            }
        }
    }
}

fn around_png(file: &[u8]) -> Result<Around<'_>, Unfit> {
    let chunks = chunks(file).ok_or(Unfit::Unsupported)?;
    let (mut before, mut after, mut in_pixels) = (Vec::new(), Vec::new(), false);
    for (kind, chunk) in chunks {
        match kind {
            b"acTL" => return Err(Unfit::Unsupported),
            b"caBX" => return Err(Unfit::Signed),
            b"IDAT" => in_pixels = true,
            _ if OF_PIXELS.iter().any(|of_pixels| kind == *of_pixels) => {}
            _ if in_pixels => after.push(chunk),
            _ => before.push(chunk),
        }
    }
    Ok(Around::Png(before, after))
}

/// The kinds and whole bytes of a PNG's chunks, up to its end.
fn chunks(file: &[u8]) -> Option<Vec<(&[u8], &[u8])>> {
    let mut rest = file.strip_prefix(PNG)?;
    let mut found = Vec::new();
    loop {
        let length = u32::from_be_bytes(rest.get(..4)?.try_into().ok()?);
        let whole = usize::try_from(length).ok()?.checked_add(12)?;
        let kind = rest.get(4..8)?;
        found.push((kind, rest.get(..whole)?));
        if kind == b"IEND" {
            return Some(found);
        }
        rest = rest.get(whole..)?;
    }
}

/// The markers and whole bytes of a JPEG's segments before its scans.
fn segments(file: &[u8]) -> Option<Vec<(u8, &[u8])>> {
    let mut rest = file.strip_prefix(b"\xff\xd8")?;
    let mut found = Vec::new();
    loop {
        let [0xff, marker, high, low] = *rest.first_chunk()? else {
            return None;
        };
        match marker {
            0xda => return Some(found),
            0xc0..=0xcf | 0xdb..=0xef | 0xfe => {}
            _ => return None,
        }
        let whole = usize::from(u16::from_be_bytes([high, low])) + 2;
        found.push((marker, rest.get(..whole)?));
        rest = rest.get(whole..)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(kind: [u8; 4], data: &[u8]) -> Vec<u8> {
        [&(data.len() as u32).to_be_bytes()[..], &kind, data, &[0; 4]].concat()
    }

    fn png(parts: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
        let chunks = parts.iter().flat_map(|(kind, data)| chunk(**kind, data));
        PNG.iter().copied().chain(chunks).collect()
    }

    #[test]
    fn a_png_keeps_its_notes_and_profile_and_loses_what_describes_the_old_pixels() {
        let old = png(&[
            (b"IHDR", b"old"),
            (b"iCCP", b"profile"),
            (b"PLTE", b"palette"),
            (b"IDAT", b"old pixels"),
            (b"iTXt", b"note"),
            (b"IEND", b""),
        ]);
        let fresh = png(&[(b"IHDR", b"new"), (b"IDAT", b"new pixels"), (b"IEND", b"")]);
        let expected = png(&[
            (b"IHDR", b"new"),
            (b"iCCP", b"profile"),
            (b"IDAT", b"new pixels"),
            (b"iTXt", b"note"),
            (b"IEND", b""),
        ]);
        let around = Around::of(&old).ok().unwrap();
        assert_eq!(around.with_pixels_of(&fresh), Some(expected));
    }

    #[test]
    fn a_jpeg_keeps_its_notes_and_profile() {
        let segment = |marker: u8, body: &[u8]| {
            let length = (body.len() + 2) as u16;
            [&[0xff, marker][..], &length.to_be_bytes(), body].concat()
        };
        let note = segment(0xe1, b"http://ns.adobe.com/xap/1.0/\0note");
        let profile = segment(0xe2, b"ICC_PROFILE\0\x01\x01data");
        let index = segment(0xe2, b"MPF\0offsets");
        let end = [segment(0xda, b"scan"), b"pixels\xff\xd9".to_vec()].concat();
        let file = |parts: &[&[u8]]| [b"\xff\xd8", &*parts.concat(), &end].concat();
        let tables = segment(0xdb, b"tables");
        let (header, other) = (segment(0xe0, b"JFIF\0old"), segment(0xe0, b"JFIF\0new"));
        let old = file(&[&header, &note, &profile, &index, &segment(0xdb, b"old")]);
        let around = Around::of(&old).ok().unwrap();
        let spliced = around.with_pixels_of(&file(&[&other, &tables]));
        assert_eq!(spliced, Some(file(&[&header, &note, &profile, &tables])));
    }

    #[test]
    fn what_is_signed_animated_or_damaged_is_not_changed() {
        let signed = png(&[(b"IHDR", b""), (b"caBX", b""), (b"IDAT", b""), (b"IEND", b"")]);
        let moving = png(&[(b"IHDR", b""), (b"acTL", b""), (b"IDAT", b""), (b"IEND", b"")]);
        assert_eq!(Around::of(&signed).err(), Some(Unfit::Signed));
        assert_eq!(Around::of(&moving).err(), Some(Unfit::Unsupported));
        for damaged in [&signed[..20], b"\xff\xd8\xff\xe0\xff\xff", b"GIF89a", b""] {
            assert_eq!(Around::of(damaged).err(), Some(Unfit::Unsupported));
        }
    }
}

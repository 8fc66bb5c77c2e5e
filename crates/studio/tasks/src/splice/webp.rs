//! The chunks of a WebP file (RFC 9649).

use super::Unfit;

type Chunk<'a> = (&'a [u8; 4], &'a [u8]);

/// The flag of a header (`VP8X`) for transparency.
const HAS_ALPHA: u8 = 0x10;

/// Whether this is a WebP file.
pub(crate) fn is_webp(file: &[u8]) -> bool {
    file.starts_with(b"RIFF") && file.get(8..12) == Some(b"WEBP")
}

/// Whether its pixels are stored without loss.
pub(crate) fn is_lossless(file: &[u8]) -> bool {
    let is_lossless = |chunks: Vec<Chunk>| chunks.iter().any(|(kind, _)| *kind == b"VP8L");
    chunks(file).is_some_and(is_lossless)
}

/// Everything but the pixels: the header of a file with several parts, and the parts.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Around<'a> {
    header: Option<&'a [u8]>,
    kept: Vec<Chunk<'a>>,
}

impl<'a> Around<'a> {
    pub(super) fn of(file: &'a [u8]) -> Result<Self, Unfit> {
        let mut around = Self {
            header: None,
            kept: Vec::new(),
        };
        for (kind, body) in chunks(file).ok_or(Unfit::Unsupported)? {
            match kind {
                b"ANIM" | b"ANMF" => return Err(Unfit::Unsupported),
                b"C2PA" => return Err(Unfit::Signed),
                b"VP8X" => around.header = Some(body),
                b"VP8 " | b"VP8L" | b"ALPH" => {}
                _ => around.kept.push((kind, body)),
            }
        }
        Ok(around)
    }

    /// The file with the pixels of `fresh`, which has nothing else.
    pub(super) fn with_pixels_of(&self, fresh: &[u8]) -> Option<Vec<u8>> {
        let Some(header) = self.header else {
            return Some(fresh.to_vec());
        };
        let pixels: Vec<_> = chunks(fresh)?
            .into_iter()
            .filter(|(kind, _)| *kind != b"VP8X")
            .collect();
        let mut header = header.to_vec();
        // For files without loss, the flag is only a hint.
        if pixels.iter().any(|(kind, _)| *kind == b"VP8 ") {
            let flags = header.first_mut()?;
            *flags &= !HAS_ALPHA;
            if pixels.iter().any(|(kind, _)| *kind == b"ALPH") {
                *flags |= HAS_ALPHA;
            }
        }
        let (profile, notes): (Vec<_>, Vec<_>) = self.kept.iter().partition(|(kind, _)| *kind == b"ICCP");
        let mut body = b"WEBP".to_vec();
        for (kind, data) in [(b"VP8X", &header[..])]
            .into_iter()
            .chain(profile)
            .chain(pixels)
            .chain(notes)
        {
            body.extend_from_slice(kind);
            body.extend_from_slice(&u32::try_from(data.len()).ok()?.to_le_bytes());
            body.extend_from_slice(data);
            body.resize(body.len().next_multiple_of(2), 0);
        }
        let length = u32::try_from(body.len()).ok()?.to_le_bytes();
        Some([b"RIFF", &length[..], &body].concat())
    }
}

/// The kinds and bodies of the chunks.
fn chunks(file: &[u8]) -> Option<Vec<Chunk<'_>>> {
    let rest = file.strip_prefix(b"RIFF")?;
    let length = usize::try_from(u32::from_le_bytes(*rest.first_chunk()?)).ok()?;
    let mut rest = rest.get(4..)?.get(..length)?.strip_prefix(b"WEBP")?;
    let mut found = Vec::new();
    while !rest.is_empty() {
        let kind = rest.first_chunk()?;
        let length = usize::try_from(u32::from_le_bytes(*rest.get(4..)?.first_chunk()?)).ok()?;
        let body = rest.get(8..)?.get(..length)?;
        found.push((kind, body));
        // The last chunk of some files lacks the byte that makes its length even.
        rest = rest.get(8 + length.next_multiple_of(2)..).unwrap_or_default();
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn webp(parts: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
        let mut body = b"WEBP".to_vec();
        for (kind, data) in parts {
            body.extend_from_slice(*kind);
            body.extend((data.len() as u32).to_le_bytes());
            body.extend_from_slice(data);
            body.resize(body.len().next_multiple_of(2), 0);
        }
        [b"RIFF", &(body.len() as u32).to_le_bytes()[..], &body].concat()
    }

    #[test]
    fn a_file_keeps_its_notes_and_profile_and_says_whether_it_is_transparent() {
        let size = b"\0\0\0\x07\0\0\x07\0\0";
        let header = |flags: u8| [&[flags][..], size].concat();
        let old = webp(&[
            (b"VP8X", &header(0x3c)),
            (b"ICCP", b"profile"),
            (b"ALPH", b"old"),
            (b"VP8 ", b"old"),
            (b"EXIF", b"note"),
            (b"XMP ", b"another"),
        ]);
        let around = Around::of(&old).unwrap();
        let opaque = around.with_pixels_of(&webp(&[(b"VP8 ", b"new")]));
        let expected = webp(&[
            (b"VP8X", &header(0x2c)),
            (b"ICCP", b"profile"),
            (b"VP8 ", b"new"),
            (b"EXIF", b"note"),
            (b"XMP ", b"another"),
        ]);
        assert_eq!(opaque, Some(expected));
        let fresh = webp(&[(b"VP8X", &header(0x10)), (b"ALPH", b"new"), (b"VP8 ", b"new")]);
        let transparent = around.with_pixels_of(&fresh).unwrap();
        assert_eq!(transparent.get(20), Some(&0x3c));
        assert_eq!(chunks(&transparent).unwrap()[2], (b"ALPH", &b"new"[..]));
    }

    #[test]
    fn a_file_that_is_only_pixels_becomes_the_new_pixels() {
        let old = webp(&[(b"VP8L", b"old")]);
        assert!(is_webp(&old) && is_lossless(&old));
        let fresh = webp(&[(b"VP8L", b"new")]);
        assert_eq!(Around::of(&old).unwrap().with_pixels_of(&fresh), Some(fresh));
    }

    #[test]
    fn what_is_signed_animated_or_damaged_is_not_changed() {
        let signed = webp(&[(b"VP8X", &[0; 10]), (b"VP8 ", b""), (b"C2PA", b"boxes")]);
        let moving = webp(&[(b"VP8X", &[2; 10]), (b"ANIM", b"loop"), (b"ANMF", b"one")]);
        assert_eq!(Around::of(&signed), Err(Unfit::Signed));
        assert_eq!(Around::of(&moving), Err(Unfit::Unsupported));
        assert_eq!(Around::of(&signed[..30]), Err(Unfit::Unsupported));
    }
}

//! The statements of a file about its own origin: the IPTC's digital source type in XMP or in tags, the system that
//! made it, and whether it carries a signed manifest (C2PA). Only the tag of an MP3 file is parsed. Elsewhere the bytes
//! are searched: a copy of the statement anywhere in the file counts.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

mod id3;

/// The statements that were found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Declared {
    /// The last part of the URI of a digital source type, such as `trainedAlgorithmicMedia`.
    pub source_type: Option<String>,
    /// The system that made it, in the words of the file.
    pub system: Option<String>,
    /// Whether there is a manifest of Content Credentials. Its signature is not checked.
    pub has_manifest: bool,
}

const SOURCE_TEXT: &str = "cv.iptc.org/newscodes/digitalsourcetype/";
const SOURCE: &[u8] = SOURCE_TEXT.as_bytes();
/// Before the system's name: in XMP, and in tags of names and values.
const SYSTEMS: [(&[u8], &[u8]); 2] = [
    (b"AISystemUsed>", b"<"),
    (b"AI_SYSTEM_USED=", b"\0\x01\x02\x03\x04\x05"),
];
/// The type of a manifest store: a JUMBF box whose UUID begins with these letters.
const MANIFEST: &[u8] = b"jumdc2pa";
const CHUNK: usize = 1 << 20;
/// The longest statement, with what stands before it.
const OVERLAP: usize = 1 << 10;
const LONGEST: usize = 200;

impl Declared {
    /// Reads a whole file. Blocks.
    pub fn of(path: &Path) -> io::Result<Self> {
        Self::read(File::open(path)?)
    }

    fn read(mut file: impl Read) -> io::Result<Self> {
        let mut found = Self::default();
        let mut bytes = Vec::with_capacity(CHUNK + OVERLAP);
        let mut is_start = true;
        loop {
            let kept = bytes.len().min(OVERLAP);
            bytes.drain(..bytes.len() - kept);
            let read = Read::by_ref(&mut file)
                .take(CHUNK as u64)
                .read_to_end(&mut bytes)?;
            if is_start {
                found.look_at_tag(&bytes);
                is_start = false;
            }
            found.look(&bytes);
            if read == 0 {
                return Ok(found);
            }
        }
    }

    /// In the tag of an MP3 file nothing separates a value from what follows but its length.
    fn look_at_tag(&mut self, start: &[u8]) {
        for (name, value) in id3::texts(start) {
            if let Some((_, source_type)) = value.split_once(SOURCE_TEXT) {
                self.source_type = Some(source_type.to_owned()).filter(|name| is_name(name));
                // Speech of trained voices names its weights in a tag of its own.
            } else if ["AI_SYSTEM_USED", "WEIGHTS"].contains(&name.as_str()) && self.system.is_none() {
                self.system = Some(unescaped(&value)).filter(|name| !name.is_empty());
            }
        }
    }

    fn look(&mut self, bytes: &[u8]) {
        self.has_manifest |= find(bytes, MANIFEST).is_some();
        if self.source_type.is_none()
            && let Some(rest) = after(bytes, SOURCE)
        {
            let name: Vec<u8> = rest
                .iter()
                .copied()
                .take(60)
                .take_while(u8::is_ascii_alphabetic)
                .collect();
            self.source_type = String::from_utf8(name).ok().filter(|name| !name.is_empty());
        }
        for (before, ends) in SYSTEMS {
            if self.system.is_none()
                && let Some(rest) = after(bytes, before)
            {
                let rest = rest.iter().copied().take(LONGEST);
                let name: Vec<u8> = rest.take_while(|byte| !ends.contains(byte)).collect();
                let name = String::from_utf8_lossy(&name).trim().to_owned();
                self.system = Some(unescaped(&name)).filter(|name| !name.is_empty());
            }
        }
    }

    /// Whether the file says anything.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Whether this can be the name of a digital source type.
fn is_name(text: &str) -> bool {
    (1..=60).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphabetic())
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

fn after<'a>(bytes: &'a [u8], wanted: &[u8]) -> Option<&'a [u8]> {
    let at = find(bytes, wanted)? + wanted.len();
    bytes.get(at..)
}

/// The five entities of XML; control characters go.
fn unescaped(text: &str) -> String {
    let pairs = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&apos;", "'"),
        ("&amp;", "&"),
    ];
    let plain = pairs.iter().fold(text.to_owned(), |text, (entity, character)| {
        text.replace(entity, character)
    });
    plain
        .chars()
        .filter(|character| !character.is_control())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(bytes: &[u8]) -> Declared {
        Declared::read(bytes).unwrap()
    }

    #[test]
    fn xmp_and_tags_are_found_wherever_they_are() {
        let xmp = "Iptc4xmpExt:DigitalSourceType=\"http://cv.iptc.org/newscodes/digitalsourcetype/\
                   trainedAlgorithmicMedia\"><Iptc4xmpExt:AISystemUsed>Flux &amp; friends</Iptc4xmpExt:AISystemUsed>";
        for before in [0, CHUNK - 60, CHUNK - 1, 3 * CHUNK + 5] {
            let file = [vec![0xaa; before], xmp.as_bytes().to_vec(), vec![0xbb; 10]].concat();
            let found = declared(&file);
            assert_eq!(
                found.source_type.as_deref(),
                Some("trainedAlgorithmicMedia"),
                "{before}"
            );
            assert_eq!(found.system.as_deref(), Some("Flux & friends"), "{before}");
        }
        let tags = declared(b"xxAI_SYSTEM_USED=kokoro\x01\x00yy");
        assert_eq!((tags.system.as_deref(), tags.source_type), (Some("kokoro"), None));
    }

    #[test]
    fn values_in_the_tag_of_an_mp3_file_end_where_their_frame_ends() {
        for version in [3, 4] {
            let frame = |name: &str, value: &str| {
                let text = format!("\u{3}{name}\0{value}");
                let size = u8::try_from(text.len()).unwrap();
                [b"TXXX\0\0\0".as_slice(), &[size, 0, 0], text.as_bytes()].concat()
            };
            let frames = [
                frame(
                    "DIGITAL_SOURCE_TYPE",
                    "http://cv.iptc.org/newscodes/digitalsourcetype/trained",
                ),
                frame("AI_SYSTEM_USED", "Kokoro 82M (Apache-2.0)"),
            ]
            .concat();
            let header = [
                b'I',
                b'D',
                b'3',
                version,
                0,
                0,
                0,
                0,
                1,
                frames.len() as u8 & 0x7f,
            ];
            let found = declared(&[&header, frames.as_slice(), b"\xff\xfbsound"].concat());
            assert_eq!(found.source_type.as_deref(), Some("trained"));
            assert_eq!(found.system.as_deref(), Some("Kokoro 82M (Apache-2.0)"));
            let cut = declared(&[&header, &frames[..20]].concat());
            assert!(cut.is_empty(), "{cut:?}");
        }
    }

    #[test]
    fn a_manifest_is_noticed_and_a_file_without_a_word_says_nothing() {
        assert!(declared(b"\0\0\0\x1ejumdc2pa\0\x11\0\x10").has_manifest);
        assert!(declared(b"a picture of the C2PA, and of jumd").is_empty());
        assert!(declared(b"").is_empty());
    }
}

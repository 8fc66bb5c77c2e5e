//! The format of a file, by its first bytes, because names can be wrong.

use std::{fs::File, io::Read as _, path::Path};

const HEAD: u64 = 64;

/// The media type for writing manifests into a file; `None` if its format has none.
pub fn of(path: &Path) -> Result<Option<&'static str>, String> {
    let mut head = Vec::new();
    File::open(path)
        .and_then(|file| file.take(HEAD).read_to_end(&mut head))
        .map_err(|error| format!("the file cannot be read: {error}"))?;
    Ok(of_bytes(&head))
}

fn of_bytes(head: &[u8]) -> Option<&'static str> {
    let at = |from: usize, text: &[u8]| head.get(from..from + text.len()) == Some(text);
    Some(match () {
        () if at(0, b"\x89PNG\r\n\x1a\n") => "image/png",
        () if at(0, b"\xff\xd8\xff") => "image/jpeg",
        () if at(0, b"RIFF") && at(8, b"WEBP") => "image/webp",
        () if at(0, b"RIFF") && at(8, b"WAVE") => "audio/wav",
        () if at(0, b"GIF8") => "image/gif",
        () if at(4, b"ftypM4A ") => "audio/mp4",
        () if at(4, b"ftypqt  ") => "video/quicktime",
        () if at(4, b"ftyp") => "video/mp4",
        () if at(0, b"fLaC") => "audio/flac",
        () if at(0, b"ID3") || is_mp3(head) => "audio/mpeg",
        () => return None,
    })
}

/// The first two bytes of a frame: eleven bits of synchronisation, and layer 3.
fn is_mp3(head: &[u8]) -> bool {
    matches!(head, [0xff, second, ..] if second & 0xe6 == 0xe2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_by_the_first_bytes() {
        let told = [
            (&b"\x89PNG\r\n\x1a\n...."[..], Some("image/png")),
            (b"\xff\xd8\xff\xe0", Some("image/jpeg")),
            (b"RIFF\0\0\0\0WEBPVP8 ", Some("image/webp")),
            (b"RIFF\0\0\0\0WAVEfmt ", Some("audio/wav")),
            (b"GIF89a", Some("image/gif")),
            (b"\0\0\0\x20ftypisom", Some("video/mp4")),
            (b"\0\0\0\x20ftypM4A ", Some("audio/mp4")),
            (b"\0\0\0\x14ftypqt  ", Some("video/quicktime")),
            (b"fLaC\0", Some("audio/flac")),
            (b"ID3\x04", Some("audio/mpeg")),
            (b"\xff\xfb\x90\x64", Some("audio/mpeg")),
            (b"<html>", None),
            (b"", None),
        ];
        for (head, format) in told {
            assert_eq!(of_bytes(head), format, "{head:?}");
        }
    }
}

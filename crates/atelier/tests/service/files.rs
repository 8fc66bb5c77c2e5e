//! The smallest files of every upload type, made by hand.

/// A picture of 16 × 16 pixels that decodes.
pub(crate) const PNG: &[u8] = include_bytes!("../../../service/engines/assets/echo.png");
/// One second of video that decodes.
pub(crate) const MP4: &[u8] = include_bytes!("../../../service/engines/assets/echo.mp4");

/// A unique picture: the same pixels, with bytes after the end that no decoder reads.
pub(crate) fn png_with(note: &str) -> Vec<u8> {
    [PNG, note.as_bytes()].concat()
}

/// A picture with exactly this number of bytes.
pub(crate) fn png_of(size: usize) -> Vec<u8> {
    let mut bytes = PNG.to_vec();
    bytes.resize(size, 0);
    bytes
}

fn ftyp(brand: [u8; 4]) -> Vec<u8> {
    [b"\0\0\0\x10ftyp", &brand[..], &[0; 4]].concat()
}

fn ebml(kind: &[u8]) -> Vec<u8> {
    let size = |bytes: &[u8]| 0x80 | bytes.len() as u8;
    let element = [&[0x42, 0x82, size(kind)], kind].concat();
    [&[0x1a, 0x45, 0xdf, 0xa3, size(&element)], &element[..]].concat()
}

fn ogg(payload: &[u8]) -> Vec<u8> {
    [b"OggS\0\x02", &[0; 20][..], &[1, payload.len() as u8], payload].concat()
}

fn frames(header: &[u8], length: usize) -> Vec<u8> {
    let mut frame = header.to_vec();
    frame.resize(length, 0);
    frame.repeat(3)
}

/// A file of each type, with its type.
pub(crate) fn every_type() -> Vec<(&'static str, &'static str, Vec<u8>)> {
    vec![
        ("image/png", "png", PNG.to_vec()),
        (
            "image/jpeg",
            "jpg",
            b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0\xff\xd9".to_vec(),
        ),
        (
            "image/webp",
            "webp",
            b"RIFF\x20\0\0\0WEBPVP8L\x14\0\0\0\x2f\x0f\xc0\x03\0".to_vec(),
        ),
        ("image/gif", "gif", b"GIF89a\x01\0\x01\0\0\0\0\x3b".to_vec()),
        ("video/mp4", "mp4", MP4.to_vec()),
        ("video/quicktime", "mov", ftyp(*b"qt  ")),
        ("video/webm", "webm", ebml(b"webm")),
        ("audio/mpeg", "mp3", frames(&[0xff, 0xfb, 0x90, 0x64], 417)),
        (
            "audio/wav",
            "wav",
            include_bytes!("../../../service/engines/assets/echo.wav").to_vec(),
        ),
        (
            "audio/flac",
            "flac",
            [b"fLaC\x80\0\0\x22".as_slice(), &[0; 34], &[0xff, 0xf8, 0, 0]].concat(),
        ),
        (
            "audio/ogg",
            "ogg",
            ogg(b"\x01vorbis\0\0\0\0\x02\x44\xac\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xb8\x01"),
        ),
        ("audio/mp4", "m4a", ftyp(*b"M4A ")),
        (
            "audio/aac",
            "aac",
            frames(&[0xff, 0xf1, 0x50, 0x80, 0x02, 0x1f, 0xfc], 16),
        ),
    ]
}

/// Files that are refused, and why they resemble a media file.
pub(crate) fn refused() -> Vec<(&'static str, &'static str, Vec<u8>)> {
    vec![
        (
            "a vector picture",
            "a.svg",
            b"<svg xmlns=\"http://www.w3.org/2000/svg\"><script/></svg>".to_vec(),
        ),
        (
            "one with a declaration",
            "a.svg",
            b"<?xml version=\"1.0\"?><svg/>".to_vec(),
        ),
        (
            "a page",
            "a.png",
            b"<!DOCTYPE html><script>alert(1)</script>".to_vec(),
        ),
        (
            "a program",
            "a.png",
            [b"\x7fELF\x02\x01\x01".as_slice(), &[0; 100]].concat(),
        ),
        (
            "a program of another system",
            "a.jpg",
            [b"MZ\x90\0".as_slice(), &[0; 100]].concat(),
        ),
        ("an archive", "a.webp", b"PK\x03\x04\x14\0\0\0".to_vec()),
        ("a document", "a.png", b"%PDF-1.7\n".to_vec()),
        ("a film of another container", "a.mp4", ebml(b"matroska")),
        ("a picture of a type that is not taken", "a.jpg", ftyp(*b"heic")),
        ("plain text", "a.png", b"just a text".to_vec()),
        ("nothing", "a.png", Vec::new()),
    ]
}

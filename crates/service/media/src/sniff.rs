//! The type of a file, from its first bytes alone: no header or file name of a client is trusted.
//! The result is `None` if the file is not of an accepted type, or only looks like one.

use atelier_domain::MediaType;

/// The number of bytes that [`sniff`] looks at, if the file has so many.
pub const HEAD: usize = 4096;

/// The type of a file that begins with `head`: at least [`HEAD`] bytes of it, or all of a shorter file.
///
/// MP4 and M4A share a container, and an ID3 tag longer than `head` hides what follows. In these cases
/// [`probe`](crate::probe()) decides.
pub fn sniff(head: &[u8]) -> Option<MediaType> {
    match head {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some(MediaType::Png),
        [0xff, 0xd8, 0xff, ..] => Some(MediaType::Jpeg),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some(MediaType::Gif),
        [
            b'R',
            b'I',
            b'F',
            b'F',
            _,
            _,
            _,
            _,
            b'W',
            b'E',
            b'B',
            b'P',
            b'V',
            b'P',
            b'8',
            b' ' | b'L' | b'X',
            ..,
        ] => Some(MediaType::Webp),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'A', b'V', b'E', ..] => Some(MediaType::Wav),
        [b'f', b'L', b'a', b'C', ..] => Some(MediaType::Flac),
        [b'O', b'g', b'g', b'S', 0, ..] => ogg(head),
        [0x1a, 0x45, 0xdf, 0xa3, ..] => webm(head),
        [b'I', b'D', b'3', ..] => tagged(head),
        [_, _, _, _, b'f', b't', b'y', b'p', ..] => iso_media(head),
        // QuickTime files from before `ftyp`.
        [0, _, _, _, b'm', b'o', b'o', b'v', ..]
        | [_, _, _, _, b'm', b'd', b'a', b't', ..]
        | [0, 0, 0, 8, b'w', b'i', b'd', b'e', ..] => Some(MediaType::Mov),
        [0xff, second, ..] if second & 0xf6 == 0xf0 => adts_frame(head)
            .is_some_and(|length| followed_by(head, length, adts_frame))
            .then_some(MediaType::Aac),
        [0xff, ..] => {
            let frame = |bytes: &[u8]| mpeg_frame(bytes).map(|frame| frame.length);
            frame(head)
                .is_some_and(|length| followed_by(head, length, frame))
                .then_some(MediaType::Mp3)
        }
        _ => None,
    }
}

/// One frame header of MPEG audio, layer III.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MpegFrame {
    /// Bytes, header included.
    pub(crate) length: usize,
    pub(crate) samples: u32,
    pub(crate) sample_rate: u32,
    /// Bits per second.
    pub(crate) bit_rate: u32,
    /// Bytes of side information after the header, where an encoder's own tag begins.
    pub(crate) side_info: usize,
}

/// Reads a layer III frame header (ISO/IEC 11172-3 and 13818-3, with the 2.5 extension).
pub(crate) fn mpeg_frame(bytes: &[u8]) -> Option<MpegFrame> {
    const V1: [u32; 15] = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
    const V2: [u32; 15] = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
    let &[0xff, second, third, fourth, ..] = bytes else {
        return None;
    };
    if second & 0xe6 != 0xe2 {
        return None;
    }
    let (first_version, divisor) = match (second >> 3) & 3 {
        3 => (true, 1),
        2 => (false, 2),
        0 => (false, 4),
        _ => return None,
    };
    let rate_index = usize::from(third >> 4);
    let kilobits = *if first_version {
        V1.get(rate_index)
    } else {
        V2.get(rate_index)
    }?;
    let sample_rate = *[44_100_u32, 48_000, 32_000].get(usize::from((third >> 2) & 3))? / divisor;
    // Rate 0 is "free format": its frames have no length to check.
    if kilobits == 0 || fourth & 3 == 2 {
        return None;
    }
    let samples = if first_version { 1152 } else { 576 };
    let bit_rate = kilobits * 1000;
    let padding = u32::from((third >> 1) & 1);
    let mono = fourth >> 6 == 3;
    let side_info = match (first_version, mono) {
        (true, false) => 32,
        (true, true) | (false, false) => 17,
        (false, true) => 9,
    };
    Some(MpegFrame {
        length: (samples / 8 * bit_rate / sample_rate + padding) as usize,
        samples,
        sample_rate,
        bit_rate,
        side_info,
    })
}

/// The length in bytes of an ADTS frame (ISO/IEC 13818-7), header included.
pub(crate) fn adts_frame(bytes: &[u8]) -> Option<usize> {
    let &[0xff, second, third, fourth, fifth, sixth, ..] = bytes else {
        return None;
    };
    let sampling_index = (third >> 2) & 0xf;
    if second & 0xf6 != 0xf0 || sampling_index > 12 {
        return None;
    }
    let length = usize::from(fourth & 3) << 11 | usize::from(fifth) << 3 | usize::from(sixth >> 5);
    (length >= 7).then_some(length)
}

/// The length of an ID3v2 tag at the start of `bytes`, header and footer included.
pub(crate) fn id3_length(bytes: &[u8]) -> Option<usize> {
    let &[b'I', b'D', b'3', major, _, flags, a, b, c, d, ..] = bytes else {
        return None;
    };
    if major == 0xff || (a | b | c | d) & 0x80 != 0 {
        return None;
    }
    let body = [a, b, c, d]
        .iter()
        .fold(0, |length, &byte| length << 7 | usize::from(byte));
    Some(10 + body + if flags & 0x10 == 0 { 0 } else { 10 })
}

/// A sync word of two bytes proves little: the next frame must be there too, unless `head` ends before it.
fn followed_by(head: &[u8], at: usize, frame: impl Fn(&[u8]) -> Option<usize>) -> bool {
    match head.get(at..) {
        Some(rest) if rest.len() >= 7 => frame(rest).is_some(),
        _ => true,
    }
}

fn tagged(head: &[u8]) -> Option<MediaType> {
    let start = id3_length(head)?;
    match head.get(start..) {
        // Two tags in a row, or padding that the tag does not count, occur in MP3 files.
        Some(rest) if rest.len() >= 7 && !rest.starts_with(b"ID3") => match sniff(rest) {
            Some(found @ (MediaType::Aac | MediaType::Flac | MediaType::Mp3)) => Some(found),
            Some(_) => None,
            None => rest[..7].iter().all(|&byte| byte == 0).then_some(MediaType::Mp3),
        },
        _ => Some(MediaType::Mp3),
    }
}

/// Ogg with audio: the first page names the codec of the first stream.
fn ogg(head: &[u8]) -> Option<MediaType> {
    let segments = usize::from(*head.get(26)?);
    let payload = head.get(27 + segments..)?;
    [&b"\x01vorbis"[..], b"OpusHead", b"\x7fFLAC", b"Speex   "]
        .iter()
        .any(|magic| payload.starts_with(magic))
        .then_some(MediaType::Ogg)
}

/// Matroska whose EBML header says `webm`.
fn webm(head: &[u8]) -> Option<MediaType> {
    let (mut at, end) = {
        let (size, length) = ebml_size(head.get(4..)?)?;
        let start = 4 + length;
        (
            start,
            start.checked_add(usize::try_from(size).ok()?)?.min(head.len()),
        )
    };
    while at + 2 < end {
        let id_length = head[at].leading_zeros() as usize + 1;
        let id = head.get(at..at.checked_add(id_length)?)?;
        let (size, length) = ebml_size(head.get(at + id_length..)?)?;
        let start = at + id_length + length;
        let stop = start.checked_add(usize::try_from(size).ok()?)?;
        if id == [0x42, 0x82] {
            let name = head.get(start..stop)?;
            let name = name.split(|&byte| byte == 0).next()?;
            return (name == b"webm").then_some(MediaType::Webm);
        }
        at = stop;
    }
    None
}

/// An EBML variable-length size: the value and the bytes it takes. "Unknown" reads as the largest value.
pub(crate) fn ebml_size(bytes: &[u8]) -> Option<(u64, usize)> {
    let &first = bytes.first()?;
    let length = first.leading_zeros() as usize + 1;
    if length > 8 {
        return None;
    }
    let mask = if length == 8 { 0 } else { 0xff >> length };
    let rest = bytes.get(1..length)?;
    let value = rest.iter().fold(u64::from(first & mask), |value, &byte| {
        value << 8 | u64::from(byte)
    });
    let unknown = (1_u64 << (7 * length)) - 1;
    Some((if value == unknown { u64::MAX } else { value }, length))
}

/// ISO base media by its brands (ISO/IEC 14496-12). Pictures (AVIF, HEIC, JPEG 2000, JPEG XL) share the container.
fn iso_media(head: &[u8]) -> Option<MediaType> {
    let size = u32::from_be_bytes(head.first_chunk().copied()?) as usize;
    if !(16..=65_536).contains(&size) {
        return None;
    }
    let brands = &head[8..size.min(head.len())];
    let major = brands.first_chunk::<4>()?;
    let mut compatible = brands.get(8..).unwrap_or_default().chunks_exact(4);
    match major {
        b"qt  " => Some(MediaType::Mov),
        b"M4A " | b"M4B " | b"F4A " => Some(MediaType::M4a),
        b"avif" | b"avis" | b"heic" | b"heix" | b"hevc" | b"hevx" | b"heim" | b"heis" | b"hevm" | b"hevs"
        | b"mif1" | b"mif2" | b"msf1" | b"miaf" | b"jp2 " | b"jpx " | b"jpm " | b"jxl " | b"crx " => None,
        major if is_mp4(major) || compatible.any(is_mp4) => Some(MediaType::Mp4),
        _ => None,
    }
}

fn is_mp4(brand: &[u8]) -> bool {
    matches!(brand, b"mp41" | b"mp42" | b"mp71" | b"avc1" | b"M4V " | b"M4VH" | b"M4VP" | b"F4V " | b"dash" | b"cmfc")
        // iso2 to iso9, isoa and on.
        || brand.starts_with(b"iso")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ftyp(major: [u8; 4], compatible: &[&[u8; 4]]) -> Vec<u8> {
        let mut bytes = (16 + 4 * compatible.len() as u32).to_be_bytes().to_vec();
        bytes.extend(b"ftyp");
        bytes.extend(major);
        bytes.extend([0; 4]);
        for brand in compatible {
            bytes.extend(*brand);
        }
        bytes
    }

    fn ebml(doc_type: &[u8]) -> Vec<u8> {
        let mut body = vec![0x42, 0x86, 0x81, 1, 0x42, 0x82, 0x80 | doc_type.len() as u8];
        body.extend(doc_type);
        let mut bytes = vec![0x1a, 0x45, 0xdf, 0xa3, 0x80 | body.len() as u8];
        bytes.extend(body);
        bytes
    }

    fn ogg_page(payload: &[u8]) -> Vec<u8> {
        let mut bytes = b"OggS\0\x02".to_vec();
        bytes.extend([0; 20]);
        bytes.extend([1, payload.len() as u8]);
        bytes.extend(payload);
        bytes
    }

    fn frames(header: &[u8], length: usize, count: usize) -> Vec<u8> {
        let mut frame = header.to_vec();
        frame.resize(length, 0);
        frame.repeat(count)
    }

    #[test]
    fn every_accepted_type_is_known_by_its_bytes() {
        let id3 = |rest: &[u8]| [b"ID3\x04\0\0\0\0\0\x05tag..".as_slice(), rest].concat();
        let mp3 = frames(&[0xff, 0xfb, 0x90, 0x64], 417, 3);
        let adts = frames(&[0xff, 0xf1, 0x50, 0x80, 0x02, 0x1f, 0xfc], 16, 3);
        for (bytes, expected) in [
            (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec(), MediaType::Png),
            (b"\xff\xd8\xff\xe0\0\x10JFIF".to_vec(), MediaType::Jpeg),
            (b"GIF89a\x01\0\x01\0".to_vec(), MediaType::Gif),
            (b"GIF87a\x01\0\x01\0".to_vec(), MediaType::Gif),
            (b"RIFF\x20\0\0\0WEBPVP8 ".to_vec(), MediaType::Webp),
            (b"RIFF\x20\0\0\0WEBPVP8L".to_vec(), MediaType::Webp),
            (b"RIFF\x20\0\0\0WEBPVP8X".to_vec(), MediaType::Webp),
            (b"RIFF\x20\0\0\0WAVEfmt ".to_vec(), MediaType::Wav),
            (b"fLaC\0\0\0\x22".to_vec(), MediaType::Flac),
            (ogg_page(b"\x01vorbis\0\0\0\0"), MediaType::Ogg),
            (ogg_page(b"OpusHead\x01\x02"), MediaType::Ogg),
            (ogg_page(b"\x7fFLAC\x01\0"), MediaType::Ogg),
            (ebml(b"webm"), MediaType::Webm),
            (ftyp(*b"isom", &[b"iso2", b"avc1", b"mp41"]), MediaType::Mp4),
            (ftyp(*b"mp42", &[]), MediaType::Mp4),
            (ftyp(*b"3gp4", &[b"isom", b"3gp4"]), MediaType::Mp4),
            (ftyp(*b"M4V ", &[b"mp42"]), MediaType::Mp4),
            (ftyp(*b"qt  ", &[]), MediaType::Mov),
            (b"\0\0\0\x08wide\0\0\x10\0mdat".to_vec(), MediaType::Mov),
            (ftyp(*b"M4A ", &[b"mp42", b"isom"]), MediaType::M4a),
            (mp3.clone(), MediaType::Mp3),
            (mp3[..417].to_vec(), MediaType::Mp3),
            (id3(&mp3), MediaType::Mp3),
            (b"ID3\x03\0\0\0\x7f\x7f\x7f".to_vec(), MediaType::Mp3),
            (adts.clone(), MediaType::Aac),
            (id3(&adts), MediaType::Aac),
            (id3(b"fLaC\0\0\0\x22"), MediaType::Flac),
        ] {
            assert_eq!(
                sniff(&bytes),
                Some(expected),
                "{:?}",
                &bytes[..bytes.len().min(24)]
            );
        }
    }

    #[test]
    fn other_files_are_not_recognised() {
        for bytes in [
            b"".to_vec(),
            b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>".to_vec(),
            b"<?xml version=\"1.0\"?><svg/>".to_vec(),
            b"<!DOCTYPE html><html></html>".to_vec(),
            b"%PDF-1.7".to_vec(),
            b"PK\x03\x04".to_vec(),
            b"\x7fELF".to_vec(),
            b"BM\x46\0\0\0".to_vec(),
            b"II*\0\x08\0\0\0".to_vec(),
            b"\xff\xfeh\0i\0".to_vec(),
            b"RIFF\x20\0\0\0AVI LIST".to_vec(),
            b"RIFF\x20\0\0\0WEBPEXIF".to_vec(),
            ebml(b"matroska"),
            ogg_page(b"\x80theora"),
            ftyp(*b"avif", &[b"mif1", b"miaf"]),
            ftyp(*b"heic", &[b"mif1", b"heic"]),
            ftyp(*b"mif1", &[b"avif"]),
            ftyp(*b"abcd", &[b"efgh"]),
            // A sync word without a second frame.
            [&[0xff, 0xfb, 0x90, 0x64][..], &[0x20; 1000]].concat(),
            [&[0xff, 0xf1, 0x50, 0x80, 0x02, 0x1f, 0xfc][..], &[0x20; 1000]].concat(),
            // Layer II and layer I.
            [0xff, 0xfd, 0x90, 0x64].repeat(300),
            [0xff, 0xff, 0x90, 0x64].repeat(300),
        ] {
            assert_eq!(sniff(&bytes), None, "{:?}", &bytes[..bytes.len().min(24)]);
        }
    }

    proptest::proptest! {
        #[test]
        fn no_bytes_make_it_panic(
            start in 0_usize..12,
            bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..300),
        ) {
            let magics: [&[u8]; 12] = [
                b"", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF89a", b"RIFF", b"fLaC", b"OggS\0", b"\x1a\x45\xdf\xa3",
                b"ID3", b"\0\0\0\x18ftyp", b"\xff\xf1", b"\xff\xfb",
            ];
            sniff(&[magics[start], &bytes].concat());
        }
    }
}

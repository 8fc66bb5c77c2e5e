//! Small files put together byte by byte: as much of each format as a header reader looks at.

#![expect(clippy::trivially_copy_pass_by_ref, reason = "byte strings are references")]

/// A TIFF structure with nothing but an orientation.
fn exif(orientation: u16) -> Vec<u8> {
    let mut bytes = b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01".to_vec();
    bytes.extend(orientation.to_be_bytes());
    bytes.extend([0; 6]);
    bytes
}

pub(super) fn png(width: u32, height: u32, orientation: Option<u16>) -> Vec<u8> {
    let chunk =
        |kind: &[u8; 4], data: &[u8]| [&(data.len() as u32).to_be_bytes()[..], kind, data, &[0; 4]].concat();
    let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 2, 0, 0, 0]].concat();
    let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
    bytes.extend(chunk(b"IHDR", &header));
    bytes.extend(chunk(b"tEXt", b"Comment\0nothing"));
    if let Some(orientation) = orientation {
        bytes.extend(chunk(b"eXIf", &exif(orientation)));
    }
    bytes.extend(chunk(b"IDAT", &[0; 20]));
    bytes.extend(chunk(b"IEND", &[]));
    bytes
}

pub(super) fn jpeg(width: u16, height: u16, orientation: Option<u16>) -> Vec<u8> {
    let segment = |marker: u8, data: &[u8]| {
        [&[0xff, marker][..], &(data.len() as u16 + 2).to_be_bytes(), data].concat()
    };
    let mut bytes = vec![0xff, 0xd8];
    bytes.extend(segment(0xe0, b"JFIF\0\x01\x01\0\0\x01\0\x01\0\0"));
    if let Some(orientation) = orientation {
        bytes.extend(segment(0xe1, &[b"Exif\0\0", &exif(orientation)[..]].concat()));
    }
    bytes.extend(segment(0xdb, &[0; 65]));
    let frame = [
        &[8][..],
        &height.to_be_bytes(),
        &width.to_be_bytes(),
        &[1, 1, 0x11, 0],
    ]
    .concat();
    bytes.push(0xff);
    bytes.extend(segment(0xc2, &frame));
    bytes.extend(segment(0xda, &[1, 1, 0, 0, 63, 0]));
    bytes.extend([0, 0xff, 0xd9]);
    bytes
}

pub(super) fn gif(width: u16, height: u16) -> Vec<u8> {
    [
        b"GIF89a",
        &width.to_le_bytes()[..],
        &height.to_le_bytes(),
        &[0, 0, 0, 0x3b],
    ]
    .concat()
}

fn riff(form: &[u8; 4], chunks: &[(&[u8; 4], Vec<u8>)]) -> Vec<u8> {
    let mut body = form.to_vec();
    for (kind, data) in chunks {
        body.extend(*kind);
        body.extend((data.len() as u32).to_le_bytes());
        body.extend(data);
        body.resize(body.len().next_multiple_of(2), 0);
    }
    [b"RIFF", &(body.len() as u32).to_le_bytes()[..], &body].concat()
}

pub(super) fn webp_lossy(width: u16, height: u16) -> Vec<u8> {
    let mut data = vec![0x10, 0, 0, 0x9d, 0x01, 0x2a];
    data.extend(width.to_le_bytes());
    data.extend(height.to_le_bytes());
    riff(b"WEBP", &[(b"VP8 ", data)])
}

pub(super) fn webp_lossless(width: u32, height: u32) -> Vec<u8> {
    let mut data = vec![0x2f];
    data.extend(((width - 1) | (height - 1) << 14).to_le_bytes());
    riff(b"WEBP", &[(b"VP8L", data)])
}

pub(super) fn webp_extended(width: u32, height: u32, orientation: Option<u16>) -> Vec<u8> {
    let mut data = vec![if orientation.is_some() { 0x08 } else { 0 }, 0, 0, 0];
    data.extend(&(width - 1).to_le_bytes()[..3]);
    data.extend(&(height - 1).to_le_bytes()[..3]);
    let mut chunks = vec![(b"VP8X", data), (b"VP8 ", vec![0; 31])];
    if let Some(orientation) = orientation {
        chunks.push((b"EXIF", exif(orientation)));
    }
    riff(b"WEBP", &chunks)
}

pub(super) fn nested(kind: &[u8; 4], body: &[u8]) -> Vec<u8> {
    [&(body.len() as u32 + 8).to_be_bytes()[..], kind, body].concat()
}

fn full(kind: &[u8; 4], version: u8, flags: u32, body: &[&[u8]]) -> Vec<u8> {
    let head = (u32::from(version) << 24 | flags).to_be_bytes();
    nested(kind, &[&head[..], &body.concat()].concat())
}

fn be(value: u64, version: u8) -> Vec<u8> {
    if version == 1 {
        value.to_be_bytes().to_vec()
    } else {
        (value as u32).to_be_bytes().to_vec()
    }
}

const UPRIGHT: [u32; 9] = [0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000];
const QUARTER: [u32; 9] = [0, 0x1_0000, 0, 0xffff_0000, 0, 0, 480 << 16, 0, 0x4000_0000];

fn track(id: u32, video: bool, version: u8, matrix: [u32; 9], duration: u64) -> Vec<u8> {
    let times = [be(0, version), be(0, version)].concat();
    let (width, height) = if video {
        (640_u32 << 16, 480_u32 << 16)
    } else {
        (0, 0)
    };
    let header = full(
        b"tkhd",
        version,
        3,
        &[
            &times,
            &id.to_be_bytes(),
            &[0; 4],
            &be(duration, version),
            &[0; 16],
            &matrix.map(u32::to_be_bytes).concat(),
            &width.to_be_bytes(),
            &height.to_be_bytes(),
        ],
    );
    let media = full(
        b"mdhd",
        version,
        0,
        &[&times, &1000_u32.to_be_bytes(), &be(duration, version), &[0; 4]],
    );
    let kind: &[u8] = if video { b"vide" } else { b"soun" };
    let handler = full(b"hdlr", 0, 0, &[&[0; 4], kind, &[0; 13]]);
    let entry = nested(if video { b"avc1" } else { b"mp4a" }, &[0; 70]);
    let description = full(b"stsd", 0, 0, &[&[0, 0, 0, 1], &entry]);
    // Samples of ten units each.
    let samples = (duration as u32 / 10).to_be_bytes();
    let durations = full(b"stts", 0, 0, &[&[0, 0, 0, 1], &samples, &[0, 0, 0, 10]]);
    let table = nested(b"stbl", &[description, durations].concat());
    let data_handler = full(b"hdlr", 0, 0, &[b"dhlr", b"url ", &[0; 13]]);
    let information = nested(b"minf", &[data_handler, table].concat());
    nested(
        b"trak",
        &[header, nested(b"mdia", &[media, handler, information].concat())].concat(),
    )
}

fn movie(brand: &[u8; 4], version: u8, duration: u64, tracks: &[Vec<u8>]) -> Vec<u8> {
    let type_box = nested(b"ftyp", &[brand, &[0, 0, 2, 0][..], brand].concat());
    let header = full(
        b"mvhd",
        version,
        0,
        &[
            &be(0, version),
            &be(0, version),
            &1000_u32.to_be_bytes(),
            &be(duration, version),
            &[0; 80],
        ],
    );
    let data = nested(b"mdat", &[0; 100]);
    let movie = nested(b"moov", &[header, tracks.concat()].concat());
    [type_box, data, movie].concat()
}

pub(super) fn mp4(brand: &[u8; 4], version: u8, video: bool, audio: bool) -> Vec<u8> {
    let mut tracks = Vec::new();
    if video {
        tracks.push(track(1, true, version, UPRIGHT, 2500));
    }
    if audio {
        tracks.push(track(2, false, version, UPRIGHT, 2480));
    }
    movie(brand, version, 2500, &tracks)
}

pub(super) fn mp4_turned() -> Vec<u8> {
    movie(b"mp42", 0, 2500, &[track(1, true, 0, QUARTER, 2500)])
}

/// Two fragments: one second of samples of equal length, two of samples that say their own.
pub(super) fn mp4_fragmented() -> Vec<u8> {
    let defaults = full(
        b"trex",
        0,
        0,
        &[&1_u32.to_be_bytes(), &[0; 4], &40_u32.to_be_bytes(), &[0; 8]],
    );
    let mut bytes = movie(
        b"iso5",
        0,
        0,
        &[track(1, true, 0, UPRIGHT, 0), nested(b"mvex", &defaults)],
    );
    let fragment = |start: u32, run: Vec<u8>| {
        let header = full(b"tfhd", 0, 0x0002_0000, &[&1_u32.to_be_bytes()]);
        let time = full(b"tfdt", 0, 0, &[&start.to_be_bytes()]);
        nested(b"moof", &nested(b"traf", &[header, time, run].concat()))
    };
    bytes.extend(fragment(
        0,
        full(b"trun", 0, 1, &[&25_u32.to_be_bytes(), &[0; 4]]),
    ));
    let samples = [500_u32, 7].map(u32::to_be_bytes).concat().repeat(4);
    bytes.extend(fragment(
        1000,
        full(b"trun", 0, 0x301, &[&4_u32.to_be_bytes(), &[0; 4], &samples]),
    ));
    bytes
}

/// With its duration and a cluster of known size, or as a recorder leaves it: neither.
pub(super) fn webm(finished: bool) -> Vec<u8> {
    let element = |id: &[u8], body: &[u8]| {
        assert!(body.len() < 127);
        [id, &[0x80 | body.len() as u8], body].concat()
    };
    let header = element(&[0x1a, 0x45, 0xdf, 0xa3], &element(&[0x42, 0x82], b"webm"));
    let mut information = element(&[0x2a, 0xd7, 0xb1], &1_000_000_u32.to_be_bytes());
    if finished {
        information.extend(element(&[0x44, 0x89], &2500_f64.to_be_bytes()));
    }
    let size = [
        element(&[0xb0], &640_u16.to_be_bytes()),
        element(&[0xba], &480_u16.to_be_bytes()),
    ]
    .concat();
    let entry = [element(&[0x83], &[1]), element(&[0xe0], &size)].concat();
    let tracks = element(&[0x16, 0x54, 0xae, 0x6b], &element(&[0xae], &entry));
    let cluster = |time: u16, offset: i16| {
        let block = [&[0x81][..], &offset.to_be_bytes(), &[0x80, 1, 2, 3]].concat();
        let body = [element(&[0xe7], &time.to_be_bytes()), element(&[0xa3], &block)].concat();
        if finished {
            element(&[0x1f, 0x43, 0xb6, 0x75], &body)
        } else {
            [
                &[
                    0x1f, 0x43, 0xb6, 0x75, 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                ][..],
                &body,
            ]
            .concat()
        }
    };
    [
        header,
        vec![
            0x18, 0x53, 0x80, 0x67, 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
        ],
        element(&[0x15, 0x49, 0xa9, 0x66], &information),
        tracks,
        cluster(0, 0),
        cluster(2000, if finished { 460 } else { 40 }),
    ]
    .concat()
}

/// A second of 44.1 kHz, 16 bits, one channel; `length` is what the header says of it.
pub(super) fn wav(length: Option<u32>) -> Vec<u8> {
    let format = [
        &1_u16.to_le_bytes()[..],
        &1_u16.to_le_bytes(),
        &44_100_u32.to_le_bytes(),
        &88_200_u32.to_le_bytes(),
        &[2, 0, 16, 0],
    ]
    .concat();
    let mut bytes = riff(b"WAVE", &[(b"fmt ", format), (b"LIST", vec![0; 5])]);
    bytes.extend(b"data");
    bytes.extend(length.unwrap_or(u32::MAX).to_le_bytes());
    bytes.extend(vec![0; 88_200]);
    bytes
}

/// 1.5 s of 48 kHz.
pub(super) fn flac() -> Vec<u8> {
    let mut info = [0; 34];
    info[10..14].copy_from_slice(&(48_000_u32 << 12 | 1 << 9 | 15 << 4).to_be_bytes());
    info[14..18].copy_from_slice(&72_000_u32.to_be_bytes());
    let mut bytes = [b"fLaC\x80\0\0\x22", &info[..]].concat();
    // Frames of 1,000 samples at the rate of `STREAMINFO`.
    for number in 0..72 {
        let header = [0xff, 0xf8, 0x70, 0x08, number, 0x03, 0xe7];
        bytes.extend(header);
        bytes.push(crate::probe::flac::checksum(&header));
        bytes.extend([0; 40]);
    }
    bytes
}

fn ogg_page(granule: u64, serial: u32, packets: &[&[u8]]) -> Vec<u8> {
    let mut lacing = Vec::new();
    for packet in packets {
        lacing.resize(lacing.len() + packet.len() / 255, 255);
        lacing.push((packet.len() % 255) as u8);
    }
    let begins = packets[0].starts_with(b"\x01vorbis") || packets[0].starts_with(b"OpusHead");
    let mut bytes = b"OggS\0".to_vec();
    bytes.push(if begins { 2 } else { 0 });
    bytes.extend(granule.to_le_bytes());
    bytes.extend(serial.to_le_bytes());
    bytes.extend([0; 8]);
    bytes.push(lacing.len() as u8);
    bytes.extend(lacing);
    bytes.extend(packets.concat());
    bytes
}

pub(super) fn ogg_vorbis() -> Vec<u8> {
    let first = [b"\x01vorbis\0\0\0\0\x02", &44_100_u32.to_le_bytes()[..], &[0; 14]].concat();
    [
        ogg_page(0, 7, &[&first]),
        ogg_page(44_100, 7, &[&[0; 200]]),
        ogg_page(88_200, 7, &[&vec![0; 30_000]]),
        // A page that ends no packet, and one of another stream.
        ogg_page(u64::MAX, 7, &[&[0; 100]]),
        ogg_page(999_999, 8, &[&[0; 100]]),
    ]
    .concat()
}

pub(super) fn ogg_opus() -> Vec<u8> {
    let first = [
        b"OpusHead\x01\x02",
        &312_u16.to_le_bytes()[..],
        &24_000_u32.to_le_bytes(),
        &[0; 3],
    ]
    .concat();
    // Packets of 20 ms.
    let packets = [&[0xf8_u8, 0, 0][..]; 101];
    [ogg_page(0, 7, &[&first]), ogg_page(96_312, 7, &packets)].concat()
}

pub(super) fn id3(length: usize) -> Vec<u8> {
    let size = [
        length >> 21,
        length >> 14 & 0x7f,
        length >> 7 & 0x7f,
        length & 0x7f,
    ]
    .map(|digit| digit as u8);
    [b"ID3\x04\0\0", &size[..], &vec![0; length]].concat()
}

/// Frames of 128 kbit/s at 44.1 kHz, 417 bytes each.
pub(super) fn mp3(count: usize) -> Vec<u8> {
    let mut frame = vec![0xff, 0xfb, 0x90, 0x64];
    frame.resize(417, 0);
    frame.repeat(count)
}

pub(super) fn mp3_counted(tag: &[u8; 4], count: u32) -> Vec<u8> {
    let mut bytes = mp3(count as usize + 1);
    bytes[36..40].copy_from_slice(tag);
    bytes[40..44].copy_from_slice(&1_u32.to_be_bytes());
    bytes[44..48].copy_from_slice(&count.to_be_bytes());
    bytes
}

/// With a complete header whose encoder says that it added 576 samples before and 1,344 after the sound.
pub(super) fn mp3_gapless(count: u32) -> Vec<u8> {
    let mut bytes = mp3_counted(b"Info", count);
    bytes[43] = 0xf;
    bytes[156..160].copy_from_slice(b"LAME");
    bytes[177..180].copy_from_slice(&[0x24, 0x05, 0x40]);
    bytes
}

pub(super) fn mp3_vbri(count: u32) -> Vec<u8> {
    let mut bytes = mp3(count as usize + 1);
    bytes[36..40].copy_from_slice(b"VBRI");
    bytes[50..54].copy_from_slice(&count.to_be_bytes());
    bytes
}

/// Frames of 1,024 samples at 44.1 kHz, 16 bytes each.
pub(super) fn adts(count: usize) -> Vec<u8> {
    let mut frame = vec![0xff, 0xf1, 0x50, 0x80, 0x02, 0x1f, 0xfc];
    frame.resize(16, 0);
    frame.repeat(count)
}

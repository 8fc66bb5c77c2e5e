//! Files assembled by hand, then cut, damaged and replaced by noise; and files of ffmpeg whose headers lie.

mod files;
mod tampered;

use std::io::Cursor;

use proptest::prelude::*;

use super::*;

fn facts(bytes: &[u8]) -> FileFacts {
    probe_reader(Cursor::new(bytes)).unwrap()
}

/// Type, width, height, and milliseconds.
type Known = (MediaType, Option<u32>, Option<u32>, Option<u64>);

fn known(bytes: &[u8]) -> Known {
    let facts = facts(bytes);
    assert_eq!(facts.size, bytes.len() as u64);
    let milliseconds = facts.duration.map(|seconds| (seconds * 1000.0).round() as u64);
    (facts.media_type, facts.width, facts.height, milliseconds)
}

/// One file of each kind and shape, with its facts.
fn samples() -> Vec<(&'static str, Vec<u8>, Known)> {
    [pictures(), films(), sounds()].concat()
}

fn pictures() -> Vec<(&'static str, Vec<u8>, Known)> {
    let picture = |media_type| (media_type, Some(640), Some(480), None);
    let turned = |media_type| (media_type, Some(480), Some(640), None);
    vec![
        ("png", files::png(640, 480, None), picture(MediaType::Png)),
        (
            "png turned",
            files::png(640, 480, Some(6)),
            turned(MediaType::Png),
        ),
        ("jpeg", files::jpeg(640, 480, None), picture(MediaType::Jpeg)),
        (
            "jpeg mirrored",
            files::jpeg(640, 480, Some(2)),
            picture(MediaType::Jpeg),
        ),
        (
            "jpeg turned",
            files::jpeg(640, 480, Some(8)),
            turned(MediaType::Jpeg),
        ),
        ("gif", files::gif(640, 480), picture(MediaType::Gif)),
        (
            "webp lossy",
            files::webp_lossy(640, 480),
            picture(MediaType::Webp),
        ),
        (
            "webp lossless",
            files::webp_lossless(640, 480),
            picture(MediaType::Webp),
        ),
        (
            "webp extended",
            files::webp_extended(640, 480, None),
            picture(MediaType::Webp),
        ),
        (
            "webp turned",
            files::webp_extended(640, 480, Some(5)),
            turned(MediaType::Webp),
        ),
    ]
}

fn films() -> Vec<(&'static str, Vec<u8>, Known)> {
    let sound = |media_type, milliseconds| (media_type, None, None, Some(milliseconds));
    let film = |media_type, milliseconds| (media_type, Some(640), Some(480), Some(milliseconds));
    let turned_film = (MediaType::Mp4, Some(480), Some(640), Some(2500));
    vec![
        (
            "mp4",
            files::mp4(b"isom", 0, true, true),
            film(MediaType::Mp4, 2500),
        ),
        (
            "mp4 of version 1",
            files::mp4(b"isom", 1, true, true),
            film(MediaType::Mp4, 2500),
        ),
        ("mp4 turned", files::mp4_turned(), turned_film),
        (
            "mp4 in fragments",
            files::mp4_fragmented(),
            film(MediaType::Mp4, 3000),
        ),
        (
            "mp4 with sound alone",
            files::mp4(b"isom", 0, false, true),
            sound(MediaType::M4a, 2480),
        ),
        (
            "m4a",
            files::mp4(b"M4A ", 0, false, true),
            sound(MediaType::M4a, 2480),
        ),
        (
            "m4a with a film in it",
            files::mp4(b"M4A ", 0, true, true),
            film(MediaType::Mp4, 2500),
        ),
        (
            "mov",
            files::mp4(b"qt  ", 0, true, false),
            film(MediaType::Mov, 2500),
        ),
        ("webm", files::webm(true), film(MediaType::Webm, 2500)),
        (
            "webm from a recorder",
            files::webm(false),
            film(MediaType::Webm, 2140),
        ),
    ]
}

fn sounds() -> Vec<(&'static str, Vec<u8>, Known)> {
    let sound = |media_type, milliseconds| (media_type, None, None, Some(milliseconds));
    vec![
        ("wav", files::wav(Some(88_200)), sound(MediaType::Wav, 1000)),
        ("wav from a pipe", files::wav(None), sound(MediaType::Wav, 1000)),
        ("flac", files::flac(), sound(MediaType::Flac, 1500)),
        (
            "flac after a tag",
            [files::id3(6000), files::flac()].concat(),
            sound(MediaType::Flac, 1500),
        ),
        ("ogg vorbis", files::ogg_vorbis(), sound(MediaType::Ogg, 2000)),
        ("ogg opus", files::ogg_opus(), sound(MediaType::Ogg, 2000)),
        ("mp3", files::mp3(100), sound(MediaType::Mp3, 2612)),
        (
            "mp3 after a tag",
            [files::id3(6000), files::mp3(100)].concat(),
            sound(MediaType::Mp3, 2612),
        ),
        (
            "mp3 with a count",
            files::mp3_counted(b"Xing", 1000),
            sound(MediaType::Mp3, 26_122),
        ),
        (
            "mp3 with another count",
            files::mp3_vbri(1000),
            sound(MediaType::Mp3, 26_122),
        ),
        (
            "mp3 without gaps",
            files::mp3_gapless(1000),
            sound(MediaType::Mp3, 26_079),
        ),
        ("aac", files::adts(100), sound(MediaType::Aac, 2322)),
        (
            "aac after a tag",
            [files::id3(6000), files::adts(100)].concat(),
            sound(MediaType::Aac, 2322),
        ),
    ]
}

#[test]
fn a_file_tells_its_size_as_shown_and_its_duration() {
    for (name, bytes, expected) in samples() {
        assert_eq!(known(&bytes), expected, "{name}");
    }
}

#[test]
fn an_mp3_with_a_gap_has_about_its_length() {
    let mut bytes = files::mp3(100);
    bytes[417 * 40..417 * 41].fill(0);
    let (_, _, _, milliseconds) = known(&bytes);
    assert!(milliseconds.unwrap().abs_diff(2612) < 30, "{milliseconds:?}");
}

#[test]
fn a_signature_alone_has_a_type_and_no_facts() {
    for bytes in [
        &b"\x89PNG\r\n\x1a\n"[..],
        b"\xff\xd8\xff\xe0",
        b"fLaC",
        b"GIF89a",
        b"RIFF\0\0\0\0WAVE",
    ] {
        let (_, width, height, milliseconds) = known(bytes);
        assert_eq!((width, height, milliseconds), (None, None, None), "{bytes:?}");
    }
}

#[test]
fn what_is_no_stored_type_has_no_facts() {
    for bytes in [&b""[..], b"<svg/>", b"hello"] {
        assert!(matches!(
            probe_reader(Cursor::new(bytes)),
            Err(ProbeError::Unrecognised)
        ));
    }
}

#[test]
fn a_file_cut_anywhere_is_read_without_harm() {
    for (name, bytes, _) in samples() {
        // Every length of the headers; of what follows, some.
        for length in (0..bytes.len()).filter(|length| *length < 1200 || length % 97 == 0) {
            match probe_reader(Cursor::new(&bytes[..length])) {
                Ok(_) | Err(ProbeError::Unrecognised) => {}
                Err(ProbeError::Io(error)) => panic!("{name} cut at {length}: {error}"),
            }
        }
    }
}

#[test]
fn sizes_beyond_the_file_are_not_believed() {
    for (name, bytes, _) in samples() {
        // Long files are long because of their contents; their headers come first.
        let headers = if bytes.len() < 1500 { bytes.len() } else { 120 };
        for at in 0..headers {
            for value in [0_u8, 1, 0x7f, 0xff] {
                let mut damaged = bytes.clone();
                let end = (at + 4).min(damaged.len());
                damaged[at..end].fill(value);
                match probe_reader(Cursor::new(&damaged)) {
                    Ok(_) | Err(ProbeError::Unrecognised) => {}
                    Err(ProbeError::Io(error)) => panic!("{name} damaged at {at}: {error}"),
                }
            }
        }
    }
}

#[test]
fn a_file_of_nothing_but_tiny_parts_ends_the_search() {
    // 24 MiB of empty boxes, nested and side by side, and of empty clusters.
    let boxes = [
        files::mp4(b"isom", 0, true, true),
        b"\0\0\0\x08free".repeat(3 << 20),
    ]
    .concat();
    assert_eq!(known(&boxes).1, Some(640));
    let nested = [
        files::mp4(b"isom", 0, true, true),
        b"\0\0\0\0moov\0\0\0\0trak".repeat(1 << 20),
    ]
    .concat();
    assert_eq!(facts(&nested).media_type, MediaType::Mp4);
    let deep = [
        files::mp4(b"isom", 0, true, true),
        files::nested(b"moov", &files::nested(b"trak", &b"\0\0\0\0mdia".repeat(2 << 20))),
    ]
    .concat();
    assert_eq!(facts(&deep).media_type, MediaType::Mp4);
    let clusters = [files::webm(false), b"\x1f\x43\xb6\x75\x80".repeat(4 << 20)].concat();
    assert_eq!(facts(&clusters).media_type, MediaType::Webm);
}

#[test]
fn the_readers_own_error_is_no_missing_fact() {
    struct Broken(Cursor<Vec<u8>>);
    impl Read for Broken {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.0.position() > 0 {
                return Err(io::Error::other("the disk is gone"));
            }
            self.0.read(buffer)
        }
    }
    impl Seek for Broken {
        fn seek(&mut self, to: io::SeekFrom) -> io::Result<u64> {
            self.0.seek(to)
        }
    }
    let bytes = [files::id3(60_000), files::mp3(10)].concat();
    assert!(matches!(
        probe_reader(Broken(Cursor::new(bytes))),
        Err(ProbeError::Io(_))
    ));
}

proptest! {
    #[test]
    fn noise_after_any_beginning_is_read_without_harm(
        sample in 0_usize..33,
        kept in 0_usize..400,
        noise in proptest::collection::vec(any::<u8>(), 0..2000),
    ) {
        let (_, bytes, _) = samples().swap_remove(sample);
        let bytes = [&bytes[..kept.min(bytes.len())], &noise].concat();
        let result = probe_reader(Cursor::new(&bytes));
        prop_assert!(!matches!(result, Err(ProbeError::Io(_))));
    }
}

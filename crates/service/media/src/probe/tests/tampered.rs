//! Twelve seconds in every container, with headers that say otherwise. The samples are not touched.

use std::{fs, path::Path, process::Command};

use super::*;

const SECONDS: f64 = 12.0;
/// Twelve seconds of moving pictures, and twelve of sound.
const INPUTS: &str =
    "-f lavfi -i testsrc=size=64x48:rate=25:duration=12 -f lavfi -i sine=frequency=440:duration=12";

/// Names of files, and how ffmpeg makes them of these.
const FILES: [(&str, &str); 20] = [
    ("a.mp4", "-c:v libx264 -g 50 -c:a aac"),
    (
        "pieces.mp4",
        "-c:v libx264 -g 50 -c:a aac -movflags frag_keyframe+empty_moov",
    ),
    ("silent.mp4", "-map 0 -c:v libx264 -g 50 -bf 2"),
    ("a.mov", "-c:v libx264 -g 50 -c:a pcm_s16le"),
    ("a.m4a", "-map 1 -c:a aac"),
    ("lossless.m4a", "-map 1 -c:a alac"),
    ("vp8.webm", "-c:v libvpx -g 50 -c:a libopus"),
    (
        "vp9.webm",
        "-c:v libvpx-vp9 -cpu-used 8 -deadline realtime -g 50 -c:a libvorbis",
    ),
    ("live.webm", "-map 0 -c:v libvpx -g 50 -f webm -live 1"),
    ("vorbis.ogg", "-map 1 -c:a libvorbis"),
    ("opus.ogg", "-map 1 -c:a libopus"),
    ("flac.ogg", "-map 1 -c:a flac"),
    ("speex.ogg", "-map 1 -ar 16000 -c:a libspeex"),
    ("constant.mp3", "-map 1 -c:a libmp3lame -b:a 64k"),
    ("variable.mp3", "-map 1 -c:a libmp3lame -q:a 4"),
    (
        "bare.mp3",
        "-map 1 -c:a libmp3lame -write_xing 0 -id3v2_version 0",
    ),
    ("a.aac", "-map 1 -c:a aac -f adts"),
    ("a.flac", "-map 1 -c:a flac"),
    ("a.wav", "-map 1"),
    ("adpcm.wav", "-map 1 -c:a adpcm_ima_wav"),
];

/// Makes these files in a folder. Returns false if there is no ffmpeg.
fn make(folder: &Path, wanted: impl Fn(&str) -> bool) -> bool {
    let Some(ffmpeg) = atelier_testkit::program("ffmpeg") else {
        return false;
    };
    let mut command = Command::new(ffmpeg);
    command.args("-v error -y".split(' ')).args(INPUTS.split(' '));
    for (name, how) in FILES.iter().filter(|(name, _)| wanted(name)) {
        command.args(how.split(' ')).arg(folder.join(name));
    }
    let told = command.output().unwrap();
    assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
    true
}

/// Returns all places of a text.
fn places(bytes: &[u8], text: &[u8]) -> Vec<usize> {
    memchr::memmem::find_iter(bytes, text).collect()
}

/// Writes a number into every box of a name, so many bytes after its name.
fn in_boxes(bytes: &mut [u8], name: [u8; 4], offset: usize, value: u32) {
    let found = places(bytes, &name);
    assert!(!found.is_empty(), "{name:?}");
    for at in found {
        let at = at + 4 + offset;
        bytes[at..at + 4].copy_from_slice(&value.to_be_bytes());
    }
}

/// Overwrites the contents of the first EBML element of an id with one byte. Its size takes one byte.
fn in_elements(bytes: &mut [u8], id: &[u8], fill: u8) {
    let start = places(bytes, id)[0] + id.len() + 1;
    let length = usize::from(bytes[start - 1] & 0x7f);
    assert!(length <= 8, "{length}");
    bytes[start..start + length].fill(fill);
}

/// Says of every page, or of the last one, that it ends at a position.
fn granules(bytes: &mut [u8], last_only: bool, value: u64) {
    let mut pages = places(bytes, b"OggS\0");
    if last_only {
        pages.drain(..pages.len() - 1);
    }
    // The heads of streams are left alone.
    for at in pages {
        if bytes[at + 6..at + 14] != [0; 8] {
            bytes[at + 6..at + 14].copy_from_slice(&value.to_le_bytes());
        }
    }
}

fn total_of_flac(bytes: &mut [u8], samples: u32) {
    bytes[21] &= 0xf0;
    bytes[22..26].copy_from_slice(&samples.to_be_bytes());
}

fn xing(bytes: &mut [u8], frames: u32) {
    let at = *[&b"Xing"[..], b"Info"]
        .iter()
        .find_map(|tag| places(bytes, tag).first().copied())
        .as_ref()
        .unwrap();
    bytes[at + 8..at + 12].copy_from_slice(&frames.to_be_bytes());
}

fn insert(bytes: &mut Vec<u8>, at: usize, what: &[u8]) {
    bytes.splice(at..at, what.iter().copied());
}

/// Returns the start of the data of a WAV.
fn data(bytes: &[u8]) -> usize {
    places(bytes, b"data")[0] + 8
}

type Tamper = fn(&mut Vec<u8>);

/// The changes to each file.
const TAMPERED: &[(&str, &str, Tamper)] = &[
    ("a.mp4", "movie header: 1 ms", |b| in_boxes(b, *b"mvhd", 16, 1)),
    ("a.mp4", "movie header: a day", |b| {
        in_boxes(b, *b"mvhd", 16, 86_400_000);
    }),
    ("a.mp4", "movie header: unknown", |b| {
        in_boxes(b, *b"mvhd", 16, u32::MAX);
    }),
    ("a.mp4", "track headers: 1 ms", |b| in_boxes(b, *b"tkhd", 20, 1)),
    ("a.mp4", "media headers: one unit", |b| {
        in_boxes(b, *b"mdhd", 16, 1);
    }),
    ("a.mp4", "every header: 1", |b| {
        for (name, offset) in [(b"mvhd", 16), (b"tkhd", 20), (b"mdhd", 16)] {
            in_boxes(b, *name, offset, 1);
        }
    }),
    ("silent.mp4", "every header: 0", |b| {
        for (name, offset) in [(b"mvhd", 16), (b"tkhd", 20), (b"mdhd", 16)] {
            in_boxes(b, *name, offset, 0);
        }
    }),
    ("silent.mp4", "an edit that begins after the end", |b| {
        in_boxes(b, *b"elst", 12, 1 << 30);
    }),
    ("silent.mp4", "most durations left out", |b| {
        // The table still holds one run; it claims one sample.
        in_boxes(b, *b"stts", 8, 1);
    }),
    ("pieces.mp4", "fragments that all begin at 0", |b| {
        in_boxes(b, *b"tfdt", 8, 0);
    }),
    ("pieces.mp4", "movie header: 1 ms", |b| {
        in_boxes(b, *b"mvhd", 16, 1);
    }),
    ("pieces.mp4", "no announcement of fragments", |b| {
        for at in places(b, b"mvex") {
            b[at..at + 4].copy_from_slice(b"free");
        }
    }),
    ("a.mov", "movie header: 1 ms", |b| in_boxes(b, *b"mvhd", 16, 1)),
    ("a.mov", "every header: 1", |b| {
        for (name, offset) in [(b"mvhd", 16), (b"tkhd", 20), (b"mdhd", 16)] {
            in_boxes(b, *name, offset, 1);
        }
    }),
    ("a.m4a", "movie header: 1 ms", |b| in_boxes(b, *b"mvhd", 16, 1)),
    ("a.m4a", "scale of the media: 1000 times", |b| {
        in_boxes(b, *b"mdhd", 12, 44_100_000);
    }),
    ("a.m4a", "sample table: one unit each", |b| {
        in_boxes(b, *b"stts", 12, 1);
    }),
    ("lossless.m4a", "scale of the media: 1000 times", |b| {
        in_boxes(b, *b"mdhd", 12, 44_100_000);
    }),
    ("vp8.webm", "duration: 0", |b| in_elements(b, &[0x44, 0x89], 0)),
    ("vp8.webm", "duration: hardly anything", |b| {
        in_elements(b, &[0x44, 0x89], 1);
    }),
    ("vp8.webm", "duration: ages", |b| {
        in_elements(b, &[0x44, 0x89], 0x60);
    }),
    ("vp8.webm", "scale: a few nanoseconds", |b| {
        in_elements(b, &[0x2a, 0xd7, 0xb1], 0);
    }),
    ("vp8.webm", "a broken element between clusters", |b| {
        let second = places(b, &[0x1f, 0x43, 0xb6, 0x75])[2];
        insert(b, second, &[0; 5]);
    }),
    ("vp9.webm", "duration: 0", |b| in_elements(b, &[0x44, 0x89], 0)),
    ("live.webm", "no duration at all", |_| {}),
    ("vorbis.ogg", "last position: 1", |b| granules(b, true, 1)),
    ("vorbis.ogg", "all positions: 1", |b| granules(b, false, 1)),
    ("vorbis.ogg", "last position: a day", |b| {
        granules(b, true, 44_100 * 86_400);
    }),
    ("opus.ogg", "all positions: 400", |b| granules(b, false, 400)),
    ("flac.ogg", "all positions: 1", |b| granules(b, false, 1)),
    ("speex.ogg", "all positions: 1", |b| granules(b, false, 1)),
    ("constant.mp3", "count: 1", |b| xing(b, 1)),
    ("constant.mp3", "count: a day", |b| xing(b, 3_300_000)),
    ("variable.mp3", "count: 1", |b| xing(b, 1)),
    ("variable.mp3", "something else in the middle", |b| {
        let middle = b.len() / 2;
        insert(b, middle, &[0; 3000]);
    }),
    ("bare.mp3", "something else before the first frame", |b| {
        insert(b, 0, b"ID3\x03\0\0\0\0\0\x05.....");
        insert(b, 15, &[0; 9000]);
    }),
    ("a.aac", "something else in the middle", |b| {
        let middle = b.len() / 2;
        insert(b, middle, &[0; 3000]);
    }),
    ("a.flac", "count: 1", |b| total_of_flac(b, 1)),
    ("a.flac", "count: unknown", |b| total_of_flac(b, 0)),
    ("a.flac", "count: a day", |b| total_of_flac(b, u32::MAX)),
    ("a.flac", "rate: 655,350", |b| {
        b[18..20].fill(0xff);
        b[20] |= 0xf0;
    }),
    ("a.wav", "data: 100 bytes", |b| {
        let at = data(b);
        b[at - 4..at].copy_from_slice(&100_u32.to_le_bytes());
    }),
    ("a.wav", "data: none", |b| {
        let at = data(b);
        b[at - 4..at].fill(0);
    }),
    ("a.wav", "data: 4 GiB", |b| {
        let at = data(b);
        b[at - 4..at].fill(0xff);
    }),
    ("a.wav", "bytes a second: a thousand times", |b| {
        b[28..32].copy_from_slice(&88_200_000_u32.to_le_bytes());
    }),
    ("a.wav", "bytes of a block: 1000", |b| {
        b[32..34].copy_from_slice(&1000_u16.to_le_bytes());
    }),
    ("adpcm.wav", "bytes a second: a thousand times", |b| {
        b[28..32].copy_from_slice(&22_000_000_u32.to_le_bytes());
    }),
];

#[test]
fn the_samples_say_how_long_a_file_is_whatever_its_headers_say() {
    let folder = tempfile::tempdir().unwrap();
    if !make(folder.path(), |_| true) {
        return;
    }
    let mut wrong = Vec::new();
    let mut check = |name: &str, how: &str, bytes: &[u8]| {
        let seconds = facts(bytes).duration.unwrap_or(f64::NAN);
        // Encoders add a frame or two of silence.
        if (seconds - SECONDS).abs() > 0.1 || seconds.is_nan() {
            wrong.push(format!("{name}, {how}: {seconds} s"));
        }
    };
    for (name, _) in FILES {
        check(name, "untouched", &fs::read(folder.path().join(name)).unwrap());
    }
    for (name, how, tamper) in TAMPERED {
        let mut bytes = fs::read(folder.path().join(name)).unwrap();
        tamper(&mut bytes);
        check(name, how, &bytes);
    }
    assert!(TAMPERED.len() >= 30);
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn parts_of_a_chained_ogg_add_up() {
    const PARTS: [&str; 2] = ["vorbis.ogg", "opus.ogg"];
    let folder = tempfile::tempdir().unwrap();
    if !make(folder.path(), |name| PARTS.contains(&name)) {
        return;
    }
    for name in PARTS {
        let part = fs::read(folder.path().join(name)).unwrap();
        let seconds = facts(&part.repeat(3)).duration.unwrap();
        assert!((seconds - 36.0).abs() < 0.3, "{name}: {seconds}");
    }
}

#[test]
fn an_edit_list_that_leaves_out_the_beginning_shortens_a_film() {
    let folder = tempfile::tempdir().unwrap();
    if !make(folder.path(), |name| name == "silent.mp4") {
        return;
    }
    let mut bytes = fs::read(folder.path().join("silent.mp4")).unwrap();
    // The media's scale is 12,800 a second: the edit begins at two seconds.
    in_boxes(&mut bytes, *b"elst", 12, 2 * 12_800);
    let seconds = facts(&bytes).duration.unwrap();
    assert!((seconds - 10.0).abs() < 0.1, "{seconds}");
}

/// Readers of films and sounds show nothing after the end of the only edit, so nothing after it is priced.
#[test]
fn an_edit_list_that_leaves_out_the_end_shortens_a_film() {
    let folder = tempfile::tempdir().unwrap();
    if !make(folder.path(), |name| name == "silent.mp4") {
        return;
    }
    let whole = fs::read(folder.path().join("silent.mp4")).unwrap();
    let seconds = |edit: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = whole.clone();
        edit(&mut bytes);
        facts(&bytes).duration.unwrap_or(0.0)
    };
    // The movie's scale is 1,000 a second.
    let lasting = |length| seconds(&|bytes| in_boxes(bytes, *b"elst", 8, length));
    assert!((lasting(5_000) - 5.0).abs() < 0.001);
    assert!((lasting(1) - 0.001).abs() < 0.0005);
    assert!((lasting(0) - 12.0).abs() < 0.1, "to the end");
    assert!(
        (lasting(3_600_000) - 12.0).abs() < 0.1,
        "no longer than the samples"
    );
    let scaled = seconds(&|bytes| in_boxes(bytes, *b"mvhd", 12, 2_000));
    assert!((scaled - 6.0).abs() < 0.1, "{scaled}");
    let several = seconds(&|bytes| {
        in_boxes(bytes, *b"elst", 4, 2);
        in_boxes(bytes, *b"elst", 8, 1);
    });
    assert!((several - 12.0).abs() < 0.1, "several edits: {several}");
}

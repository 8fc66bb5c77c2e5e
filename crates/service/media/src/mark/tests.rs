//! Every container can be marked and still decodes to the same frames; other programs read the mark; a file whose
//! structure cannot be followed stays as it was.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use proptest::prelude::*;
use tempfile::TempDir;

use super::*;

/// The text that the files' makers leave in them, wherever they can.
const SECRET: &str = "graph-of-the-operator";
/// A second of moving pictures, and one of sound.
const INPUTS: [&str; 8] = [
    "-f",
    "lavfi",
    "-i",
    "testsrc=size=64x48:rate=10:duration=1",
    "-f",
    "lavfi",
    "-i",
    "sine=frequency=440:duration=1",
];

/// Names of files, and how ffmpeg makes them of these.
const FILES: [(&str, &str); 17] = [
    ("a.png", "-map 0 -frames:v 1 -update 1"),
    ("a.jpg", "-map 0 -frames:v 1 -update 1"),
    ("lossy.webp", "-map 0 -frames:v 1 -c:v libwebp"),
    ("lossless.webp", "-map 0 -frames:v 1 -c:v libwebp -lossless 1"),
    ("a.gif", "-map 0"),
    (
        "fast.mp4",
        "-map 0 -c:v libx264 -movflags use_metadata_tags+faststart",
    ),
    ("slow.mp4", "-map 0 -c:v libx264 -movflags use_metadata_tags"),
    (
        "pieces.mp4",
        "-map 0 -c:v libx264 -g 5 -movflags frag_keyframe+empty_moov",
    ),
    ("a.mov", "-map 0 -c:v libx264"),
    ("a.m4a", "-map 1 -c:a aac"),
    ("a.webm", "-map 0 -c:v libvpx"),
    ("a.mp3", "-map 1 -c:a libmp3lame"),
    ("a.aac", "-map 1 -c:a aac -f adts -write_id3v2 1"),
    ("a.wav", "-map 1 -write_id3v2 1 -write_bext 1"),
    ("a.flac", "-map 1 -c:a flac"),
    ("opus.ogg", "-map 1 -c:a libopus"),
    ("vorbis.ogg", "-map 1 -c:a libvorbis"),
];

fn a_mark(kind: MediaKind) -> Mark {
    Mark {
        program: "atelier 1.2.3".to_owned(),
        source: SourceType::Trained,
        system: "flux-1-dev".to_owned(),
        prompt: Some("a boat".to_owned()),
        kind,
    }
}

fn mark_it(path: &Path) -> Result<Marked, MarkError> {
    let kind = crate::probe(path).ok().and_then(|facts| facts.media_type.kind());
    mark(path, &a_mark(kind.unwrap_or(MediaKind::Image)))
}

fn run(program: &Path, arguments: &[&str]) -> String {
    let told = Command::new(program).args(arguments).output().unwrap();
    let error = String::from_utf8_lossy(&told.stderr);
    assert!(told.status.success(), "{arguments:?}: {error}");
    String::from_utf8_lossy(&told.stdout).into_owned()
}

/// Files as ffmpeg makes them, with a secret in all the tags that it writes.
fn make(ffmpeg: &Path, folder: &Path, names: &[&str]) -> Vec<PathBuf> {
    make_with(ffmpeg, folder, names, SECRET)
}

fn make_with(ffmpeg: &Path, folder: &Path, names: &[&str], secret: &str) -> Vec<PathBuf> {
    let tags = ["title", "comment", "prompt"].map(|tag| format!("{tag}={secret}"));
    let mut arguments = vec!["-v", "error", "-y"];
    arguments.extend(INPUTS);
    let paths: Vec<_> = names.iter().map(|name| folder.join(name)).collect();
    for (name, path) in names.iter().zip(&paths) {
        let (_, how) = FILES.iter().find(|file| file.0 == *name).unwrap();
        arguments.extend(tags.iter().flat_map(|tag| ["-metadata", tag]));
        arguments.extend(how.split_whitespace());
        arguments.push(path.to_str().unwrap());
    }
    run(ffmpeg, &arguments);
    paths
}

fn all() -> Vec<&'static str> {
    FILES.iter().map(|file| file.0).collect()
}

/// Every decoded frame of each file, with its time.
fn decoded(ffmpeg: &Path, paths: &[PathBuf]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let of = |index: usize| folder.path().join(index.to_string());
    let mut arguments = vec!["-v".to_owned(), "error".to_owned()];
    for path in paths {
        arguments.extend(["-i".to_owned(), path.display().to_string()]);
    }
    for index in 0..paths.len() {
        let hashes = of(index).display().to_string();
        arguments.extend(["-map", &index.to_string(), "-f", "framehash", &hashes].map(str::to_owned));
    }
    run(ffmpeg, &arguments.iter().map(String::as_str).collect::<Vec<_>>());
    let hashes = (0..paths.len()).map(|index| fs::read_to_string(of(index)).unwrap());
    hashes.collect()
}

fn contains(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|found| found == text.as_bytes())
}

#[test]
fn every_container_is_marked_tells_no_secret_and_decodes_to_the_same() {
    let Some(ffmpeg) = atelier_testkit::program("ffmpeg") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let paths = make(&ffmpeg, folder.path(), &all());
    let before = decoded(&ffmpeg, &paths);
    for path in &paths {
        let (name, facts) = (path.display(), crate::probe(path).unwrap());
        // ffmpeg writes no text into pictures.
        let has_secret = contains(&fs::read(path).unwrap(), SECRET);
        assert!(
            has_secret || facts.media_type.kind() == Some(MediaKind::Image),
            "{name}"
        );
        assert_eq!(mark_it(path).unwrap(), Marked::Written, "{name}");
        let bytes = fs::read(path).unwrap();
        assert!(!contains(&bytes, SECRET), "{name} tells");
        for told in ["trainedAlgorithmicMedia", "flux-1-dev", "AI-generated"] {
            assert!(contains(&bytes, told), "{name} does not tell {told}");
        }
        let after = crate::probe(path).unwrap();
        assert_eq!(shown(&after), shown(&facts), "{name}");
        mark_it(path).unwrap();
        assert!(fs::read(path).unwrap() == bytes, "{name} is marked twice");
    }
    let after = decoded(&ffmpeg, &paths);
    for (path, (before, after)) in paths.iter().zip(before.iter().zip(&after)) {
        assert_eq!(before, after, "{}", path.display());
    }
}

#[test]
fn another_program_reads_the_marks_of_films_and_sounds() {
    let (Some(ffmpeg), Some(ffprobe)) = (
        atelier_testkit::program("ffmpeg"),
        atelier_testkit::program("ffprobe"),
    ) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let table = [
        ("fast.mp4", "trainedAlgorithmicMedia"),
        ("pieces.mp4", "trainedAlgorithmicMedia"),
        (
            "a.webm",
            "TAG:DIGITAL_SOURCE_TYPE=http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia",
        ),
        ("a.mp3", "TAG:AI_SYSTEM_USED=flux-1-dev"),
        ("a.aac", "TAG:AI_SYSTEM_USED=flux-1-dev"),
        ("a.flac", "TAG:AI_SYSTEM_USED=flux-1-dev"),
        ("opus.ogg", "TAG:AI_SYSTEM_USED=flux-1-dev"),
        ("a.wav", "TAG:comment=AI-generated"),
    ];
    let paths = make(&ffmpeg, folder.path(), &table.map(|(name, _)| name));
    for ((name, expected), path) in table.into_iter().zip(paths) {
        mark_it(&path).unwrap();
        let path = path.to_str().unwrap();
        let xmp: &[&str] = if name.ends_with("mp4") {
            &["-export_xmp", "1"]
        } else {
            &[]
        };
        let show = ["-v", "error", "-show_format", "-show_streams", path];
        let told = run(&ffprobe, &[xmp, &show].concat());
        assert!(told.contains(expected), "{name}: {told}");
    }
}

#[test]
fn another_program_reads_the_marks_of_pictures_their_profile_and_which_way_is_up() {
    let Some(python) = atelier_testkit::program("onnx-python") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/src/mark/pictures.py");
    let folder_name = folder.path().to_str().unwrap();
    run(&python, &[script, "make", folder_name, SECRET]);
    let mut files = 0;
    for entry in fs::read_dir(folder.path()).unwrap() {
        let path = entry.unwrap().path();
        assert!(contains(&fs::read(&path).unwrap(), SECRET), "{}", path.display());
        assert_eq!(mark_it(&path).unwrap(), Marked::Written, "{}", path.display());
        assert!(!contains(&fs::read(&path).unwrap(), SECRET), "{}", path.display());
        files += 1;
    }
    assert_eq!(files, 6);
    let told = run(&python, &[script, "check", folder_name]);
    assert_eq!(told.matches("trainedAlgorithmicMedia").count(), 5, "{told}");
}

#[test]
fn a_signed_file_is_left_as_it_is() {
    let Some(ffmpeg) = atelier_testkit::program("ffmpeg") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let paths = make(&ffmpeg, folder.path(), &["a.png", "a.jpg", "fast.mp4"]);
    let read = |index: usize| (&paths[index], fs::read(&paths[index]).unwrap());
    let manifest = b"jumb-of-somebody";
    let (png, bytes) = read(0);
    let chunk = [
        &(manifest.len() as u32).to_be_bytes()[..],
        b"caBX",
        manifest,
        b"\0\0\0\0",
    ]
    .concat();
    let signed_png = [&bytes[..33], &chunk, &bytes[33..]].concat();
    let (jpeg, bytes) = read(1);
    let segment = [&b"\xff\xeb\0\x14JP"[..], manifest].concat();
    let signed_jpeg = [&bytes[..20], &segment, &bytes[20..]].concat();
    let (mp4, bytes) = read(2);
    let id = b"\xd8\xfe\xc3\xd6\x1b\x0e\x48\x3c\x92\x97\x58\x28\x87\x7e\xc4\x81";
    let signed_mp4 = [&bytes[..], b"\0\0\0\x28uuid", id, manifest].concat();
    for (path, bytes) in [(png, signed_png), (jpeg, signed_jpeg), (mp4, signed_mp4)] {
        fs::write(path, &bytes).unwrap();
        assert_eq!(mark_it(path).unwrap(), Marked::Signed, "{}", path.display());
        assert!(fs::read(path).unwrap() == bytes, "{}", path.display());
    }
}

#[test]
fn the_silence_around_a_recording_is_all_that_stays_of_its_tags() {
    let Some(ffmpeg) = atelier_testkit::program("ffmpeg") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let paths = make(&ffmpeg, folder.path(), &["a.m4a"]);
    let path = &paths[0];
    let bytes = fs::read(path).unwrap();
    // The tag with the secret becomes, in its very room, the one that names silent samples, and another one.
    let at = bytes.windows(4).position(|found| found == b"ilst").unwrap();
    let list = u32::from_be_bytes(bytes[at - 4..at].try_into().unwrap()) as usize - 8;
    let text =
        |kind: &[u8; 4], text: &[u8]| [&(8 + text.len() as u32).to_be_bytes()[..], kind, text].concat();
    let gapless = text(b"----", b"name iTunSMPB 00000840 000001C0");
    let left = list - gapless.len() - 8;
    let tags = [gapless, text(b"\xa9cmt", &SECRET.as_bytes().repeat(9)[..left])].concat();
    let tagged = [&bytes[..at + 4], &tags, &bytes[at + 4 + list..]].concat();
    fs::write(path, &tagged).unwrap();
    let before = decoded(&ffmpeg, &paths);
    assert_eq!(mark_it(path).unwrap(), Marked::Written);
    let marked = fs::read(path).unwrap();
    assert!(contains(&marked, "iTunSMPB 00000840") && !contains(&marked, SECRET));
    assert_eq!(decoded(&ffmpeg, &paths), before);
}

#[test]
fn sound_of_a_length_that_was_not_known_stays_all_that_is_heard() {
    let Some(ffmpeg) = atelier_testkit::program("ffmpeg") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let paths = make(&ffmpeg, folder.path(), &["a.wav"]);
    let path = &paths[0];
    let mut bytes = fs::read(path).unwrap();
    let at = bytes.windows(4).position(|found| found == b"data").unwrap();
    bytes[4..8].fill(0xff);
    bytes[at + 4..at + 8].fill(0xff);
    fs::write(path, &bytes).unwrap();
    let before = decoded(&ffmpeg, &paths);
    assert_eq!(mark_it(path).unwrap(), Marked::Written);
    assert_eq!(decoded(&ffmpeg, &paths), before);
}

#[test]
fn a_large_comment_of_ogg_takes_several_pages_and_goes_all_the_same() {
    let Some(ffmpeg) = atelier_testkit::program("ffmpeg") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let paths = make_with(&ffmpeg, folder.path(), &["opus.ogg"], &SECRET.repeat(3_000));
    let length = fs::metadata(&paths[0]).unwrap().len();
    assert!(length > 180_000, "{length}");
    let before = decoded(&ffmpeg, &paths);
    assert_eq!(mark_it(&paths[0]).unwrap(), Marked::Written);
    assert_eq!(decoded(&ffmpeg, &paths), before);
    assert!(!contains(&fs::read(&paths[0]).unwrap(), SECRET));
}

#[test]
fn a_file_that_breaks_off_is_left_as_it_was_or_decodes_to_what_was_left() {
    let Some(ffmpeg) = atelier_testkit::program("ffmpeg") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    for path in make(&ffmpeg, folder.path(), &all()) {
        let (name, bytes) = (path.display(), fs::read(&path).unwrap());
        for part in [3, 10, 40, 90] {
            let cut = &bytes[..bytes.len() * part / 100];
            fs::write(&path, cut).unwrap();
            let facts = crate::probe(&path).ok();
            match mark_it(&path) {
                Ok(_) => assert_eq!(
                    crate::probe(&path).ok().map(|facts| shown(&facts)),
                    facts.map(|facts| shown(&facts)),
                    "{name} at {part} %",
                ),
                Err(_) => assert!(fs::read(&path).unwrap() == cut, "{name} at {part} %"),
            }
        }
    }
    assert_eq!(leftovers(&folder), 0);
}

/// Files that nobody asked for.
fn leftovers(folder: &TempDir) -> usize {
    let known = |name: &str| FILES.iter().any(|file| file.0 == name);
    let entries = fs::read_dir(folder.path()).unwrap();
    entries
        .filter(|entry| !known(entry.as_ref().unwrap().file_name().to_str().unwrap()))
        .count()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_bytes_make_it_panic_or_lose_a_file(
        start in 0_usize..14,
        bytes in proptest::collection::vec(any::<u8>(), 0..400),
    ) {
        const MAGICS: [&[u8]; 14] = [
            b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0\0\0\0\0",
            b"\xff\xd8\xff\xe1\0\x10Exif\0\0II*\0\x08\0\0\0",
            b"RIFF\xff\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\0\0\0\0\0\0",
            b"RIFF\xff\0\0\0WEBPVP8L\xff\0\0\0\x2f",
            b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\0\0\0\x21\xff\x0b",
            b"\0\0\0\x10ftypisom\0\0\0\0\0\0\0\x80moov\0\0\0\x78udta\0\0\0\x70meta",
            b"\x1a\x45\xdf\xa3\x87\x42\x82\x84webm\x18\x53\x80\x67\x01\xff\xff\xff\xff\xff\xff\xff",
            b"\x1a\x45\xdf\xa3\x87\x42\x82\x84webm\x18\x53\x80\x67\xff\x11\x4d\x9b\x74\x90",
            b"ID3\x04\0\0\0\0\0\0\xff\xfb\x90\x64",
            b"\xff\xf1\x50\x80\x02\x1f\xfc",
            b"fLaC\0\0\0\x22",
            b"RIFF\xff\0\0\0WAVEfmt \x10\0\0\0",
            b"OggS\0\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\x13OpusHead\x01\x02\0\0\0\0\0\0\0\0\0OggS\0\0",
            b"OggS\0\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\x13\x01vorbis\0\0\0\0\0\0\0\0\0\0\0\0",
        ];
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let hostile = [MAGICS[start], &bytes].concat();
        fs::write(&path, &hostile).unwrap();
        match mark_it(&path) {
            Ok(Marked::Written) => {}
            Ok(Marked::Signed) | Err(_) => prop_assert!(fs::read(&path).unwrap() == hostile),
        }
    }
}

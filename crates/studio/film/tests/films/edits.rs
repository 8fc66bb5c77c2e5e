//! Edit lists: what they leave out is neither decoded nor counted.
#![allow(clippy::unwrap_used, reason = "what fails in here fails the test")]

use std::{fs, path::Path};

use atelier_film::{Error, Limits, Reader};

use crate::common;

/// Two seconds of 24 frames, whose frames are not stored in the order in which they are shown.
fn film(path: &Path) -> Option<Vec<u8>> {
    let ffmpeg = atelier_found::program("ffmpeg")?;
    let drawn = "testsrc=s=64x64:r=24:d=2";
    let encoded = ["-c:v", "libx264", "-bf", "2", "-g", "48", "-pix_fmt", "yuv420p"];
    let arguments = [
        &["-f", "lavfi", "-i", drawn][..],
        &encoded,
        &[path.to_str().unwrap()],
    ]
    .concat();
    common::ffmpeg(&ffmpeg, &arguments);
    Some(fs::read(path).unwrap())
}

/// The same film with another number at this place of its edit list.
fn edited(whole: &[u8], offset: usize, value: u32) -> Vec<u8> {
    let mut bytes = whole.to_vec();
    let at = bytes.windows(4).position(|four| four == b"elst").unwrap() + 4 + offset;
    bytes[at..at + 4].copy_from_slice(&value.to_be_bytes());
    bytes
}

/// The times of all frames.
fn times(film: &mut Reader) -> Vec<f64> {
    let mut times = Vec::new();
    while let Some(frame) = film.next(None).unwrap() {
        times.push(frame.time);
    }
    times
}

#[test]
fn a_film_ends_where_its_edit_ends() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("film.mp4");
    let Some(whole) = film(&path) else { return };
    // In milliseconds, at the place of the edit's duration. A frame that is shown for a part of its time is shown.
    for (lasts, frames) in [
        (2_000, 48),
        (1_000, 24),
        (1_010, 25),
        (500, 12),
        (1, 1),
        (0, 48),
        (9_000, 48),
    ] {
        fs::write(&path, edited(&whole, 8, lasts)).unwrap();
        let mut film = Reader::open(&path, &Limits::default()).unwrap();
        let facts = *film.facts();
        assert_eq!(facts.frames, frames, "{lasts} ms");
        let seconds = if lasts == 0 {
            2.0
        } else {
            (f64::from(lasts) / 1_000.0).min(2.0)
        };
        assert!(
            (facts.seconds - seconds).abs() < 0.001,
            "{lasts} ms: {}",
            facts.seconds
        );
        let decoded = times(&mut film);
        assert_eq!(decoded.len() as u64, frames, "{lasts} ms");
        for (number, time) in decoded.iter().enumerate() {
            assert!((time - number as f64 / 24.0).abs() < 0.001, "{lasts} ms: {time}");
        }
        assert_eq!(film.time_of(frames), None);
        film.seek(frames - 1).unwrap();
        assert_eq!(times(&mut film).len(), 1, "{lasts} ms: the last frame");
        film.restart().unwrap();
        assert_eq!(times(&mut film).len() as u64, frames, "{lasts} ms: again");
    }
}

#[test]
fn a_film_is_as_long_as_its_limits_allow_within_its_edit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("film.mp4");
    let Some(whole) = film(&path) else { return };
    fs::write(&path, edited(&whole, 8, 400)).unwrap();
    assert!(Reader::open(&path, &Limits::measured(Some(0.4))).is_ok());
    fs::write(&path, whole).unwrap();
    let refused = Reader::open(&path, &Limits::measured(Some(0.4)));
    assert!(matches!(refused, Err(Error::TooLarge(_))), "{refused:?}");
}

#[test]
fn the_end_of_one_of_several_edits_does_not_end_the_film() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("film.mp4");
    let Some(whole) = film(&path) else { return };
    // An edit list of two, in a box that grows into the space of another.
    let mut bytes = edited(&whole, 8, 500);
    let at = bytes.windows(4).position(|four| four == b"elst").unwrap() - 4;
    let edit = bytes[at + 16..at + 28].to_vec();
    bytes.splice(at + 28..at + 28, edit);
    bytes[at + 12..at + 16].copy_from_slice(&2_u32.to_be_bytes());
    for name in [b"elst", b"edts", b"trak", b"moov"] {
        let at = bytes.windows(4).position(|four| four == name).unwrap() - 4;
        let size = u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap()) + 12;
        bytes[at..at + 4].copy_from_slice(&size.to_be_bytes());
    }
    fs::write(&path, bytes).unwrap();
    assert_eq!(
        Reader::open(&path, &Limits::default()).unwrap().facts().frames,
        48
    );
}

#[test]
fn without_ffmpeg_a_film_of_another_codec_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let Some(ffmpeg) = atelier_found::program("ffmpeg") else {
        return;
    };
    let path = folder.path().join("film.mp4");
    let drawn = ["-f", "lavfi", "-i", "testsrc=s=64x64:r=24:d=1", "-c:v", "mpeg4"];
    common::ffmpeg(&ffmpeg, &[&drawn[..], &[path.to_str().unwrap()]].concat());
    let limits = Limits {
        ffmpeg: false,
        ..Limits::default()
    };
    let refused = Reader::open(&path, &limits);
    assert!(
        matches!(&refused, Err(Error::Codec { codec }) if codec == "MPEG-4 Part 2"),
        "{refused:?}"
    );
    assert!(Reader::open(&path, &Limits::default()).is_ok());
}

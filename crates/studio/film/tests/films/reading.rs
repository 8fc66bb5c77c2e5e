//! How the reader handles films: its own, those of other programs, and hostile ones.
#![allow(clippy::unwrap_used, reason = "test helpers may fail the test")]

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::{self, film_frame, psnr, write};
use atelier_film::{Error, I420, Limits, Reader, Sound, Tags, Video, Writer, color};

/// A clip by ffmpeg from 60 drawn frames of 160 × 96, encoded with the options in `coding`.
fn foreign(folder: &Path, name: &str, coding: &[&str]) -> Option<std::path::PathBuf> {
    let ffmpeg = atelier_found::program("ffmpeg")?;
    let (source, file) = (folder.join("source.mp4"), folder.join(name));
    let video = Video {
        quantizer: 12,
        ..Video::new(160, 96)
    };
    write(&source, video, 60, Some((48_000, 2.5)));
    let output = Command::new(ffmpeg)
        .args(["-v", "error", "-nostdin", "-y", "-i"])
        .arg(&source)
        .args(coding)
        .arg(&file)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{coding:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    Some(file)
}

fn frames(file: &Path) -> Vec<(f64, I420)> {
    let mut film = Reader::open(file, &Limits::default()).unwrap();
    let mut all = Vec::new();
    while let Some(frame) = film.next(None).unwrap() {
        all.push((frame.time, frame.picture));
    }
    all
}

/// Asserts that frames look as drawn, in order and at 24 per second.
fn assert_drawn(frames: &[(f64, I420)], least: f64) {
    assert_eq!(frames.len(), 60);
    for (number, (time, picture)) in frames.iter().enumerate() {
        assert!(
            (time - number as f64 / 24.0).abs() < 0.002,
            "frame {number} at {time}"
        );
        let db = psnr(&picture.data, &film_frame(160, 96, number as u32).data);
        assert!(
            db > least,
            "frame {number}: {db:.1} dB; the next would be {:.1} dB",
            psnr(&picture.data, &film_frame(160, 96, number as u32 + 1).data)
        );
    }
}

fn turned_right(picture: &I420) -> I420 {
    let mut rgb = vec![0; picture.width * picture.height * 3];
    color::to_rgb::<3>(picture, &mut rgb);
    let (w, h) = (picture.width, picture.height);
    let mut turned = vec![0; rgb.len()];
    for y in 0..h {
        for x in 0..w {
            let to = 3 * (x * h + h - 1 - y);
            turned[to..to + 3].copy_from_slice(&rgb[3 * (y * w + x)..][..3]);
        }
    }
    let mut out = I420::new(h, w);
    color::from_rgb::<3>(&turned, &mut out);
    out
}

#[test]
fn the_key_frames_of_a_film_are_known() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys.mp4");
    write(&path, Video::new(64, 64), 100, None);
    let film = Reader::open(&path, &Limits::default()).unwrap();
    assert_eq!(film.keys(), [0, 48, 96]);
}

#[test]
fn own_films_come_back_frame_by_frame() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("film.mp4");
    write(&file, Video::new(160, 96), 60, Some((48_000, 2.5)));
    let film = Reader::open(&file, &Limits::default()).unwrap();
    let facts = *film.facts();
    assert_eq!((facts.width, facts.height, facts.frames), (160, 96, 60));
    assert!((facts.seconds - 2.5).abs() < 1e-6 && facts.has_sound && !facts.foreign);
    assert_drawn(&frames(&file), 42.0);
}

#[test]
fn frames_out_of_order_come_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let coding = [
        "-c:v", "libx264", "-bf", "3", "-g", "24", "-crf", "14", "-c:a", "copy",
    ];
    let Some(file) = foreign(folder.path(), "b.mp4", &coding) else {
        return;
    };
    assert_drawn(&frames(&file), 40.0);
    let Some(mov) = foreign(folder.path(), "b.mov", &coding) else {
        return;
    };
    assert_drawn(&frames(&mov), 40.0);
}

#[test]
fn a_reader_goes_to_any_frame_and_back_to_the_first() {
    let folder = tempfile::tempdir().unwrap();
    let coding = ["-c:v", "libx264", "-bf", "2", "-g", "20", "-crf", "14", "-an"];
    let Some(file) = foreign(folder.path(), "b.mp4", &coding) else {
        return;
    };
    let mut film = Reader::open(&file, &Limits::default()).unwrap();
    for number in [0, 7, 59, 20, 41, 19] {
        film.seek(number).unwrap();
        let frame = film.next(None).unwrap().unwrap();
        assert!(
            (frame.time - number as f64 / 24.0).abs() < 0.002,
            "{number}: {}",
            frame.time
        );
        let db = psnr(&frame.picture.data, &film_frame(160, 96, number as u32).data);
        assert!(db > 40.0, "frame {number}: {db:.1} dB");
    }
    film.restart().unwrap();
    assert_eq!(
        film.next(None).unwrap().unwrap().picture,
        Reader::first(&file, &Limits::default()).unwrap()
    );
    let last = Reader::last(&file, &Limits::default()).unwrap();
    assert!(psnr(&last.data, &film_frame(160, 96, 59).data) > 40.0);
}

#[test]
fn uneven_times_become_even_ones() {
    let folder = tempfile::tempdir().unwrap();
    // Every third frame is missing: its predecessor is shown longer.
    let coding = [
        "-vf",
        "select='mod(n,3)'",
        "-vsync",
        "vfr",
        "-c:v",
        "libx264",
        "-crf",
        "14",
        "-an",
    ];
    let Some(file) = foreign(folder.path(), "vfr.mp4", &coding) else {
        return;
    };
    let mut film = Reader::open(&file, &Limits::default()).unwrap();
    assert_eq!(film.facts().frames, 40);
    // The file begins with frame 1 of the source.
    for n in 0..58_u32 {
        let drawn = n + 1;
        let drawn = if drawn % 3 == 0 { drawn - 1 } else { drawn };
        let picture = film.at(f64::from(n) / 24.0).unwrap().unwrap();
        let db = psnr(&picture.data, &film_frame(160, 96, drawn).data);
        assert!(db > 38.0, "frame {n}: {db:.1} dB");
    }
    assert!(film.at(10.0).unwrap().is_none());
}

#[test]
fn rotated_films_are_read_upright() {
    let folder = tempfile::tempdir().unwrap();
    let Some(plain) = foreign(folder.path(), "plain.mp4", &["-c", "copy"]) else {
        return;
    };
    let bytes = fs::read(&plain).unwrap();
    let at = bytes.windows(4).position(|four| four == b"tkhd").unwrap() + 4 + 40;
    let mut turned = bytes.clone();
    let matrix: [i32; 9] = [0, 0x1_0000, 0, -0x1_0000, 0, 0, 96 << 16, 0, 0x4000_0000];
    for (i, value) in matrix.iter().enumerate() {
        turned[at + 4 * i..][..4].copy_from_slice(&value.to_be_bytes());
    }
    let file = folder.path().join("turned.mp4");
    fs::write(&file, turned).unwrap();
    let picture = Reader::first(&file, &Limits::default()).unwrap();
    assert_eq!((picture.width, picture.height), (96, 160));
    let db = psnr(&picture.data, &turned_right(&film_frame(160, 96, 0)).data);
    assert!(db > 38.0, "{db:.1} dB");
}

#[test]
fn colours_of_other_matrices_and_ranges_are_the_same_colours() {
    let folder = tempfile::tempdir().unwrap();
    for (name, filter, tags) in [
        (
            "601.mp4",
            "scale=out_color_matrix=bt601,format=yuv420p",
            ["smpte170m", "tv"],
        ),
        ("full.mp4", "scale=out_range=pc,format=yuv420p", ["bt709", "pc"]),
    ] {
        let coding = [
            "-vf",
            filter,
            "-c:v",
            "libx264",
            "-crf",
            "12",
            "-colorspace",
            tags[0],
            "-color_range",
            tags[1],
            "-an",
        ];
        let Some(file) = foreign(folder.path(), name, &coding) else {
            return;
        };
        let picture = Reader::first(&file, &Limits::default()).unwrap();
        let db = psnr(&picture.data, &film_frame(160, 96, 0).data);
        assert!(db > 38.0, "{name}: {db:.1} dB");
    }
}

#[test]
fn other_codecs_are_read_through_ffmpeg() {
    let folder = tempfile::tempdir().unwrap();
    for (name, coding) in [
        (
            "ten.mp4",
            &["-c:v", "libx264", "-pix_fmt", "yuv420p10le", "-crf", "12"][..],
        ),
        (
            "hevc.mp4",
            &["-c:v", "libx265", "-crf", "12", "-x265-params", "log-level=none"],
        ),
        (
            "vp9.webm",
            &["-c:v", "libvpx-vp9", "-crf", "12", "-b:v", "0", "-c:a", "libopus"],
        ),
        ("av1.mp4", &["-c:v", "libsvtav1", "-preset", "12", "-crf", "8"]),
        (
            "cut.mp4",
            &[
                "-c:v",
                "libx264",
                "-crf",
                "12",
                "-movflags",
                "frag_keyframe+empty_moov",
            ],
        ),
    ] {
        let Some(file) = foreign(folder.path(), name, coding) else {
            return;
        };
        let film = Reader::open(&file, &Limits::default()).unwrap();
        assert!(film.facts().foreign, "{name}");
        assert!(
            (film.facts().seconds - 2.5).abs() < 0.15,
            "{name}: {:?}",
            film.facts()
        );
        let frames = frames(&file);
        assert_drawn(&frames[..60], 36.0);
    }
}

/// Overwrites the length that a WebM file declares (EBML element 0x4489, an eight-byte float) in milliseconds.
fn declare(bytes: &mut [u8], milliseconds: f64) {
    let at = bytes
        .windows(3)
        .position(|name| name == [0x44, 0x89, 0x88])
        .unwrap();
    bytes[at + 3..at + 11].copy_from_slice(&milliseconds.to_be_bytes());
}

#[test]
fn films_last_as_long_as_their_packets_whatever_the_header_declares() {
    let folder = tempfile::tempdir().unwrap();
    let coding = [
        "-c:v",
        "libvpx-vp9",
        "-crf",
        "40",
        "-b:v",
        "0",
        "-cpu-used",
        "8",
        "-an",
    ];
    let Some(file) = foreign(folder.path(), "a.webm", &coding) else {
        return;
    };
    let mut bytes = fs::read(&file).unwrap();
    for milliseconds in [1.0, 2_500.0, 60_000.0] {
        declare(&mut bytes, milliseconds);
        fs::write(&file, &bytes).unwrap();
        let facts = *Reader::open(&file, &Limits::default()).unwrap().facts();
        assert!((facts.seconds - 2.5).abs() < 0.05, "{milliseconds} ms: {facts:?}");
        assert_eq!(facts.frames, 60, "{milliseconds} ms");
        assert_eq!(frames(&file).len(), 60, "{milliseconds} ms");
        let error = Reader::open(&file, &Limits::of_seconds(1.0)).unwrap_err();
        assert!(matches!(error, Error::TooLarge(_)), "{milliseconds} ms: {error}");
    }
}

#[test]
fn aac_sound_is_copied_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let (source, copy) = (folder.path().join("a.mp4"), folder.path().join("b.mp4"));
    write(&source, Video::new(64, 64), 48, Some((44_100, 2.0)));
    let film = Reader::open(&source, &Limits::default()).unwrap();
    let coded = film.coded_sound(1.0).unwrap().unwrap();
    assert_eq!((coded.rate, coded.channels, coded.skip), (44_100, 2, 1024));
    let mut out = Writer::create(
        &copy,
        Video::new(64, 64),
        Some(Sound::Coded(coded.clone())),
        Tags::default(),
    )
    .unwrap();
    for number in 0..24 {
        out.frame(atelier_film::Picture::Rgb(&common::frame(64, 64, number)))
            .unwrap();
    }
    out.finish().unwrap();
    let again = Reader::open(&copy, &Limits::default())
        .unwrap()
        .coded_sound(9.0)
        .unwrap()
        .unwrap();
    assert_eq!(again.config, coded.config);
    assert_eq!(again.packets[..], coded.packets[..again.packets.len()]);
    assert!(again.packets.len() >= 44, "{} packets", again.packets.len());
    if let Some(ffprobe) = atelier_found::program("ffprobe") {
        assert_eq!(
            common::probe(&ffprobe, &copy)["streams"][1]["duration"],
            "1.000000"
        );
    }
}

#[test]
fn damaged_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole.mp4");
    write(&whole, Video::new(64, 64), 12, Some((44_100, 0.5)));
    let bytes = fs::read(&whole).unwrap();
    let file = folder.path().join("broken.mp4");
    let read = |bytes: &[u8]| -> Result<usize, Error> {
        fs::write(&file, bytes).unwrap();
        let mut film = Reader::open(&file, &Limits::default())?;
        let mut count = 0;
        while film.next(None)?.is_some() {
            count += 1;
        }
        Ok(count)
    };
    for length in (0..bytes.len()).step_by(397) {
        assert!(
            read(&bytes[..length]).is_err(),
            "{length} bytes of {}",
            bytes.len()
        );
    }
    // Overwrites bytes of the tables and of the data. The reader must answer or fail, and never crash.
    for at in (0..bytes.len().min(2_400)).step_by(17) {
        let mut broken = bytes.clone();
        let end = (at + 4).min(broken.len());
        broken[at..end].fill(0xff);
        let _ = read(&broken);
    }
    assert!(read(b"GIF89a and so on and on").is_err());
    assert!(read(&[0; 4096]).is_err());
}

/// Reads a file whose table `edit` has changed.
fn edited(name: [u8; 4], edit: impl Fn(&mut [u8])) -> Result<u64, Error> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("film.mp4");
    write(&file, Video::new(64, 64), 6, None);
    let mut bytes = fs::read(&file).unwrap();
    let at = bytes.windows(4).position(|four| four == name).unwrap() + 4;
    edit(&mut bytes[at..]);
    fs::write(&file, bytes).unwrap();
    Reader::open(&file, &Limits::default()).map(|film| film.facts().frames)
}

#[test]
fn claims_of_endless_films_are_refused_before_memory_is_spent() {
    let billion = 0x4000_0000_u32.to_be_bytes();
    let endless = edited(*b"stts", |table| table[12..16].copy_from_slice(&billion));
    assert!(matches!(endless, Err(Error::TooLarge(_))), "{endless:?}");
    let bomb = edited(*b"stsc", |table| table[12..16].copy_from_slice(&billion));
    assert!(matches!(bomb, Err(Error::TooLarge(_))), "{bomb:?}");
    let vast = edited(*b"stsz", |table| table[12..16].copy_from_slice(&billion));
    assert!(
        matches!(vast, Err(Error::Damaged(_) | Error::TooLarge(_))),
        "{vast:?}"
    );
}

#[test]
fn a_film_that_lasts_longer_than_it_was_measured_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("film.mp4");
    write(&file, Video::new(64, 64), 48, None);
    let seconds = Reader::open(&file, &Limits::default()).unwrap().facts().seconds;
    let measured = |seconds| Reader::open(&file, &Limits::measured(Some(seconds)));
    assert!(measured(seconds).is_ok());
    let short = measured(seconds - 0.6);
    assert!(matches!(short, Err(Error::TooLarge(_))), "{short:?}");
}

#[test]
fn absurd_frames_are_refused_by_their_header() {
    let folder = tempfile::tempdir().unwrap();
    let Some(ffmpeg) = atelier_found::program("ffmpeg") else {
        return;
    };
    let file = folder.path().join("wide.mp4");
    let drawn = "color=s=8000x4000:d=0.1";
    common::ffmpeg(
        &ffmpeg,
        &[
            "-f",
            "lavfi",
            "-i",
            drawn,
            "-preset",
            "ultrafast",
            file.to_str().unwrap(),
        ],
    );
    let error = Reader::open(&file, &Limits::default()).unwrap_err();
    assert!(error.to_string().contains("8000 × 4000"), "{error}");
}

//! The promises of the writer, measured with other programs, or in the bytes where those suffice.

use std::fs;

use crate::common::{self, ffmpeg, film_frame, probe, psnr, write};
use atelier_film::{Coded, Error, Picture, Rate, Sound, Tags, Video, Writer};

fn at(bytes: &[u8], name: &[u8]) -> Option<usize> {
    bytes.windows(4).position(|four| four == name)
}

#[test]
fn a_film_has_the_requested_streams_sizes_and_lengths() {
    let Some(ffprobe) = atelier_found::program("ffprobe") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("film.mp4");
    write(&file, Video::new(320, 180), 60, Some((48_000, 2.5)));
    let seen = probe(&ffprobe, &file);
    let (video, sound) = (&seen["streams"][0], &seen["streams"][1]);
    for (key, value) in [
        ("codec_name", "h264"),
        ("profile", "High"),
        ("pix_fmt", "yuv420p"),
        ("color_space", "bt709"),
        ("color_range", "tv"),
        ("r_frame_rate", "24/1"),
        ("avg_frame_rate", "24/1"),
        ("duration", "2.500000"),
        ("nb_read_frames", "60"),
    ] {
        assert_eq!(video[key], value, "{key}");
    }
    assert_eq!((&video["width"], &video["height"]), (&320.into(), &180.into()));
    for (key, value) in [
        ("codec_name", "aac"),
        ("profile", "LC"),
        ("sample_rate", "48000"),
        ("duration", "2.500000"),
        ("start_time", "0.000000"),
    ] {
        assert_eq!(sound[key], value, "{key}");
    }
    assert_eq!(sound["channels"], 2);
    assert_eq!(seen["format"]["tags"]["title"], "Stripes");
    assert_eq!(seen["format"]["tags"]["encoder"], "atelier tests");
    assert_eq!(seen["format"]["tags"]["comment"], "AI-generated");
}

#[test]
fn every_frame_comes_back_as_it_was_drawn() {
    let Some(program) = atelier_found::program("ffmpeg") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("film.mp4");
    write(&file, Video::new(192, 108), 30, None);
    let decoded = ffmpeg(
        &program,
        &[
            "-i",
            file.to_str().unwrap(),
            "-f",
            "rawvideo",
            "-pix_fmt",
            "yuv420p",
            "-",
        ],
    );
    let size = 192 * 108 * 3 / 2;
    assert_eq!(decoded.len(), 30 * size);
    for (number, decoded) in decoded.chunks(size).enumerate() {
        let db = psnr(decoded, &film_frame(192, 108, number as u32).data);
        assert!(db > 42.0, "frame {number}: {db:.1} dB");
    }
}

#[test]
fn sound_comes_back_at_its_time_and_as_loud() {
    let Some(program) = atelier_found::program("ffmpeg") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("film.mp4");
    // Silence, and a click of ten milliseconds at 0.75 s.
    let mut samples = vec![0.0_f32; 2 * 44_100];
    for i in 33_075..33_516 {
        samples[2 * i] = if i % 40 < 20 { 0.8 } else { -0.8 };
    }
    let sound = Sound::Stereo { rate: 44_100 };
    let mut film = Writer::create(&file, Video::new(64, 64), Some(sound), Tags::default()).unwrap();
    for _ in 0..24 {
        film.frame(Picture::Rgb(&[90; 64 * 64 * 3])).unwrap();
    }
    film.samples(&samples).unwrap();
    film.finish().unwrap();
    let pcm = ffmpeg(&program, &["-i", file.to_str().unwrap(), "-f", "f32le", "-"]);
    let left: Vec<f32> = pcm
        .chunks_exact(8)
        .map(|pair| f32::from_le_bytes([pair[0], pair[1], pair[2], pair[3]]))
        .collect();
    assert!(left.len().abs_diff(44_100) <= 1024, "{} samples", left.len());
    let first = left.iter().position(|v| v.abs() > 0.4).unwrap();
    assert!(first.abs_diff(33_075) <= 24, "the click is at {first}");
    let peak = left.iter().fold(0.0_f32, |a, b| a.max(b.abs()));
    assert!((0.6..1.05).contains(&peak), "{peak}");
}

#[test]
fn tables_come_before_the_data_and_no_other_file_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("film.mp4");
    write(&file, Video::new(64, 48), 5, Some((44_100, 0.1)));
    let bytes = fs::read(&file).unwrap();
    assert_eq!(&bytes[4..8], b"ftyp");
    assert!(at(&bytes, b"moov") < at(&bytes, b"mdat"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn the_same_frames_give_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let files = ["a.mp4", "b.mp4"].map(|name| folder.path().join(name));
    for file in &files {
        write(file, Video::new(160, 96), 26, Some((48_000, 0.4)));
    }
    assert_eq!(fs::read(&files[0]).unwrap(), fs::read(&files[1]).unwrap());
}

#[test]
fn the_order_in_which_sound_comes_changes_little() {
    let folder = tempfile::tempdir().unwrap();
    let lengths = [true, false].map(|first| {
        let file = folder.path().join("film.mp4");
        let sound = Sound::Stereo { rate: 48_000 };
        let mut film = Writer::create(&file, Video::new(64, 64), Some(sound), Tags::default()).unwrap();
        let tone = common::tone(48_000, 1.0);
        if first {
            film.samples(&tone).unwrap();
        }
        for i in 0..24 {
            film.frame(Picture::Rgb(&common::frame(64, 64, i))).unwrap();
            if !first {
                film.samples(&tone[i as usize * 4000..][..4000]).unwrap();
            }
        }
        film.finish().unwrap();
        fs::metadata(&file).unwrap().len()
    });
    assert!(lengths[0].abs_diff(lengths[1]) < 64, "{lengths:?}");
}

#[test]
fn odd_rates_have_exact_lengths() {
    let Some(ffprobe) = atelier_found::program("ffprobe") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    for (rate, written) in [
        (
            Rate {
                frames: 30_000,
                seconds: 1_001,
            },
            "30000/1001",
        ),
        (Rate::whole(60), "60/1"),
        (
            Rate {
                frames: 25,
                seconds: 2,
            },
            "25/2",
        ),
    ] {
        let file = folder.path().join("film.mp4");
        let video = Video {
            rate,
            ..Video::new(64, 64)
        };
        write(&file, video, 30, None);
        let seen = probe(&ffprobe, &file);
        assert_eq!(seen["streams"][0]["avg_frame_rate"], written);
        let seconds: f64 = seen["streams"][0]["duration"].as_str().unwrap().parse().unwrap();
        assert!((seconds - rate.time_of(30)).abs() < 1e-4, "{seconds}");
    }
}

#[test]
fn sound_ends_with_the_picture() {
    let Some(ffprobe) = atelier_found::program("ffprobe") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("film.mp4");
    for seconds in [0.3, 3.0] {
        write(&file, Video::new(64, 64), 24, Some((44_100, seconds)));
        let seen = probe(&ffprobe, &file);
        assert_eq!(seen["streams"][1]["duration"], "1.000000", "{seconds} s of sound");
    }
}

#[test]
fn invalid_settings_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("film.mp4");
    for video in [
        Video::new(63, 64),
        Video::new(0, 64),
        Video::new(8, 8),
        Video::new(4096, 2160),
        Video::new(3840, 3840),
        Video {
            rate: Rate::whole(0),
            ..Video::new(64, 64)
        },
        Video {
            rate: Rate {
                frames: 24,
                seconds: 0,
            },
            ..Video::new(64, 64)
        },
        Video {
            rate: Rate::whole(1000),
            ..Video::new(64, 64)
        },
        Video {
            quantizer: 51,
            ..Video::new(64, 64)
        },
    ] {
        let refused = Writer::create(&file, video, None, Tags::default());
        assert!(matches!(refused, Err(Error::Settings(_))), "{video:?}");
    }
    let sound = Sound::Stereo { rate: 12_345 };
    assert!(Writer::create(&file, Video::new(64, 64), Some(sound), Tags::default()).is_err());
    let empty = Sound::Coded(Coded {
        rate: 0,
        channels: 2,
        config: vec![],
        packet: 0,
        skip: 0,
        packets: vec![],
    });
    assert!(Writer::create(&file, Video::new(64, 64), Some(empty), Tags::default()).is_err());
    let mut film = Writer::create(&file, Video::new(64, 64), None, Tags::default()).unwrap();
    assert!(film.frame(Picture::Rgb(&[0; 5])).is_err());
    assert!(film.samples(&[0.0, 0.0]).is_err());
    assert!(film.finish().is_err(), "a film without frames");
    assert_eq!(
        fs::read_dir(folder.path()).unwrap().count(),
        0,
        "nothing is left behind"
    );
}

#[test]
fn files_are_no_larger_than_six_times_those_of_x264_at_equal_quality() {
    let Some(ffmpeg) = atelier_found::program("ffmpeg") else {
        return;
    };
    for source in common::CLIPS {
        let (own, other) = common::sizes(&ffmpeg, source, 24);
        assert!(own <= 6.0 * other, "{source}: {own:.0} bytes, x264 {other:.0}");
    }
}

//! What the tests of writing and reading share: drawn clips, and other programs' opinion of files.
#![allow(clippy::unwrap_used, reason = "a helper of tests may fail them")]
#![allow(dead_code, reason = "not every test uses all of it")]

use std::path::Path;
use std::process::Command;

use atelier_film::{I420, Picture, Sound, Tags, Video, Writer, color};

/// Frame `number` of a clip in which stripes drift over a gradient: smooth, and different in every frame.
pub(crate) fn frame(width: u32, height: u32, number: u32) -> Vec<u8> {
    let (w, h, t) = (width as usize, height as usize, number as f32);
    let mut rgb = Vec::with_capacity(w * h * 3);
    for y in 0..h {
        for x in 0..w {
            let (u, v) = (x as f32 / w as f32, y as f32 / h as f32);
            let stripe = ((u * 9.0 + v * 3.0 - t * 0.5).sin() * 0.5 + 0.5) * 110.0;
            rgb.extend([
                (40.0 + 150.0 * u) as u8,
                (60.0 + stripe) as u8,
                (200.0 - 140.0 * v) as u8,
            ]);
        }
    }
    rgb
}

/// A tone of 440 Hz to the left and 660 Hz to the right.
pub(crate) fn tone(rate: u32, seconds: f64) -> Vec<f32> {
    let samples = (f64::from(rate) * seconds).round() as usize;
    (0..samples)
        .flat_map(|i| {
            let t = i as f64 / f64::from(rate) * std::f64::consts::TAU;
            [(t * 440.0).sin() as f32 * 0.4, (t * 660.0).sin() as f32 * 0.4]
        })
        .collect()
}

/// Writes a drawn clip.
pub(crate) fn write(path: &Path, video: Video, frames: u32, sound: Option<(u32, f64)>) {
    let setting = sound.map(|(rate, _)| Sound::Stereo { rate });
    let tags = Tags {
        title: "Stripes".into(),
        encoder: "atelier tests".into(),
        comment: "AI-generated".into(),
        xmp: None,
    };
    let mut film = Writer::create(path, video, setting, tags).unwrap();
    if let Some((rate, seconds)) = sound {
        film.samples(&tone(rate, seconds)).unwrap();
    }
    for number in 0..frames {
        film.frame(Picture::Rgb(&frame(video.width, video.height, number)))
            .unwrap();
    }
    film.finish().unwrap();
}

/// What ffprobe says of a file.
pub(crate) fn probe(ffprobe: &Path, file: &Path) -> serde_json::Value {
    let output = Command::new(ffprobe)
        .args([
            "-v",
            "error",
            "-of",
            "json",
            "-show_streams",
            "-show_format",
            "-count_frames",
        ])
        .arg(file)
        .output()
        .unwrap();
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "ffprobe: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Runs ffmpeg; anything that it has to say against its input is a failure.
pub(crate) fn ffmpeg(ffmpeg: &Path, arguments: &[&str]) -> Vec<u8> {
    let output = Command::new(ffmpeg)
        .args(["-v", "error", "-nostdin", "-y"])
        .args(arguments)
        .output()
        .unwrap();
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "ffmpeg {arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    output.stdout
}

/// Peak signal to noise of two planes or frames, in decibels.
pub(crate) fn psnr(a: &[u8], b: &[u8]) -> f64 {
    assert_eq!(a.len(), b.len());
    let sum: f64 = a
        .iter()
        .zip(b)
        .map(|(a, b)| f64::from(a.abs_diff(*b)).powi(2))
        .sum();
    10.0 * (255.0_f64.powi(2) * a.len() as f64 / sum.max(1e-9)).log10()
}

/// The frame as film keeps it.
pub(crate) fn film_frame(width: u32, height: u32, number: u32) -> I420 {
    let mut frame_of = I420::new(width as usize, height as usize);
    color::from_rgb::<3>(&frame(width, height, number), &mut frame_of);
    frame_of
}

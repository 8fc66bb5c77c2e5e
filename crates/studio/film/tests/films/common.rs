//! Helpers of the writing and reading tests: drawn clips, and what other programs say of files.
#![allow(clippy::unwrap_used, reason = "a test helper may fail the test")]

use std::path::Path;
use std::process::Command;

use atelier_film::{I420, Picture, Sound, Tags, Video, Writer, color};

/// Frame `number` of a clip: stripes that drift over a gradient. It is smooth, and each frame is different.
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

/// A tone of 440 Hz on the left and 660 Hz on the right.
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

/// ffprobe's output for a file.
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

/// Runs ffmpeg and fails if it prints anything about its input.
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

/// Peak signal-to-noise ratio of two planes or frames, in decibels.
pub(crate) fn psnr(a: &[u8], b: &[u8]) -> f64 {
    assert_eq!(a.len(), b.len());
    let sum: f64 = a
        .iter()
        .zip(b)
        .map(|(a, b)| f64::from(a.abs_diff(*b)).powi(2))
        .sum();
    10.0 * (255.0_f64.powi(2) * a.len() as f64 / sum.max(1e-9)).log10()
}

/// The frame in the film's own format.
pub(crate) fn film_frame(width: u32, height: u32, number: u32) -> I420 {
    let mut frame_of = I420::new(width as usize, height as usize);
    color::from_rgb::<3>(&frame(width, height, number), &mut frame_of);
    frame_of
}

/// Clips drawn by ffmpeg: sharp moving objects, a slow zoom with detail everywhere, and soft drifting colours.
pub(crate) const CLIPS: [&str; 3] = [
    "testsrc2=s=320x192:r=24",
    "mandelbrot=s=320x192:r=24:end_scale=0.1",
    "gradients=s=320x192:r=24:seed=4:speed=0.02",
];

/// Sizes in bytes for the same frames at equal quality: our file, and the one of x264.
pub(crate) fn sizes(program: &Path, source: &str, frames: usize) -> (f64, f64) {
    const SIZE: (usize, usize) = (320, 192);
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let raw_of = |input: &[&str]| {
        let output = ["-f", "rawvideo", "-pix_fmt", "yuv420p", "-"];
        ffmpeg(program, &[input, &output].concat())
    };
    let raw = raw_of(&["-f", "lavfi", "-i", source, "-frames:v", &frames.to_string()]);
    let bytes = SIZE.0 * SIZE.1 * 3 / 2;
    assert_eq!(raw.len(), frames * bytes);
    std::fs::write(path("raw.yuv"), &raw).unwrap();

    let own = path("own.mp4");
    let mut film = Writer::create(
        Path::new(&own),
        Video::new(SIZE.0 as u32, SIZE.1 as u32),
        None,
        Tags::default(),
    )
    .unwrap();
    for frame in raw.chunks_exact(bytes) {
        let frame = I420 {
            data: frame.to_vec(),
            ..I420::new(SIZE.0, SIZE.1)
        };
        film.frame(Picture::I420(frame.planes())).unwrap();
    }
    film.finish().unwrap();
    let measured = |file: &str| {
        let size = std::fs::metadata(file).unwrap().len() as f64;
        (psnr(&raw_of(&["-i", file]), &raw), size)
    };
    let (quality, size) = measured(&own);

    // The size that x264 needs for this quality lies between those of two settings.
    let mut better: Option<(f64, f64)> = None;
    for crf in ["6", "14", "22", "30"] {
        let file = path(&format!("{crf}.mp4"));
        let shape = format!("{}x{}", SIZE.0, SIZE.1);
        let input = [
            "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", &shape, "-r", "24", "-i",
        ];
        let coding = ["-c:v", "libx264", "-preset", "veryfast", "-crf", crf];
        let raw_file = path("raw.yuv");
        ffmpeg(program, &[&input[..], &[&raw_file], &coding, &[&file]].concat());
        let (db, bytes) = measured(&file);
        if db > quality {
            better = Some((db, bytes));
            continue;
        }
        let (above, most) = better.expect("the finest setting is finer");
        let part = (quality - db) / (above - db);
        return (size, bytes * (most / bytes).powf(part));
    }
    panic!("{source}: {quality:.1} dB is less than the coarsest setting has");
}

//! Thumbnails of stored files: a JPEG whose longer side is at most 512 pixels. A film is shown by a frame near its
//! beginning, a recording by its waveform.

use std::{fs::File, io::BufWriter, path::Path};

use atelier_film::{Limits, Reader, color};
use atelier_sound::file::decode as decode_sound;
use image::{ExtendedColorType, ImageEncoder as _, RgbaImage, codecs::jpeg::JpegEncoder, imageops};
use serde_json::Map;

use atelier_protocol::{Error, Request, Response};
use atelier_retouch::decode::{self, Picture};

/// The longer side, in pixels.
pub(crate) const LONGEST: u32 = 512;
const QUALITY: u8 = 82;
/// The background of transparent parts: light enough for dark drawings, dark enough for white ones.
const BEHIND: u8 = 0xe6;

/// Makes `thumbnail.jpg` from the only input.
pub(crate) fn run(request: &Request, progress: &mut dyn FnMut(f32)) -> Result<Response, Error> {
    let [input] = request.inputs.as_slice() else {
        return Err(Error::InvalidInput(
            "a thumbnail needs exactly one input file".to_owned(),
        ));
    };
    let picture = match input.media_type.split_once('/') {
        Some(("video", _)) => poster(&input.path)?,
        Some(("audio", _)) => waveform(&input.path)?,
        _ => decode::read(&input.path)?,
    };
    progress(0.5);
    let small = shrunk(picture)?;
    let path = request.out.join("thumbnail.jpg");
    let failed =
        |error: image::ImageError| Error::Failed(format!("the thumbnail cannot be written: {error}"));
    let mut encoder = JpegEncoder::new_with_quality(BufWriter::new(File::create(&path)?), QUALITY);
    if let Some(icc) = small.icc {
        // A thumbnail without the colour profile is better than none.
        let _ = encoder.set_icc_profile(icc);
    }
    encoder
        .write_image(&small.rgb, small.width, small.height, ExtendedColorType::Rgb8)
        .map_err(failed)?;
    progress(1.0);
    Ok(Response {
        files: vec![path],
        metadata: Map::new(),
    })
}

/// The latest position of a film's poster, in seconds. Many films begin in black.
const POSTER_AT: f64 = 1.0;

fn poster(path: &Path) -> Result<Picture, Error> {
    let unreadable = |error: atelier_film::Error| Error::InvalidInput(error.to_string());
    let mut film = Reader::open(path, &Limits::default()).map_err(unreadable)?;
    let at = (film.facts().seconds / 4.0).min(POSTER_AT);
    let frame = film
        .at(at)
        .map_err(unreadable)?
        .ok_or_else(|| Error::InvalidInput("the video has no frames".to_owned()))?;
    let mut picture = Picture::filled(frame.width, frame.height, [0, 0, 0, 255]);
    color::to_rgb::<4>(frame, &mut picture.rgba);
    Ok(picture)
}

/// Size of a waveform in pixels; distance and width of its bars.
const WAVE: (usize, usize) = (LONGEST as usize, 192);
const BAR: (usize, usize) = (6, 4);
const BAR_COLOR: [u8; 4] = [0x2c, 0x7a, 0x68, 0xff];

/// One bar per stretch of time, as high as its loudest moment.
fn waveform(path: &Path) -> Result<Picture, Error> {
    let sound = decode_sound(path).map_err(|error| Error::InvalidInput(error.to_string()))?;
    let (width, height) = WAVE;
    let bars = width / BAR.0;
    let length = sound.channels.first().map_or(0, Vec::len);
    let peak = |bar: usize| {
        let stretch = length * bar / bars..length * (bar + 1) / bars;
        let channels = sound.channels.iter();
        let loudest = channels.filter_map(|channel| channel.get(stretch.clone()));
        loudest
            .flatten()
            .fold(0.0f32, |most, sample| most.max(sample.abs()))
    };
    let peaks: Vec<f32> = (0..bars).map(peak).collect();
    let most = peaks.iter().copied().fold(1e-3, f32::max);
    let mut picture = Picture::filled(width, height, [BEHIND, BEHIND, BEHIND, 255]);
    for (bar, peak) in peaks.iter().enumerate() {
        // Silence is drawn as a line, so that it is visible.
        let half = ((peak / most * 0.42 * height as f32) as usize).max(1);
        for y in height / 2 - half..height / 2 + half {
            let first = y * width + bar * BAR.0 + (BAR.0 - BAR.1) / 2;
            picture.rgba[first * 4..(first + BAR.1) * 4].copy_from_slice(&BAR_COLOR.repeat(BAR.1));
        }
    }
    Ok(picture)
}

struct Small {
    width: u32,
    height: u32,
    rgb: Vec<u8>,
    icc: Option<Vec<u8>>,
}

fn shrunk(picture: Picture) -> Result<Small, Error> {
    let (width, height) = (picture.width as u32, picture.height as u32);
    let scale = (f64::from(LONGEST) / f64::from(width.max(height))).min(1.0);
    let side = |length: u32| ((f64::from(length) * scale).round() as u32).max(1);
    let (to_width, to_height) = (side(width), side(height));
    let whole = RgbaImage::from_raw(width, height, picture.rgba)
        .ok_or_else(|| Error::Failed("the picture has fewer pixels than it declares".to_owned()))?;
    let small = if (to_width, to_height) == (width, height) {
        whole
    } else {
        imageops::thumbnail(&whole, to_width, to_height)
    };
    let rgb = small
        .pixels()
        .flat_map(|pixel| {
            let [r, g, b, alpha] = pixel.0.map(u32::from);
            let over = |color: u32| ((color * alpha + u32::from(BEHIND) * (255 - alpha) + 127) / 255) as u8;
            [over(r), over(g), over(b)]
        })
        .collect();
    Ok(Small {
        width: to_width,
        height: to_height,
        rgb,
        icc: picture.icc,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(width: usize, height: usize, rgba: [u8; 4]) -> Picture {
        Picture::filled(width, height, rgba)
    }

    #[test]
    fn the_longer_side_is_at_most_512_and_the_ratio_stays() {
        let small = shrunk(picture(2_000, 500, [200, 10, 10, 255])).unwrap();
        assert_eq!((small.width, small.height), (512, 128));
        assert_eq!(small.rgb[..3], [200, 10, 10]);
        let tiny = shrunk(picture(3, 9_000, [0, 0, 0, 255])).unwrap();
        assert_eq!((tiny.width, tiny.height), (1, 512));
        let same = shrunk(picture(40, 30, [0, 0, 0, 255])).unwrap();
        assert_eq!(
            (same.width, same.height),
            (40, 30),
            "small pictures are not enlarged"
        );
    }

    #[test]
    fn a_recording_is_shown_as_high_as_it_is_loud() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sound.wav");
        let spec = hound::WavSpec {
            channels: 1,
            sample_rate: 8_000,
            bits_per_sample: 16,
            sample_format: hound::SampleFormat::Int,
        };
        let mut writer = hound::WavWriter::create(&path, spec).unwrap();
        for sample in 0..8_000 {
            let loud = if sample < 4_000 { 0 } else { 20_000 };
            writer
                .write_sample(if sample % 2 == 0 { loud } else { -loud })
                .unwrap();
        }
        writer.finalize().unwrap();
        let picture = waveform(&path).unwrap();
        let bar_at = |x: usize| {
            (0..WAVE.1)
                .filter(|y| picture.rgba[(y * WAVE.0 + x) * 4] == BAR_COLOR[0])
                .count()
        };
        let middle = BAR.0 / 2;
        assert_eq!(bar_at(10 * BAR.0 + middle), 2, "silence");
        assert_eq!(bar_at(70 * BAR.0 + middle), 160);
    }

    #[test]
    fn a_film_is_shown_by_one_of_its_frames() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("film.mp4");
        let (width, height) = (64, 48);
        let video = atelier_film::Video::new(width as u32, height as u32);
        let mut film =
            atelier_film::Writer::create(&path, video, None, atelier_film::Tags::default()).unwrap();
        let red = [200u8, 20, 30].repeat(width * height);
        for _ in 0..12 {
            film.frame(atelier_film::Picture::Rgb(&red)).unwrap();
        }
        film.finish().unwrap();
        let picture = poster(&path).unwrap();
        assert_eq!((picture.width, picture.height), (width, height));
        let [r, g, b, alpha] = picture.rgba[..4].try_into().unwrap();
        assert!(r > 180 && g < 50 && b < 60 && alpha == 255, "{r} {g} {b}");
    }

    #[test]
    fn transparent_parts_are_shown_on_light_grey() {
        let small = shrunk(picture(4, 4, [0, 0, 0, 0])).unwrap();
        assert_eq!(small.rgb[..3], [BEHIND; 3]);
        let half = shrunk(picture(4, 4, [0, 0, 0, 128])).unwrap();
        assert_eq!(half.rgb[0], 115);
    }
}

//! `video-upscale`: a film at another size, with less noise and sharper edges, complete and in its own shape.

use atelier_film::{I420, Limits, Picture, Rate, Reader};
use rayon::prelude::*;
use serde_json::{Map, json};

use super::fit::{Crop, Fit};
use super::sound::Track;
use super::source::{self, Timeline};
use super::still::Still;
use super::{Film, Form, plan, refused};
use crate::About;
use crate::{order, size};
use atelier_protocol::{Error, Request, Response};
use atelier_retouch::encode::SourceType;

/// Fields that have an effect; others of a request change nothing.
const HEARD: [&str; 6] = [
    "video_url",
    "size",
    "width",
    "height",
    "fps",
    "enable_safety_checker",
];
/// The longest film that is worked on, in seconds.
const LONGEST: f64 = 60.0;
/// How much of the difference from the surroundings is added at the largest scale, in 256ths.
const SHARPENED: i32 = 190;
/// How far a value may leave the range of its neighbours: more would be a halo.
const BEYOND: i32 = 3;

/// The task.
pub(crate) fn run(request: &Request, progress: &mut dyn FnMut(f32)) -> Result<Response, Error> {
    let input = request
        .inputs_of("video_url")
        .next()
        .ok_or_else(|| Error::InvalidInput("`video_url` is missing; a video is required".into()))?;
    let film = Reader::open(&input.path, &Limits::measured(input.seconds)).map_err(refused)?;
    let facts = *film.facts();
    let own = f64::from(facts.width) / f64::from(facts.height);
    let (width, height) = size::asked(&request.params, Some(own))?;
    let (width, height) = (width as usize, height as usize);
    // The whole film in its own shape; the rest of the frame is black.
    let even = |length: f64| ((length / 2.0).round() as usize * 2).max(16);
    let inner = (
        even((height as f64 * own).min(width as f64)),
        even((width as f64 / own).min(height as f64)),
    );
    let from = (facts.width as usize, facts.height as usize);
    let rate = match order::number(request, "fps", (1.0, 120.0))? {
        Some(fps) => Rate::whole(fps.round() as u32),
        None => plan::rate(&facts, 60.6),
    };
    let seconds = facts.seconds.min(LONGEST);
    let frames = (seconds * f64::from(rate.frames) / f64::from(rate.seconds)).round() as u64;
    let timeline = Timeline {
        from: 0.0,
        speed: 1.0,
        reverse: false,
        rate,
        frames: frames.max(1),
    };
    let grown = inner.0 as f64 / from.0 as f64;
    let strength = (f64::from(SHARPENED) * (grown.log2() * 0.5 + 0.35).clamp(0.0, 1.0)) as i32;
    let whole = Crop::middle((from.0 as f64, from.1 as f64), own);
    let grow = Fit::new(from, whole, inner, false);
    let as_is = Fit::new(from, whole, from, false);

    let (track, heard) = Track::of(&input.path, &film, &timeline, false, false);
    let form = Form {
        width: width as u32,
        height: height as u32,
        rate,
        frames: timeline.frames,
    };
    let about = About {
        prompt: "",
        source: SourceType::AlgorithmicallyEnhanced,
    };
    let mut out = Film::create(&request.out, form, track.setting(), about, 0.01, progress)?.checked(request);
    if let Track::Made(samples) = track {
        out.samples(&samples)?;
    }
    let mut still = Still::new();
    for frame in source::frames(film, timeline, as_is) {
        let mut frame = frame.map_err(refused)?;
        still.hold(&mut frame);
        let mut large = grow.apply(&frame);
        sharpen(&mut large, strength);
        let large = framed(large, width, height);
        out.frame(Picture::I420(large.planes()))?;
    }
    let mut metadata = Map::new();
    metadata.insert("setting".into(), json!("a video in another size"));
    metadata.insert("from".into(), json!([from.0, from.1]));
    metadata.insert("sound".into(), json!(heard));
    out.finish(request, &HEARD, metadata)
}

/// Adds to each lightness its difference from its surroundings, within the range of its neighbours.
fn sharpen(frame: &mut I420, strength: i32) {
    if strength <= 0 {
        return;
    }
    let (width, height) = (frame.width, frame.height);
    let old = frame.data[..width * height].to_vec();
    frame.data[..width * height]
        .par_chunks_mut(width)
        .enumerate()
        .for_each(|(y, row)| {
            let line = |y: usize| &old[y * width..(y + 1) * width];
            let lines = [line(y.saturating_sub(1)), line(y), line((y + 1).min(height - 1))];
            for (x, value) in row.iter_mut().enumerate() {
                let columns = [x.saturating_sub(1), x, (x + 1).min(width - 1)];
                let (mut sum, mut low, mut high) = (0, 255, 0);
                for line in lines {
                    for column in columns {
                        let v = i32::from(line[column]);
                        sum += v;
                        low = low.min(v);
                        high = high.max(v);
                    }
                }
                let own = i32::from(*value);
                let sharp = own + ((9 * own - sum) * strength) / (9 * 128);
                *value = sharp.clamp(low - BEYOND, high + BEYOND).clamp(16, 235) as u8;
            }
        });
}

/// A frame in the centre of a black one.
fn framed(frame: I420, width: usize, height: usize) -> I420 {
    if (frame.width, frame.height) == (width, height) {
        return frame;
    }
    let mut out = I420::new(width, height);
    let (left, top) = ((width - frame.width) / 4 * 2, (height - frame.height) / 4 * 2);
    let own = frame.planes();
    let (luma, chroma) = out.data.split_at_mut(width * height);
    let (blue, red) = chroma.split_at_mut(width * height / 4);
    for (to, from, k) in [(luma, own.y, 1), (blue, own.u, 2), (red, own.v, 2)] {
        let (w, own_width) = (width / k, frame.width / k);
        for (row, from) in from.chunks_exact(own_width).enumerate() {
            let at = (top / k + row) * w + left / k;
            to[at..at + own_width].copy_from_slice(from);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use atelier_film::{Tags, Video, Writer};
    use serde_json::Value;

    use super::*;
    use atelier_protocol::Input;

    /// A picture with edges and curves, at any size.
    fn drawn(width: usize, height: usize) -> I420 {
        let mut frame = I420::new(width, height);
        for y in 0..height {
            for x in 0..width {
                let mut sum = 0.0;
                // Means over the pixel, like a camera sensor.
                for k in 0..16 {
                    let u = (x as f32 + (k % 4) as f32 / 4.0 + 0.125) / width as f32;
                    let v = (y as f32 + (k / 4) as f32 / 4.0 + 0.125) / height as f32;
                    let ring = ((u - 0.5).hypot(v - 0.5) * 34.0).sin() > 0.2;
                    sum += if ring { 190.0 } else { 60.0 + 40.0 * u };
                }
                frame.data[y * width + x] = (sum / 16.0) as u8;
            }
        }
        frame
    }

    fn luma_psnr(a: &I420, b: &I420) -> f64 {
        let (a, b) = (a.planes().y, b.planes().y);
        let sum: f64 = a
            .iter()
            .zip(b)
            .map(|(a, b)| f64::from(a.abs_diff(*b)).powi(2))
            .sum();
        10.0 * (255.0_f64.powi(2) * a.len() as f64 / sum.max(1e-9)).log10()
    }

    fn enlarged(size: (usize, usize), params: &Value) -> (Response, Vec<I420>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("small.mp4");
        let mut video = Video::new(size.0 as u32, size.1 as u32);
        video.quantizer = 14;
        let mut film = Writer::create(&path, video, None, Tags::default()).unwrap();
        for _ in 0..6 {
            film.frame(Picture::I420(drawn(size.0, size.1).planes())).unwrap();
        }
        film.finish().unwrap();
        let request = Request {
            task: "video-upscale".into(),
            params: params.as_object().unwrap().clone(),
            inputs: vec![Input {
                parameter: "video_url".into(),
                path,
                media_type: "video/mp4".into(),
                seconds: None,
            }],
            seed: 1,
            out: folder.path().to_owned(),
        };
        let response = run(&request, &mut |_| {}).unwrap();
        let mut film = Reader::open(&response.files[0], &Limits::default()).unwrap();
        let mut frames = Vec::new();
        while let Some(frame) = film.next(None).unwrap() {
            frames.push(frame.picture);
        }
        (response, frames)
    }

    #[test]
    fn an_enlarged_film_is_nearer_to_the_truth_than_one_without_sharpening() {
        let (response, frames) = enlarged(
            (128, 96),
            &json!({ "width": 256, "height": 192, "model_size": "3B" }),
        );
        assert_eq!((frames.len(), frames[0].width, frames[0].height), (6, 256, 192));
        assert_eq!(response.metadata["without_effect"], json!(["model_size"]));
        let truth = drawn(256, 192);
        let whole = Crop::middle((128.0, 96.0), 128.0 / 96.0);
        let plain = Fit::new((128, 96), whole, (256, 192), false).apply(&drawn(128, 96));
        let (ours, plain) = (luma_psnr(&frames[5], &truth), luma_psnr(&plain, &truth));
        println!("{ours:.2} dB, {plain:.2} dB without");
        assert!(ours > plain, "{ours} against {plain}");
    }

    #[test]
    fn a_film_keeps_its_shape_between_black_and_runs_at_the_rate_asked_for() {
        let (_, frames) = enlarged((96, 96), &json!({ "width": 256, "height": 128, "fps": 48 }));
        assert_eq!((frames.len(), frames[0].width, frames[0].height), (12, 256, 128));
        let row = &frames[3].planes().y[64 * 256..65 * 256];
        assert!(row[..60].iter().all(|v| *v < 20) && row[198..].iter().all(|v| *v < 20));
        assert!(row[70..186].iter().any(|v| *v > 150));
    }
}

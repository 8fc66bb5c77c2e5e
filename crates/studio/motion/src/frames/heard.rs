//! `audio-to-video`: a living picture with a recording as its sound, whose loudness moves the camera and the light.
//! The picture is an input, or drawn from the words.

use atelier_film::{Picture, Rate, Sound};
use atelier_sound::file::{Audio, decode as hear};
use rayon::prelude::*;
use serde_json::{Map, json};

use super::{Living, shot_of};
use crate::edit::sound::stereo;
use crate::order::HEARD;
use crate::texture::fitted;
use crate::{About, Film, Form, Order, SAMPLES_A_SECOND};
use atelier_picture::chance::smooth;
use atelier_picture::render;
use atelier_protocol::{Error, Request, Response};
use atelier_retouch::canvas::{Canvas, Frame};
use atelier_retouch::decode;
use atelier_retouch::encode::SourceType;

/// The length of a film with a longer recording, in seconds.
const LONGEST: f64 = 60.0;
/// How much lighter the loudest moment is.
const LIGHTER: f32 = 0.09;
/// Seconds in which a pulse dies away.
const RELEASE: f32 = 0.22;

/// The task.
pub(crate) fn run(request: &Request, progress: &mut dyn FnMut(f32)) -> Result<Response, Error> {
    let none = || Error::InvalidInput("`audio_url` is missing; a recording is required".into());
    let recording = request.inputs_of("audio_url").next().ok_or_else(none)?;
    let audio = hear(&recording.path).map_err(|error| Error::InvalidInput(error.to_string()))?;
    let given = request.inputs_of("image_urls").next();
    let given = given.map(|input| decode::read(&input.path)).transpose()?;
    let mut request = request.clone();
    if !request.params.contains_key("duration") {
        let seconds = audio.seconds().clamp(0.5, LONGEST);
        request.params.insert("duration".into(), json!(seconds));
    }
    let shape = given
        .as_ref()
        .map(|picture| picture.width as f64 / picture.height as f64);
    let order = Order::read(&request, shape)?;
    let frame = Frame::new(order.width as usize, order.height as usize);
    let shot = shot_of(&order)?;
    let picture = match &given {
        Some(picture) => fitted(picture, frame),
        None => drawn(&shot.scene, order.seed, frame),
    };
    progress(0.03);
    let mut metadata = Map::new();
    let living = Living::new(&order, &shot, &request, picture, &mut metadata)?;
    let note = "nobody in the picture speaks or acts: the recording moves the camera and the light";
    metadata.insert("not_done".into(), json!([note]));
    metadata.insert("setting".into(), json!("a picture that lives with a recording"));
    let pulses = pulses(&audio, order.rate, order.frames);
    let form = Form {
        width: order.width,
        height: order.height,
        rate: order.rate,
        frames: order.frames,
    };
    let about = About {
        prompt: &order.prompt,
        source: SourceType::CompositeSynthetic,
    };
    let sound = Sound::Stereo {
        rate: SAMPLES_A_SECOND,
    };
    let mut film = Film::create(&request.out, form, Some(sound), about, 0.08, progress)?.checked(&request);
    film.samples(&stereo(&audio, 0.0, order.seconds(), 1.0, false))?;
    let mut canvas = Canvas::new(frame);
    for (number, pulse) in pulses.into_iter().enumerate() {
        let time = order.rate.time_of(number as u64) as f32;
        let pulse = pulse * smooth(0.0, 0.4, time);
        living.frame(time, pulse, &mut canvas);
        lighten(&mut canvas, LIGHTER * pulse);
        film.frame(Picture::Rgbx(canvas.pixels.as_flattened()))?;
    }
    metadata.insert("seed".into(), json!(order.seed));
    film.finish(&request, &HEARD, metadata)
}

/// The picture drawn from the words.
fn drawn(words: &str, seed: u64, frame: Frame) -> Canvas {
    let rendered = render(words, seed, 0, frame.width, frame.height);
    let mut canvas = Canvas::new(frame);
    for (to, from) in canvas.pixels.iter_mut().zip(rendered.rgb.chunks_exact(3)) {
        *to = [from[0], from[1], from[2], 1];
    }
    canvas
}

/// The loudness at each frame, 0 to 1: it rises at once and decays softly.
fn pulses(audio: &Audio, rate: Rate, frames: u64) -> Vec<f32> {
    let samples = audio.downmix();
    let at = |frame: u64| {
        let sample = rate.time_of(frame) * f64::from(audio.rate);
        (sample as usize).min(samples.len())
    };
    let loud: Vec<f32> = (0..frames)
        .map(|frame| {
            let part = &samples[at(frame)..at(frame + 1)];
            (part.iter().map(|v| v * v).sum::<f32>() / part.len().max(1) as f32).sqrt()
        })
        .collect();
    let mut sorted = loud.clone();
    sorted.sort_by(f32::total_cmp);
    // The quiet parts of this recording are 0 and its loud ones 1.
    let part = |k: usize| sorted.get(sorted.len() * k / 20).copied().unwrap_or(0.0);
    let (low, high) = (part(4), part(18).max(sorted.last().copied().unwrap_or(0.0) * 0.5));
    let fall = (-(rate.time_of(1) as f32) / RELEASE).exp();
    let mut held = 0.0_f32;
    loud.into_iter()
        .map(|v| {
            let now = ((v - low) / (high - low).max(1e-4)).clamp(0.0, 1.0);
            // Half of the rise at once, so that clicks do not flash.
            held = if now > held {
                held + 0.6 * (now - held)
            } else {
                now.max(held * fall)
            };
            held
        })
        .collect()
}

fn lighten(canvas: &mut Canvas, by: f32) {
    let k = 256 + (by * 256.0) as u32;
    if k > 256 {
        canvas.pixels.par_iter_mut().for_each(|p| {
            for v in &mut p[..3] {
                *v = ((u32::from(*v) * k) >> 8).min(255) as u8;
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use atelier_film::{Limits, Reader};

    use super::*;
    use atelier_protocol::Input;

    /// Two seconds of silence with a loud tone from 1 to 1.3 s.
    fn recording(path: &std::path::Path) {
        let spec = hound::WavSpec {
            channels: 1,
            sample_rate: 24_000,
            bits_per_sample: 16,
            sample_format: hound::SampleFormat::Int,
        };
        let mut wav = hound::WavWriter::create(path, spec).unwrap();
        for i in 0..48_000 {
            let loud = (24_000..31_200).contains(&i);
            let value = if loud {
                (i as f32 * 0.1).sin() * 20_000.0
            } else {
                0.0
            };
            wav.write_sample(value as i16).unwrap();
        }
        wav.finalize().unwrap();
    }

    #[test]
    fn the_film_is_as_long_as_the_recording_and_pulses_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.wav");
        recording(&path);
        let input = Input {
            parameter: "audio_url".into(),
            path,
            media_type: "audio/wav".into(),
            seconds: None,
        };
        let params =
            json!({ "prompt": "a lighthouse by the sea, static camera", "width": 192, "height": 128 });
        let mut request = Request {
            task: "audio-to-video".into(),
            params: params.as_object().unwrap().clone(),
            inputs: vec![input],
            seed: 2,
            out: folder.path().to_owned(),
        };
        let response = run(&request, &mut |_| {}).unwrap();
        let mut film = Reader::open(&response.files[0], &Limits::default()).unwrap();
        assert!(film.facts().has_sound);
        let mut lights = Vec::new();
        while let Some(frame) = film.next(None).unwrap() {
            let y = frame.picture.planes().y;
            lights.push(y.iter().map(|v| f64::from(*v)).sum::<f64>() / y.len() as f64);
        }
        assert_eq!(lights.len(), 48);
        assert!(
            lights[28] > lights[20] + 2.0 && lights[28] > lights[44] + 2.0,
            "{lights:?}"
        );
        let sound = hear(&response.files[0]).unwrap();
        assert!((sound.seconds() - 2.0).abs() < 0.05, "{}", sound.seconds());

        request.inputs[0].path = folder.path().join("b.wav");
        std::fs::write(&request.inputs[0].path, b"RIFF nothing").unwrap();
        assert!(matches!(run(&request, &mut |_| {}), Err(Error::InvalidInput(_))));
    }
}

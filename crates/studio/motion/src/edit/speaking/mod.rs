//! `lip-sync`: a face speaks a recording. The mouth of the face is opened and shaped by the loudness and the timbre
//! of the sound; the recording becomes the track, and sets the length of the film.

mod faces;
mod heard;
mod mouth;
#[cfg(test)]
mod tests;

use atelier_film::{I420, Picture, Rate, Sound};
use serde_json::{Map, Value, json};

use super::given::{Given, Most, named, per_second};
use super::sound::stereo;
use super::source;
use super::{Form, canvas_of_frame, given::covering};
use crate::texture::fitted;
use crate::{About, Film, SAMPLES_A_SECOND, refused, size};
use atelier_audio::dubbing::heard as listen;
use atelier_protocol::{Error, Request, Response};
use atelier_retouch::canvas::{Canvas, Frame};
use atelier_retouch::decode;
use atelier_retouch::encode::SourceType;
use atelier_retouch::faces::Face;
use heard::{Shape, shapes};
use mouth::Opened;

/// The longest recording in seconds, and the highest frame rate.
const LONGEST: f64 = 60.0;
const FASTEST: f64 = 30.6;
/// The frame rate of a film made from a picture.
const RATE: Rate = Rate::whole(25);
/// The most pixels of a frame.
const PIXELS: f64 = 1_920.0 * 1_080.0;
/// Fields that have an effect; others of a request change nothing.
const HEARD: [&str; 10] = [
    "audio_url",
    "video_url",
    "image_urls",
    "prompt",
    "resolution",
    "aspect_ratio",
    "size",
    "width",
    "height",
    "fps",
];

/// The task. Parameters are those of the models `infinitetalk`, `latentsync-1-6` and `musetalk-1-5`.
pub(crate) fn run(request: &Request, progress: &mut dyn FnMut(f32)) -> Result<Response, Error> {
    let none = || Error::InvalidInput("`audio_url` is missing; a recording is required".into());
    let input = request.inputs_of("audio_url").next().ok_or_else(none)?;
    let audio = listen(input)?;
    let seconds = audio.seconds().min(LONGEST);
    if seconds < 0.1 {
        return Err(Error::InvalidInput(
            "`audio_url` is shorter than a tenth of a second; a recording of speech is required".into(),
        ));
    }
    let prompt = request.params.get("prompt").and_then(Value::as_str);
    let about = About {
        prompt: prompt.unwrap_or_default(),
        source: SourceType::CompositeSynthetic,
    };
    progress(0.02);
    let asked = super::super::order::number(request, "fps", (1.0, 60.0))?;
    let speaker = if request.inputs_of("video_url").next().is_some() {
        Speaker::filmed(request, asked)?
    } else {
        Speaker::pictured(request, asked)?
    };
    progress(0.25);
    let form = Form {
        frames: (seconds * per_second(speaker.form.rate)).round().max(1.0) as u64,
        ..speaker.form
    };
    let shapes = shapes(&audio, form.rate, form.frames);
    let sound = Sound::Stereo {
        rate: SAMPLES_A_SECOND,
    };
    let mut film = Film::create(&request.out, form, Some(sound), about, 0.25, progress)?;
    film.samples(&stereo(&audio, 0.0, seconds, 1.0, false))?;
    let is_person = speaker.is_person;
    let opens = shapes.iter().map(|shape| shape.open).sum::<f32>() / shapes.len().max(1) as f32;
    speaker.speak(request, &shapes, &mut film)?;
    let mut metadata = Map::new();
    metadata.insert("setting".into(), json!("a face that speaks to a recording"));
    metadata.insert(
        "face".into(),
        json!(if is_person {
            "found by its features"
        } else {
            "none of a person; the head of what stands out"
        }),
    );
    metadata.insert("opens".into(), json!((100.0 * f64::from(opens)).round() / 100.0));
    film.finish(request, &HEARD, metadata)
}

/// The speaker.
struct Speaker {
    form: Form,
    faces: Vec<Face>,
    is_person: bool,
    picture: Option<Canvas>,
}

impl Speaker {
    fn pictured(request: &Request, fps: Option<f64>) -> Result<Self, Error> {
        let input = request.inputs_of("image_urls").next().ok_or_else(|| {
            Error::InvalidInput(
                "`video_url` and `image_urls` are missing; a video or a portrait is required".into(),
            )
        })?;
        let picture = decode::read(&input.path).map_err(|error| named("image_urls", error))?;
        let shape = picture.width as f64 / picture.height as f64;
        let (width, height) = size::asked(&request.params, Some(shape))?;
        let canvas = fitted(&picture, Frame::new(width as usize, height as usize));
        let person = Face::in_picture(&canvas, None);
        let face = person.or_else(|| Face::of_subject(&canvas)).ok_or_else(|| {
            Error::InvalidInput("no face was found in `image_urls`; a portrait is required".into())
        })?;
        Ok(Self {
            form: Form {
                width,
                height,
                rate: fps.map_or(RATE, |fps| Rate::whole(fps.round() as u32)),
                frames: 0,
            },
            faces: vec![face],
            is_person: person.is_some(),
            picture: Some(canvas),
        })
    }

    fn filmed(request: &Request, fps: Option<f64>) -> Result<Self, Error> {
        let mut given = open(request)?;
        if let Some(fps) = fps {
            retimed(&mut given, fps);
        }
        let form = given.form();
        let track = faces::follow(given.frames().into_iter(), form.rate, "video_url")?;
        Ok(Self {
            form,
            faces: track.faces,
            is_person: track.is_person,
            picture: None,
        })
    }

    /// Writes the film: a frame for each shape. A video that is shorter than the recording plays back and forth.
    fn speak(self, request: &Request, shapes: &[Shape], film: &mut Film<'_>) -> Result<(), Error> {
        let frame = Frame::new(self.form.width as usize, self.form.height as usize);
        let mut out = Canvas::new(frame);
        let mut show = |canvas: &Canvas, face: Face, shape: Shape| {
            Opened::new(canvas, face, shape).draw(&mut out);
            film.frame(Picture::Rgbx(out.pixels.as_flattened()))
        };
        if let Some(picture) = &self.picture {
            let face = self.faces[0];
            return shapes.iter().try_for_each(|shape| show(picture, face, *shape));
        }
        let count = self.faces.len();
        let mut done = 0;
        let mut back = false;
        while done < shapes.len() {
            let mut given = open(request)?;
            given.timeline.rate = self.form.rate;
            given.timeline.frames = count as u64;
            given.timeline.reverse = back;
            let fit = covering(&given.film, (given.width, given.height));
            let frames = source::frames(given.film, given.timeline, fit);
            for (number, picture) in frames.into_iter().enumerate().take(shapes.len() - done) {
                let picture: I420 = picture.map_err(refused)?;
                let face = self.faces[if back { count - 1 - number } else { number }];
                let canvas = canvas_of_frame(&picture, frame);
                show(&canvas, face, shapes[done])?;
                done += 1;
            }
            back = !back;
        }
        Ok(())
    }
}

/// The video at its own size, as far as it can be encoded, unless another is requested.
fn open(request: &Request) -> Result<Given, Error> {
    let most = Most {
        seconds: LONGEST,
        frames: u64::MAX,
        rate: FASTEST,
    };
    Given::open(request, "video_url", most, |facts| {
        let names_a_size = ["width", "resolution", "size", "aspect_ratio"]
            .iter()
            .any(|name| request.params.get(*name).is_some_and(|value| !value.is_null()));
        if names_a_size {
            let shape = f64::from(facts.width) / f64::from(facts.height);
            return size::asked(&request.params, Some(shape));
        }
        Ok(super::given::own_size(facts, PIXELS))
    })
}

fn retimed(given: &mut Given, fps: f64) {
    let seconds = given.timeline.seconds();
    given.timeline.rate = Rate::whole(fps.round() as u32);
    given.timeline.frames = (seconds * fps.round()).round().max(1.0) as u64;
}

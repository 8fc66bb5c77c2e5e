//! Image to video: the first frame is the input picture itself, cropped to the film's shape. From there a camera
//! moves by an estimate of depth, and living parts move. With a last frame the film ends at it.

mod camera;
pub(crate) mod heard;
mod life;
mod morph;
#[cfg(test)]
mod tests;

use atelier_film::Picture;
use serde_json::{Map, Value, json};

use super::edit::weather::Air;
use super::guests::Guests;
use super::order::HEARD;
use super::script::{self, Shot};
use super::sound::{Heard, Track};
use super::{About, Film, Form, Order};
use crate::texture::{Field, fitted, mix};
use atelier_picture::chance::smooth;
use atelier_picture::light::Weather;
use atelier_picture::moving::{Look, mean};
use atelier_picture::prompt::Prompt;
use atelier_picture::prompt::meaning::Terrain;
use atelier_protocol::{Error, Request, Response};
use atelier_retouch::canvas::picture as picture_of;
use atelier_retouch::canvas::{Canvas, Frame};
use atelier_retouch::decode;
use atelier_retouch::depth;
use atelier_retouch::encode::SourceType;
use camera::Eye;
use life::Life;
use morph::Morph;

/// Seconds in which weather starts.
const COMES: f32 = 1.2;

/// Whether a request has input frames.
pub(super) fn is_asked(request: &Request) -> bool {
    request.inputs_of("image_urls").next().is_some()
}

/// Makes a film of one picture, or from one to another.
pub(super) fn run(request: &Request, progress: &mut dyn FnMut(f32)) -> Result<Response, Error> {
    let mut given = request.inputs_of("image_urls");
    let none = || Error::InvalidInput("`image_urls` is missing; a first frame is required".into());
    let first = decode::read(&given.next().ok_or_else(none)?.path)?;
    let last = given.next().map(|input| decode::read(&input.path)).transpose()?;
    let order = Order::read(request, Some(first.width as f64 / first.height as f64))?;
    let frame = Frame::new(order.width as usize, order.height as usize);
    let shot = shot_of(&order)?;
    let first = fitted(&first, frame);
    progress(0.02);
    let mut metadata = Map::new();
    let scene = match &last {
        None => Scene::Picture(Box::new(Living::new(
            &order,
            &shot,
            request,
            first,
            &mut metadata,
        )?)),
        Some(last) => {
            metadata.insert("setting".into(), json!("from a first frame to a last one"));
            let last = fitted(last, frame);
            let morph = Morph::new(&first, &last, order.seed as u32);
            Scene::Both(Box::new((morph, first, last)))
        }
    };
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
    let guests = Guests::default();
    let sound = Track::of(&order, &guests);
    let mut film = Film::create(&request.out, form, sound.setting(), about, 0.06, progress)?.checked(request);
    let mut canvas = Canvas::new(frame);
    for number in 0..order.frames {
        match &scene {
            Scene::Picture(living) => living.frame(order.rate.time_of(number) as f32, 0.0, &mut canvas),
            Scene::Both(both) => {
                let (morph, first, last) = &**both;
                let time = number as f32 / (order.frames - 1).max(1) as f32;
                morph.frame(first, last, time, &mut canvas);
            }
        }
        film.frame(Picture::Rgbx(canvas.pixels.as_flattened()))?;
    }
    let told = sound.write(&order, &guests, &[Heard::of_words(&order)], &mut film)?;
    metadata.insert("sound".into(), told);
    metadata.insert("seed".into(), json!(order.seed));
    film.finish(request, &HEARD, metadata)
}

/// The first shot that the words describe: a picture has one.
fn shot_of(order: &Order) -> Result<Shot, Error> {
    let shot = script::read(&order.prompt).into_iter().next();
    shot.ok_or_else(|| Error::Failed("a script without a shot".into()))
}

enum Scene {
    Picture(Box<Living>),
    /// The transition from one picture to another.
    Both(Box<(Morph, Canvas, Canvas)>),
}

/// A living picture.
struct Living {
    picture: Canvas,
    /// The picture in its final light.
    later: Option<Canvas>,
    air: Option<Air>,
    eye: Eye,
    life: Life,
    seconds: f32,
}

impl Living {
    fn new(
        order: &Order,
        shot: &Shot,
        request: &Request,
        picture: Canvas,
        metadata: &mut Map<String, Value>,
    ) -> Result<Self, Error> {
        let frame = picture.frame;
        let seconds = order.seconds() as f32;
        let prompt = Prompt::read(&shot.scene);
        let mut camera = shot.camera.clone();
        if let Some(name) = request.params.get("camera_motion").and_then(Value::as_str)
            && camera.moves.is_empty()
        {
            camera = script::Camera::named(name)
                .ok_or_else(|| Error::InvalidInput(format!("unknown `camera_motion` {name:?}")))?;
        }
        let small = picture.reduced(
            frame.width.min(640),
            frame.height * frame.width.min(640) / frame.width,
        );
        let depth = depth::guess(&picture_of(&small));
        let wet = [
            Terrain::Sea,
            Terrain::Lake,
            Terrain::River,
            Terrain::Beach,
            Terrain::Harbor,
        ]
        .into_iter()
        .any(|terrain| prompt.has(terrain));
        let windy = ["wind", "breeze", "sway", "swaying", "rustle", "leaves", "grass"]
            .iter()
            .any(|word| order.prompt.to_lowercase().contains(word));
        let mut life = Life::of(&depth, wet, windy);
        if camera.lapse {
            life.speed = 5.0;
        }
        let later = (shot.looks.len() > 1)
            .then(|| shot.looks.last())
            .flatten()
            .filter(|look| look.time.is_some() || look.season.is_some());
        let later = later.map(|look| {
            let change = Prompt {
                time: look.time,
                season: look.season,
                ..Prompt::default()
            };
            Look::new(change, order.seed).apply(picture.clone())
        });
        let weather = shot.looks.last().and_then(|look| look.weather).or(prompt.weather);
        let weather = weather.filter(|w| !matches!(w, Weather::Clear | Weather::Cloudy | Weather::Overcast));
        let air = weather.and_then(|weather| Air::new(weather, frame, mean(&picture), order.seed));
        let moves: Vec<&str> = camera.moves.iter().map(|way| way.name()).collect();
        metadata.insert("setting".into(), json!("a picture that lives"));
        metadata.insert("camera".into(), json!(moves));
        metadata.insert("moving".into(), json!(life.told));
        metadata.insert("understood".into(), json!(prompt.understood));
        metadata.insert("unknown".into(), json!(prompt.unknown));
        if shot.doing.moves || shot.doing.runs {
            let note = "what the picture shows does not act: only its sky, water and leaves, the light, the weather \
                and the camera move";
            metadata.insert("not_done".into(), json!([note]));
        }
        let eye = Eye::new(camera, &depth, frame, seconds, order.seed as u32);
        Ok(Self {
            picture,
            later,
            air,
            eye,
            life,
            seconds,
        })
    }

    /// The frame at a time; a pulse is 0 to 1.
    fn frame(&self, time: f32, pulse: f32, canvas: &mut Canvas) {
        let field: Field = self.eye.field(&self.life, time, pulse);
        field.show(&self.picture, canvas);
        if let Some(later) = &self.later {
            let k = smooth(0.1, 0.95, time / self.seconds.max(0.1));
            if k > 0.0 {
                let mut other = Canvas::new(canvas.frame);
                field.show(later, &mut other);
                mix(canvas, &other, |_, _| k);
            }
        }
        if let Some(air) = &self.air {
            let k = smooth(0.0, COMES.min(0.5 * self.seconds), time);
            if k >= 1.0 {
                air.lay(canvas, time);
            } else if k > 0.0 {
                let mut under = canvas.clone();
                air.lay(&mut under, time);
                mix(canvas, &under, |_, _| k);
            }
        }
    }
}

//! `video-edit`: words applied to a film. Light, season, colours and style as for pictures, but chosen once and
//! kept; moving weather, another background, lettering and overlays; speed, direction, shape and length.
//!
//! Frames are decoded on one thread, edited on all and encoded on another, a few at a time, so that memory does not
//! grow with the film.

mod affine;
mod behind;
pub(crate) mod control;
pub(crate) mod dubbed;
pub(crate) mod enlarge;
mod fit;
mod given;
mod laid;
pub(crate) mod mend;
mod order;
mod plan;
pub(crate) mod puppet;
pub(super) mod sound;
mod source;
pub(crate) mod speaking;
mod still;
#[cfg(test)]
mod tests;
pub(super) mod weather;

use std::path::Path;

use atelier_film::{I420, Limits, Picture, Reader, color};
use rayon::prelude::*;
use serde_json::{Map, Value, json};

use super::{About, Film, Form, refused};
use atelier_picture::light::Weather;
use atelier_picture::moving::{Look, mean, side_by_side};
use atelier_picture::prompt::Prompt;
use atelier_protocol::{Error, Request, Response};
use atelier_retouch::canvas::{Canvas, Frame};
use atelier_retouch::decode;
use atelier_retouch::encode::SourceType;
use atelier_retouch::rgb::Rgb;
use behind::Behind;
use fit::{Crop, Fit};
use laid::{Laid, laid_over};
use order::{Order, Use};
use plan::Plan;
use sound::Track;
use still::Still;
use weather::Air;

/// Frames that represent the whole film.
const KEYS: u64 = 4;
/// The pixels of each of them.
const KEY_PIXELS: usize = 480 * 270;
/// Styles are painted with at most this many pixels, 1280 × 720, and enlarged: strokes and grain show no more
/// detail at more.
const STYLE_PIXELS: usize = 1_280 * 720;
/// Fields that have an effect; others of a request change nothing.
const HEARD: [&str; 15] = [
    "prompt",
    "video_url",
    "image_urls",
    "reference_image_urls",
    "mask_url",
    "audio_setting",
    "resolution",
    "aspect_ratio",
    "size",
    "width",
    "height",
    "duration",
    "seed",
    "n",
    "enable_safety_checker",
];

/// Whether a request is for an edit.
pub(super) fn is_asked(request: &Request) -> bool {
    request.inputs_of("video_url").next().is_some()
}

/// Edits the film at `video_url`.
pub(super) fn run(request: &Request, progress: &mut dyn FnMut(f32)) -> Result<Response, Error> {
    let input = request
        .inputs_of("video_url")
        .next()
        .ok_or_else(|| Error::InvalidInput("`video_url` is missing; a video is required".into()))?;
    let words = request.params.get("prompt").and_then(Value::as_str);
    let words = words.unwrap_or_default();
    let order = Order::read(words);
    let mut film = Reader::open(&input.path, &Limits::measured(input.seconds)).map_err(refused)?;
    let plan = Plan::new(request, &order, film.facts())?;
    progress(0.01);

    let mut notes = Notes::default();
    let mut edit = Edit::new(request, &order, &plan, &mut film, &mut notes)?;
    progress(0.05);
    let origin = request.params.get("audio_setting").and_then(Value::as_str) == Some("origin");
    let (track, heard) = Track::of(&input.path, &film, &plan.timeline, origin, order.mute);
    let setting = track.setting();
    let sound = setting.is_some();

    let form = Form {
        width: plan.width as u32,
        height: plan.height as u32,
        rate: plan.timeline.rate,
        frames: plan.timeline.frames,
    };
    let about = About {
        prompt: words,
        source: SourceType::CompositeSynthetic,
    };
    let mut out = Film::create(&request.out, form, setting, about, 0.06, progress)?.checked(request);
    if let Track::Made(samples) = track {
        out.samples(&samples)?;
    }
    let mut mask = edit.mask.take();
    for (number, frame) in source::frames(film, plan.timeline, plan.fit(edit.size()))
        .into_iter()
        .enumerate()
    {
        let frame = frame.map_err(refused)?;
        let white = match &mut mask {
            Some(mask) => Some(mask.next()?),
            None => None,
        };
        edit.frame(frame, white, number as u64, &plan, &mut out)?;
    }

    edit.tell(&mut notes);
    let mut metadata = Map::new();
    metadata.insert("setting".into(), json!("edit of a video"));
    metadata.insert("seed".into(), json!(plan.seed));
    metadata.insert(
        "edits".into(),
        json!(plan.told.iter().chain(&notes.done).collect::<Vec<_>>()),
    );
    metadata.insert("sound".into(), json!(if sound { heard } else { "none" }));
    let understood: Vec<&String> = order.understood.iter().chain(&order.prompt.understood).collect();
    metadata.insert("understood".into(), json!(understood));
    metadata.insert("unknown".into(), json!(order.prompt.unknown));
    if !notes.not_done.is_empty() {
        metadata.insert("not_done".into(), json!(notes.not_done));
    }
    out.finish(request, &HEARD, metadata)
}

/// The changes that were made, in words, and those that could not be made.
#[derive(Debug, Default)]
struct Notes {
    done: Vec<String>,
    not_done: Vec<String>,
}

/// Everything that is done to each frame.
struct Edit {
    look: Look,
    still: Option<Still>,
    air: Option<Air>,
    behind: Option<Behind>,
    laid: Vec<Laid>,
    fades: (bool, bool),
    mask: Option<plan::Mask>,
    /// The size that frames are edited in, the conversion to the film's size if that is larger, and the film's size.
    work: Frame,
    grow: Option<Fit>,
    frame: Frame,
    /// The frame being edited; its memory is reused.
    canvas: Option<Canvas>,
}

impl Edit {
    fn new(
        request: &Request,
        order: &Order,
        plan: &Plan,
        film: &mut Reader,
        notes: &mut Notes,
    ) -> Result<Self, Error> {
        let frame = Frame::new(plan.width, plan.height);
        let size = if order.prompt.style.is_some() {
            plan.within(STYLE_PIXELS)
        } else {
            (plan.width, plan.height)
        };
        let work = Frame::new(size.0, size.1);
        let grow = (size != (plan.width, plan.height)).then(|| {
            let whole = Crop::middle((size.0 as f64, size.1 as f64), size.0 as f64 / size.1 as f64);
            Fit::new(size, whole, (plan.width, plan.height), false)
        });
        let mut prompt = order.prompt.clone();
        let mut pictures = request
            .inputs_of("image_urls")
            .chain(request.inputs_of("reference_image_urls"))
            .map(|input| input.path.as_path());
        let first = pictures.next();
        for _ in pictures {
            notes
                .not_done
                .push("more than one picture: only the first is used".into());
        }
        let mut behind = if order.background {
            Behind::new(order, first, work, plan.seed, notes)?
        } else {
            None
        };
        if let Some(behind) = &mut behind {
            behind.study(film, plan)?;
            // Time, weather and season belong to the background.
            (prompt.time, prompt.weather, prompt.season) = (None, None, None);
        } else {
            explain(&prompt, notes);
        }
        let weather = prompt.weather;
        name(&prompt, notes);
        let mut look = Look::new(prompt, plan.seed);
        let lends = match (first, order.picture) {
            (Some(path), Use::Style) => {
                notes.done.push("colours of the picture".into());
                Some(canvas_of(path)?)
            }
            _ => None,
        };
        let wanted = weather.filter(|w| !matches!(w, Weather::Clear | Weather::Cloudy));
        let mut light = Rgb(0.5, 0.5, 0.5);
        if look.has_style() || lends.is_some() || wanted.is_some() {
            let keys = plan.fit(plan.within(KEY_PIXELS));
            let keys: Vec<Canvas> = source::keys(film, &plan.timeline, &keys, KEYS)
                .map_err(refused)?
                .iter()
                .map(|key| canvas_of_frame(key, Frame::new(key.width, key.height)))
                .collect();
            if let Some(sheet) = side_by_side(&keys) {
                look.settle(&sheet, lends.as_ref());
                light = mean(&look.apply(sheet));
            }
        }
        let air = wanted.and_then(|weather| Air::new(weather, work, light, plan.seed));
        if let Some(weather) = wanted {
            notes.done.push(weather.name().to_owned());
        }
        let laid = laid_over(order, first, frame, notes)?;
        Ok(Self {
            still: look.has_style().then(Still::new),
            look,
            air,
            behind,
            laid,
            fades: (order.fade_in, order.fade_out),
            mask: plan.mask(request, size)?,
            work,
            grow,
            frame,
            canvas: None,
        })
    }

    /// The size in which frames are requested.
    fn size(&self) -> (usize, usize) {
        (self.work.width, self.work.height)
    }

    /// Whether the pixels of frames stay unchanged.
    fn leaves_pixels(&self) -> bool {
        !self.look.changes()
            && self.air.is_none()
            && self.behind.is_none()
            && self.laid.is_empty()
            && self.fades == (false, false)
    }

    /// Edits one frame and adds it to the film.
    fn frame(
        &mut self,
        mut frame: I420,
        white: Option<I420>,
        number: u64,
        plan: &Plan,
        out: &mut Film<'_>,
    ) -> Result<(), Error> {
        if self.leaves_pixels() {
            return out.frame(Picture::I420(frame.planes()));
        }
        if let Some(still) = &mut self.still {
            still.hold(&mut frame);
        }
        let time = plan.timeline.rate.time_of(number);
        let seconds = plan.timeline.seconds();
        let mut canvas = self.canvas.take().unwrap_or_else(|| Canvas::new(self.work));
        color::to_rgb::<4>(&frame, canvas.pixels.as_flattened_mut());
        if let Some(behind) = &mut self.behind {
            behind.put(&mut canvas, number);
        }
        if self.look.changes() {
            canvas = self.look.apply(canvas);
        }
        if let Some(air) = &self.air {
            air.lay(&mut canvas, time as f32);
        }
        if let Some(white) = white {
            keep_black(&mut canvas, &frame, &white);
        }
        if let Some(grow) = &self.grow {
            color::from_rgb::<4>(canvas.pixels.as_flattened(), &mut frame);
            let large = grow.apply(&frame);
            self.canvas = Some(canvas);
            if self.laid.is_empty() && self.fades == (false, false) {
                return out.frame(Picture::I420(large.planes()));
            }
            canvas = canvas_of_frame(&large, self.frame);
        }
        for laid in &self.laid {
            laid.lay(&mut canvas.pixels, self.frame, time, seconds);
        }
        let fade = (seconds / 4.0).min(1.0);
        let mut light = 1.0;
        if self.fades.0 {
            light *= ((time + 0.02) / fade).min(1.0);
        }
        if self.fades.1 {
            light *= ((seconds - time - 0.02) / fade).clamp(0.0, 1.0);
        }
        if light < 0.999 {
            let k = (light * 256.0) as u32;
            canvas.pixels.par_iter_mut().for_each(|p| {
                for v in &mut p[..3] {
                    *v = ((u32::from(*v) * k) >> 8) as u8;
                }
            });
        }
        out.frame(Picture::Rgbx(canvas.pixels.as_flattened()))?;
        if self.grow.is_none() {
            self.canvas = Some(canvas);
        }
        Ok(())
    }

    /// Adds the notes that are known only at the end.
    fn tell(&self, notes: &mut Notes) {
        if let Some(behind) = &self.behind {
            behind.tell(notes);
        }
    }
}

/// Reports what changes the look of the frames.
fn name(prompt: &Prompt, notes: &mut Notes) {
    if let Some(time) = prompt.time {
        notes.done.push(time.name().to_owned());
    }
    if let Some(season) = prompt.season {
        notes.done.push(season.name().to_owned());
    }
    if let Some(palette) = prompt.palette {
        notes.done.push(palette.name().to_owned());
    }
    if let Some(style) = prompt.style {
        notes.done.push(style.name().to_owned());
    }
}

/// Reports what cannot be done to footage.
fn explain(prompt: &Prompt, notes: &mut Notes) {
    for mention in &prompt.mentions {
        notes.not_done.push(format!(
            "things: {} cannot be put into footage",
            mention.subject.name()
        ));
    }
    for name in &prompt.without {
        notes
            .not_done
            .push(format!("removing: {name} cannot be taken out of footage"));
    }
    for terrain in &prompt.terrain {
        notes.not_done.push(format!(
            "places: {} can only become the background",
            terrain.name()
        ));
    }
    if matches!(prompt.weather, Some(Weather::Clear | Weather::Cloudy)) {
        notes
            .not_done
            .push("weather: what the sky of the footage shows stays".into());
    }
}

/// The black part of a mask stays as it was.
fn keep_black(canvas: &mut Canvas, frame: &I420, white: &I420) {
    let mut own = Canvas::new(canvas.frame);
    color::to_rgb::<4>(frame, own.pixels.as_flattened_mut());
    canvas
        .pixels
        .par_iter_mut()
        .zip(&own.pixels)
        .zip(white.planes().y)
        .for_each(|((p, own), white)| {
            let k = (i32::from(*white) - 16).clamp(0, 219);
            for c in 0..3 {
                p[c] = ((i32::from(p[c]) * k + i32::from(own[c]) * (219 - k) + 109) / 219) as u8;
            }
        });
}

fn canvas_of_frame(picture: &I420, frame: Frame) -> Canvas {
    let mut canvas = Canvas::new(frame);
    color::to_rgb::<4>(picture, canvas.pixels.as_flattened_mut());
    canvas
}

/// A picture as a canvas; transparent parts become white.
fn canvas_of(path: &Path) -> Result<Canvas, Error> {
    let picture = decode::read(path)?;
    let mut canvas = Canvas::new(Frame::new(picture.width, picture.height));
    for (to, from) in canvas.pixels.iter_mut().zip(picture.rgba.chunks_exact(4)) {
        let a = u32::from(from[3]);
        let over = |v: u8| ((u32::from(v) * a + 255 * (255 - a)) / 255) as u8;
        *to = [over(from[0]), over(from[1]), over(from[2]), 1];
    }
    Ok(canvas)
}

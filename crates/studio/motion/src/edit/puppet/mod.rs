//! `motion-transfer`: the person in a picture moves like somebody in a video. The video's motion since its first
//! frame is applied to the figure that is cut out of the picture, aligned by their heads; the background stays.

mod figure;
mod motion;
#[cfg(test)]
mod tests;

use atelier_film::{I420, Picture};
use serde_json::{Map, Value, json};

use super::given::{Given, Most, named, own_size};
use super::sound::{Track, stereo};
use crate::texture::fitted;
use crate::{About, Film, Form, order, refused, size};
use atelier_audio::dubbing::heard;
use atelier_protocol::{Error, Request, Response};
use atelier_retouch::Plane;
use atelier_retouch::canvas::{Canvas, Frame};
use atelier_retouch::decode;
use atelier_retouch::encode::SourceType;
use figure::{Anchor, Figure, canvas_of};
use motion::{Motion, Moved};

/// The used part of the driving video, and of a source that is a video.
const MOST: Most = Most {
    seconds: 60.0,
    frames: u64::MAX,
    rate: 30.6,
};
/// The most pixels of a frame.
const PIXELS: f64 = 1_280.0 * 720.0;
/// Fields that have an effect; others of a request change nothing.
const HEARD: [&str; 11] = [
    "mode",
    "image_urls",
    "video_url",
    "source_video_url",
    "animation_region",
    "driving_multiplier",
    "audio_priority",
    "prompt",
    "size",
    "width",
    "height",
];

/// The task. Parameters are those of the models `liveportrait` and `wan-2-2-animate-14b`.
pub(crate) fn run(request: &Request, progress: &mut dyn FnMut(f32)) -> Result<Response, Error> {
    let driving = Given::open(request, "video_url", MOST, |facts| Ok(own_size(facts, PIXELS)))?;
    let region = Region::read(request)?;
    let amount = order::number(request, "driving_multiplier", (0.0, 3.0))?.unwrap_or(1.0) as f32;
    let mut source = Source::open(request)?;
    let frame = source.frame;
    let form = Form {
        width: frame.width as u32,
        height: frame.height as u32,
        ..driving.form()
    };
    let timeline = driving.timeline;
    let (track, told) = sound(request, &driving)?;
    let words = request.params.get("prompt").and_then(Value::as_str);
    let about = About {
        prompt: words.unwrap_or_default(),
        source: SourceType::CompositeSynthetic,
    };
    let seed = request.params.get("seed").and_then(Value::as_u64);
    let seed = seed.unwrap_or(request.seed);
    progress(0.02);
    let setting = track.as_ref().and_then(Track::setting);
    let mut frames = driving.frames().into_iter();
    let first = frames.next().transpose().map_err(refused)?;
    let first = canvas_of(&first.ok_or_else(|| Error::InvalidInput("`video_url` has no frames".into()))?);
    let still = source.next()?;
    let figure = source.film.is_none().then(|| Figure::new(&still, seed as u32));
    let (own, theirs, by) = Anchor::both(&still, &first);
    progress(0.1);
    let mut film = Film::create(&request.out, form, setting, about, 0.1, progress)?;
    if let Some(Track::Made(samples)) = &track {
        film.samples(samples)?;
    }
    let mut motion = Motion::new(&first);
    let mut out = Canvas::new(frame);
    let mut moving = still;
    for number in 0..timeline.frames {
        if number > 0 {
            let Some(next) = frames.next() else { break };
            motion.follow(&canvas_of(&next.map_err(refused)?));
            if source.film.is_some() {
                moving = source.next()?;
            }
        }
        let moved = motion.moved();
        let field = Put {
            moved: &moved,
            region,
            amount,
            own,
            theirs,
            scale: motion.scale,
        }
        .over(frame);
        let at = |x: f32, y: f32| field.at(x, y);
        match &figure {
            Some(figure) => figure.show(&at, &mut out),
            None => Figure::whole(&moving).show(&at, &mut out),
        }
        film.frame(Picture::Rgbx(out.pixels.as_flattened()))?;
    }
    let mut metadata = Map::new();
    metadata.insert("setting".into(), json!("a picture that moves as a video does"));
    metadata.insert("seed".into(), json!(seed));
    metadata.insert("laid_over_by".into(), json!(by));
    let cut = figure.as_ref().is_some_and(Figure::stands_out);
    metadata.insert(
        "moves".into(),
        json!(if cut {
            "the figure that stands out"
        } else {
            "the whole picture"
        }),
    );
    metadata.insert("sound".into(), json!(told));
    if request.params.get("mode").and_then(Value::as_str) == Some("replace") {
        let note = "mode: the character moves before its own background and is not put into the video";
        metadata.insert("not_done".into(), json!([note]));
    }
    film.finish(request, &HEARD, metadata)
}

/// The part of the motion that is transferred.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Region {
    All,
    Expression,
    Pose,
    Lips,
    Eyes,
}

impl Region {
    fn read(request: &Request) -> Result<Self, Error> {
        match request.params.get("animation_region").and_then(Value::as_str) {
            None | Some("all") => Ok(Self::All),
            Some("exp") => Ok(Self::Expression),
            Some("pose") => Ok(Self::Pose),
            Some("lip") => Ok(Self::Lips),
            Some("eyes") => Ok(Self::Eyes),
            Some(other) => Err(Error::InvalidInput(format!(
                "`animation_region` must be one of all, exp, pose, lip, eyes (got {other:?})"
            ))),
        }
    }

    /// The weights of global and local motion at a place of the head: from its centre, in heights.
    fn counts(self, x: f32, y: f32) -> (f32, f32) {
        let about = |down: f32, high: f32| (-(x / 0.45).powi(4) - ((y - down) / high).powi(4)).exp();
        match self {
            Self::All => (1.0, 1.0),
            Self::Pose => (1.0, 0.0),
            Self::Expression => (0.0, 1.0),
            Self::Lips => (0.0, about(0.3, 0.25)),
            Self::Eyes => (0.0, about(-0.1, 0.18)),
        }
    }
}

/// The motion of the video, applied to the picture.
struct Put<'a> {
    moved: &'a Moved,
    region: Region,
    amount: f32,
    own: Anchor,
    theirs: Anchor,
    scale: f32,
}

/// The same on a grid over the picture.
struct Grid {
    across: Plane,
    down: Plane,
    step: f32,
}

impl Put<'_> {
    /// On a grid of every eighth pixel: the motion is smooth.
    fn over(&self, frame: Frame) -> Grid {
        const STEP: usize = 8;
        let (w, h) = (frame.width.div_ceil(STEP) + 1, frame.height.div_ceil(STEP) + 1);
        let larger = self.own.high / self.theirs.high;
        let k = self.amount * larger / self.scale;
        let vectors: Vec<[f32; 4]> = (0..w * h)
            .map(|at| {
                let (x, y) = ((at % w * STEP) as f32, (at / w * STEP) as f32);
                let (u, v) = ((x - self.own.x) / self.own.high, (y - self.own.y) / self.own.high);
                let (whole, rest) = self.region.counts(u, v);
                let place = (
                    (self.theirs.x + u * self.theirs.high) * self.scale,
                    (self.theirs.y + v * self.theirs.high) * self.scale,
                );
                let (all, own) = (
                    self.moved.whole(place.0, place.1),
                    self.moved.rest(place.0, place.1),
                );
                [
                    k * whole * all.0,
                    k * whole * all.1,
                    k * rest * own.0,
                    k * rest * own.1,
                ]
            })
            .collect();
        let plane = |part: usize| Plane::from_fn(w, h, |x, y| vectors[y * w + x][part]);
        let (across, down) = unfolded(plane(2), plane(3), STEP as f32);
        Grid {
            across: across.zip(&plane(0), |rest, whole| rest + whole),
            down: down.zip(&plane(1), |rest, whole| rest + whole),
            step: STEP as f32,
        }
    }
}

/// How much a figure may be stretched from one place to the next; at one it would fold over itself.
const STRETCH: f32 = 0.5;

/// Displacements smoothed until none stretches too far: wrong flow must not tear a face.
fn unfolded(mut across: Plane, mut down: Plane, step: f32) -> (Plane, Plane) {
    let steepest = |plane: &Plane| {
        let mut most = 0.0_f32;
        for y in 1..plane.height {
            for x in 1..plane.width {
                let here = plane.at(x, y);
                let steep = (here - plane.at(x - 1, y))
                    .abs()
                    .max((here - plane.at(x, y - 1)).abs());
                most = most.max(steep);
            }
        }
        most / step
    };
    let mut sigma = 1.0;
    for _ in 0..6 {
        if steepest(&across).max(steepest(&down)) <= STRETCH {
            return (across, down);
        }
        (across, down) = (across.blurred(sigma), down.blurred(sigma));
        sigma *= 1.6;
    }
    let most = steepest(&across).max(steepest(&down)).max(STRETCH);
    let less = |plane: &Plane| plane.map(|v| v * STRETCH / most);
    (less(&across), less(&down))
}

impl Grid {
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        let (u, v) = (x / self.step, y / self.step);
        (self.across.bilinear(u, v), self.down.bilinear(u, v))
    }
}

/// The target of the motion: a picture, or a video that continues.
struct Source {
    frame: Frame,
    picture: Option<Canvas>,
    film: Option<std::sync::mpsc::Receiver<Result<I420, atelier_film::Error>>>,
    last: Option<Canvas>,
}

impl Source {
    fn open(request: &Request) -> Result<Self, Error> {
        let asked = |shape: f64, own: (u32, u32)| {
            let names_a_size = ["width", "size", "resolution"]
                .iter()
                .any(|name| request.params.get(*name).is_some_and(|value| !value.is_null()));
            if names_a_size {
                size::asked(&request.params, Some(shape))
            } else {
                Ok(own)
            }
        };
        if let Some(input) = request.inputs_of("image_urls").next() {
            let picture = decode::read(&input.path).map_err(|error| named("image_urls", error))?;
            let (w, h) = (picture.width as f64, picture.height as f64);
            let k = (PIXELS / (w * h)).sqrt().min(1.0).max(64.0 / w.min(h));
            let even = |side: f64| ((side * k / 2.0).round() as u32 * 2).clamp(64, 3_840);
            let (width, height) = asked(w / h, (even(w), even(h)))?;
            let frame = Frame::new(width as usize, height as usize);
            return Ok(Self {
                frame,
                picture: Some(fitted(&picture, frame)),
                film: None,
                last: None,
            });
        }
        if request.inputs_of("source_video_url").next().is_none() {
            return Err(Error::InvalidInput(
                "`image_urls` is missing; a picture of the person to move is required".into(),
            ));
        }
        let given = Given::open(request, "source_video_url", MOST, |facts| {
            let shape = f64::from(facts.width) / f64::from(facts.height);
            asked(shape, own_size(facts, PIXELS))
        })?;
        Ok(Self {
            frame: Frame::new(given.width, given.height),
            picture: None,
            film: Some(given.frames()),
            last: None,
        })
    }

    /// The next frame; a video that has ended stands still.
    fn next(&mut self) -> Result<Canvas, Error> {
        if let Some(picture) = &self.picture {
            return Ok(picture.clone());
        }
        let next = self.film.as_ref().and_then(|film| film.recv().ok());
        if let Some(frame) = next.transpose().map_err(refused)? {
            self.last = Some(canvas_of(&frame));
        }
        self.last
            .clone()
            .ok_or_else(|| Error::InvalidInput("`source_video_url` has no frames".into()))
    }
}

/// The sound of the result, and what to report about it.
fn sound(request: &Request, driving: &Given) -> Result<(Option<Track>, &'static str), Error> {
    let from_source = request.params.get("audio_priority").and_then(Value::as_str) == Some("source");
    if !from_source {
        let (track, told) = Track::of(driving.path(), &driving.film, &driving.timeline, false, false);
        return Ok((Some(track), told));
    }
    let Some(input) = request.inputs_of("source_video_url").next() else {
        return Ok((None, "none: the source is a picture"));
    };
    let given = Given::open(request, "source_video_url", MOST, |facts| {
        Ok(own_size(facts, PIXELS))
    })?;
    if !given.film.facts().has_sound {
        return Ok((None, "none: the source has no sound"));
    }
    let audio = heard(input)?;
    let samples = stereo(&audio, 0.0, driving.timeline.seconds(), 1.0, false);
    Ok((Some(Track::Made(samples)), "the source's"))
}

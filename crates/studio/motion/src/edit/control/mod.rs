//! `control-to-video`: a new film that keeps the edges, the depth or the poses of another. The words are painted as
//! a scene; the figure of the control stands in front of it in the words' colours, lit by its own relief and drawn
//! along its own lines.

mod look;
mod structure;
#[cfg(test)]
mod tests;

use atelier_film::{I420, Picture};
use serde_json::{Map, json};

use super::given::{Given, Most};
use crate::{About, Film, Form, Order, refused};
use atelier_picture::moving::{Look, side_by_side};
use atelier_picture::prompt::Prompt;
use atelier_picture::style::Style;
use atelier_protocol::{Error, Request, Response};
use atelier_retouch::canvas::Frame;
use atelier_retouch::encode::SourceType;
use look::Painted;
use structure::{Kind, Reader};

/// The number of frames of a control video that are kept, and the time to examine it.
const MOST_FRAMES: u64 = 300;
const LONGEST: f64 = 20.0;
/// The most pixels of a frame: all frames of the control are in memory at once.
const PIXELS: u32 = 1_280 * 720;
/// Fields that have an effect; others of a request change nothing.
const HEARD: [&str; 12] = [
    "prompt",
    "negative_prompt",
    "video_url",
    "image_urls",
    "size",
    "width",
    "height",
    "resolution",
    "aspect_ratio",
    "duration",
    "fps",
    "seed",
];

/// The task. Parameters are those of the model `wan-2-2-fun-control-a14b`.
pub(crate) fn run(request: &Request, progress: &mut dyn FnMut(f32)) -> Result<Response, Error> {
    let mut ordered = Err(Error::Failed("the control video was not opened".into()));
    let most = Most {
        seconds: LONGEST,
        frames: MOST_FRAMES,
        rate: 30.6,
    };
    let mut given = Given::open(request, "video_url", most, |facts| {
        let shape = f64::from(facts.width) / f64::from(facts.height);
        let order = Order::read(request, Some(shape))?;
        if order.width * order.height > PIXELS {
            return Err(Error::InvalidInput(format!(
                "the size must have at most as many pixels as 1280x720 (got {}x{})",
                order.width, order.height
            )));
        }
        let size = (order.width, order.height);
        ordered = Ok(order);
        Ok(size)
    })?;
    let order = ordered?;
    // The control is sampled at the film's own times.
    let seconds = given.timeline.seconds();
    given.timeline.rate = order.rate;
    let own = (seconds / order.rate.time_of(1)).round().max(1.0) as u64;
    given.timeline.frames = own.min(order.frames).min(MOST_FRAMES);
    let control: Vec<I420> = given
        .frames()
        .into_iter()
        .collect::<Result<_, _>>()
        .map_err(refused)?;
    progress(0.08);
    let step = (control.len() / 3).max(1);
    let looks: Vec<I420> = control.iter().step_by(step).cloned().collect();
    let kind = Kind::of(&looks);
    let frame = Frame::new(order.width as usize, order.height as usize);
    let painted = Painted::new(request, &order.prompt, order.seed, frame)?;
    progress(0.14);
    let prompt = Prompt::read(&order.prompt);
    let style = prompt.style.filter(|style| *style != Style::Photo);
    let mut look = style.map(|style| {
        let mut only = Prompt::read("");
        only.style = Some(style);
        Look::new(only, order.seed)
    });
    let is_footage = kind == Kind::Footage;
    if let Some(look) = &mut look {
        let mut reader = Reader::new(kind);
        let keys: Vec<_> = looks
            .iter()
            .map(|frame| painted.frame(&reader.read(frame), is_footage))
            .collect();
        if let Some(sheet) = side_by_side(&keys) {
            look.settle(&sheet, None);
        }
    }
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
    let mut film = Film::create(&request.out, form, None, about, 0.18, progress)?;
    let mut reader = Reader::new(kind);
    for number in 0..order.frames {
        // A control that is shorter than the film plays back and forth.
        let turn = (2 * control.len() as u64).saturating_sub(2).max(1);
        let at = number % turn;
        let at = at.min(turn - at) as usize;
        let structure = reader.read(&control[at.min(control.len() - 1)]);
        let mut canvas = painted.frame(&structure, is_footage);
        if let Some(look) = &look {
            canvas = look.apply(canvas);
        }
        film.frame(Picture::Rgbx(canvas.pixels.as_flattened()))?;
    }
    let mut metadata = Map::new();
    metadata.insert("setting".into(), json!("a new video that keeps to a control"));
    metadata.insert("control".into(), json!(kind.name()));
    metadata.insert("understood".into(), json!(prompt.understood));
    metadata.insert("unknown".into(), json!(prompt.unknown));
    metadata.insert("seed".into(), json!(order.seed));
    film.finish(request, &HEARD, metadata)
}

//! Edits of a film's frames: what a prompt changes about the light, the season, the colours and the style, chosen
//! once for the whole film and applied equally to every frame.

use rayon::prelude::*;

use super::chance::Rng;
use super::color::Rgb;
use super::draw::{Canvas, Figures, Frame};
use super::edit::transfer::Recoloring;
use super::edit::{ambience, relit, seasoned, segments};
use super::grade;
use super::light::{Light, Season, Time, Weather};
use super::prompt::Prompt;
use super::style::{Desk, Style, map};

/// How every frame should look.
#[derive(Debug)]
pub struct Look {
    prompt: Prompt,
    light: Light,
    figures: Figures,
    /// A picture that represents the whole film, edited like its frames.
    like: Option<Canvas>,
    colors: Option<Recoloring>,
    season_seed: u32,
    seed: u32,
    desk: Desk,
}

impl Look {
    pub fn new(prompt: Prompt, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let season_seed = rng.seed();
        let light = Light::new(
            prompt.time.unwrap_or(Time::Day),
            prompt.weather.unwrap_or(Weather::Clear),
            prompt.season.unwrap_or(Season::Summer),
            &mut rng.fork("light"),
        );
        Self {
            prompt,
            light,
            figures: [false; 256],
            like: None,
            colors: None,
            season_seed,
            seed: rng.seed(),
            desk: Desk::of_a_film(),
        }
    }

    /// Whether it changes a frame at all.
    pub fn changes(&self) -> bool {
        let p = &self.prompt;
        p.time.is_some()
            || p.season.is_some()
            || p.style.is_some()
            || p.palette.is_some()
            || p.mood.is_some()
            || self.air().is_some()
            || self.colors.is_some()
    }

    /// Whether a style is asked for. Styles make noise and small changes between frames visible.
    pub fn has_style(&self) -> bool {
        self.prompt.style.is_some()
    }

    /// Makes the choices for the film as a whole: `film` shows some of its frames side by side, `colors_of` is a
    /// picture that lends its colours.
    pub fn settle(&mut self, film: &Canvas, colors_of: Option<&Canvas>) {
        self.colors = colors_of.map(|other| Recoloring::new(film, other));
        self.like = Some(self.lit(film.clone()));
    }

    /// Applies the edit to one frame.
    pub fn apply(&self, frame: Canvas) -> Canvas {
        let mut canvas = self.lit(frame);
        if let Some(style) = self.prompt.style {
            if matches!(style, Style::Papercut | Style::Glass) {
                let segments = segments(&canvas);
                canvas
                    .pixels
                    .par_iter_mut()
                    .zip(segments)
                    .for_each(|(p, id)| p[3] = id);
            } else {
                canvas.pixels.par_iter_mut().for_each(|p| p[3] = 1);
            }
            let own;
            let like = if let Some(like) = &self.like {
                like
            } else {
                own = canvas.clone();
                &own
            };
            canvas = style.prepared(canvas, like);
            canvas = style.finish(&canvas, like, &self.light, &self.figures, self.seed, &self.desk);
        }
        grade::grade(canvas, &self.prompt)
    }

    /// Colours, season, time of day and the weather in the air.
    fn lit(&self, mut canvas: Canvas) -> Canvas {
        if let Some(colors) = &self.colors {
            canvas = colors.apply(&canvas);
        }
        if let Some(season) = self.prompt.season {
            canvas = seasoned(&canvas, season, self.season_seed);
        }
        if let Some(time) = self.prompt.time {
            canvas = relit(&canvas, time);
        }
        match self.air() {
            Some((grey, tint)) => map(&canvas, |x, y| canvas.at(x, y).saturate(grey).times(tint)),
            None => canvas,
        }
    }

    /// The remaining saturation under the requested sky, and its tint.
    fn air(&self) -> Option<(f32, Rgb)> {
        let (grey, tint) = match self.prompt.weather? {
            Weather::Clear | Weather::Cloudy => return None,
            Weather::Overcast => (0.72, Rgb(0.88, 0.9, 0.94)),
            Weather::Rain => (0.66, Rgb(0.74, 0.78, 0.85)),
            Weather::Storm => (0.55, Rgb(0.52, 0.56, 0.66)),
            Weather::Snow => (0.7, Rgb(0.97, 1.0, 1.06)),
            Weather::Fog => (0.7, Rgb(0.95, 0.96, 0.98)),
        };
        // Clouds dim a dark picture only a little.
        let dim = match self.prompt.time {
            Some(Time::Night) => 0.25,
            Some(Time::Dusk | Time::Sunset) => 0.6,
            _ => 1.0,
        };
        Some((grey, Rgb(1.0, 1.0, 1.0).mix(tint, dim)))
    }
}

/// The mean colour of a frame.
pub fn mean(frame: &Canvas) -> Rgb {
    ambience(frame)
}

/// Frames side by side, as one picture that represents the film.
pub fn side_by_side(frames: &[Canvas]) -> Option<Canvas> {
    let first = frames.first()?.frame;
    let columns = (frames.len() as f32).sqrt().ceil() as usize;
    let rows = frames.len().div_ceil(columns);
    let (width, height) = (first.width, first.height);
    let mut sheet = Canvas::new(Frame::new(width * columns, height * rows));
    for slot in 0..columns * rows {
        let frame = &frames[slot % frames.len()];
        let (left, top) = (slot % columns * width, slot / columns * height);
        for (y, row) in frame.pixels.chunks_exact(width).enumerate() {
            let at = (top + y) * width * columns + left;
            sheet.pixels[at..at + width].copy_from_slice(row);
        }
    }
    Some(sheet)
}

/// A frame with these colours.
pub fn painted(frame: Frame, color: impl Fn(usize, usize) -> Rgb + Sync) -> Canvas {
    map(&Canvas::new(frame), color)
}

/// The scene of a prompt that moves the film's subject into it, without that subject, in a photographic style.
pub fn scene(prompt: &Prompt, seed: u64, frame: Frame) -> Canvas {
    let mut prompt = prompt.clone().without_moved();
    prompt.style = Some(Style::Photo);
    prompt.quotes.clear();
    let drawn = super::draw(&prompt, &[], seed, 0, frame.width, frame.height);
    let mut canvas = Canvas::new(frame);
    for (to, from) in canvas.pixels.iter_mut().zip(drawn.rgb.chunks_exact(3)) {
        *to = [from[0], from[1], from[2], 1];
    }
    canvas
}

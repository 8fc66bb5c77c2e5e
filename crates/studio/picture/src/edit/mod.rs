//! Words applied to a picture: the first reference is edited. Its forms stay; time, weather, season, palette and
//! style change, things are added and removed, and another reference lends its style.

pub(super) mod cut;
mod remove;
pub(super) mod transfer;

use std::path::Path;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use super::chance::{Coarse, Rng, fbm, smooth};
use super::color::{Rgb, WHITE};
use super::draw::{Canvas, Figures, Frame};
use super::light::{Season, Time, Weather};
use super::prompt::Prompt;
use super::scene::{self, Fixed, Sprite};
use super::style::{Style, map, plane, sample_small, small};
use super::subjects;
use atelier_protocol::Error;
use atelier_retouch::decode;

/// A reference, reduced to the resolution that drawing at the largest size can use.
#[derive(Debug)]
pub struct Reference {
    canvas: Canvas,
    sprite: OnceLock<Option<Arc<Sprite>>>,
}

/// The longest side of a reference that is kept; no picture made from it shows more.
const LONGEST: usize = 4096;

impl Reference {
    /// Reads a picture; transparent parts become white.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let picture = decode::read(path)?;
        let mut canvas = Canvas::new(Frame::new(picture.width, picture.height));
        canvas
            .pixels
            .par_iter_mut()
            .zip(picture.rgba.par_chunks_exact(4))
            .for_each(|(to, from)| {
                let alpha = f32::from(from[3]) / 255.0;
                let [r, g, b] = WHITE
                    .mix(Rgb::from_bytes([from[0], from[1], from[2]]), alpha)
                    .to_bytes();
                *to = [r, g, b, 1];
            });
        let (width, height) = (canvas.frame.width, canvas.frame.height);
        let k = LONGEST as f32 / width.max(height) as f32;
        if k < 1.0 {
            let part = |length: usize| ((length as f32 * k) as usize).max(1);
            canvas = canvas.reduced(part(width), part(height));
        }
        Ok(Self {
            canvas,
            sprite: OnceLock::new(),
        })
    }

    /// Width divided by height.
    pub(super) fn shape(&self) -> f64 {
        self.canvas.frame.width as f64 / self.canvas.frame.height as f64
    }

    /// The centre of the reference in another shape; variations crop a little closer and to the side.
    fn framed(&self, frame: Frame, rng: &mut Rng, first: bool) -> Canvas {
        let from = self.canvas.frame;
        let (sw, sh) = (from.width as f32, from.height as f32);
        let zoom = if first { 1.0 } else { rng.range(1.02, 1.14) };
        let k = (sw / frame.width as f32).min(sh / frame.height as f32) / zoom;
        let (w, h) = (frame.width as f32 * k, frame.height as f32 * k);
        let slack = if first {
            (0.5, 0.5)
        } else {
            (rng.range(0.3, 0.7), rng.range(0.3, 0.7))
        };
        let (x0, y0) = ((sw - w) * slack.0, (sh - h) * slack.1);
        // If the reference is larger than the picture, it is averaged first to avoid aliasing.
        let source = if k > 1.6 {
            self.canvas
                .reduced(((sw / k) as usize).max(1), ((sh / k) as usize).max(1))
        } else {
            self.canvas.clone()
        };
        let scale = source.frame.width as f32 / sw;
        let blank = Canvas::new(frame);
        map(&blank, |x, y| {
            source.sample(
                (x0 + (x as f32 + 0.5) * k) * scale,
                (y0 + (y as f32 + 0.5) * k) * scale,
            )
        })
    }
}

/// The result of an edit.
pub(super) struct Edited {
    pub(super) canvas: Canvas,
    pub(super) light: crate::light::Light,
    pub(super) figures: Figures,
    pub(super) placed: Vec<scene::Placed>,
    /// The changes that were made, in words, and those that could not be made.
    pub(super) done: Vec<String>,
    pub(super) not_done: Vec<String>,
}

/// The first reference's subject, framed as the whole reference would be, to be shown on another background.
pub(super) fn subject(references: &[Reference], frame: Frame, seed: u64, first: bool) -> Option<Fixed> {
    let mut rng = Rng::new(seed);
    cut::fixed(&references.first()?.framed(frame, &mut rng, first))
}

/// Edits the first reference as the prompt says.
pub(super) fn edit(
    prompt: &Prompt,
    references: &[Reference],
    frame: Frame,
    seed: u64,
    first: bool,
) -> Option<Edited> {
    let mut rng = Rng::new(seed);
    let mut canvas = references.first()?.framed(frame, &mut rng, first);
    let mut done = Vec::new();
    let mut not_done = Vec::new();
    for name in &prompt.without {
        let gone = subjects::named(name).map(|subject| remove::remove(&mut canvas, subject, rng.seed()));
        match gone {
            Some(Some(share)) => {
                done.push(format!("removed: {name} ({:.1} % of the picture)", 100.0 * share));
            }
            Some(None) => not_done.push(format!("removing: no {name} could be made out in the reference")),
            None => not_done.push(format!(
                "removing: {name} is scenery; only things can be taken out"
            )),
        }
    }
    // A second picture with no other instruction lends its style.
    let style_of = prompt.style_of.or((!prompt.asks_for_change()).then_some(1));
    match style_of.map(|k| (k, references.get(k).filter(|_| k > 0))) {
        Some((k, Some(other))) => {
            canvas = transfer::transferred(&canvas, &other.canvas, rng.next());
            done.push(format!("colours and grain of reference {}", k + 1));
        }
        Some((k, None)) if prompt.style_of.is_some() => {
            not_done.push(format!(
                "style: there is no reference {} beside the one edited",
                k + 1
            ));
        }
        _ => {}
    }
    if let Some(season) = prompt.season {
        canvas = seasoned(&canvas, season, rng.seed());
        done.push(season.name().to_owned());
    }
    if let Some(time) = prompt.time {
        canvas = relit(&canvas, time);
        done.push(time.name().to_owned());
    }
    done.extend(
        prompt
            .weather
            .filter(|weather| falls(*weather))
            .map(|weather| weather.name().to_owned()),
    );
    if matches!(prompt.style, Some(Style::Papercut | Style::Glass)) {
        let segments = segments(&canvas);
        canvas
            .pixels
            .par_iter_mut()
            .zip(segments)
            .for_each(|(p, id)| p[3] = id);
    } else {
        canvas.pixels.par_iter_mut().for_each(|p| p[3] = 1);
    }
    let over = scene::over(prompt, frame, &mut rng, ambience(&canvas));
    let canvas = over.painting.paint_over(canvas);
    if !over.placed.is_empty() {
        let names: Vec<&str> = over.placed.iter().map(|placed| placed.name.as_str()).collect();
        done.push(format!("added: {}", names.join(", ")));
    }
    if let Some(style) = prompt.style {
        done.push(style.name().to_owned());
    }
    if let Some(palette) = prompt.palette {
        done.push(palette.name().to_owned());
    }
    Some(Edited {
        canvas,
        light: over.light,
        figures: over.figures,
        placed: over.placed,
        done,
        not_done,
    })
}

/// The picture's own light: its mean colour and brightness.
pub(super) fn ambience(canvas: &Canvas) -> Rgb {
    let tiny = canvas.reduced(8, 8);
    tiny.pixels.iter().fold(Rgb(0.0, 0.0, 0.0), |sum, p| {
        sum.plus(Rgb::from_bytes([p[0], p[1], p[2]]).scale(1.0 / 64.0))
    })
}

/// Numbers of similar areas, for styles that cut along them: the tones of a smoothed copy.
pub(super) fn segments(canvas: &Canvas) -> Vec<u8> {
    let soft = small(canvas, 0.006);
    plane(canvas, |x, y| {
        let c = sample_small(&soft, canvas, x as f32 + 0.5, y as f32 + 0.5);
        let (hue, s, l) = c.hsl();
        let family = if s < 0.16 { 0.0 } else { 1.0 + (hue / 60.0).floor() };
        1.0 + family * 5.0 + (l * 4.99).floor()
    })
    .into_iter()
    .map(|v| v as u8)
    .collect()
}

/// Another time of day: the colour of the light, the depth of the shadows, and lamps in bright places.
pub(super) fn relit(canvas: &Canvas, time: Time) -> Canvas {
    let h = canvas.frame.height as f32;
    let glow = small(canvas, 0.02);
    let (high, low, shade, dark): (_, _, _, f32) = match time {
        Time::Dawn => (
            Rgb(1.0, 0.86, 0.84),
            Rgb(1.12, 0.96, 0.84),
            Rgb(0.86, 0.84, 1.0),
            0.08,
        ),
        Time::Morning => (
            Rgb(0.96, 1.0, 1.04),
            Rgb(1.06, 1.02, 0.94),
            Rgb(0.94, 0.97, 1.02),
            0.0,
        ),
        Time::Day => (
            Rgb(0.98, 1.02, 1.06),
            Rgb(1.04, 1.03, 1.0),
            Rgb(0.98, 1.0, 1.02),
            -0.06,
        ),
        Time::Golden => (
            Rgb(1.04, 0.95, 0.8),
            Rgb(1.18, 0.98, 0.68),
            Rgb(0.86, 0.82, 0.9),
            0.06,
        ),
        Time::Sunset => (
            Rgb(0.94, 0.62, 0.76),
            Rgb(1.28, 0.82, 0.5),
            Rgb(0.7, 0.56, 0.8),
            0.18,
        ),
        Time::Dusk => (
            Rgb(0.5, 0.5, 0.86),
            Rgb(0.94, 0.7, 0.76),
            Rgb(0.42, 0.44, 0.72),
            0.36,
        ),
        Time::Night => (
            Rgb(0.2, 0.27, 0.52),
            Rgb(0.34, 0.42, 0.66),
            Rgb(0.27, 0.35, 0.6),
            0.62,
        ),
    };
    map(canvas, |x, y| {
        let c = canvas.at(x, y);
        let t = smooth(0.0, 0.62, y as f32 / h);
        let tint = high.mix(low, t);
        let l = c.luma();
        let warm = c.times(shade).mix(c.times(tint), smooth(0.1, 0.6, l));
        let mut out = warm.scale(1.0 - 0.42 * dark.max(0.0)).saturate(1.06 - 0.2 * dark);
        if dark < 0.0 {
            out = out.screen(Rgb(0.05, 0.05, 0.045));
        }
        if dark > 0.3 {
            // Small bright places become lamps: those brighter than their surroundings.
            let around = sample_small(&glow, canvas, x as f32, y as f32).luma();
            let lamp = smooth(0.16, 0.34, l - around) * smooth(0.3, 0.8, y as f32 / h + 0.2);
            out = out.screen(Rgb(1.0, 0.74, 0.36).scale(lamp * dark * 0.9));
        }
        out
    })
}

/// Leaves and ground of another season; snow lies on light, level parts.
pub(super) fn seasoned(canvas: &Canvas, season: Season, seed: u32) -> Canvas {
    let frame = canvas.frame;
    let patches = Coarse::new(frame.w, frame.h, 120.0, |u, v| fbm(u * 9.0, v * 9.0, 4, seed));
    map(canvas, |x, y| {
        let c = canvas.at(x, y);
        let (hue, s, l) = c.hsl();
        let green = smooth(52.0, 75.0, hue) * smooth(172.0, 148.0, hue) * smooth(0.1, 0.24, s);
        let (u, v) = (x as f32 / frame.px, y as f32 / frame.px);
        let n = patches.at(u, v);
        match season {
            Season::Autumn => c.mix(
                Rgb::from_hsl(18.0 + 30.0 * n, (s * 1.25).clamp(0.35, 0.85), l),
                green,
            ),
            Season::Spring => c.mix(
                Rgb::from_hsl(86.0 + 24.0 * n, (s * 1.2).min(0.8), (l * 1.12).min(0.9)),
                green,
            ),
            Season::Summer => c.mix(Rgb::from_hsl(104.0 + 20.0 * n, (s * 1.2).min(0.8), l), green),
            Season::Winter => {
                let up = canvas.near(x as i32, y as i32 - (frame.px * 0.006) as i32).luma();
                let level = smooth(0.16, -0.05, up - c.luma()) * smooth(0.36, 0.62, v / frame.h + 0.2 * n);
                let snow = (green * 0.8 + level * 0.5).min(0.92) * smooth(0.2, 0.45, n + 0.2);
                c.saturate(0.7)
                    .mix(Rgb(0.92, 0.95, 1.0).scale(0.72 + 0.34 * l), snow)
            }
        }
    })
}

/// Whether the weather is visible in the air in front of a picture.
pub(super) fn falls(weather: Weather) -> bool {
    matches!(
        weather,
        Weather::Rain | Weather::Storm | Weather::Snow | Weather::Fog
    )
}

//! Another background: the subject is first located in the whole film; then each frame is cut out along its colours
//! and put on the requested background.

mod cut;
mod features;
mod grid;
mod ground;
mod mixture;
mod parts;
mod plate;
mod subject;
#[cfg(test)]
mod tests;

use std::path::Path;

use atelier_film::Reader;
use rayon::prelude::*;

use super::order::{Order, Use};
use super::plan::Plan;
use super::{Notes, canvas_of, canvas_of_frame, source};
use crate::refused;
use atelier_picture::moving::{mean, scene};
use atelier_protocol::Error;
use atelier_retouch::Plane;
use atelier_retouch::canvas::{Canvas, Frame};
use atelier_retouch::flow::{Flow, lightness};
use atelier_retouch::guided;
use atelier_retouch::rgb::Rgb;
use subject::Shot;

/// The longer side at which the subject is located, and that at which it is cut out.
const SIDE: usize = 256;
const FINE: usize = 400;
/// The largest number of frames, spread over the film, in which it is located.
const LOOKS: u64 = 96;
/// The mean difference of frames, of 255, from which on it is another shot.
const CUT: f32 = 34.0;

/// The background.
#[derive(Debug)]
enum Ground {
    Painted(Canvas),
    Plain(Rgb),
    /// The film's own, out of focus.
    Blurred,
}

/// A background and the subject in front of it.
pub(super) struct Behind {
    ground: Ground,
    name: String,
    /// The frames in which the subject was located, by their numbers in forward order.
    seen: Vec<Seen>,
    /// The number of the last frame if the film is played backward.
    reversed: Option<u64>,
    frames: u64,
    /// The number of frames with a subject, and the colour of light that it takes from the background.
    found: u64,
    light: Option<Rgb>,
}

/// A frame in the small size: its number, its lightness, and its subject's mask.
struct Seen {
    number: u64,
    light: Plane,
    mask: Option<Plane>,
}

impl Behind {
    /// Reads the requested background; nothing if the words name none.
    pub(super) fn new(
        order: &Order,
        picture: Option<&Path>,
        frame: Frame,
        seed: u64,
        notes: &mut Notes,
    ) -> Result<Option<Self>, Error> {
        let prompt = &order.prompt;
        let scenery = !prompt.terrain.is_empty() || prompt.place.is_some() || !prompt.mentions.is_empty();
        let sky = prompt.time.is_some() || prompt.weather.is_some();
        let green = ["green screen", "greenscreen", "chroma key"]
            .iter()
            .any(|words| order.rest.contains(words));
        let (ground, name) = match (picture, order.picture) {
            (Some(path), Use::Background) => (
                Ground::Painted(covering(&canvas_of(path)?, frame)),
                "the picture".to_owned(),
            ),
            _ if order.blur => (Ground::Blurred, "out of focus".to_owned()),
            _ if green => (Ground::Plain(Rgb::hex(0x00_b1_40)), "a green screen".to_owned()),
            _ if scenery || sky => (
                Ground::Painted(scene(prompt, seed, frame)),
                "a painted scene".to_owned(),
            ),
            _ => {
                let Some(color) = prompt.colors.first() else {
                    notes
                        .not_done
                        .push("background: the words name no other background".into());
                    return Ok(None);
                };
                (Ground::Plain(*color), "one colour".to_owned())
            }
        };
        Ok(Some(Self {
            ground,
            name,
            seen: Vec::new(),
            reversed: None,
            frames: 0,
            found: 0,
            light: None,
        }))
    }

    /// Examines frames from all over the film, and locates the subject in each.
    pub(super) fn study(&mut self, film: &mut Reader, plan: &Plan) -> Result<(), Error> {
        let timeline = &plan.timeline;
        self.reversed = timeline.reverse.then(|| timeline.frames.saturating_sub(1));
        let (width, height) = reduced((plan.width, plan.height), SIDE);
        let step = timeline.frames.div_ceil(LOOKS).max(1) as usize;
        // Twice the size, so that each pixel becomes a mean.
        let double = plan.fit((2 * width, 2 * height));
        let mut frames = Vec::new();
        source::each(
            film,
            timeline,
            &double,
            (0..timeline.frames).step_by(step),
            |number, frame| {
                let canvas = canvas_of_frame(&frame, Frame::new(frame.width, frame.height));
                frames.push((number, canvas.reduced(width, height)));
            },
        )
        .map_err(refused)?;
        self.find(&frames);
        Ok(())
    }

    /// Locates the subject in frames of one size, shot by shot.
    fn find(&mut self, frames: &[(u64, Canvas)]) {
        let light: Vec<Plane> = frames.iter().map(|(_, canvas)| lightness(canvas)).collect();
        let cut = |n: usize| light[n - 1].zip(&light[n], |a, b| (a - b).abs()).mean() > CUT;
        let mut from = 0;
        let mut masks: Vec<Option<Plane>> = Vec::new();
        for to in 1..=frames.len() {
            if to < frames.len() && !cut(to) {
                continue;
            }
            let pixels: Vec<_> = frames[from..to]
                .iter()
                .map(|(_, canvas)| canvas.pixels.iter().map(|p| [p[0], p[1], p[2]]).collect())
                .collect();
            let size = frames[from].1.frame;
            let mut found = Shot::new(size.width, size.height, &pixels).subject().into_iter();
            masks.extend((from..to).map(|_| found.next().filter(|mask| mask.max() > 0.5)));
            from = to;
        }
        self.seen = frames
            .iter()
            .zip(light)
            .zip(masks)
            .map(|(((number, _), light), mask)| Seen {
                number: *number,
                light,
                mask,
            })
            .collect();
    }

    /// Puts a frame's subject on the background; a frame without a subject stays as it is.
    pub(super) fn put(&mut self, canvas: &mut Canvas, number: u64) {
        let number = self.reversed.map_or(number, |last| last.saturating_sub(number));
        self.frames += 1;
        if let Some(mask) = self.mask(canvas, number) {
            self.found += 1;
            self.join(canvas, &mask);
        }
    }

    /// The subject's mask in a frame: from the examined frames, or between them.
    fn mask(&self, canvas: &Canvas, number: u64) -> Option<Plane> {
        let after = self.seen.partition_point(|seen| seen.number < number);
        let next = self.seen.get(after);
        if let Some(seen) = next.filter(|seen| seen.number == number) {
            return seen.mask.clone();
        }
        let near = [
            after.checked_sub(1).and_then(|before| self.seen.get(before)),
            next,
        ];
        let size = near
            .iter()
            .flatten()
            .next()
            .map(|seen| (seen.light.width, seen.light.height))?;
        let now = lightness(&canvas.reduced(size.0, size.1));
        let mut best: Option<(f32, Plane)> = None;
        for seen in near.into_iter().flatten() {
            let Some(mask) = &seen.mask else { continue };
            if seen.light.zip(&now, |a, b| (a - b).abs()).mean() > CUT {
                continue;
            }
            let moved = Flow::between(&now, &seen.light, 3).fetch(mask);
            let weight = 1.0 / seen.number.abs_diff(number).max(1) as f32;
            best = Some(match best {
                Some((other, mask)) => {
                    let k = weight / (other + weight);
                    (other + weight, mask.zip(&moved, |a, b| a + (b - a) * k))
                }
                None => (weight, moved),
            });
        }
        best.map(|(_, mask)| mask)
    }

    fn join(&mut self, canvas: &mut Canvas, mask: &Plane) {
        let frame = canvas.frame;
        let (w, h) = reduced((frame.width, frame.height), FINE);
        let small = &canvas.reduced(w, h);
        let mask = &mask.resized(w, h);
        let guide: [Plane; 3] =
            std::array::from_fn(|c| Plane::from_fn(w, h, |x, y| f32::from(small.pixels[y * w + x][c])));
        let firm = mask.map(|m| ((m - 0.5) * 2.4 + 0.5).clamp(0.0, 1.0));
        let ones = mask.map(|_| 1.0);
        let cover = guided::fit(&guide, &firm, &ones, (w.max(h) / 70).max(2), 40.0);
        let soft = firm.box_mean((w.max(h) / 110).max(1));
        let blurred;
        let ground = match &self.ground {
            Ground::Painted(canvas) => Some(canvas),
            Ground::Plain(_) => None,
            Ground::Blurred => {
                blurred = out_of_focus(canvas, mask);
                Some(&blurred)
            }
        };
        let plain = match self.ground {
            Ground::Plain(color) => color,
            _ => Rgb(0.0, 0.0, 0.0),
        };
        let own_light = matches!(self.ground, Ground::Painted(_));
        let light = *self.light.get_or_insert_with(|| match ground {
            Some(ground) if own_light => lit_by(mean(ground), mean(canvas)),
            _ => Rgb(1.0, 1.0, 1.0),
        });
        let (kx, ky) = (w as f32 / frame.width as f32, h as f32 / frame.height as f32);
        canvas
            .pixels
            .par_chunks_mut(frame.width)
            .enumerate()
            .for_each(|(y, row)| {
                let v = (y as f32 + 0.5) * ky - 0.5;
                for (x, p) in row.iter_mut().enumerate() {
                    let u = (x as f32 + 0.5) * kx - 0.5;
                    let near = soft.bilinear(u, v);
                    let color = [p[0], p[1], p[2]];
                    // Colours decide only near the outline.
                    let alpha = if near < 0.004 {
                        0.0
                    } else if near > 0.996 {
                        1.0
                    } else {
                        let fine = cover.at(u, v, color.map(f32::from));
                        ((fine - 0.5) * 1.7 + 0.46).clamp(0.0, 1.0)
                    };
                    if alpha >= 1.0 && !own_light {
                        continue;
                    }
                    let under = match ground {
                        Some(ground) => ground.at(x, y),
                        None => plain,
                    };
                    let own = Rgb::from_bytes(color).times(light);
                    let [r, g, b] = under.mix(own, alpha).to_bytes();
                    *p = [r, g, b, p[3]];
                }
            });
    }

    /// The distance it moved.
    pub(super) fn tell(&self, notes: &mut Notes) {
        if self.found == 0 {
            notes
                .not_done
                .push("background: no subject stands out from the film's own background".into());
            return;
        }
        notes.done.push(format!("background: {}", self.name));
        if self.found < self.frames {
            notes.not_done.push(format!(
                "background: in {} of {} frames no subject stands out",
                self.frames - self.found,
                self.frames
            ));
        }
    }
}

/// A size with this longer side at most.
fn reduced((width, height): (usize, usize), longest: usize) -> (usize, usize) {
    let k = (longest as f32 / width.max(height) as f32).min(1.0);
    let side = |length: usize| ((length as f32 * k).round() as usize).max(8);
    (side(width), side(height))
}

/// The light of a background on what is put in front of it: part of the way to its own brightness and tint.
fn lit_by(ground: Rgb, own: Rgb) -> Rgb {
    let part = |ground: f32, own: f32| ((ground + 0.08) / (own + 0.08)).clamp(0.3, 1.5).powf(0.35);
    Rgb(
        part(ground.0, own.0),
        part(ground.1, own.1),
        part(ground.2, own.2),
    )
}

/// A picture scaled to the frame, cropped to its centre if the shapes differ.
fn covering(picture: &Canvas, frame: Frame) -> Canvas {
    let (pw, ph) = (picture.frame.width as f32, picture.frame.height as f32);
    let k = (pw / frame.width as f32).min(ph / frame.height as f32);
    let source = if k > 1.5 {
        picture.reduced((pw / k) as usize, (ph / k) as usize)
    } else {
        picture.clone()
    };
    let scale = source.frame.width as f32 / pw;
    let (x0, y0) = (
        (pw - frame.width as f32 * k) * 0.5,
        (ph - frame.height as f32 * k) * 0.5,
    );
    atelier_picture::moving::painted(frame, |x, y| {
        source.sample(
            (x0 + (x as f32 + 0.5) * k) * scale,
            (y0 + (y as f32 + 0.5) * k) * scale,
        )
    })
}

/// The frame blurred, without bleeding of the subject's colours.
fn out_of_focus(canvas: &Canvas, mask: &Plane) -> Canvas {
    let frame = canvas.frame;
    let small = canvas.reduced(frame.width.div_ceil(6), frame.height.div_ceil(6));
    let (w, h) = (small.frame.width, small.frame.height);
    let rest = mask.resized(w, h).map(|m| (1.0 - m).max(0.02));
    let reach = (w.max(h) / 50).max(2);
    let total = rest.box_mean(reach).box_mean(reach);
    let planes: [Plane; 3] = std::array::from_fn(|c| {
        Plane::from_fn(w, h, |x, y| f32::from(small.pixels[y * w + x][c]) * rest.at(x, y))
            .box_mean(reach)
            .box_mean(reach)
            .zip(&total, |v, k| v / k)
    });
    let (kx, ky) = (w as f32 / frame.width as f32, h as f32 / frame.height as f32);
    atelier_picture::moving::painted(frame, |x, y| {
        let (u, v) = ((x as f32 + 0.5) * kx - 0.5, (y as f32 + 0.5) * ky - 0.5);
        let [r, g, b] = [0, 1, 2].map(|c| planes[c].bilinear(u, v) / 255.0);
        Rgb(r, g, b)
    })
}

//! Another background: the subject is found in some frames (as `background-removal` does), followed through those between by
//! optical flow, and cut out of each along its colours.

use std::path::Path;

use rayon::prelude::*;

use super::colors::Colors;
use super::order::{Order, Use};
use super::{Notes, canvas_of};
use crate::Error;
use crate::image::color::Rgb;
use crate::image::draw::{Canvas, Frame};
use crate::image::moving::{mean, picture, scene};
use crate::tools::Plane;
use crate::tools::cutout::{Small, segment};
use crate::tools::guided;
use crate::video::flow::{Flow, lightness};

/// The longer side at which the subject is followed.
const SIDE: usize = 320;
/// Frames from one finding of the subject to the next.
const EVERY: u64 = 16;
/// Another finding that agrees less than this is believed little.
const AGREES: f32 = 0.55;
/// Mean difference of frames, of 255, from which on it is another shot.
const CUT: f32 = 34.0;

/// What is behind.
#[derive(Debug)]
enum Ground {
    Painted(Canvas),
    Plain(Rgb),
    /// The film's own, out of focus.
    Blurred,
}

/// A background and the subject before it, as far as the film has been seen.
pub(super) struct Behind {
    ground: Ground,
    name: String,
    /// The frame before: its lightness, and where the subject was.
    seen: Option<(Plane, Option<Plane>)>,
    frames: u64,
    /// How many frames had a subject, and the colour of light that it takes from the background.
    found: u64,
    light: Option<Rgb>,
    /// What the subject looks like all over the film.
    colors: Option<Colors>,
}

impl Behind {
    /// Reads what the background is to be; nothing where the words name none.
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
            seen: None,
            frames: 0,
            found: 0,
            light: None,
            colors: None,
        }))
    }

    /// Looks at frames from all over the film, to know the subject by its colours.
    pub(super) fn learn(&mut self, frames: &[Canvas]) {
        let shown: Vec<(Canvas, Plane)> = frames
            .iter()
            .filter_map(|frame| {
                let small = reduced(frame);
                let mask = found(&small)?;
                Some((small, mask))
            })
            .collect();
        self.colors = Colors::learn(&shown);
    }

    /// Puts the frame's subject before the background; a frame without one stays as it is.
    pub(super) fn put(&mut self, canvas: &mut Canvas) {
        let small = reduced(canvas);
        let now = lightness(&small);
        let mask = self.subject(&small, &now).map(|mask| match &self.colors {
            Some(colors) => main_part(&colors.pruned(mask, &small)),
            None => mask,
        });
        self.frames += 1;
        if let Some(mask) = &mask {
            self.found += 1;
            self.join(canvas, &small, mask);
        }
        self.seen = Some((now, mask));
    }

    /// Where the subject is in a frame.
    fn subject(&self, small: &Canvas, now: &Plane) -> Option<Plane> {
        let followed = match &self.seen {
            Some((before, mask)) => {
                let change = before.zip(now, |a, b| (a - b).abs()).mean();
                let mask = mask.as_ref().filter(|_| change < CUT);
                mask.map(|mask| Flow::between(now, before, 3).fetch(mask))
            }
            None => None,
        };
        if followed.is_some() && !self.frames.is_multiple_of(EVERY) {
            return followed;
        }
        // Where none was found, looking in every frame would take long and find none again.
        if followed.is_none() && self.seen.as_ref().is_some_and(|_| !self.frames.is_multiple_of(4)) {
            return None;
        }
        match (followed, found(small)) {
            (Some(followed), Some(fresh)) => {
                let both = followed.zip(&fresh, f32::min).mean();
                let any = followed.zip(&fresh, f32::max).mean().max(1e-6);
                let trust = if both / any > AGREES { 0.5 } else { 0.12 };
                Some(followed.zip(&fresh, |a, b| a + (b - a) * trust))
            }
            (followed, fresh) => followed.or(fresh),
        }
    }

    fn join(&mut self, canvas: &mut Canvas, small: &Canvas, mask: &Plane) {
        let frame = canvas.frame;
        let (w, h) = (small.frame.width, small.frame.height);
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
                    // Colours decide only where the outline is near.
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

    /// How far it went.
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

/// A frame at the size at which subjects are followed.
fn reduced(canvas: &Canvas) -> Canvas {
    let frame = canvas.frame;
    let k = (SIDE as f32 / frame.width.max(frame.height) as f32).min(1.0);
    let side = |length: usize| ((length as f32 * k).round() as usize).max(8);
    canvas.reduced(side(frame.width), side(frame.height))
}

/// The subject of a frame, by itself.
fn found(small: &Canvas) -> Option<Plane> {
    let (w, h) = (small.frame.width, small.frame.height);
    segment(&Small::of(&picture(small))).map(|mask| main_part(&mask.resized(w, h)))
}

/// A mask without the parts that are far smaller than its largest: what stands about is no subject.
fn main_part(mask: &Plane) -> Plane {
    let (w, h) = (mask.width, mask.height);
    let mut part_of = vec![0_usize; w * h];
    let mut sizes = vec![0_usize];
    for start in 0..w * h {
        if mask.data[start] <= 0.5 || part_of[start] != 0 {
            continue;
        }
        let part = sizes.len();
        sizes.push(0);
        part_of[start] = part;
        let mut open = vec![start];
        while let Some(i) = open.pop() {
            sizes[part] += 1;
            let (x, y) = (i % w, i / w);
            let near = [
                (x > 0).then(|| i - 1),
                (x + 1 < w).then(|| i + 1),
                (y > 0).then(|| i - w),
                (y + 1 < h).then(|| i + w),
            ];
            for next in near.into_iter().flatten() {
                if mask.data[next] > 0.5 && part_of[next] == 0 {
                    part_of[next] = part;
                    open.push(next);
                }
            }
        }
    }
    let least = sizes.iter().max().map_or(0, |most| most * 2 / 5);
    let mut kept = mask.clone();
    for (value, part) in kept.data.iter_mut().zip(part_of) {
        if part != 0 && sizes[part] < least {
            *value = 0.0;
        }
    }
    kept
}

/// The light that a background casts on what is put before it: a part of the way to its own brightness and tint.
fn lit_by(ground: Rgb, own: Rgb) -> Rgb {
    let part = |ground: f32, own: f32| ((ground + 0.08) / (own + 0.08)).clamp(0.3, 1.5).powf(0.35);
    Rgb(
        part(ground.0, own.0),
        part(ground.1, own.1),
        part(ground.2, own.2),
    )
}

/// A picture as large as the frame, its middle where shapes differ.
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
    crate::image::moving::painted(frame, |x, y| {
        source.sample(
            (x0 + (x as f32 + 0.5) * k) * scale,
            (y0 + (y as f32 + 0.5) * k) * scale,
        )
    })
}

/// The frame blurred, without the subject's colours running into it.
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
    crate::image::moving::painted(frame, |x, y| {
        let (u, v) = ((x as f32 + 0.5) * kx - 0.5, (y as f32 + 0.5) * ky - 0.5);
        let [r, g, b] = [0, 1, 2].map(|c| planes[c].bilinear(u, v) / 255.0);
        Rgb(r, g, b)
    })
}

//! Weather over a film: rain and snow, drifting fog, lightning. All of it is a function of time, so that any frame
//! can be drawn alone.

use rayon::prelude::*;

use atelier_picture::chance::{Coarse, Rng, fbm, smooth, speck};
use atelier_picture::light::Weather;
use atelier_retouch::canvas::{Canvas, Frame};
use atelier_retouch::rgb::Rgb;

/// The speed of drifting fog, in units a second.
const DRIFT: f32 = 0.05;
/// The longest film, for which there is enough fog.
const LONGEST: f32 = 16.0;

/// The weather in the air in front of a film.
pub(crate) struct Air {
    weather: Weather,
    frame: Frame,
    seed: u32,
    /// The film's brightness, which lights the drops.
    light: Rgb,
    fog: Option<[Coarse; 2]>,
    flashes: Vec<f32>,
}

impl Air {
    /// The air of a weather, if it is visible; `light` is the film's mean colour.
    pub(crate) fn new(weather: Weather, frame: Frame, light: Rgb, seed: u64) -> Option<Self> {
        let mut rng = Rng::new(seed);
        let seed = rng.seed();
        let fog = match weather {
            Weather::Fog => Some([0, 1].map(|k: u32| {
                let wide = frame.w + DRIFT * LONGEST * 2.0;
                Coarse::new(wide, frame.h, 64.0, |u, v| {
                    let scale = 2.2 + 1.9 * k as f32;
                    smooth(0.25, 0.75, fbm(u * scale, v * scale * 1.9, 4, seed ^ k))
                })
            })),
            Weather::Rain | Weather::Storm | Weather::Snow => None,
            _ => return None,
        };
        let mut flashes = Vec::new();
        if weather == Weather::Storm {
            let mut at = rng.range(0.7, 1.6);
            while at < LONGEST {
                flashes.push(at);
                // Lightning often strikes twice.
                if rng.chance(0.5) {
                    flashes.push(at + rng.range(0.12, 0.2));
                }
                at += rng.range(2.6, 5.5);
            }
        }
        Some(Self {
            weather,
            frame,
            seed,
            light,
            fog,
            flashes,
        })
    }

    /// Draws the air at a time over a frame.
    pub(crate) fn lay(&self, canvas: &mut Canvas, time: f32) {
        match self.weather {
            Weather::Fog => self.lay_fog(canvas, time),
            Weather::Snow => self.lay_snow(canvas, time),
            _ => {
                self.lay_rain(canvas, time);
                self.flash(canvas, time);
            }
        }
    }

    fn lay_fog(&self, canvas: &mut Canvas, time: f32) {
        let Some([slow, quick]) = &self.fog else { return };
        let frame = self.frame;
        let glow = 0.35 + 0.65 * smooth(0.05, 0.5, self.light.luma());
        let color = Rgb(0.83, 0.86, 0.89).mix(self.light, 0.2).scale(glow);
        let (a, b) = (DRIFT * time, DRIFT * 1.8 * time);
        canvas
            .pixels
            .par_chunks_mut(frame.width)
            .enumerate()
            .for_each(|(y, row)| {
                let v = (y as f32 + 0.5) / frame.px;
                // Thickest at the horizon; nearby parts at the bottom are clearer.
                let t = v / frame.h;
                let height = 0.3 + 0.3 * smooth(0.0, 0.45, t) - 0.38 * smooth(0.5, 1.05, t);
                // A value for every other pixel is smooth enough.
                for (x, pair) in row.chunks_mut(2).enumerate() {
                    let u = (2 * x + 1) as f32 / frame.px;
                    let thick = 0.6 * slow.at(u + a, v) + 0.4 * quick.at(u + b, v);
                    let k = (height + 0.5 * (thick - 0.35)).clamp(0.0, 0.93);
                    for p in pair {
                        mix(p, color, k);
                    }
                }
            });
    }

    fn lay_rain(&self, canvas: &mut Canvas, time: f32) {
        let heavy = self.weather == Weather::Storm;
        let lit = self.light.luma();
        let color = Rgb(0.82, 0.88, 0.96).scale(0.55 + 0.45 * smooth(0.0, 0.4, lit));
        let slant = if heavy { 0.24 } else { 0.11 };
        // Far drops are many, slow and thin; near ones few and fast.
        for (layer, (count, speed, length, wide, alpha)) in [
            (700, 1.25, 0.035, 0.0008, 0.2),
            (330, 1.75, 0.062, 0.0012, 0.26),
            (120, 2.5, 0.11, 0.0019, 0.24),
        ]
        .into_iter()
        .enumerate()
        {
            let count = if heavy { count * 8 / 5 } else { count };
            self.fall(layer as u32, count, speed, length, time, |x, y, salt| {
                let long = length * (0.75 + 0.5 * salt);
                streak(
                    canvas,
                    (x, y),
                    (slant * long, long),
                    wide,
                    color,
                    alpha * (0.75 + 0.8 * salt),
                );
            });
        }
    }

    fn lay_snow(&self, canvas: &mut Canvas, time: f32) {
        let lit = self.light.luma();
        let color = Rgb(1.0, 1.0, 1.0).scale(0.6 + 0.4 * smooth(0.0, 0.35, lit));
        for (layer, (count, speed, size, alpha)) in [
            (900, 0.075, 0.0013, 0.8),
            (420, 0.12, 0.0024, 0.85),
            (150, 0.19, 0.0042, 0.75),
            (26, 0.29, 0.0105, 0.34),
        ]
        .into_iter()
        .enumerate()
        {
            self.fall(layer as u32 + 8, count, speed, size * 4.0, time, |x, y, salt| {
                let sway = (time * (0.6 + 0.9 * salt) + salt * 40.0).sin() * (0.006 + size * 3.0);
                let size = size * (0.7 + 0.6 * salt);
                disc(canvas, (x + sway, y), size, color, alpha);
            });
        }
    }

    /// Things that fall from above the upper border to below the lower one and begin again elsewhere; `draw` gets a
    /// place and a number from 0 to 1 that stays with the thing while it falls.
    fn fall(
        &self,
        layer: u32,
        count: i32,
        speed: f32,
        reach: f32,
        time: f32,
        mut draw: impl FnMut(f32, f32, f32),
    ) {
        let frame = self.frame;
        let way = frame.h + 2.0 * reach;
        let seed = self.seed ^ layer.wrapping_mul(0x9e37_79b9);
        // The same density at any shape of the picture.
        let count = (count as f32 * frame.w.max(0.5)) as i32;
        for i in 0..count {
            let own = 0.85 + 0.3 * speck(i, 1, seed);
            let fallen = speck(i, 2, seed) * way + time * speed * own;
            let round = (fallen / way).floor();
            let x = speck(i, 3 + round as i32 * 2, seed) * (frame.w + 0.3) - 0.2;
            draw(
                x,
                fallen - round * way - reach,
                speck(i, 4 + round as i32 * 2, seed),
            );
        }
    }

    fn flash(&self, canvas: &mut Canvas, time: f32) {
        let strength: f32 = self
            .flashes
            .iter()
            .map(|at| {
                let since = time - at;
                if since < 0.0 { 0.0 } else { (-since / 0.09).exp() }
            })
            .sum();
        if strength < 0.02 {
            return;
        }
        let light = Rgb(0.62, 0.68, 0.85).scale(0.75 * strength.min(1.0));
        canvas.pixels.par_iter_mut().for_each(|p| {
            let [r, g, b] = Rgb::from_bytes([p[0], p[1], p[2]]).screen(light).to_bytes();
            *p = [r, g, b, p[3]];
        });
    }
}

#[inline]
fn mix(p: &mut [u8; 4], color: Rgb, k: f32) {
    let [r, g, b] = Rgb::from_bytes([p[0], p[1], p[2]]).mix(color, k).to_bytes();
    *p = [r, g, b, p[3]];
}

/// A slanted line that fades at both ends, from a place along a way, in units.
fn streak(canvas: &mut Canvas, (x, y): (f32, f32), (dx, dy): (f32, f32), wide: f32, color: Rgb, alpha: f32) {
    let frame = canvas.frame;
    let px = frame.px;
    let half = (wide * px * 0.5).max(0.45);
    // Anything thinner than a pixel is drawn fainter instead.
    let alpha = alpha * (wide * px).clamp(0.35, 1.0);
    let (top, high) = (y * px, dy * px);
    let from = top.max(0.0) as usize;
    let to = ((top + high).max(0.0) as usize).min(frame.height);
    for row in from..to {
        let t = ((row as f32 + 0.5 - top) / high).clamp(0.0, 1.0);
        // It falls to the left, as if the wind came from the right.
        let middle = (x + dx * (1.0 - t)) * px;
        let fade = smooth(0.0, 0.5, t) * smooth(1.0, 0.85, t);
        let (left, right) = (middle - half, middle + half);
        if right < 0.0 || left >= frame.width as f32 {
            continue;
        }
        let columns = left.max(0.0) as usize..(right.ceil().max(0.0) as usize).min(frame.width);
        for column in columns {
            let cover = (right.min(column as f32 + 1.0) - left.max(column as f32)).clamp(0.0, 1.0);
            mix(
                &mut canvas.pixels[row * frame.width + column],
                color,
                alpha * fade * cover,
            );
        }
    }
}

/// A soft round flake, in units.
fn disc(canvas: &mut Canvas, (x, y): (f32, f32), radius: f32, color: Rgb, alpha: f32) {
    let frame = canvas.frame;
    let r = (radius * frame.px).max(0.8);
    let (cx, cy) = (x * frame.px, y * frame.px);
    let span = |middle: f32, of: usize| {
        let from = (middle - r - 1.0).max(0.0) as usize;
        from..((middle + r + 1.0).max(0.0) as usize).min(of)
    };
    for row in span(cy, frame.height) {
        for column in span(cx, frame.width) {
            let d = (column as f32 + 0.5 - cx).hypot(row as f32 + 0.5 - cy) / r;
            let cover = smooth(1.1, 0.35, d);
            if cover > 0.0 {
                mix(
                    &mut canvas.pixels[row * frame.width + column],
                    color,
                    alpha * cover,
                );
            }
        }
    }
}

//! The things that fall and drift between the viewer and the scene: rain, snow, fog, bubbles. The path of every drop is
//! a function of time: nothing is remembered from frame to frame.

use super::card::{Pixel, over};
use super::glow::Puff;
use super::view::View;
use atelier_picture::chance::{fbm, hash, value};
use atelier_picture::light::{Light, Weather};
use atelier_retouch::rgb::{Rgb, WHITE};

/// The weather in the air at one moment.
pub(crate) enum Air {
    Clear,
    /// Drops from the highest to the lowest, and the length of the longest.
    Rain(Vec<Streak>, f32),
    /// Flakes from the highest to the lowest, and the reach of the largest.
    Snow(Vec<Puff>, f32),
    Fog(Fog),
}

/// A visible drop of rain.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Streak {
    x: f32,
    top: f32,
    length: f32,
    lean: f32,
    width: f32,
    alpha: f32,
    color: [u8; 3],
}

/// Fog that drifts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fog {
    color: [u8; 3],
    horizon: f32,
    height: f32,
    time: f32,
    shift: f32,
    seed: u32,
}

/// A number from 0 to 1 that belongs to a drop and its fall.
fn part(drop: usize, fall: i32, salt: u32) -> f32 {
    (hash(drop as i32, fall, salt) >> 8) as f32 / 16_777_216.0
}

impl Air {
    /// The air at a moment. `amount` is how much falls: 1 is the usual amount of the weather.
    pub(crate) fn new(light: &Light, view: &View, time: f32, amount: f32, seed: u32) -> Self {
        let (w, h) = (view.width, view.height);
        // The air moves with the camera too, less than the ground does.
        let pan = -(view.middle.0 - view.vanish.0) / view.scale + 0.7 * view.truck.0 / view.scale;
        let lean = 0.06 + 0.16 * part(7, 0, seed);
        let lean = if seed & 1 == 0 { lean } else { -lean };
        match light.weather {
            Weather::Rain | Weather::Storm => {
                let hard = if light.weather == Weather::Storm { 1.5 } else { 1.0 };
                let color = light.haze.mix(WHITE, 0.45).to_bytes();
                let count = (520.0 * amount * hard * (w / h).max(0.7)) as usize;
                let drops = (0..count).map(|drop| {
                    let layer = drop % 3;
                    let size = [1.0, 0.68, 0.45][layer];
                    let length = h * (0.05 + 0.05 * part(drop, 0, seed ^ 2)) * size;
                    let fallen =
                        (1.15 + 0.25 * part(drop, 0, seed ^ 3)) * size * time * 1.35 + part(drop, 0, seed);
                    let (fall, way) = (fallen.floor(), fallen.fract());
                    let top = way * (h + length * 2.0) - length * 1.5;
                    let room = w * 1.4;
                    let x =
                        (part(drop, fall as i32, seed ^ 5) * room + pan * size).rem_euclid(room) - 0.2 * w;
                    Streak {
                        x,
                        top,
                        length,
                        lean,
                        width: (0.0019 * h * size).max(0.7),
                        alpha: [0.5, 0.4, 0.3][layer],
                        color,
                    }
                });
                let mut drops: Vec<Streak> = drops.collect();
                drops.sort_by(|a, b| a.top.total_cmp(&b.top));
                let longest = drops.iter().map(|drop| drop.length).fold(0.0, f32::max);
                Self::Rain(drops, longest)
            }
            Weather::Snow => {
                let color = WHITE.mix(light.haze, 0.1 + 0.25 * light.dark).to_bytes();
                let count = (560.0 * amount * (w / h).max(0.7)) as usize;
                let flakes = (0..count).map(|drop| {
                    let size = 0.35 + 0.65 * part(drop, 0, seed ^ 6).powi(2);
                    let fallen = (0.09 + 0.13 * size) * time + part(drop, 0, seed);
                    let (fall, way) = (fallen.floor(), fallen.fract());
                    let swing = (time * (0.6 + 0.9 * part(drop, 0, seed ^ 8)) + drop as f32).sin();
                    let room = w * 1.2;
                    let x =
                        part(drop, fall as i32, seed ^ 5) * room + pan * size + lean * time * h * 0.25 * size;
                    Puff {
                        x: x.rem_euclid(room) - 0.1 * w + swing * 0.012 * h,
                        y: way * h * 1.06 - 0.03 * h,
                        radius: (0.0085 * h * size).max(0.9),
                        color,
                        alpha: 0.5 + 0.4 * size,
                    }
                });
                Self::flakes(flakes.collect())
            }
            Weather::Fog => Self::Fog(Fog {
                color: light.haze.to_bytes(),
                horizon: view.horizon(),
                height: h,
                time,
                shift: pan / h,
                seed,
            }),
            _ => Self::Clear,
        }
    }

    /// Bubbles that rise in water.
    pub(crate) fn bubbles(view: &View, time: f32, seed: u32) -> Self {
        let (w, h) = (view.width, view.height);
        let bubbles = (0..70).map(|drop| {
            let size = 0.4 + 0.6 * part(drop, 0, seed ^ 6);
            let risen = (0.05 + 0.07 * size) * time + part(drop, 0, seed);
            let swing = (time * 1.4 + drop as f32).sin();
            Puff {
                x: part(drop, risen.floor() as i32, seed ^ 5) * w + swing * 0.01 * h,
                y: h * 1.05 - risen.fract() * h * 1.1,
                radius: 0.008 * h * size,
                color: [214, 240, 250],
                alpha: 0.3,
            }
        });
        Self::flakes(bubbles.collect())
    }

    fn flakes(mut flakes: Vec<Puff>) -> Self {
        flakes.sort_by(|a, b| a.y.total_cmp(&b.y));
        let largest = flakes.iter().map(|flake| flake.radius).fold(0.0, f32::max);
        Self::Snow(flakes, largest)
    }

    pub(crate) fn row(&self, row: usize, out: &mut [Pixel]) {
        let y = row as f32;
        match self {
            Self::Clear => {}
            Self::Rain(drops, longest) => {
                let from = drops.partition_point(|drop| drop.top + longest < y);
                for drop in drops[from..].iter().take_while(|drop| drop.top <= y) {
                    drop.row(y, out);
                }
            }
            Self::Snow(flakes, largest) => {
                let from = flakes.partition_point(|flake| flake.y + largest < y);
                for flake in flakes[from..].iter().take_while(|flake| flake.y - largest <= y) {
                    flake.row(y, out);
                }
            }
            Self::Fog(fog) => fog.row(y, out),
        }
    }
}

impl Streak {
    fn row(&self, y: f32, out: &mut [Pixel]) {
        let along = (y - self.top) / self.length;
        if !(0.0..1.0).contains(&along) {
            return;
        }
        let middle = self.x + self.lean * y;
        let reach = self.width + 1.0;
        let from = (middle - reach).ceil().max(0.0) as usize;
        let to = ((middle + reach).floor() + 1.0).clamp(0.0, out.len() as f32) as usize;
        let strength = self.alpha * (4.0 * along * (1.0 - along)).min(1.0) * self.width.min(1.0);
        for (x, pixel) in out.iter_mut().enumerate().take(to).skip(from) {
            let alpha = strength * (1.0 - (x as f32 - middle).abs() / reach).max(0.0);
            let [r, g, b] = self.color.map(|c| (f32::from(c) * alpha + 0.5) as u8);
            over(pixel, u32::from_le_bytes([r, g, b, (alpha * 255.0 + 0.5) as u8]));
        }
    }
}

impl Fog {
    fn row(&self, y: f32, out: &mut [Pixel]) {
        let d = (y - self.horizon) / self.height;
        let thick = (-d * d * 7.0).exp();
        if thick < 0.02 {
            return;
        }
        let v = y / self.height;
        let color = Rgb::from_bytes(self.color);
        // Fog has no fine detail: every fourth pixel is computed.
        let at = |x: usize| {
            let u = (x as f32) / self.height - self.shift;
            let bank = value(u * 2.2 + 0.05 * self.time, v * 7.0, self.seed) * 0.5
                + fbm(
                    u * 3.0 + 0.14 * self.time,
                    v * 9.0 + 0.04 * self.time,
                    3,
                    self.seed,
                ) * 0.5;
            (thick * (0.25 + 0.65 * bank) * 0.85).min(0.9)
        };
        let mut left = at(0);
        for from in (0..out.len()).step_by(4) {
            let right = at(from + 4);
            for (step, pixel) in out[from..].iter_mut().take(4).enumerate() {
                let alpha = left + (right - left) * step as f32 * 0.25;
                let [r, g, b] = Rgb::from_bytes([pixel[0], pixel[1], pixel[2]])
                    .mix(color, alpha)
                    .to_bytes();
                *pixel = [r, g, b, pixel[3]];
            }
            left = right;
        }
    }
}

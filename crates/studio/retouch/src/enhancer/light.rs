//! Faults of a picture's light: a colour cast, low contrast. Each is measured first and corrected by what was
//! measured; a picture without faults stays as it is.

use crate::chance::smooth;
use crate::color::{encoded, linear, linear_of, luma};
use crate::decode::Picture;

/// The largest number of pixels sampled for colour.
const SAMPLES: usize = 120_000;

/// Tiles along the longer side of the picture, for local contrast.
const TILES: usize = 8;

/// Gains of red, green and blue light that remove a cast; ones if none is evident.
///
/// A cast counts if two estimates agree: the mean by shades of grey (Finlayson and Trezzi 2004, with a Minkowski
/// norm of six) and the brightest parts (Land's white patch). A field of grass misleads one and a yellow car the
/// other, seldom both. Daylight and lamps differ from blue to orange, so casts from green to magenta get little
/// weight.
pub(super) fn white_balance(picture: &Picture, amount: f32) -> [f32; 3] {
    let count = picture.width * picture.height;
    let mut lights: Vec<[f32; 3]> = picture
        .rgba
        .chunks_exact(4)
        .step_by((count / SAMPLES).max(1))
        .filter(|p| p[3] > 0 && p[..3].iter().all(|v| *v >= 8))
        // If only some channels are clipped the colour is lost; if all are, it is white.
        .filter(|p| p[..3].iter().all(|v| *v <= 250) || p[..3].iter().all(|v| *v >= 240))
        .map(|p| [linear(p[0]), linear(p[1]), linear(p[2])])
        .collect();
    if lights.len() < 64 {
        return [1.0; 3];
    }
    let grey = norm(&lights, 6);
    lights.sort_by(|a, b| luma(b[0], b[1], b[2]).total_cmp(&luma(a[0], a[1], a[2])));
    let white = norm(&lights[..(lights.len() / 20).max(16)], 1);
    let agreed = |f: fn([f32; 3]) -> f32, doubt: f32, most: f32| {
        let (a, b) = (f(grey), f(white));
        if a * b <= 0.0 {
            0.0
        } else {
            a.signum() * (a.abs().min(b.abs()) - doubt).clamp(0.0, most)
        }
    };
    // Lamps make pictures too warm; blue is more often the sky.
    let warm = |c: [f32; 3]| (c[0] / c[2]).ln();
    let warm = amount
        * if warm(grey) > 0.0 {
            agreed(warm, 0.13, 0.7)
        } else {
            agreed(warm, 0.3, 0.3)
        };
    let green = amount * agreed(|c| (c[1] * c[1] / (c[0] * c[2])).ln(), 0.1, 0.1);
    let gains = [-0.5 * warm + green / 6.0, -green / 3.0, 0.5 * warm + green / 6.0].map(f32::exp);
    // Brightness stays as it was.
    let scale = 1.0 / luma(gains[0], gains[1], gains[2]);
    gains.map(|gain| gain * scale)
}

fn norm(lights: &[[f32; 3]], p: i32) -> [f32; 3] {
    std::array::from_fn(|c| {
        let sum: f64 = lights.iter().map(|light| f64::from(light[c]).powi(p)).sum();
        ((sum / lights.len() as f64).powf(1.0 / f64::from(p)) as f32).max(1e-4)
    })
}

/// The effect of a gain of light on values from 0 to 255.
pub(super) fn gain_curve(gain: f32) -> Vec<f32> {
    (0..=256)
        .map(|v| encoded(gain * linear_of(v as f32 / 255.0)))
        .collect()
}

/// A value through a curve of 257 points.
#[inline]
pub(super) fn through(curve: &[f32], value: f32) -> f32 {
    let at = value.clamp(0.0, 255.0);
    let i = at as usize;
    curve[i] + (curve[i + 1] - curve[i]) * (at - i as f32)
}

/// Curves of lightness for the parts of a picture, interpolated between them: equalisation of tiles with limited
/// contrast (Zuiderveld 1994, "Contrast limited adaptive histogram equalization"), after a stretch of the whole if
/// its range is short.
#[derive(Debug)]
pub(super) struct Tones {
    columns: usize,
    rows: usize,
    tile: f32,
    curves: Vec<Vec<f32>>,
}

impl Tones {
    pub(super) fn of(picture: &Picture, strength: f32) -> Self {
        let tile = (picture.width.max(picture.height) as f32 / TILES as f32).max(16.0);
        let columns = (picture.width as f32 / tile).ceil() as usize;
        let rows = (picture.height as f32 / tile).ceil() as usize;
        let step = ((picture.width * picture.height / 1_500_000) as f32)
            .sqrt()
            .max(1.0) as usize;
        let mut counts = vec![[0.0_f32; 256]; columns * rows];
        for y in (0..picture.height).step_by(step) {
            for x in (0..picture.width).step_by(step) {
                let [r, g, b, a] = picture.pixel(x, y);
                if a > 0 {
                    let column = (x as f32 / tile) as usize;
                    let row = (y as f32 / tile) as usize;
                    let level = luma(f32::from(r), f32::from(g), f32::from(b)) as usize;
                    counts[row * columns + column][level.min(255)] += 1.0;
                }
            }
        }
        let all: [f32; 256] = std::array::from_fn(|v| counts.iter().map(|tile| tile[v]).sum());
        let (low, high) = (quantile(&all, 0.01), quantile(&all, 0.99));
        let need = smooth(0.65, 0.35, (high - low) / 255.0);
        let stretch = strength * smooth(0.68, 0.45, (high - low) / 255.0);
        let local = strength * (0.015 + 0.4 * need);
        let curves = counts
            .iter()
            .map(|tile| curve(tile, low, high, stretch, local))
            .collect();
        Self {
            columns,
            rows,
            tile,
            curves,
        }
    }

    /// The lightness that a pixel gets.
    #[inline]
    pub(super) fn apply(&self, x: usize, y: usize, value: f32) -> f32 {
        let u = ((x as f32 + 0.5) / self.tile - 0.5).clamp(0.0, self.columns as f32 - 1.0);
        let v = ((y as f32 + 0.5) / self.tile - 0.5).clamp(0.0, self.rows as f32 - 1.0);
        let (i, j) = (u as usize, v as usize);
        let (i2, j2) = ((i + 1).min(self.columns - 1), (j + 1).min(self.rows - 1));
        let (u, v) = (u - i as f32, v - j as f32);
        let at = |i: usize, j: usize| through(&self.curves[j * self.columns + i], value);
        let top = at(i, j) * (1.0 - u) + at(i2, j) * u;
        let bottom = at(i, j2) * (1.0 - u) + at(i2, j2) * u;
        top * (1.0 - v) + bottom * v
    }
}

fn quantile(counts: &[f32; 256], share: f32) -> f32 {
    let total: f32 = counts.iter().sum();
    let mut seen = 0.0;
    for (v, count) in counts.iter().enumerate() {
        seen += count;
        if seen >= share * total {
            return v as f32;
        }
    }
    255.0
}

fn curve(counts: &[f32; 256], low: f32, high: f32, stretch: f32, local: f32) -> Vec<f32> {
    // The stretch of the whole, at most to one and two thirds of its contrast.
    let range = (high - low).max(255.0 * 0.6);
    let spare = (255.0 - range) * (low / (255.0 - (high - low)).max(1.0));
    let stretched = |v: f32| {
        let full = ((v - low) * (0.96 * 255.0 / range) + 0.02 * 255.0 + spare * 0.5).clamp(0.0, 255.0);
        v + stretch * (full - v)
    };
    let total: f32 = counts.iter().sum();
    if total < 1.0 {
        return (0..=256).map(|v| stretched(v as f32)).collect();
    }
    let limit = 2.0 * total / 256.0;
    let excess: f32 = counts.iter().map(|count| (count - limit).max(0.0)).sum();
    let mut sum = 0.0;
    let mut curve: Vec<f32> = counts
        .iter()
        .enumerate()
        .map(|(v, count)| {
            let own = count.min(limit) + excess / 256.0;
            sum += own;
            let equal = 255.0 * (sum - 0.5 * own) / total;
            let plain = stretched(v as f32);
            plain + local * (equal - plain)
        })
        .collect();
    curve.push(255.0_f32.max(curve[255]));
    curve
}

//! `enhancer`: removes noise, corrects light and colour, sharpens edges. Each fault is measured first and corrected
//! by what was measured, so a picture without faults stays nearly as it is.

use rayon::prelude::*;
use serde_json::{Map, Value};

use self::denoise::{Channel, denoise};
use self::light::{Tones, gain_curve, through, white_balance};
use crate::color::{byte, luma};
use crate::decode::Picture;
use crate::encode::SourceType;
use crate::{close, open, params};
use atelier_protocol::{Error, Request, Response};

mod denoise;
mod light;
mod noise;
mod sharpen;

/// The rows of one task, and the rows on each side that influence them.
const BAND: usize = 64;
const HALO: usize = 20;

/// Noise below this is left alone.
const QUIET: f32 = 0.6;

/// The requested enhancement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wish {
    /// 0 to 1; 0 changes nothing.
    pub strength: f32,
    pub denoise: bool,
    pub sharpen: bool,
    /// White balance and contrast.
    pub color: bool,
}

/// The faults found, and their size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Findings {
    /// The noise's standard deviation, in steps of a byte.
    pub noise: f32,
    /// Gains of red, green and blue light against a cast.
    pub gains: [f32; 3],
    /// 0 (sharp) to 1.
    pub unsharpness: f32,
}

/// The task.
pub fn run(request: &Request, progress: &mut dyn FnMut(f32)) -> Result<Response, Error> {
    let wish = Wish {
        strength: params::number(request, "strength", 0.5, 0.0, 1.0)?,
        denoise: params::flag(request, "denoise", true)?,
        sharpen: params::flag(request, "sharpen", true)?,
        color: params::flag(request, "color", true)?,
    };
    let mut picture = open(request)?;
    progress(0.1);
    let findings = enhance(&mut picture, wish, progress);
    progress(0.9);
    let mut notes = Map::new();
    if let Some(found) = findings {
        notes.insert("noise".into(), rounded(found.noise));
        notes.insert("unsharpness".into(), rounded(found.unsharpness));
        notes.insert("white_balance".into(), found.gains.map(rounded).to_vec().into());
    }
    close(request, &picture, SourceType::AlgorithmicallyEnhanced, notes)
}

fn rounded(value: f32) -> Value {
    Value::from((f64::from(value) * 100.0).round() / 100.0)
}

/// Enhances in place; returns what was found, or nothing if nothing was done.
pub fn enhance(picture: &mut Picture, wish: Wish, progress: &mut dyn FnMut(f32)) -> Option<Findings> {
    if wish.strength <= 0.0 || !(wish.denoise || wish.sharpen || wish.color) {
        return None;
    }
    // Half the strength corrects clear faults fully; more goes further.
    let amount = (2.0 * wish.strength).min(1.0);
    let found = Findings {
        noise: noise::estimate(picture),
        gains: if wish.color {
            white_balance(picture, (1.4 * wish.strength).min(1.0))
        } else {
            [1.0; 3]
        },
        unsharpness: if wish.sharpen {
            sharpen::unsharpness(picture)
        } else {
            0.0
        },
    };
    let tones = wish.color.then(|| Tones::of(picture, wish.strength));
    progress(0.2);
    let work = Work {
        sigma: if wish.denoise && found.noise > QUIET {
            found.noise * amount * (0.8 + 0.4 * wish.strength)
        } else {
            0.0
        },
        curves: found
            .gains
            .iter()
            .any(|gain| (gain - 1.0).abs() > 1e-4)
            .then(|| found.gains.map(gain_curve)),
        tones,
        sharpening: if wish.sharpen {
            wish.strength * (0.1 + 2.6 * found.unsharpness)
        } else {
            0.0
        },
        unsharpness: found.unsharpness,
        residual_noise: if wish.denoise {
            0.3 * found.noise
        } else {
            found.noise
        },
    };
    let source = picture.clone();
    let stride = 4 * picture.width;
    picture
        .rgba
        .par_chunks_mut(BAND * stride)
        .enumerate()
        .for_each(|(i, rows)| {
            work.band(&source, i * BAND, rows);
        });
    Some(found)
}

/// The operations on every band.
struct Work {
    sigma: f32,
    curves: Option<[Vec<f32>; 3]>,
    tones: Option<Tones>,
    sharpening: f32,
    unsharpness: f32,
    residual_noise: f32,
}

impl Work {
    fn band(&self, source: &Picture, start: usize, rows: &mut [u8]) {
        let width = source.width;
        let count = rows.len() / (4 * width);
        let top = start.saturating_sub(HALO);
        let bottom = (start + count + HALO).min(source.height);
        let pixels = &source.rgba[4 * width * top..4 * width * bottom];
        let mut rgb = self.quiet(pixels, width, bottom - top);
        if let Some(curves) = &self.curves {
            for (channel, curve) in rgb.iter_mut().zip(curves) {
                for v in &mut channel.data {
                    *v = through(curve, *v);
                }
            }
        }
        let lightness = self.lightness(&rgb, top);
        for y in start..start + count {
            for x in 0..width {
                let i = (y - top) * width + x;
                let at = 4 * ((y - start) * width + x);
                let [r, g, b] = [rgb[0].data[i], rgb[1].data[i], rgb[2].data[i]];
                let (before, after) = (luma(r, g, b), lightness.data[i]);
                // Saturation grows with the light, as far as no channel is clipped.
                let ratio = ((after + 8.0) / (before + 8.0)).clamp(0.4, 2.5);
                for (channel, v) in [r, g, b].into_iter().enumerate() {
                    rows[at + channel] = byte(after + (v - before) * ratio.min(1.4));
                }
            }
        }
    }

    /// The band's red, green and blue without their noise.
    fn quiet(&self, pixels: &[u8], width: usize, height: usize) -> [Channel; 3] {
        let plane = |f: &dyn Fn(&[u8]) -> f32| Channel {
            width,
            height,
            data: pixels.chunks_exact(4).map(f).collect(),
        };
        let channel = |c: usize| plane(&|p| f32::from(p[c]));
        if self.sigma <= 0.0 {
            return [channel(0), channel(1), channel(2)];
        }
        // Orthonormal axes of lightness and of two colours, on which the noise has equal spread. Measured luma has
        // less noise than each channel.
        let sigma = self.sigma / (0.299_f32.powi(2) + 0.587_f32.powi(2) + 0.114_f32.powi(2)).sqrt();
        let [a, b, c] = [
            3.0_f32.sqrt().recip(),
            2.0_f32.sqrt().recip(),
            6.0_f32.sqrt().recip(),
        ];
        let of = |p: &[u8]| [f32::from(p[0]), f32::from(p[1]), f32::from(p[2])];
        let light = plane(&|p| a * of(p).iter().sum::<f32>());
        let warm = plane(&|p| b * (of(p)[0] - of(p)[2]));
        let green = plane(&|p| c * (of(p)[0] - 2.0 * of(p)[1] + of(p)[2]));
        let light = denoise(&light, sigma, (4, 2)).data;
        let warm = denoise(&warm, sigma, (4, 4)).data;
        let green = denoise(&green, sigma, (4, 4)).data;
        let join = |f: &dyn Fn(f32, f32, f32) -> f32| Channel {
            width,
            height,
            data: light
                .iter()
                .zip(&warm)
                .zip(&green)
                .map(|((l, w), g)| f(*l, *w, *g))
                .collect(),
        };
        [
            join(&|l, w, g| a * l + b * w + c * g),
            join(&|l, _, g| a * l - 2.0 * c * g),
            join(&|l, w, g| a * l - b * w + c * g),
        ]
    }

    /// The lightness that the band is to have.
    fn lightness(&self, rgb: &[Channel; 3], top: usize) -> Channel {
        let width = rgb[0].width;
        let data = (0..rgb[0].data.len())
            .map(|i| {
                let value = luma(rgb[0].data[i], rgb[1].data[i], rgb[2].data[i]);
                match &self.tones {
                    Some(tones) => tones.apply(i % width, top + i / width, value),
                    None => value,
                }
            })
            .collect();
        let lightness = Channel {
            width,
            height: rgb[0].height,
            data,
        };
        if self.sharpening > 0.0 {
            sharpen::sharpen(&lightness, self.sharpening, self.unsharpness, self.residual_noise)
        } else {
            lightness
        }
    }
}

#[cfg(test)]
mod tests;

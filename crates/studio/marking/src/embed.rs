//! Writes marks.

use atelier_fft::Complex;

use crate::{
    Id, Key, SMALLEST, Shape,
    code::{CODED, encode},
    detect::Spectrum,
    filter::Plane,
    waves::{HIGHEST, TILE, Wave, sign, waves},
};

/// The mark's size in a flat part, and what the spread of the neighbourhood adds, in levels of brightness.
const FLAT: f32 = 0.95;
const BUSY: f32 = 0.12;
const MOST: f32 = 5.0;
/// How much more than that it may become in a picture where there is room below the limit of noise.
const STRONGER: f32 = 1.1;
/// Paper and black stay as they are: brightness from the ends of the scale.
const END: f32 = 3.0;
/// The scores that the mark must reach in the picture itself, for a reserve against compression: of the fixed waves,
/// and of the symbols.
const RESERVE: (f32, f32) = (9.0, 15.0);

/// A mark was written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Embedded {
    /// The peak signal-to-noise ratio of the picture with the mark, in dB.
    pub psnr: f32,
    /// How clearly it is read from the picture itself; [`THRESHOLD`](crate::THRESHOLD) is the least.
    pub score: f32,
}

/// The picture is too small or too empty to carry a mark that survives. It is unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooPlain;

/// Writes a mark into a picture. Its colours keep their hue, and its alpha stays as it is.
///
/// # Panics
///
/// If the pixels do not fill the shape.
pub fn embed(pixels: &mut [u8], shape: Shape, id: Id, key: &Key) -> Result<Embedded, TooPlain> {
    assert_eq!(pixels.len(), shape.bytes(), "pixels of another shape");
    if shape.width.min(shape.height) < SMALLEST {
        return Err(TooPlain);
    }
    let light = Plane::brightness(pixels, shape);
    let word = encode(id, key);
    let waves = waves(key);
    let tile = tile(&waves, &word);
    let mut change = gain(&light);
    for (y, row) in change.values.chunks_exact_mut(shape.width).enumerate() {
        let tile = &tile[TILE * (y % TILE)..][..TILE];
        for (gain, tile) in row.iter_mut().zip(tile.iter().cycle()) {
            *gain *= tile;
        }
    }
    let noise =
        (change.values.iter().map(|value| value * value).sum::<f32>() / change.values.len() as f32).sqrt();
    let allowed = 255.0 / 10_f32.powf(limit(shape) / 20.0);
    let factor = (allowed / noise.max(0.01)).min(STRONGER);
    let mut marked = pixels.to_vec();
    let mut squares = 0.0_f64;
    for ((pixel, old), change) in marked
        .chunks_exact_mut(shape.channels)
        .zip(pixels.chunks_exact(shape.channels))
        .zip(&change.values)
    {
        if shape.has_alpha() && old[shape.channels - 1] < 128 {
            continue;
        }
        for (new, &old) in pixel[..shape.colours()].iter_mut().zip(old) {
            *new = (f32::from(old) + change * factor).round().clamp(0.0, 255.0) as u8;
            squares += (f64::from(*new) - f64::from(old)).powi(2);
        }
    }
    let mean = squares / (shape.width * shape.height * shape.colours()) as f64;
    let light = Plane::brightness(&marked, shape);
    let (fixed, symbols) =
        Spectrum::at(&light.middle(1_024).whitened(), &waves, (1.0, 1.0)).fit(&waves, &light, &word);
    if fixed < RESERVE.0 || symbols < RESERVE.1 {
        return Err(TooPlain);
    }
    pixels.copy_from_slice(&marked);
    Ok(Embedded {
        psnr: (10.0 * (255.0_f64.powi(2) / mean.max(1e-6)).log10()) as f32,
        score: fixed,
    })
}

/// The least ratio of a picture to the mark's noise, in dB: large pictures have tiles enough to need less.
fn limit(shape: Shape) -> f32 {
    let megapixels = (shape.width * shape.height) as f32 / (1 << 20) as f32;
    (42.0 + 1.2 * megapixels.log2()).clamp(40.3, 44.0)
}

/// The sum of the waves, with a spread of 1.
fn tile(waves: &[Wave], word: &[f32; CODED]) -> Vec<f32> {
    let turns: Vec<Complex<f32>> = (0..TILE)
        .map(|at| Complex::from_polar(1.0, std::f32::consts::TAU * at as f32 / TILE as f32))
        .collect();
    let turn = |cycles: i32, at: usize| turns[(cycles.rem_euclid(TILE as i32) as usize * at) % TILE];
    // Rows of waves first: their sum over x for each y of a wave.
    let rows = 2 * HIGHEST + 1;
    let mut across = vec![Complex::new(0.0, 0.0); rows * TILE];
    for wave in waves {
        let amplitude = wave.phase * sign(wave.used, word);
        let row = &mut across[TILE * (wave.y + HIGHEST as i32) as usize..][..TILE];
        for (x, value) in row.iter_mut().enumerate() {
            *value += amplitude * turn(wave.x, x);
        }
    }
    let mut tile = vec![0.0_f32; TILE * TILE];
    for (y, out) in tile.chunks_exact_mut(TILE).enumerate() {
        for (number, row) in across.chunks_exact(TILE).enumerate() {
            let turn = turn(number as i32 - HIGHEST as i32, y);
            for (out, value) in out.iter_mut().zip(row) {
                *out += (value * turn).re;
            }
        }
    }
    let spread = (tile.iter().map(|value| value * value).sum::<f32>() / tile.len() as f32).sqrt();
    for value in &mut tile {
        *value /= spread;
    }
    tile
}

/// How strong the mark may be at each pixel. A busy place hides more, but not the flat side of an edge.
fn gain(light: &Plane) -> Plane {
    let fine = light.map2(&light.mean(4), |value, mean| value - mean);
    let spread = fine
        .map(|value| value * value)
        .mean(3)
        .map(|square| square.max(0.0).sqrt());
    // The geometric mean of the spreads near a pixel: one edge lifts it little, a texture fully.
    let around = spread
        .map(|value| (value + 0.5).ln())
        .mean(5)
        .map(|value| value.exp() - 0.5);
    let spread = spread.map2(&around, |here, around| here.min(1.5 * around + 1.0));
    let gain = spread.map2(light, |spread, light| {
        let is_empty = spread < 0.3 && !(END..=255.0 - END).contains(&light);
        if is_empty {
            0.0
        } else {
            (FLAT + BUSY * spread).min(MOST)
        }
    });
    gain.mean(2)
}

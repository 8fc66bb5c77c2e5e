//! Writes marks.

use atelier_fft::Complex;

use crate::{
    Id, Key, SMALLEST, Shape,
    code::{CODED, encode},
    filter::Plane,
    gain::Blocks,
    spectrum::{Spectrum, transform},
    waves::{TILE, Wave, sign, waves},
};

/// How much more than its gain it may become in a picture where there is room below the limit of noise.
const STRONGER: f32 = 1.1;
/// The scores that the mark must reach in the picture itself, for a reserve against compression: of the fixed waves,
/// and of the symbols.
pub(crate) const RESERVE: (f32, f32) = (9.0, 15.0);
/// The blocks a side, in the middle, from which the mark is read for that.
const CHECKED: usize = 512;

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
    let pattern = Pattern::of(id, key);
    let gain = Blocks::of(pixels, shape).gain(0.0..=255.0);
    let before = pixels.to_vec();
    let squares = pattern.add(pixels, shape, &gain, (limit(shape), STRONGER));
    let light = Blocks::of(pixels, shape).light;
    let (fixed, symbols) = pattern.fit(&checked(&light));
    if fixed < RESERVE.0 || symbols < RESERVE.1 {
        pixels.copy_from_slice(&before);
        return Err(TooPlain);
    }
    let values = shape.width * shape.height * shape.colours();
    Ok(Embedded {
        psnr: psnr(squares, values as u64),
        score: fixed,
    })
}

/// The peak signal-to-noise ratio of so many values, in dB, from the sum of their squared changes.
pub(crate) fn psnr(squares: u64, values: u64) -> f32 {
    let mean = squares as f64 / values as f64;
    (10.0 * (255.0_f64.powi(2) / mean.max(1e-6)).log10()) as f32
}

/// The part of a picture's blocks from which the mark is read for a check. It begins with a tile.
pub(crate) fn checked(light: &Plane) -> Plane {
    light.middle(CHECKED, TILE / 2).whitened(1, 2)
}

/// The tile of an id under a key.
#[derive(Debug, Clone)]
pub(crate) struct Pattern {
    waves: Vec<Wave>,
    word: [f32; CODED],
    tile: Vec<f32>,
}

impl Pattern {
    pub(crate) fn of(id: Id, key: &Key) -> Self {
        let (waves, word) = (waves(key), encode(id, key));
        Self {
            tile: tile(&waves, &word),
            waves,
            word,
        }
    }

    /// Adds the mark to a picture, with this gain of each block, which grows or shrinks to the least ratio of the
    /// picture to the noise in dB, by `most` at most. Returns the sum of the squares of all changes.
    pub(crate) fn add(
        &self,
        pixels: &mut [u8],
        shape: Shape,
        gain: &Plane,
        (least, most): (f32, f32),
    ) -> u64 {
        let allowed = 255.0 / 10_f32.powf(least / 20.0);
        let factor = (allowed / noise(gain, &self.tile).max(0.01)).min(most);
        add(pixels, shape, &gain.map(|gain| gain * factor), &self.tile)
    }

    /// The scores of the fixed waves and of the symbols in [`checked`] blocks.
    pub(crate) fn fit(&self, blocks: &Plane) -> (f32, f32) {
        Spectrum::of_blocks(blocks, &self.waves).fit(&self.waves, &self.word)
    }
}

/// The spread of the tile times the gain.
fn noise(gain: &Plane, tile: &[f32]) -> f32 {
    let squares: Vec<f32> = (0..TILE * TILE / 4)
        .map(|block| {
            let first = 2 * TILE * (block / (TILE / 2)) + 2 * (block % (TILE / 2));
            [first, first + 1, first + TILE, first + TILE + 1]
                .map(|at| tile[at] * tile[at] / 4.0)
                .iter()
                .sum()
        })
        .collect();
    let rows = gain.values.chunks_exact(gain.width).enumerate();
    let sum: f32 = rows
        .map(|(y, row)| {
            let squares = &squares[TILE / 2 * (y % (TILE / 2))..][..TILE / 2];
            let values = row.iter().zip(squares.iter().cycle());
            values.map(|(gain, square)| gain * gain * square).sum::<f32>()
        })
        .sum();
    (sum / gain.values.len() as f32).sqrt()
}

/// Adds the tile times the gain to every colour of a picture. Returns the sum of the squares of all changes.
fn add(pixels: &mut [u8], shape: Shape, gain: &Plane, tile: &[f32]) -> u64 {
    let mut squares = 0;
    let mut changes = vec![0_i16; shape.width];
    let mut wide = vec![0_i16; shape.width * shape.channels];
    for (y, row) in pixels.chunks_exact_mut(shape.width * shape.channels).enumerate() {
        let gain = &gain.values[y / 2 * gain.width..][..gain.width];
        let tile = &tile[TILE * (y % TILE)..][..TILE];
        for (changes, gain) in changes.chunks_mut(TILE).zip(gain.chunks(TILE / 2)) {
            for ((two, gain), tile) in changes.chunks_mut(2).zip(gain).zip(tile.chunks_exact(2)) {
                for (change, tile) in two.iter_mut().zip(tile) {
                    *change = rounded(gain * tile);
                }
            }
        }
        match shape.channels {
            1 => wide.copy_from_slice(&changes),
            2 => spread::<2>(&changes, row, &mut wide),
            3 => spread::<3>(&changes, row, &mut wide),
            _ => spread::<4>(&changes, row, &mut wide),
        }
        let mut sum = 0_u32;
        for (value, change) in row.iter_mut().zip(&wide) {
            let new = (i16::from(*value) + change).clamp(0, 255);
            let change = i32::from(new - i16::from(*value));
            sum += (change * change) as u32;
            *value = new as u8;
        }
        squares += u64::from(sum);
    }
    squares
}

/// The next whole number. Adding 1.5 · 2²³ leaves no bits for a fraction; `f32::round` would be a call of a function
/// for each pixel.
fn rounded(value: f32) -> i16 {
    const MAGIC: f32 = 12_582_912.0;
    ((value + MAGIC).to_bits() as i32 - MAGIC.to_bits() as i32) as i16
}

/// The changes of a row's pixels for each of their channels: none of alpha, and none of what cannot be seen.
fn spread<const CHANNELS: usize>(changes: &[i16], row: &[u8], wide: &mut [i16]) {
    for ((wide, pixel), change) in wide
        .chunks_exact_mut(CHANNELS)
        .zip(row.chunks_exact(CHANNELS))
        .zip(changes)
    {
        if CHANNELS == 3 {
            wide.fill(*change);
        } else {
            let alpha = CHANNELS - 1;
            let is_seen = pixel[alpha] >= 128;
            wide[..alpha].fill(if is_seen { *change } else { 0 });
            wide[alpha] = 0;
        }
    }
}

/// The least ratio of a picture to the mark's noise, in dB: large pictures have tiles enough to need less.
fn limit(shape: Shape) -> f32 {
    let megapixels = (shape.width * shape.height) as f32 / (1 << 20) as f32;
    (42.0 + 1.2 * megapixels.log2()).clamp(40.3, 44.0)
}

/// The sum of the waves, with a spread of 1.
fn tile(waves: &[Wave], word: &[f32; CODED]) -> Vec<f32> {
    let index = |cycles: i32| cycles.rem_euclid(TILE as i32) as usize;
    let mut grid = vec![Complex::new(0.0, 0.0); TILE * TILE];
    for wave in waves {
        // The conjugate, because the transform goes the other way.
        grid[TILE * index(wave.y) + index(wave.x)] = wave.phase.conj() * sign(wave.used, word);
    }
    transform(&mut grid, TILE);
    let mean = grid.iter().map(|value| value.re * value.re).sum::<f32>() / grid.len() as f32;
    let spread = mean.sqrt();
    grid.iter().map(|value| value.re / spread).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tile_is_the_sum_of_its_waves() {
        let key = Key([42; 32]);
        let waves = waves(&key);
        let word = encode(Id::new(77).unwrap(), &key);
        let tile = tile(&waves, &word);
        let sum = |x: usize, y: usize| {
            let along = |wave: &Wave| {
                let turns = (wave.x * x as i32 + wave.y * y as i32) as f32 / TILE as f32;
                let turned = wave.phase * Complex::from_polar(1.0, std::f32::consts::TAU * turns);
                sign(wave.used, &word) * turned.re
            };
            waves.iter().map(along).sum::<f32>()
        };
        let spread = sum(0, 0) / tile[0];
        for (x, y) in [(1, 0), (0, 1), (77, 100), (127, 127)] {
            assert!((tile[TILE * y + x] - sum(x, y) / spread).abs() < 1e-3);
        }
        let squares: f32 = tile.iter().map(|value| value * value).sum();
        assert!((squares / (TILE * TILE) as f32 - 1.0).abs() < 1e-3);
    }

    /// If this fails, marks of earlier versions can no longer be read.
    #[test]
    fn waves_of_a_key_are_those_of_the_first_version() {
        let waves = waves(&Key([42; 32]));
        let word = encode(Id::new(77).unwrap(), &Key([42; 32]));
        let said = |at: usize| {
            let Wave { x, y, phase, used } = waves[at];
            format!("{x} {y} {:.3} {used:?} {}", phase.arg(), sign(used, &word))
        };
        let known = [
            "1 -21 0.384 Empty 0",
            "3 -13 0.849 Fixed 1",
            "4 -13 1.521 Symbol(231) 1",
        ];
        assert_eq!([0, 100, 101].map(said), known);
    }

    #[test]
    fn changes_are_rounded_to_the_next_whole_number() {
        for (value, whole) in [(0.0, 0), (0.49, 0), (-0.49, 0), (1.51, 2), (-2.6, -3), (24.9, 25)] {
            assert_eq!(rounded(value), whole, "{value}");
        }
    }
}

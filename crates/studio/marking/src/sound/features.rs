//! How much louder each chip of a sound is than its neighbours in frequency, compared with the chips before and after
//! it: a tone that lasts is not a mark.

use std::{f32::consts::PI, ops::Range};

use atelier_fft::{Complex, RealToComplex, real_forward};

use super::chips::{BINS, COLUMNS, Chip, FRAME, HOP, LOWEST, ROWS};
use crate::{
    code::CODED,
    waves::{Use, sign},
};

/// A chip is compared with so many neighbours on each side.
const NEIGHBOURS: usize = 2;
/// Chips before and after it with which the result is compared.
const MOMENTS: usize = 2;
/// The level of a chip is that of so many around it: columns and rows on each side.
const AROUND: (usize, usize) = (1, 3);
/// A chip stands out by at most so much: a click is not a mark.
const LARGEST: f32 = 2.0;
/// Chips that are fainter than the whole by this factor (of power) do not count: they hold what is left of a
/// conversion, or nothing.
const FAINTEST: f32 = 1e-7;
/// The quiet level of a row, which may be noise: one in so many of its chips is below it. Chips near it count less.
const QUIET: usize = 10;
const AGAINST_QUIET: f32 = 2.0;

/// The chips of a sound, column by column.
#[derive(Debug)]
pub(super) struct Features {
    pub columns: usize,
    values: Vec<f32>,
}

/// The length of a frame, the window that is applied to it, and its transform.
pub(super) struct Frames {
    window: Vec<f32>,
    transform: std::sync::Arc<dyn RealToComplex<f32>>,
    frame: Vec<f32>,
    spectrum: Vec<Complex<f32>>,
}

impl Frames {
    pub(super) fn new() -> Self {
        let transform = real_forward(FRAME);
        Self {
            window: hann().collect(),
            frame: vec![0.0; FRAME],
            spectrum: transform.make_output_vec(),
            transform,
        }
    }

    /// The spectrum of the first frame of these samples, which may be shorter.
    pub(super) fn spectrum(&mut self, samples: &[f32]) -> &[Complex<f32>] {
        self.frame.fill(0.0);
        for ((value, sample), window) in self.frame.iter_mut().zip(samples).zip(&self.window) {
            *value = sample * window;
        }
        self.transform
            .process(&mut self.frame, &mut self.spectrum)
            .expect("the lengths are those of the plan");
        &self.spectrum
    }
}

/// A Hann window of a frame. Half of its length further on, it adds up to 1 with itself.
pub(super) fn hann() -> impl Iterator<Item = f32> {
    (0..FRAME).map(|at| 0.5 - 0.5 * (2.0 * PI * at as f32 / FRAME as f32).cos())
}

impl Features {
    /// Those of a sound at the rate of marks, from its sample `offset`.
    pub(super) fn of(sound: &[f32], offset: usize, frames: &mut Frames) -> Self {
        let sound = sound.get(offset..).unwrap_or_default();
        let columns = if sound.len() < FRAME {
            0
        } else {
            (sound.len() - FRAME) / HOP + 1
        };
        let mut sizes = Vec::with_capacity(columns * ROWS);
        let mut powers = Vec::with_capacity(columns * ROWS);
        for column in 0..columns {
            let bins = &frames.spectrum(&sound[column * HOP..])[LOWEST..][..ROWS * BINS];
            for chip in bins.chunks_exact(BINS) {
                sizes.push(chip.iter().map(|bin| bin.norm()).sum::<f32>() / BINS as f32);
                powers.push(chip.iter().map(Complex::norm_sqr).sum::<f32>() / BINS as f32);
            }
        }
        let levels = over_columns(&over_rows(&powers, AROUND.1), AROUND.0);
        let mean = levels.iter().map(|&level| f64::from(level)).sum::<f64>() / levels.len().max(1) as f64;
        let faintest = (mean as f32 * FAINTEST).max(f32::MIN_POSITIVE);
        let relative: Vec<f32> = sizes
            .iter()
            .zip(&levels)
            .map(|(size, &level)| {
                if level > faintest {
                    size / level.sqrt()
                } else {
                    0.0
                }
            })
            .collect();
        let quiet = quiet(&levels);
        let around = over_rows(&relative, NEIGHBOURS);
        let mut values = relative;
        for (value, around) in values.iter_mut().zip(around) {
            *value -= around;
        }
        let lasting = over_columns(&values, MOMENTS);
        for (at, value) in values.iter_mut().enumerate() {
            let level = levels[at];
            let weight = level / (level + AGAINST_QUIET * quiet[at % ROWS]).max(f32::MIN_POSITIVE);
            let stands_out = (*value - lasting[at]).clamp(-LARGEST, LARGEST);
            *value = if level > faintest {
                stands_out * weight
            } else {
                0.0
            };
        }
        Self { columns, values }
    }

    /// The sum of the repetitions of the grid in a part that begins with one.
    pub(super) fn folded(&self, part: Range<usize>) -> Folded {
        let mut sum = vec![0.0; COLUMNS * ROWS];
        for repetition in self.values[part.start * ROWS..part.end * ROWS].chunks(COLUMNS * ROWS) {
            for (sum, value) in sum.iter_mut().zip(repetition) {
                *sum += value;
            }
        }
        Folded(sum)
    }
}

/// One grid of values.
#[derive(Debug, Clone)]
pub(super) struct Folded(Vec<f32>);

impl Folded {
    /// The value of the chip `at` if the pattern begins in the column `shift`.
    fn value(&self, at: usize, shift: usize) -> f32 {
        self.0[(at + shift * ROWS) % (COLUMNS * ROWS)]
    }

    /// How well the fixed chips fit: `Σ ±x / √(Σ x²)`.
    pub(super) fn score(&self, fixed: &[(usize, f32)], shift: usize) -> f32 {
        let (mut sum, mut squares) = (0.0, 0.0);
        for &(at, sign) in fixed {
            let value = self.value(at, shift);
            sum += sign * value;
            squares += value * value;
        }
        sum / f32::max(squares, f32::MIN_POSITIVE).sqrt()
    }

    /// The soft values of the code word.
    pub(super) fn symbols(&self, chips: &[Chip], shift: usize) -> [f32; CODED] {
        let mut soft = [0.0; CODED];
        for (at, chip) in chips.iter().enumerate() {
            if let Use::Symbol(symbol) = chip.used {
                soft[usize::from(symbol)] += chip.sign * self.value(at, shift);
            }
        }
        soft
    }

    /// How well the chips of a known code word fit, as a score.
    pub(super) fn fit(&self, chips: &[Chip], word: &[f32; CODED]) -> f32 {
        let (mut sum, mut squares) = (0.0, 0.0);
        for (chip, value) in chips.iter().zip(&self.0) {
            if chip.used != Use::Fixed {
                sum += chip.sign * sign(chip.used, word) * value;
                squares += value * value;
            }
        }
        sum / f32::max(squares, f32::MIN_POSITIVE).sqrt()
    }
}

/// The places and signs of the fixed chips.
pub(super) fn fixed(chips: &[Chip]) -> Vec<(usize, f32)> {
    let fixed = chips
        .iter()
        .enumerate()
        .filter(|(_, chip)| chip.used == Use::Fixed);
    fixed.map(|(at, chip)| (at, chip.sign)).collect()
}

/// The mean of each value and `reach` rows on each side, as far as there are any.
fn over_rows(values: &[f32], reach: usize) -> Vec<f32> {
    let mut means = Vec::with_capacity(values.len());
    for column in values.chunks_exact(ROWS) {
        for row in 0..ROWS {
            let near = &column[row.saturating_sub(reach)..(row + reach + 1).min(ROWS)];
            means.push(near.iter().sum::<f32>() / near.len() as f32);
        }
    }
    means
}

/// The mean of each value and `reach` columns on each side, as far as there are any.
fn over_columns(values: &[f32], reach: usize) -> Vec<f32> {
    let columns = values.len() / ROWS;
    let mut means = Vec::with_capacity(values.len());
    for column in 0..columns {
        let near = column.saturating_sub(reach)..(column + reach + 1).min(columns);
        let count = near.len() as f32;
        means.extend((0..ROWS).map(|row| {
            let sum: f32 = near.clone().map(|column| values[column * ROWS + row]).sum();
            sum / count
        }));
    }
    means
}

/// The quiet level of each row.
fn quiet(levels: &[f32]) -> Vec<f32> {
    let columns = levels.len() / ROWS;
    if columns == 0 {
        return vec![0.0; ROWS];
    }
    let of_row = |row: usize| {
        let mut row: Vec<f32> = (0..columns).map(|column| levels[column * ROWS + row]).collect();
        *row.select_nth_unstable_by(columns / QUIET, f32::total_cmp).1
    };
    (0..ROWS).map(of_row).collect()
}

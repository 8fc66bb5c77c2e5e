//! The waves of a tile in a picture: how large they are, and where they begin.

use std::f32::consts::TAU;

use atelier_fft::{Complex, forward};

use crate::{
    code::CODED,
    filter::Plane,
    waves::{HIGHEST, TILE, Use, Wave, sign},
};

/// A wave counts as if it were at most so many times as large as the others of its frequency: a fence is not a mark.
const LARGEST: f32 = 2.5;

/// The waves of a picture at one scale, each relative to the mean size of those of its frequency.
pub(crate) struct Spectrum(Vec<Complex<f32>>);

impl Spectrum {
    /// Fourier sums at exactly the frequencies of the tile: over each row, then over the rows.
    pub(crate) fn at(plane: &Plane, waves: &[Wave], scale: (f32, f32)) -> Self {
        const COLUMNS: usize = HIGHEST + 1;
        let wave = |cycles: f64, at: usize, scale: f32| {
            let turns = cycles * at as f64 / (TILE as f64 * f64::from(scale));
            Complex::from_polar(1.0, -TAU * turns.fract() as f32)
        };
        let table: Vec<[f32; 2 * COLUMNS]> = (0..plane.width)
            .map(|x| {
                let mut row = [0.0; 2 * COLUMNS];
                for cycles in 0..COLUMNS {
                    let value = wave(cycles as f64, x, scale.0);
                    (row[cycles], row[COLUMNS + cycles]) = (value.re, value.im);
                }
                row
            })
            .collect();
        let rows = 2 * HIGHEST + 1;
        let mut sums = vec![Complex::new(0.0, 0.0); rows * COLUMNS];
        for (y, row) in plane.values.chunks_exact(plane.width).enumerate() {
            let mut across = [0.0_f32; 2 * COLUMNS];
            for (value, table) in row.iter().zip(&table) {
                for (sum, turn) in across.iter_mut().zip(table) {
                    *sum += value * turn;
                }
            }
            for (number, sums) in sums.chunks_exact_mut(COLUMNS).enumerate() {
                let turn = wave(number as f64 - HIGHEST as f64, y, scale.1);
                for (cycles, sum) in sums.iter_mut().enumerate() {
                    *sum += turn * Complex::new(across[cycles], across[COLUMNS + cycles]);
                }
            }
        }
        let values = waves
            .iter()
            .map(|wave| sums[(wave.y + HIGHEST as i32) as usize * COLUMNS + wave.x as usize]);
        Self::evened(values.collect(), waves)
    }

    /// The same at the scale 1 for the means of blocks of two pixels by two. Blocks that are a tile apart have the same
    /// waves, so they are added up first, and one tile is transformed.
    pub(crate) fn of_blocks(blocks: &Plane, waves: &[Wave]) -> Self {
        const SIDE: usize = TILE / 2;
        let mut tile = vec![Complex::new(0.0, 0.0); SIDE * SIDE];
        for (y, row) in blocks.values.chunks_exact(blocks.width).enumerate() {
            let sums = &mut tile[SIDE * (y % SIDE)..][..SIDE];
            for part in row.chunks(SIDE) {
                for (sum, value) in sums.iter_mut().zip(part) {
                    sum.re += value;
                }
            }
        }
        transform(&mut tile, SIDE);
        let values = waves.iter().map(|wave| {
            let index = |cycles: i32| cycles.rem_euclid(SIDE as i32) as usize;
            // The middle of the first block is half a pixel from the middle of the first pixel.
            let turns = -0.5 * (wave.x + wave.y) as f32 / TILE as f32;
            tile[SIDE * index(wave.y) + index(wave.x)] * Complex::from_polar(1.0, TAU * turns)
        });
        Self::evened(values.collect(), waves)
    }

    fn evened(values: Vec<Complex<f32>>, waves: &[Wave]) -> Self {
        let mut rings = [(0.0_f32, 0.0_f32); HIGHEST + 1];
        for (wave, value) in waves.iter().zip(&values) {
            let ring = &mut rings[wave.frequency() as usize];
            *ring = (ring.0 + value.norm(), ring.1 + 1.0);
        }
        let evened = waves.iter().zip(values).map(|(wave, value)| {
            let (sum, count) = rings[wave.frequency() as usize];
            let value = value * (count / sum.max(1e-12));
            value * (LARGEST / value.norm().max(LARGEST))
        });
        Self(evened.collect())
    }

    fn fixed<'a>(&'a self, waves: &'a [Wave]) -> impl Iterator<Item = (&'a Wave, Complex<f32>)> {
        let waves = waves.iter().zip(&self.0);
        waves
            .filter(|(wave, _)| wave.used == Use::Fixed)
            .map(|(wave, value)| (wave, value * wave.phase.conj()))
    }

    /// Returns the divisor of a score.
    fn chance(&self, waves: &[Wave]) -> f32 {
        (self.fixed(waves).map(|(_, value)| value.norm_sqr()).sum::<f32>() / 2.0)
            .sqrt()
            .max(1e-9)
    }

    /// Returns the start of a tile, as far as the fixed waves tell, and their score there.
    pub(crate) fn position(&self, waves: &[Wave]) -> (f32, (f32, f32)) {
        let mut grid = vec![Complex::new(0.0, 0.0); TILE * TILE];
        let index = |cycles: i32| cycles.rem_euclid(TILE as i32) as usize;
        for (wave, value) in self.fixed(waves) {
            // The conjugate, because the transform goes the other way.
            grid[TILE * index(wave.y) + index(wave.x)] = value.conj();
        }
        transform(&mut grid, TILE);
        let mut best = (f32::NEG_INFINITY, (0.0, 0.0));
        for (at, value) in grid.iter().enumerate() {
            if value.re > best.0 {
                best = (value.re, ((at % TILE) as f32, (at / TILE) as f32));
            }
        }
        (best.0 / self.chance(waves), best.1)
    }

    /// The soft values of a code word: the position is found to a quarter of a pixel first.
    pub(crate) fn symbols(&self, waves: &[Wave], shift: (f32, f32)) -> [f32; CODED] {
        let parts = || (-3..=3).map(|part| part as f32 / 4.0);
        let turn = |wave: &Wave, (x, y): (f32, f32)| {
            Complex::from_polar(1.0, TAU * (wave.x as f32 * x + wave.y as f32 * y) / TILE as f32)
        };
        let mut best = (f32::NEG_INFINITY, shift);
        for at in parts().flat_map(|y| parts().map(move |x| (shift.0 + x, shift.1 + y))) {
            let sum = self
                .fixed(waves)
                .map(|(wave, value)| (value * turn(wave, at)).re)
                .sum();
            if sum > best.0 {
                best = (sum, at);
            }
        }
        let mut soft = [0.0; CODED];
        for (wave, value) in waves.iter().zip(&self.0) {
            if let Use::Symbol(symbol) = wave.used {
                soft[usize::from(symbol)] += (value * wave.phase.conj() * turn(wave, best.1)).re;
            }
        }
        soft
    }

    /// The scores of the fixed waves and of the symbols of a known word, for a picture that begins with a tile.
    pub(crate) fn fit(&self, waves: &[Wave], word: &[f32; CODED]) -> (f32, f32) {
        let (mut fixed, mut symbols) = ((0.0, 0.0), (0.0, 0.0));
        for (wave, value) in waves.iter().zip(&self.0) {
            let score = match wave.used {
                Use::Empty => continue,
                Use::Fixed => &mut fixed,
                Use::Symbol(_) => &mut symbols,
            };
            let along = sign(wave.used, word) * (value * wave.phase.conj()).re;
            *score = (score.0 + along, score.1 + value.norm_sqr() / 2.0);
        }
        let score = |(sum, squares): (f32, f32)| sum / squares.sqrt().max(1e-9);
        (score(fixed), score(symbols))
    }
}

/// The Fourier transform of a square of so many rows and columns, in place.
pub(crate) fn transform(square: &mut [Complex<f32>], side: usize) {
    let along = forward(side);
    let mut scratch = vec![Complex::new(0.0, 0.0); along.get_inplace_scratch_len()];
    for _ in 0..2 {
        along.process_with_scratch(square, &mut scratch);
        for y in 0..side {
            for x in 0..y {
                square.swap(side * y + x, side * x + y);
            }
        }
    }
}

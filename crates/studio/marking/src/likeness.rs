//! The likeness of a picture, as 256 bits: pictures that show the same differ in few of them, whatever their size and
//! compression.
//!
//! The method is the perceptual hash of Zauner, "Implementation and Benchmarking of Perceptual Image Hash Functions"
//! (2010), with 16 × 16 instead of 8 × 8 frequencies: the brightness is reduced to 64 × 64 means, and a bit says
//! whether a low frequency of its cosine transform is above the median of all.

use std::f32::consts::PI;

use crate::{Shape, filter::Plane};

/// The side of the reduced picture, and of the square of frequencies that count.
const SMALL: usize = 64;
const LOW: usize = 16;

/// The likeness of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Likeness(pub [u8; 32]);

impl Likeness {
    /// Of a picture; `None` if it shows next to nothing, so that all such pictures would look alike.
    ///
    /// # Panics
    ///
    /// If the pixels do not fill the shape.
    pub fn of(pixels: &[u8], shape: Shape) -> Option<Self> {
        assert_eq!(pixels.len(), shape.bytes(), "pixels of another shape");
        let small = reduced(&Plane::brightness(pixels, shape))?;
        let values = low_frequencies(&small);
        let mut sorted = values.clone();
        sorted.sort_by(f32::total_cmp);
        let median = f32::midpoint(sorted[LOW * LOW / 2 - 1], sorted[LOW * LOW / 2]);
        let mut bits = [0; 32];
        for (at, value) in values.iter().enumerate() {
            bits[at / 8] |= u8::from(*value > median) << (at % 8);
        }
        Some(Self(bits))
    }

    /// The number of bits in which two differ: about 128 of pictures that have nothing to do with each other.
    pub fn distance(&self, other: &Self) -> u32 {
        let pairs = self.0.iter().zip(&other.0);
        pairs.map(|(one, other)| (one ^ other).count_ones()).sum()
    }
}

/// Means of equal parts; `None` if the brightness hardly differs.
fn reduced(plane: &Plane) -> Option<Vec<f32>> {
    let part = |at: usize, length: usize| {
        let first = at * length / SMALL;
        first..((at + 1) * length / SMALL).max(first + 1)
    };
    let mut small = Vec::with_capacity(SMALL * SMALL);
    for y in 0..SMALL {
        for x in 0..SMALL {
            let (mut sum, mut count) = (0.0, 0.0);
            for row in part(y, plane.height) {
                for column in part(x, plane.width) {
                    sum += plane.values[row * plane.width + column];
                    count += 1.0;
                }
            }
            small.push(sum / count);
        }
    }
    let mean = small.iter().sum::<f32>() / small.len() as f32;
    let spread = small.iter().map(|value| (value - mean).powi(2)).sum::<f32>() / small.len() as f32;
    (spread.sqrt() >= 4.0).then_some(small)
}

/// The cosine transform at the frequencies 1 to 16 of both directions.
fn low_frequencies(small: &[f32]) -> Vec<f32> {
    let wave = |cycles: usize, at: usize| (PI * cycles as f32 * (at as f32 + 0.5) / SMALL as f32).cos();
    let across: Vec<f32> = small
        .chunks_exact(SMALL)
        .flat_map(|row| {
            (1..=LOW).map(move |cycles| {
                let terms = row.iter().enumerate().map(|(x, value)| value * wave(cycles, x));
                terms.sum::<f32>()
            })
        })
        .collect();
    let mut values = Vec::with_capacity(LOW * LOW);
    for down in 1..=LOW {
        for column in 0..LOW {
            let terms = (0..SMALL).map(|y| across[y * LOW + column] * wave(down, y));
            values.push(terms.sum());
        }
    }
    values
}

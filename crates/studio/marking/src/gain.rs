//! How strong a mark may be at each place of a picture. Places are blocks of two pixels by two: that is fine enough
//! for the eye, and a quarter of the work.

use std::ops::RangeInclusive;

use crate::{Shape, filter::Plane};

/// The mark's size in a flat part, and what the spread of the neighbourhood adds, in levels of brightness.
const FLAT: f32 = 0.95;
const BUSY: f32 = 0.12;
const MOST: f32 = 5.0;
/// Paper and black stay as they are: brightness from the ends of the scale.
const END: f32 = 3.0;

/// What the blocks of a picture show. A block at an odd edge repeats the last column or row.
#[derive(Debug)]
pub(crate) struct Blocks {
    /// Mean brightness.
    pub light: Plane,
    /// Mean of the squares of what the brightness of the pixels differs from that of their block.
    squares: Plane,
}

impl Blocks {
    pub(crate) fn of(pixels: &[u8], shape: Shape) -> Self {
        let (width, height) = (shape.width.div_ceil(2), shape.height.div_ceil(2));
        let mut light = Vec::with_capacity(width * height);
        let mut squares = Vec::with_capacity(width * height);
        let mut rows = [vec![0.0; 2 * width], vec![0.0; 2 * width]];
        for two in pixels.chunks(2 * shape.width * shape.channels) {
            let (upper, lower) = two.split_at(shape.width * shape.channels);
            let lower = if lower.is_empty() { upper } else { lower };
            for (row, pixels) in rows.iter_mut().zip([upper, lower]) {
                shape.brightness(pixels, &mut row[..shape.width]);
                if shape.width % 2 == 1 {
                    row[shape.width] = row[shape.width - 1];
                }
            }
            for (a, b) in rows[0].chunks_exact(2).zip(rows[1].chunks_exact(2)) {
                let mean = (a[0] + a[1] + b[0] + b[1]) / 4.0;
                let square = |value: f32| (value - mean) * (value - mean);
                light.push(mean);
                squares.push((square(a[0]) + square(a[1]) + square(b[0]) + square(b[1])) / 4.0);
            }
        }
        let plane = |values| Plane {
            width,
            height,
            values,
        };
        Self {
            light: plane(light),
            squares: plane(squares),
        }
    }

    /// The gain of each block. A busy place hides more, but not the flat side of an edge. `range` has black and white.
    pub(crate) fn gain(&self, range: RangeInclusive<f32>) -> Plane {
        let shown = range.start() + END..=range.end() - END;
        let fine = self
            .light
            .map2(&self.light.mean(2), |value, mean| (value - mean) * (value - mean));
        let squares = fine.map2(&self.squares, |between, within| between + within);
        let spread = squares.mean(1).map(|square| square.max(0.0).sqrt());
        // The geometric mean of the spreads near a block: one edge lifts it little, a texture fully.
        let around = spread
            .map(|value| logarithm(value + 0.5))
            .mean(3)
            .map(|value| power(value) - 0.5);
        let spread = spread.map2(&around, |here, around| here.min(1.5 * around + 1.0));
        let gain = spread.map2(&self.light, |spread, light| {
            let is_empty = spread < 0.3 && !shown.contains(&light);
            if is_empty {
                0.0
            } else {
                (FLAT + BUSY * spread).min(MOST)
            }
        });
        gain.mean(1)
    }
}

/// The bits of 1.0.
const ONE: i32 = 0x3f80_0000;

/// Nearly the logarithm to the base 2 of a positive number: its bits as a whole number, which are its exponent and the
/// linear part of its mantissa.
fn logarithm(value: f32) -> f32 {
    (value.to_bits() as i32 - ONE) as f32 / (1 << 23) as f32
}

/// The inverse of [`logarithm`].
fn power(value: f32) -> f32 {
    f32::from_bits(((value * (1 << 23) as f32) as i32 + ONE) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_near_those_of_mathematics_and_come_back() {
        for value in [0.5_f32, 0.7, 1.0, 3.3, 64.0, 120.0] {
            assert!((logarithm(value) - value.log2()).abs() < 0.09, "{value}");
            assert!((power(logarithm(value)) / value - 1.0).abs() < 1e-5, "{value}");
        }
    }

    #[test]
    fn a_texture_hides_more_than_a_flat_part_and_paper_hides_nothing() {
        let (width, height) = (90, 31);
        let mut pixels = Vec::new();
        for _ in 0..height {
            for x in 0..width {
                pixels.push(match x {
                    0..30 => 255,
                    30..60 => 128,
                    _ => 100 + 60 * (x % 2) as u8,
                });
            }
        }
        let shape = Shape {
            width,
            height,
            channels: 1,
        };
        let gain = Blocks::of(&pixels, shape).gain(0.0..=255.0);
        assert_eq!((gain.width, gain.height), (45, 16));
        let at = |x: usize| gain.values[8 * gain.width + x];
        assert!(at(3).abs() < 1e-6);
        assert!((at(22) - FLAT).abs() < 1e-6);
        assert!((at(38) - (FLAT + BUSY * 30.0)).abs() < 1e-3, "{}", at(38));
    }
}

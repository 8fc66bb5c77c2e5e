//! Cropping and scaling frames of film: each plane through Catmull-Rom taps, stretched when shrinking, to avoid
//! aliasing.

use atelier_film::{I420, Planes};
use rayon::prelude::*;

/// A part of a frame, in pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Crop {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Crop {
    /// The centre of a frame in another shape.
    pub(super) fn middle((width, height): (f64, f64), ratio: f64) -> Self {
        let w = width.min(height * ratio);
        let h = height.min(width / ratio);
        Self {
            left: (width - w) / 2.0,
            top: (height - h) / 2.0,
            width: w,
            height: h,
        }
    }
}

/// The sources of each value of a row or column: the first one, and weights that add up to 2^14.
type Taps = Vec<(usize, Vec<i32>)>;

const ONE: i32 = 1 << 14;

/// A conversion of frames from one size to another.
#[derive(Debug, Clone)]
pub(super) struct Fit {
    pub(super) width: usize,
    pub(super) height: usize,
    /// No conversion is needed.
    same: bool,
    luma: (Taps, Taps),
    chroma: (Taps, Taps),
    from: (usize, usize),
    mirror: bool,
}

impl Fit {
    pub(super) fn new(from: (usize, usize), crop: Crop, to: (usize, usize), mirror: bool) -> Self {
        let half = Crop {
            left: crop.left / 2.0,
            top: crop.top / 2.0,
            width: crop.width / 2.0,
            height: crop.height / 2.0,
        };
        let both = |crop: Crop, from: (usize, usize), to: (usize, usize)| {
            (
                taps(crop.left, crop.width, from.0, to.0),
                taps(crop.top, crop.height, from.1, to.1),
            )
        };
        let whole = crop.left.abs() + crop.top.abs() < 1e-6;
        Self {
            width: to.0,
            height: to.1,
            same: from == to && whole && !mirror,
            luma: both(crop, from, to),
            chroma: both(half, (from.0 / 2, from.1 / 2), (to.0 / 2, to.1 / 2)),
            from,
            mirror,
        }
    }

    pub(super) fn apply(&self, frame: &I420) -> I420 {
        debug_assert_eq!((frame.width, frame.height), self.from);
        if self.same {
            return frame.clone();
        }
        let Planes { y, u, v } = frame.planes();
        let mut out = I420::new(self.width, self.height);
        let (luma, chroma) = out.data.split_at_mut(self.width * self.height);
        let (blue, red) = chroma.split_at_mut(self.width * self.height / 4);
        plane(y, self.from.0, &self.luma, luma, self.mirror);
        plane(u, self.from.0 / 2, &self.chroma, blue, self.mirror);
        plane(v, self.from.0 / 2, &self.chroma, red, self.mirror);
        out
    }
}

fn taps(start: f64, length: f64, from: usize, to: usize) -> Taps {
    let step = length / to as f64;
    let stretch = step.max(1.0);
    let reach = 2.0 * stretch;
    (0..to)
        .map(|i| {
            let middle = start + (i as f64 + 0.5) * step - 0.5;
            let first = (middle - reach).ceil().max(0.0) as usize;
            let last = ((middle + reach).floor().max(0.0) as usize).min(from - 1);
            let first = first.min(last);
            let raw: Vec<f64> = (first..=last)
                .map(|k| catmull_rom((k as f64 - middle) / stretch))
                .collect();
            let sum: f64 = raw.iter().sum();
            if sum.abs() < 1e-6 {
                return (first, vec![ONE]);
            }
            let mut weights: Vec<i32> = raw
                .iter()
                .map(|w| (w / sum * f64::from(ONE)).round() as i32)
                .collect();
            let missing = ONE - weights.iter().sum::<i32>();
            let middle = weights.len() / 2;
            weights[middle] += missing;
            (first, weights)
        })
        .collect()
}

fn catmull_rom(x: f64) -> f64 {
    let x = x.abs();
    if x < 1.0 {
        1.5 * x * x * x - 2.5 * x * x + 1.0
    } else if x < 2.0 {
        -0.5 * x * x * x + 2.5 * x * x - 4.0 * x + 2.0
    } else {
        0.0
    }
}

fn plane(from: &[u8], width: usize, (across, down): &(Taps, Taps), to: &mut [u8], mirror: bool) {
    let round = |sum: i32| ((sum + ONE / 2) >> 14).clamp(0, 255) as u8;
    let columns = across.len();
    // Columns first, because rows are long and contiguous in memory; only one row is buffered.
    to.par_chunks_mut(columns).zip(down).for_each_init(
        Vec::new,
        |sums: &mut Vec<i32>, (to, (first, weights))| {
            sums.clear();
            sums.resize(width, 0);
            for (row, weight) in from[first * width..].chunks_exact(width).zip(weights) {
                for (sum, value) in sums.iter_mut().zip(row) {
                    *sum += i32::from(*value) * weight;
                }
            }
            // Seven bits after the point are kept between both passes.
            for sum in sums.iter_mut() {
                *sum = (*sum + 64) >> 7;
            }
            for (value, (first, weights)) in to.iter_mut().zip(across) {
                let sum: i64 = sums[*first..]
                    .iter()
                    .zip(weights)
                    .map(|(v, w)| i64::from(*v) * i64::from(*w))
                    .sum();
                *value = round(((sum + 64) >> 7) as i32);
            }
            if mirror {
                to.reverse();
            }
        },
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gradient(width: usize, height: usize) -> I420 {
        let mut frame = I420::new(width, height);
        for y in 0..height {
            for x in 0..width {
                frame.data[y * width + x] = (40 + 160 * x / width) as u8;
            }
        }
        frame
    }

    #[test]
    fn a_gradient_stays_one_at_every_size_and_a_crop_shows_its_middle() {
        let frame = gradient(96, 64);
        let whole = Crop::middle((96.0, 64.0), 1.5);
        for (width, height) in [(96, 64), (48, 32), (192, 128), (60, 40)] {
            let out = Fit::new((96, 64), whole, (width, height), false).apply(&frame);
            for x in 4..width - 4 {
                let aim = 40.0 + 160.0 * (x as f64 + 0.5) / width as f64;
                let value = f64::from(out.data[(height / 2) * width + x]);
                assert!((value - aim).abs() < 4.0, "{width}: {x} has {value}, not {aim}");
            }
        }
        let square = Fit::new((96, 64), Crop::middle((96.0, 64.0), 1.0), (64, 64), false).apply(&frame);
        assert!(
            square.data[32 * 64].abs_diff(40 + 160 / 6) < 4,
            "{}",
            square.data[0]
        );
        let mirrored = Fit::new((96, 64), whole, (96, 64), true).apply(&frame);
        assert!(mirrored.data[0] > 190 && mirrored.data[95] < 50);
    }
}

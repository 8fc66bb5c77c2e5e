//! The contribution of a reference video: its camera's motion, its cuts, and its colours.

use std::path::Path;

use atelier_film::{I420, Limits, Reader, color};

use crate::refused;
use atelier_protocol::Error;

/// Samples a second of the reference.
const LOOKS: f64 = 8.0;
/// The size of the examined frames.
const WIDTH: usize = 64;
const HEIGHT: usize = 36;
/// The largest camera motion between two samples, in those pixels.
const REACH: i32 = 6;
/// The mean difference of lightness that indicates a cut, if no motion explains it.
const CUT: f32 = 26.0;

/// Mean and spread of each channel, 0 to 255.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Palette {
    pub(crate) mean: [f32; 3],
    pub(crate) spread: [f32; 3],
}

#[derive(Debug, Clone)]
pub(crate) struct Footage {
    seconds: f32,
    /// The camera's direction after each sample, in widths to the right and down, and its zoom (a logarithm).
    path: Vec<(f32, f32, f32)>,
    /// Seconds.
    pub(crate) cuts: Vec<f32>,
    pub(crate) palette: Palette,
}

impl Footage {
    pub(crate) fn read(path: &Path, measured: Option<f64>) -> Result<Self, Error> {
        let mut film = Reader::open(path, &Limits::measured(measured)).map_err(refused)?;
        let seconds = film.facts().seconds;
        let mut footage = Self {
            seconds: seconds as f32,
            path: vec![(0.0, 0.0, 0.0)],
            cuts: Vec::new(),
            palette: Palette {
                mean: [0.0; 3],
                spread: [0.0; 3],
            },
        };
        let mut before: Option<Vec<f32>> = None;
        let (mut sum, mut squares, mut count) = ([0.0_f64; 3], [0.0_f64; 3], 0.0);
        let mut number = 0;
        while let Some(frame) = film.at(f64::from(number) / LOOKS).map_err(refused)? {
            let (grey, colors) = small(frame);
            for rgb in colors {
                for c in 0..3 {
                    let value = f64::from(rgb[c]);
                    sum[c] += value;
                    squares[c] += value * value;
                }
                count += 1.0;
            }
            if let Some(before) = &before {
                let (moved, left) = motion(before, &grey);
                let last = footage.path.last().copied().unwrap_or_default();
                if left > CUT {
                    footage.cuts.push(number as f32 / LOOKS as f32);
                    footage.path.push(last);
                } else {
                    footage
                        .path
                        .push((last.0 + moved.0, last.1 + moved.1, last.2 + moved.2));
                }
            }
            before = Some(grey);
            number += 1;
        }
        for c in 0..3 {
            let mean = sum[c] / f64::max(count, 1.0);
            footage.palette.mean[c] = mean as f32;
            footage.palette.spread[c] =
                (squares[c] / f64::max(count, 1.0) - mean * mean).max(0.0).sqrt() as f32;
        }
        Ok(footage)
    }

    /// Another video continues where this one ends; the colours are the first one's.
    pub(crate) fn append(&mut self, other: &Self) {
        let last = self.path.last().copied().unwrap_or_default();
        self.cuts.push(self.seconds);
        self.cuts.extend(other.cuts.iter().map(|cut| self.seconds + cut));
        self.path.extend(
            other
                .path
                .iter()
                .map(|p| (last.0 + p.0, last.1 + p.1, last.2 + p.2)),
        );
        self.seconds += other.seconds;
    }

    pub(crate) fn seconds(&self) -> f32 {
        self.seconds
    }

    /// The camera's total motion, in widths, and its total zoom.
    pub(crate) fn travel(&self) -> (f32, f32, f32) {
        self.at(1.0)
    }

    /// Whether the camera moves at all.
    pub(crate) fn moves(&self) -> bool {
        self.path
            .iter()
            .any(|(x, y, z)| x.abs().max(y.abs()) > 0.02 || z.abs() > 0.04)
    }

    /// The camera's direction at a time from 0 to 1, relative to its beginning.
    pub(crate) fn at(&self, t: f32) -> (f32, f32, f32) {
        // A little blur over time: samples are coarse, and hands shake.
        let last = self.path.len() as f32 - 1.0;
        let (mut sum, mut weight) = ((0.0, 0.0, 0.0), 0.0);
        for (number, place) in self.path.iter().enumerate() {
            let d = (number as f32 - t * last) / 1.6;
            let w = (-d * d).exp();
            if w > 1e-4 {
                sum = (sum.0 + w * place.0, sum.1 + w * place.1, sum.2 + w * place.2);
                weight += w;
            }
        }
        (sum.0 / weight, sum.1 / weight, sum.2 / weight)
    }

    /// The largest deviation from its centre on each axis.
    pub(crate) fn extent(&self) -> ((f32, f32), (f32, f32), (f32, f32)) {
        let bounds = |axis: fn(&(f32, f32, f32)) -> f32| {
            self.path
                .iter()
                .map(axis)
                .fold((f32::MAX, f32::MIN), |a, v| (a.0.min(v), a.1.max(v)))
        };
        (bounds(|p| p.0), bounds(|p| p.1), bounds(|p| p.2))
    }
}

/// A frame's lightness and colours in the small size, sampled.
fn small(frame: &I420) -> (Vec<f32>, Vec<[u8; 3]>) {
    let planes = frame.planes();
    let (mut grey, mut colors) = (
        Vec::with_capacity(WIDTH * HEIGHT),
        Vec::with_capacity(WIDTH * HEIGHT),
    );
    for y in 0..HEIGHT {
        for x in 0..WIDTH {
            let (mut sum, mut at) = (0_u32, (0, 0));
            for j in 0..4 {
                for i in 0..4 {
                    at = (
                        ((4 * x + i) * frame.width) / (4 * WIDTH),
                        ((4 * y + j) * frame.height) / (4 * HEIGHT),
                    );
                    sum += u32::from(planes.y[at.1 * frame.width + at.0]);
                }
            }
            let chroma = at.1 / 2 * (frame.width / 2) + at.0 / 2;
            let mut one = I420::new(2, 2);
            one.data[..4].fill((sum / 16) as u8);
            one.data[4] = planes.u[chroma];
            one.data[5] = planes.v[chroma];
            let mut rgb = [0; 12];
            color::to_rgb::<3>(&one, &mut rgb);
            grey.push(sum as f32 / 16.0);
            colors.push([rgb[0], rgb[1], rgb[2]]);
        }
    }
    (grey, colors)
}

/// The camera's motion from one sample to the next (right and down in widths, zoom as a logarithm), and the
/// remaining difference.
fn motion(a: &[f32], b: &[f32]) -> ((f32, f32, f32), f32) {
    let mut best = (f32::MAX, (0.0, 0.0, 0.0));
    let mut table = [[0.0_f32; 2 * REACH as usize + 1]; 2 * REACH as usize + 1];
    for closer in [0.0_f32, -0.03, 0.03, -0.06, 0.06] {
        for down in -REACH..=REACH {
            for right in -REACH..=REACH {
                let error = difference(a, b, (right as f32, down as f32), closer);
                if closer == 0.0 {
                    table[(down + REACH) as usize][(right + REACH) as usize] = error;
                }
                // Stillness and plain shifts are more likely than the rest.
                let cost = error * (1.0 + 2.0 * closer.abs()) + 0.02 * (right.abs() + down.abs()) as f32;
                if cost < best.0 {
                    best = (cost, (right as f32, down as f32, closer));
                }
            }
        }
    }
    let (right, down, closer) = best.1;
    // Between whole pixels, by a parabola through the neighbours.
    let fine = |before: f32, at: f32, after: f32| {
        let bend = before + after - 2.0 * at;
        if bend > 1e-3 {
            (0.5 * (before - after) / bend).clamp(-0.5, 0.5)
        } else {
            0.0
        }
    };
    let (i, j) = ((right as i32 + REACH) as usize, (down as i32 + REACH) as usize);
    let (mut x, mut y) = (right, down);
    if closer == 0.0 && i > 0 && i + 1 < table[0].len() && j > 0 && j + 1 < table.len() {
        x += fine(table[j][i - 1], table[j][i], table[j][i + 1]);
        y += fine(table[j - 1][i], table[j][i], table[j + 1][i]);
    }
    // The picture moves against the camera.
    (
        (-x / WIDTH as f32, -y / WIDTH as f32, closer),
        difference(a, b, (right, down), closer),
    )
}

/// The mean difference of the centre of one sample from another, moved and scaled.
fn difference(a: &[f32], b: &[f32], (right, down): (f32, f32), closer: f32) -> f32 {
    let scale = closer.exp();
    let (cx, cy) = (0.5 * WIDTH as f32, 0.5 * HEIGHT as f32);
    let (mut sum, mut count) = (0.0, 0.0);
    for y in (REACH as usize..HEIGHT - REACH as usize).step_by(2) {
        for x in (REACH as usize..WIDTH - REACH as usize).step_by(2) {
            let u = (cx + (x as f32 - cx) * scale + right).round();
            let v = (cy + (y as f32 - cy) * scale + down).round();
            if u < 0.0 || v < 0.0 || u >= WIDTH as f32 || v >= HEIGHT as f32 {
                continue;
            }
            sum += (a[y * WIDTH + x] - b[v as usize * WIDTH + u as usize]).abs();
            count += 1.0;
        }
    }
    sum / f32::max(count, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(shift: f32) -> Vec<f32> {
        (0..WIDTH * HEIGHT)
            .map(|i| {
                let (x, y) = ((i % WIDTH) as f32 + shift, (i / WIDTH) as f32);
                120.0 + 60.0 * (x * 0.37).sin() + 40.0 * (y * 0.45 + x * 0.11).cos()
            })
            .collect()
    }

    #[test]
    fn a_camera_that_pans_is_seen_to_pan() {
        // The picture moves to the left by two pixels: the camera turns to the right.
        let ((right, down, closer), left) = motion(&look(0.0), &look(2.0));
        assert!((right - 2.0 / WIDTH as f32).abs() < 0.01, "{right}");
        assert!(
            down.abs() < 0.01 && closer == 0.0 && left < 2.0,
            "{down} {closer} {left}"
        );
    }
}

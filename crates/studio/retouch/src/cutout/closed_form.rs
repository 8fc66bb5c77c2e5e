//! The matte that explains a picture best: in every three by three pixels the coverage is a linear function of
//! colour (Levin, Lischinski and Weiss 2008, "A closed-form solution to natural image matting"), with a prior (as
//! in Wang and Cohen 2007, "Optimized color sampling for robust matting"). Solved by conjugate gradients over the
//! unknown pixels alone.

use rayon::prelude::*;

use crate::Plane;

/// Regularises the slopes of flat windows, in squared steps of a byte.
const EPSILON: f32 = 6.0;

/// The most steps of the solver, and the residual at which it stops.
const STEPS: usize = 60;
const ENOUGH: f64 = 1e-3;

/// Windows that one task works on.
const BATCH: usize = 2048;

/// The prior: `guess` for every pixel, `trust` in it (from 0), and which pixels are unknown.
pub(super) struct Guess<'a> {
    pub(super) cover: &'a Plane,
    pub(super) trust: &'a Plane,
    pub(super) unknown: &'a [bool],
}

/// A three by three window: its middle, its mean colour and the inverse of its covariance.
struct Window {
    middle: usize,
    mean: [f32; 3],
    inverse: [f32; 6],
}

/// The matte; known pixels keep their guess.
pub(super) fn matte(rgb: &[Plane; 3], guess: &Guess<'_>) -> Plane {
    let windows = windows(rgb, guess.unknown);
    let product = |alpha: &[f32]| laplacian(rgb, &windows, alpha);
    let mut alpha = guess.cover.clone();
    let free: Vec<usize> = (0..alpha.data.len()).filter(|i| guess.unknown[*i]).collect();
    // With A = L + trust, the residual of the unknown is trust · (guess − alpha) − L · alpha; it begins with the guess.
    let before = product(&alpha.data);
    let mut residual: Vec<f64> = free.iter().map(|i| -f64::from(before[*i])).collect();
    let mut way = residual.clone();
    let mut length: f64 = residual.iter().map(|r| r * r).sum();
    let aim = length * ENOUGH * ENOUGH;
    let mut step = vec![0.0_f32; alpha.data.len()];
    for _ in 0..STEPS {
        if length <= aim.max(1e-9) {
            break;
        }
        for (i, p) in free.iter().zip(&way) {
            step[*i] = *p as f32;
        }
        let image = product(&step);
        let bent: Vec<f64> = free
            .iter()
            .map(|i| f64::from(image[*i] + guess.trust.data[*i] * step[*i]))
            .collect();
        let curve: f64 = way.iter().zip(&bent).map(|(p, q)| p * q).sum();
        if curve <= 0.0 {
            break;
        }
        let far = length / curve;
        for (i, p) in free.iter().zip(&way) {
            alpha.data[*i] += (far * p) as f32;
        }
        for (r, q) in residual.iter_mut().zip(&bent) {
            *r -= far * q;
        }
        let next: f64 = residual.iter().map(|r| r * r).sum();
        for (p, r) in way.iter_mut().zip(&residual) {
            *p = r + next / length * *p;
        }
        length = next;
    }
    alpha.map(|v| v.clamp(0.0, 1.0))
}

/// The windows that touch an unknown pixel.
fn windows(rgb: &[Plane; 3], unknown: &[bool]) -> Vec<Window> {
    let (w, h) = (rgb[0].width, rgb[0].height);
    (w + 1..(w * h).saturating_sub(w + 1))
        .into_par_iter()
        .filter(|i| {
            let x = i % w;
            x > 0 && x + 1 < w && around(*i, w).iter().any(|j| unknown[*j])
        })
        .map(|middle| {
            let near = around(middle, w);
            let mean: [f32; 3] =
                std::array::from_fn(|c| near.iter().map(|j| rgb[c].data[*j]).sum::<f32>() / 9.0);
            let moment = |a: usize, b: usize| {
                near.iter()
                    .map(|j| (rgb[a].data[*j] - mean[a]) * (rgb[b].data[*j] - mean[b]))
                    .sum::<f32>()
                    / 9.0
                    + if a == b { EPSILON / 9.0 } else { 0.0 }
            };
            let [xx, xy, xz] = [moment(0, 0), moment(0, 1), moment(0, 2)];
            let [yy, yz, zz] = [moment(1, 1), moment(1, 2), moment(2, 2)];
            let determinant = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
            let inverse = [
                yy * zz - yz * yz,
                xz * yz - xy * zz,
                xy * yz - xz * yy,
                xx * zz - xz * xz,
                xy * xz - xx * yz,
                xx * yy - xy * xy,
            ]
            .map(|v| v / determinant.max(1e-6));
            Window {
                middle,
                mean,
                inverse,
            }
        })
        .collect()
}

fn around(i: usize, w: usize) -> [usize; 9] {
    [
        i - w - 1,
        i - w,
        i - w + 1,
        i - 1,
        i,
        i + 1,
        i + w - 1,
        i + w,
        i + w + 1,
    ]
}

/// The matting Laplacian times a vector: in each window, the part of the values that is not a linear function of
/// colour.
fn laplacian(rgb: &[Plane; 3], windows: &[Window], alpha: &[f32]) -> Vec<f32> {
    let w = rgb[0].width;
    let parts: Vec<Vec<[f32; 9]>> = windows
        .par_chunks(BATCH)
        .map(|windows| {
            windows
                .iter()
                .map(|window| left_over(rgb, window, alpha, w))
                .collect()
        })
        .collect();
    let mut out = vec![0.0; alpha.len()];
    for (window, part) in windows.iter().zip(parts.iter().flatten()) {
        for (j, v) in around(window.middle, w).into_iter().zip(part) {
            out[j] += v;
        }
    }
    out
}

fn left_over(rgb: &[Plane; 3], window: &Window, alpha: &[f32], w: usize) -> [f32; 9] {
    let near = around(window.middle, w);
    let values = near.map(|j| alpha[j]);
    if values.iter().all(|v| (v - values[0]).abs() < 1e-6) {
        return [0.0; 9];
    }
    let mean = values.iter().sum::<f32>() / 9.0;
    let colors = near.map(|j| -> [f32; 3] { std::array::from_fn(|c| rgb[c].data[j] - window.mean[c]) });
    let mut cross = [0.0; 3];
    for (value, color) in values.iter().zip(&colors) {
        for c in 0..3 {
            cross[c] += color[c] * value / 9.0;
        }
    }
    let [xx, xy, xz, yy, yz, zz] = window.inverse;
    let slope = [
        xx * cross[0] + xy * cross[1] + xz * cross[2],
        xy * cross[0] + yy * cross[1] + yz * cross[2],
        xz * cross[0] + yz * cross[1] + zz * cross[2],
    ];
    std::array::from_fn(|k| {
        let [r, g, b] = colors[k];
        values[k] - mean - slope[0] * r - slope[1] * g - slope[2] * b
    })
}

//! The style of one picture applied to another: its colours, and the grain of its surface.
//!
//! Colours: the linear map between the two distributions that moves least (Pitié and Kokaram, "The linear
//! Monge-Kantorovitch linear colour mapping", 2007). Grain: bands of detail brought to the other's strength (after
//! Heeger and Bergen, "Pyramid-based texture analysis/synthesis", 1995), with patches of its detail placed where
//! lightness agrees (after Hertzmann et al., "Image analogies", 2001). Low bands of lightness stay, and with them
//! the forms.

use crate::chance::{Rng, hash};
use crate::style::{map, plane, sample_small, small};
use atelier_retouch::canvas::Canvas;
use atelier_retouch::rgb::Rgb;

type Matrix = [[f32; 3]; 3];

/// How far lightness moves towards the other picture's.
const LIGHTNESS: f32 = 0.6;

pub(super) fn transferred(canvas: &Canvas, like: &Canvas, seed: u64) -> Canvas {
    let colored = Recoloring::new(canvas, like).apply(canvas);
    grained(&colored, like, seed)
}

fn opponent(c: Rgb) -> [f32; 3] {
    [c.luma(), c.0 - c.1, (c.0 + c.1) * 0.5 - c.2]
}

fn from_opponent([l, a, b]: [f32; 3]) -> Rgb {
    // r = g + a; blue lies b below the mean of both.
    let g = l - 0.299 * a - 0.114 * (a * 0.5 - b);
    let r = g + a;
    Rgb(r, g, (r + g) * 0.5 - b)
}

/// The mean and covariance of a picture's colours.
fn statistics(canvas: &Canvas) -> ([f32; 3], Matrix) {
    let tiny = small(canvas, 0.012);
    let all: Vec<[f32; 3]> = tiny
        .pixels
        .iter()
        .map(|p| opponent(Rgb::from_bytes([p[0], p[1], p[2]])))
        .collect();
    let n = all.len() as f32;
    let mean: [f32; 3] = std::array::from_fn(|c| all.iter().map(|v| v[c]).sum::<f32>() / n);
    let spread = std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            let sum: f32 = all.iter().map(|v| (v[i] - mean[i]) * (v[j] - mean[j])).sum();
            // A flat colour must not amplify tiny differences.
            sum / n + if i == j { 2e-5 } else { 0.0 }
        })
    });
    (mean, spread)
}

fn times(a: &Matrix, b: &Matrix) -> Matrix {
    std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|k| a[i][k] * b[k][j]).sum()))
}

/// Applies a function to a symmetric matrix through its eigenvalues, found by Jacobi rotations.
fn of_eigenvalues(m: &Matrix, f: impl Fn(f32) -> f32) -> Matrix {
    let mut a = *m;
    let mut v: Matrix = std::array::from_fn(|i| std::array::from_fn(|j| f32::from(u8::from(i == j))));
    for _ in 0..12 {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            if a[p][q].abs() < 1e-12 {
                continue;
            }
            let angle = 0.5 * (2.0 * a[p][q]).atan2(a[q][q] - a[p][p]);
            let (sin, cos) = angle.sin_cos();
            let mut r: Matrix = std::array::from_fn(|i| std::array::from_fn(|j| f32::from(u8::from(i == j))));
            (r[p][p], r[q][q], r[p][q], r[q][p]) = (cos, cos, sin, -sin);
            let turned: Matrix = std::array::from_fn(|i| std::array::from_fn(|j| r[j][i]));
            a = times(&times(&turned, &a), &r);
            v = times(&v, &r);
        }
    }
    std::array::from_fn(|i| {
        std::array::from_fn(|j| (0..3).map(|k| v[i][k] * f(a[k][k].max(1e-9)) * v[j][k]).sum())
    })
}

/// A linear colour map that makes one picture's colours like another's.
#[derive(Debug)]
pub(crate) struct Recoloring {
    from: [f32; 3],
    to: [f32; 3],
    turn: Matrix,
}

impl Recoloring {
    pub(crate) fn new(of: &Canvas, like: &Canvas) -> Self {
        let ((from, own), (to, other)) = (statistics(of), statistics(like));
        let root = of_eigenvalues(&own, f32::sqrt);
        let inverse = of_eigenvalues(&own, |v| 1.0 / v.sqrt());
        let middle = of_eigenvalues(&times(&times(&root, &other), &root), f32::sqrt);
        Self {
            from,
            to,
            turn: times(&times(&inverse, &middle), &inverse),
        }
    }

    pub(crate) fn apply(&self, canvas: &Canvas) -> Canvas {
        let Self { from, to, turn: t } = self;
        map(canvas, |x, y| {
            let v = opponent(canvas.at(x, y));
            let d: [f32; 3] = std::array::from_fn(|c| v[c] - from[c]);
            let moved: [f32; 3] =
                std::array::from_fn(|c| to[c] + t[c][0] * d[0] + t[c][1] * d[1] + t[c][2] * d[2]);
            from_opponent([v[0] + (moved[0] - v[0]) * LIGHTNESS, moved[1], moved[2]])
        })
    }
}

/// Detail finer than a cell of this many units, as differences of lightness.
fn detail(canvas: &Canvas, cell: f32) -> Vec<f32> {
    let soft = small(canvas, cell);
    plane(canvas, |x, y| {
        canvas.at(x, y).luma() - sample_small(&soft, canvas, x as f32 + 0.5, y as f32 + 0.5).luma()
    })
}

fn strength(detail: &[f32]) -> f32 {
    (detail.iter().map(|v| v * v).sum::<f32>() / detail.len().max(1) as f32).sqrt()
}

/// The side of a patch of grain, in units. Detail finer than this counts as grain.
const PATCH: f32 = 0.05;
const GRAIN: f32 = 0.012;

/// The position in the other picture from which a patch may be taken, with the lightness there.
struct Patch {
    x: f32,
    y: f32,
    light: f32,
}

/// The other picture's grain laid over this one, patch by patch, blended into each other.
fn grained(canvas: &Canvas, like: &Canvas, seed: u64) -> Canvas {
    let frame = canvas.frame;
    let (own, other) = (detail(canvas, GRAIN), detail(like, GRAIN));
    let (weak, strong) = (strength(&own).max(1e-4), strength(&other));
    // Its own detail is brought to the other's strength, and the other's detail fills the gaps.
    let gain = (strong / weak).clamp(0.45, 1.35);
    let add = ((strong * strong - (gain * weak).powi(2)).max(0.0).sqrt() / strong.max(1e-4)).clamp(0.35, 0.9);
    let mut rng = Rng::new(seed);
    let tiny = small(like, PATCH);
    let (w, h) = (like.frame.w - PATCH * 2.0, like.frame.h - PATCH * 2.0);
    let patches: Vec<Patch> = (0..600)
        .map(|_| {
            let (x, y) = (rng.range(0.0, w.max(0.01)), rng.range(0.0, h.max(0.01)));
            let px = like.frame.px;
            let light = sample_small(&tiny, like, (x + PATCH) * px, (y + PATCH) * px).luma();
            Patch { x, y, light }
        })
        .collect();
    let soft = small(canvas, PATCH);
    let across = (frame.w / PATCH) as usize + 3;
    let down = (frame.h / PATCH) as usize + 3;
    // One patch for each grid point: of a few random candidates, the one with the most similar lightness.
    let chosen: Vec<usize> = (0..across * down)
        .map(|i| {
            let (cx, cy) = (
                (i % across) as f32 * PATCH * frame.px,
                (i / across) as f32 * PATCH * frame.px,
            );
            let light = sample_small(&soft, canvas, cx, cy).luma();
            let mut best = (f32::MAX, 0);
            for k in 0..24 {
                let at = hash(i as i32, k, seed as u32) as usize % patches.len();
                let far = (patches[at].light - light).abs();
                if far < best.0 {
                    best = (far, at);
                }
            }
            best.1
        })
        .collect();
    let (lw, lh) = (like.frame.width, like.frame.height);
    map(canvas, |x, y| {
        let (u, v) = (
            (x as f32 + 0.5) / frame.px / PATCH,
            (y as f32 + 0.5) / frame.px / PATCH,
        );
        let (gx, gy) = (u as usize, v as usize);
        let (fx, fy) = (u - gx as f32, v - gy as f32);
        let (mut sum, mut power) = (0.0, 0.0);
        for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let patch = &patches[chosen[(gy + dy) * across + gx + dx]];
            let weight = (if dx == 0 { 1.0 - fx } else { fx }) * (if dy == 0 { 1.0 - fy } else { fy });
            let (px, py) = (
                patch.x + (1.0 + fx - dx as f32) * PATCH,
                patch.y + (1.0 + fy - dy as f32) * PATCH,
            );
            let sx = ((px * like.frame.px) as usize).min(lw - 1);
            let sy = ((py * like.frame.px) as usize).min(lh - 1);
            sum += weight * other[sy * lw + sx];
            power += weight * weight;
        }
        let extra = sum / power.sqrt().max(0.3) * add;
        let shift = own[y * frame.width + x] * (gain - 1.0) + extra;
        let c = canvas.at(x, y);
        Rgb(c.0 + shift, c.1 + shift, c.2 + shift)
    })
}

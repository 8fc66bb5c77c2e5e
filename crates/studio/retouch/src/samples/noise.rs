//! The noise that gives the samples their grain. Drawn pictures use [`crate::chance`], which is faster and may
//! change. This noise must not change: the weights of the upscaler were trained on samples made with it, and the
//! figures in tests are measured on them.

use crate::chance::speck;

#[inline]
fn floor(x: f32) -> i32 {
    let whole = x as i32;
    whole - i32::from(x < whole as f32)
}

/// Smooth value noise, 0 to 1, one feature per unit.
#[inline]
pub(super) fn value(x: f32, y: f32, seed: u32) -> f32 {
    let (ix, iy) = (floor(x), floor(y));
    let (fx, fy) = (x - ix as f32, y - iy as f32);
    let u = fx * fx * fx * (fx * (fx * 6.0 - 15.0) + 10.0);
    let v = fy * fy * fy * (fy * (fy * 6.0 - 15.0) + 10.0);
    let a = speck(ix, iy, seed);
    let b = speck(ix + 1, iy, seed);
    let c = speck(ix, iy + 1, seed);
    let d = speck(ix + 1, iy + 1, seed);
    let top = a + (b - a) * u;
    top + (c + (d - c) * u - top) * v
}

/// Octaves of value noise, about 0 to 1 with its middle at 0.5.
#[inline]
pub(super) fn fbm(x: f32, y: f32, octaves: u32, seed: u32) -> f32 {
    let (mut x, mut y) = (x, y);
    let (mut sum, mut weight, mut total) = (0.0, 0.5, 0.0);
    for octave in 0..octaves {
        sum += weight * value(x, y, seed.wrapping_add(octave.wrapping_mul(0x9e37_79b9)));
        total += weight;
        weight *= 0.5;
        (x, y) = (1.6 * x + 1.2 * y + 3.7, -1.2 * x + 1.6 * y + 9.1);
    }
    sum / total
}

/// Octaves with creases, 0 to 1, its ridges at 1: rock and folded land.
#[inline]
pub(super) fn ridged(x: f32, y: f32, octaves: u32, seed: u32) -> f32 {
    let (mut x, mut y) = (x, y);
    let (mut sum, mut weight, mut total, mut previous) = (0.0, 0.5, 0.0, 1.0);
    for octave in 0..octaves {
        let n = 1.0 - (2.0 * value(x, y, seed.wrapping_add(octave.wrapping_mul(0x9e37_79b9))) - 1.0).abs();
        let n = n * n;
        sum += weight * n * previous;
        total += weight;
        previous = n;
        weight *= 0.5;
        (x, y) = (1.6 * x + 1.2 * y + 5.3, -1.2 * x + 1.6 * y + 2.9);
    }
    sum / total
}

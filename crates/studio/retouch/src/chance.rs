//! Randomness that repeats: a small generator (splitmix64) and the noise fields that give surfaces their grain.
//! Everything here is a pure function of its seed, so a picture does not depend on threads or on the clock.

use rayon::prelude::*;

/// A stream of pseudo-random numbers.
#[derive(Debug, Clone)]
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        let mut rng = Self(seed ^ 0x9e37_79b9_7f4a_7c15);
        rng.next();
        rng
    }

    #[expect(
        clippy::should_implement_trait,
        reason = "it always gives a number, never an Option"
    )]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A separate stream for one part of the work, so that a change there does not affect the others.
    pub fn fork(&mut self, tag: &str) -> Self {
        let tag = tag.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Self::new(self.next() ^ tag)
    }

    pub fn seed(&mut self) -> u32 {
        self.next() as u32
    }

    /// Uniform from 0 up to 1.
    pub fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1_u32 << 24) as f32
    }

    pub fn range(&mut self, from: f32, to: f32) -> f32 {
        from + (to - from) * self.unit()
    }

    /// Around `middle`, at most `spread` away.
    pub fn near(&mut self, middle: f32, spread: f32) -> f32 {
        middle + spread * (self.unit() + self.unit() - 1.0)
    }

    pub fn below(&mut self, count: usize) -> usize {
        (self.next() % count.max(1) as u64) as usize
    }

    pub fn chance(&mut self, probability: f32) -> bool {
        self.unit() < probability
    }

    pub fn sign(&mut self) -> f32 {
        if self.chance(0.5) { 1.0 } else { -1.0 }
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

#[inline]
fn floor(x: f32) -> i32 {
    let whole = x as i32;
    whole - i32::from(x < whole as f32)
}

#[inline]
pub fn hash(x: i32, y: i32, seed: u32) -> u32 {
    let mut h = (x as u32).wrapping_mul(0x85eb_ca6b) ^ (y as u32).wrapping_mul(0xc2b2_ae35) ^ seed;
    h ^= h >> 15;
    h = h.wrapping_mul(0x2c1b_3c6d);
    h ^= h >> 12;
    h = h.wrapping_mul(0x297a_2d39);
    h ^ (h >> 15)
}

/// A number from 0 to 1 for a grid point.
#[inline]
pub fn speck(x: i32, y: i32, seed: u32) -> f32 {
    (hash(x, y, seed) >> 8) as f32 * (1.0 / 16_777_216.0)
}

const LATTICE: usize = 256;

/// The values at the lattice's points. A table is several times faster than hashing, and octaves that are rotated
/// against each other hide its period of 256 features.
static POINTS: [f32; LATTICE * LATTICE] = {
    let mut points = [0.0; LATTICE * LATTICE];
    let mut i = 0;
    while i < points.len() {
        let mut h = (i as u32).wrapping_mul(0x9e37_79b9) ^ 0x5bd1_e995;
        h = (h ^ (h >> 16)).wrapping_mul(0x7feb_352d);
        h = (h ^ (h >> 15)).wrapping_mul(0x846c_a68b);
        points[i] = ((h ^ (h >> 16)) >> 8) as f32 / 16_777_216.0;
        i += 1;
    }
    points
};

/// Added to a number, this leaves its whole part in the low bits of the sum: 1.5 × 2^23. Correct up to four
/// million, and much cheaper than a conversion that handles every number.
const WHOLE: f32 = 12_582_912.0;

/// The cell that a coordinate lies in, modulo 256 in the low bits, and where in the cell, 0 to 1.
#[inline]
fn cell(x: f32) -> (u32, f32) {
    let shifted = x - 0.5 + WHOLE;
    (shifted.to_bits(), x - (shifted - WHOLE))
}

/// Smooth value noise, 0 to 1, one feature per unit.
#[inline]
pub fn value(x: f32, y: f32, seed: u32) -> f32 {
    values([x], [y], [seed])[0]
}

/// Several values at once: SIMD does four in the time of one.
#[inline]
fn values<const N: usize>(x: [f32; N], y: [f32; N], seed: [u32; N]) -> [f32; N] {
    let (mut u, mut v) = ([0.0; N], [0.0; N]);
    let (mut left, mut upper) = ([0_u32; N], [0_u32; N]);
    for k in 0..N {
        let shift = seed[k].wrapping_mul(0x9e37_79b1);
        let (ix, fx) = cell(x[k]);
        let (iy, fy) = cell(y[k]);
        u[k] = fx * fx * (3.0 - 2.0 * fx);
        v[k] = fy * fy * (3.0 - 2.0 * fy);
        left[k] = ix.wrapping_add(shift >> 24) & 255;
        upper[k] = iy.wrapping_add(shift >> 16) & 255;
    }
    let mut corners = [[0.0; N]; 4];
    for k in 0..N {
        let (l, t) = (left[k] as usize, upper[k] as usize * LATTICE);
        let (r, b) = ((l + 1) & (LATTICE - 1), (t + LATTICE) & (LATTICE * LATTICE - 1));
        corners[0][k] = POINTS[t | l];
        corners[1][k] = POINTS[t | r];
        corners[2][k] = POINTS[b | l];
        corners[3][k] = POINTS[b | r];
    }
    let mut out = [0.0; N];
    for k in 0..N {
        let top = corners[0][k] + (corners[1][k] - corners[0][k]) * u[k];
        let bottom = corners[2][k] + (corners[3][k] - corners[2][k]) * u[k];
        out[k] = top + (bottom - top) * v[k];
    }
    out
}

/// A field of numbers computed on a coarse grid and interpolated: cheap at any resolution for noise whose smallest
/// features are larger than pixels.
#[derive(Debug)]
pub struct Coarse {
    per_unit: f32,
    width: usize,
    height: usize,
    values: Vec<f32>,
}

impl Coarse {
    /// Covers `w` × `h` units (and a little around) with `per_unit` points to a unit.
    pub fn new(w: f32, h: f32, per_unit: f32, f: impl Fn(f32, f32) -> f32 + Sync) -> Self {
        let (width, height) = ((w * per_unit) as usize + 4, (h * per_unit) as usize + 4);
        let mut values = vec![0.0; width * height];
        values.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
            for (x, v) in row.iter_mut().enumerate() {
                *v = f((x as f32 - 1.0) / per_unit, (y as f32 - 1.0) / per_unit);
            }
        });
        Self {
            per_unit,
            width,
            height,
            values,
        }
    }

    #[inline]
    pub fn at(&self, x: f32, y: f32) -> f32 {
        let x = (x * self.per_unit + 1.0).clamp(0.0, self.width as f32 - 1.001);
        let y = (y * self.per_unit + 1.0).clamp(0.0, self.height as f32 - 1.001);
        let (ix, iy) = (x as usize, y as usize);
        let (fx, fy) = (x - ix as f32, y - iy as f32);
        let row = &self.values[iy * self.width + ix..];
        let top = row[0] + (row[1] - row[0]) * fx;
        let (c, d) = (row[self.width], row[self.width + 1]);
        top + (c + (d - c) * fx - top) * fy
    }
}

const STEP: u32 = 0x9e37_79b9;

/// Octaves of value noise, about 0 to 1 with its middle at 0.5.
#[inline]
pub fn fbm(x: f32, y: f32, octaves: u32, seed: u32) -> f32 {
    let (mut x, mut y, mut seed) = (x, y, seed);
    let (mut sum, mut weight, mut total, mut left) = (0.0, 0.5, 0.0, octaves);
    let next = |x: f32, y: f32| (1.6 * x + 1.2 * y + 3.7, -1.2 * x + 1.6 * y + 9.1);
    // Four octaves are computed together; if three are wanted, the fourth has no weight.
    while left >= 3 {
        let (mut xs, mut ys, mut seeds) = ([x; 4], [y; 4], [seed; 4]);
        for k in 1..4 {
            (xs[k], ys[k]) = next(xs[k - 1], ys[k - 1]);
            seeds[k] = seeds[k - 1].wrapping_add(STEP);
        }
        let n = values(xs, ys, seeds);
        for k in 0..left.min(4) as usize {
            sum += weight * n[k];
            total += weight;
            weight *= 0.5;
        }
        (x, y) = next(xs[3], ys[3]);
        seed = seeds[3].wrapping_add(STEP);
        left = left.saturating_sub(4);
    }
    for _ in 0..left {
        sum += weight * value(x, y, seed);
        total += weight;
        weight *= 0.5;
        (x, y) = next(x, y);
        seed = seed.wrapping_add(STEP);
    }
    sum / total
}

/// Octaves with creases, 0 to 1, its ridges at 1: rock and folded land.
#[inline]
pub fn ridged(x: f32, y: f32, octaves: u32, seed: u32) -> f32 {
    let (mut x, mut y, mut seed) = (x, y, seed);
    let (mut sum, mut weight, mut total, mut previous) = (0.0, 0.5, 0.0, 1.0);
    let next = |x: f32, y: f32| (1.6 * x + 1.2 * y + 5.3, -1.2 * x + 1.6 * y + 2.9);
    let mut left = octaves;
    while left > 0 {
        let (mut xs, mut ys, mut seeds) = ([x; 4], [y; 4], [seed; 4]);
        for k in 1..4 {
            (xs[k], ys[k]) = next(xs[k - 1], ys[k - 1]);
            seeds[k] = seeds[k - 1].wrapping_add(STEP);
        }
        let values = values(xs, ys, seeds);
        for value in values.iter().take(left as usize) {
            let n = 1.0 - (2.0 * value - 1.0).abs();
            let n = n * n;
            sum += weight * n * previous;
            total += weight;
            previous = n;
            weight *= 0.5;
        }
        (x, y) = next(xs[3], ys[3]);
        seed = seeds[3].wrapping_add(STEP);
        left = left.saturating_sub(4);
    }
    sum / total
}

/// Cells: distance to the nearest and to the second nearest point, and a number of the nearest cell.
#[inline]
pub fn cells(x: f32, y: f32, seed: u32) -> (f32, f32, u32) {
    let (ix, iy) = (floor(x), floor(y));
    let (mut first, mut second, mut id) = (f32::MAX, f32::MAX, 0);
    for dy in -1..=1 {
        for dx in -1..=1 {
            let h = hash(ix + dx, iy + dy, seed);
            let px = (ix + dx) as f32 + (h & 0xffff) as f32 / 65536.0 - x;
            let py = (iy + dy) as f32 + (h >> 16) as f32 / 65536.0 - y;
            let d = px * px + py * py;
            if d < first {
                (second, first, id) = (first, d, h);
            } else if d < second {
                second = d;
            }
        }
    }
    (first.sqrt(), second.sqrt(), id)
}

/// 0 below `from`, 1 above `to`, smooth between.
#[inline]
pub fn smooth(from: f32, to: f32, x: f32) -> f32 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_stays_between_zero_and_one_and_repeats() {
        for i in 0..2000 {
            let (x, y) = (i as f32 * 0.37 - 300.0, i as f32 * -0.21 + 77.0);
            for n in [value(x, y, 1), fbm(x, y, 5, 2), ridged(x, y, 4, 3)] {
                assert!((0.0..=1.0).contains(&n), "{n} at {x}, {y}");
            }
            assert_eq!(fbm(x, y, 5, 9).to_bits(), fbm(x, y, 5, 9).to_bits());
        }
    }

    #[test]
    fn forks_of_different_name_differ() {
        let mut a = Rng::new(1);
        let mut b = Rng::new(1);
        assert_ne!(a.fork("sky").next(), b.fork("sea").next());
    }
}

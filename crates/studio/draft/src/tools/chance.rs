//! Chance that repeats, and the noise that gives the samples their grain. The pictures that are drawn have a
//! `chance` of their own, which may change with them. This one must stay as it is: the weights of the upscaler
//! were trained on samples made with it, and the figures in tests are measured on them.

/// A stream of pseudo-random numbers.
#[derive(Debug, Clone)]
pub(super) struct Rng(u64);

impl Rng {
    pub(super) fn new(seed: u64) -> Self {
        let mut rng = Self(seed ^ 0x9e37_79b9_7f4a_7c15);
        rng.next();
        rng
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(super) fn seed(&mut self) -> u32 {
        self.next() as u32
    }

    /// Evenly from 0 up to 1.
    pub(super) fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1_u32 << 24) as f32
    }

    pub(super) fn range(&mut self, from: f32, to: f32) -> f32 {
        from + (to - from) * self.unit()
    }

    /// About `middle`, at most `spread` away.
    pub(super) fn near(&mut self, middle: f32, spread: f32) -> f32 {
        middle + spread * (self.unit() + self.unit() - 1.0)
    }

    pub(super) fn below(&mut self, count: usize) -> usize {
        (self.next() % count.max(1) as u64) as usize
    }

    pub(super) fn chance(&mut self, probability: f32) -> bool {
        self.unit() < probability
    }

    pub(super) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

#[inline]
fn floor(x: f32) -> i32 {
    let whole = x as i32;
    whole - i32::from(x < whole as f32)
}

#[inline]
pub(super) fn hash(x: i32, y: i32, seed: u32) -> u32 {
    let mut h = (x as u32).wrapping_mul(0x85eb_ca6b) ^ (y as u32).wrapping_mul(0xc2b2_ae35) ^ seed;
    h ^= h >> 15;
    h = h.wrapping_mul(0x2c1b_3c6d);
    h ^= h >> 12;
    h = h.wrapping_mul(0x297a_2d39);
    h ^ (h >> 15)
}

/// A number from 0 to 1 for a grid point.
#[inline]
pub(super) fn speck(x: i32, y: i32, seed: u32) -> f32 {
    (hash(x, y, seed) >> 8) as f32 * (1.0 / 16_777_216.0)
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

/// Cells: distance to the nearest and to the second nearest point, and a number of the nearest cell.
#[inline]
pub(super) fn cells(x: f32, y: f32, seed: u32) -> (f32, f32, u32) {
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
pub(super) fn smooth(from: f32, to: f32, x: f32) -> f32 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

//! Filters: second-order sections after Bristow-Johnson's cookbook, a state variable filter for sweeps, and one-pole
//! smoothing.

use std::f32::consts::{FRAC_1_SQRT_2, PI, TAU};

/// A second-order section, in transposed direct form II.
#[derive(Debug, Clone, Copy, Default)]
pub struct Biquad {
    b: [f32; 3],
    a: [f32; 2],
    state: [f32; 2],
}

impl Biquad {
    fn new(b: [f32; 3], a: [f32; 3]) -> Self {
        Self {
            b: b.map(|x| x / a[0]),
            a: [a[1] / a[0], a[2] / a[0]],
            state: [0.0; 2],
        }
    }

    /// Cosine and alpha of a corner in Hz with a quality. The corner stays below half the sample rate.
    fn corner(rate: f32, hz: f32, q: f32) -> (f32, f32) {
        let w = TAU * hz.clamp(5.0, rate * 0.49) / rate;
        (w.cos(), w.sin() / (2.0 * q))
    }

    pub fn lowpass(rate: f32, hz: f32, q: f32) -> Self {
        let (cos, alpha) = Self::corner(rate, hz, q);
        let b = 1.0 - cos;
        Self::new([b / 2.0, b, b / 2.0], [1.0 + alpha, -2.0 * cos, 1.0 - alpha])
    }

    pub fn highpass(rate: f32, hz: f32, q: f32) -> Self {
        let (cos, alpha) = Self::corner(rate, hz, q);
        let b = 1.0 + cos;
        Self::new([b / 2.0, -b, b / 2.0], [1.0 + alpha, -2.0 * cos, 1.0 - alpha])
    }

    /// Has unity gain at its centre.
    pub fn bandpass(rate: f32, hz: f32, q: f32) -> Self {
        let (cos, alpha) = Self::corner(rate, hz, q);
        Self::new([alpha, 0.0, -alpha], [1.0 + alpha, -2.0 * cos, 1.0 - alpha])
    }

    /// A bell of `db` at its centre.
    pub fn peak(rate: f32, hz: f32, q: f32, db: f32) -> Self {
        let (cos, alpha) = Self::corner(rate, hz, q);
        let a = 10_f32.powf(db / 40.0);
        Self::new(
            [1.0 + alpha * a, -2.0 * cos, 1.0 - alpha * a],
            [1.0 + alpha / a, -2.0 * cos, 1.0 - alpha / a],
        )
    }

    /// Raises everything above the corner by `db`.
    pub fn high_shelf(rate: f32, hz: f32, db: f32) -> Self {
        let (cos, alpha) = Self::corner(rate, hz, FRAC_1_SQRT_2);
        let a = 10_f32.powf(db / 40.0);
        let root = 2.0 * a.sqrt() * alpha;
        Self::new(
            [
                a * ((a + 1.0) + (a - 1.0) * cos + root),
                -2.0 * a * ((a - 1.0) + (a + 1.0) * cos),
                a * ((a + 1.0) + (a - 1.0) * cos - root),
            ],
            [
                (a + 1.0) - (a - 1.0) * cos + root,
                2.0 * ((a - 1.0) - (a + 1.0) * cos),
                (a + 1.0) - (a - 1.0) * cos - root,
            ],
        )
    }

    /// Raises everything below the corner by `db`.
    pub fn low_shelf(rate: f32, hz: f32, db: f32) -> Self {
        let (cos, alpha) = Self::corner(rate, hz, FRAC_1_SQRT_2);
        let a = 10_f32.powf(db / 40.0);
        let root = 2.0 * a.sqrt() * alpha;
        Self::new(
            [
                a * ((a + 1.0) - (a - 1.0) * cos + root),
                2.0 * a * ((a - 1.0) - (a + 1.0) * cos),
                a * ((a + 1.0) - (a - 1.0) * cos - root),
            ],
            [
                (a + 1.0) + (a - 1.0) * cos + root,
                -2.0 * ((a - 1.0) + (a + 1.0) * cos),
                (a + 1.0) + (a - 1.0) * cos - root,
            ],
        )
    }

    pub fn next(&mut self, x: f32) -> f32 {
        let y = self.b[0] * x + self.state[0];
        self.state[0] = self.b[1] * x - self.a[0] * y + self.state[1];
        self.state[1] = self.b[2] * x - self.a[1] * y;
        y
    }

    /// Filters in place.
    pub fn run(mut self, samples: &mut [f32]) {
        for x in samples.iter_mut() {
            *x = self.next(*x);
        }
    }
}

/// A state variable filter whose corner may change with every sample (Zavalishin 2012, trapezoidal).
#[derive(Debug, Clone, Copy, Default)]
pub struct Sweep {
    ic1: f32,
    ic2: f32,
}

impl Sweep {
    /// Returns the low-pass and the band-pass output. `g` sets the corner (see [`Sweep::g`]); the damping `k` is the
    /// inverse of the quality.
    pub fn next(&mut self, x: f32, g: f32, k: f32) -> (f32, f32) {
        let a1 = 1.0 / (1.0 + g * (g + k));
        let v3 = x - self.ic2;
        let v1 = a1 * (self.ic1 + g * v3);
        let v2 = self.ic2 + g * v1;
        self.ic1 = 2.0 * v1 - self.ic1;
        self.ic2 = 2.0 * v2 - self.ic2;
        (v2, v1)
    }

    /// The parameter of a corner in Hz: the tangent of half its angle, as a quotient accurate to one part in a
    /// thousand.
    pub fn g(hz: f32, rate: f32) -> f32 {
        let x = PI * (hz / rate).clamp(0.0002, 0.45);
        let square = x * x;
        x * (15.0 - square) / (15.0 - 6.0 * square)
    }
}

/// The coefficient of a one-pole filter that reaches 63 % in `seconds`.
pub fn glide(seconds: f32, rate: f32) -> f32 {
    1.0 - (-1.0 / (seconds * rate).max(1e-3)).exp()
}

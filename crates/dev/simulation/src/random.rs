//! Random times from a seed, so that a simulation can be repeated.

/// How long something takes, in seconds.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Time {
    Fixed(f64),
    /// Exponentially distributed with this mean.
    Random(f64),
}

/// SplitMix64 (Steele, Lea and Flood, 2014).
#[derive(Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn time(&mut self, time: Time) -> f64 {
        match time {
            Time::Fixed(seconds) => seconds,
            Time::Random(mean) => self.exponential(mean),
        }
    }

    pub(crate) fn exponential(&mut self, mean: f64) -> f64 {
        // 53 random bits, and never 0.
        let uniform = ((self.next() >> 11) + 1) as f64 / (1_u64 << 53) as f64;
        -mean * uniform.ln()
    }

    const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

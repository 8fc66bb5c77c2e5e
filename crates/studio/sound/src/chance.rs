//! Repeatable random numbers: SplitMix64 (Steele, Lea and Flood 2014), seeded by number and name. The whole crate uses
//! them, except the vocoder's noise, which has its own generator (see `speech/vocoder/synthesis.rs`).

/// A random number generator. The same seed gives the same numbers.
#[derive(Debug, Clone)]
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Self(seed ^ 0x9e37_79b9_7f4a_7c15)
    }

    /// A separate generator for one purpose, so that one part's draws do not shift another's.
    pub fn named(seed: u64, name: &str) -> Self {
        Self::new(seed ^ hash(name))
    }

    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// 0 to 1, excluding 1.
    pub fn unit(&mut self) -> f32 {
        (self.draw() >> 40) as f32 / (1_u64 << 24) as f32
    }

    /// −1 to 1.
    pub fn bipolar(&mut self) -> f32 {
        2.0 * self.unit() - 1.0
    }

    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    pub fn chance(&mut self, probability: f32) -> bool {
        self.unit() < probability
    }

    /// An index below `count`, which must be at least 1.
    pub fn below(&mut self, count: usize) -> usize {
        (self.draw() % count.max(1) as u64) as usize
    }

    /// One element of a slice that is not empty.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// FNV-1a.
pub fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// White noise for tests, −1 to 1.
#[cfg(test)]
pub(crate) fn noise(seed: u64, length: usize) -> Vec<f32> {
    let mut rng = Rng::new(seed);
    (0..length).map(|_| rng.bipolar()).collect()
}

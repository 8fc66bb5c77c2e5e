//! The waves of a tile, and their phases. Both follow from the key.

use std::f32::consts::TAU;

use atelier_fft::Complex;
use sha2::{Digest as _, Sha256};

use crate::{Key, code::CODED};

/// The side of a tile.
pub(crate) const TILE: usize = 128;
/// The lowest and the highest frequency, in cycles a tile. Lower ones would be seen as clouds, higher ones would not
/// survive a picture of half the size.
const LOWEST: f32 = 4.0;
pub(crate) const HIGHEST: usize = 22;
/// The share of the frequencies that stay empty, which tell the right scale from a picture that repeats by itself.
const EMPTY: f32 = 0.18;
/// The share of the waves that are the same for every id.
const FIXED: f32 = 0.3;

/// The use of a frequency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Use {
    Empty,
    Fixed,
    /// Carries one symbol of the code word.
    Symbol(u16),
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Wave {
    /// Cycles a tile, from 0 to [`HIGHEST`].
    pub x: i32,
    /// Cycles a tile, from -[`HIGHEST`] to [`HIGHEST`].
    pub y: i32,
    pub phase: Complex<f32>,
    pub used: Use,
}

impl Wave {
    pub(crate) fn frequency(&self) -> f32 {
        (self.x as f32).hypot(self.y as f32)
    }
}

/// Numbers that nobody can tell from random ones without the key.
pub(crate) struct Stream {
    key: Key,
    purpose: &'static [u8],
    block: u64,
    bytes: Vec<u8>,
}

impl Stream {
    pub(crate) fn new(key: &Key, purpose: &'static [u8]) -> Self {
        Self {
            key: *key,
            purpose,
            block: 0,
            bytes: Vec::new(),
        }
    }

    pub(crate) fn next(&mut self) -> u32 {
        if self.bytes.is_empty() {
            let mut hash = Sha256::new();
            hash.update(self.purpose);
            hash.update(self.key.0);
            hash.update(self.block.to_be_bytes());
            self.bytes = hash.finalize().to_vec();
            self.block += 1;
        }
        let rest = self.bytes.split_off(4);
        let number = std::mem::replace(&mut self.bytes, rest);
        u32::from_be_bytes([number[0], number[1], number[2], number[3]])
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        ((u64::from(self.next()) * limit as u64) >> 32) as usize
    }
}

/// The waves of a key, in an order that is the same for everybody.
pub(crate) fn waves(key: &Key) -> Vec<Wave> {
    let highest = HIGHEST as i32;
    let half_plane = (-highest..=highest).flat_map(|y| (0..=highest).map(move |x| (x, y)));
    let mut waves: Vec<Wave> = half_plane
        .filter(|&(x, y)| x > 0 || y > 0)
        .map(|(x, y)| Wave {
            x,
            y,
            phase: Complex::new(1.0, 0.0),
            used: Use::Empty,
        })
        .filter(|wave| (LOWEST..=HIGHEST as f32).contains(&wave.frequency()))
        .collect();
    let mut stream = Stream::new(key, b"atelier watermark waves 1");
    for wave in &mut waves {
        let angle = stream.next() as f32 / 2_f32.powi(32) * TAU;
        wave.phase = Complex::from_polar(1.0, angle);
    }
    let mut order: Vec<usize> = (0..waves.len()).collect();
    for at in (1..order.len()).rev() {
        order.swap(at, stream.below(at + 1));
    }
    let used = order.len() - (order.len() as f32 * EMPTY) as usize;
    let fixed = (used as f32 * FIXED) as usize;
    for &at in &order[..fixed] {
        waves[at].used = Use::Fixed;
    }
    for (number, &at) in order[fixed..used].iter().enumerate() {
        waves[at].used = Use::Symbol((number % CODED) as u16);
    }
    waves
}

/// The sign of a wave in the tile of a code word.
pub(crate) fn sign(used: Use, word: &[f32; CODED]) -> f32 {
    match used {
        Use::Empty => 0.0,
        Use::Fixed => 1.0,
        Use::Symbol(at) => word[usize::from(at)],
    }
}

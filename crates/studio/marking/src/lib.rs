//! An invisible mark in pictures and films. It carries an id of 44 bits and survives JPEG, resizing and cropping. Only
//! those who have the key can read or write it. Pure functions of pixels: no files, no randomness.
//!
//! The method is spread spectrum with a repeated tile (Cox et al. 1997; Kutter 1998), in the Fourier domain of the
//! tile:
//!
//! - A tile of 128 × 128 pixels is the sum of some six hundred waves, whose phases only the key tells. It is
//!   repeated over the picture and added to its brightness, more where the picture is busy.
//! - Three tenths of the waves are always the same. They say where a tile begins, at any crop. The others carry the
//!   id and its check bits, in a convolutional code.
//! - A repeated tile has power only at multiples of 1/128 cycles a pixel, which no crop changes. The reader looks
//!   for the scale at which the picture has power at these frequencies, and not at those that the key leaves empty.
//!
//! Two things must come together before the reader reports an id (`detect` has the derivation): the fixed waves
//! must fit better than chance allows, and sixteen check bits must agree.

mod code;
mod detect;
mod embed;
mod film;
mod filter;
mod gain;
mod likeness;
mod origin;
pub mod sound;
mod spectrum;
mod waves;

pub use code::{ID_BITS, Id};
pub use detect::{Found, Frames, Reading, THRESHOLD, detect, read};
pub use embed::{Embedded, TooPlain, embed};
pub use film::Marker;
pub use likeness::Likeness;
pub use origin::Origin;

/// The shortest side of a picture that can carry a mark, in pixels.
pub const SMALLEST: usize = 200;

/// The key from which the phases of the waves are made. Anybody who knows it can read, write and remove marks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Key(pub [u8; 32]);

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key(…)")
    }
}

/// The shape of a picture in memory: rows from the top, 8 bits a channel, sRGB.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    pub width: usize,
    pub height: usize,
    /// 1 for grey, 2 for grey and alpha, 3 for RGB, 4 for RGBA.
    pub channels: usize,
}

impl Shape {
    fn bytes(self) -> usize {
        self.width * self.height * self.channels
    }

    fn has_alpha(self) -> bool {
        self.channels == 2 || self.channels == 4
    }

    /// The channels that are light.
    fn colours(self) -> usize {
        if self.has_alpha() {
            self.channels - 1
        } else {
            self.channels
        }
    }
}

#[cfg(test)]
mod tests;

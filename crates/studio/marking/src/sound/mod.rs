//! An inaudible mark in sound. It carries the same id as the mark of pictures and survives lossy compression,
//! another sample rate, another level, and a cut at any place. Pure functions of samples: no files, no randomness.
//!
//! The method is spread spectrum in the magnitudes of short-time spectra (Kirovski and Malvar 2003):
//!
//! - Two seconds of sound between 300 and 6,000 Hz are a grid of some twelve thousand chips, each 62 Hz high and
//!   16 ms long. The key says which of them become a little louder and which softer: by 0.8 to 1.8 dB, and less where
//!   the sound is steady, because there a tremble would be heard. The pattern is repeated to the end. A mark in
//!   proportion to the sound is masked by it, follows its level, and leaves silence silent.
//! - A fifth of the chips are the same for every id. They say where the pattern begins, in any part of a recording.
//!   The others carry the id and its check bits, in the convolutional code of pictures.
//! - The reader compares each chip with its neighbours in frequency and in time, adds up all repetitions, and tries
//!   all places at which the pattern may begin.
//!
//! Marks are made and read at one sample rate. A file of another rate is converted for it, and only the difference is
//! converted back, so that what the mark does not touch stays as it was.

mod chips;
mod embed;
mod features;
mod freedom;
mod read;
mod resample;
#[cfg(test)]
mod tests;

pub use embed::{Embedded, embed};
pub use read::{Found, Reading, THRESHOLD, detect, read};

/// The shortest sound that is marked, in seconds.
pub const SHORTEST: f64 = 3.0;

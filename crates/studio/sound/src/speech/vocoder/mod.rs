//! A vocoder: speech as pitch, spectral envelope and voicing every five milliseconds, and back to sound.
//!
//! The model is that of WORLD (Morise, Yokomori and Ozawa 2016): a train of minimum-phase pulses and noise, both
//! shaped by the envelope and weighted by how periodic each band is.

pub(crate) mod analysis;
pub(crate) mod frame;
pub(crate) mod mel;
pub(crate) mod synthesis;

pub(crate) use frame::{BINS, Frame, SHIFT};
pub(crate) use synthesis::synthesize;

/// Samples per second of everything that speech makes.
pub const RATE: u32 = 44_100;

/// Hz from one bin of an envelope to the next.
pub(crate) const BIN_WIDTH: f32 = RATE as f32 / 2.0 / (BINS - 1) as f32;

//! A vocoder: analyses speech as pitch, spectral envelope and voicing every five milliseconds, and turns these back
//! into sound.
//!
//! The model is that of WORLD (Morise, Yokomori and Ozawa 2016): a train of minimum-phase pulses and noise, both
//! shaped by the envelope and weighted by how periodic each band is.

pub(crate) mod analysis;
pub(crate) mod frame;
pub(crate) mod mel;
pub(crate) mod synthesis;

pub(crate) use frame::{BINS, Frame, SHIFT};
pub(crate) use synthesis::synthesize;

/// Sample rate of all speech.
pub const RATE: u32 = 44_100;

/// Width in Hz of one bin of an envelope.
pub(crate) const BIN_WIDTH: f32 = RATE as f32 / 2.0 / (BINS - 1) as f32;

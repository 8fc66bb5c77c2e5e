//! Listening: tempo, beats and key of a recording.

mod key;
mod spectrum;
mod tempo;

pub use key::{key, profile};
pub use tempo::{Pulse, onsets, pulse};

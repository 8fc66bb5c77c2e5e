//! Sound on the CPU, without model weights: speech, music, soundscapes and sound files. This library knows nothing of
//! jobs, models or parameters.
//!
//! Everything is deterministic: the same request with the same seed gives the same samples.

pub mod chance;
pub mod convert;
pub mod dsp;
pub mod dub;
pub mod file;
pub mod music;
pub mod scape;
pub mod speech;
pub mod stems;

//! Sound on the CPU, without weights: speech, music, and the files they stand in. A library that knows nothing
//! of jobs, models or parameters; `atelier-draft` makes tasks of it.
//!
//! Everything is deterministic: the same request with the same seed gives the same samples.

pub mod dsp;
pub mod file;
pub mod music;
pub mod speech;

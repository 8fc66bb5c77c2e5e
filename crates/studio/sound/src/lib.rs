//! Sound on the CPU, without weights: speech, music, soundscapes, and the files they stand in. A library that knows nothing
//! of jobs, models or parameters; `atelier-draft` makes tasks of it.
//!
//! Everything is deterministic: the same request with the same seed gives the same samples.

pub mod convert;
pub mod dsp;
pub mod dub;
pub mod file;
pub mod music;
pub mod scape;
pub mod speech;
pub mod stems;

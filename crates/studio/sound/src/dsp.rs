//! Signal processing shared by speech, music and soundscapes.

pub mod delay;
pub mod drive;
pub mod dynamics;
pub mod filter;
pub mod limiter;
pub mod resample;
pub mod reverb;
pub mod stft;

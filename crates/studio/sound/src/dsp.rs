//! Signal processing that speech, music and soundscapes share.

pub mod delay;
pub mod drive;
pub mod dynamics;
pub mod filter;
pub mod limiter;
pub mod resample;
pub mod reverb;
pub mod stft;

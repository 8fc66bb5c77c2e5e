//! Signal processing that speech and music share.

pub mod limiter;
pub mod resample;

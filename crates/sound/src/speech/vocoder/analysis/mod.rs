//! Sound to frames.

pub(crate) mod pitch;

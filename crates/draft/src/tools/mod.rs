//! The six picture tools.

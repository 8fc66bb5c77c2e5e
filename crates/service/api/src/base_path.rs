//! Where the API is.

/// The path below which every API route lives.
pub const BASE_PATH: &str = "/dev/v1";

//! The path of the API.

/// The path below which every API route lives.
pub const BASE_PATH: &str = "/dev/v1";

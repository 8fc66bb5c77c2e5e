//! Filling holes in a picture with what could stand there: patches of its surroundings, from coarse to fine.

pub use self::fill::fill;

pub mod fill;
mod level;
#[cfg(test)]
mod tests;

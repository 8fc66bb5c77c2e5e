//! Moving pictures as files: H.264 High and AAC-LC in fast-start MP4, written and read frame by frame. A library that
//! knows nothing of models, prompts or parameters.
//!
//! [`Writer`] takes frames and sound and makes a file that every browser plays. Nothing here holds a whole video in
//! memory, and the same frames give the same bytes.

use std::io;

pub mod color;
mod mp4;
mod write;

pub use color::{I420, Planes};
pub use write::{Coded, Picture, Rate, Recorded, Sound, Tags, Video, Writer};

/// Why a film could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file could not be opened, read or written.
    #[error("a film's file could not be read or written: {0}")]
    Io(#[from] io::Error),
    /// What the caller asked for cannot be made: sizes, rates, lengths of buffers.
    #[error("{0}")]
    Settings(String),
    /// The encoder refused what it should have taken.
    #[error("the film could not be encoded: {0}")]
    Encoder(String),
}

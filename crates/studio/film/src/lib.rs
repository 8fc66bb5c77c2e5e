//! Moving pictures as files: H.264 High and AAC-LC in fast-start MP4, written and read frame by frame. A library that
//! knows nothing of models, prompts or parameters.
//!
//! [`Writer`] takes frames and sound and makes a file that every browser plays; [`Reader`] gives the frames of other
//! people's files, whatever their codec, as far as the program ffmpeg is there for those beyond H.264. Nothing here
//! holds a whole video in memory, and the same frames give the same bytes.

use std::io;

pub mod color;
mod mp4;
mod read;
mod write;

pub use color::{I420, Planes};
pub use read::{Facts, Frame, Limits, Reader};
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
    /// A file is no film, or a broken one.
    #[error("the video cannot be read: {0}")]
    Damaged(String),
    /// A file goes beyond the limits.
    #[error("the video cannot be taken: {0}")]
    TooLarge(String),
    /// Only ffmpeg could decode it, and it is not there.
    #[error(
        "the video is {codec}, which cannot be read here, because the program ffmpeg is not installed; send H.264 \
         (8 bits, 4:2:0) in MP4 or MOV instead, or have ffmpeg installed on the server"
    )]
    Codec { codec: String },
}

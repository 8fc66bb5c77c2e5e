//! Video files: H.264 High and AAC-LC in fast-start MP4, written and read frame by frame. This library knows nothing
//! of models, prompts or parameters.
//!
//! [`Writer`] turns frames and sound into a file that every browser plays. [`Reader`] returns the frames of any file.
//! It decodes H.264 itself and other codecs through the program ffmpeg, if that is installed. Neither holds a whole
//! video in memory, and the same frames give the same bytes.

use std::io;

pub mod color;
mod mp4;
mod read;
mod tags;
mod write;

pub use color::{I420, Planes};
pub use read::{Facts, Frame, Limits, Reader};
pub use tags::Tags;
pub use write::{Coded, Picture, Rate, Recorded, Sound, Video, Writer};

/// Why a film could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file could not be opened, read or written.
    #[error("the video file could not be read or written: {0}")]
    Io(#[from] io::Error),
    /// The caller's settings are not possible: sizes, rates, buffer lengths.
    #[error("{0}")]
    Settings(String),
    /// The encoder failed.
    #[error("the film could not be encoded: {0}")]
    Encoder(String),
    /// The file is not a video, or it is damaged.
    #[error("the video cannot be read: {0}")]
    Damaged(String),
    /// The file exceeds a limit.
    #[error("the video is too large: {0}")]
    TooLarge(String),
    /// Only ffmpeg could decode the file, and ffmpeg is not installed.
    #[error(
        "the video is {codec}, which requires the program ffmpeg, and that is not installed; \
         send H.264 (8 bits, 4:2:0) in MP4 or MOV, or install ffmpeg on the server"
    )]
    Codec { codec: String },
}

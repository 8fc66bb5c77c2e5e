//! Encodes WAV, and MP3 if the cargo feature `mp3` is on.

use std::{fs, io, path::Path};

use super::{Audio, Tags, wav};

/// The format of a written file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// MPEG audio, layer III, at a constant bit rate.
    #[cfg(feature = "mp3")]
    Mp3 {
        kbps: u32,
    },
    Wav(wav::Depth),
}

impl Format {
    /// MP3 at a constant bit rate, or 16-bit WAV if the program is built without MP3.
    pub fn compressed(kbps: u32) -> Self {
        #[cfg(feature = "mp3")]
        return Self::Mp3 { kbps };
        #[cfg(not(feature = "mp3"))]
        {
            let _ = kbps;
            Self::Wav(wav::Depth::Bits16)
        }
    }

    /// The file name extension.
    pub fn extension(self) -> &'static str {
        match self {
            #[cfg(feature = "mp3")]
            Self::Mp3 { .. } => "mp3",
            Self::Wav(_) => "wav",
        }
    }
}

/// Why a file was not written.
#[derive(Debug, thiserror::Error)]
pub enum EncodeError {
    #[error("the file cannot be written: {0}")]
    Io(#[from] io::Error),
    #[error("MP3 requires one or two channels at 8,000 to 48,000 Hz (got {channels} at {rate} Hz)")]
    Unfit { channels: usize, rate: u32 },
    #[error("the encoder failed: {0}")]
    Encoder(String),
}

/// Writes a file with its tags. Samples beyond full scale are clipped. MP3 accepts one or two channels at the sample
/// rates of MPEG audio.
pub fn encode(path: &Path, audio: &Audio, format: Format, tags: &Tags) -> Result<(), EncodeError> {
    let bytes = match format {
        #[cfg(feature = "mp3")]
        Format::Mp3 { kbps } => super::mp3::bytes(audio, kbps, tags)?,
        Format::Wav(depth) => wav::bytes(audio, depth, tags),
    };
    fs::write(path, bytes)?;
    Ok(())
}

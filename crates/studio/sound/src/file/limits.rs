//! The limits that a decoded file must keep: its length, rate and channels, finite samples; and the errors of one that
//! does not.

use std::io;

use super::Audio;

/// Samples of all channels together: ten minutes of stereo at 96 kHz, 460 MB.
const MOST_SAMPLES: usize = 600 * 2 * 96_000;

/// The limits that a file must keep. They hold for the decoded samples, whatever the file's header declares.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Seconds that are heard: within the edit list, if there is one.
    pub seconds: f64,
    pub channels: usize,
    pub lowest_rate: u32,
    pub highest_rate: u32,
    /// Whether the program ffmpeg may be used. If not, it counts as not installed.
    pub ffmpeg: bool,
}

impl Limits {
    /// The limits of an input whose duration was measured: it must not last longer, except for silence that encoders
    /// add.
    pub fn measured(seconds: Option<f64>) -> Self {
        const ADDED: f64 = 0.3;
        seconds.map_or_else(Self::default, |seconds| Self::of_seconds(seconds + ADDED))
    }

    /// The default limits, with at most this many seconds.
    pub fn of_seconds(seconds: f64) -> Self {
        let default = Self::default();
        Self {
            seconds: seconds.min(default.seconds),
            ..default
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            seconds: 600.0,
            channels: 8,
            lowest_rate: 8_000,
            highest_rate: 192_000,
            ffmpeg: true,
        }
    }
}

/// Why a file could not be decoded. The messages are for the sender of the file.
#[derive(Debug, thiserror::Error)]
pub enum DecodeError {
    #[error("the file cannot be read: {0}")]
    Io(#[from] io::Error),
    #[error("the file contains no audio")]
    NoAudio,
    #[error(
        "the audio is {codec}, which requires the program ffmpeg, and that is not installed; \
         send MP3, WAV, FLAC, Ogg Vorbis or M4A/AAC, or install ffmpeg on the server"
    )]
    Codec { codec: String },
    #[error("the audio is damaged, or the file is not audio: {0}")]
    Damaged(String),
    #[error("the audio is longer than {limit} s, the maximum")]
    TooLong { limit: f64 },
    #[error("the audio must have 1 to {limit} channels (got {found})")]
    Channels { found: usize, limit: usize },
    #[error("the sample rate must be {lowest} to {highest} Hz (got {found})")]
    Rate { found: u32, lowest: u32, highest: u32 },
    #[error("the audio is too large: at most {MOST_SAMPLES} samples are accepted, counting all channels")]
    TooLarge,
}

/// Checks channels and rate against the limits.
pub(super) fn within(channels: usize, rate: Option<u32>, limits: &Limits) -> Result<(), DecodeError> {
    if channels == 0 || channels > limits.channels {
        return Err(DecodeError::Channels {
            found: channels,
            limit: limits.channels,
        });
    }
    match rate {
        Some(found) if found < limits.lowest_rate || found > limits.highest_rate => Err(DecodeError::Rate {
            found,
            lowest: limits.lowest_rate,
            highest: limits.highest_rate,
        }),
        _ => Ok(()),
    }
}

/// Checks the audio decoded so far against the limits. `skipped` seconds of it will not be heard.
pub(super) fn bounded(audio: &Audio, skipped: f64, limits: &Limits) -> Result<(), DecodeError> {
    // Encoders pad to whole frames; the limit allows for one.
    if audio.seconds() > limits.seconds + skipped + 0.2 {
        return Err(DecodeError::TooLong {
            limit: limits.seconds,
        });
    }
    if audio.frames() * audio.channels.len() > MOST_SAMPLES {
        return Err(DecodeError::TooLarge);
    }
    Ok(())
}

/// Makes samples finite and bounded: files of floating point numbers may contain anything.
pub(super) fn sanitise(audio: &mut Audio) {
    for x in audio.channels.iter_mut().flatten() {
        *x = if x.is_finite() { x.clamp(-8.0, 8.0) } else { 0.0 };
    }
}

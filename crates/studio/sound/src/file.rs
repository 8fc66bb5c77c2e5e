//! Sound files: decoding of input; loudness, tags and encoding of output.

mod decode;
mod edit_list;
mod encode;
mod ffmpeg;
mod limits;
pub mod loudness;
#[cfg(feature = "mp3")]
mod mp3;
mod tags;
#[cfg(test)]
mod tests;
mod wav;

pub use decode::{decode, decode_measured, decode_within};
pub use encode::{EncodeError, Format, encode};
pub use limits::{DecodeError, Limits};
pub use tags::Tags;
pub use wav::Depth;

/// Sound in memory: one row of samples per channel, full scale at ±1.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Audio {
    /// Samples per second.
    pub rate: u32,
    /// All have the same length. One channel is mono; two are left and right.
    pub channels: Vec<Vec<f32>>,
}

impl Audio {
    /// A single channel.
    pub fn mono(rate: u32, samples: Vec<f32>) -> Self {
        Self {
            rate,
            channels: vec![samples],
        }
    }

    /// Left and right. The shorter channel is padded with silence.
    pub fn stereo(rate: u32, mut left: Vec<f32>, mut right: Vec<f32>) -> Self {
        let frames = left.len().max(right.len());
        left.resize(frames, 0.0);
        right.resize(frames, 0.0);
        Self {
            rate,
            channels: vec![left, right],
        }
    }

    /// Samples per channel.
    pub fn frames(&self) -> usize {
        self.channels.first().map_or(0, Vec::len)
    }

    /// The duration.
    pub fn seconds(&self) -> f64 {
        self.frames() as f64 / f64::from(self.rate.max(1))
    }

    /// The mean of all channels.
    pub fn downmix(&self) -> Vec<f32> {
        let scale = 1.0 / self.channels.len().max(1) as f32;
        let mut mono = vec![0.0; self.frames()];
        for channel in &self.channels {
            for (sum, sample) in mono.iter_mut().zip(channel) {
                *sum += sample * scale;
            }
        }
        mono
    }

    /// The greatest magnitude of any sample.
    pub fn peak(&self) -> f32 {
        self.channels
            .iter()
            .flatten()
            .fold(0.0, |peak, x| peak.max(x.abs()))
    }

    /// Multiplies every sample.
    pub fn scale(&mut self, gain: f32) {
        for x in self.channels.iter_mut().flatten() {
            *x *= gain;
        }
    }
}

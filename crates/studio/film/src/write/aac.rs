//! AAC-LC by syom: takes stereo samples, produces packets.

use syom::{EncodeOptions, Encoder};

use super::Coded;
use crate::Error;

const BITS_PER_SECOND: u32 = 160_000;

pub(super) struct Aac {
    encoder: Encoder,
    left: Vec<f32>,
    right: Vec<f32>,
    /// Samples of each channel taken so far.
    pub(super) taken: u64,
    rate: u32,
}

impl Aac {
    pub(super) fn new(rate: u32) -> Result<Self, Error> {
        let options = EncodeOptions::raw()
            .with_bitrate_bps(BITS_PER_SECOND)
            .with_lookahead(true);
        let encoder = Encoder::new(rate, 2, &options).map_err(failed)?;
        Ok(Self {
            encoder,
            left: Vec::new(),
            right: Vec::new(),
            taken: 0,
            rate,
        })
    }

    /// The stream's description, without packets.
    pub(super) fn stream(&self) -> Coded {
        Coded {
            rate: self.rate,
            channels: 2,
            config: self.encoder.asc().to_vec(),
            packet: 1024,
            // The first packet only starts the overlap.
            skip: 1024,
            packets: Vec::new(),
        }
    }

    /// Takes interleaved stereo samples and passes on the packets that are complete.
    pub(super) fn feed(&mut self, stereo: &[f32], mut packet: impl FnMut(&[u8])) -> Result<(), Error> {
        self.left.clear();
        self.right.clear();
        for pair in stereo.chunks_exact(2) {
            self.left.push(audible(pair[0]));
            self.right.push(audible(pair[1]));
        }
        self.taken += self.left.len() as u64;
        self.encoder
            .feed(&[&self.left, &self.right], |frame| {
                packet(frame.payload);
                Ok(())
            })
            .map_err(failed)?;
        Ok(())
    }

    pub(super) fn finish(&mut self, mut packet: impl FnMut(&[u8])) -> Result<(), Error> {
        self.encoder
            .finish(|frame| {
                packet(frame.payload);
                Ok(())
            })
            .map_err(failed)?;
        Ok(())
    }
}

/// Makes a sample acceptable to the encoder: a number within full scale.
fn audible(sample: f32) -> f32 {
    if sample.is_finite() {
        sample.clamp(-1.0, 1.0)
    } else {
        0.0
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is passed to `map_err`")]
fn failed(error: syom::AacError) -> Error {
    Error::Encoder(format!("AAC: {error}"))
}

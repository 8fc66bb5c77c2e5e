//! Analysis: from sound to frames.

mod envelope;
pub(crate) mod pitch;

use self::{envelope::Analyser, pitch::Yin};
use super::{Frame, SHIFT};

/// Range of the analysed pitch, in Hz.
const LOWEST: f32 = 55.0;
const HIGHEST: f32 = 330.0;

/// The frames of speech with the sample rate `rate`, half of the vocoder's.
pub(crate) fn frames(samples: &[f32], rate: u32) -> Vec<Frame> {
    let f0 = pitches(samples, rate);
    let mut analyser = Analyser::new(rate);
    let hop = SHIFT * rate as f32;
    let frame = |(index, f0): (usize, &f32)| analyser.frame(samples, (index as f32 * hop) as usize, *f0);
    f0.iter().enumerate().map(frame).collect()
}

/// The pitch of every frame in Hz, 0 if unvoiced, without jumps that no voice makes.
pub(crate) fn pitches(samples: &[f32], rate: u32) -> Vec<f32> {
    let yin = Yin::new(rate, LOWEST, HIGHEST);
    let hop = SHIFT * rate as f32;
    let count = (samples.len() as f32 / hop) as usize;
    let raw: Vec<f32> = (0..count)
        .map(|index| yin.at(samples, (index as f32 * hop) as usize).f0)
        .collect();
    pitch::without_leaps(&raw)
}

#[cfg(test)]
mod tests;

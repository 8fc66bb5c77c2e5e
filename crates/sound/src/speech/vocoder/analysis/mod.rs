//! Sound to frames.

mod envelope;
pub(crate) mod pitch;

use self::{envelope::Analyser, pitch::Yin};
use super::{Frame, SHIFT};

/// Hz between which the pitch of what is analysed lies.
const LOWEST: f32 = 55.0;
const HIGHEST: f32 = 330.0;

/// The frames of speech whose sample rate is `rate`, half of the vocoder's.
pub(crate) fn frames(samples: &[f32], rate: u32) -> Vec<Frame> {
    let f0 = pitches(samples, rate);
    let mut analyser = Analyser::new(rate);
    let hop = SHIFT * rate as f32;
    let frame = |(index, f0): (usize, &f32)| analyser.frame(samples, (index as f32 * hop) as usize, *f0);
    f0.iter().enumerate().map(frame).collect()
}

/// The pitch of every frame in Hz, 0 where there is none, without leaps that no voice makes.
pub(crate) fn pitches(samples: &[f32], rate: u32) -> Vec<f32> {
    let yin = Yin::new(rate, LOWEST, HIGHEST);
    let hop = SHIFT * rate as f32;
    let count = (samples.len() as f32 / hop) as usize;
    let raw: Vec<f32> = (0..count)
        .map(|index| yin.at(samples, (index as f32 * hop) as usize).f0)
        .collect();
    (0..count)
        .map(|index| {
            let mut near: Vec<f32> = raw[index.saturating_sub(2)..(index + 3).min(count)].to_vec();
            near.sort_by(f32::total_cmp);
            let middle = near[near.len() / 2];
            let here = raw[index];
            let leaps = here > 0.0 && middle > 0.0 && !(0.8..1.25).contains(&(here / middle));
            if leaps || (here > 0.0) != (middle > 0.0) {
                middle
            } else {
                here
            }
        })
        .collect()
}

#[cfg(test)]
mod tests;

//! Reads marks.
//!
//! The rate of false positives follows from the method, whatever the sound is. Without a mark, the signs of the key
//! have nothing to do with the sound. The score of one try is `Σ ±x / √(Σ x²)` over the fixed chips, whose signs are
//! then independent and fair. As the mean of `exp(±λx)` is at most `exp(λ² x² / 2)`, a score passes `t` with a
//! probability of at most `exp(-t² / 2)` (Hoeffding's bound). There are at most [`TRIES`] tries, so one of them passes
//! [`THRESHOLD`] with a probability of at most 0.0037. The decoded word is then random, because the signs of the
//! symbols are independent of those of the fixed chips, and its check bits agree in one case of 65,536. Together that
//! is less than 1 in 17 million.

use std::ops::Range;

use super::{
    chips::{COLUMNS, HOP, RATE, chips},
    features::{Features, Folded, Frames, fixed},
    resample::resample,
};
use crate::{Id, Key, code::decode};

/// The least score of the fixed chips.
pub const THRESHOLD: f32 = 5.7;
/// The places in a chip at which it may begin.
const OFFSETS: usize = 4;
/// Parts of a long sound are read on their own, since only some of it may have the mark: repetitions of the pattern
/// in a part (16 s), from one part to the next, and the parts that are read.
const PART: usize = 8;
const STEP: usize = 4;
const MOST_PARTS: usize = 79;
/// The tries of a sound: all beginnings of the pattern, in all parts and in the whole.
const TRIES: usize = OFFSETS * COLUMNS * (MOST_PARTS + 1);

/// A mark that was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Found {
    pub id: Id,
    pub score: f32,
}

/// All that a reader learns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reading {
    /// The best score of the fixed chips.
    pub score: f32,
    /// Only if the score reaches the threshold and the check bits agree.
    pub id: Option<Id>,
}

/// The mark of a sound, if it has one of this key. Channels are rows of samples.
pub fn detect(channels: &[Vec<f32>], rate: u32, key: &Key) -> Option<Found> {
    let reading = read(channels, rate, key);
    let score = reading.score;
    reading.id.map(|id| Found { id, score })
}

/// The same with the score of sounds that have none.
pub fn read(channels: &[Vec<f32>], rate: u32, key: &Key) -> Reading {
    let Some((first, others)) = channels.split_first() else {
        return Reading { score: 0.0, id: None };
    };
    let mut mix = first.clone();
    for other in others {
        for (sum, sample) in mix.iter_mut().zip(other) {
            *sum += sample;
        }
    }
    search(&resample(&mix, rate, RATE), key)
}

fn search(sound: &[f32], key: &Key) -> Reading {
    let chips = chips(key);
    let fixed = fixed(&chips);
    let mut frames = Frames::new();
    let mut best: Option<(f32, usize, Folded)> = None;
    let mut tries = 0;
    for offset in 0..OFFSETS {
        let features = Features::of(sound, offset * HOP / OFFSETS, &mut frames);
        for part in parts(features.columns) {
            let folded = features.folded(part);
            let scores = (0..COLUMNS).map(|shift| (folded.score(&fixed, shift), shift));
            let highest = scores.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or_default();
            tries += COLUMNS;
            if best.as_ref().is_none_or(|(score, ..)| highest.0 > *score) {
                best = Some((highest.0, highest.1, folded));
            }
        }
    }
    debug_assert!(tries <= TRIES, "the rate of false positives counts {TRIES} tries");
    let Some((score, shift, folded)) = best else {
        return Reading { score: 0.0, id: None };
    };
    let id = if score >= THRESHOLD {
        decode(&folded.symbols(&chips, shift), key)
    } else {
        None
    };
    Reading { score, id }
}

/// The whole of so many columns, and its parts if it is long.
fn parts(columns: usize) -> impl Iterator<Item = Range<usize>> {
    let repetitions = columns.div_ceil(COLUMNS);
    let starts = (0..repetitions).step_by(STEP);
    let parts = starts
        .filter(move |start| repetitions > PART && start + STEP < repetitions)
        .map(move |start| start * COLUMNS..((start + PART) * COLUMNS).min(columns))
        .take(MOST_PARTS);
    (columns > 0).then_some(0..columns).into_iter().chain(parts)
}

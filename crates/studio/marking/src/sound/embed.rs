//! Writes marks.

use atelier_fft::{Complex, ComplexToReal, RealToComplex, real_forward, real_inverse};

use super::{
    SHORTEST,
    chips::{BINS, Chip, FRAME, HOP, LOWEST, RATE, ROWS, chips},
    features::{Features, Frames, fixed, hann},
    freedom::freedom,
    resample::resample,
};
use crate::{
    Id, Key, TooPlain,
    code::{CODED, encode},
    waves::sign,
};

/// How much louder or softer a chip becomes, in dB. The least that leaves a reserve is taken.
const STRENGTHS: [f32; 4] = [0.8, 1.1, 1.4, 1.8];
/// The scores that make a mark safe in a part of a sound, of the fixed chips and of the symbols, and those that it
/// must reach in the whole: a reserve against compression.
const SAFE: (f32, f32) = (8.0, 18.0);
const RESERVE: (f32, f32) = (7.0, 15.0);
/// The columns of a part (5.1 s), and from one part to the next.
const PART: usize = 320;
const STEP: usize = 128;

/// A mark was written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Embedded {
    /// By how much chips were made louder or softer, in dB.
    pub strength: f32,
    /// How clearly it is read from the sound itself; [`THRESHOLD`](super::THRESHOLD) is the least.
    pub score: f32,
}

/// Writes a mark into a sound: rows of samples, one for each channel. All channels get the same mark, so that any mix
/// of them has it. Err: the sound is too short, too quiet or too empty, and unchanged.
pub fn embed(channels: &mut [Vec<f32>], rate: u32, id: Id, key: &Key) -> Result<Embedded, TooPlain> {
    let length = channels.iter().map(Vec::len).min().unwrap_or_default();
    if (length as f64) < SHORTEST * f64::from(rate) {
        return Err(TooPlain);
    }
    let word = encode(id, key);
    let chips = chips(key);
    let rows: Vec<Vec<f32>> = channels
        .iter()
        .map(|channel| resample(&channel[..length], rate, RATE))
        .collect();
    let freedom = freedom(&rows);
    let mut mark = Mark::new();
    let mut chosen = None;
    for strength in STRENGTHS {
        let gains = gains(&chips, &word, strength, &freedom);
        let changes: Vec<Vec<f32>> = rows.iter().map(|row| mark.change(row, &gains)).collect();
        let mut mix = vec![0.0; rows[0].len()];
        for row in rows.iter().chain(&changes) {
            for (sum, value) in mix.iter_mut().zip(row) {
                *sum += value;
            }
        }
        let fit = Fit::of(&mix, &chips, &word);
        let is_safe = fit.is_safe;
        chosen = Some((strength, changes, fit));
        if is_safe {
            break;
        }
    }
    let (strength, changes, fit) = chosen.ok_or(TooPlain)?;
    if fit.whole.0 < RESERVE.0 || fit.whole.1 < RESERVE.1 {
        return Err(TooPlain);
    }
    for (channel, change) in channels.iter_mut().zip(&changes) {
        for (sample, change) in channel.iter_mut().zip(resample(change, RATE, rate)) {
            *sample += change;
        }
    }
    Ok(Embedded {
        strength,
        score: fit.whole.0,
    })
}

/// How well a mark is read from the sound that has it.
struct Fit {
    whole: (f32, f32),
    /// Whether each part that is long enough can be read on its own.
    is_safe: bool,
}

impl Fit {
    fn of(mix: &[f32], chips: &[Chip], word: &[f32; CODED]) -> Self {
        let features = Features::of(mix, 0, &mut Frames::new());
        let fixed = fixed(chips);
        let scores = |part| {
            let folded = features.folded(part);
            (folded.score(&fixed, 0), folded.fit(chips, word))
        };
        let columns = features.columns;
        let last = columns.saturating_sub(PART) / STEP;
        let parts = (0..=last).map(|number| number * STEP..(number * STEP + PART).min(columns));
        let is_safe = parts
            .map(scores)
            .all(|(fixed, symbols)| fixed >= SAFE.0 && symbols >= SAFE.1);
        Self {
            whole: scores(0..columns),
            is_safe,
        }
    }
}

/// By how much each chip of the sound changes: 0.1 is a tenth louder.
fn gains(chips: &[Chip], word: &[f32; CODED], strength: f32, freedom: &[f32]) -> Vec<f32> {
    let pattern = chips.iter().cycle().zip(freedom);
    pattern
        .map(|(chip, freedom)| {
            10_f32.powf(chip.sign * sign(chip.used, word) * freedom * strength / 20.0) - 1.0
        })
        .collect()
}

struct Mark {
    /// The root of a Hann window, which is applied before and after.
    window: Vec<f32>,
    forward: std::sync::Arc<dyn RealToComplex<f32>>,
    back: std::sync::Arc<dyn ComplexToReal<f32>>,
}

impl Mark {
    fn new() -> Self {
        Self {
            window: hann().map(f32::sqrt).collect(),
            forward: real_forward(FRAME),
            back: real_inverse(FRAME),
        }
    }

    /// What the mark adds to a sound. The first column begins with the first sample.
    fn change(&mut self, sound: &[f32], gains: &[f32]) -> Vec<f32> {
        let mut change = vec![0.0; sound.len()];
        let mut frame = vec![0.0; FRAME];
        let mut spectrum = self.forward.make_output_vec();
        for (column, start) in (0..sound.len()).step_by(HOP).enumerate() {
            let part = &sound[start..(start + FRAME).min(sound.len())];
            frame.fill(0.0);
            for ((value, sample), window) in frame.iter_mut().zip(part).zip(&self.window) {
                *value = sample * window;
            }
            self.forward
                .process(&mut frame, &mut spectrum)
                .expect("the lengths are those of the plan");
            let gains = &gains[column * ROWS..][..ROWS];
            spectrum[..LOWEST].fill(Complex::new(0.0, 0.0));
            spectrum[LOWEST + ROWS * BINS..].fill(Complex::new(0.0, 0.0));
            for (bins, gain) in spectrum[LOWEST..].chunks_exact_mut(BINS).zip(gains) {
                for bin in bins {
                    *bin *= gain;
                }
            }
            self.back
                .process(&mut spectrum, &mut frame)
                .expect("the lengths are those of the plan");
            for ((change, value), window) in change[start..].iter_mut().zip(&frame).zip(&self.window) {
                *change += value * window / FRAME as f32;
            }
        }
        change
    }
}

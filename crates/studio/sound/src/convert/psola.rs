//! Changes pitch, vocal tract and pace of speech, with grains of two periods.

use std::f32::consts::PI;

use super::{RATE, portrait::pitches};
use crate::dsp::{filter::Biquad, resample::resample};

/// Seconds between pitch estimates.
const STEP: f32 = 0.005;
const PITCH_RATE: u32 = 16_000;
/// Grain length for unvoiced sound, in seconds.
const UNVOICED: f32 = 0.006;

/// A position in the source where a grain is taken.
#[derive(Debug, Clone, Copy)]
struct Mark {
    at: f32,
    /// Samples to the next mark.
    period: f32,
    voiced: bool,
}

/// Says the same words again. `pitch` maps an old pitch in Hz to a new one; formants are multiplied by `formants`.
pub(super) fn say_again(samples: &[f32], pitch: &dyn Fn(f32) -> f32, formants: f32, speed: f32) -> Vec<f32> {
    let marks = marks(samples);
    let length = (samples.len() as f32 / speed) as usize;
    let mut out = vec![0.0_f32; length];
    let mut weight = vec![0.0_f32; length];
    let mut place = 0.0_f32;
    let mut nearest = 0;
    while (place as usize) < length && !marks.is_empty() {
        let wanted = place * speed;
        while nearest + 1 < marks.len()
            && (marks[nearest + 1].at - wanted).abs() <= (marks[nearest].at - wanted).abs()
        {
            nearest += 1;
        }
        let mark = marks[nearest];
        add(&mut out, &mut weight, samples, mark, place, formants);
        place += if mark.voiced {
            RATE as f32 / pitch(RATE as f32 / mark.period).clamp(40.0, 700.0)
        } else {
            mark.period
        }
        .max(20.0);
    }
    for (x, weight) in out.iter_mut().zip(&weight) {
        // The sum is larger where grains are closer together.
        *x /= weight.max(0.4);
    }
    out
}

/// Adds the grain of two periods around a mark. A shorter vocal tract reads it faster.
fn add(out: &mut [f32], weight: &mut [f32], samples: &[f32], mark: Mark, place: f32, formants: f32) {
    let reach = mark.period / formants;
    let first = (place - reach).ceil().max(0.0) as usize;
    let last = ((place + reach).floor().max(0.0) as usize).min(out.len().saturating_sub(1));
    for index in first..=last {
        let away = index as f32 - place;
        let window = 0.5 + 0.5 * (PI * away / reach).cos();
        let from = mark.at + away * formants;
        if from < 0.0 {
            continue;
        }
        let (whole, part) = (from as usize, from.fract());
        let (Some(a), Some(to), Some(sum)) = (samples.get(whole), out.get_mut(index), weight.get_mut(index))
        else {
            continue;
        };
        let b = samples.get(whole + 1).unwrap_or(a);
        *to += window * (a + (b - a) * part);
        *sum += window;
    }
}

/// Places marks one period apart in voiced sound, at the peaks of the fundamental, and evenly elsewhere.
fn marks(samples: &[f32]) -> Vec<Mark> {
    let low = resample(samples, RATE, PITCH_RATE);
    let pitches = pitches(&low, PITCH_RATE, STEP);
    let mut base = samples.to_vec();
    Biquad::lowpass(RATE as f32, 900.0, 0.7).run(&mut base);
    let pitch = |at: f32| {
        let place = (at / RATE as f32 / STEP).round() as usize;
        pitches.get(place).copied().unwrap_or(0.0)
    };
    let mut marks: Vec<Mark> = Vec::new();
    let mut at = 0.0_f32;
    while (at as usize) < samples.len() {
        let hz = pitch(at);
        if hz <= 0.0 {
            let period = UNVOICED * RATE as f32;
            marks.push(Mark {
                at,
                period,
                voiced: false,
            });
            at += period;
            continue;
        }
        let period = RATE as f32 / hz;
        // The first mark searches a whole period; later ones search near their expected position.
        let begun = marks.last().is_some_and(|mark| mark.voiced);
        let reach = if begun { 0.15 * period } else { 0.5 * period };
        let peak = highest(&base, at, reach);
        let peak = if marks.last().is_some_and(|mark| peak <= mark.at + 0.4 * period) {
            at
        } else {
            peak
        };
        marks.push(Mark {
            at: peak,
            period,
            voiced: true,
        });
        at = peak + period;
    }
    marks
}

fn highest(samples: &[f32], middle: f32, reach: f32) -> f32 {
    let first = (middle - reach).max(0.0) as usize;
    let last = ((middle + reach) as usize).min(samples.len().saturating_sub(1));
    (first..=last)
        .max_by(|a, b| samples[*a].total_cmp(&samples[*b]))
        .map_or(middle, |place| place as f32)
}

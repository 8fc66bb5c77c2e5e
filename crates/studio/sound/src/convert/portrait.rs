//! Measures a voice.

use atelier_fft::Complex;

use super::RATE;
use crate::{
    dsp::{resample::resample, stft::Stft},
    file::Audio,
    speech::vocoder::analysis::pitch::{Yin, without_leaps},
};

/// Timbre bands, and their distance in nepers of frequency: about a sixth of an octave.
pub(super) const BANDS: usize = 36;
pub(super) const STEP: f32 = 0.118;
/// Centre of the lowest band, in Hz. The highest is near 7.5 kHz.
const LOWEST: f32 = 120.0;
/// Range of pitch in speech, in Hz.
const PITCHES: (f32, f32) = (60.0, 480.0);
/// The sample rate for pitch detection, and the time between estimates in seconds.
const PITCH_RATE: u32 = 16_000;
const PITCH_STEP: f32 = 0.01;
/// Shortest voiced speech that describes a voice, in seconds.
const LEAST: f32 = 0.3;
/// How much of a recording is analysed, in seconds.
const MOST: f32 = 60.0;
const WINDOW: usize = 2_048;

/// A voice, as measured on a recording.
#[derive(Debug, Clone, PartialEq)]
pub struct Portrait {
    /// Median pitch, in Hz.
    pub pitch: f32,
    /// How much the pitch varies: the standard deviation of its logarithm.
    pub spread: f32,
    /// Seconds of voiced speech found.
    pub voiced: f32,
    /// Long-term level in dB, per band.
    pub(super) colour: [f32; BANDS],
    /// The same without its slope, which leaves the formants.
    pub(super) detail: [f32; BANDS],
}

/// Measures a voice. Returns `None` if there is too little speech.
pub fn portrait(recording: &Audio) -> Option<Portrait> {
    let mut mono = recording.downmix();
    mono.truncate((MOST * recording.rate as f32) as usize);
    let low = resample(&mono, recording.rate.max(1), PITCH_RATE);
    let mut heard: Vec<f32> = pitches(&low, PITCH_RATE, PITCH_STEP)
        .into_iter()
        .filter(|hz| *hz > 0.0)
        .collect();
    let voiced = heard.len() as f32 * PITCH_STEP;
    if voiced < LEAST {
        return None;
    }
    heard.sort_by(f32::total_cmp);
    let pitch = heard[heard.len() / 2];
    // Ignores octave errors.
    let near: Vec<f32> = heard
        .iter()
        .map(|hz| (hz / pitch).ln())
        .filter(|away| away.abs() < 0.6)
        .collect();
    let spread = (near.iter().map(|away| away * away).sum::<f32>() / near.len().max(1) as f32).sqrt();
    let colour = colour(&resample(&mono, recording.rate.max(1), RATE))?;
    Some(Portrait {
        pitch,
        spread,
        voiced,
        detail: flat(&colour),
        colour,
    })
}

/// The pitch every `step` seconds; 0 where there is none.
pub(super) fn pitches(samples: &[f32], rate: u32, step: f32) -> Vec<f32> {
    let yin = Yin::new(rate, PITCHES.0, PITCHES.1);
    let hop = step * rate as f32;
    let loudest = samples
        .chunks((hop as usize).max(1))
        .map(|part| part.iter().map(|x| x * x).sum::<f32>())
        .fold(0.0, f32::max);
    let raw: Vec<f32> = (0..(samples.len() as f32 / hop) as usize)
        .map(|index| {
            let centre = (index as f32 * hop) as usize;
            let part = &samples[centre..(centre + hop as usize).min(samples.len())];
            // Anything 40 dB below the loudest is room noise.
            if part.iter().map(|x| x * x).sum::<f32>() < 1e-4 * loudest {
                return 0.0;
            }
            yin.at(samples, centre).f0
        })
        .collect();
    without_leaps(&raw)
}

/// The band of a frequency, as a fractional index.
pub(super) fn band_of(hz: f32) -> f32 {
    ((hz.max(1.0) / LOWEST).ln() / STEP).clamp(0.0, (BANDS - 1) as f32)
}

/// The long-term level of loud frames in dB, per band. Returns `None` for silence.
pub(super) fn colour(samples: &[f32]) -> Option<[f32; BANDS]> {
    let stft = Stft::new(WINDOW);
    let frames = stft.frames(samples);
    let powers: Vec<f32> = frames
        .iter()
        .map(|frame| frame.iter().map(Complex::norm_sqr).sum())
        .collect();
    let loudest = powers.iter().copied().fold(0.0, f32::max);
    if loudest < 1e-6 {
        return None;
    }
    let width = RATE as f32 / WINDOW as f32;
    let mut sums = [1e-9_f32; BANDS];
    for (frame, power) in frames.iter().zip(&powers) {
        if *power < 0.003 * loudest {
            continue;
        }
        for (band, sum) in sums.iter_mut().enumerate() {
            let middle = LOWEST * (STEP * band as f32).exp();
            let bin = |hz: f32| (hz / width).round() as usize;
            let (from, to) = (
                bin(middle * (-0.5 * STEP).exp()),
                bin(middle * (0.5 * STEP).exp()),
            );
            let bins = &frame[from.min(frame.len() - 1)..=to.max(from).min(frame.len() - 1)];
            *sum += bins.iter().map(Complex::norm_sqr).sum::<f32>() / bins.len() as f32 / loudest;
        }
    }
    Some(sums.map(|sum| 10.0 * sum.log10()))
}

/// Removes level and slope, and everything below the formants.
fn flat(colour: &[f32; BANDS]) -> [f32; BANDS] {
    let count = BANDS as f32;
    let middle = (count - 1.0) / 2.0;
    let mean = colour.iter().sum::<f32>() / count;
    let (mut cross, mut square) = (0.0, 0.0);
    for (band, level) in colour.iter().enumerate() {
        let x = band as f32 - middle;
        cross += x * (level - mean);
        square += x * x;
    }
    let slope = cross / square;
    std::array::from_fn(|band| {
        let away = colour[band] - mean - slope * (band as f32 - middle);
        // From 300 Hz on.
        if band < 8 { 0.0 } else { away }
    })
}

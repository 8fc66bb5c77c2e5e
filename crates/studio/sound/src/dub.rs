//! Prepares a recording for dubbing: finds when somebody speaks, and what is heard without the voice.
//!
//! Between phrases, the background is the recording itself. Within them, it is what stem separation leaves without the
//! voice, limited in every band to the background's level in the pauses: anything louder is residual speech.

use atelier_fft::Complex;

use crate::{
    dsp::{
        resample::resample,
        stft::{Frame, Stft},
    },
    file::Audio,
    stems::separate,
};

/// The sample rate of all processing.
pub const RATE: u32 = 44_100;
/// Length of a frame for speech detection, in seconds.
const STEP: f32 = 0.02;
/// Speech is at most this many dB below the loudest frame.
const RANGE: f32 = 34.0;
/// The level at which speech begins between the quiet and the loud level of a recording, as a share of the distance in
/// dB.
const BEGINS: f32 = 0.42;
/// Seconds: shorter pauses belong to a phrase, shorter phrases are ignored.
const PAUSE: f32 = 0.28;
const LEAST: f32 = 0.24;
/// Seconds before and after a phrase that still belong to it: consonants are quiet, and rooms ring.
const BEFORE: f32 = 0.09;
const AFTER: f32 = 0.16;
/// Window length of the second step of the separation, in samples.
const WINDOW: usize = 2_048;
/// How much louder the background may be within phrases than in the pauses.
const MORE: f32 = 1.25;

/// When somebody speaks, in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Phrase {
    pub start: f32,
    pub end: f32,
}

impl Phrase {
    pub fn seconds(&self) -> f32 {
        self.end - self.start
    }
}

/// A recording, separated into voice and background.
#[derive(Debug, Clone)]
pub struct Parted {
    /// Everything but the voice, at [`RATE`], mono or stereo.
    pub background: Audio,
    /// The voice, mono.
    pub voice: Audio,
    pub phrases: Vec<Phrase>,
}

/// Separates a recording. `progress` is told how much is done, 0 to 1.
pub fn part(recording: &Audio, progress: &mut dyn FnMut(f32)) -> Parted {
    let channels = recording.channels.iter().take(2);
    let recording = Audio {
        rate: RATE,
        channels: channels
            .map(|row| resample(row, recording.rate.max(1), RATE))
            .collect(),
    };
    let stems = separate(&recording, &mut |done| progress(0.8 * done));
    let phrases = phrases(&stems.vocals.downmix());
    let mut rest = stems.other;
    for part in [&stems.drums, &stems.bass] {
        for (to, from) in rest.channels.iter_mut().zip(&part.channels) {
            for (to, from) in to.iter_mut().zip(from) {
                *to += from;
            }
        }
    }
    let inside = inside(&phrases, recording.frames());
    let background = Audio {
        rate: RATE,
        channels: recording
            .channels
            .iter()
            .zip(&rest.channels)
            .map(|(own, rest)| {
                let held = held(rest, &inside);
                own.iter()
                    .zip(held)
                    .zip(&inside)
                    .map(|((own, held), inside)| own + (held - own) * inside)
                    .collect()
            })
            .collect(),
    };
    let (all, behind) = (recording.downmix(), background.downmix());
    let voice = all.iter().zip(behind).map(|(all, behind)| all - behind).collect();
    progress(1.0);
    Parted {
        background,
        voice: Audio::mono(RATE, voice),
        phrases,
    }
}

/// Finds when an isolated voice speaks.
pub fn phrases(voice: &[f32]) -> Vec<Phrase> {
    let step = (STEP * RATE as f32) as usize;
    let raw: Vec<f32> = voice
        .chunks(step)
        .map(|part| part.iter().map(|x| x * x).sum::<f32>() / part.len() as f32)
        .collect();
    let level: Vec<f32> = (0..raw.len())
        .map(|at| {
            let near = &raw[at.saturating_sub(1)..(at + 2).min(raw.len())];
            10.0 * (near.iter().sum::<f32>() / near.len() as f32 + 1e-10).log10()
        })
        .collect();
    let mut sorted = level.clone();
    sorted.sort_by(f32::total_cmp);
    let Some(last) = sorted.len().checked_sub(1) else {
        return Vec::new();
    };
    let (floor, loud) = (sorted[last / 10], sorted[last * 19 / 20]);
    if loud < -70.0 {
        return Vec::new();
    }
    // If everything is equally loud, it is all speech or all background.
    let least = (floor + BEGINS * (loud - floor))
        .max(loud - RANGE)
        .min(loud - 8.0);
    let mut found: Vec<Phrase> = Vec::new();
    for (at, level) in level.iter().enumerate() {
        if *level < least {
            continue;
        }
        let (start, end) = (at as f32 * STEP, (at + 1) as f32 * STEP);
        match found.last_mut() {
            Some(phrase) if start - phrase.end < PAUSE => phrase.end = end,
            _ => found.push(Phrase { start, end }),
        }
    }
    found.retain(|phrase| phrase.seconds() >= LEAST);
    let length = voice.len() as f32 / RATE as f32;
    for phrase in &mut found {
        phrase.end = phrase.end.min(length);
    }
    found
}

/// How far each sample is within a phrase, with soft edges.
fn inside(phrases: &[Phrase], length: usize) -> Vec<f32> {
    let mut inside = vec![0.0_f32; length];
    let fade = 0.04 * RATE as f32;
    for phrase in phrases {
        let (start, end) = (
            (phrase.start - BEFORE) * RATE as f32,
            (phrase.end + AFTER) * RATE as f32,
        );
        let first = (start - fade).max(0.0) as usize;
        let last = ((end + fade) as usize).min(length);
        for (at, inside) in inside.iter_mut().enumerate().take(last).skip(first) {
            let at = at as f32;
            let k = ((at - start) / fade + 1.0)
                .min((end - at) / fade + 1.0)
                .clamp(0.0, 1.0);
            *inside = inside.max(k);
        }
    }
    inside
}

/// Limits every band of a signal to its level in the pauses.
fn held(row: &[f32], inside: &[f32]) -> Vec<f32> {
    let stft = Stft::new(WINDOW);
    let mut frames = stft.frames(row);
    // Frames are centred on their position, or begin there. Either way, a frame without a sample of a phrase is a
    // pause.
    let pause = |frame: usize| {
        let middle = frame * stft.hop();
        let from = middle.saturating_sub(WINDOW).min(inside.len());
        let to = (middle + WINDOW).min(inside.len());
        inside[from..to].iter().all(|inside| *inside < 0.01)
    };
    let pauses: Vec<usize> = (0..frames.len()).filter(|frame| pause(*frame)).collect();
    let enough = pauses.len() * stft.hop() > RATE as usize / 4;
    let usual = |bin: usize, frames: &[Frame]| {
        let mut values: Vec<f32> = if enough {
            pauses.iter().map(|frame| frames[*frame][bin].norm()).collect()
        } else {
            frames.iter().map(|frame| frame[bin].norm()).collect()
        };
        // If somebody never pauses, only the quiet moments of each band remain.
        let at = values.len() * if enough { 9 } else { 1 } / 10;
        let at = at.min(values.len().saturating_sub(1));
        if values.is_empty() {
            return 0.0;
        }
        *values.select_nth_unstable_by(at, f32::total_cmp).1
    };
    let most: Vec<f32> = (0..stft.bins()).map(|bin| MORE * usual(bin, &frames)).collect();
    for frame in &mut frames {
        for (bin, most) in frame.iter_mut().zip(&most) {
            let norm = bin.norm();
            if norm > *most {
                *bin *= most / norm;
            }
        }
        if let Some(first) = frame.first_mut() {
            *first = Complex::new(first.re, 0.0);
        }
    }
    stft.samples(&mut frames, row.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::speech::{Normalization, Reading, Voice, speak};

    fn spoken(text: &str) -> Vec<f32> {
        let reading = Reading {
            text,
            voice: Voice::named("Omar").unwrap(),
            stability: 0.5,
            normalization: Normalization::Auto,
            language: "en",
            helper: std::path::Path::new(""),
            seed: 1,
        };
        let mut samples = speak(&reading, &|_| {}).unwrap().samples;
        let peak = samples.iter().fold(0.0_f32, |peak, x| peak.max(x.abs()));
        for x in &mut samples {
            *x *= 0.5 / peak;
        }
        // Silence before the first sound and after the last one is not speech.
        let loud = |x: &f32| x.abs() > 0.02;
        let (first, last) = (samples.iter().position(loud), samples.iter().rposition(loud));
        samples[first.unwrap()..=last.unwrap()].to_vec()
    }

    fn noise(length: usize, level: f32) -> Vec<f32> {
        let mut last = 0.0_f32;
        crate::chance::noise(7, length)
            .into_iter()
            .map(|x| {
                last = 0.7 * last + 0.3 * x;
                level * last
            })
            .collect()
    }

    fn power(samples: &[f32]) -> f32 {
        samples.iter().map(|x| x * x).sum::<f32>() / samples.len().max(1) as f32
    }

    /// Two sentences in some noise: one from 1 s, the other one second after the first.
    fn scene(level: f32) -> (Audio, Vec<f32>, [Phrase; 2]) {
        let (one, two) = (spoken("The boat leaves at noon."), spoken("Nobody waits for it."));
        let rate = RATE as usize;
        let second = 2 * rate + one.len();
        let length = second + two.len() + rate;
        let behind = noise(length, level);
        let mut all = behind.clone();
        for (start, said) in [(rate, &one), (second, &two)] {
            for (to, from) in all[start..].iter_mut().zip(said.iter()) {
                *to += from;
            }
        }
        let time = |sample: usize| sample as f32 / RATE as f32;
        let truth = [
            Phrase {
                start: 1.0,
                end: time(rate + one.len()),
            },
            Phrase {
                start: time(second),
                end: time(second + two.len()),
            },
        ];
        (Audio::mono(RATE, all), behind, truth)
    }

    #[test]
    fn phrases_are_found_where_somebody_speaks_with_and_without_a_background() {
        for level in [0.0, 0.03] {
            let (recording, _, truth) = scene(level);
            let parted = part(&recording, &mut |_| {});
            assert_eq!(parted.phrases.len(), 2, "{level}: {:?}", parted.phrases);
            for (found, truth) in parted.phrases.iter().zip(truth) {
                let away = (found.start - truth.start)
                    .abs()
                    .max((found.end - truth.end).abs());
                assert!(away < 0.25, "{level}: {found:?}, not {truth:?}");
            }
        }
    }

    #[test]
    fn the_background_keeps_its_level_and_loses_the_speech() {
        let (recording, behind, truth) = scene(0.03);
        let parted = part(&recording, &mut |_| {});
        let background = &parted.background.channels[0];
        for phrase in truth {
            let at = |time: f32| (time * RATE as f32) as usize;
            let (from, to) = (at(phrase.start), at(phrase.end));
            let own = power(&behind[from..to]);
            let change = 10.0 * (power(&background[from..to]) / own).log10();
            let before = 10.0 * (power(&recording.channels[0][from..to]) / own).log10();
            println!("{before:.1} dB above the background before, {change:.1} dB after");
            assert!(before > 9.0 && (-6.0..4.0).contains(&change), "{change} dB");
        }
        // The pauses must be unchanged.
        assert_eq!(
            background[..RATE as usize / 2],
            recording.channels[0][..RATE as usize / 2]
        );
        let (silent, _, _) = scene(0.0);
        let parted = part(&silent, &mut |_| {});
        let left = power(&parted.background.channels[0]) / power(&silent.channels[0]);
        assert!(left < 0.01, "{left} of the speech is left");
    }

    #[test]
    fn silence_has_no_phrases() {
        assert!(phrases(&[]).is_empty());
        assert!(phrases(&vec![0.0; 40_000]).is_empty());
    }
}

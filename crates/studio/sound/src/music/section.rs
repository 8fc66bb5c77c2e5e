//! Replaces a section of a recording with new music in the same tempo, key and loudness, aligned to the beats.

use super::{
    analysis::{Pulse, key, pulse},
    compose::{Composition, compose},
    mix::{PerformError, Settings, perform},
    plan::{Fit, Order},
    theory::{Key, Mode},
};
use crate::{
    dsp::resample::resample,
    file::{Audio, loudness},
};

/// The part to replace, and its replacement.
#[derive(Debug, Clone)]
pub struct Replacement {
    /// In seconds.
    pub start: f64,
    pub end: f64,
    /// A description, or lyrics: several lines, or lines with marks.
    pub prompt: String,
    pub style: String,
    pub seed: u64,
}

/// The report of what was heard and done.
#[derive(Debug, Clone)]
pub struct Report {
    pub bpm: f64,
    pub key: Key,
    /// Loudness around the section, in LUFS.
    pub loudness: f64,
    /// How clear the pulse was, 0 to 1.
    pub clarity: f64,
    /// Lengths of the fades into and out of the section, in seconds.
    pub fades: (f64, f64),
    pub composition: Composition,
}

/// Seconds analysed on each side of the section.
const AROUND: f64 = 45.0;
/// The shortest and longest fade, in seconds.
const FADE: (f64, f64) = (0.06, 0.6);
/// Below this clarity, the beats are not trusted and fades are plain.
const CLEAR: f64 = 0.08;

/// Replaces a section. Samples before `start` and after `end` do not change, nor do rate, channels and length.
pub fn replace(
    source: &Audio,
    order: &Replacement,
    settings: &Settings,
    progress: &mut dyn FnMut(f32),
) -> Result<(Audio, Report), PerformError> {
    let rate = f64::from(source.rate);
    let start = ((order.start * rate).round() as usize).min(source.frames());
    let end = ((order.end * rate).round() as usize).clamp(start, source.frames());
    let seconds = (end - start) as f64 / rate;
    let heard = Heard::of(source, order.start, order.end);
    progress(0.2);
    let period = 60.0 / heard.bpm;
    // The first bar begins on the beat before the section.
    let lead_in = heard.since_beat(order.start);
    let bars = ((seconds + lead_in) / (4.0 * period)).ceil().max(1.0) as usize + 1;
    let composition = compose(&fitted(order, &heard, bars));
    let around = heard.loudness;
    let wanted = Settings {
        loudness: Some(around),
        ..settings.clone()
    };
    let new = perform(
        &composition.score,
        &composition.production,
        &wanted,
        &mut |done| progress(0.2 + 0.7 * done),
    )?;
    let rows = cut(&new, source, lead_in, end - start);
    let fades = heard.fades(order.start, order.end);
    let mut result = source.clone();
    splice(
        &mut result,
        &rows,
        start,
        end,
        ((fades.0 * rate) as usize, (fades.1 * rate) as usize),
    );
    progress(1.0);
    let report = Report {
        bpm: heard.bpm,
        key: heard.key,
        loudness: around,
        clarity: heard.clarity,
        fades,
        composition,
    };
    Ok((result, report))
}

/// The surroundings of a section.
struct Heard {
    bpm: f64,
    /// The time of one beat in seconds.
    phase: f64,
    clarity: f64,
    key: Key,
    loudness: f64,
}

impl Heard {
    fn of(source: &Audio, start: f64, end: f64) -> Self {
        let rate = f64::from(source.rate);
        let sample = |seconds: f64| ((seconds.max(0.0) * rate) as usize).min(source.frames());
        let (from, to) = (sample(start - AROUND), sample(end + AROUND));
        let stretch = |from: usize, to: usize| Audio {
            rate: source.rate,
            channels: source
                .channels
                .iter()
                .map(|channel| channel[from..to].to_vec())
                .collect(),
        };
        let near = stretch(from, to);
        let mono = near.downmix();
        let offset = from as f64 / rate;
        let found = pulse(&mono, source.rate).unwrap_or(Pulse {
            bpm: 110.0,
            phase: 0.0,
            beats: Vec::new(),
            clarity: 0.0,
        });
        // The loudness is that of the surroundings or, if there are none, of the whole recording.
        let (before, after) = (stretch(from, sample(start)), stretch(sample(end), to));
        let mut kept = before;
        for (channel, more) in kept.channels.iter_mut().zip(after.channels) {
            channel.extend(more);
        }
        let level = [loudness::integrated(&kept), loudness::integrated(&near)]
            .into_iter()
            .find(|level| *level > -60.0);
        Self {
            bpm: found.bpm.clamp(50.0, 215.0),
            phase: offset + found.phase,
            clarity: found.clarity,
            key: key(&mono, source.rate).unwrap_or(Key {
                tonic: 0,
                mode: Mode::Major,
            }),
            loudness: level.unwrap_or(-16.0).min(-6.0),
        }
    }

    /// Seconds from the last beat to a time.
    fn since_beat(&self, time: f64) -> f64 {
        (time - self.phase).rem_euclid(60.0 / self.bpm)
    }

    /// Fades that end, and begin, on a beat, if there are beats.
    fn fades(&self, start: f64, end: f64) -> (f64, f64) {
        let most = FADE.1.min(0.25 * (end - start));
        if self.clarity < CLEAR {
            return (most.min(0.12), most.min(0.12));
        }
        let period = 60.0 / self.bpm;
        let to_beat = period - self.since_beat(start);
        let from_beat = self.since_beat(end);
        let fit = |length: f64| {
            let length = if length < FADE.0 { length + period } else { length };
            if length > most {
                most.min(FADE.0.max(length - period))
            } else {
                length
            }
        };
        (fit(to_beat), fit(from_beat))
    }
}

/// The order for the new material.
fn fitted(order: &Replacement, heard: &Heard, bars: usize) -> Order {
    let is_lyrics = order.prompt.contains('[') || order.prompt.trim().lines().count() > 1;
    let mut made = Order::new(&order.prompt, order.seed);
    made.style.clone_from(&order.style);
    made.lyrics = is_lyrics.then(|| order.prompt.clone());
    let sung = ["vocals", "singing", "sung", "voice"]
        .iter()
        .any(|word| super::words::holds(&super::words::plain(&order.prompt), word));
    made.instrumental = !is_lyrics && !sung;
    made.fit = Some(Fit {
        bpm: heard.bpm,
        key: heard.key,
        bars,
    });
    made
}

/// The new material in the source's format, from `skip` seconds on.
fn cut(new: &Audio, source: &Audio, skip: f64, frames: usize) -> Vec<Vec<f32>> {
    let from = ((skip * f64::from(new.rate)) as usize).min(new.frames());
    let rows: Vec<Vec<f32>> = match source.channels.len() {
        1 => vec![new.downmix()],
        _ => new.channels.clone(),
    };
    rows.iter()
        .map(|row| {
            let mut row = resample(&row[from..], new.rate, source.rate);
            row.resize(frames, 0.0);
            row
        })
        .collect()
}

/// Inserts channels, with fades of equal power at both ends. If the source has more channels, the rest is silent
/// within the section.
fn splice(result: &mut Audio, rows: &[Vec<f32>], start: usize, end: usize, fades: (usize, usize)) {
    let frames = end - start;
    let amount = |at: usize| -> (f32, f32) {
        let into = if fades.0 > 0 {
            (at as f32 / fades.0 as f32).min(1.0)
        } else {
            1.0
        };
        let out = if fades.1 > 0 {
            ((frames - 1 - at) as f32 / fades.1 as f32).min(1.0)
        } else {
            1.0
        };
        let share = into.min(out) * std::f32::consts::FRAC_PI_2;
        (share.sin(), share.cos())
    };
    for (index, channel) in result.channels.iter_mut().enumerate() {
        for at in 0..frames {
            let (new, old) = amount(at);
            let fresh = rows.get(index).map_or(0.0, |row| row[at]);
            channel[start + at] = (new * fresh + old * channel[start + at]).clamp(-1.0, 1.0);
        }
    }
}

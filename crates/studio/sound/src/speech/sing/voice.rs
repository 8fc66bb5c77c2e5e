//! Sings a line in a singer's voice, as frames for the vocoder.

use std::f32::consts::{PI, TAU};

use super::{
    super::{
        english::{self, Phrase},
        text,
        vocoder::{Frame, SHIFT, frame::NEPERS},
    },
    Line, Note, SingError, Singer,
    syllables::say,
    timing::{Moment, Timing},
};

/// Loudness of a vowel at full velocity: the natural logarithm of its RMS.
const LEVEL: f32 = -2.3;
/// Seconds of the glide from one note to the next. It arrives just after the note's beginning.
const GLIDE: f32 = 0.09;
const ARRIVAL: f32 = 0.02;
/// A rest of up to this many seconds is sung through.
const BREATH: f32 = 0.06;
/// Seconds of fading at a rest.
const ATTACK: f32 = 0.025;
const RELEASE: f32 = 0.09;
/// The shortest note with vibrato, in seconds.
const VIBRATO_FROM: f32 = 0.4;

/// The frames of a line, and the second at which they begin.
pub(super) struct Take {
    pub(super) start: f32,
    pub(super) frames: Vec<Frame>,
}

pub(super) fn take(singer: Singer, line: &Line, seed: u64) -> Result<Take, SingError> {
    line.check()?;
    let pieces = text::words(&line.text);
    let phrase = english::phrase(singer.speaker, &say(&pieces), 1.15)?;
    let notes = by_syllable(line, phrase.syllables.len())?;
    let timing = Timing::new(&phrase, &notes);
    let start = timing.places.first().map_or(0.0, |place| place.onset);
    let end = timing.places.last().map_or(0.0, |place| place.end);
    let levels = levels(&phrase, &notes);
    let melody = Melody {
        notes: &line.notes,
        singer,
        phase: (seed % 628) as f32 / 100.0,
    };
    let frames = (0..((end - start) / SHIFT) as usize).map(|index| {
        let time = start + index as f32 * SHIFT;
        let Some(moment) = timing.at(time) else {
            return Frame::SILENCE;
        };
        let mut frame = Frame::at(&phrase.frames, moment.source);
        color(&mut frame, singer, &phrase, moment);
        if frame.f0 > 0.0 || moment.in_vowel {
            frame.f0 = melody.at(time);
        }
        let level = levels[moment.syllable] + fade(&timing, moment.syllable, time);
        for value in &mut frame.envelope {
            *value += level;
        }
        frame
    });
    Ok(Take {
        start,
        frames: frames.collect(),
    })
}

/// The notes of each syllable.
fn by_syllable(line: &Line, expected: usize) -> Result<Vec<&[Note]>, SingError> {
    let mut groups: Vec<&[Note]> = Vec::new();
    let mut first = 0;
    for next in 1..=line.notes.len() {
        if line.notes.get(next).is_none_or(|note| !note.tied) {
            groups.push(&line.notes[first..next]);
            first = next;
        }
    }
    if groups.len() == expected {
        return Ok(groups);
    }
    Err(SingError::Syllables {
        text: line.text.clone(),
        expected,
        found: groups.len(),
    })
}

/// The gain of each syllable's frames. It makes vowels about equally loud, as in singing, so that the velocity
/// decides.
fn levels(phrase: &Phrase, notes: &[&[Note]]) -> Vec<f32> {
    let level = |index: usize| {
        let frames = phrase
            .segments
            .iter()
            .filter(|segment| segment.syllable == Some(index) && english::is_vowel(&segment.name))
            .flat_map(|segment| {
                let places = (segment.start / SHIFT) as usize..=(segment.end / SHIFT) as usize;
                places.filter_map(|place| phrase.frames.get(place))
            });
        let (count, sum) = frames.fold((0, 0.0), |(count, sum), frame| (count + 1, sum + frame.power()));
        if count == 0 {
            None
        } else {
            Some((sum / count as f32).ln() / 2.0)
        }
    };
    let spoken: Vec<Option<f32>> = (0..notes.len()).map(level).collect();
    let known: Vec<f32> = spoken.iter().flatten().copied().collect();
    let mean = known.iter().sum::<f32>() / known.len().max(1) as f32;
    spoken
        .iter()
        .zip(notes)
        .map(|(spoken, notes)| {
            let velocity = notes.first().map_or(0.0, |note| note.velocity.clamp(0.0, 1.0));
            let spoken = spoken.map_or(mean, |level| level * 0.8 + mean * 0.2);
            LEVEL - spoken - (1.0 - velocity) * 14.0 * NEPERS
        })
        .collect()
}

/// Fades in after a rest and out before one, in nepers.
fn fade(timing: &Timing, syllable: usize, time: f32) -> f32 {
    let place = timing.places[syllable];
    let rest_before = syllable
        .checked_sub(1)
        .map_or(f32::MAX, |before| place.onset - timing.places[before].end);
    let rest_after = timing
        .places
        .get(syllable + 1)
        .map_or(f32::MAX, |after| after.onset - place.end);
    let mut gain = 1.0_f32;
    if rest_before > BREATH {
        gain *= ((time - place.onset) / ATTACK).clamp(0.01, 1.0);
    }
    if rest_after > BREATH {
        let length = RELEASE.min((place.end - place.vowel) / 3.0);
        gain *= ((place.end - time) / length).clamp(0.01, 1.0);
    }
    gain.ln()
}

/// Applies the singer's vocal tract, resonance and breath, and softens sibilants.
fn color(frame: &mut Frame, singer: Singer, phrase: &Phrase, moment: Moment) {
    frame.warp(singer.warp);
    let seconds = moment.source * SHIFT;
    let phone = phrase.segments.partition_point(|segment| segment.end <= seconds);
    let hiss = phrase
        .segments
        .get(phone)
        .is_some_and(|segment| english::is_sibilant(&segment.name));
    if hiss {
        frame.tilt(|frequency| -3.0 - 4.0 * ((frequency - 4_500.0) / 3_000.0).clamp(0.0, 1.0));
        return;
    }
    // The singer's formant (Sundberg 1974), which lets a trained voice carry through a band.
    let ring = 4.0 * singer.warp;
    let centre = 2_900.0 * singer.warp;
    frame.tilt(|frequency| {
        let away = (frequency - centre) / 700.0;
        let octaves = (frequency.max(500.0) / 500.0).log2().min(4.0);
        ring * (-away * away).exp() + singer.brightness * octaves / 4.0
    });
    if !moment.in_vowel {
        return;
    }
    for (band, strength) in frame.strengths.iter_mut().enumerate() {
        let held = 1.0 - (1.0 - *strength) * 0.4;
        *strength = held * (1.0 - singer.breath * band as f32 / 4.0);
    }
}

/// The pitch along a line.
struct Melody<'a> {
    notes: &'a [Note],
    singer: Singer,
    phase: f32,
}

impl Melody<'_> {
    /// The pitch at a time, in Hz.
    fn at(&self, time: f32) -> f32 {
        let upcoming = self.notes.partition_point(|note| note.start + ARRIVAL <= time);
        let current = &self.notes[upcoming.saturating_sub(1)];
        let mut cents = self.vibrato(current, time) + self.drift(time);
        let goal = current.frequency();
        let Some(next) = self.notes.get(upcoming).filter(|_| upcoming > 0) else {
            return goal * (cents / 1_200.0).exp2();
        };
        // The glide ends just after the next note's beginning.
        let part = ((time - (next.start + ARRIVAL - GLIDE)) / GLIDE).clamp(0.0, 1.0);
        let eased = 0.5 - 0.5 * (PI * part).cos();
        cents *= 1.0 - eased;
        let between = goal * (next.frequency() / goal).powf(eased);
        between * (cents / 1_200.0).exp2()
    }

    /// Vibrato in cents around the note.
    fn vibrato(&self, note: &Note, time: f32) -> f32 {
        if note.duration < VIBRATO_FROM {
            return 0.0;
        }
        let (rate, depth) = self.singer.vibrato;
        let age = time - note.start;
        let growth = ((age - 0.22) / 0.35).clamp(0.0, 1.0);
        depth * growth * (TAU * rate * age + self.phase).sin()
    }

    /// Slow drift, which every singer has.
    fn drift(&self, time: f32) -> f32 {
        4.0 * (TAU * 0.9 * time + self.phase).sin() + 3.0 * (TAU * 2.3 * time + 2.0 * self.phase).sin()
    }
}

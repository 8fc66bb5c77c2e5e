//! The melody of an instrumental, and the hook around a singer.

use super::{bars, ensemble::Ensemble, is_end};
use crate::{
    chance::{Rng, hash},
    music::{
        arrange::Bar,
        form::Kind,
        instrument::Instrument,
        melody::{CONTOURS, Shape, Slot, phrase, rhythm},
        plan::{Order, Plan},
        score::{Note, Part, Role, Score},
    },
};

/// Bars per phrase.
const PHRASE: usize = 4;

pub(super) fn parts(order: &Order, plan: &Plan, score: &Score, ensemble: &Ensemble) -> Vec<Part> {
    let Some(instrument) = ensemble.lead else {
        return Vec::new();
    };
    let sung = score.song.is_some();
    let mut notes = Vec::new();
    let all: Vec<Bar<'_>> = bars(score).collect();
    for section in &score.sections {
        let plays = match section.kind {
            Kind::Solo | Kind::Outro => true,
            Kind::Intro => section.bars > 2,
            Kind::Bridge => !sung && section.bars > 4,
            Kind::Verse | Kind::Chorus => !sung,
        };
        if !plays {
            continue;
        }
        let own: Vec<&Bar<'_>> = all.iter().filter(|bar| bar.section == section).collect();
        // An intro waits for half its length, then anticipates the chorus.
        let skip = if section.kind == Kind::Intro {
            section.bars / 2
        } else {
            0
        };
        for (index, chunk) in own[skip.min(own.len())..].chunks(PHRASE).enumerate() {
            let chunk: Vec<&Bar<'_>> = chunk.iter().copied().filter(|bar| !is_end(score, bar)).collect();
            notes.extend(theme(order, plan, instrument, section.kind, index, &chunk));
        }
    }
    if let Some(last) = bars(score).last().filter(|bar| is_end(score, bar)) {
        let pitch = notes.last().map_or(67, |note: &Note| note.pitch);
        let home = (pitch - 6..pitch + 6)
            .find(|p| (p - plan.key.tonic).rem_euclid(12) == 0)
            .unwrap_or(pitch);
        notes.push(last.note(0.0, last.beats as f64, home, 0.6));
    }
    if notes.is_empty() {
        return Vec::new();
    }
    let echo = 0.7;
    let mut parts = vec![Part {
        role: Role::Lead,
        instrument,
        notes,
        pan: 0.06,
        gain: 1.5,
        echo,
    }];
    if order.profile.doubled && !sung {
        parts.extend(second(plan, score, ensemble, &parts[0], echo));
    }
    parts
}

/// A second instrument that doubles strong sections a third or a sixth below.
fn second(plan: &Plan, score: &Score, ensemble: &Ensemble, first: &Part, echo: f32) -> Option<Part> {
    let other = plan
        .genre
        .leads
        .iter()
        .copied()
        .find(|other| *other != first.instrument && !plan.unwanted.contains(other));
    let instrument = other.or_else(|| ensemble.layers.last().map(|voice| voice.instrument))?;
    let strong = |beat: f64| {
        let bar = (beat / score.beats as f64) as usize;
        score
            .sections
            .iter()
            .any(|section| section.energy > 0.8 && (section.bar..section.bar + section.bars).contains(&bar))
    };
    let notes: Vec<Note> = first
        .notes
        .iter()
        .filter(|note| strong(note.beat))
        .map(|note| {
            let chord = score.chord_at(note.beat);
            let below = (3..=9)
                .map(|off| note.pitch - off)
                .find(|pitch| chord.holds(*pitch))
                .unwrap_or(note.pitch - 12);
            Note {
                pitch: into_range(below, instrument),
                velocity: 0.75 * note.velocity,
                ..*note
            }
        })
        .collect();
    (!notes.is_empty()).then_some(Part {
        role: Role::Lead,
        instrument,
        notes,
        pan: -0.3,
        gain: -4.0,
        echo,
    })
}

/// One phrase: a motif of two bars, its return, a variation and an end. Everything that depends only on the kind of
/// section is the same each time.
fn theme(
    order: &Order,
    plan: &Plan,
    instrument: Instrument,
    kind: Kind,
    index: usize,
    bars: &[&Bar<'_>],
) -> Vec<Note> {
    // Intro and outro use the chorus.
    let name = match kind {
        Kind::Intro | Kind::Outro => "chorus",
        kind => kind.name(),
    };
    let mut rng = Rng::new(order.seed ^ hash("theme") ^ hash(name));
    let lively = match kind {
        Kind::Solo => 1.6,
        Kind::Chorus => 1.1,
        Kind::Bridge => 0.7,
        _ => 0.9,
    };
    let density = plan.genre.density * lively;
    let Some(beats) = bars.first().map(|bar| bar.beats) else {
        return Vec::new();
    };
    let motif = rhythm(beats, density, &mut rng);
    let answer = rhythm(beats, 0.8 * density, &mut rng);
    let varied = rhythm(beats, 1.1 * density, &mut rng);
    let mut starts: Vec<f64> = Vec::new();
    for (at, bar) in bars.iter().enumerate() {
        let pattern = match at % PHRASE {
            0 | 2 => &motif,
            1 => &answer,
            // A phrase breathes at its end.
            _ if index % 2 == 1 => &varied,
            _ => &answer,
        };
        let until = if at % PHRASE == PHRASE - 1 {
            2 * beats + 2
        } else {
            4 * beats
        };
        starts.extend(
            pattern
                .iter()
                .filter(|step| **step < until)
                .map(|step| bar.start + *step as f64 / 4.0),
        );
    }
    let end = bars.last().map_or(0.0, |bar| bar.start + bar.beats as f64);
    let length = |at: usize| {
        let until = starts.get(at + 1).copied().unwrap_or(end - 0.5);
        (until - starts[at]).max(0.25)
    };
    let chord = |beat: f64| {
        bars.iter()
            .find(|bar| beat < bar.start + bar.beats as f64)
            .map(|bar| bar.chord(beat - bar.start))
    };
    let slots: Vec<Slot<'_>> = starts
        .iter()
        .enumerate()
        .filter_map(|(at, beat)| {
            let strong = if beat.fract() < 0.01 { 0.6 } else { 0.2 };
            Some(Slot {
                chord: chord(*beat)?,
                weight: (strong + 0.4 * (length(at) as f32 / 2.0).min(1.0)).min(1.0),
            })
        })
        .collect();
    let base = if kind == Kind::Chorus { 67 } else { 64 };
    let low = into_range(base, instrument);
    let shape = Shape {
        low: low - 2,
        high: low + 12 + if kind == Kind::Solo { 5 } else { 0 },
        contour: CONTOURS[(rng.below(CONTOURS.len()) + index) % CONTOURS.len()],
        closed: index % 2 == 1,
        leaps: (0.15 + 0.7 * order.weirdness + if kind == Kind::Solo { 0.2 } else { 0.0 }).min(1.0),
    };
    let pitches = phrase(&slots, plan.key, &shape, &mut rng);
    let loud = 0.62 + 0.25 * bars[0].section.energy;
    starts
        .iter()
        .zip(&pitches)
        .enumerate()
        .map(|(at, (beat, pitch))| {
            let accent = if beat.fract() < 0.01 { 1.05 } else { 0.92 };
            Note {
                beat: *beat,
                beats: (0.94 * length(at)).min(3.0),
                pitch: *pitch,
                velocity: (loud * accent).min(1.0),
            }
        })
        .collect()
}

/// Moves a pitch by octaves into the instrument's good range, with room for a melody above.
fn into_range(pitch: i32, instrument: Instrument) -> i32 {
    let (low, high) = instrument.facts().range;
    let mut pitch = pitch;
    while (pitch as f32) < low + 2.0 {
        pitch += 12;
    }
    while (pitch as f32) + 10.0 > high && (pitch as f32) - 12.0 > low {
        pitch -= 12;
    }
    pitch
}

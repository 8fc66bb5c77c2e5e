//! Sets words to music: stressed syllables on strong beats, and one melody for each kind of stanza.

use crate::speech::{Gender, Singer, syllables};
use crate::{
    chance::{Rng, hash},
    music::{
        form::{Kind, Stanza},
        melody::{CONTOURS, Shape, Slot, phrase},
        plan::{Order, Plan},
        score::{Note, Score, Song, Sung},
    },
};

/// Syllables per second that are comfortable to sing, and the most that can be sung.
const EASY: f64 = 2.6;
const MOST: f64 = 6.5;

/// Syllables of a line: word, position within it, stress.
fn spell(line: &str) -> Vec<(usize, usize, bool)> {
    // A line that cannot be spoken has no syllables and is not sung.
    let words = syllables(line).unwrap_or_default();
    words
        .iter()
        .enumerate()
        .flat_map(|(word, found)| {
            found
                .syllables
                .iter()
                .enumerate()
                .map(move |(at, syllable)| (word, at, syllable.stressed))
        })
        .collect()
}

/// How many bars each line takes (1, 2 or 4), so that it can be sung comfortably and the song ends within `longest`
/// seconds if its words allow.
pub(super) fn bars_per_line(stanzas: &[Stanza], plan: &Plan, longest: f64) -> usize {
    let counts: Vec<usize> = stanzas
        .iter()
        .flat_map(|stanza| &stanza.lines)
        .map(|line| spell(line).len())
        .collect();
    let Some(most) = counts.iter().copied().max() else {
        return 2;
    };
    let mean = counts.iter().sum::<usize>() as f64 / counts.len() as f64;
    let bar = plan.beats as f64 * 60.0 / plan.bpm;
    let fits = |bars: usize| most as f64 / (bars as f64 * bar * 0.85) <= MOST;
    let wanted = mean / EASY / bar;
    let around = 16.0 * bar;
    let choices = [1, 2, 4, 8];
    choices
        .into_iter()
        .filter(|bars| fits(*bars))
        .filter(|bars| *bars == 1 || (counts.len() * bars) as f64 * bar + around <= longest)
        .min_by(|a, b| (*a as f64 - wanted).abs().total_cmp(&(*b as f64 - wanted).abs()))
        .or_else(|| choices.into_iter().find(|bars| fits(*bars)))
        .unwrap_or(8)
}

/// The song of a score, or `None` if no line of it can be sung.
pub(super) fn set(
    order: &Order,
    plan: &Plan,
    score: &Score,
    stanzas: &[Stanza],
    line_bars: usize,
) -> Option<Song> {
    let singer_seed = order.persona.as_ref().map_or_else(
        || Rng::named(order.seed, "singer").draw(),
        |persona| hash(persona),
    );
    let gender = if plan.female { Gender::Female } else { Gender::Male };
    let singer = Singer::of(gender, (singer_seed % 3) as usize);
    let mut song = Song {
        female: plan.female,
        singer: singer_seed % 3,
        gain: 4.0 * (0.5 - order.audio_weight),
        doubled: order.profile.doubled,
        echo: 0.5,
        ..Song::default()
    };
    for section in &score.sections {
        let Some(stanza) = section.stanza.and_then(|at| stanzas.get(at)) else {
            continue;
        };
        for (index, line) in stanza.lines.iter().enumerate() {
            // A section of fixed length may have no room for all lines.
            if (index + 1) * line_bars > section.bars {
                break;
            }
            let start = ((section.bar + index * line_bars) * score.beats) as f64;
            let span = (line_bars * score.beats) as f64;
            let number = song.lines.len();
            let count = stanza.lines.len();
            let notes = melody(
                order,
                plan,
                score,
                &singer,
                section.kind,
                (index, count),
                line,
                (start, span),
            );
            song.lines.push(line.clone());
            song.notes
                .extend(notes.into_iter().map(|(word, syllable, note)| Sung {
                    line: number,
                    word,
                    syllable,
                    note,
                }));
        }
    }
    (!song.notes.is_empty()).then_some(song)
}

/// The notes of one line: word, syllable, note.
#[expect(
    clippy::too_many_arguments,
    reason = "a line's place in the song is all of these"
)]
fn melody(
    order: &Order,
    plan: &Plan,
    score: &Score,
    singer: &Singer,
    kind: Kind,
    (index, count): (usize, usize),
    line: &str,
    (start, span): (f64, f64),
) -> Vec<(usize, usize, Note)> {
    let spelled = spell(line);
    // The last beats of a line are for breathing.
    let rest = if span > 6.0 { 1.5 } else { 0.75 };
    let stresses: Vec<bool> = spelled.iter().map(|(_, _, stressed)| *stressed).collect();
    let places = place(&stresses, span - rest, score.beats);
    let ends: Vec<f64> = (0..places.len())
        .map(|at| {
            places
                .get(at + 1)
                .copied()
                .unwrap_or((places[at] + 2.0).min(span - 0.5 * rest))
        })
        .collect();
    let slots: Vec<Slot<'_>> = places
        .iter()
        .zip(&ends)
        .zip(&stresses)
        .map(|((place, end), stressed)| {
            let on_beat = if place.fract() < 0.01 { 0.3 } else { 0.0 };
            let weight = on_beat + if *stressed { 0.3 } else { 0.1 } + 0.3 * (end - place).min(1.5) as f32;
            Slot {
                chord: score.chord_at(start + place),
                weight: weight.min(1.0),
            }
        })
        .collect();
    let (low, high) = range(singer, kind);
    let mut rng = Rng::new(order.seed ^ hash("sung") ^ hash(kind.name()) ^ (index % 2) as u64);
    let first = rng.below(CONTOURS.len());
    let shape = Shape {
        low,
        high,
        contour: CONTOURS[(first + index % 2 * 3 + usize::from(index + 1 == count)) % CONTOURS.len()],
        closed: index % 2 == 1 && index + 1 == count,
        leaps: (0.08 + 0.6 * order.weirdness).min(1.0),
    };
    let pitches = phrase(&slots, plan.key, &shape, &mut rng);
    let loud = if kind == Kind::Chorus { 0.85 } else { 0.7 };
    spelled
        .iter()
        .zip(places.iter().zip(&ends))
        .zip(pitches)
        .map(|(((word, syllable, stressed), (place, end)), pitch)| {
            let velocity = loud + if *stressed { 0.06 } else { -0.04 };
            (
                *word,
                *syllable,
                Note {
                    beat: start + place,
                    beats: (end - place) * 0.98,
                    pitch,
                    velocity,
                },
            )
        })
        .collect()
}

/// Returns the part of a voice's range in which a kind of section lies: verses low, choruses high.
fn range(singer: &Singer, kind: Kind) -> (i32, i32) {
    let (low, high) = (singer.range.0 as i32, singer.range.1 as i32);
    match kind {
        Kind::Chorus => ((high - 11).max(low), high),
        Kind::Bridge => ((high - 13).max(low), high - 1),
        _ => (low + 1, (low + 12).min(high)),
    }
}

/// Beats for syllables within `span` beats: in order, evenly spaced if possible, the stressed ones on strong
/// positions, the last one long (a search for the least cost, like Viterbi's).
fn place(stresses: &[bool], span: f64, beats: usize) -> Vec<f64> {
    let count = stresses.len();
    if count == 0 {
        return Vec::new();
    }
    let grid = [0.5, 0.25, 0.125]
        .into_iter()
        .find(|grid| (count as f64 + 1.0) * grid * 1.15 <= span)
        .unwrap_or(span / (count as f64 + 1.0));
    let steps = (span / grid) as usize;
    let per_beat = (1.0 / grid).round().max(1.0) as usize;
    let ideal = (0.82 * steps as f32 / count as f32).max(1.0);
    let strength = |step: usize| -> f32 {
        match (
            step.is_multiple_of(per_beat),
            (step / per_beat) % beats,
            (2 * step).is_multiple_of(per_beat),
        ) {
            (true, 0, _) => 1.0,
            (true, at, _) if 2 * at == beats => 0.85,
            (true, ..) => 0.65,
            (false, _, true) => 0.35,
            _ => 0.1,
        }
    };
    let fit = |step: usize, stressed: bool| {
        if stressed {
            2.0 * (1.0 - strength(step))
        } else {
            0.7 * strength(step)
        }
    };
    let longest_gap = (3.0 * ideal).ceil() as usize + 1;
    let mut costs = vec![vec![f32::INFINITY; steps]; count];
    let mut ways = vec![vec![0; steps]; count];
    for step in 0..steps.min(per_beat + 1) {
        costs[0][step] = fit(step, stresses[0]) + 0.4 * step as f32 / per_beat as f32;
    }
    for index in 1..count {
        for step in index..steps {
            for gap in 1..=longest_gap.min(step) {
                let before = costs[index - 1][step - gap];
                let uneven = (gap as f32 / ideal).ln().abs();
                let cost = before + fit(step, stresses[index]) + 1.1 * uneven;
                if cost < costs[index][step] {
                    (costs[index][step], ways[index][step]) = (cost, step - gap);
                }
            }
        }
    }
    // The last syllable prefers a strong position with room after it.
    let end =
        |step: usize| costs[count - 1][step] + 0.05 * (steps - step).abs_diff(ideal as usize * 2) as f32;
    let mut at = (0..steps).min_by(|a, b| end(*a).total_cmp(&end(*b))).unwrap_or(0);
    if costs[count - 1][at].is_infinite() {
        return (0..count)
            .map(|index| index as f64 * span / count as f64)
            .collect();
    }
    let mut places = vec![0.0; count];
    for index in (0..count).rev() {
        places[index] = at as f64 * grid;
        at = ways[index][at];
    }
    places
}

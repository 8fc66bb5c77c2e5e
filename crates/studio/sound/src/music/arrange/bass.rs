//! Bass lines.

use super::Bar;
use crate::{
    chance::Rng,
    music::{form::Kind, genre::BassLine, score::Note, theory::Key},
};

/// The notes of one bar, from about E1 up.
pub fn bar(line: BassLine, bar: &Bar<'_>, key: Key, lowest: i32, rng: &mut Rng) -> Vec<Note> {
    let beats = bar.beats as f64;
    let loud = 0.62 + 0.25 * bar.section.energy;
    let root = |beat: f64| bar.chord(beat).root_from(lowest);
    let fifth = |beat: f64| {
        let chord = bar.chord(beat);
        let up = chord
            .tones
            .iter()
            .copied()
            .find(|tone| (6..=8).contains(tone))
            .unwrap_or(7);
        let pitch = root(beat) + up;
        if pitch > lowest + 14 { pitch - 12 } else { pitch }
    };
    // Intros and outros hold the roots.
    let line = match (line, bar.section.kind) {
        (BassLine::None, _) => return Vec::new(),
        (
            BassLine::Walking
            | BassLine::Bossa
            | BassLine::Waltz
            | BassLine::Tumbao
            | BassLine::Dub
            | BassLine::RootFifth,
            _,
        ) => line,
        (_, Kind::Intro | Kind::Outro) if bar.section.energy < 0.5 => BassLine::Roots,
        _ => line,
    };
    let marks = |pattern: &str, short: f64| -> Vec<Note> {
        let marks: Vec<char> = pattern.chars().collect();
        (0..4 * bar.beats)
            .filter_map(|step| {
                let beat = step as f64 / 4.0;
                let (pitch, velocity) = match marks[step % marks.len()] {
                    'R' => (root(beat), loud + 0.1),
                    'r' => (root(beat), loud),
                    'o' => (root(beat) + 12, loud),
                    '5' => (fifth(beat), loud),
                    'g' => (root(beat), 0.6 * loud),
                    _ => return None,
                };
                let rest = marks[step % marks.len() + 1..]
                    .iter()
                    .take_while(|mark| **mark == '-')
                    .count();
                Some(bar.note(beat, short * (1 + rest) as f64 / 4.0, pitch, velocity))
            })
            .collect()
    };
    match line {
        BassLine::None => Vec::new(),
        BassLine::Roots | BassLine::Long => {
            let count = bar.chords.len();
            (0..count)
                .map(|at| {
                    let beat = at as f64 * beats / count as f64;
                    bar.note(beat, 0.97 * beats / count as f64, root(beat), loud)
                })
                .collect()
        }
        BassLine::Eighths => marks("R-r-r-r-R-r-r-r-", 0.88),
        BassLine::Offbeat => marks("..R-..r-..R-..r-", 0.8),
        BassLine::Octaves => marks("R-o-r-o-R-o-r-o-", 0.75),
        BassLine::Sixteenths => marks(".rrr.rrr.rrr.rrr", 0.75),
        BassLine::Gallop => marks("R-rrR-rrR-rrR-rr", 0.8),
        BassLine::Acid => marks(
            ["R-rog-r.Rr-og-or", "R.r-o-rgR-ro.gr-", "Rg-rog.rR-gro-r5"][bar.index % 3],
            0.7,
        ),
        BassLine::Syncopated => marks(
            ["R--r--..r-5-..g.", "R--..g--r--5-r..", "R-.gr--.R--o-5g."][(bar.index / 2) % 3],
            0.85,
        ),
        BassLine::Dub => marks(
            ["....R---r-5-....", "R---..r---5-r-..", "..R-r---..5-r-5-"][bar.index % 3],
            0.9,
        ),
        BassLine::Bossa => marks("R----.5-R----.5-", 0.9),
        BassLine::Tumbao => marks("......5-----o---", 0.9),
        BassLine::RootFifth => marks("R---....5---....", 0.9),
        BassLine::Waltz => vec![bar.note(
            0.0,
            0.9,
            if bar.index.is_multiple_of(2) {
                root(0.0)
            } else {
                fifth(0.0)
            },
            loud,
        )],
        BassLine::Walking => walk(bar, key, lowest, loud, rng),
    }
}

/// Quarter notes that lead from root to root: chord tones, then a step into the next chord.
fn walk(bar: &Bar<'_>, key: Key, lowest: i32, loud: f32, rng: &mut Rng) -> Vec<Note> {
    let target = bar.next.root_from(lowest);
    let mut notes = Vec::new();
    let mut last = bar.chord(0.0).root_from(lowest);
    for beat in 0..bar.beats {
        let at = beat as f64;
        let chord = bar.chord(at);
        let starts = (beat * bar.chords.len()).is_multiple_of(bar.beats);
        let pitch = if starts {
            chord.root_from(lowest)
        } else if beat + 1 == bar.beats {
            // From above or below, by a step of the key or by a semitone.
            let side = if target > last { -1 } else { 1 };
            if rng.chance(0.6) {
                key.nearest(target + 2 * side)
            } else {
                target + side
            }
        } else {
            let choices: Vec<i32> = (last - 5..=last + 7)
                .filter(|p| *p != last && chord.holds(*p) && (lowest..lowest + 20).contains(p))
                .collect();
            if choices.is_empty() {
                chord.root_from(lowest)
            } else {
                *rng.pick(&choices)
            }
        };
        notes.push(bar.note(at, 0.93, pitch, loud * rng.between(0.92, 1.05)));
        last = pitch;
    }
    notes
}

//! Accompaniment figures.

use super::Bar;
use crate::{
    chance::Rng,
    music::{genre::Figure, score::Note},
};

/// The notes of one bar. `voicing` returns the pitches at a beat of the bar, in ascending order.
pub fn bar(figure: Figure, bar: &Bar<'_>, voicing: &dyn Fn(f64) -> Vec<i32>, rng: &mut Rng) -> Vec<Note> {
    let loud = 0.5 + 0.3 * bar.section.energy;
    let beats = bar.beats as f64;
    // Always drawn, so that one figure does not change the random numbers of another.
    let way = rng.below(4);
    let chorded = |pattern: &str, length: f64| chords(bar, pattern, length, loud, voicing, rng.clone());
    match figure {
        Figure::Held => held(bar, voicing, 0.8 * loud),
        Figure::Quarters => chorded("x...x...x...x...", 0.45),
        Figure::Strum => strum(bar, "D...d.u...u.d.u.", loud, voicing, rng),
        Figure::Scratch => chorded(
            ["..x.x..x..x.x...", "x..x..x...xx..x."][(bar.index / 2) % 2],
            0.16,
        ),
        Figure::Skank => chorded("....x.......x...", 0.22),
        Figure::Offbeat => chorded("..x...x...x...x.", 0.25),
        Figure::Charleston => chorded(
            [
                "x.....x.........",
                "..x.......x...x.",
                "x.....x....x....",
                "....x.....x.....",
            ][way],
            0.7,
        ),
        Figure::Bossa => {
            let mut notes = chorded("x..x..x...x..x..", 0.4);
            notes.extend(
                [0.0, beats / 2.0].map(|beat| bar.note(beat, 0.9, voicing(beat)[0] - 12, 0.8 * loud)),
            );
            notes
        }
        Figure::Stabs => chorded(
            ["x..x......x.....", "..x..x....x..x..", "x.....x..x......"][(bar.index / 2) % 3],
            0.3,
        ),
        Figure::Chug => chug(bar, voicing, loud, rng),
        Figure::Power => chorded(
            if bar.section.energy > 0.7 {
                "x...x.x...x.x.x."
            } else {
                "x.......x......."
            },
            1.6,
        ),
        Figure::Arpeggio => run(bar, 2, voicing, loud, &[0, 1, 2, 3, 2, 1]),
        Figure::FastArpeggio => run(bar, 4, voicing, 0.85 * loud, &[0, 2, 1, 3, 2, 1, 3, 2]),
        Figure::Picked => run(bar, 2, voicing, loud, &[0, 2, 1, 3, 0, 2, 1, 2]),
        Figure::Alberti => alberti(bar, voicing, loud),
        Figure::Ballad => {
            let mut notes = chorded(
                if bar.section.energy > 0.7 {
                    "x.x.x.x.x.x.x.x."
                } else {
                    "x...x...x...x..."
                },
                0.9,
            );
            notes.extend(bass_octave(bar, voicing, loud));
            notes
        }
        Figure::Montuno => montuno(bar, voicing, loud),
        Figure::Riff => run(
            bar,
            2,
            voicing,
            loud,
            [&[0, 2, 3, 2, 1, 2, 0, 2][..], &[3, 2, 0, 2, 3, 1, 0, 1]][(bar.index / 4) % 2],
        ),
        Figure::Waltz => (1..bar.beats)
            .flat_map(|beat| {
                voicing(beat as f64)
                    .into_iter()
                    .map(move |pitch| (beat as f64, pitch))
            })
            .map(|(beat, pitch)| bar.note(beat, 0.4, pitch, 0.8 * loud))
            .collect(),
    }
}

/// The whole voicing at each mark, held for `length` beats or until the next mark.
fn chords(
    bar: &Bar<'_>,
    pattern: &str,
    length: f64,
    loud: f32,
    voicing: &dyn Fn(f64) -> Vec<i32>,
    mut rng: Rng,
) -> Vec<Note> {
    let marks: Vec<char> = pattern.chars().collect();
    let mut notes = Vec::new();
    for step in 0..4 * bar.beats {
        if marks[step % marks.len()] != 'x' {
            continue;
        }
        let beat = step as f64 / 4.0;
        let gap = (1..4 * bar.beats - step)
            .take_while(|ahead| marks[(step + ahead) % marks.len()] != 'x')
            .count()
            + 1;
        let held = length.min(gap as f64 / 4.0);
        let accent = if step % 4 == 0 { 1.05 } else { 0.95 };
        let velocity = (loud * accent * rng.between(0.94, 1.06)).min(1.0);
        for pitch in voicing(beat) {
            notes.push(bar.note(beat, held, pitch, velocity));
        }
    }
    notes
}

fn held(bar: &Bar<'_>, voicing: &dyn Fn(f64) -> Vec<i32>, loud: f32) -> Vec<Note> {
    let count = bar.chords.len();
    let each = bar.beats as f64 / count as f64;
    (0..count)
        .flat_map(|at| {
            voicing(at as f64 * each)
                .into_iter()
                .map(move |pitch| (at, pitch))
        })
        .map(|(at, pitch)| bar.note(at as f64 * each, 1.02 * each, pitch, loud))
        .collect()
}

/// Down and up strokes, string after string.
fn strum(
    bar: &Bar<'_>,
    pattern: &str,
    loud: f32,
    voicing: &dyn Fn(f64) -> Vec<i32>,
    rng: &mut Rng,
) -> Vec<Note> {
    let marks: Vec<char> = pattern.chars().collect();
    let mut notes = Vec::new();
    for step in 0..4 * bar.beats {
        let beat = step as f64 / 4.0;
        let (down, level) = match marks[step % marks.len()] {
            'D' => (true, 1.0),
            'd' => (true, 0.85),
            'u' => (false, 0.65),
            _ => continue,
        };
        let mut pitches = voicing(beat);
        if down {
            pitches.insert(0, pitches[0] - 12);
        } else {
            pitches.reverse();
            pitches.truncate(3);
        }
        for (string, pitch) in pitches.into_iter().enumerate() {
            let late = 0.022 * string as f64;
            let velocity = (loud * level * rng.between(0.92, 1.05)).min(1.0);
            notes.push(bar.note(beat + late, 0.9, pitch, velocity));
        }
    }
    notes
}

/// Muted eighths on root and fifth, and open chords where the harmony changes.
fn chug(bar: &Bar<'_>, voicing: &dyn Fn(f64) -> Vec<i32>, loud: f32, rng: &mut Rng) -> Vec<Note> {
    let mut notes = Vec::new();
    for step in 0..2 * bar.beats {
        let beat = step as f64 / 2.0;
        let pitches = voicing(beat);
        let open = step == 0 || (step == 2 * bar.beats - 1 && bar.index % 2 == 1);
        let length = if open { 0.48 } else { 0.2 };
        let level = if step % 2 == 0 { 1.0 } else { 0.85 } * rng.between(0.95, 1.04);
        for pitch in pitches.iter().take(if open { 3 } else { 2 }) {
            notes.push(bar.note(beat, length, *pitch, (loud * level).min(1.0)));
        }
    }
    notes
}

/// The voicing's pitches one after another, `per_beat` of them per beat, in a repeating order.
fn run(
    bar: &Bar<'_>,
    per_beat: usize,
    voicing: &dyn Fn(f64) -> Vec<i32>,
    loud: f32,
    order: &[usize],
) -> Vec<Note> {
    (0..per_beat * bar.beats)
        .map(|step| {
            let beat = step as f64 / per_beat as f64;
            let pitches = voicing(beat);
            let index = order[step % order.len()];
            let pitch = pitches[index % pitches.len()] + 12 * (index / pitches.len()) as i32;
            let accent = if step % per_beat == 0 { 1.05 } else { 0.88 };
            bar.note(beat, 1.4 / per_beat as f64, pitch, (loud * accent).min(1.0))
        })
        .collect()
}

/// The left hand of a piano: low, high, middle, high.
fn alberti(bar: &Bar<'_>, voicing: &dyn Fn(f64) -> Vec<i32>, loud: f32) -> Vec<Note> {
    let mut notes = run(
        bar,
        2,
        &|beat| voicing(beat).into_iter().map(|pitch| pitch - 12).collect(),
        0.8 * loud,
        &[0, 2, 1, 2],
    );
    let root = bar.chord(0.0).root_from(36);
    notes.push(bar.note(0.0, bar.beats as f64, root, loud));
    notes
}

fn bass_octave(bar: &Bar<'_>, voicing: &dyn Fn(f64) -> Vec<i32>, loud: f32) -> Vec<Note> {
    let _ = voicing;
    let count = bar.chords.len();
    let each = bar.beats as f64 / count as f64;
    (0..count)
        .map(|at| {
            bar.note(
                at as f64 * each,
                each,
                bar.chord(at as f64 * each).root_from(36),
                0.85 * loud,
            )
        })
        .collect()
}

/// The piano of salsa: octaves and inner notes around the beat.
fn montuno(bar: &Bar<'_>, voicing: &dyn Fn(f64) -> Vec<i32>, loud: f32) -> Vec<Note> {
    let pattern = "x..x.x.x.x.x.x..";
    let marks: Vec<char> = pattern.chars().collect();
    let mut notes = Vec::new();
    for (count, step) in (0..4 * bar.beats)
        .filter(|step| marks[step % marks.len()] == 'x')
        .enumerate()
    {
        let beat = step as f64 / 4.0;
        let pitches = voicing(beat);
        let inner = pitches[1 % pitches.len()];
        let chosen = if count % 2 == 0 {
            vec![pitches[0], pitches[0] + 12]
        } else {
            vec![inner, pitches[pitches.len() - 1]]
        };
        notes.extend(chosen.into_iter().map(|pitch| bar.note(beat, 0.3, pitch, loud)));
    }
    notes
}

//! Drums: grooves by section, fills that lead into the next section, and a crash where a section begins.

use super::Bar;
use crate::{
    chance::Rng,
    music::{form::Kind, genre::Genre, score::Hit, synth::drums::Piece},
};

/// The hits of one bar.
pub fn bar(genre: &Genre, bar: &Bar<'_>, fills: bool, rng: &mut Rng) -> Vec<Hit> {
    let energy = bar.section.energy;
    let sparse = matches!(bar.section.kind, Kind::Intro | Kind::Outro | Kind::Bridge);
    let groove = if energy > 0.75 { genre.lift } else { genre.groove };
    let mut hits = Vec::new();
    let filled = fills
        && bar.is_last()
        && bar.section.kind != Kind::Outro
        && bar.section.bars >= 4
        && !genre.groove.is_empty();
    // A fill takes the last beat, or two if its section is strong.
    let fill_from = if filled {
        bar.beats as f64 - if energy > 0.6 { 2.0 } else { 1.0 }
    } else {
        f64::INFINITY
    };
    for (piece, pattern) in groove {
        let time_keeper = matches!(
            piece,
            Piece::Hat
                | Piece::Ride
                | Piece::Shaker
                | Piece::Brush
                | Piece::Rim
                | Piece::Crackle
                | Piece::Clave
        );
        if sparse && !time_keeper && bar.section.kind == Kind::Intro && bar.index < bar.section.bars / 2 {
            continue;
        }
        if bar.section.kind == Kind::Bridge
            && matches!(piece, Piece::Kick)
            && bar.index < bar.section.bars / 2
        {
            continue;
        }
        let marks: Vec<char> = pattern.chars().collect();
        for step in 0..4 * bar.beats {
            let beat = step as f64 / 4.0;
            let level = match marks[step % marks.len()] {
                'X' => 0.95,
                'x' => 0.72,
                'o' => 0.4,
                _ => continue,
            };
            if beat >= fill_from && !matches!(piece, Piece::Kick | Piece::Crackle) {
                continue;
            }
            let accent = if step % 4 == 0 { 0.04 } else { 0.0 };
            let velocity = (level + accent) * (0.78 + 0.22 * energy) * rng.between(0.93, 1.05);
            hits.push(Hit {
                beat: bar.start + beat,
                piece: *piece,
                velocity: velocity.min(1.0),
            });
        }
    }
    if filled {
        fill(&mut hits, bar, fill_from, energy, rng);
    }
    let opens = bar.index == 0 && energy > 0.7 && bar.start > 0.0 && !genre.lift.is_empty();
    if opens {
        hits.push(Hit {
            beat: bar.start,
            piece: Piece::Crash,
            velocity: 0.55 + 0.35 * energy,
        });
    }
    hits
}

/// A run over snare and toms that grows louder towards the bar line.
fn fill(hits: &mut Vec<Hit>, bar: &Bar<'_>, from: f64, energy: f32, rng: &mut Rng) {
    let ways: [&[Piece]; 4] = [
        &[
            Piece::Snare,
            Piece::Snare,
            Piece::HighTom,
            Piece::HighTom,
            Piece::MidTom,
            Piece::MidTom,
            Piece::LowTom,
            Piece::LowTom,
        ],
        &[Piece::HighTom, Piece::MidTom, Piece::LowTom, Piece::LowTom],
        &[Piece::Snare],
        &[Piece::Snare, Piece::MidTom, Piece::Snare, Piece::LowTom],
    ];
    let way = rng.pick(&ways);
    let steps = ((bar.beats as f64 - from) * 4.0) as usize;
    for step in 0..steps {
        // Quiet sections leave gaps.
        if energy < 0.6 && step % 2 == 1 && rng.chance(0.6) {
            continue;
        }
        let grown = step as f32 / steps as f32;
        let piece = way[(step * way.len() / steps.max(1)) % way.len()];
        let velocity = (0.5 + 0.4 * grown + 0.08 * rng.bipolar()).clamp(0.2, 1.0);
        hits.push(Hit {
            beat: bar.start + from + step as f64 / 4.0,
            piece,
            velocity,
        });
    }
}

//! Melodies: the pitches that best fit a rhythm, its chords and a contour, found by dynamic programming (Viterbi 1967)
//! over the keys of a scale.

use super::theory::{Chord, Key};
use crate::chance::Rng;

/// A note that needs a pitch.
#[derive(Debug, Clone)]
pub struct Slot<'a> {
    pub chord: &'a Chord,
    /// How important it is, 0 to 1: on the beat, long or stressed notes are.
    pub weight: f32,
}

/// The wanted shape of a phrase.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    pub low: i32,
    pub high: i32,
    /// Heights at the start, the middle and the end, 0 to 1 of the range.
    pub contour: [f32; 3],
    /// Whether it ends on the tonic, as an answer does.
    pub closed: bool,
    /// 0 prefers steps, 1 leaps.
    pub leaps: f32,
}

/// Contours of phrases.
pub const CONTOURS: [[f32; 3]; 6] = [
    [0.25, 0.75, 0.4],
    [0.7, 0.5, 0.25],
    [0.3, 0.45, 0.75],
    [0.55, 0.25, 0.5],
    [0.45, 0.8, 0.2],
    [0.6, 0.6, 0.35],
];

/// Pitches for a phrase. The same slots, shape and generator state give the same pitches.
pub fn phrase(slots: &[Slot<'_>], key: Key, shape: &Shape, rng: &mut Rng) -> Vec<i32> {
    if slots.is_empty() {
        return Vec::new();
    }
    let keys: Vec<i32> = (shape.low..=shape.high).collect();
    let mut costs = vec![0.0_f32; keys.len()];
    let mut ways: Vec<Vec<usize>> = Vec::with_capacity(slots.len());
    let count = slots.len();
    for (index, slot) in slots.iter().enumerate() {
        let place = if count == 1 {
            1.0
        } else {
            index as f32 / (count - 1) as f32
        };
        let last = index + 1 == count;
        let fit: Vec<f32> = keys
            .iter()
            .map(|pitch| misfit(*pitch, slot, place, last, key, shape))
            .collect();
        let jitter: Vec<f32> = keys.iter().map(|_| 0.9 * rng.unit()).collect();
        let mut next = vec![f32::INFINITY; keys.len()];
        let mut way = vec![0; keys.len()];
        for (to, pitch) in keys.iter().enumerate() {
            for (from, before) in keys.iter().enumerate() {
                let move_cost = if index == 0 {
                    0.0
                } else {
                    motion(pitch - before, shape.leaps)
                };
                let cost = costs[from] + move_cost;
                if cost < next[to] {
                    (next[to], way[to]) = (cost, from);
                }
            }
            next[to] += fit[to] + jitter[to];
        }
        costs = next;
        ways.push(way);
    }
    let mut at = (0..keys.len())
        .min_by(|a, b| costs[*a].total_cmp(&costs[*b]))
        .unwrap_or(0);
    let mut pitches = vec![0; count];
    for index in (0..count).rev() {
        pitches[index] = keys[at];
        at = ways[index][at];
    }
    pitches
}

/// How badly a pitch fits its place.
fn misfit(pitch: i32, slot: &Slot<'_>, place: f32, last: bool, key: Key, shape: &Shape) -> f32 {
    let in_chord = slot.chord.holds(pitch);
    let mut cost = match (in_chord, key.holds(pitch)) {
        (true, _) => 0.0,
        (false, true) => 0.5 + 3.0 * slot.weight,
        (false, false) => 9.0,
    };
    let [start, middle, end] = shape.contour;
    let aim = if place < 0.5 {
        start + (middle - start) * 2.0 * place
    } else {
        middle + (end - middle) * (2.0 * place - 1.0)
    };
    let height = (pitch - shape.low) as f32 / (shape.high - shape.low).max(1) as f32;
    cost += 7.0 * (height - aim).powi(2);
    if last {
        let class = (pitch - key.tonic).rem_euclid(12);
        cost += match (shape.closed, in_chord, class) {
            (true, true, 0) => -3.0,
            (true, true, _) => 0.5,
            (false, true, 2 | 7 | 11) => -1.0,
            (_, true, _) => 0.0,
            (_, false, _) => 4.0,
        };
    }
    cost
}

/// The cost of an interval: steps are free, repeats and leaps are not.
fn motion(interval: i32, leaps: f32) -> f32 {
    let keep = 1.0 - 0.75 * leaps;
    match interval.abs() {
        0 => 0.8 + 0.6 * leaps,
        1 | 2 => 0.35 * leaps,
        3 | 4 => 0.7 * keep,
        5 => 1.4 * keep,
        6 => 5.0 * keep + 1.0,
        7 => 2.2 * keep,
        8 | 9 => 3.2 * keep,
        12 => 3.0 * keep,
        far => 1.0 + 0.6 * keep * far as f32,
    }
}

/// A rhythm of one bar: where notes start, in sixteenths. `density` is in notes per beat.
pub fn rhythm(beats: usize, density: f32, rng: &mut Rng) -> Vec<usize> {
    let steps = 4 * beats;
    let wanted = ((density * beats as f32 * rng.between(0.8, 1.2)).round() as usize).clamp(1, steps / 2 + 2);
    let fine = density > 1.55;
    let mut scored: Vec<(f32, usize)> = (0..steps)
        .map(|step| {
            let weight: f32 = match step % 4 {
                0 if step == 0 => 2.2,
                0 => 1.3,
                2 => 1.0,
                _ if fine => 0.75,
                _ => 0.1,
            };
            (weight + rng.between(0.0, 0.9), step)
        })
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut starts: Vec<usize> = scored.iter().take(wanted).map(|(_, step)| *step).collect();
    starts.sort_unstable();
    starts
}

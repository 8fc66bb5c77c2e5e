//! Birds: whistles are swept tones, calls come from a throat model.

use std::f32::consts::TAU;

use super::{
    make::{Bed, along, lay, note, pause, sine, tone},
    voice::Cry,
};
use crate::chance::Rng;

/// A whistle along points of (fraction of time, Hz), with a little of its octave.
fn whistle(rng: &mut Rng, rate: f32, seconds: f32, pitch: &[(f32, f32)]) -> Vec<f32> {
    let (trill, depth) = (rng.between(18.0, 34.0), rng.between(0.0, 0.012));
    tone(
        rate,
        seconds,
        |part| along(pitch, part) * (1.0 + depth * (TAU * trill * part * seconds).sin()),
        note,
        |phase| sine(phase) + 0.08 * sine(2.0 * phase),
    )
}

/// Short falling and rising chirps.
fn sparrow(rng: &mut Rng, rate: f32, voice: f32) -> Vec<f32> {
    let mut out = Vec::new();
    let mut at = 0.0;
    for _ in 0..2 + rng.below(4) {
        let top = voice * rng.between(3_900.0, 4_700.0);
        let sound = whistle(
            rng,
            rate,
            0.09,
            &[(0.0, 0.8 * top), (0.25, top), (1.0, 0.62 * top)],
        );
        lay(&mut out, rate, at, &sound, rng.between(0.6, 1.0));
        at += rng.between(0.16, 0.3);
    }
    out
}

/// A slow, flute-like phrase with a twitter at its end.
fn blackbird(rng: &mut Rng, rate: f32, voice: f32) -> Vec<f32> {
    let mut out = Vec::new();
    let mut at = 0.0;
    for _ in 0..3 + rng.below(3) {
        let from = voice * rng.between(1_700.0, 2_700.0);
        let to = from * rng.between(0.75, 1.3);
        let seconds = rng.between(0.14, 0.34);
        let bow = from.max(to) * rng.between(0.95, 1.1);
        let sound = whistle(rng, rate, seconds, &[(0.0, from), (0.5, bow), (1.0, to)]);
        lay(&mut out, rate, at, &sound, rng.between(0.7, 1.0));
        at += seconds + rng.between(0.02, 0.09);
    }
    for _ in 0..3 + rng.below(5) {
        let hz = voice * rng.between(4_200.0, 6_400.0);
        let to = hz * rng.between(0.8, 1.2);
        let sound = whistle(rng, rate, 0.05, &[(0.0, hz), (1.0, to)]);
        lay(&mut out, rate, at, &sound, 0.35);
        at += 0.06;
    }
    out
}

/// Two alternating notes: "tea-cher, tea-cher".
fn titmouse(rng: &mut Rng, rate: f32, voice: f32) -> Vec<f32> {
    let mut out = Vec::new();
    let (high, low) = (4_600.0 * voice, 3_500.0 * voice);
    for turn in 0..4 + rng.below(4) {
        let at = 0.34 * turn as f32;
        let first = whistle(rng, rate, 0.11, &[(0.0, high), (1.0, 0.97 * high)]);
        let second = whistle(rng, rate, 0.15, &[(0.0, low), (1.0, 0.96 * low)]);
        lay(&mut out, rate, at, &first, 0.9);
        lay(&mut out, rate, at + 0.13, &second, 1.0);
    }
    out
}

/// A fast, falling trill.
fn wren(rng: &mut Rng, rate: f32, voice: f32) -> Vec<f32> {
    let mut out = Vec::new();
    let mut top = voice * rng.between(5_600.0, 6_600.0);
    for turn in 0..12 + rng.below(12) {
        let sound = whistle(rng, rate, 0.045, &[(0.0, top), (1.0, 0.7 * top)]);
        lay(
            &mut out,
            rate,
            0.068 * turn as f32,
            &sound,
            0.5 + 0.02 * turn as f32,
        );
        top *= 0.985;
    }
    out
}

/// A steady pitch, then a slur up or down.
fn thrush(rng: &mut Rng, rate: f32, voice: f32) -> Vec<f32> {
    let mut out = Vec::new();
    let hz = voice * rng.between(2_300.0, 3_300.0);
    for turn in 0..2 + rng.below(2) {
        let to = hz * [1.33, 0.8, 1.12, 0.9][rng.below(4)];
        let sound = whistle(rng, rate, 0.26, &[(0.0, hz), (0.55, hz), (1.0, to)]);
        lay(&mut out, rate, 0.42 * turn as f32, &sound, 1.0);
    }
    out
}

/// Several birds of several species, each with its own position, singing in turns.
pub(super) fn birds(rng: &mut Rng, bed: &mut Bed) {
    let songs = [sparrow, blackbird, titmouse, wren, thrush];
    let first = rng.below(songs.len());
    for bird in 0..6 {
        let song = songs[(first + bird) % songs.len()];
        let voice = rng.between(0.88, 1.15);
        let pan = rng.bipolar();
        let near = rng.between(0.12, 1.0);
        let mut at = if bird == 0 { 0.1 } else { rng.between(-1.0, 3.0) };
        while at < bed.seconds() {
            let sound = song(rng, bed.rate, voice);
            let gain = near * rng.between(0.7, 1.0);
            bed.add(at, &sound, pan, gain);
            // An echo from the trees.
            bed.add(at + 0.083, &sound, -0.6 * pan, 0.14 * gain);
            bed.add(at + 0.141, &sound, 0.4 * pan, 0.08 * gain);
            at += sound.len() as f32 / bed.rate + rng.between(0.6, 1.6) + pause(rng, 0.6).min(5.0);
        }
    }
}

pub(super) fn cuckoo(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let mut out = Vec::new();
    let high = rng.between(650.0, 690.0);
    for (at, seconds, hz) in [(0.0, 0.2, high), (0.32, 0.34, high * 0.8)] {
        let sound = tone(
            rate,
            seconds,
            |part| hz * (1.0 - 0.02 * part),
            note,
            |phase| sine(phase) + 0.05 * sine(2.0 * phase),
        );
        lay(&mut out, rate, at, &sound, 1.0);
    }
    out
}

pub(super) fn owl(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let mut out = Vec::new();
    let hz = rng.between(370.0, 420.0);
    for (at, seconds, level) in [
        (0.0, 0.5, 0.8),
        (1.3, 0.14, 0.6),
        (1.55, 0.12, 0.6),
        (1.8, 0.95, 1.0),
    ] {
        let sound = Cry {
            seconds,
            pitch: &[(0.0, 0.94 * hz), (0.2, hz), (1.0, 0.92 * hz)],
            formants: &[(&[(0.0, 1.02 * hz)], 1.0), (&[(0.0, 2.0 * hz)], 0.06)],
            level: &[(0.0, 0.0), (0.2, 1.0), (0.7, 0.9), (1.0, 0.0)],
            breath: 0.12,
            rough: 0.0,
            q: 6.0,
        }
        .sound(rng, rate);
        lay(&mut out, rate, at, &sound, level);
    }
    out
}

pub(super) fn gull(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let mut out = Vec::new();
    let voice = rng.between(0.85, 1.2);
    let mut at = 0.0;
    for turn in 0..2 + rng.below(4) {
        let seconds = if turn == 0 { 0.62 } else { 0.34 };
        let base = 900.0 * voice;
        let sound = Cry {
            seconds,
            pitch: &[
                (0.0, base),
                (0.25, 1.55 * base),
                (0.6, 1.3 * base),
                (1.0, 0.95 * base),
            ],
            formants: &[
                (&[(0.0, 1_500.0), (0.3, 2_300.0), (1.0, 1_400.0)], 1.0),
                (&[(0.0, 3_400.0)], 0.6),
                (&[(0.0, 5_200.0)], 0.25),
            ],
            level: &[(0.0, 0.0), (0.12, 1.0), (0.7, 0.8), (1.0, 0.0)],
            breath: 0.07,
            rough: 0.12,
            q: 2.2,
        }
        .sound(rng, rate);
        lay(&mut out, rate, at, &sound, rng.between(0.7, 1.0));
        at += seconds + rng.between(0.05, 0.16);
    }
    out
}

pub(super) fn crow(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let mut out = Vec::new();
    for turn in 0..2 + rng.below(3) {
        let hz = rng.between(300.0, 350.0);
        let sound = Cry {
            seconds: rng.between(0.28, 0.4),
            pitch: &[(0.0, hz), (0.3, 1.2 * hz), (1.0, 0.8 * hz)],
            formants: &[
                (&[(0.0, 1_100.0), (0.4, 1_500.0), (1.0, 1_100.0)], 1.0),
                (&[(0.0, 2_100.0)], 0.55),
                (&[(0.0, 3_600.0)], 0.2),
            ],
            level: &[(0.0, 0.0), (0.08, 1.0), (0.7, 0.85), (1.0, 0.0)],
            breath: 0.28,
            rough: 0.85,
            q: 2.5,
        }
        .sound(rng, rate);
        lay(&mut out, rate, 0.55 * turn as f32, &sound, 1.0);
    }
    out
}

pub(super) fn rooster(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let mut out = Vec::new();
    let hz = rng.between(470.0, 540.0);
    let notes: [(f32, f32, f32, f32); 4] = [
        (0.0, 0.22, 0.85, 0.95),
        (0.26, 0.16, 1.1, 1.15),
        (0.46, 0.34, 1.3, 1.45),
        (0.82, 1.05, 1.35, 0.72),
    ];
    for (at, seconds, from, to) in notes {
        let sound = Cry {
            seconds,
            pitch: &[(0.0, from * hz), (0.3, to.max(from) * hz), (1.0, to * hz)],
            formants: &[
                (&[(0.0, 900.0), (0.5, 1_450.0), (1.0, 950.0)], 1.0),
                (&[(0.0, 2_400.0)], 0.6),
                (&[(0.0, 3_600.0)], 0.3),
            ],
            level: &[(0.0, 0.0), (0.1, 1.0), (0.75, 0.9), (1.0, 0.0)],
            breath: 0.12,
            rough: 0.4,
            q: 2.8,
        }
        .sound(rng, rate);
        lay(&mut out, rate, at, &sound, 1.0);
    }
    out
}

/// Wings of a flock taking off.
pub(super) fn wings(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let mut out = Vec::new();
    for _ in 0..7 {
        let mut at = rng.between(0.0, 0.35);
        let mut gap = rng.between(0.075, 0.11);
        let end = rng.between(1.0, 1.9);
        while at < end {
            let hz = rng.between(500.0, 1_400.0);
            let sound = super::make::grain(rng, rate, hz, 0.7, 0.06);
            lay(&mut out, rate, at, &sound, (1.2 - at / end).min(1.0));
            at += gap;
            gap *= 1.02;
        }
    }
    out
}

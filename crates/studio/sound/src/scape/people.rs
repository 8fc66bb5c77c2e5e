//! Sounds of people: talk, applause, steps, a heartbeat.

use std::f32::consts::TAU;

use super::{
    make::{
        Bed, bandpass, brown, drift, grain, highpass, lay, lowpass, modes, pink, samples, shape, sine,
        strike, tone, white,
    },
    voice::Cry,
};
use crate::chance::Rng;

/// First and second formants of vowels, in Hz.
const VOWELS: [(f32, f32); 7] = [
    (730.0, 1_090.0),
    (530.0, 1_840.0),
    (400.0, 2_000.0),
    (570.0, 840.0),
    (440.0, 1_020.0),
    (660.0, 1_720.0),
    (490.0, 1_350.0),
];

/// A syllable of meaningless talk: a vowel gliding to another, sometimes with a hiss before it.
fn syllable(rng: &mut Rng, rate: f32, hz: f32, tract: f32) -> Vec<f32> {
    let (a, b) = (*rng.pick(&VOWELS), *rng.pick(&VOWELS));
    let seconds = rng.between(0.11, 0.24);
    let bend = rng.between(0.88, 1.16);
    let mut out = Vec::new();
    let mut begin = 0.0;
    if rng.chance(0.35) {
        let hz = rng.between(2_500.0, 6_000.0);
        let hiss = grain(rng, rate, hz, 1.0, 0.07);
        lay(&mut out, rate, 0.0, &hiss, 0.18);
        begin = 0.04;
    }
    let sound = Cry {
        seconds,
        pitch: &[(0.0, hz), (0.4, hz * bend), (1.0, 0.92 * hz)],
        formants: &[
            (&[(0.0, tract * a.0), (1.0, tract * b.0)], 1.0),
            (&[(0.0, tract * a.1), (1.0, tract * b.1)], 0.5),
            (&[(0.0, tract * 2_600.0)], 0.2),
        ],
        level: &[(0.0, 0.0), (0.2, 1.0), (0.7, 0.8), (1.0, 0.0)],
        breath: 0.06,
        rough: 0.08,
        q: 4.5,
    }
    .sound(rng, rate);
    lay(&mut out, rate, begin, &sound, 1.0);
    out
}

/// Many people talking at the same time.
pub(super) fn crowd(rng: &mut Rng, bed: &mut Bed) {
    let rate = bed.rate;
    for _ in 0..18 {
        let high = rng.chance(0.5);
        let hz = if high {
            rng.between(165.0, 240.0)
        } else {
            rng.between(90.0, 140.0)
        };
        let tract = if high { 1.13 } else { 0.97 };
        let (pan, near) = (rng.bipolar(), rng.between(0.2, 1.0));
        // Each person has some syllables, which are recombined.
        let own: Vec<Vec<f32>> = (0..14)
            .map(|_| {
                let hz = hz * rng.between(0.85, 1.2);
                syllable(rng, rate, hz, tract)
            })
            .collect();
        let mut at = rng.between(-3.0, 1.0);
        while at < bed.seconds() {
            for _ in 0..3 + rng.below(12) {
                let said = rng.pick(&own);
                let length = said.len() as f32 / rate;
                let gain = near * rng.between(0.5, 1.0);
                bed.add(at, said, pan, gain);
                at += length * rng.between(0.75, 1.05);
            }
            at += rng.between(0.3, 2.4);
        }
    }
    bed.around(rng, 0.05, |rng, out| {
        pink(rng, out, rate);
        bandpass(out, rate, 500.0, 0.5);
    });
}

/// A cheering crowd: many open vowels, with whistles.
pub(super) fn cheer(rng: &mut Rng, bed: &mut Bed) {
    let rate = bed.rate;
    let surge = drift(rng, bed.frames(), rate, 0.35);
    for (hz, q, gain) in [(750.0, 1.6, 1.0), (1_250.0, 1.8, 0.8), (2_700.0, 1.2, 0.35)] {
        bed.around(rng, gain, |rng, out| {
            white(rng, out);
            bandpass(out, rate, hz, q);
            let flutter = drift(rng, out.len(), rate, 14.0);
            shape(out, |at| (1.0 + 0.35 * surge[at]) * (1.0 + 0.4 * flutter[at]));
        });
    }
    bed.scatter(rng, 5.0, |rng| {
        let hz = rng.between(260.0, 480.0);
        let shout = Cry {
            seconds: rng.between(0.6, 1.5),
            pitch: &[(0.0, 0.8 * hz), (0.25, 1.15 * hz), (1.0, 0.85 * hz)],
            formants: &[
                (&[(0.0, 820.0)], 1.0),
                (&[(0.0, 1_300.0)], 0.8),
                (&[(0.0, 2_800.0)], 0.4),
            ],
            level: &[(0.0, 0.0), (0.2, 1.0), (0.6, 0.8), (1.0, 0.0)],
            breath: 0.12,
            rough: 0.3,
            q: 3.0,
        }
        .sound(rng, rate);
        (shout, rng.between(0.1, 0.5))
    });
    bed.scatter(rng, 0.7, |rng| {
        let hz = rng.between(2_200.0, 2_900.0);
        let whistle = tone(
            rate,
            rng.between(0.4, 0.8),
            |part| hz * (0.8 + 0.6 * (3.0 * part).min(1.0) - 0.4 * part),
            super::make::note,
            sine,
        );
        (whistle, 0.12)
    });
}

/// Each person claps with their own hands and tempo.
pub(super) fn applause(rng: &mut Rng, bed: &mut Bed) {
    let rate = bed.rate;
    for _ in 0..45 {
        let hz = rng.between(800.0, 2_400.0);
        let clap = clap(rng, rate, hz);
        let gap = rng.between(0.19, 0.31);
        let (pan, near) = (rng.bipolar(), rng.between(0.15, 1.0));
        let mut at = -rng.unit();
        while at < bed.seconds() {
            bed.add(at, &clap, pan, near * rng.between(0.7, 1.0));
            at += gap * rng.between(0.88, 1.12);
        }
    }
}

fn clap(rng: &mut Rng, rate: f32, hz: f32) -> Vec<f32> {
    let mut out = Vec::new();
    for (at, gain) in [(0.0, 0.6), (0.006, 0.4), (0.011, 1.0)] {
        let part = grain(rng, rate, hz, 1.3, 0.03);
        lay(&mut out, rate, at, &part, gain);
    }
    out
}

pub(super) fn one_clap(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let hz = rng.between(1_000.0, 1_400.0);
    clap(rng, rate, hz)
}

pub(super) fn laughter(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let mut out = Vec::new();
    let (mut hz, tract) = (rng.between(210.0, 330.0), rng.between(0.98, 1.15));
    let mut at = 0.0;
    for turn in 0..6 + rng.below(4) {
        let sound = Cry {
            seconds: 0.15,
            pitch: &[(0.0, 1.15 * hz), (0.3, 1.2 * hz), (1.0, 0.85 * hz)],
            formants: &[
                (&[(0.0, 750.0 * tract)], 1.0),
                (&[(0.0, 1_250.0 * tract)], 0.6),
                (&[(0.0, 2_700.0 * tract)], 0.25),
            ],
            level: &[(0.0, 0.1), (0.25, 0.25), (0.4, 1.0), (1.0, 0.0)],
            breath: 0.2,
            rough: 0.1,
            q: 3.6,
        }
        .sound(rng, rate);
        lay(&mut out, rate, at, &sound, 1.0 - 0.07 * turn as f32);
        hz *= 0.965;
        at += rng.between(0.17, 0.2);
    }
    out
}

pub(super) fn baby(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let hz = rng.between(420.0, 500.0);
    Cry {
        seconds: rng.between(0.9, 1.3),
        pitch: &[
            (0.0, 0.85 * hz),
            (0.2, 1.15 * hz),
            (0.6, 1.05 * hz),
            (1.0, 0.75 * hz),
        ],
        formants: &[
            (&[(0.0, 1_050.0)], 1.0),
            (&[(0.0, 1_800.0)], 0.8),
            (&[(0.0, 3_700.0)], 0.5),
        ],
        level: &[(0.0, 0.0), (0.12, 0.9), (0.7, 1.0), (1.0, 0.0)],
        breath: 0.1,
        rough: 0.25,
        q: 3.0,
    }
    .sound(rng, rate)
}

pub(super) fn scream(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let hz = rng.between(750.0, 950.0);
    Cry {
        seconds: 1.4,
        pitch: &[
            (0.0, 0.7 * hz),
            (0.12, 1.25 * hz),
            (0.7, 1.15 * hz),
            (1.0, 0.8 * hz),
        ],
        formants: &[
            (&[(0.0, 1_150.0)], 1.0),
            (&[(0.0, 1_900.0)], 0.8),
            (&[(0.0, 3_300.0)], 0.5),
        ],
        level: &[(0.0, 0.0), (0.08, 1.0), (0.8, 0.9), (1.0, 0.0)],
        breath: 0.14,
        rough: 0.3,
        q: 2.6,
    }
    .sound(rng, rate)
}

/// Heel and toe on a hard floor.
pub(super) fn step(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let mut out = Vec::new();
    let hz = rng.between(75.0, 95.0);
    let knock = rng.between(300.0, 420.0);
    let heel = modes(
        rate,
        0.12,
        &[(hz, 1.0, 0.07), (knock, 0.45, 0.035), (2.7 * knock, 0.2, 0.02)],
    );
    lay(&mut out, rate, 0.0, &heel, 1.0);
    let click = grain(rng, rate, 2_600.0, 0.9, 0.012);
    lay(&mut out, rate, 0.0, &click, 0.5);
    let toe = grain(rng, rate, 1_400.0, 0.7, 0.035);
    lay(&mut out, rate, rng.between(0.08, 0.11), &toe, 0.3);
    out
}

/// Loose stones under a shoe.
pub(super) fn gravel_step(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let mut out = Vec::new();
    for (from, until, count, gain) in [(0.0, 0.1, 26, 1.0), (0.14, 0.28, 34, 0.75)] {
        for _ in 0..count {
            let at = rng.between(from, until);
            let hz = rng.between(1_500.0, 6_500.0);
            let stone = grain(rng, rate, hz, 2.0, 0.014);
            lay(&mut out, rate, at, &stone, gain * rng.unit());
        }
    }
    out
}

/// Compressed snow: a creak made of many small breaks.
pub(super) fn snow_step(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let seconds = 0.34;
    let mut out = vec![0.0; samples(seconds, rate)];
    white(rng, &mut out);
    let count = out.len() as f32;
    let breaks = drift(rng, out.len(), rate, 160.0);
    super::make::sweep(&mut out, rate, 1.4, |at| 900.0 + 1_300.0 * at as f32 / count);
    shape(&mut out, |at| breaks[at].max(0.0).powi(2));
    super::make::swell(&mut out, 1.2);
    out
}

pub(super) fn heartbeat(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let mut out = vec![0.0; samples(0.55, rate)];
    for (at, hz, gain) in [(0.0, 58.0, 1.0), (0.29, 72.0, 0.7)] {
        let thump = tone(
            rate,
            0.2,
            |part| hz * (1.25 - 0.5 * part),
            |part| (part * 9.0).min(1.0) * (-5.5 * part).exp(),
            |phase| sine(phase) + 0.35 * sine(2.0 * phase) + 0.12 * sine(3.0 * phase),
        );
        lay(&mut out, rate, at, &thump, gain);
        let mut body = vec![0.0; samples(0.12, rate)];
        brown(rng, &mut body, rate, 100.0);
        lowpass(&mut body, rate, 220.0);
        strike(&mut body, rate, 0.01, 0.1);
        lay(&mut out, rate, at, &body, 0.3 * gain);
    }
    out
}

/// Breathing in and out.
pub(super) fn breath(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let mut out = Vec::new();
    for (at, seconds, hz, gain) in [(0.0, 1.1, 1_700.0, 0.7), (1.35, 1.4, 1_000.0, 1.0)] {
        let mut air = vec![0.0; samples(seconds, rate)];
        white(rng, &mut air);
        let mut low = air.clone();
        bandpass(&mut air, rate, hz, 1.0);
        bandpass(&mut low, rate, 0.45 * hz, 1.4);
        for (x, y) in air.iter_mut().zip(&low) {
            *x += 0.7 * y;
        }
        super::make::swell(&mut air, 1.3);
        lay(&mut out, rate, at, &air, gain);
    }
    out
}

/// A key of a keyboard going down and up.
pub(super) fn key_press(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let mut out = Vec::new();
    for (at, gain) in [(0.0, 1.0), (rng.between(0.055, 0.085), 0.4)] {
        let hz = rng.between(1_900.0, 3_400.0);
        let click = grain(rng, rate, hz, 2.5, 0.012);
        lay(&mut out, rate, at, &click, gain);
        let body = rng.between(260.0, 380.0);
        let thock = modes(rate, 0.05, &[(body, 1.0, 0.025), (3.1 * body, 0.4, 0.015)]);
        lay(&mut out, rate, at, &thock, 0.35 * gain);
    }
    out
}

/// A person snoring: in with a rattle, out with air.
pub(super) fn snore(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let mut out = Cry {
        seconds: 1.4,
        pitch: &[(0.0, 38.0), (0.5, 52.0), (1.0, 40.0)],
        formants: &[
            (&[(0.0, 300.0), (0.6, 450.0)], 1.0),
            (&[(0.0, 1_200.0)], 0.5),
            (&[(0.0, 2_600.0)], 0.2),
        ],
        level: &[(0.0, 0.0), (0.4, 0.8), (0.85, 1.0), (1.0, 0.0)],
        breath: 0.35,
        rough: 0.6,
        q: 2.4,
    }
    .sound(rng, rate);
    let mut air = vec![0.0; samples(1.2, rate)];
    white(rng, &mut air);
    bandpass(&mut air, rate, 900.0, 0.8);
    highpass(&mut air, rate, 300.0);
    super::make::swell(&mut air, 1.5);
    lay(&mut out, rate, 1.8, &air, 0.2);
    shape(&mut out, |at| 1.0 + 0.1 * (TAU * 6.0 * at as f32 / rate).sin());
    out
}

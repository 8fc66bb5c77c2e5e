//! Things that are struck, closed, broken or burnt.

use super::make::{
    Bed, bandpass, brown, darken, drift, grain, highpass, lay, lowpass, modes, pause, pink, rare, samples,
    shape, strike, sweep, white,
};
use crate::chance::Rng;

/// A wood fire: roar, hiss and crackles of all sizes.
pub(super) fn fire(rng: &mut Rng, bed: &mut Bed) {
    let rate = bed.rate;
    let flicker = drift(rng, bed.frames(), rate, 7.0);
    let slow = drift(rng, bed.frames(), rate, 0.6);
    bed.around(rng, 0.11, |rng, out| {
        brown(rng, out, rate, 110.0);
        highpass(out, rate, 45.0);
        lowpass(out, rate, 450.0);
        shape(out, |at| 0.8 + 0.5 * flicker[at].abs() + 0.3 * slow[at]);
    });
    bed.around(rng, 0.03, |rng, out| {
        white(rng, out);
        highpass(out, rate, 1_800.0);
        shape(out, |at| 1.0 + 0.6 * slow[at]);
    });
    // Cracks come in clusters.
    let mut at = 0.0;
    while at < bed.seconds() {
        let size = rare(rng);
        let pan = 0.6 * rng.bipolar();
        for _ in 0..=rng.below(9) {
            let hz = rng.between(900.0, 5_500.0);
            let seconds = rng.between(0.003, 0.014);
            let crack = grain(rng, rate, hz, 1.1, seconds);
            bed.add(
                at,
                &crack,
                pan + 0.2 * rng.bipolar(),
                0.15 + 2.4 * size * rng.unit(),
            );
            at += pause(rng, 45.0);
        }
        at += pause(rng, 7.0);
    }
}

/// Fat in a hot pan.
pub(super) fn sizzle(rng: &mut Rng, bed: &mut Bed) {
    let rate = bed.rate;
    let slow = drift(rng, bed.frames(), rate, 1.2);
    bed.around(rng, 0.22, |rng, out| {
        white(rng, out);
        highpass(out, rate, 3_500.0);
        shape(out, |at| 1.0 + 0.35 * slow[at]);
    });
    bed.scatter(rng, 220.0, |rng| {
        let hz = rng.between(3_000.0, 10_000.0);
        (grain(rng, rate, hz, 2.0, 0.005), 0.1 + rare(rng))
    });
}

/// Hinges that stick and slip.
pub(super) fn creak(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let seconds = rng.between(1.1, 1.7);
    let mut out = vec![0.0; samples(seconds + 0.2, rate)];
    let base = rng.between(0.85, 1.2);
    let (mut at, rush) = (0.0, rng.between(60.0, 110.0));
    while at < seconds {
        let part = at / seconds;
        let slip = rush * (0.35 + (std::f32::consts::PI * part).sin()) * rng.between(0.9, 1.1);
        let hz = base * (520.0 + 420.0 * part);
        let ring = modes(
            rate,
            0.05,
            &[(hz, 1.0, 0.03), (2.1 * hz, 0.7, 0.025), (3.7 * hz, 0.4, 0.02)],
        );
        lay(&mut out, rate, at, &ring, 0.5 + 0.5 * rng.unit());
        at += 1.0 / slip;
    }
    out
}

/// A door falling shut: wood, frame, latch.
pub(super) fn slam(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let bend = rng.between(0.9, 1.1);
    let mut out = modes(
        rate,
        0.7,
        &[
            (62.0 * bend, 1.6, 0.4),
            (118.0 * bend, 1.1, 0.28),
            (205.0 * bend, 0.7, 0.18),
            (390.0 * bend, 0.4, 0.12),
        ],
    );
    let mut hit = vec![0.0; samples(0.3, rate)];
    white(rng, &mut hit);
    darken(&mut hit, rate, |at| {
        250.0 + 3_500.0 * (-(at as f32) / (0.02 * rate)).exp()
    });
    strike(&mut hit, rate, 0.001, 0.25);
    lay(&mut out, rate, 0.0, &hit, 1.6);
    let latch = modes(
        rate,
        0.08,
        &[(1_900.0 * bend, 1.0, 0.05), (3_300.0 * bend, 0.7, 0.035)],
    );
    lay(&mut out, rate, 0.035, &latch, 0.3);
    out
}

pub(super) fn door(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let mut out = creak(rng, rate);
    shape(&mut out, |_| 0.35);
    let at = out.len() as f32 / rate - 0.1;
    let shut = slam(rng, rate);
    lay(&mut out, rate, at, &shut, 0.8);
    out
}

/// Knuckles on a door, three or four times.
pub(super) fn knock(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let mut out = Vec::new();
    let hz = rng.between(150.0, 190.0);
    for turn in 0..3 + rng.below(2) {
        let mut hit = modes(
            rate,
            0.2,
            &[(hz, 1.0, 0.11), (2.2 * hz, 0.6, 0.07), (4.6 * hz, 0.35, 0.04)],
        );
        let click = grain(rng, rate, 1_800.0, 0.8, 0.012);
        lay(&mut hit, rate, 0.0, &click, 0.5);
        lay(
            &mut out,
            rate,
            (0.2 + 0.01 * rng.bipolar()) * turn as f32,
            &hit,
            rng.between(0.8, 1.0),
        );
    }
    out
}

/// Partials of a church bell, relative to half the nominal, with level and decay.
const BELL: [(f32, f32, f32); 10] = [
    (0.5, 0.5, 1.0),
    (1.0, 0.8, 0.75),
    (1.183, 0.7, 0.55),
    (1.506, 0.35, 0.4),
    (2.0, 1.0, 0.42),
    (2.514, 0.35, 0.25),
    (2.662, 0.3, 0.22),
    (3.011, 0.4, 0.2),
    (4.166, 0.3, 0.13),
    (5.433, 0.2, 0.09),
];

fn bell(rng: &mut Rng, rate: f32, hz: f32, seconds: f32) -> Vec<f32> {
    let mut partials = Vec::new();
    for (ratio, level, decay) in BELL {
        // No bell is perfectly round, so each partial beats with itself.
        for split in [1.0, 1.0 + 0.0015 * rng.unit()] {
            partials.push((hz * ratio * split, 0.5 * level, seconds * decay));
        }
    }
    let mut out = modes(rate, seconds, &partials);
    let hit = grain(rng, rate, 3_000.0, 0.7, 0.03);
    lay(&mut out, rate, 0.0, &hit, 0.6);
    let count = out.len() as f32;
    shape(&mut out, |at| ((1.0 - at as f32 / count) * 10.0).min(1.0));
    out
}

pub(super) fn church_bell(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let hz = [392.0, 440.0, 329.6, 493.9][rng.below(4)];
    bell(rng, rate, hz, 6.0)
}

pub(super) fn small_bell(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let hz = rng.between(1_500.0, 2_100.0);
    bell(rng, rate, hz, 1.8)
}

/// Tubes in the wind, tuned to five notes.
pub(super) fn chimes(rng: &mut Rng, bed: &mut Bed) {
    let rate = bed.rate;
    let tubes: Vec<Vec<f32>> = [1.0, 1.125, 1.25, 1.5, 1.667, 2.0]
        .iter()
        .map(|ratio| {
            let hz = 780.0 * ratio;
            modes(
                rate,
                3.0,
                &[(hz, 1.0, 3.2), (2.76 * hz, 0.5, 1.6), (5.4 * hz, 0.25, 0.7)],
            )
        })
        .collect();
    let mut at = rng.unit();
    while at < bed.seconds() {
        for _ in 0..=rng.below(6) {
            let tube = rng.below(tubes.len());
            let pan = (tube as f32 / 2.5 - 1.0) * 0.7;
            bed.add(at, &tubes[tube], pan, rng.between(0.15, 0.9));
            at += rng.between(0.07, 0.4);
        }
        at += pause(rng, 0.7).min(4.0);
    }
}

pub(super) fn glass_break(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let mut out = vec![0.0; samples(1.8, rate)];
    let hit = grain(rng, rate, 3_500.0, 0.5, 0.14);
    lay(&mut out, rate, 0.0, &hit, 2.0);
    for shard in 0..70 {
        let at = if shard < 25 {
            0.03 * rng.unit()
        } else {
            0.04 + 1.1 * rng.unit() * rng.unit()
        };
        let hz = rng.between(2_200.0, 9_500.0);
        let decay = rng.between(0.05, 0.4);
        let ring = modes(
            rate,
            decay,
            &[
                (hz, 1.0, decay),
                (1.61 * hz, 0.6, 0.6 * decay),
                (2.37 * hz, 0.3, 0.4 * decay),
            ],
        );
        lay(
            &mut out,
            rate,
            at,
            &ring,
            rng.between(0.03, 0.3) * (1.0 - 0.5 * at),
        );
    }
    out
}

/// Two glasses touching.
pub(super) fn clink(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let mut out = Vec::new();
    for hz in [rng.between(2_000.0, 2_400.0), rng.between(2_700.0, 3_200.0)] {
        let ring = modes(
            rate,
            0.9,
            &[(hz, 1.0, 0.9), (2.32 * hz, 0.6, 0.5), (4.25 * hz, 0.3, 0.25)],
        );
        lay(&mut out, rate, 0.0, &ring, 1.0);
    }
    out
}

pub(super) fn coin(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let hz = rng.between(3_900.0, 4_600.0);
    let mut out = Vec::new();
    let (mut at, mut gap, mut gain) = (0.0, 0.26, 1.0);
    while gap > 0.018 {
        let ring = modes(
            rate,
            0.4,
            &[(hz, 1.0, 0.35), (1.47 * hz, 0.7, 0.25), (2.18 * hz, 0.4, 0.15)],
        );
        lay(&mut out, rate, at, &ring, gain);
        at += gap;
        gap *= 0.68;
        gain *= 0.8;
    }
    out
}

/// A bunch of keys being shaken.
pub(super) fn keys(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let mut out = Vec::new();
    for _ in 0..34 {
        let at = 0.9 * rng.unit();
        let hz = rng.between(3_000.0, 9_000.0);
        let ring = modes(rate, 0.12, &[(hz, 1.0, 0.09), (1.53 * hz, 0.6, 0.06)]);
        lay(&mut out, rate, at, &ring, rng.unit());
    }
    out
}

/// Steel on steel.
pub(super) fn sword(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let bend = rng.between(0.9, 1.12);
    let mut out = modes(
        rate,
        1.4,
        &[
            (1_230.0 * bend, 0.5, 1.0),
            (2_170.0 * bend, 0.8, 1.3),
            (3_410.0 * bend, 1.0, 1.0),
            (4_930.0 * bend, 0.8, 0.7),
            (6_720.0 * bend, 0.6, 0.5),
            (8_900.0 * bend, 0.4, 0.3),
        ],
    );
    let hit = grain(rng, rate, 5_500.0, 0.7, 0.05);
    lay(&mut out, rate, 0.0, &hit, 3.0);
    let mut slide = vec![0.0; samples(0.5, rate)];
    white(rng, &mut slide);
    let count = slide.len() as f32;
    sweep(&mut slide, rate, 5.0, |at| {
        bend * (3_200.0 + 3_000.0 * at as f32 / count)
    });
    super::make::swell(&mut slide, 1.0);
    lay(&mut out, rate, 0.02, &slide, 0.8);
    out
}

/// Sheets being moved and turned.
pub(super) fn paper(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let mut out = vec![0.0; samples(0.9, rate)];
    white(rng, &mut out);
    highpass(&mut out, rate, 1_500.0);
    let crumple = drift(rng, out.len(), rate, 70.0);
    shape(&mut out, |at| 0.6 * crumple[at].max(0.0).powi(2));
    super::make::swell(&mut out, 0.8);
    for _ in 0..30 {
        let at = 0.8 * rng.unit();
        let hz = rng.between(2_500.0, 8_000.0);
        let crack = grain(rng, rate, hz, 1.0, 0.006);
        lay(&mut out, rate, at, &crack, 0.6 * rng.unit());
    }
    out
}

/// Something heavy dropping on a floor.
pub(super) fn thud(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let bend = rng.between(0.9, 1.1);
    let mut out = modes(
        rate,
        0.5,
        &[
            (55.0 * bend, 1.5, 0.3),
            (97.0 * bend, 0.8, 0.2),
            (230.0 * bend, 0.3, 0.08),
        ],
    );
    let mut hit = vec![0.0; samples(0.12, rate)];
    brown(rng, &mut hit, rate, 400.0);
    strike(&mut hit, rate, 0.001, 0.1);
    lay(&mut out, rate, 0.0, &hit, 0.8);
    out
}

/// A hammer on metal.
pub(super) fn hammer(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let bend = rng.between(0.97, 1.03);
    let mut out = modes(
        rate,
        0.9,
        &[
            (780.0 * bend, 1.0, 0.5),
            (1_940.0 * bend, 0.8, 0.7),
            (3_350.0 * bend, 0.6, 0.5),
            (5_200.0 * bend, 0.4, 0.3),
        ],
    );
    let hit = grain(rng, rate, 2_500.0, 0.6, 0.03);
    lay(&mut out, rate, 0.0, &hit, 2.0);
    out
}

/// A saw through wood, back and forth.
pub(super) fn saw(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let mut out = Vec::new();
    for (at, hz) in [(0.0, 1_900.0), (0.48, 1_500.0)] {
        let mut stroke = vec![0.0; samples(0.42, rate)];
        white(rng, &mut stroke);
        bandpass(&mut stroke, rate, hz, 0.9);
        let teeth = drift(rng, stroke.len(), rate, 180.0);
        shape(&mut stroke, |at| 0.5 + teeth[at].max(0.0));
        super::make::swell(&mut stroke, 0.7);
        lay(&mut out, rate, at, &stroke, 1.0);
    }
    out
}

/// A zip being opened.
pub(super) fn zip(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let mut out = Vec::new();
    let (mut at, seconds) = (0.0, 0.7);
    while at < seconds {
        let part: f32 = at / seconds;
        let hz = 2_500.0 + 2_500.0 * part;
        let tooth = grain(rng, rate, hz, 1.5, 0.006);
        lay(&mut out, rate, at, &tooth, 0.7 + 0.3 * rng.unit());
        at += 1.0 / (90.0 + 110.0 * part);
    }
    out
}

/// Sand, leaves or grass under something that moves.
pub(super) fn rustle(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let mut out = vec![0.0; samples(1.2, rate)];
    pink(rng, &mut out, rate);
    highpass(&mut out, rate, 1_800.0);
    let flutter = drift(rng, out.len(), rate, 35.0);
    shape(&mut out, |at| flutter[at].abs());
    super::make::swell(&mut out, 1.0);
    out
}

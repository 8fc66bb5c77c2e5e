//! Vehicles: engines and what they drive.

use std::f32::consts::{PI, TAU};

use super::{
    engines::Engine,
    make::{
        Bed, bandpass, brown, darken, drift, grain, highpass, lay, lowpass, modes, pink, reed, samples,
        shape, sine, strike, tone, white,
    },
};
use crate::chance::Rng;

pub(super) fn engine(rng: &mut Rng, bed: &mut Bed) {
    Engine::IDLING.fill(rng, bed);
}

/// A driving car: engine under load and tyres.
pub(super) fn car(rng: &mut Rng, bed: &mut Bed) {
    Engine::CAR.fill(rng, bed);
    let rate = bed.rate;
    bed.around(rng, 0.8, |rng, out| {
        pink(rng, out, rate);
        bandpass(out, rate, 750.0, 0.6);
    });
}

pub(super) fn truck(rng: &mut Rng, bed: &mut Bed) {
    Engine::TRUCK.fill(rng, bed);
    let rate = bed.rate;
    bed.around(rng, 0.3, |rng, out| {
        brown(rng, out, rate, 120.0);
        highpass(out, rate, 40.0);
    });
}

pub(super) fn motorcycle(rng: &mut Rng, bed: &mut Bed) {
    Engine::MOTORCYCLE.fill(rng, bed);
}

/// The slow diesel of a boat, and the water around it.
pub(super) fn boat(rng: &mut Rng, bed: &mut Bed) {
    Engine::BOAT.fill(rng, bed);
    let rate = bed.rate;
    let slow = drift(rng, bed.frames(), rate, 0.8);
    bed.around(rng, 0.14, |rng, out| {
        pink(rng, out, rate);
        highpass(out, rate, 300.0);
        shape(out, |at| 1.0 + 0.6 * slow[at]);
    });
}

pub(super) fn chainsaw(rng: &mut Rng, bed: &mut Bed) {
    Engine::CHAINSAW.fill(rng, bed);
}

/// Many cars: a rumble, and single cars that pass.
pub(super) fn traffic(rng: &mut Rng, bed: &mut Bed) {
    let rate = bed.rate;
    let slow = drift(rng, bed.frames(), rate, 0.25);
    bed.around(rng, 0.55, |rng, out| {
        brown(rng, out, rate, 140.0);
        highpass(out, rate, 40.0);
        lowpass(out, rate, 700.0);
        shape(out, |at| 1.0 + 0.3 * slow[at]);
    });
    bed.around(rng, 0.12, |rng, out| {
        pink(rng, out, rate);
        bandpass(out, rate, 900.0, 0.5);
    });
    let mut at = -rng.between(0.0, 3.0);
    while at < bed.seconds() {
        let seconds = rng.between(3.5, 6.0);
        let pass = pass(rng, rate, seconds);
        let near = rng.between(0.35, 1.0);
        let way = if rng.chance(0.5) { 1.0 } else { -1.0 };
        // Cut into pieces, each a little farther along the road.
        let pieces = 24;
        let length = pass.len() / pieces;
        for piece in 0..pieces {
            let part = (piece as f32 + 0.5) / pieces as f32;
            let mut row = vec![0.0; 2 * length];
            for (index, x) in row.iter_mut().enumerate() {
                let window = 0.5 - 0.5 * (TAU * (index as f32 + 0.5) / (2 * length) as f32).cos();
                let place = (piece * length + index).checked_sub(length / 2);
                *x = window * place.and_then(|place| pass.get(place)).copied().unwrap_or(0.0);
            }
            let pan = way * (6.0 * (part - 0.5)).tanh();
            let place = (piece * length) as f32 - (length / 2) as f32;
            bed.add(at + place / rate, &row, pan, near);
        }
        at += rng.between(1.6, 4.5);
    }
}

/// A passing car: tyres and engine that rise and fall, with the pitch shift of motion.
fn pass(rng: &mut Rng, rate: f32, seconds: f32) -> Vec<f32> {
    let count = samples(seconds, rate);
    let mut tyres = vec![0.0; count];
    pink(rng, &mut tyres, rate);
    let middle = |at: usize| (at as f32 / count as f32 - 0.5) * seconds;
    let near = |at: usize| 1.0 / (1.0 + (middle(at) / 0.55).powi(2));
    let share = |at: usize| (PI * at as f32 / count as f32).sin();
    darken(&mut tyres, rate, |at| 500.0 + 3_500.0 * near(at));
    highpass(&mut tyres, rate, 180.0);
    let engine = Engine::PASSING;
    let firing = engine.speed(rng);
    let motor = engine.run(rng, count, rate, |at| {
        firing * (1.0 - 0.05 * (middle(at) / 0.5).tanh())
    });
    tyres
        .iter()
        .zip(&motor)
        .enumerate()
        .map(|(at, (a, b))| (a + 0.22 * b) * near(at) * share(at))
        .collect()
}

pub(super) fn pass_by(rng: &mut Rng, rate: f32) -> Vec<f32> {
    pass(rng, rate, 5.0)
}

/// Wheels over rail joints in groups of four, on a rumble.
pub(super) fn train(rng: &mut Rng, bed: &mut Bed) {
    let rate = bed.rate;
    let slow = drift(rng, bed.frames(), rate, 0.6);
    bed.around(rng, 0.35, |rng, out| {
        brown(rng, out, rate, 110.0);
        highpass(out, rate, 35.0);
        shape(out, |at| 1.0 + 0.25 * slow[at]);
    });
    bed.around(rng, 0.16, |rng, out| {
        pink(rng, out, rate);
        bandpass(out, rate, 1_100.0, 0.5);
        shape(out, |at| 1.0 + 0.3 * slow[at]);
    });
    let period = rng.between(0.95, 1.15);
    let mut at = -period;
    while at < bed.seconds() {
        for (index, (late, gain)) in [(0.0, 1.0), (0.13, 0.85), (0.36, 0.6), (0.49, 0.5)]
            .iter()
            .enumerate()
        {
            let clack = clack(rng, rate);
            let pan = 0.35 * (index as f32 - 1.5) / 1.5;
            bed.add(at + late * period, &clack, pan, 1.8 * gain);
        }
        at += period;
    }
    // Wheel flanges that squeal in a bend, occasionally.
    let mut at = rng.between(2.0, 7.0);
    while at < bed.seconds() {
        let hz = rng.between(2_300.0, 3_400.0);
        let seconds = rng.between(0.6, 1.4);
        let squeal = tone(
            rate,
            seconds,
            |part| hz * (1.0 + 0.01 * (40.0 * part).sin()),
            |part| (PI * part).sin().powi(2),
            sine,
        );
        bed.add(at, &squeal, 0.5 * rng.bipolar(), 0.035);
        at += rng.between(5.0, 11.0);
    }
}

fn clack(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let bend = rng.between(0.95, 1.06);
    let mut out = modes(
        rate,
        0.25,
        &[
            (92.0 * bend, 1.4, 0.16),
            (310.0 * bend, 0.7, 0.09),
            (870.0 * bend, 0.4, 0.06),
            (1_900.0 * bend, 0.2, 0.04),
        ],
    );
    let hit = grain(rng, rate, 1_600.0, 0.8, 0.03);
    lay(&mut out, rate, 0.0, &hit, 1.2);
    out
}

/// Five horns at once.
pub(super) fn train_horn(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let bend = rng.between(0.97, 1.03);
    chord(
        rate,
        1.9,
        &[311.1, 370.0, 415.3, 493.9, 622.3].map(|hz| hz * bend),
        4_500.0,
    )
}

pub(super) fn car_horn(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let bend = rng.between(0.94, 1.06);
    let seconds = rng.between(0.25, 0.8);
    chord(rate, seconds, &[415.0, 523.0].map(|hz| hz * bend), 6_000.0)
}

/// The horn of a ship: deep and long.
pub(super) fn ship_horn(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let bend = rng.between(0.95, 1.05);
    chord(rate, 3.4, &[87.0, 130.5, 174.5].map(|hz| hz * bend), 1_600.0)
}

fn chord(rate: f32, seconds: f32, pitches: &[f32], bright: f32) -> Vec<f32> {
    let mut out = vec![0.0; samples(seconds, rate)];
    for (index, hz) in pitches.iter().enumerate() {
        let row = tone(
            rate,
            seconds,
            |part| hz * (1.0 - 0.03 * (-30.0 * part).exp() + 0.002 * (index as f32 + 50.0 * part).sin()),
            |part| (part * seconds / 0.06).min(1.0) * ((1.0 - part) * seconds / 0.12).min(1.0),
            |phase| (2.4 * reed(phase)).tanh(),
        );
        lay(&mut out, rate, 0.0, &row, 0.4);
    }
    lowpass(&mut out, rate, bright);
    out
}

/// Steam let out four times per turn, on rolling wheels.
pub(super) fn steam_train(rng: &mut Rng, bed: &mut Bed) {
    let rate = bed.rate;
    bed.around(rng, 0.25, |rng, out| {
        brown(rng, out, rate, 120.0);
        highpass(out, rate, 40.0);
    });
    let gap = rng.between(0.2, 0.26);
    let (mut at, mut beat) = (-1.0, 0);
    while at < bed.seconds() {
        let mut chuff = vec![0.0; samples(0.3, rate)];
        white(rng, &mut chuff);
        darken(&mut chuff, rate, |at| {
            300.0 + 2_600.0 * (-(at as f32) / (0.06 * rate)).exp()
        });
        strike(&mut chuff, rate, 0.012, 0.26);
        bed.add(
            at,
            &chuff,
            0.15 * rng.bipolar(),
            if beat % 4 == 0 { 1.0 } else { 0.75 },
        );
        at += gap;
        beat += 1;
    }
}

pub(super) fn steam_whistle(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let bend = rng.between(0.95, 1.05);
    let mut out = Vec::new();
    for hz in [520.0, 655.0, 780.0].map(|hz| hz * bend) {
        let row = tone(
            rate,
            1.7,
            |part| hz * (0.9 + 0.1 * (12.0 * part).min(1.0) - 0.04 * part),
            |part| (part * 14.0).min(1.0) * ((1.0 - part) * 5.0).min(1.0),
            |phase| sine(phase) + 0.3 * sine(2.0 * phase) + 0.15 * sine(3.0 * phase),
        );
        lay(&mut out, rate, 0.0, &row, 1.0);
    }
    let mut air = vec![0.0; out.len()];
    white(rng, &mut air);
    bandpass(&mut air, rate, 2_400.0, 0.8);
    super::make::swell(&mut air, 0.6);
    lay(&mut out, rate, 0.0, &air, 0.5);
    out
}

/// Blades beating the air, and a turbine.
pub(super) fn helicopter(rng: &mut Rng, bed: &mut Bed) {
    let rate = bed.rate;
    let chop = rng.between(11.0, 13.5);
    let frames = bed.frames();
    bed.around(rng, 1.0, |rng, out| {
        brown(rng, out, rate, 180.0);
        highpass(out, rate, 45.0);
        lowpass(out, rate, 1_500.0);
        let mut phase = 0.0_f32;
        shape(out, |_| {
            phase = (phase + chop / rate).fract();
            0.18 + 1.3 * (-7.0 * phase).exp() * (phase * 14.0).min(1.0)
        });
    });
    let beat = modes(rate, 0.14, &[(48.0, 1.0, 0.12), (95.0, 0.5, 0.08)]);
    let mut at = 0.0;
    while at < bed.seconds() {
        bed.add(at, &beat, 0.0, 0.9);
        at += 1.0 / chop;
    }
    let hz = rng.between(1_450.0, 1_700.0);
    let whine = tone(
        rate,
        frames as f32 / rate,
        |_| hz,
        |_| 1.0,
        |phase| sine(phase) + 0.5 * sine(2.0 * phase),
    );
    bed.add(0.0, &whine, 0.1, 0.012);
    bed.around(rng, 0.06, |rng, out| {
        white(rng, out);
        bandpass(out, rate, 2_800.0, 0.8);
    });
}

/// A jet: roar and whine.
pub(super) fn jet(rng: &mut Rng, bed: &mut Bed) {
    let rate = bed.rate;
    let slow = drift(rng, bed.frames(), rate, 0.5);
    bed.around(rng, 1.0, |rng, out| {
        brown(rng, out, rate, 260.0);
        highpass(out, rate, 50.0);
        shape(out, |at| 1.0 + 0.2 * slow[at]);
    });
    bed.around(rng, 0.22, |rng, out| {
        white(rng, out);
        bandpass(out, rate, 1_600.0, 0.5);
        let crackle = drift(rng, out.len(), rate, 40.0);
        shape(out, |at| 1.0 + 0.5 * crackle[at]);
    });
    for hz in [1_850.0, 2_790.0, 3_720.0] {
        let hz = hz * rng.between(0.98, 1.02);
        let seconds = bed.seconds();
        let whine = tone(rate, seconds, |_| hz, |_| 1.0, sine);
        bed.add(0.0, &whine, 0.3 * rng.bipolar(), 0.012);
    }
}

/// Two propeller engines, almost at the same speed.
pub(super) fn propeller(rng: &mut Rng, bed: &mut Bed) {
    let engine = Engine::PROPELLER;
    let firing = engine.speed(rng);
    engine.fill_at(firing, rng, bed);
    engine.muffled(1_500.0).fill_at(firing * 1.006, rng, bed);
}

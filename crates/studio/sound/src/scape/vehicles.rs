//! Engines and what they drive.

use std::f32::consts::{PI, TAU};

use super::make::{
    Bed, bandpass, brown, darken, drift, grain, highpass, lay, lowpass, modes, pink, reed, samples, shape,
    sine, strike, tone, white,
};
use crate::music::chance::Rng;

/// A piston engine. Each firing is a pulse with a burst of noise, rung by the exhaust.
struct Engine {
    /// Firings a second.
    firing: f32,
    /// How uneven firings are: of time and of force.
    uneven: f32,
    /// The exhaust's resonances, in Hz.
    pipes: [f32; 3],
    /// How much of each firing is noise.
    noise: f32,
    /// Cylinders, which differ in force.
    cylinders: usize,
}

impl Engine {
    /// One channel; `speed` is a factor per sample.
    fn run(&self, rng: &mut Rng, frames: usize, rate: f32, speed: impl Fn(usize) -> f32) -> Vec<f32> {
        let forces: Vec<f32> = (0..self.cylinders).map(|_| rng.between(0.7, 1.0)).collect();
        let mut phase = 0.0_f32;
        let (mut cylinder, mut force, mut stretch) = (0, 1.0, 1.0);
        let mut out: Vec<f32> = (0..frames)
            .map(|at| {
                phase += self.firing * speed(at) * stretch / rate;
                if phase >= 1.0 {
                    phase -= 1.0;
                    cylinder = (cylinder + 1) % self.cylinders;
                    force = forces[cylinder] * (1.0 + self.uneven * rng.bipolar());
                    stretch = 1.0 + 0.3 * self.uneven * rng.bipolar();
                }
                let push = (-9.0 * phase).exp() * (phase * 40.0).min(1.0) - 0.11;
                force * (push + self.noise * rng.bipolar() * (-6.0 * phase).exp())
            })
            .collect();
        let dry = out.clone();
        for (pipe, gain) in self.pipes.iter().zip([1.0, 0.8, 0.5]) {
            let mut ring = dry.clone();
            bandpass(&mut ring, rate, *pipe, 2.2);
            for (x, y) in out.iter_mut().zip(&ring) {
                *x += 2.2 * gain * y;
            }
        }
        highpass(&mut out, rate, 28.0);
        out
    }
}

fn engine_bed(rng: &mut Rng, bed: &mut Bed, engine: &Engine, wander: f32, bright: f32) {
    let sway = drift(rng, bed.frames(), bed.rate, 0.4);
    let mut row = engine.run(rng, bed.frames(), bed.rate, |at| 1.0 + wander * sway[at]);
    lowpass(&mut row, bed.rate, bright);
    bed.add(0.0, &row, 0.0, 1.0);
    let (mut left, mut right) = (row.clone(), row);
    // A little of it comes from the walls about.
    let frames = bed.frames().max(1);
    left.rotate_right((0.007 * bed.rate) as usize % frames);
    right.rotate_right((0.011 * bed.rate) as usize % frames);
    bed.add(0.0, &left, -0.9, 0.25);
    bed.add(0.0, &right, 0.9, 0.25);
}

pub(super) fn engine(rng: &mut Rng, bed: &mut Bed) {
    let engine = Engine {
        firing: rng.between(44.0, 52.0),
        uneven: 0.22,
        pipes: [110.0, 260.0, 680.0],
        noise: 0.35,
        cylinders: 4,
    };
    engine_bed(rng, bed, &engine, 0.03, 4_500.0);
}

/// A car that drives: engine under load and tyres.
pub(super) fn car(rng: &mut Rng, bed: &mut Bed) {
    let engine = Engine {
        firing: rng.between(75.0, 95.0),
        uneven: 0.1,
        pipes: [150.0, 320.0, 800.0],
        noise: 0.3,
        cylinders: 4,
    };
    engine_bed(rng, bed, &engine, 0.05, 2_500.0);
    let rate = bed.rate;
    bed.around(rng, 0.8, |rng, out| {
        pink(rng, out, rate);
        bandpass(out, rate, 750.0, 0.6);
    });
}

pub(super) fn truck(rng: &mut Rng, bed: &mut Bed) {
    let engine = Engine {
        firing: rng.between(34.0, 42.0),
        uneven: 0.15,
        pipes: [75.0, 190.0, 1_100.0],
        noise: 0.8,
        cylinders: 6,
    };
    engine_bed(rng, bed, &engine, 0.04, 3_000.0);
    let rate = bed.rate;
    bed.around(rng, 0.3, |rng, out| {
        brown(rng, out, rate, 120.0);
        highpass(out, rate, 40.0);
    });
}

pub(super) fn motorcycle(rng: &mut Rng, bed: &mut Bed) {
    let engine = Engine {
        firing: rng.between(58.0, 72.0),
        uneven: 0.3,
        pipes: [180.0, 420.0, 1_300.0],
        noise: 0.5,
        cylinders: 2,
    };
    engine_bed(rng, bed, &engine, 0.16, 7_000.0);
}

/// A slow diesel of a boat, and the water about it.
pub(super) fn boat(rng: &mut Rng, bed: &mut Bed) {
    let engine = Engine {
        firing: rng.between(10.5, 13.0),
        uneven: 0.12,
        pipes: [95.0, 210.0, 520.0],
        noise: 0.5,
        cylinders: 2,
    };
    engine_bed(rng, bed, &engine, 0.02, 1_800.0);
    let rate = bed.rate;
    let slow = drift(rng, bed.frames(), rate, 0.8);
    bed.around(rng, 0.14, |rng, out| {
        pink(rng, out, rate);
        highpass(out, rate, 300.0);
        shape(out, |at| 1.0 + 0.6 * slow[at]);
    });
}

pub(super) fn chainsaw(rng: &mut Rng, bed: &mut Bed) {
    let engine = Engine {
        firing: rng.between(115.0, 135.0),
        uneven: 0.3,
        pipes: [420.0, 1_100.0, 2_900.0],
        noise: 0.7,
        cylinders: 1,
    };
    engine_bed(rng, bed, &engine, 0.22, 9_000.0);
}

/// Many cars: a rumble, and single ones that pass.
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
        // Cut into pieces, each a little farther along.
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

/// A car that passes: tyres and engine, which rise and fall, with the pitch of a thing in motion.
fn pass(rng: &mut Rng, rate: f32, seconds: f32) -> Vec<f32> {
    let count = samples(seconds, rate);
    let mut tyres = vec![0.0; count];
    pink(rng, &mut tyres, rate);
    let middle = |at: usize| (at as f32 / count as f32 - 0.5) * seconds;
    let near = |at: usize| 1.0 / (1.0 + (middle(at) / 0.55).powi(2));
    let share = |at: usize| (PI * at as f32 / count as f32).sin();
    darken(&mut tyres, rate, |at| 500.0 + 3_500.0 * near(at));
    highpass(&mut tyres, rate, 180.0);
    let engine = Engine {
        firing: rng.between(65.0, 100.0),
        uneven: 0.1,
        pipes: [130.0, 300.0, 650.0],
        noise: 0.3,
        cylinders: 4,
    };
    let mut motor = engine.run(rng, count, rate, |at| 1.0 - 0.05 * (middle(at) / 0.5).tanh());
    lowpass(&mut motor, rate, 900.0);
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

/// Wheels over joints, in fours, on a rumble.
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
    // Flanges that sing in a bend, now and then.
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

/// A ship's: deep and long.
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

/// Steam, let out four times a turn, on rolling wheels.
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

/// Blades that beat the air, and a turbine.
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

/// A propeller.
pub(super) fn propeller(rng: &mut Rng, bed: &mut Bed) {
    let engine = Engine {
        firing: rng.between(82.0, 94.0),
        uneven: 0.06,
        pipes: [170.0, 360.0, 900.0],
        noise: 0.3,
        cylinders: 4,
    };
    engine_bed(rng, bed, &engine, 0.006, 2_200.0);
    let second = Engine {
        firing: engine.firing * 1.006,
        ..engine
    };
    engine_bed(rng, bed, &second, 0.006, 1_500.0);
}

//! Animals other than birds.

use std::f32::consts::TAU;

use super::{
    make::{
        Bed, bandpass, drift, grain, highpass, lay, lowpass, modes, reed, samples, shape, sine, tone, white,
    },
    voice::Cry,
};
use crate::chance::Rng;

pub(super) fn dog(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let mut out = Vec::new();
    let hz = rng.between(330.0, 420.0);
    let mut at = 0.0;
    for _ in 0..=rng.below(2) {
        let bend = rng.between(0.95, 1.08) * hz;
        let sound = Cry {
            seconds: rng.between(0.17, 0.24),
            pitch: &[(0.0, 0.9 * bend), (0.25, 1.5 * bend), (1.0, 0.7 * bend)],
            formants: &[
                (&[(0.0, 450.0), (0.35, 900.0), (1.0, 480.0)], 1.0),
                (&[(0.0, 1_100.0), (0.35, 1_600.0), (1.0, 1_000.0)], 0.7),
                (&[(0.0, 2_800.0)], 0.3),
            ],
            level: &[(0.0, 0.0), (0.1, 1.0), (0.5, 0.75), (1.0, 0.0)],
            breath: 0.22,
            rough: 0.45,
            q: 2.6,
        }
        .sound(rng, rate);
        lay(&mut out, rate, at, &sound, 1.0);
        at += rng.between(0.34, 0.5);
    }
    out
}

pub(super) fn growl(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let hz = rng.between(70.0, 95.0);
    Cry {
        seconds: 1.5,
        pitch: &[(0.0, hz), (0.6, 1.15 * hz), (1.0, 0.9 * hz)],
        formants: &[
            (&[(0.0, 350.0), (0.5, 520.0), (1.0, 380.0)], 1.0),
            (&[(0.0, 1_000.0)], 0.6),
            (&[(0.0, 2_300.0)], 0.3),
        ],
        level: &[(0.0, 0.0), (0.15, 0.9), (0.7, 1.0), (1.0, 0.0)],
        breath: 0.3,
        rough: 0.8,
        q: 2.4,
    }
    .sound(rng, rate)
}

pub(super) fn lion(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let hz = rng.between(85.0, 105.0);
    Cry {
        seconds: 2.4,
        pitch: &[(0.0, 0.8 * hz), (0.3, 1.9 * hz), (0.6, 1.6 * hz), (1.0, 0.7 * hz)],
        formants: &[
            (&[(0.0, 300.0), (0.3, 720.0), (1.0, 320.0)], 1.0),
            (&[(0.0, 800.0), (0.3, 1_350.0), (1.0, 850.0)], 0.7),
            (&[(0.0, 2_600.0)], 0.35),
        ],
        level: &[(0.0, 0.0), (0.2, 1.0), (0.6, 0.9), (1.0, 0.0)],
        breath: 0.32,
        rough: 0.9,
        q: 2.2,
    }
    .sound(rng, rate)
}

pub(super) fn wolf(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let hz = rng.between(380.0, 450.0);
    Cry {
        seconds: 3.4,
        pitch: &[
            (0.0, 0.6 * hz),
            (0.12, 1.25 * hz),
            (0.25, 1.1 * hz),
            (0.75, 1.12 * hz),
            (1.0, 0.65 * hz),
        ],
        formants: &[
            (&[(0.0, 480.0)], 1.0),
            (&[(0.0, 950.0)], 0.35),
            (&[(0.0, 2_400.0)], 0.05),
        ],
        level: &[(0.0, 0.0), (0.08, 0.7), (0.3, 1.0), (0.75, 0.8), (1.0, 0.0)],
        breath: 0.05,
        rough: 0.02,
        q: 2.0,
    }
    .sound(rng, rate)
}

pub(super) fn cat(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let hz = rng.between(480.0, 600.0);
    Cry {
        seconds: rng.between(0.65, 0.95),
        pitch: &[
            (0.0, 0.85 * hz),
            (0.3, 1.25 * hz),
            (0.7, 1.1 * hz),
            (1.0, 0.75 * hz),
        ],
        formants: &[
            (&[(0.0, 480.0), (0.4, 1_150.0), (1.0, 600.0)], 1.0),
            (&[(0.0, 2_600.0), (0.4, 1_900.0), (1.0, 1_100.0)], 0.8),
            (&[(0.0, 3_900.0)], 0.35),
        ],
        level: &[(0.0, 0.0), (0.12, 0.7), (0.4, 1.0), (1.0, 0.0)],
        breath: 0.06,
        rough: 0.08,
        q: 3.2,
    }
    .sound(rng, rate)
}

pub(super) fn purr(rng: &mut Rng, bed: &mut Bed) {
    let rate = bed.rate;
    let breath: Vec<f32> = (0..bed.frames())
        .map(|at| (TAU * at as f32 / rate / 1.9).sin())
        .collect();
    bed.around(rng, 1.0, |rng, out| {
        white(rng, out);
        lowpass(out, rate, 700.0);
        highpass(out, rate, 60.0);
        let mut phase = 0.0_f32;
        shape(out, |at| {
            phase = (phase + (25.5 + 1.5 * breath[at]) / rate).fract();
            (-7.0 * phase).exp() * (0.75 + 0.25 * breath[at])
        });
    });
}

pub(super) fn cow(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let hz = rng.between(115.0, 140.0);
    Cry {
        seconds: rng.between(1.5, 2.1),
        pitch: &[
            (0.0, 0.8 * hz),
            (0.25, 1.1 * hz),
            (0.7, 1.2 * hz),
            (1.0, 0.8 * hz),
        ],
        formants: &[
            (&[(0.0, 230.0), (0.3, 480.0), (1.0, 420.0)], 1.0),
            (&[(0.0, 700.0), (0.35, 950.0), (1.0, 800.0)], 0.55),
            (&[(0.0, 2_300.0)], 0.16),
        ],
        level: &[(0.0, 0.0), (0.12, 0.6), (0.4, 1.0), (0.85, 0.9), (1.0, 0.0)],
        breath: 0.08,
        rough: 0.15,
        q: 3.0,
    }
    .sound(rng, rate)
}

pub(super) fn sheep(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let hz = rng.between(210.0, 330.0);
    let mut out = Cry {
        seconds: rng.between(0.7, 1.1),
        pitch: &[(0.0, hz), (0.2, 1.12 * hz), (1.0, 0.9 * hz)],
        formants: &[
            (&[(0.0, 700.0)], 1.0),
            (&[(0.0, 1_750.0)], 0.8),
            (&[(0.0, 2_800.0)], 0.4),
        ],
        level: &[(0.0, 0.0), (0.1, 1.0), (0.7, 0.8), (1.0, 0.0)],
        breath: 0.1,
        rough: 0.25,
        q: 3.2,
    }
    .sound(rng, rate);
    let shake = rng.between(7.5, 10.0);
    shape(&mut out, |at| 0.6 + 0.4 * (TAU * shake * at as f32 / rate).sin());
    out
}

pub(super) fn neigh(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let hz = rng.between(700.0, 850.0);
    let mut out = Cry {
        seconds: 1.7,
        pitch: &[(0.0, 0.7 * hz), (0.15, 1.3 * hz), (0.5, hz), (1.0, 0.45 * hz)],
        formants: &[
            (&[(0.0, 1_100.0), (1.0, 700.0)], 1.0),
            (&[(0.0, 2_300.0)], 0.7),
            (&[(0.0, 3_600.0)], 0.3),
        ],
        level: &[(0.0, 0.0), (0.1, 1.0), (0.6, 0.7), (1.0, 0.0)],
        breath: 0.18,
        rough: 0.3,
        q: 2.6,
    }
    .sound(rng, rate);
    shape(&mut out, |at| {
        let t = at as f32 / rate;
        0.55 + 0.45 * (TAU * (13.0 - 3.0 * t) * t).sin()
    });
    out
}

/// A horse at a canter: three beats and a pause.
pub(super) fn hooves(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let mut out = Vec::new();
    for (at, gain) in [(0.0, 0.8), (0.13, 1.0), (0.26, 0.9)] {
        let hz = rng.between(420.0, 560.0);
        let clop = modes(
            rate,
            0.09,
            &[(hz, 1.0, 0.05), (2.3 * hz, 0.5, 0.03), (4.1 * hz, 0.2, 0.02)],
        );
        lay(&mut out, rate, at, &clop, gain);
        let thud = modes(rate, 0.12, &[(95.0, 1.0, 0.09)]);
        lay(&mut out, rate, at, &thud, 0.9 * gain);
        let dirt = grain(rng, rate, 2_200.0, 0.8, 0.03);
        lay(&mut out, rate, at, &dirt, 0.3 * gain);
    }
    out
}

/// Chirps of several insects over a shimmer of many.
pub(super) fn crickets(rng: &mut Rng, bed: &mut Bed) {
    let rate = bed.rate;
    for _ in 0..6 {
        let hz = rng.between(4_000.0, 4_900.0);
        let gap = rng.between(0.36, 0.6);
        let (pan, near) = (rng.bipolar(), rng.between(0.25, 1.0));
        let pulses = 3 + rng.below(2);
        let pulse = tone(
            rate,
            0.018,
            |_| hz,
            |part| (std::f32::consts::PI * part).sin(),
            sine,
        );
        let mut at = -rng.unit();
        while at < bed.seconds() {
            for index in 0..pulses {
                let gain = near * [0.6, 0.9, 1.0, 1.0][index];
                bed.add(at + 0.032 * index as f32, &pulse, pan, gain);
            }
            at += gap * (1.0 + 0.05 * rng.bipolar());
            if rng.chance(0.02) {
                at += rng.between(0.8, 2.5);
            }
        }
    }
    let beat = drift(rng, bed.frames(), rate, 0.5);
    bed.around(rng, 0.5, |rng, out| {
        white(rng, out);
        let hz = rng.between(5_200.0, 6_000.0);
        bandpass(out, rate, hz, 14.0);
        let pulse = rng.between(22.0, 28.0);
        shape(out, |at| {
            (0.5 + 0.5 * (TAU * pulse * at as f32 / rate).sin()) * (1.0 + 0.3 * beat[at])
        });
    });
}

pub(super) fn cicadas(rng: &mut Rng, bed: &mut Bed) {
    let rate = bed.rate;
    for _ in 0..3 {
        let hz = rng.between(4_600.0, 7_200.0);
        let buzz = rng.between(95.0, 190.0);
        let swell = drift(rng, bed.frames(), rate, 0.3);
        let pan = 0.9 * rng.bipolar();
        let mut row = vec![0.0; bed.frames()];
        white(rng, &mut row);
        bandpass(&mut row, rate, hz, 6.0);
        shape(&mut row, |at| {
            let t = at as f32 / rate;
            let pulse = (0.5 + 0.5 * (TAU * buzz * t).sin()).powi(3);
            let rattle = 0.7 + 0.3 * (TAU * 9.0 * t).sin();
            pulse * rattle * (0.25 + (0.5 + 0.5 * swell[at]).powi(2))
        });
        bed.add(0.0, &row, pan, 1.0);
    }
}

pub(super) fn frogs(rng: &mut Rng, bed: &mut Bed) {
    let rate = bed.rate;
    for _ in 0..5 {
        let hz = rng.between(600.0, 1_600.0);
        let croak = croak(rng, rate, hz);
        let (pan, near) = (rng.bipolar(), rng.between(0.3, 1.0));
        let gap = rng.between(0.9, 2.2);
        let mut at = rng.between(-1.0, 1.0);
        while at < bed.seconds() {
            bed.add(at, &croak, pan, near);
            at += gap * rng.between(0.9, 1.2);
            if rng.chance(0.15) {
                at += rng.between(1.0, 3.0);
            }
        }
    }
}

fn croak(rng: &mut Rng, rate: f32, hz: f32) -> Vec<f32> {
    let pulses = rng.between(34.0, 60.0);
    let seconds = rng.between(0.22, 0.42);
    let mut out = Cry {
        seconds,
        pitch: &[(0.0, pulses), (0.7, 1.2 * pulses), (1.0, pulses)],
        formants: &[
            (&[(0.0, 0.9 * hz), (0.6, 1.1 * hz), (1.0, hz)], 1.0),
            (&[(0.0, 2.4 * hz)], 0.4),
        ],
        level: &[(0.0, 0.0), (0.2, 0.8), (0.7, 1.0), (1.0, 0.0)],
        breath: 0.05,
        rough: 0.1,
        q: 9.0,
    }
    .sound(rng, rate);
    out.extend(vec![0.0; samples(0.02, rate)]);
    out
}

/// Bees that each wander about.
pub(super) fn bees(rng: &mut Rng, bed: &mut Bed) {
    let rate = bed.rate;
    for _ in 0..4 {
        let hz = rng.between(190.0, 250.0);
        let near = drift(rng, bed.frames(), rate, 0.35);
        let sway = drift(rng, bed.frames(), rate, 2.5);
        let mut phase = 0.0_f32;
        let row: Vec<f32> = (0..bed.frames())
            .map(|at| {
                phase = (phase + hz * (1.0 + 0.05 * sway[at] + 0.06 * near[at]) / rate).fract();
                reed(phase) * (0.5 + 0.5 * near[at]).powi(3)
            })
            .collect();
        bed.add(0.0, &row, rng.bipolar(), 1.0);
    }
}

//! Devices: sirens, electric bells, clocks, motors and hums.

use std::f32::consts::{PI, TAU};

use super::make::{
    Bed, bandpass, drift, grain, highpass, lay, lowpass, modes, note, pink, reed, samples, shape, sine, tone,
    white,
};
use crate::chance::Rng;

/// A wail that rises and falls.
pub(super) fn siren(rng: &mut Rng, bed: &mut Bed) {
    let rate = bed.rate;
    let period = rng.between(3.6, 4.6);
    let begin = rng.unit();
    let seconds = bed.seconds();
    let mut row = tone(
        rate,
        seconds,
        |part| {
            let turn = (begin + part * seconds / period).fract();
            let up = if turn < 0.45 {
                turn / 0.45
            } else {
                1.0 - (turn - 0.45) / 0.55
            };
            620.0 * (1_480.0_f32 / 620.0).powf(up * up * (3.0 - 2.0 * up))
        },
        |_| 1.0,
        |phase| (1.6 * reed(phase)).tanh(),
    );
    bandpass(&mut row, rate, 1_300.0, 0.5);
    bed.add(0.0, &row, 0.0, 1.0);
    // Echoes from the street's walls.
    let late = samples(0.12, rate).min(row.len());
    bed.add(0.12, &row[..row.len() - late], -0.7, 0.2);
    bed.add(0.19, &row[..row.len() - late], 0.7, 0.15);
}

/// Two alternating notes, as in much of Europe.
pub(super) fn two_tone(rng: &mut Rng, bed: &mut Bed) {
    let rate = bed.rate;
    let hz = rng.between(430.0, 450.0);
    let seconds = bed.seconds();
    let mut row = tone(
        rate,
        seconds,
        |part| {
            if (part * seconds / 1.15).fract() < 0.5 {
                hz
            } else {
                1.335 * hz
            }
        },
        |_| 1.0,
        |phase| (2.2 * reed(phase)).tanh(),
    );
    lowpass(&mut row, rate, 4_000.0);
    bed.add(0.0, &row, 0.0, 1.0);
}

pub(super) fn alarm(rng: &mut Rng, bed: &mut Bed) {
    let rate = bed.rate;
    let hz = rng.between(1_900.0, 2_200.0);
    let beep = tone(
        rate,
        0.1,
        |_| hz,
        |part| (part * 30.0).min(1.0) * ((1.0 - part) * 30.0).min(1.0),
        |phase| sine(phase) + 0.33 * sine(3.0 * phase),
    );
    let mut at = 0.0;
    while at < bed.seconds() {
        for index in 0..4 {
            bed.add(at + 0.16 * index as f32, &beep, 0.0, 1.0);
        }
        at += 1.1;
    }
}

/// One second of a clock: tick and tock.
pub(super) fn clock(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let mut out = Vec::new();
    for (at, hz) in [(0.0, 2_600.0), (0.5, 2_150.0)] {
        let tick = modes(
            rate,
            0.06,
            &[(hz, 1.0, 0.028), (1.83 * hz, 0.6, 0.016), (0.34 * hz, 0.5, 0.02)],
        );
        lay(&mut out, rate, at, &tick, 1.0);
        let click = grain(rng, rate, 4_500.0, 1.0, 0.006);
        lay(&mut out, rate, at, &click, 0.5);
    }
    out
}

/// A bell whose clapper is driven by a magnet.
pub(super) fn telephone(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let hz = rng.between(1_050.0, 1_250.0);
    let mut out = vec![0.0; samples(2.0, rate)];
    for hit in 0..40 {
        let bell = if hit % 2 == 0 { hz } else { 1.19 * hz };
        let ring = modes(
            rate,
            0.5,
            &[(bell, 0.6, 0.6), (2.71 * bell, 0.8, 0.4), (5.15 * bell, 0.5, 0.2)],
        );
        lay(&mut out, rate, 0.04 * hit as f32, &ring, 0.3);
    }
    out
}

pub(super) fn doorbell(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let hz = rng.between(640.0, 680.0);
    let mut out = Vec::new();
    for (at, hz) in [(0.0, hz), (0.7, hz / 1.26)] {
        let ring = modes(
            rate,
            1.8,
            &[(hz, 1.0, 1.8), (2.76 * hz, 0.3, 0.8), (5.4 * hz, 0.15, 0.3)],
        );
        lay(&mut out, rate, at, &ring, 1.0);
    }
    out
}

/// The buzzer of a building.
pub(super) fn buzzer(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let hz = rng.between(100.0, 130.0);
    let mut out = tone(rate, 0.9, |_| hz, note, |phase| (6.0 * reed(phase)).tanh());
    bandpass(&mut out, rate, 900.0, 0.6);
    out
}

pub(super) fn beep(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let hz = rng.between(950.0, 1_050.0);
    tone(
        rate,
        0.18,
        |_| hz,
        |part| (part * 20.0).min(1.0) * ((1.0 - part) * 20.0).min(1.0),
        sine,
    )
}

/// Mains hum, as from lamps and transformers.
pub(super) fn hum(rng: &mut Rng, bed: &mut Bed) {
    let rate = bed.rate;
    let slow = drift(rng, bed.frames(), rate, 0.3);
    let mut phase = 0.0_f32;
    let row: Vec<f32> = (0..bed.frames())
        .map(|at| {
            phase = (phase + 50.0 / rate).fract();
            let harmonics: f32 = [
                (1.0, 0.5),
                (2.0, 1.0),
                (4.0, 0.5),
                (6.0, 0.35),
                (10.0, 0.15),
                (14.0, 0.1),
            ]
            .iter()
            .map(|(n, level)| level * sine(n * phase))
            .sum();
            harmonics * (1.0 + 0.08 * slow[at])
        })
        .collect();
    bed.add(0.0, &row, 0.0, 1.0);
    bed.around(rng, 0.05, |rng, out| pink(rng, out, rate));
}

pub(super) fn fan(rng: &mut Rng, bed: &mut Bed) {
    let rate = bed.rate;
    let blades = rng.between(17.0, 24.0);
    bed.around(rng, 1.0, |rng, out| {
        pink(rng, out, rate);
        highpass(out, rate, 90.0);
        lowpass(out, rate, 3_500.0);
        shape(out, |at| 1.0 + 0.22 * (TAU * blades * at as f32 / rate).sin());
    });
    let hz = rng.between(110.0, 125.0);
    let seconds = bed.seconds();
    let motor = tone(
        rate,
        seconds,
        |_| hz,
        |_| 1.0,
        |phase| sine(phase) + 0.5 * sine(2.0 * phase),
    );
    bed.add(0.0, &motor, 0.0, 0.12);
}

pub(super) fn vacuum(rng: &mut Rng, bed: &mut Bed) {
    let rate = bed.rate;
    let hz = rng.between(330.0, 380.0);
    let sway = drift(rng, bed.frames(), rate, 0.6);
    let mut phase = 0.0_f32;
    let row: Vec<f32> = (0..bed.frames())
        .map(|at| {
            phase = (phase + hz * (1.0 + 0.03 * sway[at]) / rate).fract();
            reed(phase) + 0.4 * sine(2.02 * phase)
        })
        .collect();
    bed.add(0.0, &row, 0.0, 0.25);
    bed.around(rng, 1.0, |rng, out| {
        white(rng, out);
        bandpass(out, rate, 1_900.0, 0.35);
        shape(out, |at| 0.4 * (1.0 + 0.1 * sway[at]));
    });
}

pub(super) fn drill(rng: &mut Rng, bed: &mut Bed) {
    let rate = bed.rate;
    let sway = drift(rng, bed.frames(), rate, 1.2);
    let hz = rng.between(210.0, 260.0);
    let mut phase = 0.0_f32;
    let row: Vec<f32> = (0..bed.frames())
        .map(|at| {
            phase = (phase + hz * (1.0 + 0.12 * sway[at]) / rate).fract();
            let teeth = (2.5 * reed(phase)).tanh() + 0.5 * (3.0 * reed((7.0 * phase).fract())).tanh();
            teeth * (1.0 + 0.35 * rng.bipolar())
        })
        .collect();
    bed.add(0.0, &row, 0.0, 1.0);
    let mut left = bed.left.clone();
    bandpass(&mut left, rate, 2_600.0, 0.8);
    bed.add(0.004, &left, 0.6, 0.5);
}

/// Several machines at work: a hum, a slow press, belts.
pub(super) fn factory(rng: &mut Rng, bed: &mut Bed) {
    let rate = bed.rate;
    hum(rng, bed);
    bed.around(rng, 0.6, |rng, out| {
        pink(rng, out, rate);
        bandpass(out, rate, 420.0, 0.4);
        shape(out, |at| 1.0 + 0.4 * (TAU * 5.4 * at as f32 / rate).sin().powi(3));
    });
    for (period, hz, gain, pan) in [
        (1.3, 140.0, 2.2, -0.4),
        (0.65, 480.0, 0.8, 0.5),
        (0.325, 1_250.0, 0.3, 0.2),
    ] {
        let mut at = rng.unit() * period;
        while at < bed.seconds() {
            let mut hit = modes(
                rate,
                0.5,
                &[(hz, 1.0, 0.3), (2.4 * hz, 0.5, 0.18), (4.3 * hz, 0.3, 0.1)],
            );
            let click = grain(rng, rate, 5.0 * hz, 0.8, 0.03);
            lay(&mut hit, rate, 0.0, &click, 0.8);
            bed.add(at, &hit, pan, gain);
            at += period;
        }
    }
}

/// A spaceship as in films: low, slow, beating.
pub(super) fn spaceship(rng: &mut Rng, bed: &mut Bed) {
    let rate = bed.rate;
    let slow = drift(rng, bed.frames(), rate, 0.12);
    for (hz, pan) in [(43.0, -0.5), (43.4, 0.5), (64.6, 0.2), (86.3, -0.2)] {
        let seconds = bed.seconds();
        let mut row = tone(rate, seconds, |_| hz, |_| 1.0, reed);
        super::make::darken(&mut row, rate, |at| 240.0 * (1.0 + 0.5 * slow[at]));
        bed.add(0.0, &row, pan, 0.5);
    }
    bed.around(rng, 0.35, |rng, out| {
        white(rng, out);
        let sway = drift(rng, out.len(), rate, 0.15);
        super::make::sweep(out, rate, 6.0, |at| 420.0 * (1.0 + 0.4 * sway[at]));
    });
}

/// Blips of a robot or computer.
pub(super) fn computer(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let mut out = Vec::new();
    for index in 0..4 + rng.below(6) {
        let hz = 400.0 * 2_f32.powf(rng.below(24) as f32 / 8.0);
        let to = hz * [1.0, 1.5, 0.67][rng.below(3)];
        let blip = tone(
            rate,
            0.075,
            |part| hz + (to - hz) * part,
            note,
            |phase| sine(phase) + 0.3 * sine(3.0 * phase),
        );
        lay(&mut out, rate, 0.085 * index as f32, &blip, 1.0);
    }
    out
}

/// A camera shutter: two curtains and a mirror.
pub(super) fn shutter(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let mut out = Vec::new();
    for (at, hz, gain) in [(0.0, 2_400.0, 1.0), (0.045, 3_600.0, 0.7), (0.1, 1_700.0, 0.9)] {
        let part = grain(rng, rate, hz, 1.0, 0.022);
        lay(&mut out, rate, at, &part, gain);
        let body = modes(rate, 0.04, &[(0.18 * hz, 1.0, 0.02)]);
        lay(&mut out, rate, at, &body, 0.3 * gain);
    }
    out
}

/// Tuning tones and hiss of a radio between stations.
pub(super) fn radio(rng: &mut Rng, bed: &mut Bed) {
    let rate = bed.rate;
    let slow = drift(rng, bed.frames(), rate, 0.8);
    bed.around(rng, 0.7, |rng, out| {
        white(rng, out);
        bandpass(out, rate, 1_800.0, 0.5);
        shape(out, |at| 1.0 + 0.4 * slow[at]);
    });
    let mut phase = 0.0_f32;
    let row: Vec<f32> = (0..bed.frames())
        .map(|at| {
            phase = (phase + 900.0 * (2.0_f32).powf(1.2 * slow[at]) / rate).fract();
            sine(phase) * (0.5 - 0.5 * (PI * slow[at]).cos())
        })
        .collect();
    bed.add(0.0, &row, 0.0, 0.12);
}

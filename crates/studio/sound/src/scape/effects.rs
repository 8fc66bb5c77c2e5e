//! Sound effects of films and games: blasts, whooshes, lasers, magic.

use std::f32::consts::PI;

use super::make::{
    bandpass, brown, darken, drift, grain, highpass, lay, modes, note, rare, reed, samples, shape, sine,
    strike, sweep, tone, white,
};
use crate::chance::Rng;

pub(super) fn explosion(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let seconds = 4.0;
    let count = samples(seconds, rate);
    let mut blast = vec![0.0; count];
    white(rng, &mut blast);
    darken(&mut blast, rate, |at| {
        110.0 + 6_500.0 * (-(at as f32) / (0.22 * rate)).exp()
    });
    strike(&mut blast, rate, 0.004, 2.2);
    let mut out: Vec<f32> = blast.iter().map(|x| (4.0 * x).tanh()).collect();
    let sub = tone(
        rate,
        1.6,
        |part| 28.0 + 62.0 * (-5.0 * part).exp(),
        |part| (1.0 - part).powi(2),
        sine,
    );
    lay(&mut out, rate, 0.0, &sub, 1.3);
    let mut rumble = vec![0.0; count];
    brown(rng, &mut rumble, rate, 80.0);
    highpass(&mut rumble, rate, 28.0);
    let rolls = drift(rng, count, rate, 3.0);
    shape(&mut rumble, |at| {
        let t = at as f32 / rate;
        (t / 0.1).min(1.0) * (-1.1 * t).exp() * (0.8 + 0.5 * rolls[at])
    });
    lay(&mut out, rate, 0.05, &rumble, 0.9);
    for _ in 0..60 {
        let at = 0.3 + 2.6 * rng.unit();
        let hz = rng.between(600.0, 4_000.0);
        let bit = grain(rng, rate, hz, 1.0, 0.03);
        lay(&mut out, rate, at, &bit, 0.3 * rare(rng) * (1.0 - at / 3.5));
    }
    shape(&mut out, |at| {
        ((1.0 - at as f32 / count as f32) * 4.0).clamp(0.0, 1.0)
    });
    out
}

pub(super) fn gunshot(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let mut out = vec![0.0; samples(1.3, rate)];
    white(rng, &mut out);
    darken(&mut out, rate, |at| {
        350.0 + 12_000.0 * (-(at as f32) / (0.02 * rate)).exp()
    });
    let fall = |at: usize, seconds: f32| (-(at as f32) / (seconds * rate)).exp();
    shape(&mut out, |at| 3.0 * fall(at, 0.012) + 0.25 * fall(at, 0.16));
    let thump = tone(
        rate,
        0.14,
        |part| 160.0 - 90.0 * part,
        |part| (1.0 - part).powi(3),
        sine,
    );
    lay(&mut out, rate, 0.0, &thump, 1.0);
    out.iter().map(|x| (1.5 * x).tanh()).collect()
}

pub(super) fn whoosh(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let seconds = rng.between(0.6, 1.0);
    let mut out = vec![0.0; samples(seconds, rate)];
    white(rng, &mut out);
    let count = out.len() as f32;
    let top = rng.between(1_600.0, 2_600.0);
    let peak = rng.between(0.5, 0.65);
    let hump = move |at: usize| {
        let part = at as f32 / count;
        let part = if part < peak {
            0.5 * part / peak
        } else {
            0.5 + 0.5 * (part - peak) / (1.0 - peak)
        };
        (PI * part).sin().max(0.0)
    };
    sweep(&mut out, rate, 1.1, |at| 220.0 + top * hump(at).powi(2));
    shape(&mut out, |at| hump(at).powi(2));
    out
}

pub(super) fn laser(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let top = rng.between(2_800.0, 4_200.0);
    let mut wobble = 0.0_f32;
    let mut out = tone(
        rate,
        0.36,
        |part| top * (-3.4 * part).exp() + 90.0,
        |part| (part * 60.0).min(1.0) * (1.0 - part).powf(1.5),
        |phase| {
            wobble = sine((2.0 * phase).fract());
            sine((phase + 0.22 * wobble).fract()) + 0.3 * reed(phase)
        },
    );
    let mut echo = out.clone();
    shape(&mut echo, |_| 0.25);
    lay(&mut out, rate, 0.09, &echo, 1.0);
    out
}

/// A hit as under a film title.
pub(super) fn impact(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let mut out = tone(
        rate,
        3.0,
        |part| 34.0 + 60.0 * (-14.0 * part).exp(),
        |part| (-4.5 * part).exp() * (1.0 - part),
        |phase| sine(phase) + 0.25 * sine(2.0 * phase),
    );
    let mut hit = vec![0.0; samples(2.2, rate)];
    white(rng, &mut hit);
    darken(&mut hit, rate, |at| {
        90.0 + 3_000.0 * (-(at as f32) / (0.09 * rate)).exp()
    });
    strike(&mut hit, rate, 0.002, 1.8);
    lay(&mut out, rate, 0.0, &hit, 1.6);
    let ring = modes(
        rate,
        3.0,
        &[(83.0, 0.4, 2.5), (131.0, 0.25, 2.0), (197.0, 0.15, 1.4)],
    );
    lay(&mut out, rate, 0.0, &ring, 0.6);
    out
}

/// A rising sound that builds tension.
pub(super) fn riser(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let seconds = 3.0;
    let mut out = vec![0.0; samples(seconds, rate)];
    white(rng, &mut out);
    let count = out.len() as f32;
    sweep(&mut out, rate, 1.6, |at| 250.0 * 22_f32.powf(at as f32 / count));
    let saw = tone(rate, seconds, |part| 110.0 * 6_f32.powf(part), |_| 0.25, reed);
    lay(&mut out, rate, 0.0, &saw, 1.0);
    shape(&mut out, |at| {
        let part = at as f32 / count;
        part * part * ((1.0 - part) * 60.0).min(1.0)
    });
    out
}

/// Small bells that rise and sparkle.
pub(super) fn magic(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let mut out = vec![0.0; samples(2.2, rate)];
    let scale = [0.0, 2.0, 4.0, 7.0, 9.0];
    for index in 0..22 {
        let octave = (index / 5) as f32;
        let note = scale[index % 5] + 12.0 * octave;
        let hz = 880.0 * 2_f32.powf(note / 12.0) * rng.between(0.998, 1.002);
        let at = 0.045 * index as f32 + 0.02 * rng.unit();
        let ring = modes(
            rate,
            0.9,
            &[(hz, 1.0, 0.8), (2.0 * hz, 0.3, 0.5), (3.01 * hz, 0.15, 0.3)],
        );
        lay(
            &mut out,
            rate,
            at,
            &ring,
            rng.between(0.4, 1.0) / (1.0 + 0.6 * octave),
        );
    }
    let mut air = vec![0.0; samples(1.8, rate)];
    white(rng, &mut air);
    highpass(&mut air, rate, 6_000.0);
    super::make::swell(&mut air, 1.5);
    lay(&mut out, rate, 0.0, &air, 0.12);
    out
}

pub(super) fn pop(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let hz = rng.between(420.0, 620.0);
    let mut out = tone(
        rate,
        0.09,
        |part| hz * (1.0 + 1.4 * part),
        |part| (-5.0 * part).exp() * (part * 30.0).min(1.0),
        sine,
    );
    let click = grain(rng, rate, 2_000.0, 0.8, 0.008);
    lay(&mut out, rate, 0.0, &click, 0.5);
    out
}

pub(super) fn click(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let hz = rng.between(2_200.0, 3_200.0);
    let mut out = grain(rng, rate, hz, 1.6, 0.01);
    let body = modes(rate, 0.03, &[(0.22 * hz, 1.0, 0.015)]);
    lay(&mut out, rate, 0.0, &body, 0.4);
    out
}

/// The reward sound of a game: two quick rising notes.
pub(super) fn reward(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let hz = rng.between(930.0, 1_050.0);
    let mut out = Vec::new();
    for (at, seconds, ratio) in [(0.0, 0.08, 1.0), (0.08, 0.45, 1.335)] {
        let row = tone(
            rate,
            seconds,
            |_| hz * ratio,
            |part| if seconds > 0.2 { (1.0 - part).powi(2) } else { 1.0 },
            |phase| if phase < 0.5 { 0.6 } else { -0.6 },
        );
        lay(&mut out, rate, at, &row, 1.0);
    }
    bandpass(&mut out, rate, 2_200.0, 0.3);
    out
}

/// The failure sound of a game: falling notes.
pub(super) fn failure(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let hz = rng.between(300.0, 360.0);
    let mut out = Vec::new();
    for (index, ratio) in [1.0, 0.944, 0.89, 0.75].iter().enumerate() {
        let long = if index == 3 { 0.7 } else { 0.22 };
        let row = tone(
            rate,
            long,
            |part| hz * ratio * (1.0 + 0.012 * (40.0 * part * long).sin()),
            note,
            |phase| (2.0 * reed(phase)).tanh(),
        );
        lay(&mut out, rate, 0.24 * index as f32, &row, 1.0);
    }
    super::make::lowpass(&mut out, rate, 2_400.0);
    out
}

/// A released spring.
pub(super) fn boing(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let hz = rng.between(150.0, 190.0);
    tone(
        rate,
        0.9,
        |part| hz * (1.0 + 0.6 * part + 0.35 * (1.0 - part) * (70.0 * part).sin()),
        |part| (part * 60.0).min(1.0) * (1.0 - part).powi(2),
        |phase| sine(phase) + 0.5 * sine(2.0 * phase) + 0.25 * sine(3.0 * phase),
    )
}

/// A spark that jumps, then keeps buzzing.
pub(super) fn electricity(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let seconds = 1.3;
    let mut out = vec![0.0; samples(seconds, rate)];
    let mut at = 0.0;
    while at < seconds {
        let burst = rng.between(0.02, 0.16);
        let end = (at + burst).min(seconds);
        while at < end {
            let hz = rng.between(1_500.0, 7_000.0);
            let spark = grain(rng, rate, hz, 0.8, 0.006);
            lay(&mut out, rate, at, &spark, 0.4 + 0.6 * rng.unit());
            at += 0.01 * rng.between(0.9, 1.1);
        }
        at += rng.between(0.01, 0.2);
    }
    out
}

/// A punch, as in films.
pub(super) fn punch(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let mut out = tone(
        rate,
        0.2,
        |part| 150.0 - 95.0 * part,
        |part| (-5.0 * part).exp(),
        sine,
    );
    let slap = grain(rng, rate, 1_500.0, 0.5, 0.05);
    lay(&mut out, rate, 0.0, &slap, 2.0);
    out
}

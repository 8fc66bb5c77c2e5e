//! Water: waves, streams, drops and splashes.

use std::f32::consts::PI;

use super::make::{
    Bed, brown, bubble, darken, drift, grain, highpass, lay, lowpass, pink, rare, samples, shape, strike,
    sweep, white,
};
use crate::chance::Rng;

/// Waves on a beach: each one swells, breaks, washes up and hisses back.
pub(super) fn surf(rng: &mut Rng, bed: &mut Bed) {
    let rate = bed.rate;
    let slow = drift(rng, bed.frames(), rate, 0.2);
    bed.around(rng, 0.22, |rng, out| {
        pink(rng, out, rate);
        lowpass(out, rate, 900.0);
        shape(out, |at| 1.0 + 0.4 * slow[at]);
    });
    let mut at = -rng.between(0.5, 3.0);
    while at < bed.seconds() {
        let size = rng.between(0.6, 1.0);
        let side = 0.5 * rng.bipolar();
        for pan in [-0.85, 0.85] {
            let late = rng.between(0.0, 0.35);
            let sound = breaker(rng, rate, size);
            bed.add(
                at + late,
                &sound,
                pan,
                size * (1.0 - 0.6 * (pan - side) * side.signum()).clamp(0.5, 1.2),
            );
        }
        at += rng.between(4.5, 7.5);
    }
}

fn breaker(rng: &mut Rng, rate: f32, size: f32) -> Vec<f32> {
    let swell = rng.between(1.6, 2.4);
    let wash = rng.between(3.5, 5.0);
    let count = samples(swell + wash, rate);
    let turn = swell * rate;
    let envelope = |at: usize, rise: f32, fall: f32| {
        let t = (at as f32 - turn) / rate;
        if t < 0.0 {
            (rise * t).exp()
        } else {
            (-fall * t).exp()
        }
    };
    let end = |at: usize| (1.0 - at as f32 / count as f32).max(0.0).sqrt();
    let mut low = vec![0.0; count];
    brown(rng, &mut low, rate, 120.0);
    highpass(&mut low, rate, 40.0);
    shape(&mut low, |at| 1.1 * size * envelope(at, 2.0, 1.3) * end(at));
    let mut crash = vec![0.0; count];
    white(rng, &mut crash);
    darken(&mut crash, rate, |at| {
        350.0 + 5_200.0 * size * envelope(at, 3.0, 0.9)
    });
    shape(&mut crash, |at| 0.8 * envelope(at, 2.6, 1.0) * end(at));
    let mut hiss = vec![0.0; count];
    white(rng, &mut hiss);
    highpass(&mut hiss, rate, 2_400.0);
    let foam = drift(rng, count, rate, 30.0);
    shape(&mut hiss, |at| {
        let t = (at as f32 - turn) / rate;
        let shape = if t < 0.0 {
            (4.0 * t).exp() * 0.3
        } else {
            (t / 1.2).min(1.0).mul_add(0.7, 0.3) * (-0.75 * t).exp()
        };
        0.3 * shape * (0.6 + 0.5 * foam[at].abs()) * end(at)
    });
    low.iter()
        .zip(&crash)
        .zip(&hiss)
        .map(|((a, b), c)| a + b + c)
        .collect()
}

/// Bubbles with radii in this range (in millimetres), `density` per second, over rushing water.
fn flow(rng: &mut Rng, bed: &mut Bed, density: f32, (small, large): (f32, f32), rush: f32) {
    let rate = bed.rate;
    let slow = drift(rng, bed.frames(), rate, 0.5);
    bed.around(rng, rush, |rng, out| {
        pink(rng, out, rate);
        let sway = drift(rng, out.len(), rate, 3.0);
        sweep(out, rate, 0.5, |at| 700.0 * (1.0 + 0.35 * sway[at]));
        shape(out, |at| 1.0 + 0.25 * slow[at]);
    });
    bed.scatter(rng, density, |rng| {
        let radius = small * (large / small).powf(rng.unit() * rng.unit()) / 1_000.0;
        let rise = rng.between(0.02, 0.12);
        (bubble(rng, rate, radius, rise), 0.15 + rare(rng))
    });
}

pub(super) fn stream(rng: &mut Rng, bed: &mut Bed) {
    flow(rng, bed, 260.0, (1.2, 6.0), 0.35);
}

pub(super) fn river(rng: &mut Rng, bed: &mut Bed) {
    flow(rng, bed, 320.0, (1.6, 9.0), 1.1);
    let rate = bed.rate;
    bed.around(rng, 0.4, |rng, out| {
        brown(rng, out, rate, 200.0);
        highpass(out, rate, 70.0);
    });
}

/// Small waves against a hull, a jetty or a shore.
pub(super) fn lapping(rng: &mut Rng, bed: &mut Bed) {
    let rate = bed.rate;
    bed.around(rng, 0.05, |rng, out| {
        pink(rng, out, rate);
        lowpass(out, rate, 1_000.0);
    });
    let mut at = -0.5;
    while at < bed.seconds() {
        let sound = lap(rng, rate);
        let (pan, gain) = (0.8 * rng.bipolar(), rng.between(0.4, 1.0));
        bed.add(at, &sound, pan, gain);
        at += rng.between(0.5, 1.5);
    }
}

fn lap(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let seconds = rng.between(0.6, 1.1);
    let mut out = vec![0.0; samples(seconds, rate)];
    pink(rng, &mut out, rate);
    let top = rng.between(700.0, 1_500.0);
    let count = out.len() as f32;
    sweep(&mut out, rate, 0.8, |at| {
        250.0 + top * (PI * at as f32 / count).sin()
    });
    super::make::swell(&mut out, 1.6);
    for _ in 0..8 + rng.below(10) {
        let at = seconds * (0.2 + 0.6 * rng.unit());
        let radius = rng.between(0.002, 0.007);
        let sound = bubble(rng, rate, radius, 0.1);
        lay(&mut out, rate, at, &sound, 0.25 * rng.unit());
    }
    out
}

pub(super) fn waterfall(rng: &mut Rng, bed: &mut Bed) {
    let rate = bed.rate;
    bed.around(rng, 1.0, |rng, out| {
        pink(rng, out, rate);
        highpass(out, rate, 120.0);
        lowpass(out, rate, 7_000.0);
    });
    bed.around(rng, 0.5, |rng, out| {
        brown(rng, out, rate, 150.0);
        highpass(out, rate, 45.0);
    });
    flow(rng, bed, 350.0, (1.0, 5.0), 0.3);
}

/// Below the surface: muffled, with strings of bubbles.
pub(super) fn underwater(rng: &mut Rng, bed: &mut Bed) {
    let rate = bed.rate;
    bed.around(rng, 1.0, |rng, out| {
        brown(rng, out, rate, 110.0);
        highpass(out, rate, 40.0);
        let slow = drift(rng, out.len(), rate, 0.4);
        darken(out, rate, |at| 320.0 * (1.0 + 0.5 * slow[at]));
    });
    let mut at = rng.between(0.2, 1.5);
    while at < bed.seconds() {
        let pan = 0.7 * rng.bipolar();
        let mut radius = rng.between(0.006, 0.01);
        let mut place = at;
        for _ in 0..8 + rng.below(14) {
            let sound = bubble(rng, rate, radius, 0.12);
            bed.add(place, &sound, pan + 0.1 * rng.bipolar(), rng.between(0.4, 1.1));
            radius = (radius * rng.between(0.85, 1.05)).max(0.003);
            place += rng.between(0.03, 0.09);
        }
        at += rng.between(1.5, 4.0);
    }
}

pub(super) fn drip(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let radius = rng.between(0.002_2, 0.003_6);
    let mut out = vec![0.0; samples(0.3, rate)];
    let click = grain(rng, rate, 4_500.0, 1.0, 0.004);
    lay(&mut out, rate, 0.0, &click, 0.25);
    // The bubble left by the drop rings a moment later.
    let hz = 3.0 / radius;
    let ring = super::make::tone(
        rate,
        0.14,
        |part| hz * (0.85 + 0.55 * part),
        |part| (-7.0 * part).exp() * (part * 40.0).min(1.0),
        super::make::sine,
    );
    lay(&mut out, rate, 0.012, &ring, 1.0);
    out
}

pub(super) fn splash(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let mut out = vec![0.0; samples(1.6, rate)];
    white(rng, &mut out);
    darken(&mut out, rate, |at| {
        500.0 + 7_000.0 * (-(at as f32) / (0.18 * rate)).exp()
    });
    strike(&mut out, rate, 0.012, 0.9);
    let thump = super::make::tone(
        rate,
        0.25,
        |part| 130.0 - 60.0 * part,
        |part| (1.0 - part).powi(2),
        super::make::sine,
    );
    lay(&mut out, rate, 0.0, &thump, 0.8);
    for _ in 0..70 {
        let at = 0.08 + 1.3 * rare(rng);
        let radius = rng.between(0.001_2, 0.007);
        let sound = bubble(rng, rate, radius, 0.1);
        lay(&mut out, rate, at, &sound, 0.35 * rng.unit());
    }
    out
}

/// A tap, or water poured into a glass. The pitch rises as the glass fills.
pub(super) fn pour(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let seconds = 3.2;
    let mut out = vec![0.0; samples(seconds, rate)];
    pink(rng, &mut out, rate);
    let count = out.len() as f32;
    sweep(&mut out, rate, 3.5, |at| {
        420.0 * (3.2_f32).powf(at as f32 / count)
    });
    shape(&mut out, |at| 0.8 * super::make::note(at as f32 / count));
    for _ in 0..420 {
        let part = rng.unit() * 0.94;
        let radius = (0.006 - 0.004 * part) * rng.between(0.6, 1.2);
        let sound = bubble(rng, rate, radius, 0.1);
        lay(&mut out, rate, part * seconds, &sound, 0.3 * rng.unit());
    }
    out
}

/// Boiling water.
pub(super) fn boiling(rng: &mut Rng, bed: &mut Bed) {
    flow(rng, bed, 120.0, (3.0, 11.0), 0.12);
}

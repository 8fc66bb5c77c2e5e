//! Wind, rain, thunder and other weather.

use super::make::{
    Bed, bandpass, brown, bubble, darken, drift, grain, highpass, lay, lowpass, pink, rare, samples, shape,
    strike, sweep, white,
};
use crate::chance::Rng;

/// Gusts, as levels over time. A `wild` of 0 is a steady breeze.
fn gusts(rng: &mut Rng, bed: &Bed, wild: f32) -> Vec<f32> {
    let slow = drift(rng, bed.frames(), bed.rate, 0.22);
    let fast = drift(rng, bed.frames(), bed.rate, 1.3);
    slow.iter()
        .zip(&fast)
        .map(|(a, b)| (wild * (1.3 * a + 0.35 * b)).exp())
        .collect()
}

/// Turbulent air at the ear, which whistles at edges.
fn blow(rng: &mut Rng, bed: &mut Bed, wild: f32, howl: f32) {
    let gusts = gusts(rng, bed, wild);
    let rate = bed.rate;
    bed.around(rng, 1.0, |rng, out| {
        brown(rng, out, rate, 90.0);
        highpass(out, rate, 35.0);
        lowpass(out, rate, 500.0);
        shape(out, |at| 0.5 * gusts[at]);
    });
    bed.around(rng, 1.0, |rng, out| {
        white(rng, out);
        sweep(out, rate, 0.9, |at| 330.0 * gusts[at].powf(0.75));
        lowpass(out, rate, 3_500.0);
        shape(out, |at| 1.4 * gusts[at]);
    });
    for (hz, share) in [(520.0, 1.0), (830.0, 0.6)] {
        let sway = drift(rng, bed.frames(), rate, 0.6);
        bed.around(rng, howl * share, |rng, out| {
            white(rng, out);
            sweep(out, rate, 22.0, |at| {
                hz * gusts[at].powf(0.3) * (1.0 + 0.09 * sway[at])
            });
            shape(out, |at| 5.0 * gusts[at].powf(1.4));
        });
    }
}

pub(super) fn wind(rng: &mut Rng, bed: &mut Bed) {
    blow(rng, bed, 0.65, 0.12);
}

pub(super) fn gale(rng: &mut Rng, bed: &mut Bed) {
    blow(rng, bed, 0.8, 0.55);
}

pub(super) fn leaves(rng: &mut Rng, bed: &mut Bed) {
    let gusts = gusts(rng, bed, 0.9);
    let rate = bed.rate;
    bed.around(rng, 1.0, |rng, out| {
        let flutter = drift(rng, out.len(), rate, 24.0);
        white(rng, out);
        highpass(out, rate, 1_600.0);
        lowpass(out, rate, 8_000.0);
        shape(out, |at| gusts[at].powf(1.3) * (0.6 + 0.6 * flutter[at].abs()));
    });
    bed.scatter(rng, 60.0, |rng| {
        let hz = rng.between(2_500.0, 7_000.0);
        (grain(rng, rate, hz, 1.2, 0.012), 0.7 * rare(rng))
    });
}

/// `density` drops per second, over a `hiss` of drops too many to tell apart.
fn drops(rng: &mut Rng, bed: &mut Bed, density: f32, hiss: f32) {
    let rate = bed.rate;
    let slow = drift(rng, bed.frames(), rate, 0.3);
    bed.around(rng, hiss, |rng, out| {
        pink(rng, out, rate);
        highpass(out, rate, 700.0);
        shape(out, |at| 1.0 + 0.2 * slow[at]);
    });
    bed.around(rng, 0.6 * hiss, |rng, out| {
        white(rng, out);
        highpass(out, rate, 4_500.0);
        lowpass(out, rate, 11_000.0);
    });
    bed.scatter(rng, density, |rng| {
        let hz = rng.between(1_800.0, 9_000.0);
        let seconds = rng.between(0.003, 0.009);
        (grain(rng, rate, hz, 1.5, seconds), 0.08 + 1.6 * rare(rng))
    });
    bed.scatter(rng, 0.12 * density, |rng| {
        let radius = rng.between(0.000_7, 0.002);
        (bubble(rng, rate, radius, 0.08), 0.35 * rare(rng))
    });
}

pub(super) fn rain(rng: &mut Rng, bed: &mut Bed) {
    drops(rng, bed, 380.0, 0.32);
}

pub(super) fn drizzle(rng: &mut Rng, bed: &mut Bed) {
    drops(rng, bed, 110.0, 0.07);
}

pub(super) fn downpour(rng: &mut Rng, bed: &mut Bed) {
    drops(rng, bed, 800.0, 1.3);
    let rate = bed.rate;
    bed.around(rng, 0.35, |rng, out| {
        brown(rng, out, rate, 250.0);
        highpass(out, rate, 90.0);
    });
}

/// Ice hitting hard ground.
pub(super) fn hail(rng: &mut Rng, bed: &mut Bed) {
    let rate = bed.rate;
    bed.scatter(rng, 140.0, |rng| {
        let hz = rng.between(2_500.0, 6_500.0);
        (grain(rng, rate, hz, 5.0, 0.016), 0.1 + rare(rng))
    });
    bed.around(rng, 0.05, |rng, out| {
        pink(rng, out, rate);
        highpass(out, rate, 900.0);
    });
}

pub(super) fn thunder(rng: &mut Rng, rate: f32) -> Vec<f32> {
    let seconds = rng.between(5.0, 7.5);
    let count = samples(seconds, rate);
    let mut out = vec![0.0; count];
    // The crack: strokes of the nearer parts of the lightning channel.
    let mut at = 0.0;
    for stroke in 0..4 + rng.below(4) {
        let mut crack = vec![0.0; samples(0.5, rate)];
        white(rng, &mut crack);
        let top = rng.between(1_800.0, 5_000.0);
        darken(&mut crack, rate, |at| {
            150.0 + top * (-(at as f32) / (0.05 * rate)).exp()
        });
        strike(&mut crack, rate, 0.002, rng.between(0.15, 0.45));
        lay(&mut out, rate, at, &crack, 2.2 / (1.0 + 0.4 * stroke as f32));
        at += rng.between(0.02, 0.16);
    }
    // The rumble: the farther parts arrive later and with less treble.
    let mut rumble = vec![0.0; count];
    brown(rng, &mut rumble, rate, 70.0);
    highpass(&mut rumble, rate, 25.0);
    let rolls = drift(rng, count, rate, 2.2);
    let length = count as f32;
    darken(&mut rumble, rate, |at| {
        600.0 * (-3.0 * at as f32 / length).exp() + 110.0
    });
    shape(&mut rumble, |at| {
        let t = at as f32 / rate;
        let rise = (t / 0.25).min(1.0);
        let fall = (-2.6 * at as f32 / length).exp() * (1.0 - at as f32 / length).max(0.0).sqrt();
        rise * fall * (0.25 + (1.0 + rolls[at]).powi(2) * 0.55)
    });
    lay(&mut out, rate, 0.05, &rumble, 2.4);
    out
}

/// Room tone: what a place sounds like when nothing happens.
pub(super) fn air(rng: &mut Rng, bed: &mut Bed) {
    let rate = bed.rate;
    let slow = drift(rng, bed.frames(), rate, 0.15);
    bed.around(rng, 1.0, |rng, out| {
        pink(rng, out, rate);
        lowpass(out, rate, 1_200.0);
        highpass(out, rate, 60.0);
        shape(out, |at| 1.0 + 0.2 * slow[at]);
    });
    bed.around(rng, 0.2, |rng, out| {
        white(rng, out);
        bandpass(out, rate, 2_500.0, 0.4);
    });
}

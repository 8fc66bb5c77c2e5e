//! Winds: harmonics that grow with the breath, delayed vibrato, and breath noise.

use std::f32::consts::TAU;

use super::{RATE, Stereo, Tone, fade_out};
use crate::{chance::Rng, dsp::filter::Sweep};

/// A wind instrument.
#[derive(Debug, Clone, Copy)]
pub struct Blown {
    /// Levels of the harmonics from the first.
    pub harmonics: &'static [f32],
    /// How much the higher ones depend on the breath, 0 to 1.
    pub open: f32,
    pub breath: f32,
    /// Cents.
    pub vibrato: f32,
    pub attack: f32,
    pub release: f32,
    /// Semitones below the pitch where each note starts.
    pub scoop: f32,
}

const MOST: usize = 16;

pub fn play(pipe: &Blown, tone: &Tone) -> Stereo {
    let mut rng = Rng::new(tone.seed);
    let hz = tone.hz();
    let length = tone.held() + (pipe.release * RATE) as usize;
    let count = pipe
        .harmonics
        .len()
        .min(MOST)
        .min((14_000.0 / hz) as usize)
        .max(1);
    let mut phase = 0.0_f32;
    let (mut breath, mut air) = (Sweep::default(), 0.0);
    let speed = rng.between(4.9, 5.7);
    let mut samples = vec![0.0; length];
    let rise = pipe.attack * (1.4 - 0.7 * tone.velocity);
    for (at, out) in samples.iter_mut().enumerate() {
        let time = at as f32 / RATE;
        let mut gain = (time / rise).min(1.0);
        gain = gain * gain * (3.0 - 2.0 * gain);
        if at > tone.held() {
            let gone = (at - tone.held()) as f32 / (length - tone.held()).max(1) as f32;
            gain *= (1.0 - gone).powi(2);
        }
        let swell = ((time - 0.18) / 0.35).clamp(0.0, 1.0);
        let sway = swell * (TAU * speed * time).sin();
        let scoop = pipe.scoop * (-time / 0.045).exp();
        let bend = sway * pipe.vibrato / 1_200.0 - scoop / 12.0;
        phase += hz / RATE * (1.0 + bend * std::f32::consts::LN_2);
        phase -= phase.floor();
        let force = gain * (0.45 + 0.55 * tone.velocity) * (1.0 + 0.08 * sway);
        // sin(n x) from sin((n - 1) x) and sin((n - 2) x).
        let (sin, cos) = (TAU * phase).sin_cos();
        let (mut before, mut now) = (0.0, sin);
        let mut sum = pipe.harmonics[0] * sin;
        let tilt = 1.0 - pipe.open * (1.0 - force);
        let mut share = 1.0;
        for harmonic in &pipe.harmonics[1..count] {
            (before, now) = (now, 2.0 * cos * now - before);
            share *= tilt;
            sum += harmonic * share * now;
        }
        air += 0.6 * (rng.bipolar() - air);
        let (_, hiss) = breath.next(air, Sweep::g((2.0 * hz).min(9_000.0), RATE), 0.7);
        *out = 0.17 * force * sum + pipe.breath * gain * hiss * (0.3 + (-time / 0.05).exp());
    }
    fade_out(&mut samples, 0.005);
    [samples.clone(), samples]
}

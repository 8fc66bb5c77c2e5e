//! Frequency modulation (Chowning 1973): pairs of sines, as in the electric pianos and bells of the 1980s.

use std::f32::consts::TAU;

use super::{RATE, Stereo, Tone, fade_out};

/// One carrier with its modulator.
#[derive(Debug, Clone, Copy)]
pub struct Pair {
    pub carrier: f32,
    pub modulator: f32,
    /// Depth of modulation at full velocity, in radians.
    pub index: f32,
    /// Seconds until the depth has fallen to a third.
    pub index_decay: f32,
    pub level: f32,
    /// Seconds until the level has fallen to a third, at 220 Hz.
    pub decay: f32,
    /// −1 to 1.
    pub pan: f32,
}

/// Pairs that sound together.
#[derive(Debug, Clone, Copy)]
pub struct Stack {
    pub pairs: &'static [Pair],
    pub release: f32,
    /// Seconds until full level.
    pub attack: f32,
}

pub fn play(stack: &Stack, tone: &Tone) -> Stereo {
    let hz = tone.hz();
    let length = tone.held() + (stack.release * RATE) as usize;
    let mut sound = [vec![0.0; length], vec![0.0; length]];
    let loud = 0.3 * (0.2 + 0.8 * tone.velocity);
    for pair in stack.pairs {
        if hz * pair.carrier > 14_000.0 {
            continue;
        }
        let falls = (-1.0 / (pair.decay * (220.0 / hz).powf(0.4) * RATE)).exp();
        let settles = (-1.0 / (pair.index_decay * RATE)).exp();
        let mut level = loud * pair.level;
        // High notes with deep modulation would alias.
        let mut depth = pair.index * tone.velocity * (1_500.0 / hz).min(1.0);
        let (step, mod_step) = (TAU * hz * pair.carrier / RATE, TAU * hz * pair.modulator / RATE);
        let (mut phase, mut mod_phase) = (0.0_f32, 0.0_f32);
        for at in 0..length {
            let x = level * (phase + depth * mod_phase.sin()).sin();
            sound[0][at] += x * (1.0 - pair.pan);
            sound[1][at] += x * (1.0 + pair.pan);
            level *= falls;
            depth *= settles;
            phase = wrap(phase + step);
            mod_phase = wrap(mod_phase + mod_step);
        }
    }
    envelope(&mut sound, tone, stack);
    sound
}

fn wrap(phase: f32) -> f32 {
    if phase > TAU { phase - TAU } else { phase }
}

fn envelope(sound: &mut Stereo, tone: &Tone, stack: &Stack) {
    let rise = (stack.attack * RATE).max(1.0);
    let fall = 10_f32.powf(-3.0 / (stack.release * RATE));
    for row in sound {
        let mut gain = 1.0;
        for (at, x) in row.iter_mut().enumerate() {
            if at > tone.held() {
                gain *= fall;
            }
            *x *= gain * (at as f32 / rise).min(1.0);
        }
        fade_out(row, 0.005);
    }
}

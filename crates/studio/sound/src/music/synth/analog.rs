//! Subtractive synthesis: band-limited oscillators (Välimäki and Huovilainen 2007, polynomial steps) in unison through
//! a resonant filter. String and brass sections are many such players, slightly out of tune with each other.

use std::f32::consts::TAU;

use super::{RATE, Stereo, Tone, fade_out};
use crate::{chance::Rng, dsp::filter::Sweep};

/// A waveform.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Wave {
    Saw,
    /// The share of the period that is high.
    Pulse(f32),
    Triangle,
    Sine,
}

/// A voice.
#[derive(Debug, Clone, Copy)]
pub struct Analog {
    pub wave: Wave,
    pub unison: usize,
    /// Cents from the centre to the outermost player.
    pub detune: f32,
    /// How far apart the players are in the stereo image, 0 to 1.
    pub spread: f32,
    /// Level of a sine an octave below.
    pub sub: f32,
    pub noise: f32,
    /// Cutoff of the filter at rest, in Hz, at full velocity and a fundamental of 220 Hz.
    pub cutoff: f32,
    /// Octaves that the filter is open at the start.
    pub sweep: f32,
    /// Seconds until that has fallen to a third.
    pub sweep_decay: f32,
    /// Inverse of the filter's quality: 2 is mild, 0.2 sings.
    pub damping: f32,
    /// Attack, decay (to a third), sustain level, release.
    pub envelope: [f32; 4],
    /// In cents. Each player has its own speed.
    pub vibrato: f32,
    /// Semitones that the pitch falls from at the start, and seconds.
    pub drop: (f32, f32),
    /// Opens the filter as slowly as the level, as in brass.
    pub brassy: f32,
}

/// A plain voice to start from.
pub const PLAIN: Analog = Analog {
    wave: Wave::Saw,
    unison: 1,
    detune: 0.0,
    spread: 0.0,
    sub: 0.0,
    noise: 0.0,
    cutoff: 2_000.0,
    sweep: 0.0,
    sweep_decay: 0.2,
    damping: 1.4,
    envelope: [0.004, 0.3, 0.8, 0.08],
    vibrato: 0.0,
    drop: (0.0, 0.05),
    brassy: 0.0,
};

struct Player {
    phase: f32,
    ratio: f32,
    left: f32,
    right: f32,
    speed: f32,
    start: f32,
}

pub fn play(voice: &Analog, tone: &Tone) -> Stereo {
    let mut rng = Rng::new(tone.seed);
    let hz = tone.hz();
    let [attack, decay, sustain, release] = voice.envelope;
    let length = tone.held() + (release * RATE) as usize;
    let mut players = players(voice, &mut rng);
    let scale = 0.16 * (0.3 + 0.7 * tone.velocity) / (voice.unison as f32).sqrt();
    let track = (hz / 220.0).powf(0.5);
    let rest = voice.cutoff * track * 2_f32.powf(1.6 * (tone.velocity - 1.0));
    let mut filters = [Sweep::default(); 2];
    let mut sound = [vec![0.0; length], vec![0.0; length]];
    let (mut level, mut swept, mut g) = (0.0_f32, 1.0_f32, 0.0);
    let (mut bend, mut sub) = (1.0, 0.0_f32);
    let falls = (-1.0 / (voice.sweep_decay * RATE)).exp();
    let settles = 1.0 - (-1.0 / (decay * RATE)).exp();
    let fades = 10_f32.powf(-3.0 / (release * RATE));
    let rises = 1.0 / (attack * RATE).max(1.0);
    let mut rising = true;
    for at in 0..length {
        if at > tone.held() {
            level *= fades;
        } else if rising {
            level += rises;
            rising = level < 1.0;
        } else {
            level += settles * (sustain - level);
        }
        if at % 16 == 0 {
            let time = at as f32 / RATE;
            bend = 2_f32.powf(voice.drop.0 / 12.0 * (-time / voice.drop.1).exp());
            let shine = 1.0 - voice.brassy * (1.0 - level.min(1.0));
            let corner = rest * 2_f32.powf(voice.sweep * swept) * shine;
            g = Sweep::g(corner.clamp(60.0, 17_000.0), RATE);
            sway(&mut players, voice.vibrato, time);
        }
        swept *= falls;
        let (mut left, mut right) = (0.0, 0.0);
        for player in &mut players {
            let step = hz * bend * player.ratio / RATE;
            player.phase += step;
            if player.phase >= 1.0 {
                player.phase -= 1.0;
            }
            let x = wave(voice.wave, player.phase, step);
            left += player.left * x;
            right += player.right * x;
        }
        if voice.noise > 0.0 {
            let hiss = voice.noise * rng.bipolar();
            left += hiss;
            right += hiss;
        }
        let (l, _) = filters[0].next(left, g, voice.damping);
        let (r, _) = filters[1].next(right, g, voice.damping);
        sub += 0.5 * hz * bend / RATE;
        sub -= sub.floor();
        let low = if voice.sub > 0.0 {
            voice.sub * (TAU * sub).sin()
        } else {
            0.0
        };
        sound[0][at] = scale * level * (l + low);
        sound[1][at] = scale * level * (r + low);
    }
    for row in &mut sound {
        fade_out(row, 0.004);
    }
    sound
}

fn players(voice: &Analog, rng: &mut Rng) -> Vec<Player> {
    (0..voice.unison)
        .map(|index| {
            let place = if voice.unison == 1 {
                0.0
            } else {
                2.0 * index as f32 / (voice.unison - 1) as f32 - 1.0
            };
            // Neighbours in pitch are on opposite sides.
            let side = if index % 2 == 0 { place } else { -place } * voice.spread;
            let cents = voice.detune * (place + 0.15 * rng.bipolar());
            let start = 2_f32.powf(cents / 1_200.0);
            Player {
                phase: if voice.unison == 1 { 0.0 } else { rng.unit() },
                ratio: start,
                left: 1.0 - side,
                right: 1.0 + side,
                speed: rng.between(4.8, 6.0),
                start,
            }
        })
        .collect()
}

/// Applies vibrato, which starts after a moment.
fn sway(players: &mut [Player], cents: f32, time: f32) {
    if cents <= 0.0 {
        return;
    }
    let depth = cents / 1_200.0 * std::f32::consts::LN_2 * ((time - 0.1) / 0.4).clamp(0.0, 1.0);
    for player in players {
        player.ratio = player.start * (1.0 + depth * (TAU * player.speed * time).sin());
    }
}

fn wave(wave: Wave, phase: f32, step: f32) -> f32 {
    match wave {
        Wave::Saw => 2.0 * phase - 1.0 - corner(phase, step),
        Wave::Pulse(width) => {
            let shifted = if phase + width >= 1.0 {
                phase + width - 1.0
            } else {
                phase + width
            };
            let saws = (2.0 * shifted - corner(shifted, step)) - (2.0 * phase - corner(phase, step));
            saws + 1.0 - 2.0 * width
        }
        Wave::Triangle => 4.0 * (phase - 0.5).abs() - 1.0,
        Wave::Sine => (TAU * phase).sin(),
    }
}

/// The correction that smooths the step of a saw.
fn corner(phase: f32, step: f32) -> f32 {
    if phase < step {
        let x = phase / step;
        x + x - x * x - 1.0
    } else if phase > 1.0 - step {
        let x = (phase - 1.0) / step;
        x * x + x + x + 1.0
    } else {
        0.0
    }
}

//! Drums: skins are falling sines, metal is clashing squares, wires and hands are noise.

use std::f32::consts::TAU;

use super::RATE;
use crate::{
    chance::Rng,
    dsp::filter::{Biquad, Sweep},
};

/// An instrument of the drum kit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Piece {
    Kick,
    Snare,
    Clap,
    Rim,
    Hat,
    OpenHat,
    Ride,
    Crash,
    LowTom,
    MidTom,
    HighTom,
    Shaker,
    Tambourine,
    LowConga,
    HighConga,
    Cowbell,
    Clave,
    Brush,
    Gong,
    Taiko,
    Triangle,
    Crackle,
}

/// A drum kit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kit {
    Acoustic,
    Rock,
    Metal,
    Jazz,
    /// Like the machines of house and techno.
    Dance,
    /// Like the machine with the long, deep kick.
    Deep,
    Dusty,
    Chip,
    Orchestral,
}

impl Kit {
    pub fn name(self) -> &'static str {
        match self {
            Self::Acoustic => "acoustic drums",
            Self::Rock => "rock drums",
            Self::Metal => "metal drums",
            Self::Jazz => "jazz drums",
            Self::Dance => "drum machine",
            Self::Deep => "808 drums",
            Self::Dusty => "dusty drums",
            Self::Chip => "noise drums",
            Self::Orchestral => "orchestral percussion",
        }
    }
}

impl Piece {
    /// Its key on General MIDI's drum channel.
    pub fn key(self) -> u8 {
        match self {
            Self::Kick => 36,
            Self::Snare => 38,
            Self::Clap => 39,
            Self::Rim => 37,
            Self::Hat => 42,
            Self::OpenHat => 46,
            Self::Ride => 51,
            Self::Crash => 49,
            Self::LowTom => 43,
            Self::MidTom => 47,
            Self::HighTom => 50,
            Self::Shaker => 70,
            Self::Tambourine => 54,
            Self::LowConga => 64,
            Self::HighConga => 63,
            Self::Cowbell => 56,
            Self::Clave => 75,
            Self::Brush => 40,
            Self::Gong => 52,
            Self::Taiko => 41,
            Self::Triangle => 81,
            Self::Crackle => 82,
        }
    }

    /// Its position, −1 (left) to 1 (right), and its gain.
    pub fn place(self) -> (f32, f32) {
        match self {
            Self::Kick | Self::Taiko => (0.0, 0.85),
            Self::Snare | Self::Brush => (0.04, 0.8),
            Self::Clap => (-0.05, 0.7),
            Self::Rim => (0.15, 0.55),
            Self::Hat | Self::OpenHat => (0.32, 0.55),
            Self::Ride => (-0.38, 0.5),
            Self::Crash | Self::Gong => (-0.45, 0.55),
            Self::LowTom => (-0.4, 0.8),
            Self::MidTom => (0.0, 0.75),
            Self::HighTom => (0.35, 0.7),
            Self::Shaker => (-0.42, 0.32),
            Self::Tambourine => (0.45, 0.34),
            Self::LowConga => (-0.35, 0.6),
            Self::HighConga => (-0.22, 0.55),
            Self::Cowbell => (0.25, 0.35),
            Self::Clave => (0.3, 0.4),
            Self::Triangle => (0.4, 0.25),
            Self::Crackle => (0.0, 0.2),
        }
    }
}

/// One hit, mono. Hits of one piece differ slightly by seed.
pub fn hit(kit: Kit, piece: Piece, velocity: f32, seed: u64) -> Vec<f32> {
    let mut rng = Rng::new(seed);
    let force = 0.2 + 0.8 * velocity;
    let mut samples = match piece {
        Piece::Kick => kick(kit, velocity, &mut rng),
        Piece::Snare => snare(kit, velocity, &mut rng),
        Piece::Clap => clap(&mut rng),
        Piece::Rim => rim(&mut rng),
        Piece::Hat => hat(
            kit,
            if kit == Kit::Jazz { 0.05 } else { 0.035 },
            velocity,
            &mut rng,
        ),
        Piece::OpenHat => hat(kit, 0.22, velocity, &mut rng),
        Piece::Ride => metal(
            &[2_970.0, 3_811.0, 4_733.0, 5_903.0, 7_411.0],
            0.55,
            0.35,
            4_200.0,
            &mut rng,
        ),
        Piece::Crash => metal(
            &[2_207.0, 3_011.0, 4_127.0, 5_231.0, 6_607.0],
            0.75,
            0.85,
            2_400.0,
            &mut rng,
        ),
        Piece::LowTom => skin(85.0, 1.6, 0.28, 0.12, &mut rng),
        Piece::MidTom => skin(120.0, 1.6, 0.24, 0.12, &mut rng),
        Piece::HighTom => skin(165.0, 1.6, 0.2, 0.12, &mut rng),
        Piece::Shaker => hiss(6_200.0, 1.2, 0.035, 0.018, &mut rng),
        Piece::Tambourine => hiss(8_800.0, 2.5, 0.07, 0.003, &mut rng),
        Piece::LowConga => skin(175.0, 1.18, 0.17, 0.06, &mut rng),
        Piece::HighConga => skin(245.0, 1.15, 0.12, 0.08, &mut rng),
        Piece::Cowbell => cowbell(),
        Piece::Clave => ping(2_450.0, 0.03),
        Piece::Brush => hiss(3_200.0, 0.5, 0.09, 0.03, &mut rng),
        Piece::Gong => metal(&[141.0, 233.0, 377.0, 523.0, 811.0], 2.2, 0.5, 120.0, &mut rng),
        Piece::Taiko => skin(62.0, 1.9, 0.5, 0.25, &mut rng),
        Piece::Triangle => ping(4_870.0, 0.6),
        Piece::Crackle => crackle(&mut rng),
    };
    for x in &mut samples {
        *x *= force;
    }
    super::fade_out(&mut samples, 0.004);
    samples
}

fn silence(seconds: f32) -> Vec<f32> {
    vec![0.0; (seconds * RATE) as usize]
}

fn kick(kit: Kit, velocity: f32, rng: &mut Rng) -> Vec<f32> {
    // Final pitch in Hz, extra pitch at the stroke, seconds of that, seconds of the tone, level of the click, drive.
    let (low, above, fall, ring, click, drive) = match kit {
        Kit::Acoustic => (58.0, 90.0, 0.018, 0.13, 0.28, 1.3),
        Kit::Rock => (55.0, 120.0, 0.016, 0.15, 0.45, 1.9),
        Kit::Metal => (60.0, 190.0, 0.011, 0.09, 0.95, 2.4),
        Kit::Jazz => (68.0, 50.0, 0.02, 0.16, 0.1, 1.0),
        Kit::Dance => (48.0, 230.0, 0.022, 0.17, 0.3, 2.2),
        Kit::Deep => (44.0, 110.0, 0.02, 0.42, 0.14, 1.6),
        Kit::Dusty => (54.0, 100.0, 0.02, 0.14, 0.18, 1.8),
        Kit::Chip => (55.0, 320.0, 0.03, 0.07, 0.0, 3.0),
        Kit::Orchestral => (46.0, 30.0, 0.04, 0.5, 0.1, 1.0),
    };
    let mut phase = 0.0_f32;
    let mut samples = silence(5.5 * ring);
    let mut tick = Biquad::bandpass(RATE, if kit == Kit::Metal { 4_500.0 } else { 2_600.0 }, 0.8);
    for (at, x) in samples.iter_mut().enumerate() {
        let time = at as f32 / RATE;
        phase += (low + above * (0.6 + 0.4 * velocity) * (-time / fall).exp()) / RATE;
        phase -= phase.floor();
        let body = (TAU * phase).sin() * (-time / ring).exp();
        let stroke = tick.next(rng.bipolar()) * (-time / 0.005).exp();
        let raw = body * (time / 0.0008).min(1.0) + click * velocity * stroke;
        *x = 0.85 * (drive * raw).tanh() / drive.tanh();
    }
    samples
}

fn snare(kit: Kit, velocity: f32, rng: &mut Rng) -> Vec<f32> {
    // Pitch of the skin in Hz, seconds of skin and wires, level of the wires, and their centre frequency in Hz.
    let (pitch, ring, rattle, wires, bright) = match kit {
        Kit::Acoustic => (185.0, 0.07, 0.11, 0.75, 3_600.0),
        Kit::Rock => (172.0, 0.1, 0.15, 0.9, 3_200.0),
        Kit::Metal => (200.0, 0.08, 0.12, 1.0, 4_200.0),
        Kit::Jazz => (205.0, 0.06, 0.12, 0.55, 4_000.0),
        Kit::Dance => (190.0, 0.06, 0.13, 0.9, 4_500.0),
        Kit::Deep => (180.0, 0.07, 0.1, 0.8, 5_000.0),
        Kit::Dusty => (195.0, 0.07, 0.1, 0.75, 2_300.0),
        Kit::Chip => (140.0, 0.03, 0.1, 1.1, 5_500.0),
        Kit::Orchestral => (210.0, 0.05, 0.16, 0.8, 4_200.0),
    };
    let mut samples = silence(0.42);
    let mut band = Sweep::default();
    let mut low_cut = Biquad::highpass(RATE, 900.0, 0.7);
    let g = Sweep::g(bright * (0.7 + 0.3 * velocity), RATE);
    for (at, x) in samples.iter_mut().enumerate() {
        let time = at as f32 / RATE;
        let bend = 1.0 + 0.35 * (-time / 0.012).exp();
        let skin = (TAU * pitch * bend * time).sin() + 0.55 * (TAU * 1.83 * pitch * time).sin();
        let (_, hiss) = band.next(rng.bipolar(), g, 1.1);
        let hiss = low_cut.next(hiss + 0.25 * rng.bipolar());
        let snap = (-time / 0.006).exp();
        let raw =
            0.55 * skin * (-time / ring).exp() + wires * hiss * (0.8 * (-time / rattle).exp() + 0.6 * snap);
        *x = (1.5 * raw * (time / 0.0005).min(1.0)).tanh() * 0.75;
    }
    if kit == Kit::Dusty {
        Biquad::lowpass(RATE, 6_500.0, 0.7).run(&mut samples);
    }
    samples
}

fn clap(rng: &mut Rng) -> Vec<f32> {
    let mut samples = silence(0.3);
    for (at, x) in samples.iter_mut().enumerate() {
        let time = at as f32 / RATE;
        let hands: f32 = [0.0, 0.011, 0.023]
            .iter()
            .filter(|start| time >= **start)
            .map(|start| (-(time - start) / 0.0045).exp())
            .sum();
        let tail = if time > 0.03 {
            0.65 * (-(time - 0.03) / 0.07).exp()
        } else {
            0.0
        };
        *x = 1.1 * rng.bipolar() * (0.7 * hands + tail);
    }
    Biquad::bandpass(RATE, 1_350.0, 0.9).run(&mut samples);
    Biquad::high_shelf(RATE, 4_000.0, 3.0).run(&mut samples);
    for x in &mut samples {
        *x = (1.8 * *x).tanh() * 0.8;
    }
    samples
}

fn rim(rng: &mut Rng) -> Vec<f32> {
    let mut samples = silence(0.09);
    for (at, x) in samples.iter_mut().enumerate() {
        let time = at as f32 / RATE;
        let tone = (TAU * 1_720.0 * time).sin() + 0.6 * (TAU * 820.0 * time).sin();
        *x = 0.5 * tone * (-time / 0.012).exp() + 0.4 * rng.bipolar() * (-time / 0.002).exp();
    }
    samples
}

fn hat(kit: Kit, ring: f32, velocity: f32, rng: &mut Rng) -> Vec<f32> {
    if kit == Kit::Chip {
        return hiss(9_000.0, 0.6, ring.min(0.08), 0.0005, rng);
    }
    let low = match kit {
        Kit::Dusty => 4_500.0,
        Kit::Dance | Kit::Deep => 7_800.0,
        _ => 6_400.0,
    };
    let ring = ring * (0.8 + 0.4 * velocity);
    let mut samples = metal(
        &[3_205.0, 4_271.0, 5_407.0, 6_733.0, 8_219.0],
        ring,
        0.75,
        low,
        rng,
    );
    samples.truncate((6.0 * ring * RATE) as usize);
    if kit == Kit::Dusty {
        Biquad::lowpass(RATE, 8_500.0, 0.7).run(&mut samples);
    }
    samples
}

/// Clashing squares and noise above a corner frequency.
fn metal(tones: &[f32; 5], ring: f32, noise: f32, low_cut: f32, rng: &mut Rng) -> Vec<f32> {
    let mut samples = silence((5.0 * ring).min(4.0));
    let detune = 1.0 + 0.01 * rng.bipolar();
    let mut phases = [0.0_f32; 5];
    for (at, x) in samples.iter_mut().enumerate() {
        let time = at as f32 / RATE;
        let mut clang = 0.0;
        for (phase, tone) in phases.iter_mut().zip(tones) {
            *phase += tone * detune / RATE;
            *phase -= phase.floor();
            clang += if *phase < 0.5 { 0.2 } else { -0.2 };
        }
        let shape = 0.55 * (-time / ring).exp() + 0.45 * (-time / (0.25 * ring)).exp();
        *x = shape * ((1.0 - noise) * clang + noise * rng.bipolar());
    }
    Biquad::highpass(RATE, low_cut, 0.8).run(&mut samples);
    Biquad::highpass(RATE, low_cut * 0.9, 0.6).run(&mut samples);
    Biquad::lowpass(RATE, 14_500.0, 0.7).run(&mut samples);
    samples
}

/// A skin: a sine that falls to its pitch, its second mode, and the slap.
fn skin(pitch: f32, bend: f32, ring: f32, slap: f32, rng: &mut Rng) -> Vec<f32> {
    let mut samples = silence(5.0 * ring);
    let mut phase = 0.0_f32;
    let mut low = 0.0;
    for (at, x) in samples.iter_mut().enumerate() {
        let time = at as f32 / RATE;
        phase += pitch * (1.0 + (bend - 1.0) * (-time / 0.03).exp()) / RATE;
        phase -= phase.floor();
        low += 0.3 * (rng.bipolar() - low);
        let over = 0.3 * (TAU * 1.59 * pitch * time).sin() * (-time / (0.4 * ring)).exp();
        *x = (0.8 * (TAU * phase).sin() * (-time / ring).exp() + over) * (time / 0.001).min(1.0)
            + slap * 3.0 * low * (-time / 0.01).exp();
    }
    samples
}

fn hiss(middle: f32, q: f32, ring: f32, rise: f32, rng: &mut Rng) -> Vec<f32> {
    let mut samples = silence(5.0 * ring + rise);
    for (at, x) in samples.iter_mut().enumerate() {
        let time = at as f32 / RATE;
        let shape = if time < rise {
            time / rise
        } else {
            (-(time - rise) / ring).exp()
        };
        *x = shape * rng.bipolar();
    }
    Biquad::bandpass(RATE, middle, q).run(&mut samples);
    for x in &mut samples {
        *x *= 1.6;
    }
    samples
}

fn cowbell() -> Vec<f32> {
    let mut samples = silence(0.3);
    for (at, x) in samples.iter_mut().enumerate() {
        let time = at as f32 / RATE;
        let square = |hz: f32| if (hz * time).fract() < 0.5 { 1.0 } else { -1.0 };
        *x = 0.3
            * (square(562.0) + square(845.0))
            * (0.4 * (-time / 0.08).exp() + 0.6 * (-time / 0.012).exp());
    }
    Biquad::bandpass(RATE, 1_600.0, 0.8).run(&mut samples);
    samples
}

fn ping(hz: f32, ring: f32) -> Vec<f32> {
    let mut samples = silence(5.0 * ring);
    for (at, x) in samples.iter_mut().enumerate() {
        let time = at as f32 / RATE;
        *x = 0.7 * (TAU * hz * time).sin() * (-time / ring).exp() * (time / 0.0005).min(1.0);
    }
    samples
}

/// One bar of an old record's crackle.
fn crackle(rng: &mut Rng) -> Vec<f32> {
    let mut samples = silence(1.0);
    for x in &mut samples {
        *x = 0.012 * rng.bipolar();
        if rng.chance(0.000_25) {
            *x += rng.between(0.1, 0.9);
        }
    }
    Biquad::bandpass(RATE, 2_400.0, 0.4).run(&mut samples);
    samples
}

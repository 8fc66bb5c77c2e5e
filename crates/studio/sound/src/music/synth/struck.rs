//! Struck bodies as sums of decaying modes: piano strings with their stiffness (Fletcher 1964), bars, bells and pans.

use super::{RATE, Stereo, Tone, fade_out};
use crate::chance::Rng;

/// A body and how it is struck.
#[derive(Debug, Clone, Copy)]
pub struct Struck {
    pub modes: Modes,
    /// Seconds until the lowest mode of 220 Hz has fallen by 60 dB.
    pub decay: f32,
    /// How much faster each higher mode decays.
    pub damping: f32,
    /// Hardness of the mallet or hammer, 0 to 1.
    pub hard: f32,
    /// Seconds that it rings on after release.
    pub release: f32,
    /// Depth of a motor's tremolo.
    pub tremolo: f32,
    /// Level of the knock of the stroke.
    pub knock: f32,
}

/// The frequencies of a body.
#[derive(Debug, Clone, Copy)]
pub enum Modes {
    /// Harmonics, stretched by stiffness.
    String { stiffness: f32 },
    /// Ratios and levels.
    Table(&'static [(f32, f32)]),
}

const MOST: usize = 64;

/// Modes side by side, each a rotation in the plane (a coupled form, which keeps its pitch at low frequencies).
struct Bank {
    count: usize,
    x: [f32; MOST],
    y: [f32; MOST],
    cos: [f32; MOST],
    sin: [f32; MOST],
    left: [f32; MOST],
    right: [f32; MOST],
}

pub fn play(body: &Struck, tone: &Tone) -> Stereo {
    let mut rng = Rng::new(tone.seed);
    let mut bank = Bank {
        count: 0,
        x: [0.0; MOST],
        y: [0.0; MOST],
        cos: [0.0; MOST],
        sin: [0.0; MOST],
        left: [0.0; MOST],
        right: [0.0; MOST],
    };
    let longest = fill(&mut bank, body, tone);
    let ring = (longest * RATE) as usize;
    let length = (tone.held() + (body.release * RATE) as usize).min(ring.max(2_000));
    let damp = 10_f32.powf(-3.0 / (body.release * RATE));
    let mut sound = [vec![0.0; length], vec![0.0; length]];
    let lanes = bank.count.next_multiple_of(8);
    let mut gain = 1.0;
    for at in 0..length {
        let (mut left, mut right) = (0.0, 0.0);
        for mode in 0..lanes {
            let (x, y) = (bank.x[mode], bank.y[mode]);
            bank.x[mode] = bank.cos[mode] * x - bank.sin[mode] * y;
            bank.y[mode] = bank.sin[mode] * x + bank.cos[mode] * y;
            left += bank.left[mode] * y;
            right += bank.right[mode] * y;
        }
        if at > tone.held() {
            gain *= damp;
        }
        let sway = if body.tremolo > 0.0 {
            1.0 + body.tremolo * (std::f32::consts::TAU * 5.2 * at as f32 / RATE).sin()
        } else {
            1.0
        };
        sound[0][at] = gain * sway * left;
        sound[1][at] = gain * sway * right;
    }
    knock(&mut sound, body, tone, &mut rng);
    for row in &mut sound {
        fade_out(row, 0.01);
    }
    sound
}

/// Sets up the modes and returns how long the longest one rings.
fn fill(bank: &mut Bank, body: &Struck, tone: &Tone) -> f32 {
    let hz = tone.hz();
    let decay = body.decay * (220.0 / hz).powf(0.6);
    let soft = 700.0 + 6_500.0 * body.hard * (0.15 + tone.velocity * tone.velocity);
    let level = 0.3 * (0.2 + 0.8 * tone.velocity);
    let place = ((tone.pitch - 60.0) / 70.0).clamp(-0.5, 0.5);
    let mut add = |ratio: f32, amount: f32, seconds: f32, pan: f32| {
        let frequency = hz * ratio;
        if bank.count == MOST || frequency > 15_000.0 || amount.abs() < 1e-5 {
            return;
        }
        let angle = std::f32::consts::TAU * frequency / RATE;
        let shrink = 10_f32.powf(-3.0 / (seconds.max(0.02) * RATE));
        let index = bank.count;
        bank.x[index] = 1.0;
        bank.cos[index] = shrink * angle.cos();
        bank.sin[index] = shrink * angle.sin();
        bank.left[index] = amount * (1.0 - pan);
        bank.right[index] = amount * (1.0 + pan);
        bank.count += 1;
    };
    match body.modes {
        Modes::String { stiffness } => {
            let stiffness = stiffness * (hz / 220.0).powf(1.2);
            for n in 1..=26 {
                let n = n as f32;
                let ratio = n * (1.0 + stiffness * n * n).sqrt();
                let strike = (std::f32::consts::PI * n * 0.12).sin().abs();
                let hammer = 1.0 / (1.0 + (hz * ratio / soft).powi(2));
                let amount = level * strike * hammer * (1.0 / n.sqrt());
                let seconds = decay / (1.0 + body.damping * (n - 1.0));
                // Each key has slightly detuned strings: one couples to the bridge and decays soon, one rings on.
                add(ratio * 0.999_75, 0.7 * amount, 0.45 * seconds, place - 0.25);
                add(ratio * 1.000_25, 0.42 * amount, 1.3 * seconds, place + 0.25);
            }
        }
        Modes::Table(table) => {
            for (index, (ratio, amount)) in table.iter().enumerate() {
                let hammer = 1.0 / (1.0 + (hz * ratio / (soft * 2.0)).powi(2));
                let seconds = decay / (1.0 + body.damping * index as f32);
                let side = if index % 2 == 0 { 0.12 } else { -0.12 };
                add(*ratio, level * amount * hammer, seconds, 0.5 * place + side);
            }
        }
    }
    1.3 * decay
}

/// The noise of the stroke itself.
fn knock(sound: &mut Stereo, body: &Struck, tone: &Tone, rng: &mut Rng) {
    let level = body.knock * tone.velocity;
    let mut low = 0.0;
    for at in 0..sound[0].len().min(1_500) {
        low += 0.12 * (rng.bipolar() - low);
        let x = level * low * (-(at as f32) / 260.0).exp();
        sound[0][at] += x;
        sound[1][at] += x;
    }
}

//! Building blocks of sounds: noise, slow drifts, ringing modes, bubbles and grains.

use std::f32::consts::{PI, TAU};

use crate::{
    chance::Rng,
    dsp::filter::{Biquad, Sweep, glide},
};

/// Two channels of the same length, to be filled.
#[derive(Debug)]
pub(super) struct Bed {
    pub(super) rate: f32,
    pub(super) left: Vec<f32>,
    pub(super) right: Vec<f32>,
}

impl Bed {
    pub(super) fn new(rate: f32, frames: usize) -> Self {
        Self {
            rate,
            left: vec![0.0; frames],
            right: vec![0.0; frames],
        }
    }

    pub(super) fn frames(&self) -> usize {
        self.left.len()
    }

    pub(super) fn seconds(&self) -> f32 {
        self.frames() as f32 / self.rate
    }

    /// Adds a sound at a time in seconds. Parts outside the bed are ignored.
    pub(super) fn add(&mut self, at: f32, sound: &[f32], pan: f32, gain: f32) {
        let angle = (pan.clamp(-1.0, 1.0) + 1.0) * PI / 4.0;
        let (l, r) = (gain * angle.cos(), gain * angle.sin());
        let start = (at * self.rate) as i64;
        let skip = (-start).max(0) as usize;
        let first = start.max(0) as usize;
        for (index, x) in sound.iter().skip(skip).enumerate() {
            let Some(left) = self.left.get_mut(first + index) else {
                break;
            };
            *left += l * x;
            self.right[first + index] += r * x;
        }
    }

    /// Adds a separate sound to each side, so that it surrounds the listener.
    pub(super) fn around(&mut self, rng: &mut Rng, gain: f32, mut make: impl FnMut(&mut Rng, &mut [f32])) {
        let mut side = vec![0.0; self.frames()];
        for channel in [&mut self.left, &mut self.right] {
            side.fill(0.0);
            make(rng, &mut side);
            for (to, x) in channel.iter_mut().zip(&side) {
                *to += gain * x;
            }
        }
    }

    /// Adds sounds at random times, `density` per second on average.
    pub(super) fn scatter(
        &mut self,
        rng: &mut Rng,
        density: f32,
        mut make: impl FnMut(&mut Rng) -> (Vec<f32>, f32),
    ) {
        let mut at = -rng.unit() / density;
        while at < self.seconds() {
            at += pause(rng, density);
            let (sound, gain) = make(rng);
            let pan = 0.9 * rng.bipolar();
            self.add(at, &sound, pan, gain);
        }
    }
}

/// Seconds to the next of several random events (Poisson).
pub(super) fn pause(rng: &mut Rng, density: f32) -> f32 {
    -(1.0 - rng.unit()).max(1e-6).ln() / density
}

/// Number of samples in a time.
pub(super) fn samples(seconds: f32, rate: f32) -> usize {
    (seconds.max(0.0) * rate) as usize
}

/// White noise, −1 to 1.
pub(super) fn white(rng: &mut Rng, out: &mut [f32]) {
    for x in out {
        *x = rng.bipolar();
    }
}

/// Noise that falls by 3 dB per octave (Kellet's filter).
pub(super) fn pink(rng: &mut Rng, out: &mut [f32], rate: f32) {
    // The filter was designed for 44.1 kHz; it is close enough at other rates.
    let _ = rate;
    let mut b = [0.0_f32; 3];
    for x in out {
        let white = rng.bipolar();
        b[0] = 0.997_65 * b[0] + white * 0.099_046;
        b[1] = 0.963 * b[1] + white * 0.296_516_4;
        b[2] = 0.57 * b[2] + white * 1.052_691_3;
        *x = 0.25 * (b[0] + b[1] + b[2] + white * 0.1848);
    }
}

/// Noise that falls by 6 dB per octave above `corner`.
pub(super) fn brown(rng: &mut Rng, out: &mut [f32], rate: f32, corner: f32) {
    let pole = glide(1.0 / (TAU * corner), rate);
    let gain = (2.0 / pole).sqrt().min(40.0);
    let mut low = 0.0;
    for x in out {
        low += pole * (rng.bipolar() - low);
        *x = low * gain;
    }
}

/// A value between −1 and 1 that wanders smoothly, with `hz` new targets per second.
pub(super) fn drift(rng: &mut Rng, frames: usize, rate: f32, hz: f32) -> Vec<f32> {
    let step = (rate / hz).max(1.0);
    let points: Vec<f32> = (0..frames / step as usize + 5).map(|_| rng.bipolar()).collect();
    (0..frames)
        .map(|at| {
            let place = at as f32 / step;
            let (whole, t) = (place as usize, place.fract());
            let [a, b, c, d] = [0, 1, 2, 3].map(|next| points[(whole + next).min(points.len() - 1)]);
            // Catmull-Rom spline.
            let value =
                b + 0.5 * t * (c - a + t * (2.0 * a - 5.0 * b + 4.0 * c - d + t * (3.0 * (b - c) + d - a)));
            value.clamp(-1.0, 1.0)
        })
        .collect()
}

/// A band-pass filter with a moving centre, in place. `middle` returns Hz for a sample.
pub(super) fn sweep(samples: &mut [f32], rate: f32, q: f32, mut middle: impl FnMut(usize) -> f32) {
    let mut filter = Sweep::default();
    let mut g = 0.0;
    let k = 1.0 / q;
    for (at, x) in samples.iter_mut().enumerate() {
        if at % 16 == 0 {
            g = Sweep::g(middle(at), rate);
        }
        *x = filter.next(*x, g, k).1 * k;
    }
}

/// A low-pass filter with a moving corner, in place.
pub(super) fn darken(samples: &mut [f32], rate: f32, mut corner: impl FnMut(usize) -> f32) {
    let mut filter = Sweep::default();
    let mut g = 0.0;
    for (at, x) in samples.iter_mut().enumerate() {
        if at % 16 == 0 {
            g = Sweep::g(corner(at), rate);
        }
        *x = filter.next(*x, g, 1.3).0;
    }
}

pub(super) fn highpass(samples: &mut [f32], rate: f32, hz: f32) {
    Biquad::highpass(rate, hz, 0.7).run(samples);
}

pub(super) fn lowpass(samples: &mut [f32], rate: f32, hz: f32) {
    Biquad::lowpass(rate, hz, 0.7).run(samples);
}

pub(super) fn bandpass(samples: &mut [f32], rate: f32, hz: f32, q: f32) {
    Biquad::bandpass(rate, hz, q).run(samples);
}

/// Multiplies each sample by a value.
pub(super) fn shape(samples: &mut [f32], mut gain: impl FnMut(usize) -> f32) {
    for (at, x) in samples.iter_mut().enumerate() {
        *x *= gain(at);
    }
}

/// Rises for `attack` seconds, then falls by 60 dB in `decay` seconds.
pub(super) fn strike(samples: &mut [f32], rate: f32, attack: f32, decay: f32) {
    let fall = -6.9 / (decay * rate);
    let rise = (attack * rate).max(1.0);
    shape(samples, |at| {
        (at as f32 / rise).min(1.0) * ((at as f32 - rise).max(0.0) * fall).exp()
    });
}

/// Rises and falls like half a sine. A `power` above 1 makes the peak sharper.
pub(super) fn swell(samples: &mut [f32], power: f32) {
    let count = samples.len().max(1) as f32;
    shape(samples, |at| (PI * at as f32 / count).sin().max(0.0).powf(power));
}

/// Ringing modes: Hz, level and seconds to fall by 60 dB.
pub(super) fn modes(rate: f32, seconds: f32, modes: &[(f32, f32, f32)]) -> Vec<f32> {
    let mut out = vec![0.0; samples(seconds, rate)];
    for &(hz, level, decay) in modes {
        if hz >= 0.45 * rate {
            continue;
        }
        // A rotation that shrinks.
        let radius = 10_f32.powf(-3.0 / (decay.max(0.001) * rate));
        let (c, s) = ((TAU * hz / rate).cos() * radius, (TAU * hz / rate).sin() * radius);
        let (mut re, mut im) = (0.0_f32, level);
        for x in &mut out {
            *x += re;
            (re, im) = (c * re + s * im, c * im - s * re);
            if im.abs() + re.abs() < 1e-7 {
                break;
            }
        }
    }
    out
}

/// A tone with a moving pitch. `pitch` and `level` take the fraction of time that has passed.
pub(super) fn tone(
    rate: f32,
    seconds: f32,
    mut pitch: impl FnMut(f32) -> f32,
    mut level: impl FnMut(f32) -> f32,
    mut wave: impl FnMut(f32) -> f32,
) -> Vec<f32> {
    let count = samples(seconds, rate).max(1);
    let mut phase = 0.0_f32;
    (0..count)
        .map(|at| {
            let part = at as f32 / count as f32;
            phase = (phase + pitch(part) / rate).fract();
            level(part) * wave(phase)
        })
        .collect()
}

/// A sine by its phase, 0 to 1.
pub(super) fn sine(phase: f32) -> f32 {
    (TAU * phase).sin()
}

/// A few harmonics that fall like a saw's, by phase.
pub(super) fn reed(phase: f32) -> f32 {
    (1..=6).map(|n| (TAU * phase * n as f32).sin() / n as f32).sum()
}

/// An envelope that rises fast, holds and falls fast, without clicks at the ends.
pub(super) fn note(part: f32) -> f32 {
    (part * 12.0).min(1.0) * ((1.0 - part) * 6.0).clamp(0.0, 1.0)
}

/// A bubble in water (van den Doel 2005). The radius in metres determines pitch and decay; the pitch rises with the
/// bubble.
pub(super) fn bubble(rng: &mut Rng, rate: f32, radius: f32, rise: f32) -> Vec<f32> {
    let hz = 3.0 / radius;
    let damping = 0.13 / radius + 0.007_2 * radius.powf(-1.5);
    let seconds = (6.0 / damping).clamp(0.004, 0.25);
    let slope = rise * damping;
    let mut phase = rng.unit() * 0.05;
    (0..samples(seconds, rate))
        .map(|at| {
            let t = at as f32 / rate;
            phase += hz * (1.0 + slope * t) / rate;
            (TAU * phase).sin() * (-damping * t).exp() * (at as f32 / 20.0).min(1.0)
        })
        .collect()
}

/// A grain of noise around a frequency: a drop, a crackle, a pebble.
pub(super) fn grain(rng: &mut Rng, rate: f32, hz: f32, q: f32, seconds: f32) -> Vec<f32> {
    let mut out = vec![0.0; samples(seconds, rate).max(8)];
    white(rng, &mut out);
    bandpass(&mut out, rate, hz, q);
    strike(&mut out, rate, 0.000_3, seconds);
    out
}

/// A level as in nature, where most are small and few are large; 0 to 1.
pub(super) fn rare(rng: &mut Rng) -> f32 {
    let x = rng.unit();
    x * x * x
}

/// Adds a sound to a mono signal.
pub(super) fn lay(out: &mut Vec<f32>, rate: f32, at: f32, sound: &[f32], gain: f32) {
    let first = samples(at, rate);
    if out.len() < first + sound.len() {
        out.resize(first + sound.len(), 0.0);
    }
    for (to, x) in out[first..].iter_mut().zip(sound) {
        *to += gain * x;
    }
}

/// Interpolates linearly between points of (fraction, value).
pub(super) fn along(points: &[(f32, f32)], part: f32) -> f32 {
    let right = points.partition_point(|point| point.0 <= part);
    match (
        right.checked_sub(1).and_then(|left| points.get(left)),
        points.get(right),
    ) {
        (Some(a), Some(b)) => a.1 + (b.1 - a.1) * (part - a.0) / (b.0 - a.0).max(1e-6),
        (Some(point), None) | (None, Some(point)) => point.1,
        (None, None) => 0.0,
    }
}

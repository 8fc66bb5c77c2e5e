//! Synthesis: minimum-phase pulses where there is pitch, and filtered noise where a band is not periodic.

use std::sync::Arc;

use atelier_fft::{Complex, ComplexToReal, RealToComplex, real_forward, real_inverse};

use super::{BINS, Frame, RATE, SHIFT};

/// Length of the transforms, and of a pulse's response (23 ms).
const LENGTH: usize = (BINS - 1) * 2;
/// Samples from one noise block to the next. A block is twice as long.
const HOP: usize = 192;
/// Samples of fade at the end of a pulse's response.
const FADE: usize = 96;

/// Renders frames, with as many samples as they last. Amplitudes are those of the envelopes.
pub(crate) fn synthesize(frames: &[Frame], seed: u64) -> Vec<f32> {
    let samples = (frames.len() as f32 * SHIFT * RATE as f32) as usize;
    let mut out = vec![0.0; samples + 2 * LENGTH];
    if frames.is_empty() {
        return Vec::new();
    }
    let mut synthesis = Synthesis::new();
    let pulses = pulses(frames, samples);
    for pulse in &pulses {
        synthesis.add_pulse(frames, pulse, &mut out);
    }
    let noise = noise(&pulses, samples + 2 * HOP, seed);
    synthesis.add_noise(frames, &noise, &mut out);
    out.drain(..LENGTH / 2);
    out.truncate(samples);
    out
}

/// A moment of glottal closure.
struct Pulse {
    /// In samples.
    time: f64,
    /// Samples to the next pulse.
    period: f32,
}

/// The position of a sample's time, in frames.
fn place(time: f64) -> f32 {
    (time / f64::from(RATE) / f64::from(SHIFT)) as f32
}

/// The pitch at a time; it glides between voiced frames.
fn pitch(frames: &[Frame], time: f64) -> f32 {
    let place = place(time);
    let left = (place as usize).min(frames.len() - 1);
    let right = (left + 1).min(frames.len() - 1);
    let (a, b) = (frames[left].f0, frames[right].f0);
    if a <= 0.0 || b <= 0.0 {
        return if place.fract() < 0.5 { a } else { b };
    }
    a + (b - a) * place.fract()
}

/// The times of the pulses: accumulates the pitch sample by sample.
fn pulses(frames: &[Frame], samples: usize) -> Vec<Pulse> {
    let mut pulses = Vec::new();
    // Begins half-way, so that a voiced onset starts with a pulse soon, but without a click.
    let mut phase = 0.5_f64;
    for sample in 0..samples {
        let pitch = f64::from(pitch(frames, sample as f64));
        if pitch <= 0.0 {
            phase = 0.5;
            continue;
        }
        let step = pitch / f64::from(RATE);
        phase += step;
        if phase >= 1.0 {
            phase -= 1.0;
            pulses.push(Pulse {
                time: sample as f64 - phase / step,
                period: (1.0 / step) as f32,
            });
        }
    }
    pulses
}

/// White noise of unit power. In voiced speech it swells with each pulse, as breath does through the glottis.
///
/// The generator is not [`chance`](crate::chance): every voice sounds, and is measured, with the noise of this one, so
/// it must not change.
fn noise(pulses: &[Pulse], samples: usize, seed: u64) -> Vec<f32> {
    // Never zero, because the generator would stay there.
    let mut state = seed.wrapping_mul(2) | 1;
    let mut noise: Vec<f32> = (0..samples)
        .map(|_| {
            // xorshift64* (Vigna 2016). The sum of two uniform values is close enough to a normal one.
            state ^= state >> 12;
            state ^= state << 25;
            state ^= state >> 27;
            let bits = state.wrapping_mul(0x2545_f491_4f6c_dd1d);
            let (a, b) = ((bits >> 40) as f32, ((bits >> 16) & 0x00ff_ffff) as f32);
            ((a + b) / 16_777_216.0 - 1.0) * 2.449_49
        })
        .collect();
    for pulse in pulses {
        let first = pulse.time.max(0.0) as usize;
        let last = (first + pulse.period as usize).min(samples);
        for (step, value) in noise[first.min(last)..last].iter_mut().enumerate() {
            let phase = step as f32 / pulse.period;
            *value *= 1.0 + 0.5 * (std::f32::consts::TAU * phase).cos();
        }
    }
    noise
}

/// The transforms and their working memory.
struct Synthesis {
    forward: Arc<dyn RealToComplex<f32>>,
    inverse: Arc<dyn ComplexToReal<f32>>,
    spectrum: Vec<Complex<f32>>,
    response: Vec<f32>,
    window: Vec<f32>,
}

impl Synthesis {
    fn new() -> Self {
        let forward = real_forward(LENGTH);
        let inverse = real_inverse(LENGTH);
        let step = std::f32::consts::PI / HOP as f32;
        Self {
            spectrum: forward.make_output_vec(),
            response: forward.make_input_vec(),
            window: (0..2 * HOP)
                .map(|n| 0.5 - 0.5 * (step * (n as f32 + 0.5)).cos())
                .collect(),
            forward,
            inverse,
        }
    }

    /// Adds one pulse, delayed by half a transform.
    fn add_pulse(&mut self, frames: &[Frame], pulse: &Pulse, out: &mut [f32]) {
        let frame = Frame::at(frames, place(pulse.time));
        self.minimum_phase(&frame);
        let whole = pulse.time.floor();
        let late = (pulse.time - whole) as f32;
        let turn = -std::f32::consts::PI * late / (BINS - 1) as f32;
        let amplitude = pulse.period.sqrt() / LENGTH as f32;
        for (bin, value) in self.spectrum.iter_mut().enumerate() {
            let gain = value.re.exp() * amplitude * frame.strength_at(bin);
            *value = Complex::from_polar(gain, value.im + turn * bin as f32);
        }
        self.bring_back();
        let first = whole.max(0.0) as usize + LENGTH / 2;
        for (step, (to, value)) in out[first..].iter_mut().zip(&self.response).enumerate() {
            let fade = ((LENGTH - step) as f32 / FADE as f32).min(1.0);
            *to += value * fade;
        }
    }

    /// Leaves the complex logarithm of the minimum-phase spectrum in `spectrum` (Oppenheim and Schafer 1975).
    fn minimum_phase(&mut self, frame: &Frame) {
        for (value, level) in self.spectrum.iter_mut().zip(&frame.envelope) {
            *value = Complex::new(*level, 0.0);
        }
        self.bring_back();
        let half = LENGTH / 2;
        for (n, value) in self.response.iter_mut().enumerate() {
            *value *= match n {
                0 => 1.0,
                n if n < half => 2.0,
                n if n == half => 1.0,
                _ => 0.0,
            } / LENGTH as f32;
        }
        // The lengths come from the plan, so this cannot fail.
        let _ = self.forward.process(&mut self.response, &mut self.spectrum);
    }

    /// Filters white noise by the aperiodic part of the frames, with overlapping blocks.
    fn add_noise(&mut self, frames: &[Frame], noise: &[f32], out: &mut [f32]) {
        let pad = LENGTH / 2 - HOP;
        for (block, white) in noise.windows(2 * HOP).step_by(HOP).enumerate() {
            let first = block * HOP;
            let frame = Frame::at(frames, place((first + HOP) as f64));
            let voiced = frame.f0 > 0.0;
            self.response.fill(0.0);
            for ((to, value), weight) in self.response[pad..].iter_mut().zip(white).zip(&self.window) {
                *to = value * weight;
            }
            let _ = self.forward.process(&mut self.response, &mut self.spectrum);
            for (bin, value) in self.spectrum.iter_mut().enumerate() {
                let part = if voiced { 1.0 - frame.strength_at(bin) } else { 1.0 };
                *value *= frame.envelope[bin].exp() * part / LENGTH as f32;
            }
            self.bring_back();
            let start = first + LENGTH / 2 - pad;
            for (to, value) in out[start..].iter_mut().zip(&self.response) {
                *to += value;
            }
        }
    }

    fn bring_back(&mut self) {
        // The spectrum of a real signal must be exactly real at both ends, and voices have no direct current.
        self.spectrum[0].im = 0.0;
        self.spectrum[BINS - 1].im = 0.0;
        let _ = self.inverse.process(&mut self.spectrum, &mut self.response);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unvoiced_frames_hiss_with_any_seed() {
        let hiss = Frame {
            f0: 0.0,
            envelope: [-2.0; BINS],
            strengths: [0.0; 5],
        };
        for seed in [0, 1, 2, 5, 1 << 63, 0x9e37_79b9_7f4a_7c15, u64::MAX] {
            let samples = synthesize(&vec![hiss.clone(); 40], seed);
            let inner = &samples[2_000..samples.len() - 2_000];
            let power = inner.iter().map(|x| x * x).sum::<f32>() / inner.len() as f32;
            // The envelope's own power: e to the minus four.
            let decibels = 10.0 * (power / (-4.0_f32).exp()).log10();
            assert!(decibels.abs() < 1.0, "seed {seed}: {decibels} dB");
        }
    }
}

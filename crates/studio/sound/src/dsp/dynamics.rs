//! Compression, de-essing and ducking.

use super::filter::{Biquad, glide};

/// A compressor's settings. Levels are in dB of full scale, times in seconds.
#[derive(Debug, Clone, Copy)]
pub struct Compressor {
    pub threshold: f32,
    pub ratio: f32,
    pub attack: f32,
    pub release: f32,
}

/// Compresses both channels with the same gain, in place (Giannoulis, Massberg and Reiss 2012, a soft knee of 6 dB).
pub fn compress(left: &mut [f32], right: &mut [f32], rate: f32, settings: &Compressor) {
    let (attack, release) = (glide(settings.attack, rate), glide(settings.release, rate));
    let slope = 1.0 - 1.0 / settings.ratio;
    let (mut reduction, mut gain) = (0.0_f32, 1.0_f32);
    for (block_l, block_r) in left.chunks_mut(16).zip(right.chunks_mut(16)) {
        let peak = block_l
            .iter()
            .chain(block_r.iter())
            .fold(1e-6_f32, |peak, x| peak.max(x.abs()));
        let over = 20.0 * peak.log10() - settings.threshold;
        let wanted = if over <= -3.0 {
            0.0
        } else if over < 3.0 {
            slope * (over + 3.0).powi(2) / 12.0
        } else {
            slope * over
        };
        let speed = if wanted > reduction { attack } else { release };
        reduction += (1.0 - (1.0 - speed).powi(16)) * (wanted - reduction);
        let target = 10_f32.powf(-reduction / 20.0);
        let step = (target - gain) / block_l.len() as f32;
        for (l, r) in block_l.iter_mut().zip(block_r.iter_mut()) {
            gain += step;
            *l *= gain;
            *r *= gain;
        }
    }
}

/// Keeps the hiss of s and sh below `ratio` of the surrounding voice.
pub fn deess(samples: &mut [f32], rate: f32, ratio: f32) {
    let mut hiss = samples.to_vec();
    Biquad::highpass(rate, 5_500.0, 0.7).run(&mut hiss);
    let (fast, slow) = (glide(0.002, rate), glide(0.15, rate));
    let (mut loud, mut voice) = (0.0_f32, 0.0_f32);
    for (x, s) in samples.iter_mut().zip(&hiss) {
        loud += fast * (s.abs() - loud);
        voice += slow * (x.abs() - voice);
        let most = ratio * voice + 1e-5;
        if loud > most {
            *x -= s * (1.0 - most / loud);
        }
    }
}

/// Lowers the level by `depth` (0 to 1) at each of `times` in seconds, and recovers in `release` seconds. It imitates
/// a compressor keyed by the kick drum.
pub fn duck(left: &mut [f32], right: &mut [f32], rate: f32, times: &[f64], depth: f32, release: f32) {
    let length = (release * rate) as usize;
    let ramp = (0.004 * rate) as usize;
    for time in times {
        let start = (time * f64::from(rate)) as usize;
        for at in 0..length + ramp {
            let place = (start + at).wrapping_sub(ramp);
            let Some((l, r)) = left.get_mut(place).zip(right.get_mut(place)) else {
                continue;
            };
            let gain = if at < ramp {
                1.0 - depth * at as f32 / ramp as f32
            } else {
                let done = (at - ramp) as f32 / length as f32;
                1.0 - depth * (1.0 - done * done * (3.0 - 2.0 * done))
            };
            *l *= gain;
            *r *= gain;
        }
    }
}

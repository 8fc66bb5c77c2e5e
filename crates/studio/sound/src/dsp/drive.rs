//! Saturation, and the loudspeaker cabinet of a distorted guitar.

use super::filter::Biquad;

/// Soft saturation with some even harmonics. Low levels pass with unit gain.
pub fn warm(samples: &mut [f32], amount: f32) {
    for x in samples {
        let driven = amount * *x + 0.08 * amount * (*x * *x);
        *x = driven.tanh() / amount.max(0.1);
    }
}

/// A driven valve amplifier and its cabinet: a bass cut, two stages of clipping at twice the sample rate, and a
/// loudspeaker that falls off above 5 kHz.
pub fn amplifier(samples: &mut [f32], rate: f32, gain: f32) {
    Biquad::highpass(rate, 110.0, 0.7).run(samples);
    Biquad::peak(rate, 750.0, 0.8, 5.0).run(samples);
    let mut before = 0.0;
    let mut smooth = Biquad::lowpass(2.0 * rate, 0.42 * rate, 0.6);
    for x in samples.iter_mut() {
        let between = 0.5 * (before + *x);
        before = *x;
        let mut y = 0.0;
        for input in [between, before] {
            y = smooth.next(clip(gain * input));
        }
        *x = y;
    }
    Biquad::highpass(rate, 75.0, 0.9).run(samples);
    Biquad::peak(rate, 120.0, 1.1, 3.0).run(samples);
    Biquad::peak(rate, 420.0, 1.0, -4.0).run(samples);
    Biquad::peak(rate, 2_600.0, 1.2, 4.0).run(samples);
    Biquad::lowpass(rate, 4_900.0, 0.9).run(samples);
    Biquad::lowpass(rate, 5_600.0, 0.7).run(samples);
}

/// Clips asymmetrically, as valves do.
fn clip(x: f32) -> f32 {
    let first = if x > 0.0 {
        x.tanh()
    } else {
        0.85 * (1.2 * x).tanh()
    };
    (1.6 * first).tanh()
}

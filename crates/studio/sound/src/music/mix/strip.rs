//! The channel strip of a part: its instrument's body or amplifier, a low cut, its place in the stereo image.

use crate::{
    dsp::{
        delay,
        drive::{amplifier, warm},
        dynamics::{Compressor, compress},
        filter::Biquad,
    },
    music::{
        score::{Part, Production, Role},
        synth::{
            RATE, Stereo,
            patch::{Finish, patch},
        },
    },
};

/// Formants of a voice singing "ah": Hz, quality, level.
const AH: [(f32, f32, f32); 5] = [
    (730.0, 6.0, 1.0),
    (1_090.0, 8.0, 0.6),
    (2_500.0, 10.0, 0.35),
    (3_400.0, 10.0, 0.22),
    (4_500.0, 9.0, 0.1),
];

/// Processes the sum of a part's notes in place. A SoundFont's instruments already include their bodies.
pub(super) fn channel(sound: &mut Stereo, part: &Part, production: &Production, recorded: bool) {
    if !recorded {
        finish(sound, patch(part.instrument).finish);
    }
    for side in sound.iter_mut() {
        Biquad::highpass(RATE, part.instrument.facts().low_cut, 0.7).run(side);
    }
    let [left, right] = sound;
    if part.role == Role::Bass {
        compress(
            left,
            right,
            RATE,
            &Compressor {
                threshold: -18.0,
                ratio: 4.0,
                attack: 0.01,
                release: 0.12,
            },
        );
    }
    level(left, right);
    pan(left, right, part.pan * production.width);
}

fn finish(sound: &mut Stereo, finish: Finish) {
    let [left, right] = sound;
    match finish {
        Finish::Plain => {}
        Finish::Body(peaks) => {
            for (hz, q, db) in peaks {
                // The highest resonance stands for everything above it.
                let filter = if *q <= 0.7 {
                    Biquad::high_shelf(RATE, *hz, *db)
                } else {
                    Biquad::peak(RATE, *hz, *q, *db)
                };
                filter.run(left);
                filter.run(right);
            }
        }
        Finish::Amplifier(gain) => {
            // A guitar is mono; two loudspeakers a few milliseconds apart make it wide.
            amplifier(left, RATE, gain);
            let late = (0.011 * RATE) as usize;
            for at in 0..right.len() {
                right[at] = if at < late {
                    0.6 * left[at]
                } else {
                    0.55 * left[at] + 0.45 * left[at - late]
                };
            }
        }
        Finish::Vowel => {
            for side in [left, right] {
                let source = std::mem::take(side);
                let mut sum = vec![0.0; source.len()];
                for (hz, q, level) in AH {
                    let mut filter = Biquad::bandpass(RATE, hz, q);
                    for (out, x) in sum.iter_mut().zip(&source) {
                        *out += 3.0 * level * filter.next(*x);
                    }
                }
                *side = sum;
            }
        }
        Finish::Rotary => {
            delay::chorus(left, right, RATE, 5.8, 0.000_6, 0.7);
            warm(left, 1.5);
            warm(right, 1.5);
        }
        Finish::Chorus(amount) => delay::chorus(left, right, RATE, 0.7, 0.002, amount),
        Finish::Warm(amount) => {
            warm(left, amount);
            warm(right, amount);
        }
    }
}

/// Brings the part's usual level to −20 dBFS, so that gains in the tables mean the same for every instrument. The
/// usual level is the mean power of the part, ignoring silence.
fn level(left: &mut [f32], right: &mut [f32]) {
    let mut powers: Vec<f32> = left
        .chunks(4_410)
        .zip(right.chunks(4_410))
        .map(|(l, r)| l.iter().chain(r).map(|x| x * x).sum::<f32>() / (2 * l.len()) as f32)
        .filter(|power| *power > 1e-9)
        .collect();
    if powers.is_empty() {
        return;
    }
    powers.sort_by(f32::total_cmp);
    // Only the loud parts count, not what rings on between them.
    let loud = &powers[powers.len() / 2..];
    let power = loud.iter().sum::<f32>() / loud.len() as f32;
    let gain = 0.1 / power.sqrt().max(1e-5);
    for x in left.iter_mut().chain(right) {
        *x *= gain;
    }
}

/// Moves a part to the side. Its own width stays.
fn pan(left: &mut [f32], right: &mut [f32], place: f32) {
    let gains = [(1.0 - place).min(1.0), (1.0 + place).min(1.0)];
    for x in left.iter_mut() {
        *x *= gains[0];
    }
    for x in right.iter_mut() {
        *x *= gains[1];
    }
}

//! Somebody's words in another voice: pitch, length of the vocal tract and long-term colour are measured on a recording
//! and put on another one, whose words, pace and melody stay.
//!
//! Pitch and vocal tract are moved by overlapping pieces of two periods (TD-PSOLA, Moulines and Charpentier 1990), each
//! stretched for the tract; what is left of the difference in colour is a filter.

mod portrait;
mod psola;

pub use portrait::{Portrait, portrait};

use crate::{
    dsp::{resample::resample, stft::Stft},
    file::{Audio, loudness},
};
use portrait::{BANDS, band_of, colour};

/// Everything is done at this rate.
pub const RATE: u32 = 44_100;
/// Samples of a window of the filter.
const WINDOW: usize = 2_048;
/// The most that the filter changes, in dB.
const MOST: f32 = 14.0;
/// How far the vocal tract's length is believed to differ, as a factor.
const TRACT: (f32, f32) = (0.8, 1.25);

/// What was done.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Change {
    /// The middle of the pitch before and after, in Hz.
    pub from: f32,
    pub to: f32,
    /// By which formants were multiplied.
    pub formants: f32,
}

/// Says a recording again in the voice of a portrait; `speed` above 1 is faster. The result is mono at [`RATE`], as
/// loud as the recording. Without speech in it there is nothing to convert.
pub fn convert(recording: &Audio, voice: &Portrait, speed: f32) -> Option<(Audio, Change)> {
    let own = portrait(recording)?;
    let mono = resample(&recording.downmix(), recording.rate, RATE);
    let formants = tract(&own, voice);
    let range = (voice.spread / own.spread.max(0.02)).clamp(0.6, 1.6);
    let pitch = |hz: f32| voice.pitch * (range * (hz / own.pitch).ln()).clamp(-0.8, 0.8).exp();
    let moved = psola::say_again(&mono, &pitch, formants, speed.clamp(0.25, 4.0));
    let mut audio = Audio::mono(RATE, coloured(&moved, voice));
    let wanted = loudness::integrated(recording);
    if wanted > -70.0 {
        loudness::normalise(&mut audio, wanted, -1.0);
    }
    let change = Change {
        from: own.pitch,
        to: voice.pitch,
        formants,
    };
    Some((audio, change))
}

/// How much shorter the other vocal tract is: by which factor the one's colour lies best over the other's. What pitch
/// lets expect has a say, as colours of different words differ too.
fn tract(own: &Portrait, other: &Portrait) -> f32 {
    let expected = (other.pitch / own.pitch).ln() * 0.28;
    let score = |shift: f32| {
        // Bands are a third of a semitone-octave apart: a factor is a shift.
        let (mut sum, mut count) = (0.0, 0.0_f32);
        for band in 0..BANDS {
            let place = band as f32 - shift / portrait::STEP;
            if place < 0.0 || place >= (BANDS - 1) as f32 {
                continue;
            }
            let (whole, part) = (place as usize, place.fract());
            let a = own.detail[whole] + (own.detail[whole + 1] - own.detail[whole]) * part;
            sum += (a - other.detail[band]).powi(2);
            count += 1.0;
        }
        -(sum / count.max(1.0)) - 60.0 * (shift - expected).powi(2)
    };
    let steps = 41;
    let best = (0..steps)
        .map(|step| TRACT.0.ln() + (TRACT.1 / TRACT.0).ln() * step as f32 / (steps - 1) as f32)
        .max_by(|a, b| score(*a).total_cmp(&score(*b)));
    best.map_or(1.0, f32::exp)
}

/// Filtered so that the long-term colour is the voice's.
fn coloured(samples: &[f32], voice: &Portrait) -> Vec<f32> {
    let Some(own) = colour(samples) else {
        return samples.to_vec();
    };
    let difference: Vec<f32> = (0..BANDS)
        .map(|band| {
            // Neighbours together: the colour of words is not the colour of the voice.
            let near = band.saturating_sub(2)..(band + 3).min(BANDS);
            let count = near.len() as f32;
            near.map(|band| voice.colour[band] - own[band]).sum::<f32>() / count
        })
        .collect();
    let mean = difference.iter().sum::<f32>() / BANDS as f32;
    let stft = Stft::new(WINDOW);
    let width = RATE as f32 / WINDOW as f32;
    let gain: Vec<f32> = (0..stft.bins())
        .map(|bin| {
            let place = band_of(bin as f32 * width);
            let (whole, part) = (place as usize, place.fract());
            let next = (whole + 1).min(BANDS - 1);
            let db = difference[whole] + (difference[next] - difference[whole]) * part - mean;
            10_f32.powf(db.clamp(-MOST, MOST) / 20.0)
        })
        .collect();
    stft.filter(samples, &gain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::speech::{Normalization, Reading, Voice, speak};

    fn spoken(text: &str, voice: &str) -> Audio {
        let reading = Reading {
            text,
            voice: Voice::named(voice).unwrap(),
            stability: 0.5,
            normalization: Normalization::Auto,
            language: "en",
            helper: std::path::Path::new(""),
            seed: 1,
        };
        let mut audio = Audio::mono(crate::speech::RATE, speak(&reading, &|_| {}).unwrap().samples);
        loudness::normalise(&mut audio, -22.0, -1.0);
        audio
    }

    const SAID: &str = "The old clock in the hall struck seven, and nobody came down.";
    const OTHER: &str = "We walked along the river until the rain began to fall.";

    /// Mean distance of colours in dB, levels apart.
    fn distance(a: &Portrait, b: &Portrait) -> f32 {
        let level = (0..BANDS)
            .map(|band| a.colour[band] - b.colour[band])
            .sum::<f32>()
            / BANDS as f32;
        (0..BANDS)
            .map(|band| (a.colour[band] - b.colour[band] - level).abs())
            .sum::<f32>()
            / BANDS as f32
    }

    #[test]
    fn a_recording_takes_on_pitch_and_colour_of_another_voice_and_keeps_its_length() {
        for (from, to) in [("Omar", "Mei"), ("Elif", "Dmitri")] {
            let source = spoken(SAID, from);
            let target = portrait(&spoken(OTHER, to)).unwrap();
            let before = portrait(&source).unwrap();
            let (audio, change) = convert(&source, &target, 1.0).unwrap();
            let after = portrait(&audio).unwrap();
            assert!(
                (after.pitch / target.pitch).ln().abs() < 0.06,
                "{} Hz, not {}",
                after.pitch,
                target.pitch
            );
            assert!((before.pitch / target.pitch).ln().abs() > 0.3);
            assert!(
                distance(&after, &target) < 0.7 * distance(&before, &target),
                "{from} to {to}"
            );
            assert_eq!(change.formants > 1.0, target.pitch > before.pitch);
            assert!((audio.seconds() - source.seconds()).abs() < 0.05);
            assert!((loudness::integrated(&audio) - loudness::integrated(&source)).abs() < 1.0);
        }
    }

    #[test]
    fn twice_the_speed_takes_half_the_time_at_the_same_pitch() {
        let source = spoken(SAID, "Wren");
        let own = portrait(&source).unwrap();
        let (audio, _) = convert(&source, &own, 2.0).unwrap();
        assert!((audio.seconds() / source.seconds() - 0.5).abs() < 0.03);
        assert!((portrait(&audio).unwrap().pitch / own.pitch).ln().abs() < 0.06);
    }

    #[test]
    fn what_holds_no_speech_has_no_portrait() {
        assert!(portrait(&Audio::default()).is_none());
        assert!(portrait(&Audio::mono(16_000, vec![0.0; 64_000])).is_none());
        let mut state = 1_u32;
        let noise = (0..64_000)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 8) as f32 / 8_388_608.0 - 1.0
            })
            .collect();
        assert!(portrait(&Audio::mono(16_000, noise)).is_none());
    }
}

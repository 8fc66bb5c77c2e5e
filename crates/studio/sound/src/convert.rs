//! Voice conversion: says a recording again in another voice. Pitch, vocal tract length and long-term timbre are
//! measured on one recording and applied to another, whose words, pace and intonation stay.
//!
//! Overlapping grains of two periods move pitch and vocal tract (TD-PSOLA, Moulines and Charpentier 1990); a filter
//! corrects the remaining difference in timbre.

mod portrait;
mod psola;

pub use portrait::{Portrait, portrait};

use crate::{
    dsp::{resample::resample, stft::Stft},
    file::{Audio, loudness},
};
use portrait::{BANDS, band_of, colour};

/// The sample rate of all processing.
pub const RATE: u32 = 44_100;
/// Window length of the filter, in samples.
const WINDOW: usize = 2_048;
/// The largest change that the filter makes, in dB.
const MOST: f32 = 14.0;
/// Accepted range of the vocal tract ratio.
const TRACT: (f32, f32) = (0.8, 1.25);

/// The changes of the conversion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Change {
    /// Median pitch before and after, in Hz.
    pub from: f32,
    pub to: f32,
    /// The factor that formants were multiplied by.
    pub formants: f32,
}

/// Says a recording again in the voice of a portrait. A `speed` above 1 is faster. The result is mono at [`RATE`], as
/// loud as the recording. Returns `None` if the recording contains no speech.
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

/// Estimates how much shorter the other vocal tract is: the factor that aligns the two timbres best. The pitch ratio
/// counts too, because different words also differ in timbre.
fn tract(own: &Portrait, other: &Portrait) -> f32 {
    let expected = (other.pitch / own.pitch).ln() * 0.28;
    let score = |shift: f32| {
        // Bands are spaced logarithmically, so a factor is a shift.
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

/// Filters samples so that their long-term timbre is the voice's.
fn coloured(samples: &[f32], voice: &Portrait) -> Vec<f32> {
    let Some(own) = colour(samples) else {
        return samples.to_vec();
    };
    let difference: Vec<f32> = (0..BANDS)
        .map(|band| {
            // Averages over neighbours: the timbre of single words is not the timbre of the voice.
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

    /// Mean difference of two timbres in dB, ignoring level.
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
    fn a_recording_takes_pitch_and_timbre_of_another_voice_and_keeps_its_length() {
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
    fn a_recording_without_speech_has_no_portrait() {
        assert!(portrait(&Audio::default()).is_none());
        assert!(portrait(&Audio::mono(16_000, vec![0.0; 64_000])).is_none());
        assert!(portrait(&Audio::mono(16_000, crate::chance::noise(1, 64_000))).is_none());
    }
}

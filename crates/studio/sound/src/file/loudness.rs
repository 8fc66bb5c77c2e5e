//! Loudness by EBU R 128 (ITU-R BS.1770), and normalisation without clipping.

use ebur128::{EbuR128, Mode};

use super::Audio;
use crate::dsp::limiter;

/// The measurement of silence, in LUFS and in dBTP.
pub const SILENCE: f64 = -120.0;
/// Limiting lowers the loudness again, so gain and limit are repeated, at most this often.
const ROUNDS: usize = 5;
/// Accepted difference, in LU.
const TOLERANCE: f64 = 0.1;

/// Integrated loudness in LUFS.
pub fn integrated(audio: &Audio) -> f64 {
    let rows: Vec<&[f32]> = audio.channels.iter().map(Vec::as_slice).collect();
    let measured = EbuR128::new(rows.len() as u32, audio.rate, Mode::I).and_then(|mut meter| {
        meter.add_frames_planar_f32(&rows)?;
        meter.loudness_global()
    });
    // An error means no channel or no rate: nothing to hear.
    measured.map_or(SILENCE, |loudness| loudness.max(SILENCE))
}

/// The greatest magnitude between samples, of any channel, in dBTP.
pub fn true_peak(audio: &Audio) -> f64 {
    let peak = audio
        .channels
        .iter()
        .flat_map(|channel| limiter::true_peaks(channel))
        .fold(0.0_f32, f32::max);
    (20.0 * f64::from(peak).max(1e-6).log10()).max(SILENCE)
}

/// Brings audio to a loudness in LUFS with true peaks no higher than `ceiling` in dBTP. Silence stays silent. Returns
/// the loudness reached. It is lower than the target only if peaks would have to be cut by more than music tolerates.
pub fn normalise(audio: &mut Audio, target: f64, ceiling: f64) -> f64 {
    let before = integrated(audio);
    if before <= -70.0 {
        return before;
    }
    let source = audio.clone();
    let mut gain = target - before;
    let mut reached = before;
    for _ in 0..ROUNDS {
        audio.clone_from(&source);
        audio.scale(10_f64.powf(gain / 20.0) as f32);
        limiter::limit(
            &mut audio.channels,
            audio.rate,
            10_f64.powf(ceiling / 20.0) as f32,
        );
        reached = integrated(audio);
        if (reached - target).abs() < TOLERANCE {
            break;
        }
        gain += target - reached;
    }
    reached
}

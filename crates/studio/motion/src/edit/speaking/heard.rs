//! The shape of a speaking mouth: it opens by loudness and by how open the vowel is, and it widens by how bright
//! the vowel is (formants after Peterson and Barney 1952). Noisy consonants bring the teeth together.

use atelier_film::Rate;
use atelier_sound::dsp::resample::resample;
use atelier_sound::dsp::stft::{Frame, Stft};
use atelier_sound::file::Audio;

/// The sample rate of the analysis.
const RATE: u32 = 16_000;
/// Samples of a window, 64 ms.
const WINDOW: usize = 1_024;
/// Anything this many dB quieter than the loud parts is silence.
const RANGE: f32 = 32.0;
/// The loudness of spectra below which there is no speech at all.
const SILENT: f32 = -20.0;
/// The time in seconds in which a mouth opens, and in which it closes.
const OPENS: f32 = 0.035;
const CLOSES: f32 = 0.06;

/// The shape of a mouth.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Shape {
    /// 0 is closed, 1 is as far open as in speech.
    pub(super) open: f32,
    /// -1 is round, 1 is wide.
    pub(super) wide: f32,
}

/// The shape at each frame of a film.
pub(super) fn shapes(audio: &Audio, rate: Rate, frames: u64) -> Vec<Shape> {
    let samples = resample(&audio.downmix(), audio.rate.max(1), RATE);
    let stft = Stft::new(WINDOW);
    let spectra = stft.frames(&samples);
    let width = RATE as f32 / WINDOW as f32;
    let band = |spectrum: &Frame, from: f32, to: f32| -> f32 {
        let bins = &spectrum[(from / width) as usize..((to / width) as usize).min(spectrum.len())];
        bins.iter()
            .map(|bin| bin.re * bin.re + bin.im * bin.im)
            .sum::<f32>()
    };
    let looks: Vec<(f32, f32, f32)> = spectra
        .iter()
        .map(|spectrum| {
            let all = band(spectrum, 120.0, 7_000.0) + 1e-9;
            let level = 10.0 * all.log10();
            // An open vowel has a high first formant, a front vowel a high second.
            let open = band(spectrum, 550.0, 1_100.0) / (band(spectrum, 150.0, 1_100.0) + 1e-9);
            let bright = band(spectrum, 1_700.0, 3_000.0);
            let dark = band(spectrum, 700.0, 1_300.0);
            let wide = (10.0 * ((bright + 1e-9) / (dark + 1e-9)).log10() + 6.0) / 14.0;
            let hiss = band(spectrum, 3_800.0, 7_000.0) / all;
            let open = (0.35 + 1.1 * open) * (1.0 - 0.75 * hiss.min(1.0));
            (level, open.clamp(0.0, 1.15), wide.clamp(-1.0, 1.0))
        })
        .collect();
    let mut levels: Vec<f32> = looks.iter().map(|look| look.0).collect();
    levels.sort_by(f32::total_cmp);
    let loud = levels.get(levels.len() * 19 / 20).copied().unwrap_or(-90.0);
    let quiet = levels.get(levels.len() / 20).copied().unwrap_or(-90.0);
    // Background noise counts as silence; a silent recording keeps the mouth closed.
    let floor = (loud - RANGE).max(quiet + 0.25 * (loud - quiet));
    let hop = stft.hop() as f32 / RATE as f32;
    let step = rate.time_of(1) as f32;
    let mut held = Shape::default();
    (0..frames)
        .map(|frame| {
            let time = rate.time_of(frame) as f32 + 0.5 * step;
            // The first frame of spectra is about a step before the beginning.
            let place = (time / hop + 1.0).max(0.0);
            let index = (place as usize).min(looks.len().saturating_sub(1));
            let (level, open, wide) = looks.get(index).copied().unwrap_or((-90.0, 0.0, 0.0));
            let strength = ((level - floor) / (loud - floor).max(3.0)).clamp(0.0, 1.1);
            let strength = if loud < SILENT { 0.0 } else { strength };
            let aim = Shape {
                open: (strength.powf(1.2) * open).min(1.0),
                wide: wide * strength.min(1.0),
            };
            let k = |seconds: f32| 1.0 - (-step / seconds).exp();
            let moving = if aim.open > held.open { OPENS } else { CLOSES };
            held.open += k(moving) * (aim.open - held.open);
            held.wide += k(2.0 * CLOSES) * (aim.wide - held.wide);
            held
        })
        .collect()
}

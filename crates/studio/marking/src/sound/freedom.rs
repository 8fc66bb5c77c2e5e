//! How much each chip of a sound may change. The ear notices a tremble of a steady tone far sooner than one of a voice
//! or of noise, whose loudness changes by itself.

use atelier_fft::Complex;

use super::{
    chips::{BINS, HOP, LOWEST, ROWS},
    features::Frames,
};

/// A chip whose loudness differs by so much from the one before or after it may change in full, in dB.
const UNSTEADY: f32 = 3.0;
/// The share of the change that a steady tone bears.
const LEAST: f32 = 0.25;

/// The shares of the full change, column by column: one for each frame that begins in the sound.
pub(super) fn freedom(rows: &[Vec<f32>]) -> Vec<f32> {
    let columns = rows.iter().map(Vec::len).min().unwrap_or_default().div_ceil(HOP);
    let mut frames = Frames::new();
    let mut powers = vec![0.0_f32; columns * ROWS];
    for row in rows {
        for (column, powers) in powers.chunks_exact_mut(ROWS).enumerate() {
            let bins = &frames.spectrum(&row[column * HOP..])[LOWEST..][..ROWS * BINS];
            for (power, chip) in powers.iter_mut().zip(bins.chunks_exact(BINS)) {
                *power += chip.iter().map(Complex::norm_sqr).sum::<f32>();
            }
        }
    }
    let levels: Vec<f32> = powers
        .iter()
        .map(|power| 10.0 * (power + f32::MIN_POSITIVE).log10())
        .collect();
    let change = |a: Option<&f32>, b: Option<&f32>| a.zip(b).map_or(0.0, |(a, b)| (a - b).abs());
    (0..levels.len())
        .map(|at| {
            let here = levels.get(at);
            let before = change(at.checked_sub(ROWS).and_then(|at| levels.get(at)), here);
            let after = change(here, levels.get(at + ROWS));
            (before.max(after) / UNSTEADY).clamp(LEAST, 1.0)
        })
        .collect()
}

//! Tempo and beats. The tempo comes from the autocorrelation of the onset strength, with a preference for common
//! tempos, and from the comb of beats that matches the strongest onsets. Single beats are found by dynamic programming
//! (Ellis 2007).

use super::spectrum::Spectrum;

/// Frames of onset strength per second.
const FRAMES: f64 = 200.0;
const SIZE: usize = 1_024;
const BANDS: usize = 24;
/// The most common tempo, in beats per minute.
const USUAL: f64 = 126.0;
/// How much the comb's period may differ from the autocorrelation's, as a fraction of it.
const NEAR: f64 = 0.015;

/// The pulse of a recording.
#[derive(Debug, Clone, PartialEq)]
pub struct Pulse {
    /// Beats per minute.
    pub bpm: f64,
    /// If the tempo is constant, beats are a whole number of beats after this time in seconds.
    pub phase: f64,
    /// Times of the beats in seconds, even if the tempo changes.
    pub beats: Vec<f64>,
    /// How clear the pulse is, 0 to 1.
    pub clarity: f64,
}

/// Onset strength: how much the level of the bands grows, `FRAMES` times per second.
pub fn onsets(samples: &[f32], rate: u32) -> Vec<f32> {
    let hop = f64::from(rate) / FRAMES;
    let count = (samples.len() as f64 / hop) as usize;
    let mut spectrum = Spectrum::new(SIZE);
    let bin = f64::from(rate) / SIZE as f64;
    // Bands as wide as those of hearing, from 30 Hz to 12 kHz.
    let band_of: Vec<usize> = (0..SIZE / 2)
        .map(|index| {
            let hz = index as f64 * bin;
            ((hz / 150.0 + 1.0).ln() / (12_000.0_f64 / 150.0 + 1.0).ln() * BANDS as f64) as usize
        })
        .collect();
    let mut before = [0.0_f32; BANDS];
    let mut strengths = Vec::with_capacity(count);
    for frame in 0..count {
        let mut bands = [0.0_f32; BANDS];
        // Windows are centred on their frame.
        let center = (frame as f64 * hop) as usize;
        let magnitudes = spectrum.magnitudes(samples, center.saturating_sub(SIZE / 2));
        for (magnitude, band) in magnitudes.zip(&band_of) {
            if *band < BANDS {
                bands[*band] += magnitude * magnitude;
            }
        }
        let levels = bands.map(|power| (1.0 + 30.0 * power.sqrt()).ln());
        let growth: f32 = levels
            .iter()
            .zip(&before)
            .map(|(now, then)| (now - then).max(0.0))
            .sum();
        strengths.push(if frame == 0 { 0.0 } else { growth });
        before = levels;
    }
    flatten(&strengths)
}

/// Subtracts the local mean, so that loud passages do not outweigh quiet ones.
fn flatten(strengths: &[f32]) -> Vec<f32> {
    let reach = (0.4 * FRAMES) as usize;
    let mut sums = vec![0.0_f64; strengths.len() + 1];
    for (at, x) in strengths.iter().enumerate() {
        sums[at + 1] = sums[at] + f64::from(*x);
    }
    strengths
        .iter()
        .enumerate()
        .map(|(at, x)| {
            let (from, to) = (at.saturating_sub(reach), (at + reach).min(strengths.len()));
            let mean = (sums[to] - sums[from]) / (to - from).max(1) as f64;
            (x - mean as f32).max(0.0)
        })
        .collect()
}

/// The pulse of a recording, or `None` for silence and for less than three seconds.
pub fn pulse(samples: &[f32], rate: u32) -> Option<Pulse> {
    let strengths = onsets(samples, rate);
    if strengths.len() < 3 * FRAMES as usize || strengths.iter().all(|x| *x < 1e-6) {
        return None;
    }
    let (near, clarity) = period(&strengths)?;
    let (period, phase) = comb(&strengths, near);
    let beats = track(&strengths, period);
    let beats = beats.into_iter().map(|frame| frame as f64 / FRAMES).collect();
    Some(Pulse {
        bpm: 60.0 * FRAMES / period,
        phase: phase / FRAMES,
        beats,
        clarity,
    })
}

/// Autocorrelation at a lag.
fn alike(strengths: &[f32], lag: usize) -> f64 {
    let count = strengths.len().saturating_sub(lag).max(1);
    strengths
        .iter()
        .zip(strengths.iter().skip(lag))
        .map(|(a, b)| f64::from(a * b))
        .sum::<f64>()
        / count as f64
}

/// Frames per beat, and how clear the beat is.
fn period(strengths: &[f32]) -> Option<(f64, f64)> {
    let (shortest, longest) = ((FRAMES * 60.0 / 215.0) as usize, (FRAMES * 60.0 / 50.0) as usize);
    // Smooth enough that uneven playing does not blur the peak away.
    let smooth = smoothed(strengths, 2);
    let curve: Vec<f64> = (0..=4 * longest).map(|lag| alike(&smooth, lag)).collect();
    let at = |lag: f64| {
        let whole = lag as usize;
        let next = curve.get(whole + 1).copied().unwrap_or(0.0);
        curve
            .get(whole)
            .map_or(0.0, |here| here + (next - here) * lag.fract())
    };
    // The similarity of any two moments says nothing about the pulse.
    let mut sorted = curve[shortest..].to_vec();
    sorted.sort_by(f64::total_cmp);
    let floor = sorted[sorted.len() / 2];
    // Beats are divided in two and counted in twos and fours. Threes would find a pulse of dotted notes.
    let score = |lag: f64| {
        let octaves = (lag * USUAL / (60.0 * FRAMES)).log2();
        let prior = (-0.5 * (octaves / 1.3).powi(2)).exp();
        let levels = [(0.5, 0.4), (1.0, 1.0), (2.0, 0.3), (4.0, 1.0)];
        let alike: f64 = levels
            .iter()
            .map(|(times, weight)| weight * (at(times * lag) - floor))
            .sum();
        prior * alike
    };
    let lags: Vec<f64> = (4 * shortest..=4 * longest)
        .map(|quarter| quarter as f64 / 4.0)
        .collect();
    let best = lags.into_iter().max_by(|a, b| score(*a).total_cmp(&score(*b)))?;
    let clarity = (at(best) / curve[0].max(1e-12)).clamp(0.0, 1.0);
    Some((best, clarity))
}

/// Frames of beats: strong onsets one period apart.
fn track(strengths: &[f32], period: f64) -> Vec<usize> {
    let mean = strengths.iter().sum::<f32>() / strengths.len() as f32;
    let tightness = 400.0;
    let (nearest, farthest) = ((0.6 * period) as usize, (1.6 * period) as usize);
    let mut totals = vec![0.0_f64; strengths.len()];
    let mut ways = vec![usize::MAX; strengths.len()];
    let costs: Vec<f64> = (0..=farthest)
        .map(|gap| tightness * ((gap.max(1) as f64 / period).ln()).powi(2) * f64::from(mean) / 10.0)
        .collect();
    for at in 0..strengths.len() {
        let mut best = (0.0, usize::MAX);
        for gap in nearest..=farthest.min(at) {
            let total = totals[at - gap] - costs[gap];
            if total > best.0 {
                best = (total, at - gap);
            }
        }
        totals[at] = f64::from(strengths[at]) + best.0;
        ways[at] = best.1;
    }
    let tail = strengths.len() - (period as usize).min(strengths.len());
    let mut at = (tail..strengths.len())
        .max_by(|a, b| totals[*a].total_cmp(&totals[*b]))
        .unwrap_or(0);
    let mut beats = vec![at];
    while ways[at] != usize::MAX {
        at = ways[at];
        beats.push(at);
    }
    beats.reverse();
    beats
}

/// The period near a given one, and the phase, whose beats match the strongest onsets. Both are in frames.
fn comb(strengths: &[f32], near: f64) -> (f64, f64) {
    let smooth = smoothed(strengths, 1);
    let beats = (strengths.len() as f64 / near).max(1.0);
    // At the last beat, one step is half a frame.
    let step = 0.5 / beats;
    let steps = (NEAR * near / step) as i32;
    let mut best = (near, 0.0, f32::MIN);
    for off in -steps..=steps {
        let period = near + f64::from(off) * step;
        for phase in 0..period as usize {
            let count = ((smooth.len() - phase) as f64 / period) as usize;
            let sum: f32 = (0..count)
                .map(|beat| smooth[phase + (beat as f64 * period) as usize])
                .sum();
            let mean = sum / count.max(1) as f32;
            if mean > best.2 {
                best = (period, phase as f64, mean);
            }
        }
    }
    (best.0, best.1)
}

/// The mean of each value and its neighbours up to `reach` away.
fn smoothed(strengths: &[f32], reach: usize) -> Vec<f32> {
    (0..strengths.len())
        .map(|at| {
            let near = &strengths[at.saturating_sub(reach)..(at + reach + 1).min(strengths.len())];
            near.iter().sum::<f32>() / (2 * reach + 1) as f32
        })
        .collect()
}

//! A look-ahead limiter for true peaks.

/// How far the limiter looks ahead, in seconds. Its gain falls, and rises, over this time.
const AHEAD: f64 = 0.004;
/// Length of the interpolation filter, on each side.
const HALF: usize = 6;
/// Interpolated values between two samples.
const BETWEEN: usize = 3;

/// Keeps true peaks below `ceiling`. All channels get the same gain, so that the stereo image does not move.
pub fn limit(channels: &mut [Vec<f32>], rate: u32, ceiling: f32) {
    // Later filters and encoders shift peaks a little, so the target is slightly lower.
    let ceiling = ceiling * 0.98;
    let mut wanted = vec![1.0_f32; channels.first().map_or(0, Vec::len)];
    for channel in &*channels {
        for (gain, peak) in wanted.iter_mut().zip(true_peaks(channel)) {
            if peak > ceiling {
                *gain = gain.min(ceiling / peak);
            }
        }
    }
    let width = ((AHEAD * f64::from(rate)) as usize).max(1);
    let gain = smooth(&lowest(&wanted, width), width);
    for channel in channels {
        for (x, gain) in channel.iter_mut().zip(&gain) {
            *x *= gain;
        }
    }
}

/// For each sample, the greatest magnitude from it to the next, with three values between them by band-limited
/// interpolation (ITU-R BS.1770, annex 2).
pub fn true_peaks(samples: &[f32]) -> Vec<f32> {
    let filters = filters();
    let loudest = samples.iter().fold(0.0_f32, |peak, x| peak.max(x.abs()));
    (0..samples.len())
        .map(|at| {
            let here = samples[at].abs();
            let next = samples.get(at + 1).map_or(0.0, |x| x.abs());
            // Two low samples have no high peak between them that matters.
            if here.max(next) < 0.4 * loudest || at + 1 < HALF || at + HALF >= samples.len() {
                return here;
            }
            let window = &samples[at + 1 - HALF..=at + HALF];
            filters.iter().fold(here, |peak, filter| {
                let value: f32 = filter.iter().zip(window).map(|(a, b)| a * b).sum();
                peak.max(value.abs())
            })
        })
        .collect()
}

/// Windowed sinc filters for one, two and three quarters of the way to the next sample.
fn filters() -> [[f32; 2 * HALF]; BETWEEN] {
    std::array::from_fn(|phase| {
        let offset = (phase + 1) as f64 / (BETWEEN + 1) as f64;
        std::array::from_fn(|tap| {
            let x = tap as f64 - (HALF as f64 - 1.0) - offset;
            let window = (std::f64::consts::PI * x / (2.0 * HALF as f64)).cos().powi(2);
            (sinc(x) * window) as f32
        })
    })
}

fn sinc(x: f64) -> f64 {
    let x = x * std::f64::consts::PI;
    if x.abs() < 1e-9 { 1.0 } else { x.sin() / x }
}

/// The smallest value within `width` samples on both sides (van Herk 1992).
fn lowest(values: &[f32], width: usize) -> Vec<f32> {
    let block = 2 * width + 1;
    let padded: Vec<f32> = std::iter::repeat_n(1.0, width)
        .chain(values.iter().copied())
        .chain(std::iter::repeat_n(1.0, width + block))
        .collect();
    let mut forward = padded.clone();
    let mut backward = padded;
    for at in 1..forward.len() {
        if at % block != 0 {
            forward[at] = forward[at].min(forward[at - 1]);
        }
    }
    for at in (0..backward.len() - 1).rev() {
        if (at + 1) % block != 0 {
            backward[at] = backward[at].min(backward[at + 1]);
        }
    }
    (0..values.len())
        .map(|at| backward[at].min(forward[at + block - 1]))
        .collect()
}

/// A running mean over `width` samples on both sides. A value that was low over that width stays low at its centre.
fn smooth(values: &[f32], width: usize) -> Vec<f32> {
    if values.is_empty() {
        return Vec::new();
    }
    let get = |at: isize| f64::from(values[at.clamp(0, values.len() as isize - 1) as usize]);
    let width = width as isize;
    let mut sum: f64 = (-width..=width).map(get).sum();
    let count = (2 * width + 1) as f64;
    (0..values.len() as isize)
        .map(|at| {
            let mean = sum / count;
            sum += get(at + width + 1) - get(at - width);
            mean as f32
        })
        .collect()
}

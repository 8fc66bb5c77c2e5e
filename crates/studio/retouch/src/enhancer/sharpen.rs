//! Sharpening that steepens edges instead of drawing lines beside them: detail over a smooth, edge-preserving base
//! (the guided filter, He, Sun and Tang 2013), limited to the range of the neighbourhood.

use super::denoise::Channel;
use crate::chance::smooth;
use crate::color::luma;
use crate::decode::Picture;

/// How unsharp a picture is, 0 to 1: at its steepest edges, how much of the change over four pixels happens
/// within one.
pub(super) fn unsharpness(picture: &Picture) -> f32 {
    let value = |x: usize, y: usize| {
        let [r, g, b, _] = picture.pixel(x, y).map(f32::from);
        luma(r, g, b)
    };
    let step = ((picture.width * picture.height / 600_000) as f32)
        .sqrt()
        .max(1.0) as usize;
    let mut edges: Vec<(f32, f32)> = Vec::new();
    for y in (2..picture.height.saturating_sub(3)).step_by(step) {
        for x in (2..picture.width.saturating_sub(3)).step_by(step) {
            for (dx, dy) in [(1, 0), (0, 1)] {
                let at = |i: usize| value(x + dx * i - 2 * dx, y + dy * i - 2 * dy);
                let line: [f32; 6] = std::array::from_fn(at);
                let wide = (line[5] - line[0]).abs();
                let near = (line[3] - line[2]).abs();
                // The middle of an edge is where it is steepest.
                if wide > 24.0 && near >= (line[2] - line[1]).abs() && near >= (line[4] - line[3]).abs() {
                    edges.push((wide, near / wide));
                }
            }
        }
    }
    if edges.len() < 32 {
        return 0.0;
    }
    edges.sort_by(|a, b| b.0.total_cmp(&a.0));
    edges.truncate((edges.len() / 8).max(32));
    let mean = edges.iter().map(|(_, ratio)| ratio).sum::<f32>() / edges.len() as f32;
    smooth(0.6, 0.3, mean)
}

/// Adds `amount` times the detail above the noise; detail is the difference from a mean as wide as the blur.
pub(super) fn sharpen(lightness: &Channel, amount: f32, unsharpness: f32, noise: f32) -> Channel {
    let radius = 1 + (2.0 * unsharpness).round() as usize;
    let base = base(lightness, radius, 60.0);
    let (w, h) = (lightness.width, lightness.height);
    let mut out = lightness.clone();
    let core = 0.8 + 1.5 * noise;
    for y in 0..h {
        for x in 0..w {
            let i = y * w + x;
            let detail = lightness.data[i] - base[i];
            let clear = smooth(0.5 * core, 1.5 * core, detail.abs());
            let (mut low, mut high) = (f32::MAX, f32::MIN);
            for v in y.saturating_sub(radius)..=(y + radius).min(h - 1) {
                for value in
                    &lightness.data[v * w + x.saturating_sub(radius)..=v * w + (x + radius).min(w - 1)]
                {
                    low = low.min(*value);
                    high = high.max(*value);
                }
            }
            let slack = 0.01 * (high - low);
            out.data[i] = (lightness.data[i] + amount * clear * detail).clamp(low - slack, high + slack);
        }
    }
    out
}

/// Half the self-guided filter, half the plain mean: one leaves edges out of the detail and the other leaves them
/// in.
fn base(channel: &Channel, radius: usize, epsilon: f32) -> Vec<f32> {
    let (w, h) = (channel.width, channel.height);
    let squares: Vec<f32> = channel.data.iter().map(|v| v * v).collect();
    let means = mean(&channel.data, w, h, radius);
    let mean_squares = mean(&squares, w, h, radius);
    let (slopes, offsets): (Vec<f32>, Vec<f32>) = means
        .iter()
        .zip(&mean_squares)
        .map(|(m, s)| {
            let variance = (s - m * m).max(0.0);
            let slope = variance / (variance + epsilon);
            (slope, m * (1.0 - slope))
        })
        .unzip();
    let slopes = mean(&slopes, w, h, radius);
    let offsets = mean(&offsets, w, h, radius);
    (0..w * h)
        .map(|i| 0.5 * (slopes[i] * channel.data[i] + offsets[i]) + 0.5 * means[i])
        .collect()
}

/// Means over squares, cut off at the border.
fn mean(data: &[f32], w: usize, h: usize, radius: usize) -> Vec<f32> {
    let mut across = vec![0.0; w * h];
    for (out, row) in across.chunks_exact_mut(w).zip(data.chunks_exact(w)) {
        for (x, out) in out.iter_mut().enumerate() {
            let part = &row[x.saturating_sub(radius)..=(x + radius).min(w - 1)];
            *out = part.iter().sum::<f32>() / part.len() as f32;
        }
    }
    let mut out = vec![0.0; w * h];
    for (y, row) in out.chunks_exact_mut(w).enumerate() {
        let rows = y.saturating_sub(radius)..=(y + radius).min(h - 1);
        let scale = 1.0 / rows.clone().count() as f32;
        for v in rows {
            for (out, value) in row.iter_mut().zip(&across[v * w..(v + 1) * w]) {
                *out += scale * value;
            }
        }
    }
    out
}

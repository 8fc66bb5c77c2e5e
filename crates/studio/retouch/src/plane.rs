//! One channel of a picture as floats, and the filters that every tool needs: means, blurs, sizes. Work is cut into
//! strips of a fixed height, so the numbers do not depend on the number of threads.

use rayon::prelude::*;

/// Rows that one task works on.
const STRIP: usize = 32;

/// A channel: `width` × `height` values, rows from the top.
#[derive(Debug, Clone, PartialEq)]
pub struct Plane {
    pub width: usize,
    pub height: usize,
    pub data: Vec<f32>,
}

impl Plane {
    pub fn new(width: usize, height: usize) -> Self {
        Self {
            width,
            height,
            data: vec![0.0; width * height],
        }
    }

    /// Each value from its column and row.
    pub fn from_fn(width: usize, height: usize, value: impl Fn(usize, usize) -> f32 + Sync) -> Self {
        let mut plane = Self::new(width, height);
        plane
            .data
            .par_chunks_mut((STRIP * width).max(1))
            .enumerate()
            .for_each(|(strip, rows)| {
                for (i, row) in rows.chunks_mut(width).enumerate() {
                    for (x, out) in row.iter_mut().enumerate() {
                        *out = value(x, strip * STRIP + i);
                    }
                }
            });
        plane
    }

    #[inline]
    pub fn at(&self, x: usize, y: usize) -> f32 {
        self.data[y * self.width + x]
    }

    /// The value at a place; beyond the border, the border's.
    #[inline]
    pub fn clamped(&self, x: isize, y: isize) -> f32 {
        let x = x.clamp(0, self.width as isize - 1) as usize;
        let y = y.clamp(0, self.height as isize - 1) as usize;
        self.data[y * self.width + x]
    }

    pub fn row(&self, y: usize) -> &[f32] {
        &self.data[y * self.width..(y + 1) * self.width]
    }

    /// Interpolates the four nearest values; whole numbers are the centres of pixels.
    #[inline]
    pub fn bilinear(&self, x: f32, y: f32) -> f32 {
        let x = x.clamp(0.0, self.width as f32 - 1.0);
        let y = y.clamp(0.0, self.height as f32 - 1.0);
        let (x0, y0) = (x as usize, y as usize);
        let (x1, y1) = ((x0 + 1).min(self.width - 1), (y0 + 1).min(self.height - 1));
        let (u, v) = (x - x0 as f32, y - y0 as f32);
        let top = self.at(x0, y0) + (self.at(x1, y0) - self.at(x0, y0)) * u;
        let bottom = self.at(x0, y1) + (self.at(x1, y1) - self.at(x0, y1)) * u;
        top + (bottom - top) * v
    }

    /// Each value through a function.
    pub fn map(&self, f: impl Fn(f32) -> f32 + Sync) -> Self {
        let mut out = self.clone();
        out.data
            .par_chunks_mut((STRIP * self.width).max(1))
            .for_each(|rows| {
                for v in rows {
                    *v = f(*v);
                }
            });
        out
    }

    /// Each pair of values through a function.
    pub fn zip(&self, other: &Self, f: impl Fn(f32, f32) -> f32 + Sync) -> Self {
        let mut out = self.clone();
        let chunk = (STRIP * self.width).max(1);
        out.data
            .par_chunks_mut(chunk)
            .zip(other.data.par_chunks(chunk))
            .for_each(|(rows, others)| {
                for (v, o) in rows.iter_mut().zip(others) {
                    *v = f(*v, *o);
                }
            });
        out
    }

    /// Means over squares of `2 · radius + 1`, cut off at the border.
    pub fn box_mean(&self, radius: usize) -> Self {
        if radius == 0 {
            return self.clone();
        }
        self.row_means(radius).column_means(radius)
    }

    /// Close to a Gaussian: three box means of suitable widths (Wells 1986).
    pub fn blurred(&self, sigma: f32) -> Self {
        if sigma < 0.3 {
            return self.clone();
        }
        if sigma < 2.0 {
            return self.convolved(sigma);
        }
        let radius = |n: usize| {
            let ideal = (12.0 * sigma * sigma / 3.0 + 1.0).sqrt();
            let low = (((ideal - 1.0) / 2.0).floor() as usize).max(1);
            let l = (2 * low + 1) as f32;
            let count = ((12.0 * sigma * sigma - 3.0 * l * l - 12.0 * l - 9.0) / (-4.0 * l - 4.0)).round();
            if (n as f32) < count { low } else { low + 1 }
        };
        self.box_mean(radius(0)).box_mean(radius(1)).box_mean(radius(2))
    }

    fn convolved(&self, sigma: f32) -> Self {
        let radius = (3.0 * sigma).ceil() as isize;
        let mut taps: Vec<f32> = (-radius..=radius)
            .map(|i| (-((i * i) as f32) / (2.0 * sigma * sigma)).exp())
            .collect();
        let sum: f32 = taps.iter().sum();
        for tap in &mut taps {
            *tap /= sum;
        }
        let (w, h) = (self.width as isize, self.height as isize);
        let mut across = Self::new(self.width, self.height);
        across
            .data
            .par_chunks_mut(self.width)
            .zip(self.data.par_chunks(self.width))
            .for_each(|(out, row)| {
                for (x, out) in out.iter_mut().enumerate() {
                    *out = taps
                        .iter()
                        .zip(x as isize - radius..)
                        .map(|(tap, x)| tap * row[x.clamp(0, w - 1) as usize])
                        .sum();
                }
            });
        let mut down = Self::new(self.width, self.height);
        down.data
            .par_chunks_mut(self.width)
            .enumerate()
            .for_each(|(y, out)| {
                for (tap, y) in taps.iter().zip(y as isize - radius..) {
                    for (out, v) in out.iter_mut().zip(across.row(y.clamp(0, h - 1) as usize)) {
                        *out += tap * v;
                    }
                }
            });
        down
    }

    fn row_means(&self, radius: usize) -> Self {
        let w = self.width;
        let mut out = Self::new(w, self.height);
        out.data
            .par_chunks_mut(w)
            .zip(self.data.par_chunks(w))
            .for_each(|(out, row)| {
                let mut sum: f64 = row[..radius.min(w)].iter().map(|v| f64::from(*v)).sum();
                for x in 0..w {
                    if x + radius < w {
                        sum += f64::from(row[x + radius]);
                    }
                    if x > radius {
                        sum -= f64::from(row[x - radius - 1]);
                    }
                    let count = (x + radius).min(w - 1) - x.saturating_sub(radius) + 1;
                    out[x] = (sum / count as f64) as f32;
                }
            });
        out
    }

    fn column_means(&self, radius: usize) -> Self {
        let (w, h) = (self.width, self.height);
        let mut out = Self::new(w, h);
        // A strip first sums what its first row needs, so it should be taller than the window.
        let strip = STRIP.max(2 * radius);
        out.data
            .par_chunks_mut(strip * w)
            .enumerate()
            .for_each(|(index, rows)| {
                let first = index * strip;
                let mut sums = vec![0.0_f64; w];
                for y in first.saturating_sub(radius)..(first + radius).min(h) {
                    for (sum, v) in sums.iter_mut().zip(self.row(y)) {
                        *sum += f64::from(*v);
                    }
                }
                for (i, out) in rows.chunks_mut(w).enumerate() {
                    let y = first + i;
                    if y + radius < h {
                        for (sum, v) in sums.iter_mut().zip(self.row(y + radius)) {
                            *sum += f64::from(*v);
                        }
                    }
                    if i > 0 && y > radius {
                        for (sum, v) in sums.iter_mut().zip(self.row(y - radius - 1)) {
                            *sum -= f64::from(*v);
                        }
                    }
                    let count = (y + radius).min(h - 1) - y.saturating_sub(radius) + 1;
                    let scale = 1.0 / count as f64;
                    for (out, sum) in out.iter_mut().zip(&sums) {
                        *out = (sum * scale) as f32;
                    }
                }
            });
        out
    }

    /// Another size: means of areas when shrinking, interpolation when growing.
    pub fn resized(&self, width: usize, height: usize) -> Self {
        if (width, height) == (self.width, self.height) {
            return self.clone();
        }
        let columns = spans(self.width, width);
        let rows = spans(self.height, height);
        let mut across = Self::new(width, self.height);
        across
            .data
            .par_chunks_mut(width)
            .zip(self.data.par_chunks(self.width))
            .for_each(|(out, row)| {
                for (out, (from, weights)) in out.iter_mut().zip(&columns) {
                    *out = weights
                        .iter()
                        .zip(&row[*from..])
                        .map(|(weight, v)| weight * v)
                        .sum();
                }
            });
        let mut out = Self::new(width, height);
        out.data
            .par_chunks_mut(width)
            .zip(&rows)
            .for_each(|(out, (from, weights))| {
                for (weight, y) in weights.iter().zip(*from..) {
                    for (out, v) in out.iter_mut().zip(across.row(y)) {
                        *out += weight * v;
                    }
                }
            });
        out
    }

    pub fn mean(&self) -> f32 {
        let sums: Vec<f64> = self
            .data
            .par_chunks(1 << 14)
            .map(|part| part.iter().map(|v| f64::from(*v)).sum())
            .collect();
        (sums.iter().sum::<f64>() / self.data.len().max(1) as f64) as f32
    }

    pub fn max(&self) -> f32 {
        self.data.iter().copied().fold(f32::MIN, f32::max)
    }

    pub fn min(&self) -> f32 {
        self.data.iter().copied().fold(f32::MAX, f32::min)
    }
}

/// For each value of a resized line: the first value it takes from, and the weights from there on.
fn spans(from: usize, to: usize) -> Vec<(usize, Vec<f32>)> {
    let scale = from as f32 / to as f32;
    (0..to)
        .map(|i| {
            if to < from {
                let (start, end) = (i as f32 * scale, (i + 1) as f32 * scale);
                let first = start as usize;
                let last = (end.ceil() as usize).min(from).max(first + 1);
                let mut weights: Vec<f32> = (first..last)
                    .map(|j| (end.min((j + 1) as f32) - start.max(j as f32)).max(0.0))
                    .collect();
                let sum: f32 = weights.iter().sum();
                for weight in &mut weights {
                    *weight /= sum;
                }
                (first, weights)
            } else {
                let at = ((i as f32 + 0.5) * scale - 0.5).clamp(0.0, from as f32 - 1.0);
                let first = (at as usize).min(from.saturating_sub(2));
                let t = at - first as f32;
                (first, if from > 1 { vec![1.0 - t, t] } else { vec![1.0] })
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_those_of_their_squares() {
        let plane = Plane::from_fn(70, 90, |x, y| ((x * 7 + y * 13) % 11) as f32);
        for radius in [1, 3, 20, 100] {
            let means = plane.box_mean(radius);
            for (x, y) in [(0, 0), (35, 45), (69, 89), (3, 64), (3, 65)] {
                let (mut sum, mut count) = (0.0, 0.0);
                for v in y - y.min(radius)..=(y + radius).min(89) {
                    for u in x - x.min(radius)..=(x + radius).min(69) {
                        sum += plane.at(u, v);
                        count += 1.0;
                    }
                }
                assert!(
                    (means.at(x, y) - sum / count).abs() < 1e-3,
                    "{x},{y} at radius {radius}"
                );
            }
        }
    }

    #[test]
    fn resizing_keeps_the_mean() {
        let plane = Plane::from_fn(64, 48, |x, y| (x + 2 * y) as f32);
        for (w, h) in [(32, 24), (21, 17), (128, 96)] {
            assert!((plane.resized(w, h).mean() - plane.mean()).abs() < 0.2);
        }
    }

    #[test]
    fn a_blur_spreads_as_wide_as_its_sigma_says() {
        let mut dot = Plane::new(101, 101);
        dot.data[50 * 101 + 50] = 1.0;
        for sigma in [1.0, 3.0, 6.0] {
            let blur = dot.blurred(sigma);
            let variance: f32 = (0..101)
                .map(|x| blur.row(50)[x] * (x as f32 - 50.0).powi(2))
                .sum::<f32>()
                / blur.row(50).iter().sum::<f32>();
            assert!(
                (variance.sqrt() - sigma).abs() < 0.25 * sigma,
                "{} for {sigma}",
                variance.sqrt()
            );
        }
    }
}

//! Brightness, and local means and spreads of it.

use crate::Shape;

/// One number a pixel.
#[derive(Debug, Clone)]
pub(crate) struct Plane {
    pub width: usize,
    pub height: usize,
    pub values: Vec<f32>,
}

impl Plane {
    /// The brightness of a picture, 0 to 255, on medium grey where it is transparent.
    pub(crate) fn brightness(pixels: &[u8], shape: Shape) -> Self {
        let values = pixels.chunks_exact(shape.channels).map(|pixel| {
            let light = match shape.colours() {
                1 => f32::from(pixel[0]),
                _ => 0.299 * f32::from(pixel[0]) + 0.587 * f32::from(pixel[1]) + 0.114 * f32::from(pixel[2]),
            };
            if shape.has_alpha() {
                let alpha = f32::from(pixel[shape.channels - 1]) / 255.0;
                light * alpha + 128.0 * (1.0 - alpha)
            } else {
                light
            }
        });
        Self {
            width: shape.width,
            height: shape.height,
            values: values.collect(),
        }
    }

    /// The middle part of at most so many pixels a side.
    pub(crate) fn middle(&self, side: usize) -> Self {
        let (width, height) = (self.width.min(side), self.height.min(side));
        let (left, top) = ((self.width - width) / 2, (self.height - height) / 2);
        let rows = self.values.chunks_exact(self.width).skip(top).take(height);
        let values = rows.flat_map(|row| &row[left..left + width]).copied().collect();
        Self {
            width,
            height,
            values,
        }
    }

    pub(crate) fn map2(&self, other: &Self, of: impl Fn(f32, f32) -> f32) -> Self {
        let values = self.values.iter().zip(&other.values).map(|(&a, &b)| of(a, b));
        Self {
            values: values.collect(),
            ..*self
        }
    }

    pub(crate) fn map(&self, of: impl Fn(f32) -> f32) -> Self {
        Self {
            values: self.values.iter().map(|&value| of(value)).collect(),
            ..*self
        }
    }

    /// Means of squares of `2 * radius + 1` pixels, with the edges repeated.
    pub(crate) fn mean(&self, radius: usize) -> Self {
        let (width, height) = (self.width, self.height);
        let scale = 1.0 / ((2 * radius + 1) as f32);
        let mut across = vec![0.0; self.values.len()];
        for (row, out) in self
            .values
            .chunks_exact(width)
            .zip(across.chunks_exact_mut(width))
        {
            let at = |x: isize| row[x.clamp(0, width as isize - 1) as usize];
            let reach = radius as isize;
            let mut sum: f32 = (-reach..=reach).map(at).sum();
            for (x, out) in out.iter_mut().enumerate() {
                *out = sum * scale;
                sum += at(x as isize + reach + 1) - at(x as isize - reach);
            }
        }
        let row = |y: isize| {
            let y = y.clamp(0, height as isize - 1) as usize;
            &across[y * width..(y + 1) * width]
        };
        let reach = radius as isize;
        let mut sums = vec![0.0_f32; width];
        for y in -reach..=reach {
            sums.iter_mut().zip(row(y)).for_each(|(sum, value)| *sum += value);
        }
        let mut values = Vec::with_capacity(self.values.len());
        for y in 0..height as isize {
            values.extend(sums.iter().map(|sum| sum * scale));
            let (coming, going) = (row(y + reach + 1), row(y - reach));
            for ((sum, coming), going) in sums.iter_mut().zip(coming).zip(going) {
                *sum += coming - going;
            }
        }
        Self { values, ..*self }
    }

    /// The picture without its slow changes, and evened out: parts where it is busy weigh less.
    pub(crate) fn whitened(&self) -> Self {
        let fine = self.map2(&self.mean(3).mean(3), |value, mean| value - mean);
        let spread = fine.map(|value| value * value).mean(4).mean(4);
        fine.map2(&spread, |value, square| {
            value / (square.max(0.0).sqrt() + 2.0).powf(1.8)
        })
    }
}

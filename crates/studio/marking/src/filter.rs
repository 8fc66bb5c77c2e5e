//! Brightness, and local means and spreads of it.

use crate::Shape;

impl Shape {
    /// The brightness of pixels, 0 to 255, on medium grey where they are transparent.
    pub(crate) fn brightness(self, pixels: &[u8], light: &mut [f32]) {
        match self.channels {
            1 => brightness::<1>(pixels, light),
            2 => brightness::<2>(pixels, light),
            3 => brightness::<3>(pixels, light),
            _ => brightness::<4>(pixels, light),
        }
    }
}

fn brightness<const CHANNELS: usize>(pixels: &[u8], light: &mut [f32]) {
    for (light, pixel) in light.iter_mut().zip(pixels.chunks_exact(CHANNELS)) {
        *light = if CHANNELS < 3 {
            f32::from(pixel[0])
        } else {
            0.299 * f32::from(pixel[0]) + 0.587 * f32::from(pixel[1]) + 0.114 * f32::from(pixel[2])
        };
        if CHANNELS.is_multiple_of(2) {
            let alpha = f32::from(pixel[CHANNELS - 1]) / 255.0;
            *light = *light * alpha + 128.0 * (1.0 - alpha);
        }
    }
}

/// One number a pixel.
#[derive(Debug, Clone)]
pub(crate) struct Plane {
    pub width: usize,
    pub height: usize,
    pub values: Vec<f32>,
}

impl Plane {
    /// The brightness of a picture.
    pub(crate) fn brightness(pixels: &[u8], shape: Shape) -> Self {
        let mut values = vec![0.0; shape.width * shape.height];
        shape.brightness(pixels, &mut values);
        Self {
            width: shape.width,
            height: shape.height,
            values,
        }
    }

    /// The middle part of at most so many pixels a side. It begins at a multiple of `step`.
    pub(crate) fn middle(&self, side: usize, step: usize) -> Self {
        let start = |length: usize| {
            let start = length.saturating_sub(side) / 2;
            start - start % step
        };
        let (width, height) = (self.width.min(side), self.height.min(side));
        let (left, top) = (start(self.width), start(self.height));
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
    ///
    /// # Panics
    ///
    /// If the radius is not 1 to 5.
    pub(crate) fn mean(&self, radius: usize) -> Self {
        // A constant number of values makes the compiler add up four or eight pixels at once.
        match radius {
            1 => self.mean_of::<3>(),
            2 => self.mean_of::<5>(),
            3 => self.mean_of::<7>(),
            4 => self.mean_of::<9>(),
            5 => self.mean_of::<11>(),
            _ => panic!("a mean of radius {radius}"),
        }
    }

    fn mean_of<const SIDE: usize>(&self) -> Self {
        let (width, height, reach) = (self.width, self.height, SIDE as isize / 2);
        let scale = 1.0 / (SIDE * SIDE) as f32;
        let row = |y: isize| {
            let y = y.clamp(0, height as isize - 1) as usize;
            &self.values[y * width..(y + 1) * width]
        };
        // Each column's sum over the rows near the present one, with the first and the last repeated.
        let mut sums = vec![0.0_f32; width + SIDE - 1];
        let inner = SIDE / 2..SIDE / 2 + width;
        for y in -reach..=reach {
            sums[inner.clone()]
                .iter_mut()
                .zip(row(y))
                .for_each(|(sum, value)| *sum += value);
        }
        let mut values = Vec::with_capacity(self.values.len());
        for y in 0..height as isize {
            let (first, last) = (sums[inner.start], sums[inner.end - 1]);
            sums[..inner.start].fill(first);
            sums[inner.end..].fill(last);
            values.extend(sums.windows(SIDE).map(|near| near.iter().sum::<f32>() * scale));
            let (coming, going) = (row(y + reach + 1), row(y - reach));
            for ((sum, coming), going) in sums[inner.clone()].iter_mut().zip(coming).zip(going) {
                *sum += coming - going;
            }
        }
        Self { values, ..*self }
    }

    /// The picture without its slow changes, and evened out: parts where it is busy weigh less. The radii are those of
    /// the changes that stay, and of the places that are compared.
    pub(crate) fn whitened(&self, fine: usize, place: usize) -> Self {
        let fine = self.map2(&self.mean(fine).mean(fine), |value, mean| value - mean);
        let spread = fine.map(|value| value * value).mean(place).mean(place);
        fine.map2(&spread, |value, square| {
            let spread = square.max(0.0).sqrt() + 2.0;
            // Nearly the power of 1.8, made of roots that the compiler computes for four pixels at once.
            let eighth = spread.sqrt().sqrt().sqrt();
            value * eighth * eighth.sqrt() / (spread * spread)
        })
    }
}

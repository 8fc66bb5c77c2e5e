//! The canvas: a picture in progress. Coordinates are in units that give every picture an area of one, whatever its
//! ratio or resolution, so that 4K is the same picture as 1K with more detail.

use rayon::prelude::*;

use crate::decode::Picture;

use crate::rgb::Rgb;

/// The picture's shape, in units and in pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    /// Width and height in units; their product is about 1.
    pub w: f32,
    pub h: f32,
    /// Pixels per unit.
    pub px: f32,
    /// The canvas in pixels: the picture, and what is painted around it.
    pub width: usize,
    pub height: usize,
    /// How many pixels are painted beyond each border of the picture.
    pub margin: usize,
}

impl Frame {
    pub fn new(width: usize, height: usize) -> Self {
        let px = ((width * height) as f32).sqrt();
        Self {
            w: width as f32 / px,
            h: height as f32 / px,
            px,
            width,
            height,
            margin: 0,
        }
    }

    /// The same picture on a canvas that goes `margin` pixels beyond each of its borders.
    pub fn with_margin(self, margin: usize) -> Self {
        Self {
            width: self.width + 2 * margin,
            height: self.height + 2 * margin,
            margin,
            ..self
        }
    }

    /// Converts a column or row of the canvas, counted from the picture's corner, to units; the centre of a pixel is
    /// at half.
    #[inline]
    pub fn unit(&self, pixel: f32) -> f32 {
        (pixel - self.margin as f32) / self.px
    }

    /// Converts a position in units to a column or row of the canvas.
    #[inline]
    pub fn pixel(&self, unit: f32) -> f32 {
        unit * self.px + self.margin as f32
    }

    /// The shorter side, in units.
    pub fn short(&self) -> f32 {
        self.w.min(self.h)
    }

    /// The octaves of detail of this resolution beyond a picture of one megapixel.
    pub fn extra(&self) -> u32 {
        (self.px / 1024.0).log2().round().max(0.0) as u32
    }
}

/// The thing that a pixel shows; 0 is the backdrop.
pub type Id = u8;

/// Pixels as colour and the number of the thing they show.
#[derive(Debug, Clone)]
pub struct Canvas {
    pub frame: Frame,
    pub pixels: Vec<[u8; 4]>,
}

impl Canvas {
    pub fn new(frame: Frame) -> Self {
        Self {
            frame,
            pixels: vec![[0; 4]; frame.width * frame.height],
        }
    }

    #[inline]
    pub fn at(&self, x: usize, y: usize) -> Rgb {
        let p = self.pixels[y * self.frame.width + x];
        Rgb::from_bytes([p[0], p[1], p[2]])
    }

    /// The nearest pixel's colour; beyond the edges, the edge's.
    #[inline]
    pub fn near(&self, x: i32, y: i32) -> Rgb {
        let x = x.clamp(0, self.frame.width as i32 - 1) as usize;
        let y = y.clamp(0, self.frame.height as i32 - 1) as usize;
        self.at(x, y)
    }

    #[inline]
    pub fn id(&self, x: i32, y: i32) -> Id {
        let x = x.clamp(0, self.frame.width as i32 - 1) as usize;
        let y = y.clamp(0, self.frame.height as i32 - 1) as usize;
        self.pixels[y * self.frame.width + x][3]
    }

    /// Bilinear, in pixels.
    #[inline]
    pub fn sample(&self, x: f32, y: f32) -> Rgb {
        let x = (x - 0.5).clamp(0.0, self.frame.width as u32 as f32 - 1.001);
        let y = (y - 0.5).clamp(0.0, self.frame.height as u32 as f32 - 1.001);
        // Numbers of half the length are converted in half the time.
        let (ix, iy) = (x as i32, y as i32);
        let (fx, fy) = (x - ix as f32, y - iy as f32);
        let (ix, iy) = (ix as usize, iy as usize);
        let (jx, jy) = (
            (ix + 1).min(self.frame.width - 1),
            (iy + 1).min(self.frame.height - 1),
        );
        // Four channels at a time, for SIMD instructions.
        let (fx, fy) = (fx * (1.0 / 255.0), fy);
        let (left, right) = ((1.0 / 255.0) - fx, fx);
        let at = |x: usize, y: usize| self.pixels[y * self.frame.width + x].map(f32::from);
        let corners = [at(ix, iy), at(jx, iy), at(ix, jy), at(jx, jy)];
        let weights = [left * (1.0 - fy), right * (1.0 - fy), left * fy, right * fy];
        let mut sum = [0.0; 4];
        for (corner, weight) in corners.into_iter().zip(weights) {
            for c in 0..4 {
                sum[c] += corner[c] * weight;
            }
        }
        Rgb(sum[0], sum[1], sum[2])
    }

    /// The colour at a place of the picture, in units.
    #[inline]
    pub fn seen(&self, x: f32, y: f32) -> Rgb {
        self.sample(self.frame.pixel(x), self.frame.pixel(y))
    }

    /// A smaller canvas by averaging whole pixels; the ids are those of the block's centre.
    pub fn reduced(&self, width: usize, height: usize) -> Self {
        let mut out = Self::new(Frame::new(width, height));
        out.pixels
            .par_chunks_mut(width)
            .enumerate()
            .for_each(|(y, line)| {
                let (y0, y1) = span(y, height, self.frame.height);
                for (x, pixel) in line.iter_mut().enumerate() {
                    let (x0, x1) = span(x, width, self.frame.width);
                    let mut sum = [0_u32; 3];
                    for row in y0..y1 {
                        for p in &self.pixels[row * self.frame.width + x0..row * self.frame.width + x1] {
                            for c in 0..3 {
                                sum[c] += u32::from(p[c]);
                            }
                        }
                    }
                    let n = ((y1 - y0) * (x1 - x0)) as u32;
                    let id =
                        self.pixels[usize::midpoint(y0, y1) * self.frame.width + usize::midpoint(x0, x1)][3];
                    let [r, g, b] = sum.map(|s| ((s + n / 2) / n) as u8);
                    *pixel = [r, g, b, id];
                }
            });
        out
    }
}

fn span(index: usize, count: usize, of: usize) -> (usize, usize) {
    let from = index * of / count;
    (from, ((index + 1) * of / count).max(from + 1))
}

/// A canvas as a picture whose longer side is at most this long.
pub fn picture_within(canvas: &Canvas, side: usize) -> Picture {
    let (width, height) = (canvas.frame.width, canvas.frame.height);
    let k = (side as f32 / width.max(height) as f32).min(1.0);
    let small;
    let from = if k < 1.0 {
        let part = |length: usize| ((length as f32 * k).round() as usize).max(1);
        small = canvas.reduced(part(width), part(height));
        &small
    } else {
        canvas
    };
    let mut picture = Picture::filled(from.frame.width, from.frame.height, [0, 0, 0, 255]);
    for (to, p) in picture.rgba.chunks_exact_mut(4).zip(&from.pixels) {
        to[..3].copy_from_slice(&p[..3]);
    }
    picture
}

/// A canvas as a picture, opaque.
pub fn picture(canvas: &Canvas) -> Picture {
    picture_within(canvas, usize::MAX)
}

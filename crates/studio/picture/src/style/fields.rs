//! Values that a finisher looks up at every pixel, computed for whole rows: outlines, and reduced pictures at full
//! size. A loop over a row of plain numbers is vectorised; looking around at each pixel is not.

use rayon::prelude::*;

use super::desk::{byte, part};
use super::small;
use atelier_retouch::canvas::{Canvas, Frame};
use atelier_retouch::rgb::Rgb;

/// The minimum rows of one task.
const BAND: usize = 8;
/// Pixels whose colours are computed together.
const TOGETHER: usize = 32;

/// A canvas of the same shape: for each pixel `look` gives numbers, a byte for each from 0 to 1, and `paint` turns
/// them into a colour. `paint` is vectorised as long as it only calculates.
pub(super) fn together<const N: usize>(
    canvas: &Canvas,
    look: impl Fn(usize, usize) -> [u8; N] + Sync,
    paint: impl Fn([f32; N]) -> Rgb + Sync,
) -> Canvas {
    let mut out = Canvas::new(canvas.frame);
    let width = canvas.frame.width;
    out.pixels
        .par_chunks_mut(width)
        .zip(canvas.pixels.par_chunks(width))
        .with_min_len(BAND)
        .enumerate()
        .for_each(|(y, (row, own))| {
            let mut seen = [[0_u8; TOGETHER]; N];
            let mut painted = [[0_u8; TOGETHER]; 3];
            for (some, (row, own)) in row.chunks_mut(TOGETHER).zip(own.chunks(TOGETHER)).enumerate() {
                for k in 0..row.len() {
                    let numbers = look(some * TOGETHER + k, y);
                    for n in 0..N {
                        seen[n][k] = numbers[n];
                    }
                }
                for k in 0..TOGETHER {
                    let mut numbers = [0.0; N];
                    for n in 0..N {
                        numbers[n] = part(seen[n][k]);
                    }
                    let Rgb(r, g, b) = paint(numbers);
                    painted[0][k] = byte(r);
                    painted[1][k] = byte(g);
                    painted[2][k] = byte(b);
                }
                for (k, (pixel, own)) in row.iter_mut().zip(own).enumerate() {
                    *pixel = [painted[0][k], painted[1][k], painted[2][k], own[3]];
                }
            }
        });
    out
}

/// Outlines over a canvas, looking `reach` pixels around: `of` gets how much another thing begins at a pixel (0 to
/// 1) and how much the colour changes there, and returns 0 to 1.
pub(super) fn outlines(canvas: &Canvas, reach: usize, of: impl Fn(f32, f32) -> f32 + Sync) -> Vec<u8> {
    let (width, height) = (canvas.frame.width, canvas.frame.height);
    let row = |y: usize| &canvas.pixels[y * width..(y + 1) * width];
    let pixel = |own: [u8; 4], [right, below, left, above]: [[u8; 4]; 4]| {
        let own = u32::from_le_bytes(own);
        let around = [right, below, left, above].map(u32::from_le_bytes);
        let others: u32 = around.iter().map(|p| u32::from((p ^ own) >> 24 != 0)).sum();
        let [right, below, left, above] = around;
        let change = (change(right, left) + change(below, above)).sqrt();
        byte(of(others as f32 * 0.25, change))
    };
    let mut out = vec![0; canvas.pixels.len()];
    out.par_chunks_mut(width)
        .with_min_len(BAND)
        .enumerate()
        .for_each(|(y, out)| {
            let own = row(y);
            let (above, below) = (row(y.saturating_sub(reach)), row((y + reach).min(height - 1)));
            let near = reach.min(width);
            let far = width.saturating_sub(reach).max(near);
            for x in (0..near).chain(far..width) {
                let (left, right) = (x.saturating_sub(reach), (x + reach).min(width - 1));
                out[x] = pixel(own[x], [own[right], below[x], own[left], above[x]]);
            }
            let inner = far - near;
            let columns = own[width - inner..].iter().zip(&own[..inner]);
            let rows = below[near..far].iter().zip(&above[near..far]);
            for (((out, own), (right, left)), (below, above)) in out[near..far]
                .iter_mut()
                .zip(&own[near..far])
                .zip(columns)
                .zip(rows)
            {
                *out = pixel(*own, [*right, *below, *left, *above]);
            }
        });
    out
}

/// The squared difference of two colours, weighted for the eye.
#[inline]
fn change(a: u32, b: u32) -> f32 {
    let difference = |shift: u32| (((a >> shift) & 255) as i32 - ((b >> shift) & 255) as i32) as f32;
    let (r, g, b) = (difference(0), difference(8), difference(16));
    (0.35 * r * r + 0.5 * g * g + 0.15 * b * b) * (1.0 / 65_025.0)
}

/// A reduced canvas, read at the size of the large one: `N` interpolated numbers of each colour.
pub(super) struct Enlarged<const N: usize> {
    values: Vec<[f32; N]>,
    width: usize,
    height: usize,
    /// For each column of the large canvas, the one to its left in the small one, and the distance beyond it.
    across: Vec<(u32, f32)>,
    down: f32,
}

impl<const N: usize> Enlarged<N> {
    pub(super) fn new(small: &Canvas, large: Frame, of: impl Fn(Rgb) -> [f32; N]) -> Self {
        let (width, height) = (small.frame.width, small.frame.height);
        let ratio = width as f32 / large.width as f32;
        let across = (0..large.width).map(|x| {
            let u = ((x as f32 + 0.5) * ratio - 0.5).clamp(0.0, width as f32 - 1.001);
            (u as u32, u.fract())
        });
        Self {
            values: small
                .pixels
                .iter()
                .map(|p| of(Rgb::from_bytes([p[0], p[1], p[2]])))
                .collect(),
            width,
            height,
            across: across.collect(),
            down: height as f32 / large.height as f32,
        }
    }

    /// One row of the large canvas.
    pub(super) fn row(&self, y: usize) -> impl Iterator<Item = [f32; N]> {
        let v = ((y as f32 + 0.5) * self.down - 0.5).clamp(0.0, self.height as f32 - 1.001);
        let (upper, part) = (v as usize * self.width, v.fract());
        let lower = upper + self.width;
        let line: Vec<[f32; N]> = self.values[upper..lower]
            .iter()
            .zip(&self.values[lower..lower + self.width])
            .map(|(a, b)| between(*a, *b, part))
            .collect();
        self.across.iter().map(move |(left, part)| {
            let left = *left as usize;
            between(line[left], line[left + 1], *part)
        })
    }
}

#[inline]
fn between<const N: usize>(a: [f32; N], b: [f32; N], t: f32) -> [f32; N] {
    let mut out = a;
    for k in 0..N {
        out[k] += (b[k] - a[k]) * t;
    }
    out
}

/// The lightness of the picture at each pixel, softened over this many units, passed through `of`.
pub(super) fn lights(canvas: &Canvas, cell: f32, of: impl Fn(f32) -> f32 + Sync) -> Vec<u8> {
    let soft = Enlarged::new(&small(canvas, cell), canvas.frame, |c| [c.luma()]);
    let mut lights = vec![0; canvas.pixels.len()];
    lights
        .par_chunks_mut(canvas.frame.width)
        .enumerate()
        .for_each(|(y, lights)| {
            for (light, [soft]) in lights.iter_mut().zip(soft.row(y)) {
                *light = byte(of(soft));
            }
        });
    lights
}

/// The displacement of a shaking hand from its own place: pixels to the right and down, and sixteenths of pixels.
#[derive(Debug, Clone, Copy)]
pub(super) struct Astray {
    whole: [i8; 2],
    /// Across in the low four bits, down in the high ones.
    part: u8,
}

impl Astray {
    /// For a pixel, and how far its look strays.
    pub(super) fn new(frame: Frame, (x, y): (usize, usize), (dx, dy): (f32, f32)) -> Self {
        let axis = |at: usize, by: f32, length: usize| {
            let to = (at as f32 + by).clamp(0.0, length as f32 - 1.001);
            // The limit of shaking in the largest pictures.
            let sixteenths = ((to - at as f32) * 16.0).floor().clamp(-2048.0, 2047.0) as i32;
            ((sixteenths >> 4) as i8, (sixteenths & 15) as u8)
        };
        let (right, across) = axis(x, dx, frame.width);
        let (below, down) = axis(y, dy, frame.height);
        Self {
            whole: [right, below],
            part: across | down << 4,
        }
    }

    /// The pixel up and to the left of where it looks.
    #[inline]
    fn corner(self, x: usize, y: usize, width: usize) -> usize {
        let (x, y) = (
            x.wrapping_add_signed(isize::from(self.whole[0])),
            y.wrapping_add_signed(isize::from(self.whole[1])),
        );
        y * width + x
    }

    /// The pixel nearest to where it looks.
    #[inline]
    pub(super) fn nearest(self, x: usize, y: usize, width: usize) -> usize {
        let (right, below) = (self.part >> 3 & 1, self.part >> 7);
        self.corner(x, y, width) + usize::from(right) + usize::from(below) * width
    }

    /// Between the pixels there, in parts of 255.
    #[inline]
    pub(super) fn sample(self, pixels: &[[u8; 4]], x: usize, y: usize, width: usize) -> [u8; 4] {
        let corner = self.corner(x, y, width);
        let (fx, fy) = (u16::from(self.part & 15), u16::from(self.part >> 4));
        let weights = [(16 - fx) * (16 - fy), fx * (16 - fy), (16 - fx) * fy, fx * fy];
        let (upper, lower) = (
            &pixels[corner..corner + 2],
            &pixels[corner + width..corner + width + 2],
        );
        let mut sum = [128_u16; 4];
        for (pixel, weight) in upper.iter().chain(lower).zip(weights) {
            for c in 0..4 {
                sum[c] += u16::from(pixel[c]) * weight;
            }
        }
        sum.map(|v| (v >> 8) as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{map, sample_small};
    use super::*;

    /// A canvas in which colours and numbers change everywhere.
    fn canvas(width: usize, height: usize) -> Canvas {
        let mut canvas = Canvas::new(Frame::new(width, height));
        for (i, pixel) in canvas.pixels.iter_mut().enumerate() {
            let (x, y) = (i % width, i / width);
            *pixel = [
                (x * 9 % 256) as u8,
                (y * 13 % 256) as u8,
                ((x + y) * 5 % 256) as u8,
                ((x / 3 + y / 2) % 4) as u8,
            ];
        }
        canvas
    }

    #[test]
    fn outlines_are_told_by_the_pixels_within_reach_and_by_the_borders_at_the_borders() {
        for (width, height, reach) in [(40, 9, 1), (40, 9, 3), (5, 4, 9), (7, 30, 3)] {
            let canvas = canvas(width, height);
            let (others, changes) = (
                outlines(&canvas, reach, |other, _| other),
                outlines(&canvas, reach, |_, change| change),
            );
            for (i, (other, change)) in others.into_iter().zip(changes).enumerate() {
                let (x, y, r) = ((i % width) as i32, (i / width) as i32, reach as i32);
                let around = [(x + r, y), (x, y + r), (x - r, y), (x, y - r)];
                let count = around
                    .iter()
                    .filter(|(u, v)| canvas.id(*u, *v) != canvas.id(x, y))
                    .count();
                assert_eq!(other, byte(count as f32 * 0.25), "{x}, {y} of {width} × {height}");
                let [right, below, left, above] = around.map(|(u, v)| canvas.near(u, v));
                let aim = (right.distance(left) + below.distance(above)).sqrt();
                assert!(change.abs_diff(byte(aim)) <= 1, "{x}, {y}: {change}, not {aim}");
            }
        }
    }

    #[test]
    fn an_enlarged_row_is_what_lies_between_the_pixels_of_the_reduced_picture() {
        let large = canvas(50, 34);
        let reduced = large.reduced(13, 9);
        let enlarged = Enlarged::new(&reduced, large.frame, |c| [c.0, c.1, c.2]);
        for y in 0..34 {
            for (x, [r, g, b]) in enlarged.row(y).enumerate() {
                let aim = sample_small(&reduced, &large, x as f32 + 0.5, y as f32 + 0.5);
                assert!(
                    aim.distance(Rgb(r, g, b)) < 1e-6,
                    "{x}, {y}: {r} {g} {b}, not {aim:?}"
                );
            }
        }
    }

    #[test]
    fn a_hand_that_strays_sees_what_lies_there_and_never_beyond_the_picture() {
        let frame = Frame::new(30, 20);
        let canvas = map(&Canvas::new(frame), |x, y| {
            Rgb(x as f32 / 30.0, y as f32 / 20.0, 0.5)
        });
        for (x, y, dx, dy) in [
            (3, 4, 0.5, 0.25),
            (10, 10, -4.7, 3.2),
            (0, 19, -6.0, 6.0),
            (29, 0, 90.0, -90.0),
        ] {
            let astray = Astray::new(frame, (x, y), (dx, dy));
            let [r, g, ..] = astray.sample(&canvas.pixels, x, y, frame.width);
            let aim = canvas.sample(x as f32 + 0.5 + dx, y as f32 + 0.5 + dy).to_bytes();
            assert!(
                r.abs_diff(aim[0]) <= 1 && g.abs_diff(aim[1]) <= 1,
                "{r} {g}, not {aim:?}"
            );
            let nearest = astray.nearest(x, y, frame.width);
            let (u, v) = (nearest % frame.width, nearest / frame.width);
            assert!((u as f32 - (x as f32 + dx).clamp(0.0, 29.0)).abs() <= 0.57, "{u}");
            assert!((v as f32 - (y as f32 + dy).clamp(0.0, 19.0)).abs() <= 0.57, "{v}");
        }
    }
}

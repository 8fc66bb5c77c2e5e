//! Pictures as textures: the source of each pixel of a frame is computed every few pixels, and the picture is
//! sampled with Catmull-Rom weights, so that it stays crisp while it moves.

use rayon::prelude::*;

use atelier_picture::moving::painted;
use atelier_retouch::canvas::{Canvas, Frame};
use atelier_retouch::decode::Picture;
use atelier_retouch::rgb::Rgb;

/// Pixels from one computed place to the next.
const STEP: usize = 8;
/// Subpixel positions with their own weights.
const PHASES: usize = 64;

/// A picture cropped to its centre and scaled to a frame.
pub(crate) fn fitted(picture: &Picture, frame: Frame) -> Canvas {
    let mut canvas = Canvas::new(Frame::new(picture.width, picture.height));
    for (to, from) in canvas.pixels.iter_mut().zip(picture.rgba.chunks_exact(4)) {
        let a = u32::from(from[3]);
        let over = |v: u8| ((u32::from(v) * a + 255 * (255 - a) + 127) / 255) as u8;
        *to = [over(from[0]), over(from[1]), over(from[2]), 1];
    }
    let (pw, ph) = (picture.width as f32, picture.height as f32);
    if (picture.width, picture.height) == (frame.width, frame.height) {
        return canvas;
    }
    let k = (pw / frame.width as f32).min(ph / frame.height as f32);
    let (x0, y0) = (
        (pw - frame.width as f32 * k) * 0.5,
        (ph - frame.height as f32 * k) * 0.5,
    );
    // Much larger pictures are averaged first, then sampled.
    let whole = (k.floor() as usize).max(1);
    let (sw, sh) = (picture.width / whole, picture.height / whole);
    if whole > 1 {
        canvas = canvas.reduced(sw.max(1), sh.max(1));
    }
    let (kx, ky) = (canvas.frame.width as f32 / pw, canvas.frame.height as f32 / ph);
    painted(frame, |x, y| {
        let place = [
            (x0 + (x as f32 + 0.5) * k) * kx - 0.5,
            (y0 + (y as f32 + 0.5) * k) * ky - 0.5,
        ];
        let p = sample(&canvas, place);
        Rgb::from_bytes([p[0], p[1], p[2]])
    })
}

/// The origins of the pixels of a frame.
#[derive(Debug)]
pub(crate) struct Field {
    columns: usize,
    places: Vec<[f32; 2]>,
}

impl Field {
    /// Maps the place of a pixel (whole numbers are the centres of pixels) to its source.
    pub(crate) fn new(frame: Frame, from: impl Fn(f32, f32) -> [f32; 2] + Sync) -> Self {
        let columns = frame.width.div_ceil(STEP) + 1;
        let rows = frame.height.div_ceil(STEP) + 1;
        let mut places = vec![[0.0; 2]; columns * rows];
        places
            .par_chunks_mut(columns)
            .enumerate()
            .for_each(|(row, places)| {
                for (column, place) in places.iter_mut().enumerate() {
                    *place = from((column * STEP) as f32, (row * STEP) as f32);
                }
            });
        Self { columns, places }
    }

    /// The picture as seen through the field.
    pub(crate) fn show(&self, picture: &Canvas, out: &mut Canvas) {
        let width = out.frame.width;
        out.pixels.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
            let (line, part) = (y / STEP * self.columns, (y % STEP) as f32 / STEP as f32);
            let edge = |column: usize| {
                let (a, b) = (
                    self.places[line + column],
                    self.places[line + self.columns + column],
                );
                [a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part]
            };
            for (column, pixels) in row.chunks_mut(STEP).enumerate() {
                let (from, to) = (edge(column), edge(column + 1));
                for (x, pixel) in pixels.iter_mut().enumerate() {
                    let t = x as f32 / STEP as f32;
                    *pixel = sample(
                        picture,
                        [from[0] + (to[0] - from[0]) * t, from[1] + (to[1] - from[1]) * t],
                    );
                }
            }
        });
    }
}

/// Weights of four neighbours, times 128.
static WEIGHTS: [[i32; 4]; PHASES] = {
    let mut all = [[0; 4]; PHASES];
    let mut i = 0;
    while i < PHASES {
        // Catmull and Rom's cubic in whole numbers, t = i / 64.
        let t = i as i64;
        let one = PHASES as i64;
        let (t2, t3) = (t * t, t * t * t);
        let cube = one * one * one;
        let a = -t3 + 2 * t2 * one - t * one * one;
        let b = 3 * t3 - 5 * t2 * one + 2 * cube;
        let c = -3 * t3 + 4 * t2 * one + t * one * one;
        all[i] = [round64(a, cube), round64(b, cube), round64(c, cube), 0];
        let d = 128 - all[i][0] - all[i][1] - all[i][2];
        all[i][3] = d;
        i += 1;
    }
    all
};

/// Half of a share of a cube in 128ths, rounded.
const fn round64(value: i64, cube: i64) -> i32 {
    ((value * 64 + cube / 2).div_euclid(cube)) as i32
}

/// Mirrors coordinates beyond the border.
#[inline]
fn mirrored(i: i32, length: usize) -> usize {
    let last = length as i32 - 1;
    let i = if i < 0 { -i } else { i };
    let i = if i > last { 2 * last - i } else { i };
    i.clamp(0, last) as usize
}

#[inline]
pub(crate) fn sample(picture: &Canvas, [x, y]: [f32; 2]) -> [u8; 4] {
    let (w, h) = (picture.frame.width, picture.frame.height);
    let (fx, fy) = (
        (x * PHASES as f32).round() as i32,
        (y * PHASES as f32).round() as i32,
    );
    let (ix, iy) = (fx.div_euclid(PHASES as i32), fy.div_euclid(PHASES as i32));
    let (px, py) = (
        fx.rem_euclid(PHASES as i32) as usize,
        fy.rem_euclid(PHASES as i32) as usize,
    );
    let (wx, wy) = (&WEIGHTS[px], &WEIGHTS[py]);
    let mut sum = [0_i32; 4];
    if ix >= 1 && iy >= 1 && ix + 2 < w as i32 && iy + 2 < h as i32 {
        if px == 0 && py == 0 {
            return picture.pixels[iy as usize * w + ix as usize];
        }
        for (row, ky) in wy.iter().enumerate() {
            let at = (iy as usize + row - 1) * w + ix as usize - 1;
            let four = &picture.pixels[at..at + 4];
            let mut line = [0_i32; 4];
            for (pixel, kx) in four.iter().zip(wx) {
                for c in 0..4 {
                    line[c] += i32::from(pixel[c]) * kx;
                }
            }
            for c in 0..4 {
                sum[c] += line[c] * ky;
            }
        }
    } else {
        for (row, ky) in wy.iter().enumerate() {
            let line = mirrored(iy + row as i32 - 1, h) * w;
            for (column, kx) in wx.iter().enumerate() {
                let pixel = picture.pixels[line + mirrored(ix + column as i32 - 1, w)];
                for c in 0..4 {
                    sum[c] += i32::from(pixel[c]) * kx * ky;
                }
            }
        }
    }
    sum.map(|v| ((v + (1 << 13)) >> 14).clamp(0, 255) as u8)
}

/// Mixes a second picture into a first; `part` gives its weight, 0 to 1, at a column and a row.
pub(crate) fn mix(first: &mut Canvas, second: &Canvas, part: impl Fn(usize, usize) -> f32 + Sync) {
    let width = first.frame.width;
    first
        .pixels
        .par_chunks_mut(width)
        .zip(second.pixels.par_chunks(width))
        .enumerate()
        .for_each(|(y, (row, other))| {
            for (x, (p, q)) in row.iter_mut().zip(other).enumerate() {
                let k = (part(x, y).clamp(0.0, 1.0) * 256.0) as i32;
                for c in 0..3 {
                    p[c] = ((i32::from(p[c]) * (256 - k) + i32::from(q[c]) * k + 128) >> 8) as u8;
                }
            }
        });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_whole_and_add_up() {
        for (i, weights) in WEIGHTS.iter().enumerate() {
            assert_eq!(weights.iter().sum::<i32>(), 128, "{i}");
        }
        assert_eq!(WEIGHTS[0], [0, 128, 0, 0]);
        assert_eq!(WEIGHTS[32], [-8, 72, 72, -8]);
    }

    #[test]
    fn a_field_that_moves_nothing_shows_the_picture_as_it_is_and_one_that_moves_moves_it() {
        let frame = Frame::new(50, 37);
        let picture = painted(frame, |x, y| {
            Rgb::from_bytes([(x * 5) as u8, (y * 6) as u8, ((x * y) % 256) as u8])
        });
        let mut out = Canvas::new(frame);
        Field::new(frame, |x, y| [x, y]).show(&picture, &mut out);
        assert!(out.pixels == picture.pixels);
        Field::new(frame, |x, y| [x + 3.0, y]).show(&picture, &mut out);
        assert_eq!(out.pixels[10 * 50 + 10][..3], picture.pixels[10 * 50 + 13][..3]);
    }
}

//! Rotates frames upright and converts their colours to BT.709, as the file's metadata says.

use mp4parse::Matrix;
use rayon::prelude::*;

use super::sps::Sps;
use crate::color::I420;

/// How far to rotate frames, clockwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    No,
    Right,
    Over,
    Left,
}

impl Turn {
    /// From a track's matrix. Anything but a quarter turn means no rotation.
    pub(super) fn of(matrix: Option<&Matrix>) -> Self {
        let Some(m) = matrix else { return Self::No };
        match (m.a.signum(), m.b.signum(), m.c.signum(), m.d.signum()) {
            (0, 1, -1, 0) => Self::Right,
            (-1, 0, 0, -1) => Self::Over,
            (0, -1, 1, 0) => Self::Left,
            _ => Self::No,
        }
    }

    pub(super) fn swaps(self) -> bool {
        matches!(self, Self::Right | Self::Left)
    }

    /// Copies a plane, rotated. `width` and `height` are the source's.
    pub(super) fn plane(self, from: &[u8], stride: usize, width: usize, height: usize, to: &mut [u8]) {
        match self {
            Self::No => {
                for (to, from) in to.chunks_exact_mut(width).zip(from.chunks(stride)) {
                    to.copy_from_slice(&from[..width]);
                }
            }
            Self::Over => {
                for (y, to) in to.chunks_exact_mut(width).enumerate() {
                    let row = &from[(height - 1 - y) * stride..][..width];
                    for (to, from) in to.iter_mut().zip(row.iter().rev()) {
                        *to = *from;
                    }
                }
            }
            Self::Right => to.par_chunks_exact_mut(height).enumerate().for_each(|(y, to)| {
                for (x, to) in to.iter_mut().enumerate() {
                    *to = from[(height - 1 - x) * stride + y];
                }
            }),
            Self::Left => to.par_chunks_exact_mut(height).enumerate().for_each(|(y, to)| {
                for (x, to) in to.iter_mut().enumerate() {
                    *to = from[x * stride + width - 1 - y];
                }
            }),
        }
    }
}

/// Another matrix or range, as nine factors and offsets to BT.709 in limited range, times 2^14.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Recoding([[i32; 3]; 3], i32);

impl Recoding {
    /// Returns `None` if the stream already is BT.709 in limited range. If the stream does not say, small frames are
    /// taken for BT.601, as players do.
    pub(super) fn of(sps: &Sps) -> Option<Self> {
        let small = sps.width.max(sps.height) < 1280 && sps.width.min(sps.height) < 720;
        let (kr, kb) = match sps.matrix {
            5 | 6 => (0.299, 0.114),
            9 | 10 => (0.2627, 0.0593),
            2 if small => (0.299, 0.114),
            _ if sps.full_range => (0.2126, 0.0722),
            _ => return None,
        };
        let (luma, chroma) = if sps.full_range {
            (219.0 / 255.0, 224.0 / 255.0)
        } else {
            (1.0, 1.0)
        };
        // To red, green and blue by the stream's matrix, then to luma and differences of BT.709.
        let kg = 1.0 - kr - kb;
        let rgb: [[f64; 3]; 3] = [
            [1.0, 0.0, 2.0 * (1.0 - kr)],
            [1.0, -2.0 * kb * (1.0 - kb) / kg, -2.0 * kr * (1.0 - kr) / kg],
            [1.0, 2.0 * (1.0 - kb), 0.0],
        ];
        let weights = [0.2126, 0.7152, 0.0722];
        let mut factors = [[0; 3]; 3];
        for column in 0..3 {
            let y: f64 = (0..3).map(|c| weights[c] * rgb[c][column]).sum();
            let u = (rgb[2][column] - y) / 1.8556;
            let v = (rgb[0][column] - y) / 1.5748;
            // Between limited ranges, chroma is 224/219 of luma's scale.
            let from = if column == 0 { luma } else { chroma };
            let (in_luma, in_chroma) = if column == 0 {
                (1.0, 224.0 / 219.0)
            } else {
                (219.0 / 224.0, 1.0)
            };
            factors[0][column] = (y * from * in_luma * 16_384.0).round() as i32;
            factors[1][column] = (u * from * in_chroma * 16_384.0).round() as i32;
            factors[2][column] = (v * from * in_chroma * 16_384.0).round() as i32;
        }
        Some(Self(factors, if sps.full_range { 0 } else { 16 }))
    }

    pub(super) fn apply(&self, frame: &mut I420) {
        let Self(m, black) = *self;
        let width = frame.width;
        let (luma, chroma) = frame.data.split_at_mut(width * frame.height);
        let half = chroma.len() / 2;
        let (blue, red) = chroma.split_at_mut(half);
        luma.par_chunks_mut(2 * width)
            .zip(blue.par_chunks_mut(width / 2))
            .zip(red.par_chunks_mut(width / 2))
            .for_each(|((luma, blue), red)| {
                let (top, bottom) = luma.split_at_mut(width);
                for (((a, b), u), v) in top
                    .chunks_exact_mut(2)
                    .zip(bottom.chunks_exact_mut(2))
                    .zip(blue)
                    .zip(red)
                {
                    let (cu, cv) = (i32::from(*u) - 128, i32::from(*v) - 128);
                    let mut sum = 0;
                    for y in a.iter_mut().chain(b.iter_mut()) {
                        let old = i32::from(*y) - black;
                        sum += old;
                        let new = m[0][0] * old + m[0][1] * cu + m[0][2] * cv;
                        *y = (((new + 8_192) >> 14) + 16).clamp(0, 255) as u8;
                    }
                    let mean = sum / 4;
                    let of = |row: [i32; 3]| {
                        let new = row[0] * mean + row[1] * cu + row[2] * cv;
                        (((new + 8_192) >> 14) + 128).clamp(0, 255) as u8
                    };
                    (*u, *v) = (of(m[1]), of(m[2]));
                }
            });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quarter_turns_move_corners_where_they_belong() {
        let plane = [1, 2, 3, 4, 5, 6];
        for (turn, expected) in [
            (Turn::No, [1, 2, 3, 4, 5, 6]),
            (Turn::Right, [4, 1, 5, 2, 6, 3]),
            (Turn::Over, [6, 5, 4, 3, 2, 1]),
            (Turn::Left, [3, 6, 2, 5, 1, 4]),
        ] {
            let mut to = [0; 6];
            turn.plane(&plane, 3, 3, 2, &mut to);
            assert_eq!(to, expected, "{turn:?}");
        }
    }

    #[test]
    fn colours_of_other_matrices_become_the_same_colours() {
        let sps = Sps {
            width: 64,
            height: 64,
            bits: 8,
            chroma: 1,
            interlaced: false,
            full_range: false,
            matrix: 6,
        };
        // Pure red in BT.601 and in BT.709, and the same with full range.
        for (full_range, from) in [(false, [81, 90, 240]), (true, [76, 85, 255])] {
            let mut frame = I420::new(2, 2);
            frame.data = vec![from[0], from[0], from[0], from[0], from[1], from[2]];
            Recoding::of(&Sps { full_range, ..sps })
                .unwrap()
                .apply(&mut frame);
            for (value, expected) in frame.data.iter().zip([63, 63, 63, 63, 102, 240]) {
                assert!(value.abs_diff(expected) <= 2, "{:?}", frame.data);
            }
        }
        assert_eq!(Recoding::of(&Sps { matrix: 1, ..sps }), None);
    }
}

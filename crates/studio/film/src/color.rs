//! Colours of film: red, green and blue to and from BT.709 luma and chroma in limited range, 4:2:0 (ITU-T H.273).
//!
//! Writing takes the mean of four pixels as chroma; reading repeats it. A frame that is read and written again keeps
//! its chroma.

use rayon::prelude::*;

/// A frame as the film stores it: one plane of luma, two of chroma at half the size. Width and height are even.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct I420 {
    pub width: usize,
    pub height: usize,
    /// `width × height` luma values, then `width/2 × height/2` values each of blue and red difference.
    pub data: Vec<u8>,
}

/// The three planes of a frame.
#[derive(Debug, Clone, Copy)]
pub struct Planes<'a> {
    pub y: &'a [u8],
    pub u: &'a [u8],
    pub v: &'a [u8],
}

impl I420 {
    /// A black frame.
    pub fn new(width: usize, height: usize) -> Self {
        let mut data = vec![128; width * height * 3 / 2];
        data[..width * height].fill(16);
        Self { width, height, data }
    }

    pub fn planes(&self) -> Planes<'_> {
        let (y, chroma) = self.data.split_at(self.width * self.height);
        let (u, v) = chroma.split_at(chroma.len() / 2);
        Planes { y, u, v }
    }
}

/// Fills a frame from pixels of `STEP` bytes. The first three bytes are red, green and blue.
pub fn from_rgb<const STEP: usize>(pixels: &[u8], frame: &mut I420) {
    let (width, height) = (frame.width, frame.height);
    let (luma, chroma) = frame.data.split_at_mut(width * height);
    let (blue, red) = chroma.split_at_mut(width * height / 4);
    luma.par_chunks_mut(2 * width)
        .zip(blue.par_chunks_mut(width / 2))
        .zip(red.par_chunks_mut(width / 2))
        .zip(pixels.par_chunks(2 * width * STEP))
        .for_each(|(((luma, blue), red), pixels)| {
            let (top, bottom) = pixels.split_at(width * STEP);
            let (luma_top, luma_bottom) = luma.split_at_mut(width);
            luma_row::<STEP>(top, luma_top);
            luma_row::<STEP>(bottom, luma_bottom);
            for (((a, b), u), v) in top
                .chunks_exact(2 * STEP)
                .zip(bottom.chunks_exact(2 * STEP))
                .zip(blue)
                .zip(red)
            {
                let sum = |c: usize| {
                    i32::from(a[c]) + i32::from(a[STEP + c]) + i32::from(b[c]) + i32::from(b[STEP + c])
                };
                let (r, g, bl) = (sum(0), sum(1), sum(2));
                // Coefficients times 2^16, applied to sums of four: hence the shift by 18.
                *u = (((28_785 * bl - 6_596 * r - 22_189 * g + (1 << 17)) >> 18) + 128) as u8;
                *v = (((28_785 * r - 26_145 * g - 2_640 * bl + (1 << 17)) >> 18) + 128) as u8;
            }
        });
}

fn luma_row<const STEP: usize>(pixels: &[u8], luma: &mut [u8]) {
    for (p, y) in pixels.chunks_exact(STEP).zip(luma) {
        let sum = 11_966 * u32::from(p[0]) + 40_254 * u32::from(p[1]) + 4_064 * u32::from(p[2]);
        *y = (((sum + (1 << 15)) >> 16) + 16) as u8;
    }
}

/// Fills pixels of `STEP` bytes from a frame. Bytes after red, green and blue keep their values.
pub fn to_rgb<const STEP: usize>(frame: &I420, pixels: &mut [u8]) {
    let width = frame.width;
    let Planes { y, u, v } = frame.planes();
    pixels
        .par_chunks_mut(2 * width * STEP)
        .zip(y.par_chunks(2 * width))
        .zip(u.par_chunks(width / 2))
        .zip(v.par_chunks(width / 2))
        .for_each(|(((pixels, luma), u), v)| {
            for (pixels, luma) in pixels
                .chunks_exact_mut(width * STEP)
                .zip(luma.chunks_exact(width))
            {
                for (((two, luma), u), v) in pixels
                    .chunks_exact_mut(2 * STEP)
                    .zip(luma.chunks_exact(2))
                    .zip(u)
                    .zip(v)
                {
                    let (u, v) = (i32::from(*u) - 128, i32::from(*v) - 128);
                    let (r, g, b) = (117_489 * v, -13_975 * u - 34_925 * v, 138_438 * u);
                    for (pixel, y) in two.chunks_exact_mut(STEP).zip(luma) {
                        let y = 76_309 * (i32::from(*y) - 16) + (1 << 15);
                        pixel[0] = ((y + r) >> 16).clamp(0, 255) as u8;
                        pixel[1] = ((y + g) >> 16).clamp(0, 255) as u8;
                        pixel[2] = ((y + b) >> 16).clamp(0, 255) as u8;
                    }
                }
            }
        });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pure_colours_have_the_values_of_the_standard() {
        for (rgb, yuv) in [
            ([0, 0, 0], [16, 128, 128]),
            ([255, 255, 255], [235, 128, 128]),
            ([255, 0, 0], [63, 102, 240]),
            ([0, 255, 0], [173, 42, 26]),
            ([0, 0, 255], [32, 240, 118]),
        ] {
            let mut frame = I420::new(2, 2);
            from_rgb::<3>(&rgb.repeat(4), &mut frame);
            assert_eq!([frame.data[0], frame.data[4], frame.data[5]], yuv, "{rgb:?}");
        }
    }

    #[test]
    fn colours_come_back_within_two_steps() {
        for seed in 0..200_u32 {
            let rgb = [0, 8, 16].map(|shift| (seed.wrapping_mul(2_654_435_761) >> shift) as u8);
            let mut frame = I420::new(4, 2);
            from_rgb::<4>(&[rgb[0], rgb[1], rgb[2], 9].repeat(8), &mut frame);
            let mut back = vec![7; 4 * 8];
            to_rgb::<4>(&frame, &mut back);
            for c in 0..3 {
                assert!(back[c].abs_diff(rgb[c]) <= 2, "{rgb:?} came back as {back:?}");
            }
            assert_eq!(back[3], 7);
        }
    }

    #[test]
    fn a_frame_read_and_written_again_is_unchanged() {
        let mut frame = I420::new(16, 8);
        for (i, v) in frame.data.iter_mut().enumerate() {
            *v = if i < 128 {
                60 + (i % 16 * 8) as u8
            } else {
                120 + (i % 5) as u8
            };
        }
        let mut rgb = vec![0; 16 * 8 * 3];
        to_rgb::<3>(&frame, &mut rgb);
        let mut again = I420::new(16, 8);
        from_rgb::<3>(&rgb, &mut again);
        for (a, b) in frame.data.iter().zip(&again.data) {
            assert!(a.abs_diff(*b) <= 1, "{a} became {b}");
        }
    }
}

//! A picture made small for analysis: means of areas, as red, green and blue from 0 to 255.

use rayon::prelude::*;

use super::Plane;
use crate::decode::Picture;

/// Red, green and blue with the longer side at most `longest`.
pub(crate) fn shrunk(picture: &Picture, longest: usize) -> [Plane; 3] {
    let scale = (longest as f32 / picture.width.max(picture.height) as f32).min(1.0);
    let width = ((picture.width as f32 * scale).round() as usize).max(1);
    let height = ((picture.height as f32 * scale).round() as usize).max(1);
    let rows: Vec<Vec<[f32; 3]>> = (0..height)
        .into_par_iter()
        .map(|y| {
            let (top, bottom) = span(y, height, picture.height);
            let mut sums = vec![[0.0_f32; 3]; width];
            for v in top..bottom {
                let row = &picture.rgba[4 * v * picture.width..4 * (v + 1) * picture.width];
                for (x, sum) in sums.iter_mut().enumerate() {
                    let (left, right) = span(x, width, picture.width);
                    for pixel in row[4 * left..4 * right].chunks_exact(4) {
                        for c in 0..3 {
                            sum[c] += f32::from(pixel[c]);
                        }
                    }
                }
            }
            for (x, sum) in sums.iter_mut().enumerate() {
                let (left, right) = span(x, width, picture.width);
                let count = ((right - left) * (bottom - top)) as f32;
                *sum = sum.map(|v| v / count);
            }
            sums
        })
        .collect();
    std::array::from_fn(|c| Plane::from_fn(width, height, |x, y| rows[y][x][c]))
}

/// Returns the range of `from` samples that make up one of `to`.
fn span(i: usize, to: usize, from: usize) -> (usize, usize) {
    let start = i * from / to;
    (start, ((i + 1) * from / to).max(start + 1))
}

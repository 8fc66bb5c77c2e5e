//! Estimates how noisy a picture is: the residual of its calmest blocks without lines and slopes (Immerkær 1996,
//! "Fast noise variance estimation").

use crate::color::luma;
use crate::decode::Picture;

/// The side of a block, and the most blocks looked at.
const BLOCK: usize = 16;
const BLOCKS: usize = 12_000;

/// The standard deviation of the noise of luma, in steps of a byte.
pub(super) fn estimate(picture: &Picture) -> f32 {
    let (columns, rows) = (picture.width / BLOCK, picture.height / BLOCK);
    let step = (columns * rows / BLOCKS).max(1);
    let mut levels: Vec<f32> = (0..columns * rows)
        .step_by(step)
        .filter_map(|i| block(picture, i % columns * BLOCK, i / columns * BLOCK))
        .collect();
    if levels.is_empty() {
        return 0.0;
    }
    levels.sort_by(f32::total_cmp);
    // The calmest of many equal blocks lie a little under the true level, by about a twelfth.
    1.08 * levels[levels.len() / 10]
}

/// The level in one block; nothing if it is clipped, where noise does not show.
fn block(picture: &Picture, left: usize, top: usize) -> Option<f32> {
    let mut values = [[0.0_f32; BLOCK]; BLOCK];
    let mut sum = 0.0;
    for (y, row) in values.iter_mut().enumerate() {
        for (x, value) in row.iter_mut().enumerate() {
            let [r, g, b, a] = picture.pixel(left + x, top + y);
            if a == 0 {
                return None;
            }
            *value = luma(f32::from(r), f32::from(g), f32::from(b));
            sum += *value;
        }
    }
    let mean = sum / (BLOCK * BLOCK) as f32;
    if !(6.0..=249.0).contains(&mean) {
        return None;
    }
    let mut total = 0.0;
    for y in 1..BLOCK - 1 {
        for x in 1..BLOCK - 1 {
            let v = |dx: usize, dy: usize| values[y + dy - 1][x + dx - 1];
            let left_over = v(0, 0) + v(2, 0) + v(0, 2) + v(2, 2)
                - 2.0 * (v(1, 0) + v(0, 1) + v(2, 1) + v(1, 2))
                + 4.0 * v(1, 1);
            total += left_over.abs();
        }
    }
    let count = ((BLOCK - 2) * (BLOCK - 2)) as f32;
    Some((std::f32::consts::PI / 2.0).sqrt() / 6.0 * total / count)
}

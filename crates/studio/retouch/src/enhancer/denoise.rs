//! Removes noise in the cosine domain, in two passes: weak coefficients of overlapping 8 × 8 patches are dropped,
//! then the patches of the noisy picture are weighted by that first estimate (Yu and Sapiro 2011, "DCT image
//! denoising"; Pierazzo, Morel and Facciolo 2017, "Multi-scale DCT denoising"; the Wiener pass as in BM3D, Dabov et
//! al. 2007).

/// The side of a patch.
const SIDE: usize = 8;

/// Coefficients below this many deviations count as noise.
const THRESHOLD: f32 = 2.7;

type Patch = [[f32; SIDE]; SIDE];

/// One channel of a band of rows.
#[derive(Debug, Clone)]
pub(super) struct Channel {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) data: Vec<f32>,
}

/// Removes noise of this deviation. Patches lie `steps.0` apart in the first pass and `steps.1` in the second;
/// closer is better and slower. A channel smaller than a patch stays as it is.
pub(super) fn denoise(noisy: &Channel, sigma: f32, steps: (usize, usize)) -> Channel {
    if noisy.width < SIDE || noisy.height < SIDE {
        return noisy.clone();
    }
    let first = pass(noisy, steps.0, |patch, _, _| {
        let mut kept = 1.0;
        for (v, row) in patch.iter_mut().enumerate() {
            for (u, c) in row.iter_mut().enumerate() {
                if u + v > 0 && c.abs() < THRESHOLD * sigma {
                    *c = 0.0;
                } else {
                    kept += 1.0;
                }
            }
        }
        1.0 / kept
    });
    pass(noisy, steps.1, |patch, x, y| {
        let mut pilot = load(&first, x, y);
        forward(&mut pilot);
        let mut total = 0.0;
        for (row, pilot) in patch.iter_mut().zip(&pilot) {
            for (c, p) in row.iter_mut().zip(pilot) {
                let weight = p * p / (p * p + sigma * sigma + 1e-6);
                *c *= weight;
                total += weight * weight;
            }
        }
        1.0 / (total + 0.05)
    })
}

/// Transforms every patch to coefficients, applies a function that changes them and weights the result, and
/// transforms back; the result is the weighted mean of the overlapping patches.
fn pass(source: &Channel, step: usize, shrink: impl Fn(&mut Patch, usize, usize) -> f32) -> Channel {
    let mut sums = vec![0.0_f32; source.data.len()];
    let mut weights = vec![0.0_f32; source.data.len()];
    for y in places(source.height, step) {
        for x in places(source.width, step) {
            let mut patch = load(source, x, y);
            forward(&mut patch);
            let weight = shrink(&mut patch, x, y);
            backward(&mut patch);
            for (j, row) in patch.iter().enumerate() {
                let at = (y + j) * source.width + x;
                for (sum, v) in sums[at..at + SIDE].iter_mut().zip(row) {
                    *sum += weight * v;
                }
                for total in &mut weights[at..at + SIDE] {
                    *total += weight;
                }
            }
        }
    }
    for (sum, weight) in sums.iter_mut().zip(&weights) {
        *sum /= weight;
    }
    Channel {
        width: source.width,
        height: source.height,
        data: sums,
    }
}

/// The starts of patches along a line, the last one at its very end.
fn places(length: usize, step: usize) -> impl Iterator<Item = usize> {
    let last = length - SIDE;
    (0..last).step_by(step).chain(std::iter::once(last))
}

#[inline]
fn load(source: &Channel, x: usize, y: usize) -> Patch {
    let mut patch = [[0.0; SIDE]; SIDE];
    for (j, row) in patch.iter_mut().enumerate() {
        let at = (y + j) * source.width + x;
        row.copy_from_slice(&source.data[at..at + SIDE]);
    }
    patch
}

/// Half the rows of the orthonormal cosine transform: `EVEN` for sums of mirrored samples, `ODD` for their
/// differences.
const EVEN: [[f32; 4]; 4] = [
    [0.353_553_4, 0.353_553_4, 0.353_553_4, 0.353_553_4],
    [0.461_939_8, 0.191_341_7, -0.191_341_7, -0.461_939_8],
    [0.353_553_4, -0.353_553_4, -0.353_553_4, 0.353_553_4],
    [0.191_341_7, -0.461_939_8, 0.461_939_8, -0.191_341_7],
];
const ODD: [[f32; 4]; 4] = [
    [0.490_392_6, 0.415_734_8, 0.277_785_1, 0.097_545_16],
    [0.415_734_8, -0.097_545_16, -0.490_392_6, -0.277_785_1],
    [0.277_785_1, -0.490_392_6, 0.097_545_16, 0.415_734_8],
    [0.097_545_16, -0.277_785_1, 0.415_734_8, -0.490_392_6],
];

/// The two-dimensional transform; the coefficients come out with rows and columns exchanged.
fn forward(patch: &mut Patch) {
    down(patch);
    transpose(patch);
    down(patch);
}

/// The inverse of [`forward`].
fn backward(patch: &mut Patch) {
    up(patch);
    transpose(patch);
    up(patch);
}

#[inline]
fn down(patch: &mut Patch) {
    let mut out = [[0.0; SIDE]; SIDE];
    for i in 0..SIDE {
        let sums: [f32; 4] = std::array::from_fn(|j| patch[j][i] + patch[7 - j][i]);
        let differences: [f32; 4] = std::array::from_fn(|j| patch[j][i] - patch[7 - j][i]);
        for k in 0..4 {
            out[2 * k][i] =
                EVEN[k][0] * sums[0] + EVEN[k][1] * sums[1] + EVEN[k][2] * sums[2] + EVEN[k][3] * sums[3];
            out[2 * k + 1][i] = ODD[k][0] * differences[0]
                + ODD[k][1] * differences[1]
                + ODD[k][2] * differences[2]
                + ODD[k][3] * differences[3];
        }
    }
    *patch = out;
}

#[inline]
fn up(patch: &mut Patch) {
    let mut out = [[0.0; SIDE]; SIDE];
    for i in 0..SIDE {
        for j in 0..4 {
            let even: f32 = EVEN[0][j] * patch[0][i]
                + EVEN[1][j] * patch[2][i]
                + EVEN[2][j] * patch[4][i]
                + EVEN[3][j] * patch[6][i];
            let odd: f32 = ODD[0][j] * patch[1][i]
                + ODD[1][j] * patch[3][i]
                + ODD[2][j] * patch[5][i]
                + ODD[3][j] * patch[7][i];
            out[j][i] = even + odd;
            out[7 - j][i] = even - odd;
        }
    }
    *patch = out;
}

#[inline]
fn transpose(patch: &mut Patch) {
    let copy = *patch;
    for (j, row) in patch.iter_mut().enumerate() {
        for (i, value) in row.iter_mut().enumerate() {
            *value = copy[i][j];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_transform_there_and_back_changes_nothing() {
        let patch: Patch = std::array::from_fn(|y| std::array::from_fn(|x| ((x * 31 + y * 17) % 23) as f32));
        let mut there = patch;
        forward(&mut there);
        let energy: f32 = there.iter().flatten().map(|v| v * v).sum();
        let expected: f32 = patch.iter().flatten().map(|v| v * v).sum();
        assert!(
            (energy / expected - 1.0).abs() < 1e-5,
            "the transform keeps energy"
        );
        backward(&mut there);
        for (a, b) in there.iter().flatten().zip(patch.iter().flatten()) {
            assert!((a - b).abs() < 1e-3);
        }
    }
}

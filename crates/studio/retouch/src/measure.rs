//! How similar two pictures are, in the usual figures: PSNR, and SSIM (Wang et al. 2004).

use super::Plane;
use super::color::luma;
use crate::decode::Picture;

/// Luma, 0 to 255.
pub fn luma_of(picture: &Picture) -> Plane {
    Plane::from_fn(picture.width, picture.height, |x, y| {
        let [r, g, b, _] = picture.pixel(x, y).map(f32::from);
        luma(r, g, b)
    })
}

/// Peak signal to noise of planes from 0 to 255, in decibels.
pub fn psnr(a: &Plane, b: &Plane) -> f32 {
    let error = a.zip(b, |a, b| (a - b) * (a - b)).mean();
    10.0 * (255.0 * 255.0 / error.max(1e-9)).log10()
}

/// Peak signal to noise over red, green and blue.
pub fn psnr_rgb(a: &Picture, b: &Picture) -> f32 {
    let (mut sum, mut count) = (0.0_f64, 0.0);
    for (p, q) in a.rgba.chunks_exact(4).zip(b.rgba.chunks_exact(4)) {
        for c in 0..3 {
            sum += (f64::from(p[c]) - f64::from(q[c])).powi(2);
            count += 1.0;
        }
    }
    (10.0 * (255.0 * 255.0 / (sum / count).max(1e-9)).log10()) as f32
}

/// Structural similarity of planes from 0 to 255, 1 for equal ones.
pub fn ssim(a: &Plane, b: &Plane) -> f32 {
    let (c1, c2) = ((0.01_f32 * 255.0).powi(2), (0.03_f32 * 255.0).powi(2));
    let blur = |p: &Plane| p.blurred(1.5);
    let (ma, mb) = (blur(a), blur(b));
    let va = blur(&a.zip(a, |x, y| x * y));
    let vb = blur(&b.zip(b, |x, y| x * y));
    let both = blur(&a.zip(b, |x, y| x * y));
    let values: Vec<f32> = (0..ma.data.len())
        .map(|i| {
            let (x, y) = (ma.data[i], mb.data[i]);
            let (sx, sy, sxy) = (va.data[i] - x * x, vb.data[i] - y * y, both.data[i] - x * y);
            ((2.0 * x * y + c1) * (2.0 * sxy + c2)) / ((x * x + y * y + c1) * (sx + sy + c2))
        })
        .collect();
    Plane {
        width: a.width,
        height: a.height,
        data: values,
    }
    .mean()
}

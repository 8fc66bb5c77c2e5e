//! The features that tell a subject from its background in one frame: each pixel's colour, and how sharp the frame is
//! around it.

use atelier_retouch::{
    Plane,
    color::{linear_of, luma},
};

use super::plate::Pixels;

/// Lightness, two axes of colour, and sharpness.
pub(super) type Feature = [f32; 4];

/// The weight of sharpness against colour: subjects are in focus, and backgrounds often are not.
const CRISPNESS: f32 = 12.0;

/// The features of each pixel of a frame.
pub(super) fn features(width: usize, height: usize, pixels: &Pixels) -> Vec<Feature> {
    let light = Plane::from_fn(width, height, |x, y| {
        let [r, g, b] = pixels[y * width + x].map(f32::from);
        luma(r, g, b)
    });
    let detail = Plane::from_fn(width, height, |x, y| {
        let at = |dx: isize, dy: isize| light.clamped(x as isize + dx, y as isize + dy);
        (4.0 * at(0, 0) - at(1, 0) - at(-1, 0) - at(0, 1) - at(0, -1)).abs()
    });
    let crisp = detail
        .blurred(0.012 * width.max(height) as f32)
        .map(|v| CRISPNESS * (v + 0.7).ln());
    pixels
        .iter()
        .zip(&crisp.data)
        .map(|(pixel, crisp)| {
            let [lightness, a, b] = lab(*pixel);
            [lightness, a, b, *crisp]
        })
        .collect()
}

/// CIE L*a*b* of an sRGB colour (D65).
fn lab(pixel: [u8; 3]) -> [f32; 3] {
    let [r, g, b] = pixel.map(|value| linear_of(f32::from(value) / 255.0));
    let f = |t: f32| {
        if t > 0.008_856 {
            t.cbrt()
        } else {
            7.787 * t + 16.0 / 116.0
        }
    };
    let fx = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
    let fy = f(0.2126 * r + 0.7152 * g + 0.0722 * b);
    let fz = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
    [116.0 * fy - 16.0, 500.0 * (fx - fy), 200.0 * (fy - fz)]
}

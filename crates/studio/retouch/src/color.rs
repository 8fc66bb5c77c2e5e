//! Conversions between the bytes of pixels, light, and lightness: sRGB and luma.

use std::sync::LazyLock;

static TO_LINEAR: LazyLock<[f32; 256]> = LazyLock::new(|| std::array::from_fn(|v| decode(v as f32 / 255.0)));

fn decode(v: f32) -> f32 {
    if v <= 0.040_45 {
        v / 12.92
    } else {
        ((v + 0.055) / 1.055).powf(2.4)
    }
}

/// The light of a byte, 0 to 1.
#[inline]
pub fn linear(byte: u8) -> f32 {
    TO_LINEAR[usize::from(byte)]
}

/// The light of a value from 0 to 1.
pub fn linear_of(value: f32) -> f32 {
    decode(value.clamp(0.0, 1.0))
}

/// The value from 0 to 255 that shows a light from 0 to 1.
#[inline]
pub fn encoded(light: f32) -> f32 {
    const STEPS: usize = 4096;
    // A table with a square root in front follows the curve to a hundredth of a step of a byte.
    static TABLE: LazyLock<Vec<f32>> = LazyLock::new(|| {
        (0..=STEPS + 1)
            .map(|i| {
                let root = i as f32 / STEPS as f32;
                let light = root * root;
                255.0
                    * if light <= 0.003_130_8 {
                        12.92 * light
                    } else {
                        1.055 * light.powf(1.0 / 2.4) - 0.055
                    }
            })
            .collect()
    });
    let at = light.clamp(0.0, 1.0).sqrt() * STEPS as f32;
    let i = at as usize;
    let t = at - i as f32;
    TABLE[i] + (TABLE[i + 1] - TABLE[i]) * t
}

/// The weights of luma (ITU-R BT.601) of red, green and blue.
pub const LUMA: [f32; 3] = [0.299, 0.587, 0.114];

#[inline]
pub fn luma(r: f32, g: f32, b: f32) -> f32 {
    LUMA[0] * r + LUMA[1] * g + LUMA[2] * b
}

/// Rounds and clips to a byte.
#[inline]
pub fn byte(value: f32) -> u8 {
    (value + 0.5).clamp(0.0, 255.0) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_survives_the_way_to_light_and_back() {
        for v in 0..=255_u8 {
            assert_eq!(byte(encoded(linear(v))), v);
        }
    }
}

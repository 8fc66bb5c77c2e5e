//! Colours as painters mix them: sRGB values from 0 to 1, with the few operations that light and pigment need.

/// Red, green and blue, 0 to 1, in sRGB.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rgb(pub f32, pub f32, pub f32);

pub const WHITE: Rgb = Rgb(1.0, 1.0, 1.0);
pub const BLACK: Rgb = Rgb(0.0, 0.0, 0.0);

impl Rgb {
    /// From `0xrrggbb`.
    pub const fn hex(value: u32) -> Self {
        Self(
            ((value >> 16) & 255) as f32 / 255.0,
            ((value >> 8) & 255) as f32 / 255.0,
            (value & 255) as f32 / 255.0,
        )
    }

    #[inline]
    pub fn from_bytes(bytes: [u8; 3]) -> Self {
        let [r, g, b] = bytes.map(|byte| f32::from(byte) * (1.0 / 255.0));
        Self(r, g, b)
    }

    #[inline]
    pub fn to_bytes(self) -> [u8; 3] {
        // Added to a number, this leaves the nearest whole number in the low bits of the sum, which is cheaper than a
        // conversion that handles every number.
        const WHOLE: f32 = 8_388_608.0;
        [self.0, self.1, self.2].map(|v| (v.clamp(0.0, 1.0) * 255.0 + WHOLE).to_bits() as u8)
    }

    #[inline]
    pub fn mix(self, other: Self, t: f32) -> Self {
        Self(
            self.0 + (other.0 - self.0) * t,
            self.1 + (other.1 - self.1) * t,
            self.2 + (other.2 - self.2) * t,
        )
    }

    #[inline]
    pub fn scale(self, k: f32) -> Self {
        Self(self.0 * k, self.1 * k, self.2 * k)
    }

    #[inline]
    pub fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0, self.1 + other.1, self.2 + other.2)
    }

    #[inline]
    pub fn times(self, other: Self) -> Self {
        Self(self.0 * other.0, self.1 * other.1, self.2 * other.2)
    }

    /// Lightens like light: never beyond white.
    #[inline]
    pub fn screen(self, light: Self) -> Self {
        let s = |a: f32, b: f32| 1.0 - (1.0 - a.min(1.0)) * (1.0 - b.clamp(0.0, 1.0));
        Self(s(self.0, light.0), s(self.1, light.1), s(self.2, light.2))
    }

    #[inline]
    pub fn luma(self) -> f32 {
        0.299 * self.0 + 0.587 * self.1 + 0.114 * self.2
    }

    /// 0 gives grey, 1 the same, more is stronger.
    #[inline]
    pub fn saturate(self, k: f32) -> Self {
        let grey = self.luma();
        Self(grey, grey, grey).mix(self, k)
    }

    pub fn clamp(self) -> Self {
        Self(
            self.0.clamp(0.0, 1.0),
            self.1.clamp(0.0, 1.0),
            self.2.clamp(0.0, 1.0),
        )
    }

    /// Contrast about middle grey.
    #[inline]
    pub fn contrast(self, k: f32) -> Self {
        let c = |v: f32| 0.5 + (v - 0.5) * k;
        Self(c(self.0), c(self.1), c(self.2))
    }

    /// Squared distance, weighted as the eye weighs it.
    #[inline]
    pub fn distance(self, other: Self) -> f32 {
        let (r, g, b) = (self.0 - other.0, self.1 - other.1, self.2 - other.2);
        0.35 * r * r + 0.5 * g * g + 0.15 * b * b
    }

    /// Hue in degrees, saturation and lightness 0 to 1.
    pub fn hsl(self) -> (f32, f32, f32) {
        let (max, min) = (self.0.max(self.1).max(self.2), self.0.min(self.1).min(self.2));
        let (span, light) = (max - min, (max + min) * 0.5);
        if span < 1e-6 {
            return (0.0, 0.0, light);
        }
        let hue = if max <= self.0 {
            ((self.1 - self.2) / span).rem_euclid(6.0)
        } else if max <= self.1 {
            (self.2 - self.0) / span + 2.0
        } else {
            (self.0 - self.1) / span + 4.0
        };
        (
            hue * 60.0,
            span / (1.0 - (2.0 * light - 1.0).abs()).max(1e-6),
            light,
        )
    }

    pub fn from_hsl(hue: f32, saturation: f32, light: f32) -> Self {
        let a = saturation * light.min(1.0 - light);
        let f = |n: f32| {
            let k = (n + hue / 30.0).rem_euclid(12.0);
            light - a * (k - 3.0).min(9.0 - k).clamp(-1.0, 1.0)
        };
        Self(f(0.0), f(8.0), f(4.0))
    }

    /// A neighbour of this colour: other hue (degrees), other lightness.
    pub fn shift(self, hue: f32, light: f32) -> Self {
        let (h, s, l) = self.hsl();
        Self::from_hsl((h + hue).rem_euclid(360.0), s, (l + light).clamp(0.0, 1.0))
    }
}

/// A colour between stops that are evenly spaced, `t` from 0 to 1.
#[inline]
pub fn ramp(stops: &[Rgb], t: f32) -> Rgb {
    let last = stops.len() - 1;
    let at = t.clamp(0.0, 1.0) * last as f32;
    let index = (at as usize).min(last.saturating_sub(1));
    stops[index].mix(stops[(index + 1).min(last)], at - index as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hsl_goes_there_and_back() {
        for value in [0xff_0000, 0x12_ab_9f, 0x80_80_80, 0xfe_dc_ba, 0x01_02_03] {
            let (h, s, l) = Rgb::hex(value).hsl();
            assert_eq!(Rgb::from_hsl(h, s, l).to_bytes(), Rgb::hex(value).to_bytes());
        }
    }
}

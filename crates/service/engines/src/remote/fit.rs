//! Sizes that a model takes: what a job asks for, brought to the nearest of them.

use serde::{Deserialize, Deserializer, de::Error as _};
use serde_json::{Value, json};

use super::source::{Shape, Source};

/// The shortest side, in pixels.
const SHORTEST: u64 = 64;
/// Shapes that differ by less than this count as the same, because sides are rounded.
const SAME_SHAPE: f64 = 0.08;

/// Width and height in pixels, written as `832x480`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Size(u64, u64);

impl<'de> Deserialize<'de> for Size {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let size = text.split_once('x').and_then(|(width, height)| {
            let side = |text: &str| text.parse::<u64>().ok().filter(|side| *side > 0);
            Some(Self(side(width)?, side(height)?))
        });
        size.ok_or_else(|| D::Error::custom(format!("a size must be like `832x480` (got `{text}`)")))
    }
}

impl Size {
    fn pixels(self) -> f64 {
        self.0 as f64 * self.1 as f64
    }

    fn ratio(self) -> f64 {
        self.0 as f64 / self.1 as f64
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Side {
    Width,
    Height,
}

/// One side of the size that is sent.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Fit {
    side: Side,
    /// The size if the job asks for none. Its area is that of jobs that ask for a shape only, or for too many pixels.
    native: Size,
    /// Sides are multiples of this.
    #[serde(default = "sixteen")]
    step: u64,
    /// The most pixels that a job may ask for; twice those of `native` by default.
    most: Option<f64>,
    /// The only sizes, each in both orientations.
    #[serde(default)]
    sizes: Vec<Size>,
}

const fn sixteen() -> u64 {
    16
}

impl Fit {
    /// The side for a job. A difference from its request is noted.
    pub(crate) fn fill(&self, source: &dyn Source) -> Value {
        let shape = source.shape();
        let Size(width, height) = self.size(shape);
        let sent = format!("{width}x{height}");
        match shape {
            Some(Shape::Exact(across, down)) if (across, down) != (width, height) => {
                source.changed("size", &json!(format!("{across}x{down}")), &json!(sent));
            }
            Some(Shape::Ratio(ratio)) if (Size(width, height).ratio() / ratio).ln().abs() > SAME_SHAPE => {
                source.changed("size", &json!(format!("{ratio:.2}:1")), &json!(sent));
            }
            _ => {}
        }
        json!(match self.side {
            Side::Width => width,
            Side::Height => height,
        })
    }

    fn size(&self, shape: Option<Shape>) -> Size {
        if !self.sizes.is_empty() {
            return self.nearest(shape);
        }
        match shape {
            None => self.native,
            Some(Shape::Ratio(ratio)) => self.of_native_area(ratio),
            Some(Shape::Exact(width, height)) => {
                let most = self.most.unwrap_or(self.native.pixels() * 2.0);
                let asked = Size(width, height);
                if asked.pixels() > most {
                    self.of_native_area(asked.ratio())
                } else {
                    Size(self.rounded(width as f64), self.rounded(height as f64))
                }
            }
        }
    }

    fn of_native_area(&self, ratio: f64) -> Size {
        let area = self.native.pixels();
        Size(
            self.rounded((area * ratio).sqrt()),
            self.rounded((area / ratio).sqrt()),
        )
    }

    fn rounded(&self, length: f64) -> u64 {
        let step = self.step.max(1);
        let least = SHORTEST.next_multiple_of(step);
        (((length / step as f64).round() as u64) * step).max(least)
    }

    /// The size of the nearest shape; among those, the one of the nearest area.
    fn nearest(&self, shape: Option<Shape>) -> Size {
        let (ratio, area) = match shape {
            None => (self.native.ratio(), self.native.pixels()),
            Some(Shape::Ratio(ratio)) => (ratio, self.native.pixels()),
            Some(Shape::Exact(width, height)) => {
                let asked = Size(width, height);
                (asked.ratio(), asked.pixels())
            }
        };
        let distance = |size: &Size| {
            let shape = (size.ratio() / ratio).ln().abs();
            (shape, (size.pixels() / area).ln().abs())
        };
        let both = self.sizes.iter().flat_map(|size| [*size, Size(size.1, size.0)]);
        let nearest = both.min_by(|left, right| {
            let (left, right) = (distance(left), distance(right));
            if (left.0 - right.0).abs() < SAME_SHAPE {
                left.1.total_cmp(&right.1)
            } else {
                left.0.total_cmp(&right.0)
            }
        });
        nearest.unwrap_or(self.native)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(more: &Value) -> Fit {
        let mut fit = json!({ "side": "width", "native": "1024x1024" });
        fit.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        serde_json::from_value(fit).unwrap()
    }

    #[test]
    fn a_size_is_rounded_to_what_the_model_takes_and_too_many_pixels_become_native_ones() {
        let plain = fit(&json!({}));
        let table = [
            (None, (1024, 1024)),
            (Some(Shape::Ratio(16.0 / 9.0)), (1360, 768)),
            (Some(Shape::Ratio(1.0)), (1024, 1024)),
            (Some(Shape::Exact(640, 480)), (640, 480)),
            (Some(Shape::Exact(1000, 500)), (1008, 496)),
            (Some(Shape::Exact(1, 1)), (64, 64)),
            (Some(Shape::Exact(2048, 2048)), (1024, 1024)),
            (Some(Shape::Exact(4096, 2048)), (1456, 720)),
        ];
        for (shape, (width, height)) in table {
            assert_eq!(plain.size(shape), Size(width, height), "{shape:?}");
        }
        let small = fit(&json!({ "native": "512x512", "step": 8, "most": 1_000_000 }));
        assert_eq!(small.size(Some(Shape::Exact(960, 960))), Size(960, 960));
        assert_eq!(small.size(Some(Shape::Exact(1040, 1040))), Size(512, 512));
        assert_eq!(small.size(Some(Shape::Ratio(1.5))), Size(624, 416));
    }

    #[test]
    fn of_fixed_sizes_the_nearest_shape_is_taken_in_either_orientation() {
        let film = fit(&json!({ "native": "832x480", "sizes": ["832x480", "1280x704"] }));
        let table = [
            (None, (832, 480)),
            (Some(Shape::Ratio(9.0 / 16.0)), (480, 832)),
            (Some(Shape::Exact(1920, 1080)), (1280, 704)),
            (Some(Shape::Exact(720, 1280)), (704, 1280)),
        ];
        for (shape, (width, height)) in table {
            assert_eq!(film.size(shape), Size(width, height), "{shape:?}");
        }
    }

    #[test]
    fn a_size_that_is_none_is_refused() {
        for text in ["1024", "0x5", "ax5"] {
            let fit = serde_json::from_value::<Fit>(json!({ "side": "width", "native": text }));
            let error = fit.unwrap_err().to_string();
            assert!(error.contains(&format!("(got `{text}`)")), "{error}");
        }
    }
}

//! Sizes: 1K, 2K and 4K are 1, 4 and 16 megapixels at any ratio, and sides are multiples of 16; sizes in pixels are
//! used as given.

use serde_json::{Map, Value};

use atelier_protocol::Error;

/// The allowed sides of a picture, in pixels.
const SIDES: std::ops::RangeInclusive<u64> = 64..=8_192;
/// The largest number of pixels: 4K at any ratio.
const MOST_PIXELS: u64 = 17_000_000;

/// The width and height that a request asks for: `width` and `height`, or a ratio and a resolution. The default
/// ratio is `shape` (that of a reference) or square; the default resolution is 1K.
pub(crate) fn asked(params: &Map<String, Value>, shape: Option<f64>) -> Result<(usize, usize), Error> {
    let side = |name: &str| params.get(name).and_then(Value::as_u64);
    if let (Some(width), Some(height)) = (side("width"), side("height")) {
        if !SIDES.contains(&width) || !SIDES.contains(&height) || width * height > MOST_PIXELS {
            return Err(Error::InvalidInput(format!(
                "the size is {width}x{height}; sides of 64 to 8192 and at most 17 megapixels can be drawn"
            )));
        }
        return Ok((width as usize, height as usize));
    }
    let text = |name: &str| params.get(name).and_then(Value::as_str);
    let resolution = text("resolution").unwrap_or("1K");
    match text("aspect_ratio").or_else(|| text("size")) {
        None | Some("auto") => {
            let shape = shape.unwrap_or(1.0).clamp(*RATIOS.start(), *RATIOS.end());
            of_shape(shape, resolution)
        }
        Some(ratio) => dimensions(ratio, resolution),
    }
}

/// The ratios a picture can have, width to height.
const RATIOS: std::ops::RangeInclusive<f64> = 0.125..=8.0;

/// Width and height for a ratio such as `16:9` and a resolution such as `2K`.
pub fn dimensions(size: &str, resolution: &str) -> Result<(usize, usize), Error> {
    let ratio = size
        .split_once(':')
        .and_then(|(w, h)| Some(w.parse::<f64>().ok()? / h.parse::<f64>().ok()?))
        .filter(|ratio| RATIOS.contains(ratio))
        .ok_or_else(|| {
            Error::InvalidInput(format!(
                "`size` is `{size}`; it is a ratio such as 1:1, 16:9 or 9:16"
            ))
        })?;
    of_shape(ratio, resolution)
}

fn of_shape(ratio: f64, resolution: &str) -> Result<(usize, usize), Error> {
    let side: f64 = match resolution {
        "1K" => 1024.0,
        "2K" => 2048.0,
        "4K" => 4096.0,
        other => {
            return Err(Error::InvalidInput(format!(
                "`resolution` is `{other}`; it can be 1K, 2K or 4K"
            )));
        }
    };
    let even = |length: f64| ((length / 16.0).round() * 16.0) as usize;
    Ok((even(side * ratio.sqrt()), even(side / ratio.sqrt())))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_size_and_resolution_has_its_megapixels_and_ratio() {
        for size in ["1:1", "3:4", "4:3", "16:9", "9:16", "3:2", "2:3", "21:9"] {
            for (resolution, side) in [("1K", 1024.0_f64), ("2K", 2048.0), ("4K", 4096.0)] {
                let (w, h) = dimensions(size, resolution).expect("a size");
                let (a, b) = size.split_once(':').expect("a ratio");
                let asked = a.parse::<f64>().expect("number") / b.parse::<f64>().expect("number");
                assert!((w % 16, h % 16) == (0, 0), "{w} × {h}");
                assert!(
                    ((w * h) as f64 / (side * side) - 1.0).abs() < 0.02,
                    "{size} {resolution}: {w} × {h}"
                );
                assert!(
                    (w as f64 / h as f64 / asked - 1.0).abs() < 0.02,
                    "{size} {resolution}: {w} × {h}"
                );
            }
        }
        assert_eq!(dimensions("1:1", "4K").expect("a size"), (4096, 4096));
    }

    #[test]
    fn a_size_in_pixels_is_taken_as_it_is() {
        let size = |params: Value, shape| asked(params.as_object().expect("params"), shape);
        assert_eq!(
            size(json!({ "width": 688, "height": 1504 }), None).expect("a size"),
            (688, 1504)
        );
        assert_eq!(
            size(
                json!({ "width": 688, "height": 1504, "aspect_ratio": "1:1" }),
                Some(3.0)
            )
            .expect("a size"),
            (688, 1504)
        );
        for (width, height) in [(32, 512), (9_000, 512), (8_000, 8_000)] {
            let refused = size(json!({ "width": width, "height": height }), None);
            assert!(
                matches!(refused, Err(Error::InvalidInput(_))),
                "{width} × {height}"
            );
        }
    }

    #[test]
    fn without_a_ratio_a_picture_has_the_shape_of_its_reference() {
        let size = |params: Value, shape| asked(params.as_object().expect("params"), shape).expect("a size");
        assert_eq!(size(json!({}), None), (1024, 1024));
        assert_eq!(
            size(json!({ "size": "auto", "resolution": "2K" }), Some(16.0 / 9.0)),
            (2736, 1536)
        );
        assert_eq!(
            size(json!({ "size": "4:3" }), Some(16.0 / 9.0)),
            dimensions("4:3", "1K").expect("a size")
        );
        assert_eq!(size(json!({ "aspect_ratio": "8:1" }), None), (2896, 368));
    }

    #[test]
    fn other_sizes_are_refused_with_what_would_do() {
        for (size, resolution) in [("1:1", "8K"), ("wide", "1K"), ("0:0", "1K"), ("1:900", "1K")] {
            assert!(matches!(
                dimensions(size, resolution),
                Err(Error::InvalidInput(_))
            ));
        }
    }
}

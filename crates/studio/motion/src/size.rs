//! Sizes: a resolution names the shorter side, the longer one follows the ratio, rounded to the nearest even
//! number. 16:9 at 720p is 1280 × 720, at 480p 854 × 480; 21:9 at 480p is 1120 × 480. Sizes in pixels are used as
//! given.

use serde_json::{Map, Value};

use atelier_protocol::Error;

/// The allowed sides of a video, in pixels.
const SIDES: std::ops::RangeInclusive<u32> = 64..=3_840;
/// The largest number of pixels of a frame: 4K.
const MOST_PIXELS: u32 = 3_840 * 2_160;
/// The allowed ratios, width divided by height.
const RATIOS: std::ops::RangeInclusive<f64> = 0.25..=4.0;

/// The width and height that a request asks for: `width` and `height`, or a ratio and a resolution. The default
/// ratio is `shape` (that of an input picture or video) or 16:9; the default resolution is 720p.
pub(super) fn asked(params: &Map<String, Value>, shape: Option<f64>) -> Result<(u32, u32), Error> {
    let side = |name: &str| params.get(name).and_then(Value::as_u64);
    if let (Some(width), Some(height)) = (side("width"), side("height")) {
        let sides = u32::try_from(width).ok().zip(u32::try_from(height).ok());
        return sides
            .filter(|(w, h)| SIDES.contains(w) && SIDES.contains(h) && w * h <= MOST_PIXELS && (w | h) % 2 == 0)
            .ok_or_else(|| {
                Error::InvalidInput(format!(
                    "the size is {width}x{height}; even sides of 64 to 3840, 3840x2160 pixels together, are possible"
                ))
            });
    }
    let resolution = match params.get("resolution") {
        None | Some(Value::Null) => "720p".to_owned(),
        Some(Value::String(name)) => name.to_lowercase(),
        Some(other) => other.to_string(),
    };
    let text = |name: &str| params.get(name).and_then(Value::as_str);
    match text("aspect_ratio").or_else(|| text("size")) {
        None | Some("auto" | "adaptive") => {
            let shape = shape.unwrap_or(16.0 / 9.0).clamp(*RATIOS.start(), *RATIOS.end());
            of_shape(shape, &resolution)
        }
        Some(ratio) => dimensions(ratio, &resolution),
    }
}

/// Width and height for a ratio such as `16:9` and a resolution such as `720p`.
pub fn dimensions(ratio: &str, resolution: &str) -> Result<(u32, u32), Error> {
    let shape = ratio
        .split_once(':')
        .and_then(|(w, h)| Some(w.trim().parse::<f64>().ok()? / h.trim().parse::<f64>().ok()?))
        .filter(|shape| RATIOS.contains(shape))
        .ok_or_else(|| {
            Error::InvalidInput(format!(
                "`aspect_ratio` is `{ratio}`; it is a ratio from 1:4 to 4:1, such as 16:9, 1:1 or 9:16"
            ))
        })?;
    of_shape(shape, resolution)
}

fn of_shape(shape: f64, resolution: &str) -> Result<(u32, u32), Error> {
    let short = match resolution {
        "4k" => Some(2_160),
        name => name.strip_suffix('p').unwrap_or(name).parse::<u32>().ok(),
    };
    let short = short
        .filter(|short| (128..=2_160).contains(short) && short % 2 == 0)
        .ok_or_else(|| {
            Error::InvalidInput(format!(
                "`resolution` is `{resolution}`; it names the shorter side, such as 480p, 720p, 1080p or 4k"
            ))
        })?;
    let long = (f64::from(short) * shape.max(1.0 / shape) / 2.0).round() as u32 * 2;
    if long > *SIDES.end() {
        return Err(Error::InvalidInput(format!(
            "`resolution` {resolution} in this aspect ratio has {long} pixels a side; 3840 are the most"
        )));
    }
    Ok(if shape >= 1.0 {
        (long, short)
    } else {
        (short, long)
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_resolution_is_the_shorter_side_and_the_longer_one_follows_the_ratio() {
        for (ratio, resolution, size) in [
            ("16:9", "480p", (854, 480)),
            ("16:9", "720p", (1280, 720)),
            ("16:9", "1080p", (1920, 1080)),
            ("16:9", "4k", (3840, 2160)),
            ("9:16", "720p", (720, 1280)),
            ("9:16", "480p", (480, 854)),
            ("1:1", "720p", (720, 720)),
            ("4:3", "720p", (960, 720)),
            ("3:4", "1080p", (1080, 1440)),
            ("4:3", "480p", (640, 480)),
            ("21:9", "480p", (1120, 480)),
            ("21:9", "720p", (1680, 720)),
            ("1:1", "512", (512, 512)),
        ] {
            assert_eq!(
                dimensions(ratio, resolution).unwrap(),
                size,
                "{ratio} {resolution}"
            );
        }
    }

    #[test]
    fn pixels_are_taken_as_they_are_and_a_shape_stands_in_for_a_ratio() {
        let size = |params: Value, shape| asked(params.as_object().unwrap(), shape);
        assert_eq!(
            size(json!({ "width": 832, "height": 480 }), None).unwrap(),
            (832, 480)
        );
        assert_eq!(size(json!({}), None).unwrap(), (1280, 720));
        assert_eq!(
            size(json!({ "resolution": "480p" }), Some(0.75)).unwrap(),
            (480, 640)
        );
        assert_eq!(
            size(json!({ "resolution": "480p", "aspect_ratio": "1:1" }), Some(0.75)).unwrap(),
            (480, 480)
        );
    }

    #[test]
    fn what_cannot_be_a_size_is_named() {
        for (params, named) in [
            (json!({ "width": 833, "height": 480 }), "833x480"),
            (json!({ "width": 8000, "height": 480 }), "8000x480"),
            (json!({ "aspect_ratio": "9:1" }), "9:1"),
            (json!({ "aspect_ratio": "wide" }), "wide"),
            (json!({ "resolution": "huge" }), "huge"),
            (json!({ "resolution": "4k", "aspect_ratio": "21:9" }), "5040"),
        ] {
            let error = asked(params.as_object().unwrap(), None).unwrap_err();
            assert!(
                matches!(&error, Error::InvalidInput(message) if message.contains(named)),
                "{params}: {error}"
            );
        }
    }
}

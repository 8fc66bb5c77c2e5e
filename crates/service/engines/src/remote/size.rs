//! The size in pixels that a job asks for, whatever parameters its model has for it.

use serde_json::{Map, Value};

/// Width and height, from the first of these that the job has: `width` and `height`; `size` such as `1024x768`; a ratio
/// (`aspect_ratio` or `size`) at a `resolution` (`2K` sets the number of pixels, `720p` the shorter side).
pub(super) fn requested(params: &Map<String, Value>) -> Option<(u64, u64)> {
    exact_size(params).or_else(|| {
        let ratio = if given(params).any(|text| text.contains(':')) {
            ratio(params)?
        } else {
            1.0
        };
        at_resolution(params.get("resolution")?.as_str()?, ratio)
    })
}

/// The size, if the job gives it in pixels.
pub(crate) fn exact_size(params: &Map<String, Value>) -> Option<(u64, u64)> {
    let number = |name: &str| params.get(name).and_then(Value::as_u64);
    if let (Some(width), Some(height)) = (number("width"), number("height")) {
        return Some((width, height));
    }
    given(params).find_map(|text| {
        let (width, height) = text.split_once('x').or_else(|| text.split_once('*'))?;
        Some((width.trim().parse().ok()?, height.trim().parse().ok()?))
    })
}

/// Width divided by height, if the job gives a ratio (`aspect_ratio` or `size`).
pub(crate) fn ratio(params: &Map<String, Value>) -> Option<f64> {
    let (across, down) = given(params).find_map(|text| text.split_once(':'))?;
    let (across, down): (f64, f64) = (across.trim().parse().ok()?, down.trim().parse().ok()?);
    (across > 0.0 && down > 0.0).then(|| across / down)
}

fn given(params: &Map<String, Value>) -> impl Iterator<Item = &str> {
    ["size", "aspect_ratio"]
        .into_iter()
        .filter_map(|name| params.get(name).and_then(Value::as_str))
}

/// The size of a ratio at a resolution; `None` if the text is not a resolution.
pub(crate) fn at_resolution(resolution: &str, ratio: f64) -> Option<(u64, u64)> {
    let resolution = resolution.to_ascii_lowercase();
    let to = |length: f64, step: f64| ((length / step).round() * step) as u64;
    if let Some(thousands) = resolution.strip_suffix('k') {
        let side = thousands.parse::<f64>().ok()? * 1024.0;
        return Some((to(side * ratio.sqrt(), 16.0), to(side / ratio.sqrt(), 16.0)));
    }
    let shorter = resolution
        .strip_suffix('p')
        .unwrap_or(&resolution)
        .parse::<f64>()
        .ok()?;
    Some((
        to(shorter * ratio.max(1.0), 2.0),
        to(shorter / ratio.min(1.0), 2.0),
    ))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_way_to_ask_for_a_size_yields_pixels() {
        let table = [
            (
                json!({"width": 640, "height": 480, "resolution": "2K"}),
                Some((640, 480)),
            ),
            (json!({"size": "1024x1536"}), Some((1024, 1536))),
            (json!({"size": "1664*928"}), Some((1664, 928))),
            (json!({"size": "1:1", "resolution": "2K"}), Some((2048, 2048))),
            (
                json!({"aspect_ratio": "16:9", "resolution": "720p"}),
                Some((1280, 720)),
            ),
            (
                json!({"aspect_ratio": "9:16", "resolution": "1080p"}),
                Some((1080, 1920)),
            ),
            (
                json!({"aspect_ratio": "21:9", "resolution": "480p"}),
                Some((1120, 480)),
            ),
            (json!({"resolution": "1K"}), Some((1024, 1024))),
            (json!({"aspect_ratio": "16:9"}), None),
            (json!({"aspect_ratio": "0:9", "resolution": "1K"}), None),
            (json!({"resolution": "large"}), None),
        ];
        for (params, expected) in table {
            assert_eq!(requested(params.as_object().unwrap()), expected, "{params}");
        }
    }
}

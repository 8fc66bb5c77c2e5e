//! The size in pixels that a job asks for, by whichever names its model has for it.

use serde_json::{Map, Value};

/// Width and height: `width` and `height`, or `size` as `1024x768`, or a ratio (`aspect_ratio`, `size`) at a `resolution`
/// (`2K`: megapixels whatever the ratio; `720p`: the shorter side). `None` when the job does not say.
pub(crate) fn asked(params: &Map<String, Value>) -> Option<(u64, u64)> {
    let number = |name: &str| params.get(name).and_then(Value::as_u64);
    if let (Some(width), Some(height)) = (number("width"), number("height")) {
        return Some((width, height));
    }
    let text = |name: &str| params.get(name).and_then(Value::as_str);
    let of = |text: &str, between: char| {
        let (width, height) = text.split_once(between)?;
        Some((
            width.trim().parse::<u64>().ok()?,
            height.trim().parse::<u64>().ok()?,
        ))
    };
    let mut given = ["size", "aspect_ratio"].into_iter().filter_map(text);
    if let Some(exact) = given
        .clone()
        .find_map(|text| of(text, 'x').or_else(|| of(text, '*')))
    {
        return Some(exact);
    }
    let (across, down) = given.find_map(|text| of(text, ':')).unwrap_or((1, 1));
    let ratio = (across > 0 && down > 0).then(|| across as f64 / down as f64)?;
    at_resolution(text("resolution")?, ratio)
}

fn at_resolution(resolution: &str, ratio: f64) -> Option<(u64, u64)> {
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
    fn every_way_to_ask_for_a_size_gives_pixels() {
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
            assert_eq!(asked(params.as_object().unwrap()), expected, "{params}");
        }
    }
}

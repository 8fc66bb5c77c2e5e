//! Sizes: 1K, 2K and 4K are 1, 4 and 16 megapixels whatever the ratio, and sides are multiples of 16.

use crate::Error;

/// Width and height for a ratio such as `16:9` and a resolution such as `2K`.
pub fn dimensions(size: &str, resolution: &str) -> Result<(usize, usize), Error> {
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
    let ratio = size
        .split_once(':')
        .and_then(|(w, h)| Some(w.parse::<f64>().ok()? / h.parse::<f64>().ok()?))
        .filter(|ratio| (0.25..=4.0).contains(ratio))
        .ok_or_else(|| {
            Error::InvalidInput(format!(
                "`size` is `{size}`; it is a ratio such as 1:1, 16:9 or 9:16"
            ))
        })?;
    let even = |length: f64| ((length / 16.0).round() * 16.0) as usize;
    Ok((even(side * ratio.sqrt()), even(side / ratio.sqrt())))
}

#[cfg(test)]
mod tests {
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
    fn other_sizes_are_refused_with_what_would_do() {
        for (size, resolution) in [("1:1", "8K"), ("wide", "1K"), ("0:0", "1K"), ("1:900", "1K")] {
            assert!(matches!(
                dimensions(size, resolution),
                Err(Error::InvalidInput(_))
            ));
        }
    }
}

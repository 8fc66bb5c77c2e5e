//! The inputs that probes of weights name: a drawn picture, and a mask of its middle.

use std::path::Path;

use atelier_domain::{FileFacts, MediaType};
use atelier_engines::Input;
use atelier_retouch::{
    decode::{self, Picture},
    encode::{Provenance, SourceType, write_png},
};

/// Small, because a slow graph takes a minute for a larger one.
const WIDTH: usize = 160;
const HEIGHT: usize = 120;
/// Drawn as if the picture had twice these sides.
const SCALE: f32 = 2.0;
/// The ball: its centre and its radius.
const BALL: [f32; 3] = [160.0, 118.0, 62.0];

/// The input files of a sample, which are written into this folder.
pub(crate) fn sample(name: &str, folder: &Path) -> Result<Vec<Input>, String> {
    let picture = ("image_urls", "sample.png", ball());
    let files = match name {
        "picture" => vec![picture],
        "picture-and-mask" => vec![picture, ("mask_url", "mask.png", mask())],
        other => return Err(format!("the program has no sample `{other}`")),
    };
    let written = |(parameter, file, picture): (&str, &str, Picture)| {
        let path = folder.join(file);
        let provenance = Provenance {
            tool: "sample",
            source: SourceType::Algorithmic,
        };
        write_png(&path, &picture, provenance).map_err(|error| error.to_string())?;
        let size = std::fs::metadata(&path).map_err(|error| error.to_string())?.len();
        Ok(Input {
            parameter: parameter.to_owned(),
            path,
            facts: FileFacts {
                media_type: MediaType::Png,
                size,
                width: Some(WIDTH as u32),
                height: Some(HEIGHT as u32),
                duration: None,
            },
        })
    };
    files.into_iter().map(written).collect()
}

/// Whether a picture has one colour. A file that cannot be read has none.
pub(crate) fn is_flat(path: &Path) -> bool {
    let Ok(picture) = decode::read(path) else {
        return true;
    };
    let mut pixels = picture.rgba.chunks_exact(4);
    let first = pixels.next();
    pixels.all(|pixel| Some(pixel) == first)
}

/// A red ball before a wall, on a table that it shades.
fn ball() -> Picture {
    drawn(|x, y| {
        let [left, top, radius] = BALL;
        let (dx, dy) = ((x - left) / radius, (y - top) / radius);
        let inside = 1.0 - dx * dx - dy * dy;
        if inside > 0.0 {
            // Light from above on the left.
            let light = (0.25 + 0.75 * (0.6 * inside.sqrt() - 0.5 * dx - 0.6 * dy)).clamp(0.1, 1.0);
            let shine = (inside.sqrt() - 0.5 * dx - 0.6 * dy - 1.05).max(0.0) * 500.0;
            return [215.0, 45.0, 35.0].map(|channel| channel * light + shine);
        }
        if y < 150.0 {
            return [176.0, 196.0, 214.0].map(|channel| channel - 0.12 * y);
        }
        let (away, below) = ((x - left - 18.0) / 85.0, (y - 182.0) / 16.0);
        let shade = (1.0 - away * away - below * below).clamp(0.0, 0.6);
        [170.0, 128.0, 88.0].map(|channel| channel * (1.0 - shade))
    })
}

fn mask() -> Picture {
    drawn(|x, y| {
        let hole = (120.0..200.0).contains(&x) && (80.0..150.0).contains(&y);
        if hole { [255.0; 3] } else { [0.0; 3] }
    })
}

fn drawn(color: impl Fn(f32, f32) -> [f32; 3]) -> Picture {
    let mut picture = Picture::filled(WIDTH, HEIGHT, [0, 0, 0, 255]);
    for (at, pixel) in picture.rgba.chunks_exact_mut(4).enumerate() {
        let rgb = color(SCALE * (at % WIDTH) as f32, SCALE * (at / WIDTH) as f32);
        for (byte, value) in pixel.iter_mut().zip(rgb) {
            *byte = value.clamp(0.0, 255.0) as u8;
        }
    }
    picture
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_pictures_of_one_size_that_are_not_flat() {
        let folder = tempfile::tempdir().unwrap();
        let files = sample("picture-and-mask", folder.path()).unwrap();
        let names: Vec<_> = files.iter().map(|input| input.parameter.as_str()).collect();
        assert_eq!(names, ["image_urls", "mask_url"]);
        for input in &files {
            let picture = decode::read(&input.path).unwrap();
            assert_eq!((picture.width, picture.height), (WIDTH, HEIGHT));
            assert!(!is_flat(&input.path), "{}", input.path.display());
        }
        let flat = folder.path().join("flat.png");
        let provenance = Provenance {
            tool: "sample",
            source: SourceType::Algorithmic,
        };
        write_png(&flat, &Picture::filled(8, 8, [9, 9, 9, 255]), provenance).unwrap();
        assert!(is_flat(&flat));
        assert!(sample("smell", folder.path()).unwrap_err().contains("`smell`"));
    }

    #[test]
    fn the_ball_is_found_by_the_network_in_the_program() {
        let seen = atelier_retouch::cutout::find(&ball())
            .unwrap()
            .resized(WIDTH, HEIGHT);
        assert!(seen.at(80, 59) > 0.8 && seen.at(5, 5) < 0.2);
    }
}

//! A small picture of a stored file, for lists: a JPEG whose longer side is at most 512 pixels.

use std::{fs::File, io::BufWriter};

use image::{ExtendedColorType, ImageEncoder as _, RgbaImage, codecs::jpeg::JpegEncoder, imageops};
use serde_json::Map;

use crate::{
    Error, Request, Response,
    decode::{self, Picture},
};

/// The longer side at most, in pixels.
pub const LONGEST: u32 = 512;
const QUALITY: u8 = 82;
/// What transparent parts are shown on: light enough for dark drawings, dark enough for white ones.
const BEHIND: u8 = 0xe6;

/// Makes `thumbnail.jpg` of the one input.
pub fn run(request: &Request, progress: &mut dyn FnMut(f32)) -> Result<Response, Error> {
    let [input] = request.inputs.as_slice() else {
        return Err(Error::InvalidInput("a thumbnail is made of one file".to_owned()));
    };
    let picture = decode::read(&input.path)?;
    progress(0.5);
    let small = shrunk(picture)?;
    let path = request.out.join("thumbnail.jpg");
    let failed =
        |error: image::ImageError| Error::Failed(format!("the thumbnail cannot be written: {error}"));
    let mut encoder = JpegEncoder::new_with_quality(BufWriter::new(File::create(&path)?), QUALITY);
    if let Some(icc) = small.icc {
        // A profile that cannot be carried along is no reason to show nothing.
        let _ = encoder.set_icc_profile(icc);
    }
    encoder
        .write_image(&small.rgb, small.width, small.height, ExtendedColorType::Rgb8)
        .map_err(failed)?;
    progress(1.0);
    Ok(Response {
        files: vec![path],
        metadata: Map::new(),
    })
}

struct Small {
    width: u32,
    height: u32,
    rgb: Vec<u8>,
    icc: Option<Vec<u8>>,
}

fn shrunk(picture: Picture) -> Result<Small, Error> {
    let (width, height) = (picture.width as u32, picture.height as u32);
    let scale = (f64::from(LONGEST) / f64::from(width.max(height))).min(1.0);
    let side = |length: u32| ((f64::from(length) * scale).round() as u32).max(1);
    let (to_width, to_height) = (side(width), side(height));
    let whole = RgbaImage::from_raw(width, height, picture.rgba)
        .ok_or_else(|| Error::Failed("the picture has fewer pixels than it says".to_owned()))?;
    let small = if (to_width, to_height) == (width, height) {
        whole
    } else {
        imageops::thumbnail(&whole, to_width, to_height)
    };
    let rgb = small
        .pixels()
        .flat_map(|pixel| {
            let [r, g, b, alpha] = pixel.0.map(u32::from);
            let over = |color: u32| ((color * alpha + u32::from(BEHIND) * (255 - alpha) + 127) / 255) as u8;
            [over(r), over(g), over(b)]
        })
        .collect();
    Ok(Small {
        width: to_width,
        height: to_height,
        rgb,
        icc: picture.icc,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(width: usize, height: usize, rgba: [u8; 4]) -> Picture {
        Picture::filled(width, height, rgba)
    }

    #[test]
    fn the_longer_side_is_at_most_512_and_the_ratio_stays() {
        let small = shrunk(picture(2_000, 500, [200, 10, 10, 255])).unwrap();
        assert_eq!((small.width, small.height), (512, 128));
        assert_eq!(small.rgb[..3], [200, 10, 10]);
        let tiny = shrunk(picture(3, 9_000, [0, 0, 0, 255])).unwrap();
        assert_eq!((tiny.width, tiny.height), (1, 512));
        let same = shrunk(picture(40, 30, [0, 0, 0, 255])).unwrap();
        assert_eq!((same.width, same.height), (40, 30), "nothing is made larger");
    }

    #[test]
    fn what_is_transparent_is_shown_on_light_grey() {
        let small = shrunk(picture(4, 4, [0, 0, 0, 0])).unwrap();
        assert_eq!(small.rgb[..3], [BEHIND; 3]);
        let half = shrunk(picture(4, 4, [0, 0, 0, 128])).unwrap();
        assert_eq!(half.rgb[0], 115);
    }
}

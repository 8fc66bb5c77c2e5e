//! Pictures and planes in other sizes.

use atelier_retouch::decode::Picture;
use image::{RgbaImage, imageops::FilterType};

/// One channel, 0 to 1.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Plane {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) values: Vec<f32>,
}

/// A picture in another size, by Lanczos; the same picture where it has that size.
pub(crate) fn resized(picture: &Picture, width: usize, height: usize) -> Picture {
    if (picture.width, picture.height) == (width, height) {
        return picture.clone();
    }
    let source = RgbaImage::from_raw(picture.width as u32, picture.height as u32, picture.rgba.clone());
    let Some(source) = source else {
        return Picture::filled(width, height, [0, 0, 0, 255]);
    };
    let resized = image::imageops::resize(&source, width as u32, height as u32, FilterType::Lanczos3);
    Picture {
        width,
        height,
        rgba: resized.into_raw(),
        icc: picture.icc.clone(),
    }
}

/// A part of a picture.
pub(crate) fn part(picture: &Picture, left: usize, top: usize, width: usize, height: usize) -> Picture {
    let rows = (top..top + height).flat_map(|y| {
        let at = 4 * (y * picture.width + left);
        picture.rgba[at..at + 4 * width].iter().copied()
    });
    Picture {
        width,
        height,
        rgba: rows.collect(),
        icc: None,
    }
}

pub(crate) fn take_alpha(picture: &mut Picture, from: &Picture) {
    for (pixel, other) in picture.rgba.chunks_exact_mut(4).zip(from.rgba.chunks_exact(4)) {
        pixel[3] = other[3];
    }
}

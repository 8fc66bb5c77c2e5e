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
    resized_by(FilterType::Lanczos3, picture, width, height)
}

/// The same linearly, as the pictures were that classifiers were trained with.
pub(crate) fn resized_linearly(picture: &Picture, width: usize, height: usize) -> Picture {
    resized_by(FilterType::Triangle, picture, width, height)
}

fn resized_by(filter: FilterType, picture: &Picture, width: usize, height: usize) -> Picture {
    if (picture.width, picture.height) == (width, height) {
        return picture.clone();
    }
    let source = RgbaImage::from_raw(picture.width as u32, picture.height as u32, picture.rgba.clone());
    let Some(source) = source else {
        return Picture::filled(width, height, [0, 0, 0, 255]);
    };
    let resized = image::imageops::resize(&source, width as u32, height as u32, filter);
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

/// Lays a part over a picture at a place. Its left and upper rims fade in over this many pixels: the outer quarter of
/// each is not used, because a network sees too little there, and the inner quarter is all the part's.
pub(crate) fn fade_in(
    picture: &mut Picture,
    part: &Picture,
    (left, top): (usize, usize),
    (across, down): (usize, usize),
) {
    let weights = |side: usize, fade: usize| -> Vec<f32> {
        let weight = |at: usize| {
            if at >= fade {
                return 1.0;
            }
            let along = (at as f32 + 0.5) / fade as f32;
            ((along - 0.25) * 2.0).clamp(0.0, 1.0)
        };
        (0..side).map(weight).collect()
    };
    let (columns, rows) = (weights(part.width, across), weights(part.height, down));
    for (y, row) in rows.iter().enumerate() {
        for (x, column) in columns.iter().enumerate() {
            let at = 4 * ((top + y) * picture.width + left + x);
            let from = 4 * (y * part.width + x);
            let weight = row * column;
            for channel in 0..3 {
                let (old, new) = (
                    f32::from(picture.rgba[at + channel]),
                    f32::from(part.rgba[from + channel]),
                );
                picture.rgba[at + channel] = (old + (new - old) * weight).round() as u8;
            }
        }
    }
}

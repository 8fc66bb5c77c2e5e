//! A photograph of a face.

use std::path::{Path, PathBuf};

use crate::Plane;
use crate::canvas::{Canvas, Frame};

/// A portrait of Eileen Collins by NASA, in the public domain.
const PORTRAIT: &[u8] = include_bytes!("portrait.jpg");

/// The pixels that show her: the mask of a larger network, checked by eye.
const MASK: &[u8] = include_bytes!("portrait-mask.png");

/// One where the portrait shows the woman, zero elsewhere.
pub fn portrait_mask() -> Plane {
    let mask = image::load_from_memory(MASK).expect("a picture").to_luma8();
    let (width, height) = (mask.width() as usize, mask.height() as usize);
    Plane::from_fn(width, height, |x, y| {
        f32::from(mask.get_pixel(x as u32, y as u32)[0]) / 255.0
    })
}

/// Writes the portrait into a folder.
pub fn portrait(folder: &Path) -> PathBuf {
    let path = folder.join("portrait.jpg");
    std::fs::write(&path, PORTRAIT).expect("a folder that can be written");
    path
}

/// Reads a picture as a canvas.
pub fn canvas(path: &Path) -> Canvas {
    let picture = crate::decode::read(path).expect("a picture");
    let mut canvas = Canvas::new(Frame::new(picture.width, picture.height));
    for (to, from) in canvas.pixels.iter_mut().zip(picture.rgba.chunks_exact(4)) {
        *to = [from[0], from[1], from[2], 1];
    }
    canvas
}

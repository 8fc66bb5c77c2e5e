//! A photograph of a face.

use std::path::{Path, PathBuf};

use crate::canvas::{Canvas, Frame};

/// A portrait of Eileen Collins by NASA, in the public domain.
const PORTRAIT: &[u8] = include_bytes!("portrait.jpg");

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

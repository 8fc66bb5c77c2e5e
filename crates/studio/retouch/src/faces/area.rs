//! A rectangle of a canvas, as networks see it.

use crate::Plane;
use crate::canvas::Canvas;

/// In pixels of a canvas; it may reach beyond it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Area {
    pub(super) left: isize,
    pub(super) top: isize,
    pub(super) width: usize,
    pub(super) height: usize,
}

impl Area {
    pub(super) fn whole(canvas: &Canvas) -> Self {
        Self {
            left: 0,
            top: 0,
            width: canvas.frame.width,
            height: canvas.frame.height,
        }
    }

    /// A square by its centre and its side.
    pub(super) fn square(x: f32, y: f32, side: f32) -> Self {
        let long = side.round().max(1.0) as usize;
        Self {
            left: (x - 0.5 * side).round() as isize,
            top: (y - 0.5 * side).round() as isize,
            width: long,
            height: long,
        }
    }

    /// Its red, green and blue, 0 to 255, in another size; black beyond the canvas.
    pub(super) fn planes(self, canvas: &Canvas, width: usize, height: usize) -> [Plane; 3] {
        let inside = |at: isize, length: usize| usize::try_from(at).ok().filter(|at| *at < length);
        std::array::from_fn(|c| {
            Plane::from_fn(self.width, self.height, |x, y| {
                let x = inside(self.left + x as isize, canvas.frame.width);
                let y = inside(self.top + y as isize, canvas.frame.height);
                match (x, y) {
                    (Some(x), Some(y)) => f32::from(canvas.pixels[y * canvas.frame.width + x][c]),
                    _ => 0.0,
                }
            })
            .resized(width, height)
        })
    }
}

//! Subjects cut out of references, and a reference's subject on another background.

use std::sync::Arc;

use super::Reference;
use crate::scene::{Fixed, Sprite};
use atelier_retouch::canvas::{Canvas, Frame, picture_within};
use atelier_retouch::cutout::{Background, remove_background};
use atelier_retouch::decode::Picture;

/// The longer side at which subjects are cut out: more detail is not visible in a scene with other things.
const SIDE: usize = 1600;

/// Parts of the cut-out with less alpha than this are dropped.
const SEEN: u8 = 24;

impl Reference {
    /// The subject of the whole picture, cropped closely; nothing if no subject stands out. Computed once.
    pub fn sprite(&self) -> Option<Arc<Sprite>> {
        self.sprite
            .get_or_init(|| {
                let (cut, _) = subject(&self.canvas)?;
                let (sprite, ..) = close(&cut)?;
                Some(Arc::new(sprite))
            })
            .clone()
    }
}

/// The framed picture's subject, to be shown on another background at its position and size.
pub(super) fn fixed(canvas: &Canvas) -> Option<Fixed> {
    let (cut, _) = subject(canvas)?;
    let (width, height) = (cut.width as f32, cut.height as f32);
    let (sprite, (left, top, right, bottom)) = close(&cut)?;
    let frame: Frame = canvas.frame;
    Some(Fixed {
        sprite: Arc::new(sprite),
        x: 0.5 * (left + right) as f32 / width * frame.w,
        y: bottom as f32 / height * frame.h,
        high: (bottom - top) as f32 / height * frame.h,
    })
}

fn subject(canvas: &Canvas) -> Option<(Picture, f32)> {
    remove_background(
        &picture_within(canvas, SIDE),
        Background::Transparent,
        0.0,
        &mut |_| {},
    )
}

/// A part of a picture in pixels: left, top, right, bottom.
type Part = (usize, usize, usize, usize);

/// The part that is not empty, and where it was.
fn close(cut: &Picture) -> Option<(Sprite, Part)> {
    let seen = |x: usize, y: usize| cut.pixel(x, y)[3] >= SEEN;
    let rows: Vec<usize> = (0..cut.height)
        .filter(|y| (0..cut.width).filter(|x| seen(*x, *y)).count() > cut.width / 250)
        .collect();
    let columns: Vec<usize> = (0..cut.width)
        .filter(|x| (0..cut.height).filter(|y| seen(*x, *y)).count() > cut.height / 250)
        .collect();
    let (top, bottom) = (*rows.first()?, rows.last()? + 1);
    let (left, right) = (*columns.first()?, columns.last()? + 1);
    let rgba = (top..bottom)
        .flat_map(|y| (left..right).map(move |x| cut.pixel(x, y)))
        .collect();
    let sprite = Sprite {
        width: right - left,
        height: bottom - top,
        rgba,
    };
    Some((sprite, (left, top, right, bottom)))
}

//! A person in a picture, ready to be moved: cut out, with the background behind them filled in.

use rayon::prelude::*;

use super::super::canvas_of_frame;
use atelier_retouch::canvas::Canvas;
use atelier_retouch::canvas::picture;
use atelier_retouch::cutout::{Background, remove_background};
use atelier_retouch::decode::Picture;
use atelier_retouch::faces::Face;
use atelier_retouch::inpaint::fill;
use atelier_retouch::{Plane, diffuse};

/// A subject with this share or more leaves so little background that it is extended smoothly, not painted.
const LARGE: f32 = 0.55;
/// The alpha from which on a pixel is the figure's.
const SEEN: u8 = 12;

/// The moving part of the picture, and the rest.
pub(super) struct Figure {
    /// The colours and coverage of the figure; without one, the whole picture.
    cut: Option<Vec<[u8; 4]>>,
    behind: Canvas,
}

/// A field of motion, by pixels of the picture.
pub(super) type Field<'a> = dyn Fn(f32, f32) -> (f32, f32) + Sync + 'a;

impl Figure {
    pub(super) fn new(canvas: &Canvas, seed: u32) -> Self {
        let whole = picture(canvas);
        let cut = remove_background(&whole, Background::Transparent, 0.0, &mut |_| {})
            .filter(|(_, share)| (0.01..0.9).contains(share));
        let Some((cut, share)) = cut else {
            return Self::whole(canvas);
        };
        Self {
            behind: behind(canvas, whole, &cut, share, seed),
            cut: Some(cut.rgba.as_chunks::<4>().0.to_vec()),
        }
    }

    /// A picture that moves as a whole.
    pub(super) fn whole(canvas: &Canvas) -> Self {
        Self {
            cut: None,
            behind: canvas.clone(),
        }
    }

    /// Whether somebody was cut out.
    pub(super) fn stands_out(&self) -> bool {
        self.cut.is_some()
    }

    /// The picture with the figure moved: each place moves by the field's vector there.
    pub(super) fn show(&self, field: &Field<'_>, out: &mut Canvas) {
        let frame = self.behind.frame;
        let (width, height) = (frame.width, frame.height);
        out.pixels.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
            for (x, pixel) in row.iter_mut().enumerate() {
                let (to_x, to_y) = (x as f32, y as f32);
                let (mut u, mut v) = (to_x, to_y);
                for _ in 0..4 {
                    let (dx, dy) = field(u, v);
                    (u, v) = (to_x - dx, to_y - dy);
                }
                let Some(cut) = &self.cut else {
                    let [r, g, b] = self.behind.sample(u + 0.5, v + 0.5).to_bytes();
                    *pixel = [r, g, b, 1];
                    continue;
                };
                let [r, g, b, a] = sampled(cut, (width, height), u, v);
                let behind = self.behind.pixels[y * width + x];
                let over = |own: f32, behind: u8| (own + f32::from(behind) * (1.0 - a / 255.0)).round() as u8;
                *pixel = [over(r, behind[0]), over(g, behind[1]), over(b, behind[2]), 1];
            }
        });
    }
}

/// Interpolated premultiplied colours and coverage. A figure that the border cuts continues beyond it.
fn sampled(cut: &[[u8; 4]], (width, height): (usize, usize), x: f32, y: f32) -> [f32; 4] {
    let (x, y) = (
        x.clamp(0.0, (width - 1) as f32),
        y.clamp(0.0, (height - 1) as f32),
    );
    let (left, top) = (x as usize, y as usize);
    let (right, bottom) = ((left + 1).min(width - 1), (top + 1).min(height - 1));
    let (fx, fy) = (x - left as f32, y - top as f32);
    let mut sum = [0.0; 4];
    for (column, row, k) in [
        (left, top, (1.0 - fx) * (1.0 - fy)),
        (right, top, fx * (1.0 - fy)),
        (left, bottom, (1.0 - fx) * fy),
        (right, bottom, fx * fy),
    ] {
        let [r, g, b, a] = cut[row * width + column].map(f32::from);
        let cover = k * a / 255.0;
        sum[0] += cover * r;
        sum[1] += cover * g;
        sum[2] += cover * b;
        sum[3] += k * a;
    }
    sum
}

/// The picture without the figure.
fn behind(canvas: &Canvas, mut whole: Picture, cut: &Picture, share: f32, seed: u32) -> Canvas {
    let (width, height) = (canvas.frame.width, canvas.frame.height);
    let reach = (width.max(height) / 120).max(3);
    let seen: Vec<bool> = cut.rgba.chunks_exact(4).map(|pixel| pixel[3] >= SEEN).collect();
    let missing = super::super::mend::dilated(&seen, width, reach);
    if share >= LARGE || !fill(&mut whole, &missing, seed, &mut |_| {}) {
        let known = Plane::from_fn(width, height, |x, y| f32::from(u8::from(!missing[y * width + x])));
        let planes = std::array::from_fn(|c| {
            Plane::from_fn(width, height, |x, y| f32::from(canvas.pixels[y * width + x][c]))
        });
        let filled = diffuse::fill(&planes, &known);
        for (at, pixel) in whole.rgba.chunks_exact_mut(4).enumerate() {
            for c in 0..3 {
                pixel[c] = filled[c].data[at].round().clamp(0.0, 255.0) as u8;
            }
        }
    }
    let mut behind = Canvas::new(canvas.frame);
    for (to, from) in behind.pixels.iter_mut().zip(whole.rgba.chunks_exact(4)) {
        *to = [from[0], from[1], from[2], 1];
    }
    behind
}

/// The alignment of two pictures: the centre of a head, and its height.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Anchor {
    pub(super) x: f32,
    pub(super) y: f32,
    pub(super) high: f32,
}

impl Anchor {
    fn of(face: Face) -> Self {
        Self {
            x: face.x + 0.5 * face.side,
            y: face.y + 0.5 * face.side,
            high: face.side,
        }
    }

    /// Corresponding anchors of two pictures: faces, otherwise heads of salient subjects, otherwise the frames
    /// themselves.
    pub(super) fn both(one: &Canvas, other: &Canvas) -> (Self, Self, &'static str) {
        if let (Some(a), Some(b)) = (Face::in_picture(one, None), Face::in_picture(other, None)) {
            return (Self::of(a), Self::of(b), "their faces");
        }
        let head = |canvas: &Canvas| Face::in_picture(canvas, None).or_else(|| Face::of_subject(canvas));
        if let (Some(a), Some(b)) = (head(one), head(other)) {
            return (Self::of(a), Self::of(b), "the heads of what stands out");
        }
        let frame = |canvas: &Canvas| Self {
            x: 0.5 * canvas.frame.width as f32,
            y: 0.5 * canvas.frame.height as f32,
            high: canvas.frame.height as f32,
        };
        (frame(one), frame(other), "their frames")
    }
}

/// A frame of a film as a canvas.
pub(super) fn canvas_of(picture: &atelier_film::I420) -> Canvas {
    canvas_of_frame(
        picture,
        atelier_retouch::canvas::Frame::new(picture.width, picture.height),
    )
}

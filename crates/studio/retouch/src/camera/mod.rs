//! `camera-angle`: the same scene from another viewpoint. The picture becomes a relief of two layers, the subject
//! and the background, each with an estimated depth. A moved camera sees them in real perspective, and newly
//! visible parts are filled from the rest.

use rayon::prelude::*;
use serde_json::Map;

use self::layers::Layers;
pub use self::view::Move;
use self::view::View;
use crate::color::byte;
use crate::decode::Picture;
use crate::encode::SourceType;
use crate::words::Words;
use crate::{DEPTH, Plane, close, open, params, seen};
use atelier_protocol::{Error, Request, Response};

mod layers;
mod view;
mod words;

/// The task.
pub fn run(request: &Request, progress: &mut dyn FnMut(f32)) -> Result<Response, Error> {
    let mut camera = Move {
        azimuth: params::number(request, "azimuth", 0.0, -60.0, 60.0)?,
        elevation: params::number(request, "elevation", 0.0, -30.0, 30.0)?,
        roll: params::number(request, "roll", 0.0, -45.0, 45.0)?,
        zoom: params::number(request, "zoom", 1.0, 0.5, 2.0)?,
    };
    let mut notes = Map::new();
    if let Some(prompt) = params::text(request, "prompt") {
        let mut said = Words::of(prompt);
        camera = words::hear(&mut said, camera);
        said.tell(&mut notes);
    }
    let picture = open(request)?;
    progress(0.1);
    let given = seen(request, DEPTH)?;
    let moved = seen_by(&picture, given.as_ref(), camera, request.seed as u32, progress);
    drop(picture);
    progress(0.9);
    close(request, &moved, SourceType::Composite, notes)
}

/// The picture as a moved camera sees it, at the same size.
pub fn seen_from(picture: &Picture, camera: Move, seed: u32, progress: &mut dyn FnMut(f32)) -> Picture {
    seen_by(picture, None, camera, seed, progress)
}

/// The same with the depth that a model estimated.
fn seen_by(
    picture: &Picture,
    given: Option<&Plane>,
    camera: Move,
    seed: u32,
    progress: &mut dyn FnMut(f32),
) -> Picture {
    if camera.is_none() {
        return picture.clone();
    }
    let view = View::new(picture.width, picture.height, camera);
    let layers = Layers::of(picture, given, seed, progress);
    progress(0.65);
    // Depth is smooth, so rays are not traced for every pixel.
    let step = (picture.width.max(picture.height) / 500).clamp(1, 8);
    let behind = Places::of(picture, step, |x, y| Some(layers.meets_behind(&view.ray(x, y))));
    let front = Places::of(picture, step, |x, y| layers.meets_subject(&view.ray(x, y)));
    progress(0.75);
    let mut out = Picture {
        rgba: vec![0; picture.rgba.len()],
        icc: picture.icc.clone(),
        ..*picture
    };
    out.rgba
        .par_chunks_mut(4 * picture.width)
        .enumerate()
        .for_each(|(y, row)| {
            for (x, pixel) in row.chunks_exact_mut(4).enumerate() {
                let Some(back) = behind.as_ref().map(|places| places.at(x, y)) else {
                    continue;
                };
                let seen = layers.seen(picture, back, front.as_ref().map(|places| places.at(x, y)));
                for c in 0..4 {
                    pixel[c] = byte(seen[c]);
                }
            }
        });
    out
}

/// Places of the picture for a grid of pixels, interpolated between them.
struct Places {
    step: usize,
    x: Plane,
    y: Plane,
}

impl Places {
    fn of(
        picture: &Picture,
        step: usize,
        place: impl Fn(f32, f32) -> Option<(f32, f32)> + Sync,
    ) -> Option<Self> {
        place(0.0, 0.0)?;
        let (w, h) = (picture.width / step + 2, picture.height / step + 2);
        let both = |x: usize, y: usize| place((x * step) as f32, (y * step) as f32).unwrap_or_default();
        Some(Self {
            step,
            x: Plane::from_fn(w, h, |x, y| both(x, y).0),
            y: Plane::from_fn(w, h, |x, y| both(x, y).1),
        })
    }

    #[inline]
    fn at(&self, x: usize, y: usize) -> (f32, f32) {
        let (i, j) = (x / self.step, y / self.step);
        let (u, v) = (
            (x % self.step) as f32 / self.step as f32,
            (y % self.step) as f32 / self.step as f32,
        );
        let mix = |plane: &Plane| {
            let top = plane.at(i, j) + (plane.at(i + 1, j) - plane.at(i, j)) * u;
            let bottom = plane.at(i, j + 1) + (plane.at(i + 1, j + 1) - plane.at(i, j + 1)) * u;
            top + (bottom - top) * v
        };
        (mix(&self.x), mix(&self.y))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{Scene, scene, subject};

    const STILL: Move = Move {
        azimuth: 0.0,
        elevation: 0.0,
        roll: 0.0,
        zoom: 1.0,
    };

    fn seen(picture: &Picture, camera: Move) -> Picture {
        seen_from(picture, camera, 1, &mut |_| {})
    }

    /// The middle of what is clearly red.
    fn red(picture: &Picture) -> (f32, f32, f32) {
        let (mut x, mut y, mut count) = (0.0, 0.0, 0.0);
        for (i, p) in picture.rgba.chunks_exact(4).enumerate() {
            if p[0] > 150 && p[1] < 90 && p[2] < 90 {
                x += (i % picture.width) as f32;
                y += (i / picture.width) as f32;
                count += 1.0;
            }
        }
        (x / count, y / count, count)
    }

    /// Gray with some grain, and a red disc.
    fn disc(cx: f32, cy: f32, r: f32) -> Picture {
        let mut picture = scene(Scene::StillLife, 240, 200, 1);
        for (i, p) in picture.rgba.chunks_exact_mut(4).enumerate() {
            let grain = (i * 7 % 13) as u8;
            p[..3].copy_from_slice(&[110 + grain, 114 + grain, 112 + grain]);
            let (x, y) = ((i % 240) as f32, (i / 240) as f32);
            if (x - cx).hypot(y - cy) < r {
                p[..3].copy_from_slice(&[210, 40, 40]);
            }
        }
        picture
    }

    #[test]
    fn a_camera_that_does_not_move_sees_the_same_picture() {
        let picture = subject(140, 120, 3).0;
        assert_eq!(seen(&picture, STILL), picture);
    }

    #[test]
    fn zoom_enlarges_and_roll_turns() {
        let picture = disc(120.0, 100.0, 24.0);
        let area = red(&picture).2;
        let near = red(&seen(&picture, Move { zoom: 1.5, ..STILL }));
        assert!((near.2 / area / 2.25 - 1.0).abs() < 0.1, "{} of {area}", near.2);
        let off = disc(170.0, 100.0, 16.0);
        let (x, y, _) = red(&seen(&off, Move { roll: 30.0, ..STILL }));
        // The camera turns clockwise, so what it sees turns the other way.
        assert!(
            (x - (120.0 + 50.0 * 0.866)).abs() < 4.0 && (y - (100.0 - 25.0)).abs() < 4.0,
            "{x} {y}"
        );
    }

    #[test]
    fn going_round_narrows_what_is_seen() {
        let picture = disc(120.0, 100.0, 30.0);
        for azimuth in [-40.0, 40.0] {
            let out = seen(&picture, Move { azimuth, ..STILL });
            let ratio = red(&out).2 / red(&picture).2;
            assert!((0.6..0.95).contains(&ratio), "{ratio}");
        }
    }

    #[test]
    fn a_subject_moves_against_what_is_behind_it() {
        let (picture, _) = subject(240, 240, 4);
        let right = seen(
            &picture,
            Move {
                azimuth: 14.0,
                ..STILL
            },
        );
        let left = seen(
            &picture,
            Move {
                azimuth: -14.0,
                ..STILL
            },
        );
        assert!(right.is_opaque() && left.is_opaque());
        let difference = |a: &Picture| {
            a.rgba
                .iter()
                .zip(&picture.rgba)
                .map(|(a, b)| f64::from(a.abs_diff(*b)))
                .sum::<f64>()
                / a.rgba.len() as f64
        };
        assert!(difference(&right) > 3.0 && difference(&left) > 3.0);
    }

    #[test]
    fn nothing_stays_empty_however_far_the_camera_goes() {
        let picture = scene(Scene::Bricks, 160, 120, 2);
        let camera = Move {
            azimuth: -60.0,
            elevation: -30.0,
            roll: -45.0,
            zoom: 0.5,
        };
        let out = seen(&picture, camera);
        assert!(out.is_opaque());
        let black = out
            .rgba
            .chunks_exact(4)
            .filter(|p| p[0] == 0 && p[1] == 0 && p[2] == 0)
            .count();
        assert!(black * 50 < 160 * 120, "{black} empty pixels");
    }
}

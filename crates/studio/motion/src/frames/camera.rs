//! The camera in front of a picture: a path that begins at the picture itself, and the parallax of each part by its
//! distance.

use super::life::Life;
use crate::script::{Camera, Move};
use crate::texture::Field;
use atelier_picture::chance::value;
use atelier_retouch::Plane;
use atelier_retouch::canvas::Frame;
use atelier_retouch::depth::Depth;

/// The camera's displacement at a time: zero at the beginning. Lengths are shares of the frame's width.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Place {
    /// The zoom.
    zoom: f32,
    /// How far the view has moved over the picture.
    pan: [f32; 2],
    /// The displacement of near parts against far ones.
    parallax: [f32; 2],
    /// The approach of near parts.
    approach: f32,
}

/// The picture and its depth.
#[derive(Debug)]
pub(super) struct Eye {
    camera: Camera,
    frame: Frame,
    seconds: f32,
    /// How near everything is, with soft steps.
    near: Plane,
    /// The centre of what the picture shows, as shares of width and height.
    lead: (f32, f32),
    seed: u32,
}

impl Eye {
    pub(super) fn new(camera: Camera, depth: &Depth, frame: Frame, seconds: f32, seed: u32) -> Self {
        let soft = depth.near.box_mean(depth.near.width / 80 + 1);
        // The foreground keeps its form; the background gives way.
        let near = depth.near.zip(&soft, f32::max).box_mean(1);
        let (mut x, mut y, mut sum) = (0.0, 0.0, 0.0);
        for (i, v) in depth.subject.data.iter().enumerate() {
            x += v * (i % depth.subject.width) as f32;
            y += v * (i / depth.subject.width) as f32;
            sum += v;
        }
        let lead = if sum > 0.004 * depth.subject.data.len() as f32 {
            (
                x / sum / depth.subject.width as f32,
                y / sum / depth.subject.height as f32,
            )
        } else {
            (0.5, 0.5)
        };
        Self {
            camera,
            frame,
            seconds,
            near,
            lead,
            seed,
        }
    }

    fn place(&self, time: f32) -> Place {
        let t = (time / self.seconds.max(0.1)).clamp(0.0, 1.0);
        // It starts softly and is still moving at the end.
        let e = t * t * (2.0 - t);
        let camera = &self.camera;
        let a = (camera.speed * (0.55 + 0.06 * self.seconds)).clamp(0.1, 1.3) * e;
        let mut place = Place {
            zoom: 1.0,
            pan: [0.0; 2],
            parallax: [0.0; 2],
            approach: 0.0,
        };
        let toward = [self.lead.0 - 0.5, self.lead.1 - 0.5];
        for way in &camera.moves {
            match way {
                Move::PanLeft | Move::PanRight => {
                    let side = if *way == Move::PanLeft { -1.0 } else { 1.0 };
                    place.pan[0] += side * 0.075 * a;
                    place.parallax[0] += side * 0.012 * a;
                    place.zoom *= 1.0 + 0.1 * a;
                }
                Move::TiltUp | Move::TiltDown => {
                    let side = if *way == Move::TiltUp { -1.0 } else { 1.0 };
                    place.pan[1] += side * 0.05 * a;
                    place.zoom *= 1.0 + 0.12 * a;
                }
                Move::ZoomIn => {
                    place.zoom *= 1.0 + 0.26 * a;
                    for c in 0..2 {
                        place.pan[c] += toward[c] * 0.16 * a;
                    }
                }
                Move::ZoomOut => place.zoom *= 1.0 - 0.1 * a,
                Move::DollyIn | Move::Fly | Move::Follow => {
                    let strong = if *way == Move::Follow { 0.6 } else { 1.0 };
                    place.zoom *= 1.0 + 0.1 * a * strong;
                    place.approach += 0.2 * a * strong;
                    place.pan[0] += toward[0] * 0.06 * a;
                }
                Move::DollyOut => {
                    place.zoom *= 1.0 - 0.05 * a;
                    place.approach -= 0.1 * a;
                }
                Move::TruckLeft | Move::TruckRight => {
                    let side = if *way == Move::TruckLeft { -1.0 } else { 1.0 };
                    place.parallax[0] += side * 0.05 * a;
                    place.pan[0] += side * 0.015 * a;
                    place.zoom *= 1.0 + 0.07 * a;
                }
                Move::CraneUp | Move::CraneDown => {
                    let side = if *way == Move::CraneUp { -1.0 } else { 1.0 };
                    place.parallax[1] += side * 0.035 * a;
                    place.pan[1] += side * 0.02 * a;
                    place.zoom *= 1.0 + 0.08 * a;
                }
                Move::OrbitLeft | Move::OrbitRight => {
                    let side = if *way == Move::OrbitLeft { -1.0 } else { 1.0 };
                    // Around the middle distance: the background moves the other way.
                    place.parallax[0] += side * 0.044 * a;
                    place.pan[0] -= side * 0.024 * a;
                    place.zoom *= 1.0 + 0.08 * a;
                }
            }
        }
        if camera.moves.is_empty() && !camera.still {
            place.zoom *= 1.0 + 0.05 * e;
            place.approach += 0.09 * e;
            place.parallax[0] += 0.012 * e;
        }
        if camera.hand {
            let shake =
                |salt: u32| value(time * 1.7, 0.5, self.seed ^ salt) - value(0.0, 0.5, self.seed ^ salt);
            place.pan[0] += 0.012 * shake(1);
            place.pan[1] += 0.009 * shake(2);
            place.zoom *= 1.0 + 0.03 * (time * 2.0).min(1.0);
        }
        place
    }

    /// Returns the origins of the pixels of the frame at a time. A pulse, 0 to 1, moves everything a little closer.
    pub(super) fn field(&self, life: &Life, time: f32, pulse: f32) -> Field {
        let mut place = self.place(time);
        place.zoom *= 1.0 + 0.02 * pulse;
        place.approach += 0.03 * pulse;
        let frame = self.frame;
        let (w, h) = (frame.width as f32, frame.height as f32);
        let middle = [0.5 * (w - 1.0), 0.5 * (h - 1.0)];
        let k = self.near.width as f32 / w;
        let small = |p: [f32; 2]| [(p[0] + 0.5) * k - 0.5, (p[1] + 0.5) * k - 0.5];
        Field::new(frame, |x, y| {
            let out = [x - middle[0], y - middle[1]];
            let flat: [f32; 2] = std::array::from_fn(|c| middle[c] + out[c] / place.zoom + place.pan[c] * w);
            let mut from = flat;
            // The visible part here depends on its depth, and that on its place: two iterations are close enough.
            for _ in 0..3 {
                let [u, v] = small(from);
                let near = self.near.bilinear(u, v);
                let closer = 1.0 / (1.0 + place.approach * near) - 1.0;
                from = std::array::from_fn(|c| {
                    flat[c] + place.parallax[c] * near * w + out[c] / place.zoom * closer
                });
            }
            let [u, v] = small(from);
            let shift = life.shift(u, v, time);
            [from[0] - shift[0] * w, from[1] - shift[1] * w]
        })
    }
}

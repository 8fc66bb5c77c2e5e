//! From a first frame to a last one: both are warped toward each other along the optical flow between them, and the
//! second appears part by part, first where both agree.

use crate::texture::{Field, mix};
use atelier_picture::chance::{Coarse, fbm, smooth};
use atelier_retouch::Plane;
use atelier_retouch::canvas::{Canvas, Frame};
use atelier_retouch::flow::{Flow, lightness};

/// The longer side at which flow is computed.
const SIDE: f32 = 320.0;
/// The mean difference of lightness after the flow, of 255, up to which both pictures show the same things.
const SAME: f32 = 16.0;
/// How much closer the camera comes if they show different things.
const CLOSER: f32 = 0.1;

pub(super) struct Morph {
    frame: Frame,
    /// From the first to the last and back, in small pixels.
    there: Flow,
    back: Flow,
    /// When each part changes, 0 (early) to 1 (late), in small pixels.
    late: Plane,
    scale: f32,
    closer: f32,
}

impl Morph {
    pub(super) fn new(first: &Canvas, last: &Canvas, seed: u32) -> Self {
        let frame = first.frame;
        let scale = (SIDE / frame.width.max(frame.height) as f32).min(1.0);
        let side = |length: usize| ((length as f32 * scale) as usize).max(16);
        let small = |canvas: &Canvas| lightness(&canvas.reduced(side(frame.width), side(frame.height)));
        let (a, b) = (small(first), small(last));
        let calm = |flow: Flow| Flow {
            across: flow.across.blurred(1.5),
            down: flow.down.blurred(1.5),
        };
        let there = calm(Flow::between(&a, &b, 5));
        let back = calm(Flow::between(&b, &a, 5));
        let rest = there.fetch(&b).zip(&a, |b, a| (b - a).abs());
        let left = rest.mean();
        let strange = smooth(SAME, 2.5 * SAME, left);
        let grain = Coarse::new(frame.w, frame.h, 40.0, |u, v| fbm(u * 3.0, v * 3.0, 3, seed));
        let rest = rest.blurred(4.0);
        let most = rest.max().max(1.0);
        let k = 1.0 / (scale * frame.px);
        let late = Plane::from_fn(a.width, a.height, |x, y| {
            let noise = smooth(0.25, 0.75, grain.at(x as f32 * k, y as f32 * k));
            0.5 * (rest.at(x, y) / most) + 0.5 * noise
        });
        Self {
            frame,
            there,
            back,
            late,
            scale: a.width as f32 / frame.width as f32,
            closer: CLOSER * strange,
        }
    }

    /// The frame at a time from 0, the first picture itself, to 1, the last itself.
    pub(super) fn frame(&self, first: &Canvas, last: &Canvas, time: f32, out: &mut Canvas) {
        let s = time * time * (3.0 - 2.0 * time);
        self.seen(&self.there, s, 1.0 + self.closer * s).show(first, out);
        if s <= 0.0 {
            return;
        }
        let mut second = Canvas::new(self.frame);
        self.seen(&self.back, 1.0 - s, 1.0 - self.closer * (1.0 - s))
            .show(last, &mut second);
        mix(out, &second, |x, y| {
            let late = self.late.bilinear(x as f32 * self.scale, y as f32 * self.scale);
            smooth(0.55 * late, 0.45 + 0.55 * late, s)
        });
    }

    /// A picture moved a part of the way along the flow.
    fn seen(&self, flow: &Flow, part: f32, zoom: f32) -> Field {
        let (w, h) = (self.frame.width as f32, self.frame.height as f32);
        let middle = [0.5 * (w - 1.0), 0.5 * (h - 1.0)];
        let k = self.scale;
        Field::new(self.frame, |x, y| {
            let flat = [
                middle[0] + (x - middle[0]) / zoom,
                middle[1] + (y - middle[1]) / zoom,
            ];
            let mut from = flat;
            for _ in 0..2 {
                let (u, v) = ((from[0] + 0.5) * k - 0.5, (from[1] + 0.5) * k - 0.5);
                from = [
                    flat[0] - part * flow.across.bilinear(u, v) / k,
                    flat[1] - part * flow.down.bilinear(u, v) / k,
                ];
            }
            from
        })
    }
}

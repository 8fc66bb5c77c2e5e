//! The body plan of four-legged animals: its proportions, and the parts that they share. All face right.

use atelier_retouch::rgb::Rgb;
use crate::draw::pen::Point;
use crate::draw::{Form, Grain, Paint, Pen};

/// Proportions of a standing animal; heights are above the ground.
pub(super) struct Plan {
    pub(super) coat: Rgb,
    pub(super) belly: Rgb,
    /// The legs' colour towards the feet.
    pub(super) socks: Rgb,
    /// Half the distance between the fore and hind legs.
    pub(super) reach: f32,
    /// Underside and back.
    pub(super) chest: f32,
    pub(super) back: f32,
    /// Thickness of a leg at the hip and at the foot.
    pub(super) leg: (f32, f32),
    /// The position of the head, and the widths of neck and head.
    pub(super) head: Point,
    pub(super) neck: f32,
    pub(super) skull: f32,
}

impl Plan {
    pub(super) fn paint(&self) -> Paint {
        Paint::new(self.coat).grain(Grain::Fur)
    }

    pub(super) fn far_legs(&self, pen: &mut Pen) {
        self.hind_leg(pen, 0.14, 0.3, 0.72);
        self.fore_leg(pen, 0.02, -0.26, 0.72);
    }

    /// A leg from the elbow down. It stands `aside` of its place, as a share of the reach, and steps ahead by
    /// `stride`, as a share of its length.
    pub(super) fn fore_leg(&self, pen: &mut Pen, aside: f32, stride: f32, tone: f32) {
        let (c, h) = (self.chest, self.back - self.chest);
        let x = self.reach * (0.84 + aside);
        let foot = x + stride * c;
        let joints = [(x - 0.04 * h, c + 0.38 * h), (x + (0.35 * stride + 0.02) * c, 0.55 * c),
            (foot - 0.01 * c, 0.14 * c)];
        self.leg(pen, &joints, foot + 0.02 * c, tone);
    }

    /// A leg from the hip down: the knee bends ahead and the heel back; stout legs bend less.
    pub(super) fn hind_leg(&self, pen: &mut Pen, aside: f32, stride: f32, tone: f32) {
        let (c, h) = (self.chest, self.back - self.chest);
        let bend = c * (1.25 - 2.4 * self.leg.1 / c).clamp(0.0, 1.0);
        let x = self.reach * (aside - 0.9);
        let foot = x + stride * c;
        let joints = [
            (x + 0.06 * h, c + 0.38 * h), (x + 0.4 * stride * c + 0.08 * bend, 0.78 * c),
            (x + 0.7 * stride * c - 0.16 * bend, 0.44 * c), (foot - 0.07 * bend, 0.13 * c),
        ];
        self.leg(pen, &joints, foot - 0.02 * bend, tone);
    }

    pub(super) fn leg(&self, pen: &mut Pen, joints: &[Point], foot: f32, tone: f32) {
        let (w0, w1) = self.leg;
        let paint = Paint::new(self.coat.scale(tone)).to(self.socks.scale(tone)).grain(Grain::Fur).post();
        let points: Vec<Point> = joints.iter().copied().chain([(foot, w1 * 0.5)]).collect();
        pen.limb(&points, w0 * 1.25, w1, paint);
        pen.oval(foot + w1 * 0.3, w1 * 0.34, w1 * 0.75, w1 * 0.36, Paint::new(self.socks.scale(tone * 0.9)).ball());
    }

    pub(super) fn body(&self, pen: &mut Pen) {
        let (r, c, b) = (self.reach, self.chest, self.back);
        let h = b - c;
        pen.blob(
            &[
                (-r * 1.24, c + h * 0.52), (-r * 1.12, b - h * 0.1), (-r * 0.72, b), (-r * 0.1, b - h * 0.07),
                    (r * 0.5, b - h * 0.01),
                (r * 0.9, b + h * 0.05), (r * 1.28, c + h * 0.62), (r * 1.16, c + h * 0.16), (r * 0.78, c - h * 0.04),
                (r * 0.2, c - h * 0.01), (-r * 0.4, c + h * 0.1), (-r * 0.8, c + h * 0.2), (-r * 1.12, c + h * 0.2),
            ],
            self.paint().form(Form::Beam).to(self.belly.mix(self.coat, 0.35)),
        );
        pen.limb(&[(r * 0.85, c + h * 0.62), ((r + self.head.0) * 0.5, (b + self.head.1) * 0.5), self.head],
            h * 0.8, self.neck, self.paint().form(Form::Beam));
    }

    pub(super) fn near_legs(&self, pen: &mut Pen) {
        self.hind_leg(pen, 0.0, -0.16, 1.0);
        self.fore_leg(pen, 0.02, 0.16, 1.0);
        // Haunch and shoulder bind the legs to the body.
        let (r, c, w) = (self.reach, self.chest, self.leg.0);
        let h = self.back - c;
        let x = -r * 0.9;
        pen.blob(
            &[
                (x - 0.16 * r - 0.1 * w, c + 0.62 * h), (x + 0.02 * r, self.back - 0.08 * h),
                    (x + 0.36 * r, c + 0.66 * h), (x + 0.36 * r, c + 0.2 * h),
                (x + 0.1 * r + 0.55 * w, c * 0.82), (x + 0.1 * r - 0.3 * w, c * 0.8),
                    (x - 0.14 * r - 0.1 * w, c + 0.2 * h),
            ],
            self.paint().ball(),
        );
        let x = r * 0.86;
        pen.blob(
            &[
                (x - 0.3 * r, c + 0.5 * h), (x - 0.08 * r, self.back - 0.12 * h), (x + 0.22 * r, c + 0.56 * h),
                    (x + 0.14 * r + 0.2 * w, c + 0.08 * h),
                (x + 0.5 * w, c * 0.82), (x - 0.4 * w, c * 0.82), (x - 0.2 * r, c + 0.12 * h),
            ],
            self.paint().ball(),
        );
    }
}

pub(super) fn eye(pen: &mut Pen, x: f32, y: f32, r: f32) {
    pen.disc(x, y, r, Paint::hex(0x1c_16_14));
    pen.disc(x + r * 0.3, y + r * 0.35, r * 0.32, Paint::hex(0xff_ff_ff).glow(0.8));
}

pub(super) fn ear(pen: &mut Pen, x: f32, y: f32, w: f32, h: f32, paint: Paint, inside: Option<u32>) {
    pen.blob(&[(x - w, y), (x - w * 0.15, y + h), (x + w * 0.2, y + h * 0.95), (x + w, y)], paint);
    if let Some(inside) = inside {
        pen.blob(&[(x - w * 0.45, y + h * 0.1), (x, y + h * 0.7), (x + w * 0.5, y + h * 0.1)], Paint::hex(inside));
    }
}

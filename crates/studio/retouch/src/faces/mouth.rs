//! The mouth of a face: its corners as the network of landmarks sees them, the rest by the light and the red of the
//! picture.

use super::Mouth;
use super::area::Area;
use super::landmarks::Landmarks;
use crate::Plane;
use crate::canvas::Canvas;

/// The least and the greatest half width of a mouth, in sides of the face.
const HALF: std::ops::Range<f32> = 0.13..0.26;
/// The most pixels in which a mouth is examined, of both sides of its face.
const LOOK: usize = 320;

/// The mouth between the corners of the lips, and the line along which it opens: darker than what is above and below,
/// or below visible teeth.
pub(super) fn mouth(canvas: &Canvas, (left, top): (f32, f32), side: f32, features: &Landmarks) -> Mouth {
    let [one, other] = features.corners();
    let (x, y) = (0.5 * (one.0 + other.0), features.lips().1);
    let half = (0.5 * (other.0 - one.0).abs()).clamp(HALF.start * side, HALF.end * side);
    let view = View::of(
        canvas,
        Area::square(left + 0.5 * side, top + 0.5 * side, 1.2 * side),
    );
    let cheeks = [(-0.2, 0.55), (0.2, 0.55), (-0.12, 0.62), (0.12, 0.62)];
    let skin: f32 = cheeks
        .iter()
        .map(|(u, v)| 0.25 * view.redness(left + (0.5 + u) * side, top + v * side))
        .sum();
    // Teeth are lighter than the lips above and below, and not red.
    let lighter = view.light(x, y) - 0.5 * (view.light(x, y - 0.07 * side) + view.light(x, y + 0.07 * side));
    let pale = skin + 0.02 - view.redness(x, y);
    let teeth = (lighter / 30.0).clamp(0.0, 1.0) * (8.0 * pale).clamp(0.0, 1.0);
    let line = |x: f32| {
        let score = |step: i32| {
            let y = y + 0.007 * side * step as f32;
            let reach = 0.03 * side;
            let valley = 0.5 * (view.light(x, y - reach) + view.light(x, y + reach)) - view.light(x, y);
            let edge = view.light(x, y - 0.6 * reach) - view.light(x, y + 0.6 * reach)
                + 160.0 * (view.redness(x, y + 0.6 * reach) - view.redness(x, y - 0.6 * reach));
            let far = step as f32 / 12.0;
            teeth * edge + (1.0 - teeth) * valley - 5.0 * far * far
        };
        let best = (-12..=12).max_by(|a, b| score(*a).total_cmp(&score(*b)));
        0.007 * side * best.unwrap_or(0) as f32
    };
    // A parabola through the lines of some columns: corners are higher in a smile.
    let columns: Vec<(f32, f32)> = (-3..=3)
        .map(|k| {
            let u = 0.25 * k as f32;
            (u * u, line(x + u * half))
        })
        .collect();
    let count = columns.len() as f32;
    let (mx, my) = columns.iter().fold((0.0, 0.0), |sum, one| {
        (sum.0 + one.0 / count, sum.1 + one.1 / count)
    });
    let (cross, square) = columns.iter().fold((0.0, 1e-6), |sum, one| {
        let away = one.0 - mx;
        (sum.0 + away * (one.1 - my), sum.1 + away * away)
    });
    let lift = (-cross / square).clamp(-0.03 * side, 0.09 * side);
    Mouth {
        x,
        y: y + my + lift * mx,
        half,
        lift,
        teeth,
        room: (side, side),
    }
}

/// A face in a size in which its mouth is examined. Places are pixels of the canvas.
struct View {
    area: Area,
    k: f32,
    light: Plane,
    redness: Plane,
}

impl View {
    fn of(canvas: &Canvas, area: Area) -> Self {
        let side = area.width.clamp(8, LOOK);
        let [r, g, b] = area.planes(canvas, side, side);
        let gray = r
            .zip(&g, |r, g| 0.299 * r + 0.587 * g)
            .zip(&b, |rg, b| rg + 0.114 * b);
        Self {
            area,
            k: side as f32 / area.width as f32,
            light: gray.blurred((side as f32 / 84.0).max(0.5)),
            redness: g.zip(&b, |g, b| 0.5 * (g + b)).zip(&r, |gb, r| (r - gb) / 255.0),
        }
    }

    fn at(&self, plane: &Plane, x: f32, y: f32) -> f32 {
        let (x, y) = (x - self.area.left as f32, y - self.area.top as f32);
        plane.bilinear(self.k * x - 0.5, self.k * y - 0.5)
    }

    /// From 0 to 255.
    fn light(&self, x: f32, y: f32) -> f32 {
        self.at(&self.light, x, y)
    }

    fn redness(&self, x: f32, y: f32) -> f32 {
        self.at(&self.redness, x, y)
    }
}

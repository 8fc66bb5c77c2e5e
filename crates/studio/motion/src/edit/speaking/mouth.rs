//! A mouth that opens in a picture: the lips part along their line, the jaw moves down, and what becomes visible
//! between them is drawn. Everything else is the picture, moved by less than a pixel where the movement ends.

use rayon::prelude::*;

use super::heard::Shape;
use atelier_picture::chance::smooth;
use atelier_retouch::canvas::Canvas;
use atelier_retouch::faces::Face;
use atelier_retouch::rgb::Rgb;

/// How far a mouth opens, in sides of the face, and the upper lip's share of it.
const GAP: f32 = 0.135;
const UPPER: f32 = 0.22;
/// How much wider and narrower it becomes.
const WIDER: f32 = 0.16;
/// Below the mouth, in sides of the face: how far the jaw moves along, where that ends, and the same above it.
const JAW: f32 = 0.2;
const THROAT: f32 = 0.46;
const NOSE: f32 = 0.17;

/// A mouth in a frame.
pub(super) struct Opened<'a> {
    canvas: &'a Canvas,
    face: Face,
    shape: Shape,
    half: f32,
    gap: f32,
    /// The light around the mouth.
    light: f32,
}

impl<'a> Opened<'a> {
    pub(super) fn new(canvas: &'a Canvas, face: Face, shape: Shape) -> Self {
        let half = face.mouth.half * (1.0 + WIDER * shape.wide - 0.06 * shape.open);
        let (mut sum, mut count) = (0.0, 0.0);
        for dx in -2..=2 {
            for dy in [-0.1, 0.12] {
                let (x, y) = (
                    face.mouth.x + 0.07 * dx as f32 * face.side,
                    face.mouth.y + dy * face.side,
                );
                sum += canvas.sample(x, y).luma();
                count += 1.0;
            }
        }
        Self {
            canvas,
            face,
            shape,
            half,
            gap: GAP * face.side * shape.open,
            light: sum / count,
        }
    }

    /// Draws the frame with this shape of the mouth into another canvas of its size.
    pub(super) fn draw(&self, out: &mut Canvas) {
        let frame = self.canvas.frame;
        out.pixels.copy_from_slice(&self.canvas.pixels);
        let Face { side, mouth, .. } = self.face;
        if self.gap < 0.3 && (self.half - mouth.half).abs() < 0.3 {
            return;
        }
        let rows = |y: f32| (y.max(0.0) as usize).min(frame.height);
        let (top, bottom) = (
            rows(mouth.y - 2.0 * NOSE * side),
            rows(mouth.y + 1.15 * THROAT * side),
        );
        let columns = |x: f32| (x.max(0.0) as usize).min(frame.width);
        let (left, right) = (columns(mouth.x - 0.6 * side), columns(mouth.x + 0.6 * side));
        out.pixels
            .par_chunks_mut(frame.width)
            .enumerate()
            .skip(top)
            .take(bottom.saturating_sub(top))
            .for_each(|(y, row)| {
                for (x, pixel) in row.iter_mut().enumerate().take(right).skip(left) {
                    // Edges within a pixel are drawn with four samples.
                    let (px, py) = (x as f32, y as f32);
                    let near = self.is_near_the_edge(px + 0.5, py + 0.5);
                    let color = if near {
                        let mut sum = Rgb(0.0, 0.0, 0.0);
                        for (dx, dy) in [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)] {
                            let one = self.color(px + dx, py + dy);
                            sum = Rgb(sum.0 + one.0, sum.1 + one.1, sum.2 + one.2);
                        }
                        Rgb(0.25 * sum.0, 0.25 * sum.1, 0.25 * sum.2)
                    } else {
                        self.color(px + 0.5, py + 0.5)
                    };
                    let [r, g, b] = color.to_bytes();
                    *pixel = [r, g, b, pixel[3]];
                }
            });
    }

    /// How far the mouth is open at a column, relative to its centre: lips meet at the corners.
    fn profile(&self, x: f32) -> f32 {
        let u = self.across(x);
        (1.0 - u * u).max(0.0).powf(0.75)
    }

    /// Returns the position of a column in the opening: from -1 at its left corner to 1 at the right one.
    fn across(&self, x: f32) -> f32 {
        let mouth = self.face.mouth;
        (x - mouth.x) / mouth.half_at(x, self.half).max(1.0)
    }

    /// The line along which the mouth opens.
    fn line(&self, x: f32) -> f32 {
        let mouth = self.face.mouth;
        let u = ((x - mouth.x) / mouth.half.max(1.0)).clamp(-1.2, 1.2);
        mouth.y - mouth.lift * u * u
    }

    /// The upper lip's part of the opening; visible teeth stay with it.
    fn upper(&self) -> f32 {
        UPPER * (1.0 - 0.8 * self.face.mouth.teeth)
    }

    fn is_near_the_edge(&self, x: f32, y: f32) -> bool {
        let open = self.profile(x) * self.gap;
        let v = y - self.line(x);
        open > 0.0 && v > -self.upper() * open - 1.5 && v < (1.0 - self.upper()) * open + 1.5
    }

    fn color(&self, x: f32, y: f32) -> Rgb {
        let Face { side, mouth, .. } = self.face;
        let open = self.profile(x) * self.gap;
        let line = self.line(x);
        let (up, down) = (self.upper() * open, (1.0 - self.upper()) * open);
        let v = y - line;
        if v > -up && v < down {
            return self.inside((v + up) / open.max(1e-3), x, open);
        }
        // The jaw moves down a little further out than the lips part.
        let jaw = {
            let u = (x - mouth.x) / (0.36 * side);
            0.62 * (1.0 - self.upper()) * self.gap * (1.0 - u * u).max(0.0)
        };
        let source_y = if v >= down {
            // The pixel here came from above: found by iteration, because the movement depends on its origin.
            let mut from = v - down;
            for _ in 0..5 {
                let near = (-from / (0.06 * side)).exp();
                let along = 1.0 - smooth(JAW * side, THROAT * side, from);
                let moved = near * down + (1.0 - near) * jaw.min(down.max(jaw)) * along;
                from = (v - moved).max(0.0);
            }
            line + from
        } else {
            let mut from = -v - up;
            for _ in 0..4 {
                let moved = up * (1.0 - smooth(0.0, NOSE * side, from));
                from = (-v - moved).max(0.0);
            }
            line - from
        };
        // Wider or rounder, less with the distance from the mouth.
        let (dx, dy) = (x - mouth.x, y - mouth.y);
        let falls = (-(dx * dx) / (0.12 * side * side) - (dy * dy) / (0.02 * side * side)).exp();
        let scale = 1.0 + (self.half / mouth.half.max(1.0) - 1.0) * falls;
        self.canvas.sample(mouth.x + dx / scale.max(0.5), source_y)
    }

    /// Returns the colour between the lips, from the upper one (0) to the lower (1).
    fn inside(&self, part: f32, x: f32, open: f32) -> Rgb {
        let Face { side, mouth, .. } = self.face;
        let light = (0.35 + 0.9 * self.light).min(1.1);
        let dark = Rgb(0.2 * light, 0.07 * light, 0.075 * light);
        let u = self.across(x);
        // Lips cast a shadow into it.
        let shadow = smooth(0.0, 0.14, part) * (1.0 - 0.5 * smooth(0.86, 1.0, part));
        let mut color = dark.scale(0.55 + 0.45 * shadow);
        // The tongue, low and in the centre.
        let tongue = smooth(0.55, 1.0, part + 0.18 * (1.0 - u * u)) * (1.0 - smooth(0.5, 0.95, u.abs()));
        color = color.mix(Rgb(0.5 * light, 0.22 * light, 0.22 * light), 0.75 * tongue);
        // The upper teeth have a fixed length, whatever the mouth does; a round mouth hides them.
        let long = 0.034 * side * (1.0 - 0.6 * (-self.shape.wide).max(0.0));
        let at = part * open;
        let teeth = (1.0 - smooth(0.75 * long, 1.1 * long, at)) * (1.0 - smooth(0.62, 0.9, u.abs()));
        let shade = 0.8 + 0.2 * smooth(0.0, 0.5 * long, at);
        let white = Rgb(0.93 * shade * light, 0.9 * shade * light, 0.86 * shade * light);
        let drawn = 0.88 * (1.0 - mouth.teeth);
        color = color.mix(white, drawn * teeth * smooth(0.03 * side, 0.055 * side, open));
        color
    }
}

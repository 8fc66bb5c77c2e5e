//! Faces: where they are in a picture, and where their mouths are. Frontal faces of people are found by a cascade
//! over patterns of light; drawings and animals by saliency and the features of a face: see [`Face::of_subject`].

mod cascade;
mod subject;
#[cfg(test)]
mod tests;

use rayon::prelude::*;

use crate::Plane;
use crate::canvas::Canvas;
use crate::flow::lightness;
use cascade::{Sums, WINDOW};

/// The longer side at which faces are looked for.
const SIDE: usize = 400;
/// The ratio of face sizes, and the number of windows that must agree on a face.
const GROWS: f32 = 1.12;
const AGREE: usize = 3;
/// Where the mouth usually is in a face's square, from its top.
const MOUTH: f32 = 0.8;
/// How much redder than the cheeks lips are, and the share of it that is required.
const RED: f32 = 0.03;
const LIPS: f32 = 0.35;

/// A face, in pixels of the picture: its square, and its mouth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Face {
    pub x: f32,
    pub y: f32,
    pub side: f32,
    pub mouth: Mouth,
}

/// The centre of the line along which a mouth opens, and half of its width.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mouth {
    pub x: f32,
    pub y: f32,
    pub half: f32,
    /// How much higher its corners are.
    pub lift: f32,
    /// How visible the teeth are above the line, 0 to 1.
    pub teeth: f32,
    /// How far the head reaches from the centre to the left and to the right: in profile a mouth ends where the head
    /// does.
    pub room: (f32, f32),
}

impl Mouth {
    /// How much of a half opening `half` the head has room for, on the side of a place `x`.
    pub fn half_at(&self, x: f32, half: f32) -> f32 {
        half.min(if x < self.x { self.room.0 } else { self.room.1 })
    }
}

impl Face {
    /// The largest face of a picture, as the cascade sees it; searched near `about` if that is known.
    pub fn in_picture(canvas: &Canvas, about: Option<Self>) -> Option<Self> {
        let (small, k) = reduced(canvas);
        let light = lightness(&small);
        let square = squares(&light, about.map(|face| face.scaled(k)))
            .into_iter()
            .max_by(|a, b| (a.2 * a.3 as f32).total_cmp(&(b.2 * b.3 as f32)))?;
        let (x, y, side, _) = square;
        let mouth = mouth(&small, &light, (x, y, side));
        Some(Self { x, y, side, mouth }.scaled(1.0 / k))
    }

    pub fn scaled(self, k: f32) -> Self {
        Self {
            x: k * self.x,
            y: k * self.y,
            side: k * self.side,
            mouth: Mouth {
                x: k * self.mouth.x,
                y: k * self.mouth.y,
                half: k * self.mouth.half,
                lift: k * self.mouth.lift,
                teeth: self.mouth.teeth,
                room: (k * self.mouth.room.0, k * self.mouth.room.1),
            },
        }
    }

    /// A mixture of two, `part` of it the other.
    pub fn mixed(self, other: Self, part: f32) -> Self {
        let mix = |a: f32, b: f32| a + (b - a) * part;
        Self {
            x: mix(self.x, other.x),
            y: mix(self.y, other.y),
            side: mix(self.side, other.side),
            mouth: Mouth {
                x: mix(self.mouth.x, other.mouth.x),
                y: mix(self.mouth.y, other.mouth.y),
                half: mix(self.mouth.half, other.mouth.half),
                lift: mix(self.mouth.lift, other.mouth.lift),
                teeth: mix(self.mouth.teeth, other.mouth.teeth),
                room: (
                    mix(self.mouth.room.0, other.mouth.room.0),
                    mix(self.mouth.room.1, other.mouth.room.1),
                ),
            },
        }
    }
}

fn reduced(canvas: &Canvas) -> (Canvas, f32) {
    let (w, h) = (canvas.frame.width, canvas.frame.height);
    let k = (SIDE as f32 / w.max(h) as f32).min(1.0);
    let side = |length: usize| ((length as f32 * k).round() as usize).max(8);
    (canvas.reduced(side(w), side(h)), k)
}

/// All squares that show faces: corner, side, and the number of windows that agree.
fn squares(light: &Plane, about: Option<Face>) -> Vec<(f32, f32, f32, usize)> {
    let shorter = light.width.min(light.height) as f32;
    let mut sizes = Vec::new();
    // A face is at most as large as the picture and at least a twelfth of it.
    let mut side = shorter;
    while side >= (shorter / 12.0).max(WINDOW as f32) {
        if about.is_none_or(|face| (face.side / side).ln().abs() < 0.3) {
            sizes.push(side);
        }
        side /= GROWS;
    }
    let found: Vec<(f32, f32, f32)> = sizes
        .par_iter()
        .flat_map_iter(|side| {
            let k = WINDOW as f32 / side;
            let (w, h) = (
                (light.width as f32 * k).round() as usize,
                (light.height as f32 * k).round() as usize,
            );
            let mut windows = Vec::new();
            if w >= WINDOW && h >= WINDOW {
                let sums = Sums::of(&light.resized(w, h));
                let near = |corner: Option<f32>, most: usize| {
                    let corner = corner.map(|corner| k * corner);
                    let reach = 0.5 * WINDOW as f32;
                    let from = corner.map_or(0, |corner| (corner - reach).max(0.0) as usize);
                    let to = corner.map_or(most, |corner| ((corner + reach).max(0.0) as usize).min(most));
                    from..=to
                };
                for top in near(about.map(|face| face.y), h - WINDOW) {
                    for left in near(about.map(|face| face.x), w - WINDOW) {
                        if sums.show_a_face(left, top) {
                            windows.push((left as f32 / k, top as f32 / k, *side));
                        }
                    }
                }
            }
            windows
        })
        .collect();
    grouped(&found)
}

/// Overlapping windows, as their mean.
fn grouped(found: &[(f32, f32, f32)]) -> Vec<(f32, f32, f32, usize)> {
    let alike = |a: &(f32, f32, f32), b: &(f32, f32, f32)| {
        let near = 0.2 * a.2.min(b.2);
        (a.0 - b.0).abs() < near && (a.1 - b.1).abs() < near && (a.2 / b.2).ln().abs() < 0.3
    };
    let mut group_of = vec![usize::MAX; found.len()];
    let mut groups = Vec::new();
    for first in 0..found.len() {
        if group_of[first] != usize::MAX {
            continue;
        }
        group_of[first] = groups.len();
        let (mut sum, mut count) = ((0.0, 0.0, 0.0), 0);
        let mut open = vec![first];
        while let Some(at) = open.pop() {
            let one = found[at];
            sum = (sum.0 + one.0, sum.1 + one.1, sum.2 + one.2);
            count += 1;
            for next in 0..found.len() {
                if group_of[next] == usize::MAX && alike(&one, &found[next]) {
                    group_of[next] = groups.len();
                    open.push(next);
                }
            }
        }
        let n = count as f32;
        groups.push((sum.0 / n, sum.1 / n, sum.2 / n, count));
    }
    groups.retain(|group| group.3 >= AGREE);
    groups
}

/// The mouth in a face's square: its centre and width by the red of the lips, or by the line that is darker than
/// what is above and below; then the line along which it opens, which runs below visible teeth.
fn mouth(picture: &Canvas, light: &Plane, (left, top, side): (f32, f32, f32)) -> Mouth {
    let middle = left + 0.5 * side;
    let soft = light.blurred((side / 70.0).max(0.5));
    let redness = |x: f32, y: f32| {
        let p = picture.sample(x, y);
        p.0 - 0.5 * (p.1 + p.2)
    };
    let skin = {
        let cheeks = [(-0.2, 0.55), (0.2, 0.55), (-0.12, 0.62), (0.12, 0.62)];
        let sum: f32 = cheeks
            .iter()
            .map(|(x, y)| redness(middle + x * side, top + y * side))
            .sum();
        sum / cheeks.len() as f32
    };
    let (mut sums, mut weight) = ([0.0_f32; 3], 0.0_f32);
    for down in 0..=24 {
        for across in -14..=14 {
            let (u, v) = (0.018 * across as f32, MOUTH - 0.15 + 0.0125 * down as f32);
            let (x, y) = (middle + u * side, top + v * side);
            let usual = (-((v - MOUTH) / 0.08).powi(2) - (u / 0.2).powi(4)).exp();
            let k = (redness(x, y) - skin - RED).max(0.0) * usual;
            sums = [sums[0] + k * u, sums[1] + k * v, sums[2] + k * u * u];
            weight += k;
        }
    }
    let mut found = (0.0, MOUTH, 0.19);
    if weight > LIPS {
        let (u, v) = (sums[0] / weight, sums[1] / weight);
        let spread = (sums[2] / weight - u * u).max(0.0).sqrt();
        found = (u, v, (1.85 * spread).clamp(0.15, 0.25));
    }
    let (u, v, half) = found;
    let (x, y) = (middle + u * side, top + v * side);
    // Teeth are lighter than the lips above and below, and not red.
    let luma = |x: f32, y: f32| soft.bilinear(x - 0.5, y - 0.5);
    let lighter = luma(x, y) - 0.5 * (luma(x, y - 0.07 * side) + luma(x, y + 0.07 * side));
    let pale = skin + 0.02 - redness(x, y);
    let teeth = (lighter / 30.0).clamp(0.0, 1.0) * (8.0 * pale).clamp(0.0, 1.0);
    let line = |x: f32| {
        let score = |step: i32| {
            let y = y + 0.007 * side * step as f32;
            let reach = 0.03 * side;
            let valley = 0.5 * (luma(x, y - reach) + luma(x, y + reach)) - luma(x, y);
            let edge = luma(x, y - 0.6 * reach) - luma(x, y + 0.6 * reach)
                + 160.0 * (redness(x, y + 0.6 * reach) - redness(x, y - 0.6 * reach));
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
            (u * u, line(x + u * half * side))
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
        half: half * side,
        lift,
        teeth,
        room: (side, side),
    }
}

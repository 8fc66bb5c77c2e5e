//! Pictures of pieces: triangles of low poly, and panes of coloured glass held by lead.

use rayon::prelude::*;

use super::desk::{Desk, part};
use super::fields::outlines;
use super::{map, sample_small, small};
use crate::chance::{fbm, hash, smooth, value};
use crate::draw::Figures;
use atelier_retouch::canvas::Canvas;
use atelier_retouch::rgb::{Rgb, WHITE};

/// A point of a jittered grid.
fn knot(ix: i32, iy: i32, cell: f32, seed: u32) -> (f32, f32) {
    let h = hash(ix, iy, seed);
    let jitter = |bits: u32| ((bits & 0xffff) as f32 / 65536.0 - 0.5) * 0.72;
    (
        (ix as f32 + 0.5 + jitter(h)) * cell,
        (iy as f32 + 0.5 + jitter(h >> 16)) * cell,
    )
}

fn side(a: (f32, f32), b: (f32, f32), p: (f32, f32)) -> f32 {
    (b.0 - a.0) * (p.1 - a.1) - (b.1 - a.1) * (p.0 - a.0)
}

/// One colour in a triangle.
#[derive(Clone, Copy)]
struct Facet {
    corners: [(f32, f32); 3],
    middle: (f32, f32),
    color: Rgb,
}

impl Facet {
    fn holds(&self, p: (f32, f32)) -> bool {
        let [a, b, c] = self.corners;
        let (s, t, u) = (side(a, b, p), side(b, c, p), side(c, a, p));
        (s >= 0.0 && t >= 0.0 && u >= 0.0) || (s <= 0.0 && t <= 0.0 && u <= 0.0)
    }
}

/// The triangles between the knots of a jittered grid, two to each four knots.
struct Mesh {
    cell: f32,
    columns: i32,
    rows: i32,
    facets: Vec<[Facet; 2]>,
}

/// Knots beyond each border of the picture, so that its outermost pixels lie in a triangle too.
const BEYOND: i32 = 3;

/// The picture that a mesh is fitted to: reduced until the grain is gone and the outlines are not.
struct Seen<'a> {
    canvas: &'a Canvas,
    small: Canvas,
    /// How much the colour changes at each pixel of the reduced picture.
    change: Canvas,
}

impl<'a> Seen<'a> {
    fn new(canvas: &'a Canvas) -> Self {
        let small = small(canvas, 0.003);
        let change = map(&small, |x, y| {
            let (x, y) = (x as i32, y as i32);
            let across = small.near(x + 1, y).distance(small.near(x - 1, y));
            let down = small.near(x, y + 1).distance(small.near(x, y - 1));
            let k = (across + down).sqrt().min(1.0);
            Rgb(k, k, k)
        });
        Self {
            canvas,
            small,
            change,
        }
    }

    fn color(&self, (u, v): (f32, f32)) -> Rgb {
        let px = self.canvas.frame.px;
        sample_small(&self.small, self.canvas, u * px, v * px)
    }

    /// The outline nearest to a point, if there is one within reach; otherwise the point.
    fn outline(&self, (u, v): (f32, f32), reach: f32) -> (f32, f32) {
        const STEPS: i32 = 5;
        let px = self.canvas.frame.px;
        let mut best = ((u, v), 0.09);
        for dy in -STEPS..=STEPS {
            for dx in -STEPS..=STEPS {
                let (dx, dy) = (dx as f32 / STEPS as f32, dy as f32 / STEPS as f32);
                let far = dx.hypot(dy);
                if far > 1.0 {
                    continue;
                }
                let at = (u + dx * reach, v + dy * reach);
                let change = sample_small(&self.change, self.canvas, at.0 * px, at.1 * px).0;
                if change * (1.0 - 0.4 * far) > best.1 {
                    best = (at, change * (1.0 - 0.4 * far));
                }
            }
        }
        best.0
    }
}

impl Mesh {
    /// A mesh over the picture, each triangle in the colour it covers. Its knots move to nearby outlines, unless the
    /// mesh is fixed.
    fn new(seen: &Seen<'_>, cell: f32, seed: u32, stays: bool) -> Self {
        let frame = seen.canvas.frame;
        let count = |length: f32| (length / cell).ceil() as i32 + 2 * BEYOND;
        let (columns, rows) = (count(frame.w), count(frame.h));
        let knots: Vec<(f32, f32)> = (0..=rows)
            .flat_map(|y| (0..=columns).map(move |x| (x - BEYOND, y - BEYOND)))
            .collect::<Vec<_>>()
            .into_par_iter()
            .map(|(x, y)| match knot(x, y, cell, seed) {
                place if stays => place,
                place => seen.outline(place, cell * 0.42),
            })
            .collect();
        let paint = |corners: [(f32, f32); 3], number: u32| {
            let [a, b, c] = corners;
            let middle = ((a.0 + b.0 + c.0) / 3.0, (a.1 + b.1 + c.1) / 3.0);
            let tone = 1.0 + ((number & 255) as f32 / 255.0 - 0.5) * 0.13;
            let toward = |p: (f32, f32)| ((middle.0 + p.0) * 0.5, (middle.1 + p.1) * 0.5);
            let covered = corners
                .iter()
                .fold(seen.color(middle), |sum, p| sum.plus(seen.color(toward(*p))));
            Facet {
                corners,
                middle,
                color: covered.scale(0.25).saturate(1.15).scale(tone),
            }
        };
        let pair = |x: i32, y: i32| {
            let k = |dx: i32, dy: i32| knots[((y + dy) * (columns + 1) + x + dx) as usize];
            let (a, b, c, d) = (k(0, 0), k(1, 0), k(0, 1), k(1, 1));
            let number = |i: u32| hash(x, y, seed ^ (11 + i));
            if hash(x, y, seed ^ 5) & 1 == 0 {
                [paint([a, b, d], number(0)), paint([a, d, c], number(1))]
            } else {
                [paint([a, b, c], number(0)), paint([b, d, c], number(1))]
            }
        };
        let facets = (0..rows * columns)
            .into_par_iter()
            .map(|i| pair(i % columns, i / columns))
            .collect();
        Self {
            cell,
            columns,
            rows,
            facets,
        }
    }

    fn facet(&self, number: u32) -> Option<&Facet> {
        let pair = self.facets.get(number as usize / 2)?;
        pair.get(number as usize % 2)
    }

    /// The number of the triangle that holds a point; usually one between the four knots around it.
    fn find(&self, u: f32, v: f32) -> u32 {
        let (ix, iy) = (
            (u / self.cell - 0.5).floor() as i32 + BEYOND,
            (v / self.cell - 0.5).floor() as i32 + BEYOND,
        );
        let found = (0..=2_i32).find_map(|ring| {
            (-ring..=ring)
                .flat_map(|dy| (-ring..=ring).map(move |dx| (dx, dy)))
                .filter(|(dx, dy)| dx.abs().max(dy.abs()) == ring)
                .map(|(dx, dy)| (ix + dx, iy + dy))
                .filter(|(x, y)| (0..self.columns).contains(x) && (0..self.rows).contains(y))
                .flat_map(|(x, y)| [0, 1].map(|k| 2 * (y * self.columns + x) as u32 + k))
                .find(|number| self.facet(*number).is_some_and(|facet| facet.holds((u, v))))
        });
        found.unwrap_or(NOWHERE)
    }
}

/// The number of no triangle.
const NOWHERE: u32 = u32::MAX;

pub(super) fn low_poly(canvas: &Canvas, figures: &Figures, seed: u32, desk: &Desk) -> Canvas {
    let frame = canvas.frame;
    let unit = 1.0 / frame.px;
    let fine = 1.0 + 0.25 * frame.extra() as f32;
    let (large, little) = (0.066 / fine, 0.019 / fine);
    let softer = small(canvas, large * 0.4);
    // The mesh is fine where there is detail.
    let busy = map(&softer, |x, y| {
        let mut most = 0.0_f32;
        let here = softer.at(x, y);
        for (dx, dy) in [(1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, -1)] {
            most = most.max(here.distance(softer.near(x as i32 + dx, y as i32 + dy)));
        }
        let k = most.sqrt();
        Rgb(k, k, k)
    });
    let seen = Seen::new(canvas);
    // In a film the meshes stay, so still things stay still.
    let stays = desk.is_of_a_film();
    let meshes = [large, little * 1.8, little, little * 1.3];
    let [plain, middling, detailed, figure] =
        [0, 1, 2, 3].map(|k| Mesh::new(&seen, meshes[k], seed ^ (1 + k as u32), stays));
    let sheet = stays.then(|| {
        desk.sheet(frame, || {
            |x, y| {
                let (u, v) = ((x as f32 + 0.5) * unit, (y as f32 + 0.5) * unit);
                [&plain, &middling, &detailed, &figure].map(|mesh| mesh.find(u, v))
            }
        })
    });
    map(canvas, |x, y| {
        let (u, v) = ((x as f32 + 0.5) * unit, (y as f32 + 0.5) * unit);
        let id = canvas.id(x as i32, y as i32);
        let numbers = sheet.as_ref().map(|sheet| sheet.at(x, y));
        let facet = |mesh: &'_ Mesh, k: usize| {
            let number = numbers.map_or_else(|| mesh.find(u, v), |numbers| numbers[k]);
            mesh.facet(number).copied()
        };
        if figures[usize::from(id)] {
            // The main subject keeps its outline, and has its own facets.
            let own = |m: (f32, f32)| canvas.id((m.0 * frame.px) as i32, (m.1 * frame.px) as i32) == id;
            return match facet(&figure, 3) {
                Some(facet) if own(facet.middle) => facet.color,
                _ => seen.color((u, v)).saturate(1.15),
            };
        }
        let Some(coarse) = facet(&plain, 0) else {
            return seen.color((u, v));
        };
        let (mx, my) = (coarse.middle.0 * frame.px, coarse.middle.1 * frame.px);
        let detail = sample_small(&busy, canvas, mx, my).0;
        let fine = match detail {
            d if d < 0.05 => None,
            d if d < 0.13 => facet(&middling, 1),
            _ => facet(&detailed, 2),
        };
        fine.unwrap_or(coarse).color
    })
}

pub(super) fn glass(canvas: &Canvas, figures: &Figures, seed: u32) -> Canvas {
    let frame = canvas.frame;
    let unit = 1.0 / frame.px;
    let soft = small(canvas, 0.006);
    let reach = (frame.px * 0.0026).round().max(1.0) as usize;
    let outlines = outlines(canvas, reach, |other, _| other);
    map(canvas, |x, y| {
        let (u, v) = ((x as f32 + 0.5) * unit, (y as f32 + 0.5) * unit);
        let id = canvas.id(x as i32, y as i32);
        let cell = if figures[usize::from(id)] { 0.042 } else { 0.08 };
        // Panes: cells of a jittered grid, stretched a little upward.
        let (mut first, mut second, mut at, mut number) = (f32::MAX, f32::MAX, (u, v), 0);
        let (gu, gv) = (u, v * 0.86);
        let (ix, iy) = ((gu / cell - 0.5).floor() as i32, (gv / cell - 0.5).floor() as i32);
        for dy in -1..=2 {
            for dx in -1..=2 {
                let k = knot(ix + dx, iy + dy, cell, seed);
                let d = (k.0 - gu).hypot(k.1 - gv);
                if d < first {
                    (second, first, at, number) = (first, d, (k.0, k.1 / 0.86), hash(ix + dx, iy + dy, seed));
                } else if d < second {
                    second = d;
                }
            }
        }
        // A pane takes the colour at its centre if that belongs to the same thing, otherwise its own.
        let (mx, my) = ((at.0 * frame.px) as i32, (at.1 * frame.px) as i32);
        let own = sample_small(&soft, canvas, x as f32, y as f32);
        let color = if canvas.id(mx, my) == id {
            sample_small(&soft, canvas, at.0 * frame.px, at.1 * frame.px)
        } else {
            own
        };
        let tone = 0.86 + 0.34 * (number & 255) as f32 / 255.0;
        let wave = fbm(u * 15.0, v * 22.0, 3, seed ^ number) - 0.5;
        let spot = (-((u - frame.w * 0.5).powi(2) + (v - frame.h * 0.42).powi(2)) * 2.2).exp();
        let mut c = color
            .saturate(1.75)
            .scale(tone * (0.86 + 0.3 * spot))
            .plus(Rgb(wave, wave, wave).scale(0.16))
            .clamp();
        let inner = smooth(0.0, 0.016, (second - first) * 0.5);
        c = c
            .scale(0.72 + 0.28 * inner)
            .mix(WHITE, 0.14 * smooth(0.3, 0.5, wave + 0.1 * inner));
        let other = part(outlines[y * frame.width + x]);
        let lead = smooth(0.0032, 0.0022, (second - first) * 0.5).max(smooth(0.1, 0.3, other));
        let m = u.min(frame.w - u).min(v.min(frame.h - v));
        let lead = lead.max(smooth(0.014, 0.012, m));
        let gleam = value(u * 60.0, v * 60.0, seed ^ 9) * 0.16;
        c.mix(Rgb::hex(0x1c_1c_22).plus(Rgb(gleam, gleam, gleam)), lead)
    })
}

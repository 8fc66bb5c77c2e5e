//! Pictures of pieces: triangles of low poly, and panes of coloured glass held by lead.

use super::{edge, map, sample_small, small};
use crate::image::chance::{fbm, hash, smooth, value};
use crate::image::color::{Rgb, WHITE};
use crate::image::draw::Canvas;
use crate::image::scene::Figures;

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

/// The triangle of a jittered grid that holds a point: its middle and a number.
fn facet(u: f32, v: f32, cell: f32, seed: u32) -> Option<((f32, f32), u32)> {
    let (ix, iy) = ((u / cell - 0.5).floor() as i32, (v / cell - 0.5).floor() as i32);
    for dy in -1..=1 {
        for dx in -1..=1 {
            let (x, y) = (ix + dx, iy + dy);
            let (a, b) = (knot(x, y, cell, seed), knot(x + 1, y, cell, seed));
            let (c, d) = (knot(x, y + 1, cell, seed), knot(x + 1, y + 1, cell, seed));
            let flip = hash(x, y, seed ^ 5) & 1 == 0;
            let pair = if flip {
                [(a, b, d), (a, d, c)]
            } else {
                [(a, b, c), (b, d, c)]
            };
            for (i, (p, q, r)) in pair.into_iter().enumerate() {
                let t = (u, v);
                let (s0, s1, s2) = (side(p, q, t), side(q, r, t), side(r, p, t));
                if (s0 >= 0.0 && s1 >= 0.0 && s2 >= 0.0) || (s0 <= 0.0 && s1 <= 0.0 && s2 <= 0.0) {
                    let middle = ((p.0 + q.0 + r.0) / 3.0, (p.1 + q.1 + r.1) / 3.0);
                    return Some((middle, hash(x, y, seed ^ (11 + i as u32))));
                }
            }
        }
    }
    None
}

pub(super) fn low_poly(canvas: &Canvas, figures: &Figures, seed: u32) -> Canvas {
    let frame = canvas.frame;
    let unit = 1.0 / frame.px;
    let fine = 1.0 + 0.25 * frame.extra() as f32;
    let (large, little) = (0.066 / fine, 0.019 / fine);
    let soft = small(canvas, little * 0.8);
    let softer = small(canvas, large * 0.4);
    // Where there is detail the mesh is fine.
    let busy = map(&softer, |x, y| {
        let mut most = 0.0_f32;
        let here = softer.at(x, y);
        for (dx, dy) in [(1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, -1)] {
            most = most.max(here.distance(softer.near(x as i32 + dx, y as i32 + dy)));
        }
        let k = most.sqrt();
        Rgb(k, k, k)
    });
    map(canvas, |x, y| {
        let (u, v) = ((x as f32 + 0.5) * unit, (y as f32 + 0.5) * unit);
        let pick = |cell: f32, source: &Canvas, salt: u32| {
            facet(u, v, cell, seed ^ salt).map(|(m, n)| {
                let tone = 1.0 + ((n & 255) as f32 / 255.0 - 0.5) * 0.13;
                (
                    sample_small(source, canvas, m.0 * frame.px, m.1 * frame.px)
                        .saturate(1.15)
                        .scale(tone),
                    m,
                )
            })
        };
        let coarse = pick(large, &softer, 1);
        let Some((color, m)) = coarse else {
            return canvas.at(x, y);
        };
        let detail = sample_small(&busy, canvas, m.0 * frame.px, m.1 * frame.px).0;
        if figures[usize::from(canvas.id(x as i32, y as i32))] {
            // What the picture is about keeps its outline, and has facets of its own.
            let own = canvas.id(x as i32, y as i32);
            let inside = |m: (f32, f32)| canvas.id((m.0 * frame.px) as i32, (m.1 * frame.px) as i32) == own;
            return match pick(little * 1.3, &soft, 4) {
                Some((c, m)) if inside(m) => c,
                _ => sample_small(&soft, canvas, x as f32 + 0.5, y as f32 + 0.5).saturate(1.15),
            };
        }
        if detail < 0.05 {
            return color;
        }
        pick(
            if detail < 0.13 { little * 1.8 } else { little },
            &soft,
            if detail < 0.13 { 2 } else { 3 },
        )
        .map_or(color, |(c, _)| c)
    })
}

pub(super) fn glass(canvas: &Canvas, figures: &Figures, seed: u32) -> Canvas {
    let frame = canvas.frame;
    let unit = 1.0 / frame.px;
    let soft = small(canvas, 0.006);
    let reach = (frame.px * 0.0026).round().max(1.0) as i32;
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
        // A pane takes the colour at its middle when that belongs to the same thing, else its own.
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
        let (other, _) = edge(canvas, x, y, reach);
        let lead = smooth(0.0032, 0.0022, (second - first) * 0.5).max(smooth(0.1, 0.3, other));
        let m = u.min(frame.w - u).min(v.min(frame.h - v));
        let lead = lead.max(smooth(0.014, 0.012, m));
        let gleam = value(u * 60.0, v * 60.0, seed ^ 9) * 0.16;
        c.mix(Rgb::hex(0x1c_1c_22).plus(Rgb(gleam, gleam, gleam)), lead)
    })
}

//! Watercolor: pigment that runs, settles at the rim of each wash and into the hollows of the paper.

use super::desk::{Desk, byte, part};
use super::{map, outline, sample_small, small};
use crate::image::chance::{Coarse, fbm, smooth, value};
use crate::image::color::{Rgb, WHITE};
use crate::image::draw::Canvas;

/// What the paper and the water do at a place, whatever is painted there.
#[derive(Clone, Copy)]
struct Paper {
    /// How far the edges of washes wander, in pixels.
    wander: (f32, f32),
    /// How thick the paint lies.
    density: f32,
    /// The relief, the painted part of the sheet, and the rim of it.
    grain: u8,
    inside: u8,
    rim: u8,
}

pub(super) fn watercolor(canvas: &Canvas, seed: u32, desk: &Desk) -> Canvas {
    let frame = canvas.frame;
    let px = frame.px;
    let unit = 1.0 / px;
    let soft = small(canvas, 0.0045);
    let wide = small(&soft, 0.016);
    let sheet = desk.sheet(frame, || {
        let field =
            |per_unit: f32, f: &(dyn Fn(f32, f32) -> f32 + Sync)| Coarse::new(frame.w, frame.h, per_unit, f);
        let wander = field(240.0, &|u, v| fbm(u * 9.0, v * 9.0, 4, seed) - 0.5);
        let drift = field(240.0, &|u, v| fbm(u * 9.0 + 31.0, v * 9.0, 4, seed) - 0.5);
        let blooms = field(120.0, &|u, v| {
            smooth(0.5, 0.78, fbm(u * 3.2 + 5.0, v * 3.2, 4, seed ^ 4))
        });
        let flows = field(300.0, &|u, v| fbm(u * 24.0, v * 24.0, 3, seed ^ 5) - 0.5);
        move |x, y| {
            let (u, v) = (x as f32 * unit, y as f32 * unit);
            let (a, b) = (wander.at(u, v), drift.at(u, v));
            let fine = value(u * 120.0, v * 120.0, seed ^ 7) - 0.5;
            // Blooms: water pushed the pigment away.
            let density = 0.9 - 0.16 * blooms.at(u, v) + 0.24 * flows.at(u + 0.04 * a, v);
            // The sheet is not painted to its edge.
            let rim = (u.min(frame.w - u)).min(v.min(frame.h - v));
            let ragged = if rim < 0.05 {
                fbm(u * 30.0, v * 30.0, 3, seed ^ 6) - 0.5
            } else {
                0.0
            };
            let border = rim + 0.011 * a + 0.004 * fine - 0.012 * ragged;
            // The paper: a fine relief, the same everywhere.
            let grain =
                0.6 * value(u * 260.0, v * 260.0, seed ^ 1) + 0.4 * value(u * 520.0, v * 520.0, seed ^ 2);
            Paper {
                wander: ((a * 0.017 + fine * 0.002) * px, (b * 0.017 + fine * 0.002) * px),
                density,
                grain: byte(grain),
                inside: byte(smooth(0.018, 0.0235, border)),
                rim: byte(smooth(0.018, 0.022, border) * smooth(0.034, 0.023, border)),
            }
        }
    });
    let reach = (px * 0.0022).max(1.0) as usize;
    map(canvas, |x, y| {
        let paper = sheet.at(x, y);
        let grain = part(paper.grain) - 0.5;
        let bare = Rgb::hex(0xfb_f7_ee).scale(0.985 + 0.03 * grain);
        if paper.inside == 0 {
            return bare;
        }
        // The edges of washes wander.
        let (sx, sy) = (x as f32 + 0.5 + paper.wander.0, y as f32 + 0.5 + paper.wander.1);
        let here = sample_small(&soft, canvas, sx, sy);
        let crisp = canvas.sample(sx, sy);
        let around = sample_small(&wide, canvas, sx, sy);
        let mut c = crisp.mix(here, 0.35);
        // Pigment gathers where a wash ends: darker than its surroundings gets darker at the rim.
        let rim = (around.luma() - c.luma()).clamp(-0.2, 0.2);
        c = c
            .scale(1.0 - 0.62 * rim.max(0.0))
            .mix(WHITE, (-rim).max(0.0) * 0.35);
        let other = outline(
            canvas,
            (sx.max(0.0) as usize).min(frame.width - 1),
            (sy.max(0.0) as usize).min(frame.height - 1),
            reach,
        );
        c = c.scale(1.0 - 0.16 * other);
        // Thin paint shows the paper, thick paint hides it: density instead of brightness.
        let density = paper.density + 0.16 * grain * (1.3 - c.luma());
        let c = c.saturate(1.24).clamp();
        let thick = (density.max(0.2) * 0.94 - 0.5) * 2.0;
        // A power between the root and the number itself, close enough for paint and far cheaper.
        let layer = |v: f32| {
            let v = v.max(0.02);
            let root = v.sqrt();
            root + (v - root) * thick
        };
        let c = Rgb(layer(c.0), layer(c.1), layer(c.2)).scale(1.0 - 0.13 * part(paper.rim));
        bare.mix(bare.times(c).mix(c, 0.2), part(paper.inside))
    })
}

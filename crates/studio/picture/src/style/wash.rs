//! Watercolor: pigment that runs, settles at the rim of each wash and into the hollows of the paper.

use rayon::prelude::*;

use super::desk::{Desk, byte, whole};
use super::fields::{Astray, Enlarged, outlines, together};
use super::small;
use crate::chance::{Coarse, fbm, smooth, value};
use atelier_retouch::canvas::Canvas;
use atelier_retouch::rgb::{Rgb, WHITE};

/// The effects of the paper and the water at a place, whatever is painted there.
#[derive(Clone, Copy)]
struct Paper {
    /// How far the edges of washes wander.
    wander: Astray,
    /// How thick the paint lies.
    density: u8,
    /// The relief, the painted part of the sheet, and the rim of it.
    grain: u8,
    inside: u8,
    rim: u8,
}

pub(super) fn watercolor(canvas: &Canvas, seed: u32, desk: &Desk) -> Canvas {
    let frame = canvas.frame;
    let px = frame.px;
    let unit = 1.0 / px;
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
                wander: Astray::new(
                    frame,
                    (x, y),
                    ((a * 0.017 + fine * 0.002) * px, (b * 0.017 + fine * 0.002) * px),
                ),
                density: byte(density * 0.5),
                grain: byte(grain),
                inside: byte(smooth(0.018, 0.0235, border)),
                rim: byte(smooth(0.018, 0.022, border) * smooth(0.034, 0.023, border)),
            }
        }
    });
    let reach = (px * 0.0022).max(1.0) as usize;
    let outlines = outlines(canvas, reach, |other, _| other);
    let washes = washes(canvas);
    together(
        canvas,
        |x, y| {
            let paper = sheet.at(x, y);
            let [r, g, b, around] = paper.wander.sample(&washes, x, y, frame.width);
            let outline = outlines[paper.wander.nearest(x, y, frame.width)];
            let Paper {
                density,
                grain,
                inside,
                rim,
                ..
            } = paper;
            [r, g, b, around, outline, density, grain, inside, rim]
        },
        |[r, g, b, around, outline, density, grain, inside, rim]| {
            let grain = grain - 0.5;
            // Pigment gathers where a wash ends: darker than its surroundings gets darker at the rim.
            let edge = (around - Rgb(r, g, b).luma()).clamp(-0.2, 0.2);
            let (darker, paler) = (0.62 * edge.clamp(0.0, 1.0), 0.35 * (-edge).clamp(0.0, 1.0));
            let c = Rgb(r, g, b)
                .scale(1.0 - darker)
                .mix(WHITE, paler)
                .scale(1.0 - 0.16 * outline);
            // Thin paint shows the paper, thick paint hides it: density instead of brightness.
            let density = 2.0 * density + 0.16 * grain * (1.3 - c.luma());
            let thick = (density.clamp(0.2, 2.0) * 0.94 - 0.5) * 2.0;
            // A power between the square root and the number itself, close enough for paint and much cheaper.
            let layer = |v: f32| {
                let v = v.clamp(0.02, 1.0);
                let root = v.sqrt();
                root + (v - root) * thick
            };
            let c = c.saturate(1.24);
            let c = Rgb(layer(c.0), layer(c.1), layer(c.2)).scale(1.0 - 0.13 * rim);
            let bare = Rgb::hex(0xfb_f7_ee).scale(0.985 + 0.03 * grain);
            bare.mix(bare.times(c).mix(c, 0.2), inside)
        },
    )
}

/// The colours of the washes, slightly softened, and the lightness around each pixel.
fn washes(canvas: &Canvas) -> Vec<[u8; 4]> {
    let frame = canvas.frame;
    let reduced = small(canvas, 0.0045);
    let around = small(&reduced, 0.016);
    let soft = Enlarged::new(&reduced, frame, |c| [c.0, c.1, c.2, 0.0].map(|v| 255.0 * v));
    let wide = Enlarged::new(&around, frame, |c| [255.0 * c.luma()]);
    let mut washes = vec![[0; 4]; canvas.pixels.len()];
    washes
        .par_chunks_mut(frame.width)
        .zip(canvas.pixels.par_chunks(frame.width))
        .enumerate()
        .for_each(|(y, (washes, crisp))| {
            for (((wash, crisp), soft), [light]) in
                washes.iter_mut().zip(crisp).zip(soft.row(y)).zip(wide.row(y))
            {
                for c in 0..3 {
                    wash[c] = whole(f32::from(crisp[c]) * 0.65 + soft[c] * 0.35);
                }
                wash[3] = whole(light);
            }
        });
    washes
}

//! Painting with strokes: from a broad brush to a fine one, each stroke in one colour, along the forms. After
//! Hertzmann, "Painterly rendering with curved brush strokes of multiple sizes" (1998), with straight strokes.

use rayon::prelude::*;

use super::{map, sample_small, small};
use crate::chance::{Rng, fbm, smooth, speck, value};
use atelier_retouch::canvas::Canvas;
use atelier_retouch::rgb::Rgb;

const BAND: usize = 32;

/// A brush and how it is used.
struct Brush {
    /// Half the width of the broadest stroke, in units, and how many times it is halved.
    width: f32,
    layers: u32,
    /// Length to width.
    length: f32,
    /// The variation of colours.
    stray: f32,
    /// How much of the ground the bristles leave bare.
    bare: f32,
    /// Relief of the paint.
    relief: f32,
    ground: Option<Rgb>,
    alpha: f32,
    round: bool,
    boost: f32,
}

#[derive(Clone, Copy)]
struct Stroke {
    x: f32,
    y: f32,
    cos: f32,
    sin: f32,
    half_length: f32,
    half_width: f32,
    color: Rgb,
    seed: u32,
}

pub(super) fn oil(canvas: &Canvas, seed: u32) -> Canvas {
    paint(
        canvas,
        seed,
        &Brush {
            width: 0.021,
            layers: 3,
            length: 3.0,
            stray: 0.028,
            bare: 0.2,
            relief: 0.42,
            ground: None,
            alpha: 0.96,
            round: false,
            boost: 1.24,
        },
    )
}

pub(super) fn gouache(canvas: &Canvas, seed: u32) -> Canvas {
    let painted = paint(
        canvas,
        seed,
        &Brush {
            width: 0.016,
            layers: 3,
            length: 2.4,
            stray: 0.012,
            bare: 0.05,
            relief: 0.05,
            ground: None,
            alpha: 0.98,
            round: false,
            boost: 1.08,
        },
    );
    let unit = 1.0 / canvas.frame.px;
    map(&painted, |x, y| {
        let (u, v) = (x as f32 * unit, y as f32 * unit);
        let n = 0.5 * value(u * 420.0, v * 420.0, seed) + 0.5 * fbm(u * 30.0, v * 30.0, 3, seed ^ 1);
        painted
            .at(x, y)
            .mix(Rgb::hex(0xf6_ee_dc), 0.05)
            .scale(0.955 + 0.09 * n)
    })
}

pub(super) fn points(canvas: &Canvas, seed: u32) -> Canvas {
    paint(
        canvas,
        seed,
        &Brush {
            width: 0.0062,
            layers: 2,
            length: 1.0,
            stray: 0.085,
            bare: 0.0,
            relief: 0.14,
            ground: None,
            alpha: 0.95,
            round: true,
            boost: 1.3,
        },
    )
}

pub(super) fn pastel(canvas: &Canvas, seed: u32) -> Canvas {
    let drawn = paint(
        canvas,
        seed,
        &Brush {
            width: 0.012,
            layers: 3,
            length: 4.6,
            stray: 0.035,
            bare: 0.3,
            relief: 0.0,
            ground: Some(Rgb::hex(0xb0_9c_8c)),
            alpha: 0.86,
            round: false,
            boost: 1.12,
        },
    );
    let unit = 1.0 / canvas.frame.px;
    map(&drawn, |x, y| {
        let (u, v) = (x as f32 * unit, y as f32 * unit);
        let tooth = value(u * 330.0, v * 330.0, seed) * 0.6 + value(u * 700.0, v * 700.0, seed ^ 4) * 0.4;
        drawn
            .at(x, y)
            .mix(Rgb::hex(0xf8_f0_e6), 0.14)
            .scale(0.9 + 0.18 * tooth)
    })
}

fn paint(canvas: &Canvas, seed: u32, brush: &Brush) -> Canvas {
    let frame = canvas.frame;
    let mut strokes = Vec::new();
    let mut rng = Rng::new(u64::from(seed));
    let layers = brush.layers + u32::from(frame.extra() > 0 && !brush.round);
    for layer in 0..layers {
        lay(canvas, &mut strokes, brush, layer, &mut rng);
    }
    // The height of the paint replaces the ids, which are no longer needed.
    let mut out = Canvas::new(frame);
    let bands = frame.height.div_ceil(BAND);
    let mut of_band: Vec<Vec<u32>> = vec![Vec::new(); bands];
    for (i, s) in strokes.iter().enumerate() {
        let r = (s.half_length * s.sin.abs() + s.half_width * s.cos.abs()) * frame.px + 1.0;
        let y = s.y * frame.px;
        let (a, b) = (
            ((y - r).max(0.0) as usize) / BAND,
            ((y + r).max(0.0) as usize) / BAND,
        );
        for band in of_band.iter_mut().take((b + 1).min(bands)).skip(a) {
            band.push(i as u32);
        }
    }
    out.pixels
        .par_chunks_mut(frame.width * BAND)
        .zip(&of_band)
        .enumerate()
        .for_each(|(band, (pixels, list))| {
            let top = band * BAND;
            for (i, p) in pixels.iter_mut().enumerate() {
                let (x, y) = (i % frame.width, top + i / frame.width);
                let [r, g, b] = brush.ground.unwrap_or_else(|| canvas.at(x, y)).to_bytes();
                *p = [r, g, b, 90];
            }
            for &i in list {
                lay_stroke(pixels, frame.width, top, frame.px, &strokes[i as usize], brush);
            }
        });
    if brush.relief <= 0.0 {
        return out;
    }
    let reach = (frame.px / 1024.0).round().max(1.0) as i32;
    map(&out, |x, y| {
        let (ix, iy) = (x as i32, y as i32);
        let slope = f32::from(out.id(ix + reach, iy + reach)) - f32::from(out.id(ix - reach, iy - reach));
        let k = (slope * brush.relief / 255.0).clamp(-0.26, 0.26);
        let c = out.at(x, y);
        if k > 0.0 {
            c.mix(Rgb(1.0, 0.99, 0.95), k * 0.8)
        } else {
            c.scale(1.0 + k * 1.1)
        }
    })
}

/// One layer of strokes on a jittered grid; finer layers only where there is detail.
fn lay(canvas: &Canvas, strokes: &mut Vec<Stroke>, brush: &Brush, layer: u32, rng: &mut Rng) {
    let frame = canvas.frame;
    let width = brush.width / (1 << layer) as f32;
    let source = small(canvas, width * 0.8);
    let coarse = small(&source, width * 3.2);
    let step = width * if brush.round { 1.25 } else { 1.5 };
    let (nx, ny) = ((frame.w / step) as usize + 2, (frame.h / step) as usize + 2);
    let salt = rng.seed();
    let mut order: Vec<u32> = (0..(nx * ny) as u32).collect();
    for i in (1..order.len()).rev() {
        order.swap(i, rng.below(i + 1));
    }
    let px = frame.px;
    let made: Vec<Option<Stroke>> = order
        .par_iter()
        .map(|&cell| {
            let (gx, gy) = ((cell as usize % nx) as i32, (cell as usize / nx) as i32);
            let x = (gx as f32 + speck(gx, gy, salt) - 0.5) * step;
            let y = (gy as f32 + speck(gx, gy, salt ^ 1) - 0.5) * step;
            let color = sample_small(&source, canvas, x * px, y * px);
            if layer > 0 {
                let detail = color
                    .distance(sample_small(&coarse, canvas, x * px, y * px))
                    .sqrt();
                let need = if brush.round { 0.02 } else { 0.035 };
                if detail < need && speck(gx, gy, salt ^ 2) > 0.02 {
                    return None;
                }
            }
            let e = width * 1.2;
            let l = |dx: f32, dy: f32| sample_small(&source, canvas, (x + dx) * px, (y + dy) * px).luma();
            let (ex, ey) = (l(e, 0.0) - l(-e, 0.0), l(0.0, e) - l(0.0, -e));
            let flow = (fbm(x * 2.6, y * 2.6, 2, salt ^ 9) - 0.5) * 5.0;
            let strength = ex.hypot(ey);
            let along = (-ex).atan2(ey);
            let k = smooth(0.015, 0.09, strength);
            let jitter = (speck(gx, gy, salt ^ 3) - 0.5) * 0.7;
            let angle = if k > 0.5 {
                along + jitter * 0.5
            } else {
                flow * 0.5 + jitter
            };
            let (sin, cos) = angle.sin_cos();
            let s = |k: u32| (speck(gx, gy, salt ^ k) - 0.5) * 2.0;
            let tone = 1.0 + s(4) * brush.stray * 1.4;
            let color = color.saturate(brush.boost).scale(tone);
            let color = Rgb(
                color.0 + s(5) * brush.stray,
                color.1 + s(6) * brush.stray * 0.8,
                color.2 + s(7) * brush.stray,
            )
            .clamp();
            Some(Stroke {
                x,
                y,
                cos,
                sin,
                half_length: width
                    * brush.length
                    * (0.75 + 0.5 * speck(gx, gy, salt ^ 8))
                    * if brush.round { 1.0 } else { 0.6 },
                half_width: width
                    * (0.8 + 0.4 * speck(gx, gy, salt ^ 0xa))
                    * if brush.round { 1.0 } else { 0.62 },
                color,
                seed: salt ^ cell,
            })
        })
        .collect();
    strokes.extend(made.into_iter().flatten());
}

fn lay_stroke(pixels: &mut [[u8; 4]], width: usize, top: usize, px: f32, s: &Stroke, brush: &Brush) {
    let rx = (s.half_length * s.cos.abs() + s.half_width * s.sin.abs()) * px + 1.0;
    let ry = (s.half_length * s.sin.abs() + s.half_width * s.cos.abs()) * px + 1.0;
    let (cx, cy) = (s.x * px, s.y * px);
    let rows = pixels.len() / width;
    let x0 = (cx - rx).max(0.0) as usize;
    let x1 = ((cx + rx).max(0.0) as usize + 1).min(width);
    let y0 = ((cy - ry).max(0.0) as usize).max(top);
    let y1 = ((cy + ry).max(0.0) as usize + 1).min(top + rows);
    let (il, iw) = (1.0 / (s.half_length * px), 1.0 / (s.half_width * px));
    let soft = (iw * 1.6).clamp(0.05, 0.6);
    for y in y0..y1 {
        let dy = y as f32 + 0.5 - cy;
        for x in x0..x1 {
            let dx = x as f32 + 0.5 - cx;
            let u = (dx * s.cos + dy * s.sin) * il;
            let v = (dy * s.cos - dx * s.sin) * iw;
            let (cover, height) = if brush.round {
                let r = u.hypot(v);
                (smooth(1.0, 1.0 - soft, r), 120.0 + 110.0 * (1.0 - r))
            } else {
                if u.abs() > 1.0 || v.abs() > 1.0 {
                    continue;
                }
                // Bristles: lines along the stroke that run dry toward its end.
                let hair = value(v * 4.5 + 9.0, u * 0.7, s.seed);
                let dry = smooth(
                    brush.bare + 0.12,
                    brush.bare - 0.1,
                    hair * (1.0 - 0.35 * (u + 1.0)) + 0.08 * (1.0 - u),
                );
                let end = smooth(1.0, 0.7, u.abs() + 0.25 * (hair - 0.5));
                let side = smooth(1.0, 1.0 - soft.max(0.2), v.abs() + 0.1 * (hair - 0.5));
                (
                    end * side * (1.0 - dry),
                    70.0 + 150.0 * hair * (1.0 - 0.4 * v.abs()),
                )
            };
            let alpha = cover * brush.alpha;
            if alpha < 0.02 {
                continue;
            }
            let p = &mut pixels[(y - top) * width + x];
            let under = Rgb::from_bytes([p[0], p[1], p[2]]);
            let [r, g, b] = under.mix(s.color, alpha).to_bytes();
            let lift = f32::from(p[3]) + (height - f32::from(p[3])) * alpha;
            *p = [r, g, b, lift as u8];
        }
    }
}

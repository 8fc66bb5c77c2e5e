//! The city: rows of towers from far to near, their windows, and a wet street that shows them again.

use super::{BLEED, Easel};
use crate::chance::{fbm, hash, smooth, speck};
use crate::draw::paths::polygon;
use crate::draw::{Area, LayerKind, Op};
use atelier_retouch::rgb::Rgb;

/// One row of buildings that stands on `base`.
pub(super) fn row(easel: &mut Easel, base: f32, height: f32, depth: f32, neon: &[Rgb]) {
    let frame = easel.frame;
    let mut rng = easel.rng.fork("row");
    let mut x = -BLEED;
    easel.layer(LayerKind::Far, 0.7 + 0.3 * depth);
    let near = 1.0 - depth;
    while x < frame.w + BLEED {
        let w = rng.range(0.05, 0.1) * (0.55 + 0.75 * near);
        let middle = ((x / frame.w - 0.5).abs() * 2.0).min(1.0);
        let h = height * rng.range(0.4, 1.0) * (1.12 - 0.35 * middle);
        tower(easel, &mut rng.fork("tower"), (x, w), base, h, depth, neon);
        x += w * rng.range(0.86, 1.18);
    }
}

fn tower(
    easel: &mut Easel,
    rng: &mut crate::chance::Rng,
    (x, w): (f32, f32),
    base: f32,
    h: f32,
    depth: f32,
    neon: &[Rgb],
) {
    let light = easel.light.clone();
    let top = base - h;
    let kind = rng.below(5);
    let mut outline = vec![(x, base + 0.02), (x, top)];
    match kind {
        0 => outline.extend([(x + w * 0.5, top - w * 0.5), (x + w, top)]),
        1 => outline.extend([
            (x + w * 0.2, top),
            (x + w * 0.2, top - w * 0.35),
            (x + w * 0.8, top - w * 0.35),
            (x + w * 0.8, top),
            (x + w, top),
        ]),
        2 => outline.extend([(x + w, top - w * 0.4)]),
        3 => outline.extend([
            (x + w * 0.46, top),
            (x + w * 0.48, top - w * 0.9),
            (x + w * 0.52, top - w * 0.9),
            (x + w * 0.54, top),
            (x + w, top),
        ]),
        _ => outline.extend([(x + w, top)]),
    }
    outline.push((x + w, base + 0.02));
    let Some(path) = polygon(&outline) else { return };
    let id = Some(easel.id());
    let own = Rgb::hex(rng.pick(&[0x6a_70_7c, 0x84_78_74, 0x58_64_78, 0x94_88_7c, 0x4c_54_65]));
    let own = if light.dark > 0.5 { own.scale(0.62) } else { own };
    let seed = rng.seed();
    let lit_share = if light.lamps() {
        0.28 + 0.4 * light.dark
    } else {
        0.0
    };
    let cell = (w / (3.0 + rng.below(4) as f32).max(w / 0.02).floor().max(3.0)).max(0.007);
    let tall = cell * rng.pick(&[1.0, 1.3, 0.7]);
    let warm = if neon.is_empty() {
        Rgb::hex(0xff_d0_80)
    } else {
        Rgb::hex(0xff_d8_a8)
    };
    let tint = neon.get(rng.below(neon.len().max(1))).copied();
    let split = 0.62 + 0.2 * rng.unit();
    easel.add(Op::solid(path, id, move |px, py| {
        let u = (px - x) / w;
        // Two faces: one towards the light.
        let face = if (u < split) == (light.toward.0 < 0.0) {
            0.66
        } else {
            0.3
        };
        let mut color = light.lit(own, face);
        let (cx, cy) = ((px - x) / cell, (py - top) / tall);
        let (ix, iy) = (cx.floor(), cy.floor());
        let (fx, fy) = (cx - ix, cy - iy);
        let window = (0.2..0.8).contains(&fx) && (0.25..0.78).contains(&fy) && py > top + tall * 0.6;
        if window && u > 0.04 && u < 0.96 {
            let n = speck(ix as i32, iy as i32, seed);
            if n < lit_share {
                let glow = match tint {
                    Some(tint) if hash(ix as i32, iy as i32, seed ^ 4).is_multiple_of(4) => tint,
                    _ => warm.shift(0.0, 0.1 * (n / lit_share - 0.5)),
                };
                color = color.mix(glow, 0.92);
            } else {
                color = color.mix(light.sky[2].scale(0.72), 0.42);
            }
        }
        let mist = smooth(base - h * 0.2 - 0.12, base, py) * 0.4 * depth;
        light.far(color, depth).mix(light.haze, mist)
    }));
    if let Some(tint) = tint
        && rng.chance(0.4)
    {
        let y = top + h * rng.range(0.12, 0.4);
        sign(easel, rng, (x, w), y, h, tint, depth);
    }
    if easel.light.dark > 0.5 && kind == 3 {
        easel.glow(x + w * 0.5, top - w * 0.9, 0.03, Rgb::hex(0xff_50_40));
    }
}

/// A lit sign on a front.
fn sign(
    easel: &mut Easel,
    rng: &mut crate::chance::Rng,
    (x, w): (f32, f32),
    y: f32,
    h: f32,
    tint: Rgb,
    depth: f32,
) {
    let upright = rng.chance(0.6);
    let (sw, sh) = if upright {
        (w * 0.2, h * 0.26)
    } else {
        (w * 0.6, w * 0.26)
    };
    let sx = x + w * rng.range(0.1, 0.6);
    let Some(path) = polygon(&[(sx, y), (sx + sw, y), (sx + sw, y + sh), (sx, y + sh)]) else {
        return;
    };
    let light = easel.light.clone();
    let seed = rng.seed();
    easel.add(Op::fill(path, None, move |px, py| {
        let (u, v) = ((px - sx) / sw, (py - y) / sh);
        let edge = u.min(1.0 - u).min(v.min(1.0 - v) * sh / sw);
        let n = if upright {
            (v * 5.0, u * 2.0)
        } else {
            (u * 5.0, v * 2.0)
        };
        let mark = speck(n.0.floor() as i32 * 7, (n.1 * 2.0).floor() as i32, seed) > 0.45
            && (0.15..0.85).contains(&n.0.fract());
        let k = if edge < 0.09 || mark { 1.0 } else { 0.25 };
        (
            light.far(
                tint.scale(k)
                    .mix(Rgb(1.0, 1.0, 1.0), if k > 0.9 { 0.25 } else { 0.0 }),
                depth * 0.6,
            ),
            1.0,
        )
    }));
    easel.glow(
        sx + sw * 0.5,
        y + sh * 0.5,
        sh.max(sw) * 1.5,
        tint.scale(0.8 * (1.0 - depth * 0.5)),
    );
}

/// The street in front; if wet, it mirrors the city.
pub(super) fn street(easel: &mut Easel, top: f32, wet: bool) {
    let frame = easel.frame;
    let light = easel.light.clone();
    let seed = easel.rng.seed();
    if wet {
        easel.painting.stage();
    }
    easel.spread(LayerKind::Ground, 1.0, 0.0);
    let id = Some(easel.id());
    let octaves = 4 + light.extra;
    let street = Op::cover(Area(-9.0, top, 9.0, 9.0), id, move |spot| {
        let d = ((spot.y - top) / (frame.h - top)).clamp(0.0, 1.0);
        let z = 0.1 + d;
        let (u, v) = ((spot.x - frame.w * 0.5) / z, 1.0 / z);
        let grit = fbm(u * 9.0, v * 14.0, octaves, seed);
        let mut road = light.lit(Rgb::hex(0x5c_5c_62), 0.3).scale(0.8 + 0.3 * grit);
        let lane = (u - 0.02).abs() < 0.03 && (v * 2.6).fract() > 0.45;
        if lane {
            road = road.mix(light.lit(Rgb::hex(0xec_e0_b0), 0.6), 0.7);
        }
        if (u.abs() - 1.15).abs() < 0.035 {
            road = road.mix(light.lit(Rgb::hex(0xc0_bc_b4), 0.6), 0.7);
        }
        if !wet {
            return light.far(road, 0.5 * (1.0 - d));
        }
        let puddle = smooth(0.36, 0.62, fbm(u * 1.6, v * 2.2, 4, seed ^ 6));
        let wobble = (fbm(u * 7.0, v * 18.0, 3, seed ^ 2) - 0.5) * 0.035 * z;
        let up = top - (spot.y - top) * 0.95;
        let seen = spot.before.seen(spot.x + wobble, up + wobble);
        let low = spot.before.seen(spot.x + wobble * 0.4, up - 0.05);
        road.scale(0.7)
            .mix(seen.mix(low, 0.4).scale(1.0), 0.42 + 0.42 * puddle)
    });
    easel.add(if wet { street.back() } else { street });
}

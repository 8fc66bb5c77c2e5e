//! Land: ranges of mountains, hills, meadows, forests' edges, dunes, cliffs.

use super::{BLEED, Easel};
use crate::chance::{Coarse, Rng, fbm, ridged, smooth, value};
use crate::draw::paths::polygon;
use crate::draw::pen::Place;
use crate::draw::{LayerKind, Op, Pen};
use crate::subjects::{self, Look};
use atelier_retouch::rgb::Rgb;

/// Open ground from a rolling top edge down to the bottom of the picture.
pub(super) fn ground(easel: &mut Easel, top: f32, roll: f32, color: Rgb, depth: f32, grain: Ground) {
    let frame = easel.frame;
    let seed = easel.rng.seed();
    let light = easel.light.clone();
    let id = Some(easel.id());
    let octaves = 4 + light.extra;
    let steps = 360;
    let across = frame.w + 2.0 * BLEED;
    let far = easel.distance(top);
    easel.spread(LayerKind::Ground, far, 0.0);
    let phase = easel.rng.range(0.0, 50.0);
    let edge = move |x: f32| top - roll * (fbm(x * 1.1 + phase, 0.5, 3, seed) - 0.5) * 2.0;
    let low = frame.h + BLEED;
    let mut outline = vec![(frame.w + BLEED, low), (-BLEED, low)];
    outline.extend((0..=steps).map(|i| {
        let x = -BLEED + across * i as f32 / steps as f32;
        (x, edge(x))
    }));
    // A hill is lit on the side that faces the light, most near its crest.
    let crests = Coarse::new(across, 0.1, 200.0, move |x, _| {
        (edge(x - BLEED + 0.02) - edge(x - BLEED - 0.02)) / 0.04
    });
    let edges = Coarse::new(across, 0.1, 200.0, move |x, _| edge(x - BLEED));
    let Some(path) = polygon(&outline) else { return };
    let h = frame.h;
    easel.add(Op::solid(path, id, move |x, y| {
        let d = ((y - top) / (h - top + 0.12)).clamp(0.0, 1.0);
        let here = depth * (1.0 - d);
        if light.flat {
            let band = value(x * 0.8 + phase, y * 6.0, seed ^ 6) > 0.55;
            return light.far(light.lit(color, if band { 0.62 } else { 0.54 }), here);
        }
        // Seen at a slant: features are wide and low, and grow towards the viewer.
        let z = 0.12 + d;
        let (u, v) = ((x - frame.w * 0.5) / z, 1.0 / z);
        let patch = fbm(u * 2.2, v * 3.4, octaves, seed);
        let fine = match grain {
            Ground::Grass => fbm(x * 210.0 / (0.4 + z), y * 62.0 / (0.4 + z), 3, seed ^ 4) - 0.5,
            Ground::Sand => 0.35 * (value(u * 7.0, v * 46.0 + 3.0 * patch, seed ^ 4) - 0.5),
            Ground::Snow => 0.3 * (fbm(u * 5.0, v * 9.0, octaves, seed ^ 4) - 0.5),
            Ground::Furrows => {
                let lane = (u * 9.0 + 0.4 * patch).fract().abs();
                0.5 * (smooth(0.1, 0.5, lane) - smooth(0.5, 0.95, lane)) - 0.15
            }
        };
        let tone = 0.9 + 0.34 * (patch - 0.5) + 0.5 * fine;
        let warm = color.shift(14.0 * (patch - 0.5), 0.0);
        let below = (y - edges.at(x + BLEED, 0.0)).max(0.0);
        let crest = (-below / (0.03 + roll * 0.7)).exp() * (roll * 9.0).min(1.0);
        let slope = (crests.at(x + BLEED, 0.0) * light.toward.0).clamp(-0.6, 0.6);
        let facing = (0.48 + (patch - 0.5) * 0.6 + fine * 0.35 - 0.12 * d + crest * (0.1 + 0.9 * slope))
            .clamp(0.0, 1.0);
        light.far(light.lit(warm.scale(tone), facing), here)
    }));
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ground {
    Grass,
    Sand,
    Snow,
    Furrows,
}

/// Tufts, blades and flowers along the lower edge, which give the ground depth.
pub(super) fn growth(easel: &mut Easel, top: f32, flowers: bool, hues: &[Rgb]) {
    let frame = easel.frame;
    let light = easel.light.clone();
    let mut rng = easel.rng.fork("growth");
    let far = easel.distance(top);
    easel.spread(LayerKind::Plants, far, 0.0);
    let count = (if flowers { 900.0 } else { 300.0 } * (frame.w + 2.0 * BLEED)) as usize;
    let id = Some(easel.id());
    let mut spots: Vec<(f32, f32)> = (0..count)
        .map(|_| {
            let t = rng.unit();
            (
                rng.range(-BLEED, frame.w + BLEED),
                top + 0.015 + (frame.h - top + 0.05) * t * t.sqrt(),
            )
        })
        .collect();
    spots.sort_by(|a, b| a.1.total_cmp(&b.1));
    let grass = light.grass();
    for (x, y) in spots {
        if easel.on_road(x, y) {
            continue;
        }
        let d = ((y - top) / (frame.h - top)).clamp(0.05, 1.2);
        let size = 0.012 + 0.062 * d * d;
        let mut pen = Pen::new(rng.fork("tuft"));
        let tone = rng.range(0.72, 1.18);
        let blade = grass.scale(tone).shift(rng.near(0.0, 10.0), 0.0);
        let blades = if flowers { 2 } else { 4 };
        for _ in 0..blades {
            let (bend, high) = (rng.near(0.0, 0.5), rng.range(0.5, 1.0));
            let paint = crate::draw::Paint::new(blade);
            pen.poly(
                &[
                    (bend * 0.2 - 0.06, 0.0),
                    (bend * 0.6, high * 0.6),
                    (bend, high),
                    (bend * 0.6 + 0.04, high * 0.55),
                    (bend * 0.2 + 0.06, 0.0),
                ],
                paint,
            );
        }
        if flowers && rng.chance(0.75) {
            let c = hues[rng.below(hues.len())].shift(rng.near(0.0, 8.0), rng.near(0.0, 0.05));
            let (px, py) = (rng.near(0.0, 0.2), rng.range(0.7, 1.1));
            let paint = crate::draw::Paint::new(c).ball();
            pen.oval(px, py, 0.2, 0.17, paint);
            pen.oval(
                px,
                py,
                0.07,
                0.06,
                crate::draw::Paint::new(c.mix(Rgb::hex(0xff_e0_70), 0.7)),
            );
        }
        let place = Place {
            depth: 0.3 * (1.0 - d).max(0.0),
            ..Place::new(x, y, size)
        };
        easel.draw(&pen, place, id);
    }
}

/// A row of trees: the edge of a forest, standing on `base`.
pub(super) fn forest(easel: &mut Easel, base: f32, height: f32, depth: f32, conifers: bool) {
    let frame = easel.frame;
    let light = easel.light.clone();
    let mut rng = easel.rng.fork("forest");
    let kind = if conifers { "pine" } else { "tree" };
    let Some(subject) = subjects::named(kind) else {
        return;
    };
    let id = Some(easel.id());
    // A few drawings serve all trees of a row; size, side and position vary them.
    let drawings: Vec<Pen> = (0..4)
        .map(|_| {
            let mut pen = Pen::new(rng.fork("tree"));
            (subject.draw)(
                &mut pen,
                &Look {
                    light: &light,
                    color: None,
                },
            );
            pen
        })
        .collect();
    let far = easel.distance(base);
    easel.layer(LayerKind::Far, far);
    let step = height * if conifers { 0.2 } else { 0.42 };
    let mut x = -BLEED;
    while x < frame.w + BLEED {
        let size = height * rng.range(0.68, 1.12) * gaps(x, &mut rng);
        let place = Place {
            flip: rng.sign(),
            depth,
            ..Place::new(x, base + rng.range(0.0, height * 0.06), size)
        };
        easel.draw(&drawings[rng.below(4)], place, id);
        x += step * rng.range(0.6, 1.3);
    }
}

fn gaps(x: f32, rng: &mut Rng) -> f32 {
    0.86 + 0.3 * (value(x * 3.0, 0.5, 77) - 0.5) + rng.near(0.0, 0.06)
}

/// A headland that enters from one side; returns its top.
pub(super) fn cliff(easel: &mut Easel, side: f32, top: f32, reach: f32, foot: f32) -> (f32, f32) {
    let frame = easel.frame;
    let seed = easel.rng.seed();
    let light = easel.light.clone();
    let steps = 90;
    let edge = |t: f32| frame.w * 0.5 + side * frame.w * 0.5 - side * reach * t;
    let mut outline = vec![(frame.w * 0.5 + side * (frame.w * 0.5 + BLEED), top)];
    // Along the top, then down the broken face to the water.
    for i in 0..=steps {
        let t = i as f32 / steps as f32;
        let y =
            top + 0.018 * (fbm(t * 5.0, 0.2, 4, seed) - 0.5) * 2.0 + 0.05 * (t - 0.62).max(0.0).powi(2) * 6.0
                - 0.02 * (1.0 - t);
        outline.push((edge(t * 0.86 - 0.06), y));
    }
    let brow = outline[steps + 1];
    for i in 1..=steps {
        let t = i as f32 / steps as f32;
        let out = 0.14 * t.powf(1.4) + 0.05 * (ridged(t * 4.0, 0.7, 5, seed) - 0.4);
        outline.push((brow.0 - side * (reach * out), brow.1 + (foot - brow.1) * t));
    }
    outline.push((frame.w * 0.5 + side * (frame.w * 0.5 + BLEED), foot));
    let near = easel.distance(foot);
    easel.layer(LayerKind::Ground, near);
    let Some(path) = polygon(&outline) else {
        return (brow.0, top);
    };
    let id = Some(easel.id());
    let grass = light.grass();
    let octaves = 5 + light.extra;
    let brink = top;
    easel.add(Op::solid(path, id, move |x, y| {
        let down = ((y - brink) / (foot - brink)).clamp(0.0, 1.0);
        let crag = ridged(x * 6.0 + 0.8 * y, y * 2.4, octaves, seed ^ 3);
        let next = ridged(
            x * 6.0 + 0.05 * light.toward.0.signum() + 0.8 * y,
            y * 2.4 - 0.03,
            octaves,
            seed ^ 3,
        );
        let strata = value(x * 1.5, y * 34.0 + 3.0 * crag, seed ^ 8);
        let mut facing = (0.42 + (crag - next) * 3.2 + 0.25 * light.toward.0 * -side).clamp(0.0, 1.0);
        let mut rock = Rgb::hex(0x8c_7c_6c)
            .mix(Rgb::hex(0xb4_9c_80), strata * 0.6)
            .scale(0.72 + 0.5 * crag);
        if light.flat {
            facing = if crag > 0.42 { 0.66 } else { 0.36 };
            rock = Rgb::hex(0x94_80_6c);
        }
        let sod = smooth(0.16, 0.06, down + 0.14 * (fbm(x * 14.0, y * 8.0, 4, seed) - 0.5));
        let blades = if light.flat {
            0.0
        } else {
            fbm(x * 90.0, y * 40.0, 3, seed ^ 4) - 0.5
        };
        let color = rock.mix(grass.scale(1.0 + 0.5 * blades), sod);
        facing = facing + (0.62 + blades * 0.3 - facing) * sod;
        let wet = smooth(0.9, 1.0, down) * 0.4;
        light.far(light.lit(color.scale(1.0 - wet), facing), 0.16)
    }));
    (edge(0.42), top + 0.012)
}

//! Open land: ground with hills, woods, ways and villages, without water and without a city.

use super::land::{self, Ground};
use super::put::{Drawn, Put, Stands};
use super::{BLEED, Easel};
use crate::chance::fbm;
use crate::draw::paths::polygon;
use crate::draw::{LayerKind, Op};
use crate::light::Season;
use crate::prompt::Prompt;
use crate::prompt::meaning::Terrain;
use atelier_retouch::rgb::Rgb;

/// The colour of the ground, and what grows or lies on it.
fn soil_of(easel: &Easel, prompt: &Prompt) -> (Rgb, Ground) {
    let snow = easel.light.snowy() || prompt.has(Terrain::Snowfield);
    if prompt.has(Terrain::Desert) || prompt.has(Terrain::Canyon) {
        (Rgb::hex(0xd8_ac_70), Ground::Sand)
    } else if snow {
        (Rgb::hex(0xec_f1_f7), Ground::Snow)
    } else if prompt.has(Terrain::Field) {
        (
            Rgb::hex(if easel.light.season == Season::Spring {
                0x8c_b0_50
            } else {
                0xd8_b4_58
            }),
            Ground::Furrows,
        )
    } else {
        (easel.light.grass(), Ground::Grass)
    }
}

/// Land without water or a city, with its trees, ways and houses; returns where the near ground begins.
pub(super) fn open_land(easel: &mut Easel, prompt: &Prompt, horizon: f32) -> f32 {
    let h = easel.frame.h;
    let (color, grain) = soil_of(easel, prompt);
    let rolling = prompt.has(Terrain::Hills)
        || prompt.has(Terrain::Meadow)
        || prompt.terrain.is_empty()
        || prompt.has(Terrain::Village);
    land::ground(
        easel,
        horizon + 0.004,
        if rolling { 0.045 } else { 0.014 },
        color.mix(easel.light.haze, 0.16),
        0.7,
        grain,
    );
    if rolling {
        hills(easel, horizon, color, grain);
    }
    if prompt.has(Terrain::Forest) {
        woods(easel, prompt, horizon, (color, grain));
    }
    if prompt.has(Terrain::Road) || prompt.has(Terrain::Path) {
        way(easel, horizon + (h - horizon) * 0.1, prompt.has(Terrain::Road));
    }
    if prompt.has(Terrain::Village) {
        village(easel, prompt, horizon + (h - horizon) * 0.2);
    }
    let near = horizon + (h - horizon) * 0.32;
    if grain == Ground::Grass {
        meadow(easel, prompt, horizon, near);
    }
    near
}

/// Hill behind hill, each a little nearer and stronger in colour.
fn hills(easel: &mut Easel, horizon: f32, color: Rgb, grain: Ground) {
    let h = easel.frame.h;
    let wooded = grain == Ground::Grass || grain == Ground::Snow;
    for (t, roll, depth) in [(0.07, 0.15, 0.52), (0.2, 0.14, 0.36), (0.36, 0.1, 0.2)] {
        let at = horizon + (h - horizon) * t;
        if wooded && easel.rng.chance(0.55) {
            copse(easel, at - 0.012 + 0.03 * t, 0.045 + 0.12 * t, depth);
        }
        let tint = color.shift(easel.rng.near(0.0, 9.0), easel.rng.near(0.0, 0.025));
        land::ground(
            easel,
            at,
            roll,
            tint.mix(easel.light.haze, 0.1 * depth),
            depth,
            grain,
        );
    }
}

/// The edges of a forest, far and near.
fn woods(easel: &mut Easel, prompt: &Prompt, horizon: f32, (color, grain): (Rgb, Ground)) {
    let h = easel.frame.h;
    let deep = easel.light.snowy() || prompt.mentions.iter().any(|m| m.subject.name() == "pine");
    // A waterfall is visible above the trees in front of it.
    let tall = if prompt.has(Terrain::Waterfall) { 0.4 } else { 1.0 };
    land::forest(
        easel,
        horizon + 0.05,
        h * 0.34 * tall,
        0.5,
        deep || easel.light.season != Season::Autumn,
    );
    land::forest(easel, horizon + 0.1, h * 0.46 * tall, 0.26, deep);
    land::ground(easel, horizon + 0.09, 0.02, color, 0.25, grain);
    framing(easel, deep);
}

/// Grass and flowers near the viewer.
fn meadow(easel: &mut Easel, prompt: &Prompt, horizon: f32, near: f32) {
    let h = easel.frame.h;
    let blooms = prompt.has(Terrain::Flowers) || prompt.has(Terrain::Garden);
    let hues = if prompt.colors.is_empty() {
        vec![
            Rgb::hex(0xe0_50_48),
            Rgb::hex(0xf2_c8_48),
            Rgb::hex(0xf4_f0_ea),
            Rgb::hex(0xb0_78_d0),
        ]
    } else {
        prompt.colors.clone()
    };
    let top = if blooms {
        horizon + (h - horizon) * 0.2
    } else {
        near
    };
    land::growth(easel, top, blooms || easel.light.season == Season::Spring, &hues);
}

/// Tall trees at both sides, near the viewer.
fn framing(easel: &mut Easel, conifers: bool) {
    let Some(tree) = crate::subjects::named(if conifers { "pine" } else { "tree" }) else {
        return;
    };
    let (w, h) = (easel.frame.w, easel.frame.h);
    for (x, y, size) in [
        (0.13, 0.7, 0.6),
        (0.9, 0.72, 0.64),
        (0.0, 0.82, 0.86),
        (1.01, 0.84, 0.9),
    ] {
        let drawn = Drawn::new(easel, tree, None);
        let put = Put {
            x: w * x + easel.rng.near(0.0, 0.03),
            y: h * y,
            extent: h.min(w * 1.2) * size * easel.rng.range(0.92, 1.08),
            flip: easel.rng.sign(),
            depth: 0.06,
            stands: Stands::Ground,
        };
        easel.put(tree.name(), &drawn, &put);
        easel.placed.pop();
    }
}

/// A few trees on a far hill.
pub(super) fn copse(easel: &mut Easel, at: f32, size: f32, depth: f32) {
    let Some(tree) = crate::subjects::named(if easel.light.snowy() { "pine" } else { "tree" }) else {
        return;
    };
    let w = easel.frame.w;
    let far = easel.distance(at);
    easel.layer(LayerKind::Far, far);
    let (from, count) = (easel.rng.range(0.05, 0.85) * w, 3 + easel.rng.below(5));
    for i in 0..count {
        let drawn = Drawn::new(easel, tree, None);
        let x = from + i as f32 * size * 0.62 + easel.rng.near(0.0, size * 0.3);
        let extent = size * easel.rng.range(0.7, 1.15);
        let place = drawn.place(&Put {
            x,
            y: at + easel.rng.range(0.0, 0.012),
            extent,
            flip: easel.rng.sign(),
            depth,
            stands: Stands::Water,
        });
        let id = Some(easel.id());
        easel.draw(&drawn.pen, place, id);
    }
}

/// A road or path that winds to the horizon.
fn way(easel: &mut Easel, top: f32, paved: bool) {
    let frame = easel.frame;
    let end = easel.rng.range(0.38, 0.62) * frame.w;
    let bend = easel.rng.range(0.07, 0.15) * easel.rng.sign();
    let wide = if paved { 0.3 } else { 0.17 };
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for i in 0..=60 {
        let t = i as f32 / 60.0;
        let y = top + (frame.h + BLEED - top) * (1.0 - t);
        let k = ((y - top) / (frame.h - top)).max(0.0);
        // The bend grows towards the horizon.
        let far = (1.0 / (k + 0.09)).ln();
        let x = frame.w * 0.5 + (end - frame.w * 0.5) * (1.0 - k) + bend * (far * 2.6).sin() * (0.25 + k);
        left.push((x - wide * k.powf(1.25) - 0.0012, y));
        right.push((x + wide * k.powf(1.25) + 0.0012, y));
    }
    easel.road = left.iter().zip(&right).map(|(l, r)| (l.1, l.0, r.0)).collect();
    right.reverse();
    left.extend(right);
    let light = easel.light.clone();
    let seed = easel.rng.seed();
    let far = easel.distance(top);
    easel.spread(LayerKind::Ground, far, 0.0);
    let id = Some(easel.id());
    let color = if paved {
        Rgb::hex(0x6c_6a_6c)
    } else {
        Rgb::hex(0xb8_98_6c)
    };
    let color = if light.snowy() {
        color.mix(Rgb::hex(0xe4_e8_ee), 0.5)
    } else {
        color
    };
    let Some(path) = polygon(&left) else { return };
    easel.add(Op::solid(path, id, move |x, y| {
        let k = ((y - top) / (frame.h - top)).clamp(0.02, 1.0);
        let n = fbm(x * 16.0 / k, 8.0 / k, 4, seed);
        light.far(light.lit(color.scale(0.82 + 0.36 * n), 0.55), 0.6 * (1.0 - k))
    }));
}

fn village(easel: &mut Easel, prompt: &Prompt, at: f32) {
    let far = easel.distance(at);
    easel.layer(LayerKind::Far, far);
    let named = [
        "house", "house", "church", "house", "cabin", "house", "cabin", "house", "house", "house",
    ];
    let w = easel.frame.w;
    let from = easel.rng.range(0.06, 0.2) * w;
    for (i, name) in named.iter().enumerate() {
        let Some(subject) = crate::subjects::named(name) else {
            continue;
        };
        if prompt.without.contains(name) {
            continue;
        }
        let drawn = Drawn::new(easel, subject, None);
        let back = i < 5;
        let x =
            from + (i % 5) as f32 * w * 0.15 + if back { 0.0 } else { w * 0.07 } + easel.rng.near(0.0, 0.02);
        let extent = if *name == "church" {
            0.27
        } else {
            easel.rng.range(0.1, 0.13)
        } * if back { 0.86 } else { 1.05 };
        let y = at + if back { 0.0 } else { 0.055 } + easel.rng.range(0.0, 0.02);
        let put = Put {
            x,
            y,
            extent,
            flip: easel.rng.sign(),
            depth: if back { 0.34 } else { 0.24 },
            stands: Stands::Ground,
        };
        easel.put(name, &drawn, &put);
    }
}

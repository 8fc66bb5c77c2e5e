//! Outdoor scenes: layers from the sky to the viewer's feet, and every named thing where it belongs.

use super::land::{self, Ground, Rock};
use super::light::Season;
use super::put::{Drawn, Put, Stands};
use super::water::{self, Water};
use super::{BLEED, Easel, city, figures, sky};
use crate::chance::fbm;
use crate::draw::Op;
use crate::draw::pen::polygon;
use crate::layers::LayerKind;
use crate::prompt::Prompt;
use crate::prompt::lexicon::{Camera, Terrain};
use crate::subjects::Home;
use atelier_retouch::rgb::Rgb;

/// Where things can stand in this picture.
pub(super) struct Land {
    pub(super) horizon: f32,
    /// Whether there is water that mirrors.
    pub(super) water: bool,
    /// Where on the water a thing floats, from 0 to 1 across.
    pub(super) busy: Option<f32>,
    /// Where the near ground begins; none on the open sea.
    pub(super) near: Option<f32>,
    /// The top of a cliff and the room on it.
    pub(super) brow: Option<(f32, f32)>,
}

pub(super) fn outdoors(easel: &mut Easel, prompt: &Prompt) {
    let land = lay(easel, prompt);
    figures::place(easel, prompt, &land);
    sky::fall(easel, land.horizon);
}

fn water_of(prompt: &Prompt) -> Option<Water> {
    let afloat = prompt
        .mentions
        .iter()
        .any(|m| matches!(m.subject.home, Home::Water | Home::Deep));
    if prompt.has(Terrain::Lake) || prompt.has(Terrain::River) {
        return Some(Water::Still);
    }
    let sea = [
        Terrain::Sea,
        Terrain::Harbor,
        Terrain::Beach,
        Terrain::Island,
        Terrain::Cliff,
    ]
    .iter()
    .any(|t| prompt.has(*t));
    if sea && !(prompt.has(Terrain::Cliff) && prompt.has(Terrain::Desert)) {
        return Some(Water::Sea);
    }
    if prompt.reflected {
        return Some(Water::Still);
    }
    let alone = prompt.terrain.is_empty();
    (afloat).then_some(if alone { Water::Sea } else { Water::Still })
}

/// Paints the land and returns where things can stand.
#[expect(clippy::too_many_lines, reason = "one scene, read from back to front")]
fn lay(easel: &mut Easel, prompt: &Prompt) -> Land {
    let (w, h) = (easel.frame.w, easel.frame.h);
    let water = water_of(prompt);
    let town = prompt.has(Terrain::City);
    let third = match prompt.camera {
        Some(Camera::Low) => 0.76,
        Some(Camera::Aerial) => 0.34,
        _ if town => 0.72,
        _ if prompt.has(Terrain::Flowers) || prompt.has(Terrain::Field) => 0.46,
        _ => easel.rng.range(0.52, 0.6),
    };
    let tall = if h > w { 0.06 } else { 0.0 };
    let horizon = h * (third + tall);
    easel.horizon = Some(horizon);
    let wants_moon = prompt
        .mentions
        .iter()
        .any(|m| matches!(m.subject.name(), "moon" | "sun"));
    sky::sky(
        easel,
        horizon,
        !wants_moon && !prompt.without.contains(&"moon") && !prompt.without.contains(&"sun"),
    );
    far(easel, prompt, horizon, water);
    if town {
        let wet = easel.light.wet() || water.is_some();
        towers(easel, prompt, horizon);
        if water.is_none() {
            city::street(easel, horizon - 0.002, wet);
            return Land {
                horizon,
                water: false,
                busy: None,
                near: Some(horizon),
                brow: None,
            };
        }
    }
    let mut land = Land {
        horizon,
        water: water.is_some(),
        busy: None,
        near: None,
        brow: None,
    };
    if let Some(kind) = water {
        let water = water::mirror(easel, kind, horizon, 9.0);
        return shore(easel, prompt, land, (kind, water));
    }
    let snow = easel.light.snowy() || prompt.has(Terrain::Snowfield);
    let (color, grain) = if prompt.has(Terrain::Desert) || prompt.has(Terrain::Canyon) {
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
    };
    let rolling = prompt.has(Terrain::Hills)
        || prompt.has(Terrain::Meadow)
        || prompt.terrain.is_empty()
        || prompt.has(Terrain::Village);
    let wooded = grain == Ground::Grass || grain == Ground::Snow;
    land::ground(
        easel,
        horizon + 0.004,
        if rolling { 0.045 } else { 0.014 },
        color.mix(easel.light.haze, 0.16),
        0.7,
        grain,
    );
    if rolling {
        // Hill behind hill, each a little nearer and stronger in colour.
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
    if prompt.has(Terrain::Forest) {
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
    if prompt.has(Terrain::Road) || prompt.has(Terrain::Path) {
        way(easel, horizon + (h - horizon) * 0.1, prompt.has(Terrain::Road));
    }
    if prompt.has(Terrain::Village) {
        village(easel, prompt, horizon + (h - horizon) * 0.2);
    }
    let near = horizon + (h - horizon) * 0.32;
    let blooms = prompt.has(Terrain::Flowers) || prompt.has(Terrain::Garden);
    if grain == Ground::Grass {
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
    land.near = Some(near);
    land
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
fn copse(easel: &mut Easel, at: f32, size: f32, depth: f32) {
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

/// What stands at the horizon.
fn far(easel: &mut Easel, prompt: &Prompt, horizon: f32, water: Option<Water>) {
    let h = easel.frame.h;
    let base = horizon + 0.012;
    let snowy = easel.light.snowy();
    if prompt.has(Terrain::Mountains) {
        land::range(easel, Rock::Alpine, base, h * 0.3, 0.86);
        land::range(easel, Rock::Alpine, base, h * 0.42, 0.66);
        if water == Some(Water::Still) || prompt.has(Terrain::Forest) || prompt.terrain.len() == 1 {
            land::range(easel, Rock::Wooded, base, h * 0.12, 0.5);
        }
    }
    if prompt.has(Terrain::Volcano) {
        land::range(easel, Rock::Wooded, base, h * 0.12, 0.85);
        land::range(easel, Rock::Volcano, base, h * 0.42, 0.62);
    }
    if prompt.has(Terrain::Canyon) {
        land::range(easel, Rock::Mesa, base, h * 0.3, 0.8);
        land::range(easel, Rock::Mesa, base + 0.02, h * 0.36, 0.5);
    }
    if prompt.has(Terrain::Desert) {
        land::range(easel, Rock::Dune, base, h * 0.14, 0.8);
        land::range(easel, Rock::Dune, base + 0.03, h * 0.16, 0.5);
    }
    if prompt.has(Terrain::Island) {
        land::range(easel, Rock::Volcano, horizon + 0.004, h * 0.14, 0.5);
    }
    let plain = !prompt.has(Terrain::Mountains) && !prompt.has(Terrain::City) && !prompt.has(Terrain::Desert);
    match water {
        Some(Water::Still) if plain => {
            land::range(easel, Rock::Wooded, base, h * 0.16, 0.8);
            land::range(easel, Rock::Wooded, base, h * 0.09, 0.6);
        }
        Some(Water::Sea) if easel.rng.chance(0.4) && plain && !prompt.has(Terrain::Island) => {
            land::range(easel, Rock::Wooded, horizon + 0.003, h * 0.05, 0.92);
        }
        None if plain && !prompt.has(Terrain::Canyon) && !prompt.has(Terrain::Volcano) => {
            land::range(easel, Rock::Wooded, base, h * 0.17, 0.88);
            land::range(easel, Rock::Wooded, base, h * 0.1, 0.74);
        }
        _ => {}
    }
    if prompt.has(Terrain::Forest) && water.is_some() {
        land::forest(easel, horizon + 0.008, h * 0.11, 0.6, true);
        land::forest(easel, horizon + 0.012, h * 0.14, 0.46, snowy);
    }
    if prompt.has(Terrain::Waterfall) {
        falls(easel, horizon);
    }
}

fn falls(easel: &mut Easel, horizon: f32) {
    let (w, h) = (easel.frame.w, easel.frame.h);
    let x = easel.rng.range(0.36, 0.64) * w;
    land::range(easel, Rock::Cliff(x), horizon + 0.02, h * 0.44, 0.4);
    let (top, wide) = (horizon - h * 0.34, 0.055);
    let light = easel.light.clone();
    let seed = easel.rng.seed();
    let id = Some(easel.id());
    easel.layer(LayerKind::Far, 0.88);
    let Some(path) = polygon(&[
        (x - wide, top),
        (x + wide, top),
        (x + wide * 1.5, horizon + 0.02),
        (x - wide * 1.5, horizon + 0.02),
    ]) else {
        return;
    };
    easel.add(Op::fill(path, id, move |px, py| {
        let n = fbm(px * 70.0, py * 4.0, 4, seed);
        (light.lit(Rgb::hex(0xec_f4_fa).scale(0.72 + 0.5 * n), 0.8), 0.94)
    }));
    easel.glow(x, horizon, 0.16, Rgb(0.75, 0.8, 0.85));
}

fn towers(easel: &mut Easel, prompt: &Prompt, base: f32) {
    let h = easel.frame.h;
    let electric = prompt.style == Some(crate::style::Style::Neon)
        || prompt.palette == Some(crate::prompt::lexicon::Palette::Vapor);
    let neon: Vec<Rgb> = if electric || (easel.light.dark > 0.5 && easel.light.wet()) {
        [0xff_3c_a0, 0x3c_d8_ff, 0xa8_5c_ff, 0xff_b0_3c]
            .into_iter()
            .map(Rgb::hex)
            .collect()
    } else {
        Vec::new()
    };
    city::row(easel, base, h * 0.56, 0.86, &[]);
    city::row(easel, base, h * 0.46, 0.6, &neon);
    city::row(easel, base, h * 0.32, 0.3, &neon);
}

/// Shore, cliff or bank in front of the water.
fn shore(easel: &mut Easel, prompt: &Prompt, mut land: Land, (kind, water): (Water, usize)) -> Land {
    let (w, h) = (easel.frame.w, easel.frame.h);
    let horizon = land.horizon;
    // Floating things, and things on the far bank, are mirrored before the waves are drawn over them.
    let mut floats = figures::banked(easel, prompt, &land);
    floats.extend(figures::afloat(easel, prompt, &land));
    for stand in floats
        .iter()
        .filter(|stand| stand.put.stands == Stands::Water && !stand.lifted)
    {
        let strength = if kind == Water::Still { 0.66 } else { 0.42 };
        easel.reflect(&stand.name, &stand.drawn, &stand.put, strength);
    }
    easel.painting.resume(water);
    water::ripple(easel, kind, horizon, 9.0, None);
    for stand in &floats {
        easel.put(&stand.name, &stand.drawn, &stand.put);
    }
    land.busy = floats.first().map(|stand| stand.put.x / w);
    if prompt.has(Terrain::Cliff) {
        let side = easel.rng.sign();
        let top = horizon - h * easel.rng.range(0.02, 0.1);
        let reach = w * easel.rng.range(0.5, 0.62);
        let brow = land::cliff(easel, side, top, reach, h * 0.95);
        land.brow = Some(brow);
        rocks(easel, h * 0.94);
        return land;
    }
    let stands = prompt
        .mentions
        .iter()
        .any(|m| m.subject.home == Home::Ground && m.tie.is_none() && !m.reflected);
    if prompt.has(Terrain::Beach) || (kind == Water::Sea && stands) {
        let at = horizon + (h - horizon) * 0.52;
        land::ground(easel, at, 0.012, Rgb::hex(0xe4_cc_9c), 0.1, Ground::Sand);
        water::surf(easel, at);
        land.near = Some(at + 0.03);
    } else if kind == Water::Still && (stands || prompt.has(Terrain::Meadow) || floats.is_empty()) {
        let at = horizon + (h - horizon) * if prompt.has(Terrain::River) { 0.45 } else { 0.62 };
        let snow = easel.light.snowy();
        let grass = easel.light.grass();
        land::ground(
            easel,
            at,
            0.03,
            grass,
            0.15,
            if snow { Ground::Snow } else { Ground::Grass },
        );
        if !snow {
            land::growth(easel, at, false, &[Rgb::hex(0xf0_e0_a0)]);
        }
        land.near = Some(at + 0.04);
    }
    land
}

fn rocks(easel: &mut Easel, at: f32) {
    let Some(rock) = crate::subjects::named("rock") else {
        return;
    };
    for _ in 0..5 {
        let drawn = Drawn::new(easel, rock, None);
        let x = easel.rng.range(0.0, easel.frame.w);
        let put = Put {
            x,
            y: at + easel.rng.range(0.0, 0.06),
            extent: easel.rng.range(0.03, 0.09),
            flip: 1.0,
            depth: 0.05,
            stands: Stands::Water,
        };
        easel.put("rock", &drawn, &put);
        easel.placed.pop();
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

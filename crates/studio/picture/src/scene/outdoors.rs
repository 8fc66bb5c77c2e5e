//! Outdoor scenes: layers from the sky to the viewer's feet, and every named thing where it belongs.

use super::figures::{self, Land};
use super::land::{self, Ground};
use super::put::{Drawn, Put, Stands};
use super::range::{Rock, range};
use super::water::{self, Water};
use super::{Easel, city, open_land, sky};
use crate::chance::fbm;
use crate::draw::paths::polygon;
use crate::draw::{LayerKind, Op};
use crate::prompt::Prompt;
use crate::prompt::meaning::{Camera, Terrain};
use crate::subjects::Home;
use atelier_retouch::rgb::Rgb;

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
fn lay(easel: &mut Easel, prompt: &Prompt) -> Land {
    let water = water_of(prompt);
    let town = prompt.has(Terrain::City);
    let horizon = horizon_of(easel, prompt, town);
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
    let near = open_land::open_land(easel, prompt, horizon);
    land.near = Some(near);
    land
}

/// Returns the position of the horizon, in units from the top.
fn horizon_of(easel: &mut Easel, prompt: &Prompt, town: bool) -> f32 {
    let (w, h) = (easel.frame.w, easel.frame.h);
    let third = match prompt.camera {
        Some(Camera::Low) => 0.76,
        Some(Camera::Aerial) => 0.34,
        _ if town => 0.72,
        _ if prompt.has(Terrain::Flowers) || prompt.has(Terrain::Field) => 0.46,
        _ => easel.rng.range(0.52, 0.6),
    };
    let tall = if h > w { 0.06 } else { 0.0 };
    h * (third + tall)
}

/// Draws the things at the horizon.
fn far(easel: &mut Easel, prompt: &Prompt, horizon: f32, water: Option<Water>) {
    let h = easel.frame.h;
    let base = horizon + 0.012;
    let snowy = easel.light.snowy();
    if prompt.has(Terrain::Mountains) {
        range(easel, Rock::Alpine, base, h * 0.3, 0.86);
        range(easel, Rock::Alpine, base, h * 0.42, 0.66);
        if water == Some(Water::Still) || prompt.has(Terrain::Forest) || prompt.terrain.len() == 1 {
            range(easel, Rock::Wooded, base, h * 0.12, 0.5);
        }
    }
    if prompt.has(Terrain::Volcano) {
        range(easel, Rock::Wooded, base, h * 0.12, 0.85);
        range(easel, Rock::Volcano, base, h * 0.42, 0.62);
    }
    if prompt.has(Terrain::Canyon) {
        range(easel, Rock::Mesa, base, h * 0.3, 0.8);
        range(easel, Rock::Mesa, base + 0.02, h * 0.36, 0.5);
    }
    if prompt.has(Terrain::Desert) {
        range(easel, Rock::Dune, base, h * 0.14, 0.8);
        range(easel, Rock::Dune, base + 0.03, h * 0.16, 0.5);
    }
    if prompt.has(Terrain::Island) {
        range(easel, Rock::Volcano, horizon + 0.004, h * 0.14, 0.5);
    }
    let plain = !prompt.has(Terrain::Mountains) && !prompt.has(Terrain::City) && !prompt.has(Terrain::Desert);
    match water {
        Some(Water::Still) if plain => {
            range(easel, Rock::Wooded, base, h * 0.16, 0.8);
            range(easel, Rock::Wooded, base, h * 0.09, 0.6);
        }
        Some(Water::Sea) if easel.rng.chance(0.4) && plain && !prompt.has(Terrain::Island) => {
            range(easel, Rock::Wooded, horizon + 0.003, h * 0.05, 0.92);
        }
        None if plain && !prompt.has(Terrain::Canyon) && !prompt.has(Terrain::Volcano) => {
            range(easel, Rock::Wooded, base, h * 0.17, 0.88);
            range(easel, Rock::Wooded, base, h * 0.1, 0.74);
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
    range(easel, Rock::Cliff(x), horizon + 0.02, h * 0.44, 0.4);
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
        || prompt.palette == Some(crate::prompt::meaning::Palette::Vapor);
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

//! Scenes without ground: space, the deep sea, the open sky, and abstract pictures.

use super::land::{self, Ground};
use super::put::{Drawn, Put, Stands};
use super::{Easel, sky};
use crate::chance::{cells, fbm, ridged, smooth, value};
use crate::draw::{Area, LayerKind, Op};
use crate::prompt::{Mention, Prompt};
use crate::subjects::{self, Home};
use atelier_retouch::rgb::{Rgb, WHITE, ramp};

/// Places things freely in the picture, the first one large.
pub(super) fn scatter(easel: &mut Easel, mentions: &[&Mention], area: (f32, f32), share: f32) {
    let (w, short) = (easel.frame.w, easel.frame.short());
    let total: u32 = mentions.iter().map(|m| m.count).sum();
    if total == 0 {
        return;
    }
    let largest = mentions.iter().map(|m| m.subject.metres).fold(0.02, f32::max);
    let mut slot = 0;
    let lead = easel.rng.pick(&[0.4, 0.6]);
    for mention in mentions {
        for _ in 0..mention.count {
            let drawn = Drawn::mention(easel, mention);
            let real = (mention.subject.metres / largest).powf(0.36);
            let near = if total > 2 {
                easel.rng.range(0.62, 1.15)
            } else {
                1.0
            };
            let extent = short * share * real * mention.size * near / (total as f32).powf(0.44);
            let t = if total == 1 {
                lead
            } else {
                (slot as f32 + 0.5) / total as f32
            };
            let v = if total == 1 {
                0.5
            } else {
                [0.36, 0.66, 0.5, 0.24, 0.78][slot % 5]
            };
            let put = Put {
                x: w * (0.08 + 0.84 * t) + if total > 1 { easel.rng.near(0.0, 0.03) } else { 0.0 },
                y: area.0 + (area.1 - area.0) * v,
                extent,
                flip: easel.rng.sign(),
                depth: if total > 2 { (1.15 - near) * 0.5 } else { 0.0 },
                stands: Stands::Free,
            };
            easel.put(mention.name(), &drawn, &put);
            slot += 1;
        }
    }
}

pub(super) fn space(easel: &mut Easel, prompt: &Prompt, on_moon: bool) {
    let h = easel.frame.h;
    nebula(easel, on_moon);
    let moons: Vec<&Mention> = prompt
        .mentions
        .iter()
        .filter(|m| m.subject.name() == "moon")
        .collect();
    let ground = on_moon || !moons.is_empty();
    let line = if ground {
        moonscape(easel, &moons, on_moon)
    } else {
        h
    };
    if on_moon {
        planet(easel, Some(Rgb::hex(0x3c_7c_c0)), [0.24, 0.76], (0.22, 0.2));
    }
    let free: Vec<&Mention> = prompt
        .mentions
        .iter()
        .filter(|m| m.subject.name() != "moon" && (!on_moon || m.subject.home != Home::Ground))
        .collect();
    if free.is_empty() && !ground {
        planet(easel, prompt.colors.first().copied(), [0.3, 0.7], (0.62, 0.6));
    }
    scatter(easel, &free, (h * 0.1, line.min(h * 0.94)), 0.62);
    if on_moon {
        astronauts(easel, prompt, line);
    }
}

/// Clouds of gas and dust, and the stars behind them.
fn nebula(easel: &mut Easel, on_moon: bool) {
    let seed = easel.rng.seed();
    let id = Some(easel.id());
    let hues: [u32; 3] = easel.rng.pick(&[
        [0x1c_2c_6c, 0x7c_34_8c, 0xe0_70_60],
        [0x0c_3c_58, 0x2c_7c_94, 0xe8_b8_78],
        [0x2c_1c_58, 0x9c_3c_6c, 0xf0_98_70],
    ]);
    let octaves = 5 + easel.light.extra;
    let k = if on_moon { 0.35 } else { 0.9 };
    easel.add(Op::cover(Area::ALL, id, move |spot| {
        let warp = fbm(spot.x * 1.7 + 4.0, spot.y * 1.7, 4, seed) - 0.5;
        let n = fbm(
            spot.x * 2.1 + warp * 1.6,
            spot.y * 2.1 - warp * 1.3,
            octaves,
            seed ^ 1,
        );
        let veins = ridged(spot.x * 2.6 + warp, spot.y * 2.6, octaves.min(6), seed ^ 2);
        let cloud = smooth(0.42, 0.78, n);
        let color = ramp(
            &[
                Rgb::hex(0x06_08_17),
                Rgb::hex(hues[0]).scale(0.6),
                Rgb::hex(hues[1]),
                Rgb::hex(hues[2]),
            ],
            cloud * (0.55 + 0.6 * veins) * k,
        );
        let dust = 1.0 - 0.5 * smooth(0.5, 0.8, fbm(spot.x * 3.3 - 7.0, spot.y * 3.3, 4, seed ^ 6));
        color
            .scale(0.4 + 0.62 * dust)
            .plus(sky::stars(spot.x, spot.y, seed).scale(0.95))
    }));
}

/// The surface of the moon, curved, over the lower part of the picture; returns the height of its horizon.
fn moonscape(easel: &mut Easel, moons: &[&Mention], on_moon: bool) -> f32 {
    let (w, h) = (easel.frame.w, easel.frame.h);
    let octaves = 5 + easel.light.extra;
    let (cx, r) = (w * easel.rng.range(0.3, 0.7), w.max(h) * 1.3);
    let line = h * if on_moon { 0.62 } else { 0.74 };
    let cy = line + r;
    let seed = easel.rng.seed();
    let id = Some(easel.id());
    let tint = moons
        .first()
        .and_then(|m| m.color)
        .unwrap_or(Rgb::hex(0xc8_c4_bc));
    let light = easel.light.clone();
    let path = tiny_skia::PathBuilder::from_circle(cx, cy, r);
    if let Some(path) = path {
        easel.spread(LayerKind::Ground, 1.0, 0.0);
        easel.add(Op::solid(path, id, move |x, y| {
            let d = ((y - line) / (h - line)).clamp(0.0, 1.0);
            let z = 0.16 + d;
            let (u, v) = ((x - cx) / z, 1.4 / z);
            let mut height = fbm(u * 3.0, v * 3.0, octaves, seed);
            let mut rim = 0.0;
            for (scale, weight) in [(1.6, 1.0), (3.9, 0.6)] {
                let (near, ..) = cells(u * scale, v * scale, seed ^ 5);
                rim += weight * (smooth(0.16, 0.3, near) - smooth(0.3, 0.44, near)) * 0.5;
                rim -= weight * smooth(0.3, 0.1, near) * 0.35;
                height += rim * 0.2;
            }
            let tilt = fbm(u * 3.0 + 0.05 * light.toward.0, v * 3.0, octaves, seed) - height;
            let facing = (0.52 - tilt * 2.4 + rim * 0.6).clamp(0.06, 1.0);
            let base = if light.flat {
                tint
            } else {
                tint.scale(0.74 + 0.4 * height)
            };
            base.scale(0.3 + 0.72 * facing)
                .mix(Rgb::hex(0x30_38_58), 0.22 * (1.0 - d))
        }));
    }
    for _ in moons {
        easel.placed.push(super::Placed {
            name: "moon".to_owned(),
            area: (0.0, line, w, h),
            depth: 0.3,
        });
    }
    line
}

/// A planet at one of two places across; `high` is its height in the frame and its extent, as shares.
fn planet(easel: &mut Easel, color: Option<Rgb>, across: [f32; 2], (high, extent): (f32, f32)) {
    let Some(subject) = subjects::named("planet") else {
        return;
    };
    let drawn = Drawn::new(easel, subject, color);
    let put = Put {
        x: easel.frame.w * easel.rng.pick(&across),
        y: easel.frame.h * high,
        extent: easel.frame.short() * extent,
        flip: 1.0,
        depth: 0.0,
        stands: Stands::Free,
    };
    easel.put("planet", &drawn, &put);
    easel.placed.pop();
}

/// Draws the astronauts that stand on the moon.
fn astronauts(easel: &mut Easel, prompt: &Prompt, line: f32) {
    let (w, h) = (easel.frame.w, easel.frame.h);
    let standing: Vec<&Mention> = prompt
        .mentions
        .iter()
        .filter(|m| m.subject.home == Home::Ground)
        .collect();
    for (i, mention) in standing.iter().enumerate() {
        let drawn = Drawn::mention(easel, mention);
        let put = Put {
            x: w * (0.38 + 0.24 * i as f32),
            y: line + (h - line) * 0.42,
            extent: easel.frame.short() * 0.42 * mention.size,
            flip: easel.rng.sign(),
            depth: 0.0,
            stands: Stands::Ground,
        };
        easel.put(mention.name(), &drawn, &put);
    }
}

pub(super) fn underwater(easel: &mut Easel, prompt: &Prompt) {
    let h = easel.frame.h;
    let seed = easel.rng.seed();
    let id = Some(easel.id());
    let night = easel.light.dark;
    let (top, deep) = (
        Rgb::hex(0x6c_d0_d8).scale(1.0 - 0.55 * night),
        Rgb::hex(0x08_34_5c).scale(1.0 - 0.4 * night),
    );
    let lean = easel.rng.near(0.0, 0.3);
    easel.add(Op::cover(Area::ALL, id, move |spot| {
        let t = (spot.y / h).clamp(0.0, 1.0);
        let ray = fbm((spot.x + spot.y * lean) * 7.0, 0.4 + spot.y * 0.25, 4, seed);
        let shaft = smooth(0.5, 0.8, ray) * (1.0 - t).powf(1.4);
        ramp(
            &[top, top.mix(deep, 0.45), deep.mix(top, 0.16), deep],
            t.powf(0.8),
        )
        .screen(Rgb(0.55, 0.75, 0.7).scale(shaft * 0.6))
    }));
    easel.light.haze = deep.mix(top, 0.32);
    easel.light.thickness = 1.1;
    easel.light.key = Rgb(0.5, 0.62, 0.58).scale(1.0 - 0.4 * night);
    easel.light.ambient = Rgb(0.42, 0.58, 0.66).scale(1.0 - 0.4 * night);
    easel.light.toward = (lean, -0.85, 0.45);
    land::ground(easel, h * 0.8, 0.05, Rgb::hex(0x9c_9c_80), 0.8, Ground::Sand);
    corals(easel, h * 0.84, 0.35);
    land::ground(easel, h * 0.9, 0.04, Rgb::hex(0xb8_ac_84), 0.3, Ground::Sand);
    let mentions: Vec<&Mention> = prompt
        .mentions
        .iter()
        .filter(|m| m.subject.home != Home::Heaven)
        .collect();
    scatter(easel, &mentions, (h * 0.14, h * 0.78), 0.6);
    corals(easel, h * 1.0, 0.0);
    let seed = easel.rng.seed();
    easel.layer(LayerKind::Weather, 0.1);
    easel.add(Op::field(Area::ALL, None, move |spot| {
        // Bubbles rise in a few columns.
        let (gx, gy) = ((spot.x * 16.0).floor(), (spot.y * 16.0 + 2.0 * spot.time).floor());
        let n = value(gx * 3.7, gy * 1.9, seed);
        if n < 0.93 || value(gx * 0.6, 0.0, seed ^ 4) < 0.55 {
            return spot.under;
        }
        let (dx, dy) = (
            spot.x * 16.0 - gx - 0.5,
            spot.y * 16.0 + 2.0 * spot.time - gy - 0.5,
        );
        let r = 0.1 + (n - 0.93) * 3.0;
        let d = dx.hypot(dy) / r;
        let edge = smooth(0.7, 0.95, d) * smooth(1.08, 1.0, d);
        let gleam = smooth(0.35, 0.1, (dx / r + 0.35).hypot(dy / r + 0.35));
        spot.under.mix(WHITE, (edge * 0.5 + gleam * 0.7).min(0.8))
    }));
}

fn corals(easel: &mut Easel, base: f32, depth: f32) {
    let w = easel.frame.w;
    let mut rng = easel.rng.fork("coral");
    easel.layer(LayerKind::Plants, depth);
    let id = Some(easel.id());
    for _ in 0..9 {
        let c = Rgb::hex(rng.pick(&[0xe8_64_6c, 0xf0_98_50, 0xc0_60_a8, 0xf0_c0_70, 0x58_a0_88]));
        let mut pen = crate::draw::Pen::new(rng.fork("one"));
        let kind = rng.below(3);
        for i in 0..7 {
            let u = i as f32 / 6.0 * 2.0 - 1.0;
            let lean = rng.near(0.0, 0.16);
            let high = rng.range(0.55, 1.0);
            let paint = crate::draw::Paint::new(c.shift(rng.near(0.0, 6.0), rng.near(0.0, 0.05)));
            match kind {
                0 => pen.limb(
                    &[
                        (u * 0.1, 0.0),
                        (u * 0.3, high * 0.5),
                        (u * 0.46 + lean, high * (1.0 - 0.3 * u * u)),
                    ],
                    0.1,
                    0.075,
                    paint.post(),
                ),
                1 => pen.limb(
                    &[
                        (u * 0.4, 0.0),
                        (u * 0.4 + lean, high * 0.6),
                        (u * 0.44 - lean, high * 1.5),
                    ],
                    0.07,
                    0.015,
                    paint.post(),
                ),
                _ => pen.disc(
                    u * 0.4,
                    0.2 + 0.16 * (1.0 - u * u),
                    0.25,
                    paint
                        .form(crate::draw::Form::Puff)
                        .grain(crate::draw::Grain::Rough),
                ),
            }
        }
        let x = if depth == 0.0 {
            if rng.chance(0.5) {
                rng.range(-0.02, 0.26)
            } else {
                rng.range(0.74, 1.02)
            }
        } else {
            rng.unit()
        };
        let place = crate::draw::pen::Place {
            depth,
            ..crate::draw::pen::Place::new(w * x, base + 0.02, rng.range(0.1, 0.2))
        };
        easel.draw(&pen, place, id);
    }
}

/// High above: a sea of clouds below, things that fly.
pub(super) fn aloft(easel: &mut Easel, prompt: &Prompt) {
    let (w, h) = (easel.frame.w, easel.frame.h);
    let horizon = h * 0.8;
    let wants = prompt
        .mentions
        .iter()
        .any(|m| matches!(m.subject.name(), "moon" | "sun"));
    sky::sky(easel, horizon, !wants);
    for layer in 0..4 {
        let t = layer as f32 / 3.0;
        let top = h * (0.66 + 0.1 * t);
        let seed = easel.rng.seed();
        let light = easel.light.clone();
        let id = Some(easel.id());
        let octaves = 5 + light.extra;
        let scale = 1.6 + 1.4 * (1.0 - t);
        easel.layer(LayerKind::Clouds, 0.9 - 0.7 * t);
        easel.add(Op::field(Area(-9.0, top - 0.14, 9.0, 9.0), id, move |spot| {
            let bulge = |x: f32| {
                let (near, ..) = cells(x * scale * 1.6, 0.5, seed);
                0.1 * (1.0 - near) * (0.6 + t) + 0.05 * fbm(x * scale * 5.0, 0.4, octaves, seed ^ 1)
            };
            let edge = top + 0.07 - bulge(spot.x)
                + 0.02 * (fbm(spot.x * 18.0, spot.y * 18.0, octaves, seed ^ 2) - 0.5);
            let inside = smooth(-0.004, 0.008, spot.y - edge);
            if inside <= 0.0 {
                return spot.under;
            }
            let slope = (bulge(spot.x + 0.02 * light.toward.0.signum()) - bulge(spot.x)) * -10.0;
            let n = fbm(spot.x * 7.0, spot.y * 9.0, octaves, seed ^ 3);
            let k = (0.62 + slope + 0.5 * (n - 0.5) - (spot.y - edge) * 1.8).clamp(0.0, 1.0);
            let bright = WHITE
                .mix(light.sun, 0.35)
                .times(light.ambient.plus(light.key.scale(0.8)));
            let shade = light.sky[1].mix(light.haze, 0.55).scale(0.94);
            spot.under
                .mix(light.far(shade.mix(bright, k), 0.75 * (1.0 - t)), inside)
        }));
    }
    let heaven: Vec<&Mention> = prompt
        .mentions
        .iter()
        .filter(|m| m.subject.home == Home::Heaven)
        .collect();
    for mention in heaven {
        let drawn = Drawn::mention(easel, mention);
        let bow = mention.subject.name() == "rainbow";
        let put = Put {
            x: if bow { w * 0.5 } else { easel.light.disc.0 * w },
            y: if bow { h * 0.74 } else { h * 0.3 },
            extent: if bow {
                w * 0.8
            } else {
                easel.frame.short() * 0.22 * mention.size
            },
            flip: 1.0,
            depth: 0.0,
            stands: if bow { Stands::Water } else { Stands::Free },
        };
        easel.put(mention.name(), &drawn, &put);
    }
    let mentions: Vec<&Mention> = prompt
        .mentions
        .iter()
        .filter(|m| m.subject.home != Home::Heaven)
        .collect();
    scatter(easel, &mentions, (h * 0.08, h * 0.72), 0.5);
    sky::fall(easel, horizon);
}

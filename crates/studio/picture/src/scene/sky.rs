//! The sky: its colours, the sun or the moon, stars, clouds, and what falls from it.

use super::{Disc, Easel};
use crate::chance::{Coarse, fbm, hash, smooth, speck, value};
use crate::draw::{Area, LayerKind, Op};
use crate::light::{Time, Weather};
use atelier_retouch::rgb::{Rgb, WHITE, ramp};

/// The speed of clouds, in features a second.
const DRIFT: f32 = 0.045;

/// Paints the sky down to the horizon. With `disc`, the sun or the moon is in it.
pub(super) fn sky(easel: &mut Easel, horizon: f32, disc: bool) {
    let (w, h) = (easel.frame.w, easel.frame.h);
    let light = easel.light.clone();
    let seed = easel.rng.seed();
    let id = Some(easel.id());
    easel.layer(LayerKind::Sky, 1.0);
    let height = horizon.max(h * 0.3);
    let at = (light.disc.0 * w, horizon - light.disc.1 * height);
    let hidden = matches!(
        light.weather,
        Weather::Overcast | Weather::Rain | Weather::Storm | Weather::Snow
    );
    let high = easel.rng.chance(0.7) && matches!(light.time, Time::Day | Time::Morning);
    let moon = light.time == Time::Night;
    let radius = if moon { 0.034 } else { 0.045 } * easel.frame.short().sqrt();
    let phase = easel.rng.range(-0.9, 0.9);
    easel.disc = (disc && !hidden).then_some(Disc {
        x: at.0,
        radius,
        phase: moon.then_some(phase),
        shown: !high,
        seed,
    });
    let disc = disc && !hidden && !high && !easel.bare_sky;
    let stretch = easel.rng.range(0.7, 1.4);
    let clear = light.clone();
    easel.add(Op::cover(
        Area(-9.0, -9.0, 9.0, horizon + 0.06),
        id,
        move |spot| {
            let light = &clear;
            let t = (spot.y / height).clamp(0.0, 1.0);
            let mut color = ramp(&light.sky, t.powf(0.85));
            let (dx, dy) = (spot.x - at.0, spot.y - at.1);
            let far = dx.hypot(dy);
            if !hidden {
                let halo = (-far * if moon { 7.0 } else { 3.6 }).exp();
                let flat = (-(dy.abs() * 5.0 + dx.abs() * 1.1)).exp() * (1.0 - light.dark);
                let k = if moon { 0.34 } else { 0.5 };
                color = color.screen(light.sun.scale(halo * k).plus(light.sky[3].scale(flat * 0.22)));
            }
            if light.dark > 0.5 && !hidden {
                color = color.plus(stars(spot.x, spot.y, seed).scale((light.dark - 0.4) * (1.0 - t * 0.75)));
            }
            if disc && far < radius * 1.2 {
                color = if moon {
                    lunar(color, dx / radius, dy / radius, phase, seed)
                } else {
                    color.mix(light.sun.mix(WHITE, 0.4), smooth(1.06, 0.94, far / radius))
                };
            }
            color
        },
    ));
    if disc {
        easel.glow(
            at.0,
            at.1,
            if moon { 0.2 } else { 0.34 },
            easel.light.sun.scale(if moon { 0.3 } else { 0.55 }),
        );
        // Drawn now, so that things in front of the sun are not veiled by it.
        easel.shine();
    }
    if !(light.flat && light.cover < 0.7) {
        clouds(easel, horizon, at, (seed, stretch));
    }
}

/// Clouds in the sky, lit by the sun or moon at `at`.
fn clouds(easel: &mut Easel, horizon: f32, at: (f32, f32), (seed, stretch): (u32, f32)) {
    let (w, h) = (easel.frame.w, easel.frame.h);
    let light = easel.light.clone();
    let height = horizon.max(h * 0.3);
    let octaves = 5 + light.extra;
    let warps = Coarse::new(20.0, 14.0, 12.0, |u, v| {
        fbm((u - 10.0) * 0.9 + 7.0, v * 0.9, 3, seed ^ 5) - 0.5
    });
    easel.layer(LayerKind::Clouds, 0.98);
    easel.add(Op::veil(
        Area(-9.0, -9.0, 9.0, horizon + 0.06),
        None,
        move |spot| {
            const NONE: (Rgb, f32) = (WHITE, 0.0);
            let far = (spot.x - at.0).hypot(spot.y - at.1);
            // Clouds lie on a plane above: the nearer the horizon, the flatter and the smaller.
            let d = (horizon - spot.y) / height * 0.9 + 0.16;
            let (u, v) = (
                (spot.x - w * 0.5) / d * 1.1 * stretch + DRIFT * spot.time,
                1.35 / d,
            );
            let warp = warps.at(u + 10.0, v);
            let edge = 0.72 - 0.42 * light.cover;
            // Two octaves separate most of the clear sky from the clouds.
            if fbm(u + warp * 0.9, v * 1.25 + warp * 0.5, 2, seed) * 0.76 + 0.24 < edge {
                return NONE;
            }
            let n = fbm(u + warp * 0.9, v * 1.25 + warp * 0.5, octaves, seed);
            let density = smooth(edge, edge + 0.24, n);
            if density <= 0.0 {
                return NONE;
            }
            let (lx, ly) = ((at.0 - spot.x) / far.max(0.05), (at.1 - spot.y) / far.max(0.05));
            let toward = fbm(
                u + warp * 0.9 + lx * 0.22,
                v * 1.25 + warp * 0.5 - ly * 0.22,
                4,
                seed,
            );
            let lit = ((n - toward) * 4.2 + 0.52).clamp(0.0, 1.0);
            let day = WHITE
                .mix(light.sun, 0.45)
                .times(light.ambient.plus(light.key.scale(0.75)));
            let bright = day.mix(light.sky[3], 0.25 + 0.3 * light.dark);
            let shade = light.sky[1].mix(light.haze, 0.45).scale(0.93);
            let body = shade.mix(bright, lit);
            let rim = smooth(0.5, 0.0, density) * (-far * 2.4).exp() * (1.0 - light.dark);
            let body = body.screen(light.sun.scale(rim * 0.6));
            let fade = smooth(0.0, 0.2, d - 0.14) * 0.94;
            (body, density * fade)
        },
    ));
}

pub fn lunar(sky: Rgb, u: f32, v: f32, phase: f32, seed: u32) -> Rgb {
    let r = u.hypot(v);
    // The terminator is an ellipse; beyond it the disc is only a little lighter than the sky.
    let edge = phase * (1.0 - v * v).max(0.0).sqrt();
    let lit = smooth(edge - 0.12, edge + 0.12, u);
    let spots = fbm(u * 2.1 + 3.0, v * 2.1, 4, seed ^ 9);
    let face = Rgb::hex(0xf4_f0_de).scale(0.8 + 0.3 * spots);
    let dark = sky.scale(1.12);
    sky.mix(dark.mix(face, lit.max(0.06)), smooth(1.04, 0.96, r))
}

/// Stars of several magnitudes, and a faint band of the Milky Way.
pub(super) fn stars(x: f32, y: f32, seed: u32) -> Rgb {
    let mut sum = 0.0;
    for (layer, (scale, rare, size)) in [(36.0, 0.55, 0.055), (74.0, 0.72, 0.07), (18.0, 0.62, 0.05)]
        .into_iter()
        .enumerate()
    {
        let (gx, gy) = ((x * scale).floor(), (y * scale).floor());
        let salt = seed.wrapping_add(layer as u32 * 77);
        if speck(gx as i32, gy as i32, salt) < rare {
            continue;
        }
        let h = hash(gx as i32, gy as i32, salt ^ 0x51);
        let px = gx + 0.2 + 0.6 * (h & 0xffff) as f32 / 65536.0;
        let py = gy + 0.2 + 0.6 * (h >> 16) as f32 / 65536.0;
        let d = (x * scale - px).hypot(y * scale - py);
        let bright = 0.35 + 0.65 * (h >> 9 & 127) as f32 / 127.0;
        sum += bright * smooth(size * 1.6, size * 0.3, d) + 0.12 * bright * smooth(0.3, 0.0, d);
    }
    let across = (x * 0.8 + y * 1.3 - 0.75).abs();
    let band = (-across * across * 26.0).exp() * fbm(x * 5.0, y * 5.0, 4, seed ^ 3);
    Rgb(0.96, 0.97, 1.0)
        .scale(sum)
        .plus(Rgb(0.34, 0.36, 0.5).scale(band * 0.55))
}

/// Rain, snow and fog between the viewer and the scene.
pub(super) fn fall(easel: &mut Easel, horizon: f32) {
    let light = easel.light.clone();
    let seed = easel.rng.seed();
    let lean = easel.rng.range(0.08, 0.22) * easel.rng.sign();
    easel.layer(LayerKind::Weather, 0.0);
    match light.weather {
        Weather::Rain | Weather::Storm => {
            let drop = light.haze.mix(WHITE, 0.45);
            easel.add(Op::field(Area::ALL, None, move |spot| {
                let mut k = 0.0;
                for layer in 0..3_i32 {
                    let s = 90.0 - 26.0 * layer as f32;
                    let x = (spot.x + spot.y * lean) * s;
                    let column = x.floor();
                    let shift = speck(column as i32, layer, seed) * 9.0;
                    let y = spot.y * s * 0.075 + shift - 14.0 * spot.time;
                    let on = speck(column as i32, y.floor() as i32, seed ^ 8) > 0.62;
                    if on {
                        let across = 1.0 - ((x - column) * 2.0 - 1.0).abs();
                        let along = (y - y.floor()) * (1.0 - (y - y.floor())) * 4.0;
                        k += smooth(0.55, 1.0, across) * along * (0.14 + 0.06 * layer as f32);
                    }
                }
                spot.under.mix(drop, k.min(0.5))
            }));
        }
        Weather::Snow => {
            let flake = WHITE.mix(light.haze, 0.1 + 0.25 * light.dark);
            easel.add(Op::field(Area::ALL, None, move |spot| {
                let mut k = 0.0_f32;
                for layer in 0..4_i32 {
                    let s = 46.0 - 10.0 * layer as f32;
                    let x = spot.x * s + spot.y * lean * 20.0 + layer as f32 * 3.3;
                    let y = spot.y * s - 4.0 * spot.time;
                    let (gx, gy) = (x.floor(), y.floor());
                    let h = hash(gx as i32, gy as i32, seed.wrapping_add(layer as u32));
                    if h & 3 != 0 {
                        continue;
                    }
                    let px = gx + 0.25 + 0.5 * (h >> 8 & 255) as f32 / 255.0;
                    let py = gy + 0.25 + 0.5 * (h >> 16 & 255) as f32 / 255.0;
                    let r = 0.07 + 0.11 * (h >> 24) as f32 / 255.0;
                    k = k.max(smooth(r * 1.5, r * 0.6, (x - px).hypot(y - py)) * (0.6 + 0.1 * layer as f32));
                }
                spot.under.mix(flake, k.min(0.92))
            }));
        }
        Weather::Fog => {
            let veil = light.haze;
            let h = easel.frame.h;
            easel.add(Op::field(Area::ALL, None, move |spot| {
                let d = (spot.y - horizon) / h;
                let bank = value(spot.x * 2.2, spot.y * 7.0, seed) * 0.5
                    + fbm(spot.x * 3.0 + 0.1 * spot.time, spot.y * 9.0, 3, seed) * 0.5;
                let k = (-d * d * 9.0).exp() * (0.25 + 0.65 * bank);
                spot.under.mix(veil, (k * 0.85).min(0.9))
            }));
        }
        _ => {}
    }
}

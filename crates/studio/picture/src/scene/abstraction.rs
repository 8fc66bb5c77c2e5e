//! Abstract pictures: flowing bands, discs or veils in the palette of the mood.

use super::Easel;
use super::beyond::scatter;
use crate::chance::{fbm, smooth};
use crate::draw::{Area, LayerKind, Op};
use crate::prompt::meaning::{Mood, Palette};
use crate::prompt::{Mention, Prompt};
use atelier_retouch::rgb::{Rgb, WHITE, ramp};

/// Fills the picture; named things float in it.
pub(super) fn abstraction(easel: &mut Easel, prompt: &Prompt) {
    let (w, h) = (easel.frame.w, easel.frame.h);
    let stops = stops(easel, prompt);
    let seed = easel.rng.seed();
    let kind = match prompt.mood {
        Some(Mood::Calm | Mood::Dreamy) => easel.rng.pick(&[0, 1]),
        Some(Mood::Energetic | Mood::Joyful) => easel.rng.pick(&[2, 3]),
        _ => easel.rng.below(4),
    };
    let octaves = 4 + easel.light.extra;
    let (cx, cy) = (w * easel.rng.pick(&[0.36, 0.64]), h * easel.rng.range(0.34, 0.6));
    let turn = easel.rng.range(-0.6, 0.6);
    let id = Some(easel.id());
    let flat = easel.light.flat;
    let colors = stops.clone();
    easel.add(Op::cover(Area::ALL, id, move |spot| {
        let (x, y) = (spot.x, spot.y);
        let warp = fbm(x * 1.3, y * 1.3, 4, seed) - 0.5;
        let t = match kind {
            // Veils.
            0 => y / h + 0.5 * warp + 0.12 * (fbm(x * 2.0 + warp * 2.0, y * 5.0, octaves, seed ^ 1) - 0.5),
            // A disc of light behind bands.
            1 => 0.9 - ((x - cx).hypot(y - cy) * 1.1 + 0.2 * warp),
            // A whirl.
            2 => {
                let (dx, dy) = (x - cx, y - cy);
                let r = dx.hypot(dy);
                let a = dy.atan2(dx) / std::f32::consts::TAU;
                (a * 3.0 + r * 2.2 + 0.6 * warp).rem_euclid(1.0)
            }
            // Marbled.
            _ => {
                let n = fbm(x * 2.4 + 3.0 * warp, y * 2.4 - 2.0 * warp, octaves, seed ^ 2);
                (n * 2.6 + turn).rem_euclid(1.0)
            }
        };
        let t = if kind >= 2 {
            1.0 - (2.0 * t - 1.0).abs()
        } else {
            t.clamp(0.0, 1.0)
        };
        let grain = if flat {
            0.0
        } else {
            0.05 * (fbm(x * 40.0, y * 40.0, 3, seed ^ 7) - 0.5)
        };
        ramp(&colors, t + grain)
    }));
    bands(easel, &stops, kind);
    let mentions: Vec<&Mention> = prompt.mentions.iter().collect();
    scatter(easel, &mentions, (h * 0.2, h * 0.8), 0.5);
}

fn bands(easel: &mut Easel, stops: &[Rgb], kind: usize) {
    let (w, h) = (easel.frame.w, easel.frame.h);
    let count = 4 + easel.rng.below(3);
    for i in 0..count {
        let seed = easel.rng.seed();
        let t = (i as f32 + 0.6) / count as f32;
        let color = ramp(stops, 1.0 - t * 0.9).shift(easel.rng.near(0.0, 10.0), 0.02);
        let id = Some(easel.id());
        easel.layer(LayerKind::Shape, 0.9 - 0.8 * t);
        if kind == 2 || kind == 3 {
            let (x, y) = (w * easel.rng.range(0.1, 0.9), h * easel.rng.range(0.12, 0.88));
            let r = easel.rng.range(0.05, 0.2);
            if let Some(path) = tiny_skia::PathBuilder::from_circle(x, y, r) {
                easel.add(Op::fill(path, id, move |px, py| {
                    let k = ((px - x) * 0.6 + (py - y)) / r * 0.5 + 0.5;
                    (color.shift(0.0, 0.14 * (0.5 - k)), 0.72)
                }));
            }
            continue;
        }
        let (base, swing, wave) = (
            h * (0.3 + 0.68 * t),
            0.06 + 0.08 * (1.0 - t),
            easel.rng.range(1.0, 2.2),
        );
        easel.add(Op::field(Area(-9.0, base - 0.2, 9.0, 9.0), id, move |spot| {
            let top = base - swing * 2.0 * (fbm(spot.x * wave, 0.3 + t, 3, seed) - 0.5);
            let d = spot.y - top;
            let inside = smooth(-0.0012, 0.0012, d);
            if inside <= 0.0 {
                return spot.under;
            }
            let edge = (-d * 16.0).exp();
            let body = color
                .mix(WHITE, 0.22 * edge)
                .scale(1.0 - 0.12 * smooth(0.0, 0.4, d));
            spot.under.mix(body, inside * 0.82)
        }));
    }
}

/// Colours of the mood, dark to light, or those the prompt asks for.
pub(super) fn stops(easel: &mut Easel, prompt: &Prompt) -> Vec<Rgb> {
    let h = |values: &[u32]| values.iter().map(|v| Rgb::hex(*v)).collect::<Vec<_>>();
    if !prompt.colors.is_empty() {
        let mut out = Vec::new();
        for c in &prompt.colors {
            out.extend([c.shift(-12.0, -0.16), *c, c.shift(10.0, 0.16)]);
        }
        out.push(out[out.len() - 1].mix(WHITE, 0.5));
        return out;
    }
    if prompt.palette == Some(Palette::Pastel) {
        return h(easel.rng.pick::<&[u32]>(&[
            &[0x6c_8c_c4, 0xa8_98_d8, 0xf0_a4_b8, 0xf8_d4_a8],
            &[0x58_a4_a0, 0x9c_d0_b8, 0xf4_d8_a0, 0xf0_a8_98],
        ]));
    }
    let of: &[&[u32]] = match prompt.mood {
        Some(Mood::Calm) => &[
            &[0x2c_50_68, 0x5c_8c_9c, 0xa4_c8_c4, 0xf0_e8_d4],
            &[0x48_58_7c, 0x8c_98_b8, 0xd0_c8_d0, 0xf4_e6_d8],
        ],
        Some(Mood::Joyful | Mood::Energetic) => &[
            &[0xe0_3c_50, 0xf0_84_3c, 0xf8_cc_48, 0x3c_b0_a8],
            &[0x5c_2c_90, 0xd8_3c_88, 0xf8_8c_50, 0xfc_e0_70],
        ],
        Some(Mood::Gloomy | Mood::Mysterious) => &[
            &[0x10_14_20, 0x28_34_48, 0x50_5c_70, 0x94_9c_a0],
            &[0x14_10_1c, 0x3c_24_40, 0x6c_48_5c, 0xa0_88_84],
        ],
        Some(Mood::Dramatic) => &[&[0x10_0c_14, 0x5c_14_24, 0xc8_48_2c, 0xf8_c0_6c]],
        Some(Mood::Cozy) => &[&[0x4c_28_20, 0x9c_58_34, 0xd8_9c_5c, 0xf6_e2_bc]],
        Some(Mood::Dreamy) => &[&[0x3c_38_78, 0x8c_6c_b0, 0xe0_a4_c0, 0xfc_e4_d8]],
        None => &[
            &[0x16_2c_48, 0x2c_6c_80, 0xe0_a8_58, 0xf6_ea_cc],
            &[0x2c_1c_48, 0xa0_3c_65, 0xf0_94_58, 0xfa_e4_b4],
            &[0x14_38_34, 0x4c_8c_68, 0xc8_c8_70, 0xf6_f0_d8],
        ],
    };
    h(easel.rng.pick(of))
}

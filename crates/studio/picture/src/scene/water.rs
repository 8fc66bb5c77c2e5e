//! Water: it mirrors what stands behind it, broken by waves that grow towards the viewer.

use super::Easel;
use crate::chance::{fbm, smooth, value};
use crate::draw::{Area, LayerKind, Op};
use crate::light::Weather;
use atelier_retouch::rgb::{Rgb, WHITE};

/// The kind of water.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Water {
    Sea,
    Still,
}

/// Lays the mirror from the horizon down. Things painted afterwards and before [`ripple`] lie on it.
pub(super) fn mirror(easel: &mut Easel, water: Water, horizon: f32, bottom: f32) -> usize {
    let layer = easel.spread(LayerKind::Water, 1.0, 0.0);
    easel.painting.stage();
    easel.water = Some(water);
    let frame = easel.frame;
    let light = easel.light.clone();
    let id = Some(easel.id());
    let own = match water {
        Water::Sea => Rgb::hex(0x1f_5c_7c),
        Water::Still => Rgb::hex(0x2c_5c_68),
    };
    let deep = light.lit(own, 0.35).mix(light.sky[1], 0.3);
    let clear = if water == Water::Still { 0.3 } else { 0.5 };
    easel.add(
        Op::cover(Area(-9.0, horizon, 9.0, bottom), id, move |spot| {
            let d = ((spot.y - horizon) / (frame.h - horizon + 0.02)).clamp(0.0, 1.0);
            let up = horizon - (spot.y - horizon) * 0.86;
            let seen = spot.before.seen(spot.x, up);
            seen.mix(light.sky[3], 0.1 * (1.0 - d))
                .mix(deep, clear * d.powf(0.6) + 0.1)
        })
        .back(),
    );
    layer
}

/// Moves what lies on the water with the waves, and puts lights on their crests.
pub(super) fn ripple(easel: &mut Easel, water: Water, horizon: f32, bottom: f32, only: Option<u8>) {
    easel.painting.stage();
    let frame = easel.frame;
    let light = easel.light.clone();
    let seed = easel.rng.seed();
    let rough = match (water, light.weather) {
        (_, Weather::Storm) => 2.4,
        (Water::Sea, _) => 1.25,
        (Water::Still, Weather::Rain) => 0.9,
        (Water::Still, _) => 0.55,
    };
    let octaves = 3 + light.extra;
    let sun_x = light.disc.0 * frame.w;
    let hidden = matches!(
        light.weather,
        Weather::Overcast | Weather::Rain | Weather::Storm | Weather::Snow | Weather::Fog
    );
    easel.add(
        Op::field(Area(-9.0, horizon, 9.0, bottom), None, move |spot| {
            if only.is_some_and(|only| spot.id != only) {
                return spot.under;
            }
            let d = ((spot.y - horizon) / (frame.h - horizon + 0.02)).clamp(0.0, 1.0);
            let z = 0.05 + d;
            let (u, v) = ((spot.x - frame.w * 0.5) / (z + 0.12), 5.2 / z);
            // Waves come toward the viewer, two trains of them at an angle.
            let wave = fbm(
                u * 5.0 + 0.2 * spot.time,
                v * 2.6 + 0.5 * spot.time,
                octaves,
                seed,
            ) - 0.5;
            let chop = value(u * 22.0 - 0.5 * spot.time, v * 9.0 + 1.6 * spot.time, seed ^ 3) - 0.5;
            let shift = (wave * 0.075 + chop * 0.02) * z * rough;
            let lift = (wave * 0.5 + chop * 0.3) * 0.05 * z * rough;
            let seen = spot
                .before
                .seen(spot.x + shift, (spot.y + lift).max(horizon + 0.002));
            if light.flat {
                let stripe = smooth(0.2, 0.24, wave) * 0.5;
                return seen.mix(light.sky[3], stripe * 0.5);
            }
            let crest = wave + 0.6 * chop;
            let mut color = seen.scale(1.0 + crest * 0.34 * rough.min(1.4));
            color = color.mix(
                light.sky[2].mix(WHITE, 0.15),
                smooth(0.16, 0.42, crest) * 0.34 * rough.min(1.3),
            );
            if !hidden {
                // The path of light under the sun widens toward the viewer.
                let across = (spot.x - sun_x).abs() / (0.035 + 0.11 * d);
                let path = (-across * across).exp();
                let spark = smooth(0.05, 0.34, crest + 0.22 * path);
                color = color.screen(
                    light
                        .sun
                        .scale(path * spark * if light.dark > 0.8 { 0.6 } else { 0.85 }),
                );
            }
            if rough > 1.0 {
                let foam = smooth(0.3, 0.42, crest) * smooth(0.06, 0.5, d);
                color = color.mix(WHITE.times(light.ambient.plus(light.key.scale(0.7))), foam * 0.55);
            }
            color
        })
        .back(),
    );
}

/// A line of surf where sand meets the sea.
pub(super) fn surf(easel: &mut Easel, at: f32) {
    let light = easel.light.clone();
    let seed = easel.rng.seed();
    let depth = easel.distance(at);
    easel.layer(LayerKind::Water, depth);
    easel.add(Op::field(
        Area(-9.0, at - 0.06, 9.0, at + 0.05),
        None,
        move |spot| {
            let swash = 0.006 * (1.3 * spot.time).sin();
            let edge = at + swash + 0.022 * (fbm(spot.x * 3.0, 0.4, 3, seed) - 0.5) * 2.0;
            let d = spot.y - edge;
            let lace = fbm(spot.x * 22.0, spot.y * 46.0, 4, seed ^ 3);
            let foam = smooth(0.012, 0.002, d.abs())
                + smooth(-0.05, -0.005, d) * smooth(0.006, -0.01, d) * smooth(0.48, 0.6, lace);
            let wet = smooth(0.045, 0.0, d) * f32::from(u8::from(d > 0.0)) * 0.35;
            let under = spot.under.mix(light.sky[2].scale(0.7), wet);
            under.mix(
                WHITE
                    .times(light.ambient.plus(light.key.scale(0.8)))
                    .mix(WHITE, 0.2),
                foam.min(1.0) * 0.85,
            )
        },
    ));
}

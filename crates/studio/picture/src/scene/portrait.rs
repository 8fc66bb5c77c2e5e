//! Portraits, and things side by side on a plain ground.

use super::Easel;
use super::put::{Drawn, Put, Stands};
use crate::chance::fbm;
use crate::draw::{Area, Op, Pen};
use crate::prompt::Prompt;
use crate::prompt::meaning::Place;
use crate::subjects::{self, Look};
use atelier_retouch::rgb::{Rgb, WHITE};

pub(super) fn portrait(easel: &mut Easel, prompt: &Prompt) {
    let (w, h) = (easel.frame.w, easel.frame.h);
    let base = prompt.colors.first().copied();
    let own = easel
        .rng
        .pick(&[0x5c_74_7c, 0x8c_74_5c, 0x6c_5c_74, 0x4c_64_58, 0xa0_84_5c]);
    let plain = prompt.place == Some(Place::Plain);
    let color = base.unwrap_or(Rgb::hex(if plain { 0xe6_e4_de } else { own }));
    let light = easel.light.clone();
    let seed = easel.rng.seed();
    let id = Some(easel.id());
    let side = light.toward.0.signum();
    let octaves = 4 + light.extra;
    easel.add(Op::cover(Area::ALL, id, move |spot| {
        let n = if light.flat {
            0.5
        } else {
            fbm(spot.x * 2.6, spot.y * 2.6, octaves, seed)
        };
        let d = (spot.x / w - 0.5 + side * 0.18).hypot(spot.y / h - 0.42);
        let glow = (-d * d * 3.4).exp();
        light.lit(
            color.scale(0.8 + 0.3 * n).mix(WHITE, 0.14 * glow),
            0.34 + 0.5 * glow,
        )
    }));
    if plain {
        return in_a_row(easel, prompt);
    }
    let Some(mention) = prompt
        .mentions
        .iter()
        .find(|m| ["woman", "person", "child"].contains(&m.subject.name()))
        .or(prompt.mentions.first())
    else {
        return;
    };
    let flip = easel.rng.sign();
    let name = mention.subject.name();
    if mention.from.is_none() && matches!(name, "woman" | "person" | "child") {
        let mut pen = Pen::new(easel.rng.fork("head"));
        subjects::profile(
            &mut pen,
            &Look {
                light: &easel.light,
                color: mention.color,
            },
            name != "person",
        );
        let drawn = Drawn::of(pen);
        let extent = easel.frame.short() * 0.96 * mention.size.min(1.1);
        let put = Put {
            x: w * (0.5 - flip * 0.02),
            y: h + 0.02,
            extent: extent.min(h * 0.92),
            flip,
            depth: 0.0,
            stands: Stands::Water,
        };
        easel.put(name, &drawn, &put);
    } else {
        let drawn = Drawn::mention(easel, mention);
        let put = Put {
            x: w * 0.5,
            y: h * 0.9,
            extent: easel.frame.short() * 0.74 * mention.size.min(1.1),
            flip,
            depth: 0.0,
            stands: Stands::Ground,
        };
        easel.put(mention.name(), &drawn, &put);
    }
}

/// Everything named, complete, side by side on the plain ground.
fn in_a_row(easel: &mut Easel, prompt: &Prompt) {
    let (w, h) = (easel.frame.w, easel.frame.h);
    let total: u32 = prompt.mentions.iter().map(|mention| mention.count).sum();
    let crowd = (total.max(1) as f32).powf(0.45);
    let mut slot = 0;
    for mention in &prompt.mentions {
        for _ in 0..mention.count {
            let drawn = Drawn::mention(easel, mention);
            let room = 0.92 * w / total as f32;
            let extent = easel.frame.short() * 0.74 * mention.size.min(1.1) / crowd;
            let extent = extent * (room / drawn.size(extent).0.max(0.01)).min(1.0);
            let put = Put {
                x: w * (slot as f32 + 0.5) / total as f32,
                y: h * 0.86,
                extent,
                flip: easel.rng.sign(),
                depth: 0.0,
                stands: Stands::Ground,
            };
            easel.put(mention.name(), &drawn, &put);
            slot += 1;
        }
    }
}

//! Indoor and close-up scenes: a table by the window, a wall with something in front of it, a portrait.

use super::Easel;
use super::put::{Drawn, Put, Stands};
use super::relations::{self, Stand};
use crate::chance::{fbm, smooth, value};
use crate::draw::pen::Place;
use crate::draw::{Area, LayerKind, Op, Pen};
use crate::prompt::meaning::{Palette, Relation};
use crate::prompt::{Mention, Prompt};
use crate::subjects::{Home, Look};
use atelier_retouch::rgb::Rgb;

pub(super) fn wall_color(easel: &mut Easel, prompt: &Prompt) -> Rgb {
    let own = easel.rng.pick(&[
        0xc8_b8_a4, 0x8c_a0_98, 0xb0_90_84, 0x9a_a8_b4, 0xd4_c0_94, 0x7c_88_8c,
    ]);
    prompt
        .colors
        .first()
        .copied()
        .unwrap_or(if prompt.palette == Some(Palette::Pastel) {
            Rgb::hex(0xf0_d8_d4)
        } else {
            Rgb::hex(own)
        })
}

pub(super) fn table(easel: &mut Easel, prompt: &Prompt) {
    let (w, h) = (easel.frame.w, easel.frame.h);
    let edge = h * easel.rng.range(0.6, 0.66);
    let color = wall_color(easel, prompt);
    backdrop(easel, color, edge);
    let light = easel.light.clone();
    let seed = easel.rng.seed();
    let id = Some(easel.id());
    let wood = Rgb::hex(easel.rng.pick(&[0x8c_5c_38, 0xa8_74_48, 0x6c_48_34]));
    let octaves = 4 + light.extra;
    easel.spread(LayerKind::Ground, 1.0, 0.0);
    easel.add(Op::cover(Area(-9.0, edge, 9.0, 9.0), id, move |spot| {
        let d = (spot.y - edge) / (h - edge);
        let z = 0.35 + d;
        let u = (spot.x - w * 0.5) / z;
        let plank = (u * 2.4 + 40.0).floor();
        let n = fbm(u * 14.0 + plank * 7.3, 0.9 / z * 2.0, octaves, seed);
        let seam = ((u * 2.4 + 40.0).fract() - 0.5).abs() > 0.488;
        let mut tone = 0.78 + 0.44 * n + 0.1 * (value(plank, 0.0, seed) - 0.5);
        if light.flat {
            tone = 1.0;
        }
        if seam {
            tone *= 0.6;
        }
        let pool = (-((spot.x - w * (0.5 + light.toward.0 * 0.3)) / 0.5).powi(2)).exp();
        light.lit(wood.scale(tone), 0.42 + 0.4 * pool + 0.12 * d)
    }));
    let mentions: Vec<&Mention> = prompt
        .mentions
        .iter()
        .filter(|m| m.subject.home != Home::Heaven)
        .collect();
    arrange(easel, prompt, &mentions, edge);
}

/// Sets things on the table: the contents of something first, tall things behind, small ones in front.
fn arrange(easel: &mut Easel, prompt: &Prompt, mentions: &[&Mention], edge: f32) {
    let (w, h) = (easel.frame.w, easel.frame.h);
    let short = easel.frame.short();
    let filled = mentions.iter().position(|m| m.subject.name() == "bowl");
    let content = filled.and_then(|i| {
        mentions
            .iter()
            .skip(i + 1)
            .find(|m| m.subject.metres < 0.14 && m.subject.home == Home::Table)
    });
    let number = |mention: &Mention| {
        prompt
            .mentions
            .iter()
            .position(|m| std::ptr::eq(m, mention))
            .unwrap_or(0)
    };
    let loose: Vec<(usize, &Mention)> = mentions
        .iter()
        .filter(|m| !content.is_some_and(|c| std::ptr::eq(*c, **m)))
        .map(|m| (number(m), *m))
        .filter(|(i, _)| relations::root(prompt, *i) == *i)
        .collect();
    let total: u32 = loose.iter().map(|(_, m)| m.count).sum();
    if total == 0 {
        return;
    }
    let tallest = loose.iter().map(|(_, m)| m.subject.metres).fold(0.02, f32::max);
    let lead = if total == 1 {
        0.5 + easel.rng.near(0.0, 0.08)
    } else {
        0.5
    };
    let mut ready = Vec::new();
    let mut slot = 0;
    for (of, mention) in loose {
        for _ in 0..mention.count {
            let is_bowl = mention.subject.name() == "bowl";
            let drawn = if is_bowl {
                filled_bowl(easel, mention, content.copied())
            } else {
                Drawn::mention(easel, mention)
            };
            let real = (mention.subject.metres / tallest).powf(0.45);
            let crowd = 1.0 / (total as f32).powf(0.46);
            let extent = short * 0.6 * crowd * real * mention.size * if is_bowl { 1.0 } else { 0.92 };
            let t = if total == 1 {
                lead
            } else {
                0.5 + ((slot as f32 + 0.5) / total as f32 - 0.5) * 0.86
            };
            let back = mention.relation == Some(Relation::Behind);
            let row = if total == 1 {
                0.42
            } else {
                [0.4, 0.56, 0.3, 0.66, 0.46][slot % 5] + (1.0 - real) * 0.2
            };
            let row = if back { 0.12 } else { row.min(0.8) };
            let y = edge + (h - edge) * row;
            let x = w * t + if total > 2 { easel.rng.near(0.0, 0.02) } else { 0.0 };
            let put = Put {
                x,
                y,
                extent: extent.min(y * if relations::carries(prompt, of) { 0.5 } else { 0.85 }),
                flip: easel.rng.sign(),
                depth: 0.0,
                stands: Stands::Ground,
            };
            ready.push(Stand::new(of, mention, drawn, put));
            slot += 1;
        }
    }
    relations::relate(easel, prompt, &mut ready);
    for stand in &ready {
        easel.put(&stand.name, &stand.drawn, &stand.put);
    }
    if let Some(content) = content {
        let area = easel
            .placed
            .iter()
            .find(|p| p.name == "bowl")
            .map_or((0.0, 0.0, 0.0, 0.0), |p| p.area);
        for _ in 0..content.count.max(1) {
            easel.placed.push(super::Placed {
                name: content.subject.name().to_owned(),
                area,
                depth: 0.0,
            });
        }
    }
}

/// A bowl with a heap of something in it.
fn filled_bowl(easel: &mut Easel, mention: &Mention, content: Option<&Mention>) -> Drawn {
    let light = easel.light.clone();
    let mut pen = Pen::new(easel.rng.fork("heap"));
    if let Some(content) = content {
        let mut heap: Vec<(f32, f32)> = vec![
            (-0.55, 0.78),
            (-0.2, 0.86),
            (0.18, 0.86),
            (0.54, 0.78),
            (-0.36, 1.12),
            (0.02, 1.2),
            (0.38, 1.1),
            (-0.16, 1.42),
            (0.2, 1.44),
        ];
        if content.count > 1 && content.count <= 9 {
            let from = heap.len() - content.count as usize;
            heap = heap.split_off(from.min(4));
        }
        // The back rows are drawn first; the front row of fruit lies before them.
        heap.sort_by(|a, b| b.1.total_cmp(&a.1));
        for (x, y) in heap {
            let mut one = Pen::new(pen.rng.fork("one"));
            (content.subject.draw)(
                &mut one,
                &Look {
                    light: &light,
                    color: content.color,
                },
            );
            let flip = pen.rng.sign();
            pen.stamp(&one, x + flip * 0.02, y - 0.3, 0.52, flip);
        }
    }
    let mut vessel = Pen::new(pen.rng.fork("bowl"));
    let look = Look {
        light: &light,
        color: mention.color,
    };
    (mention.subject.draw)(&mut vessel, &look);
    let mut whole = Pen::new(pen.rng.fork("whole"));
    // The inside of the bowl is behind the fruit, its outside in front of it.
    if let Some((path, paint)) = vessel.shapes.first().cloned() {
        whole.path(Some(path), paint);
    }
    whole.shapes.append(&mut pen.shapes);
    whole.shapes.extend(vessel.shapes.into_iter().skip(1));
    Drawn::of(whole)
}

/// A plastered wall with light from a window on it.
fn backdrop(easel: &mut Easel, color: Rgb, edge: f32) {
    let (w, h) = (easel.frame.w, easel.frame.h);
    let light = easel.light.clone();
    let seed = easel.rng.seed();
    let id = Some(easel.id());
    let octaves = 4 + light.extra;
    let side = light.toward.0.signum();
    let window = easel.rng.chance(0.55) && light.dark < 0.6;
    let (wx, wy) = (
        w * 0.5 + side * w * easel.rng.range(0.02, 0.14),
        edge * easel.rng.range(0.3, 0.42),
    );
    easel.add(Op::cover(Area(-9.0, -9.0, 9.0, edge + 0.001), id, move |spot| {
        let n = if light.flat {
            0.5
        } else {
            fbm(spot.x * 5.0, spot.y * 5.0, octaves, seed)
        };
        let falloff = 0.5 + 0.42 * side * (spot.x / w - 0.5) - 0.16 * (spot.y / h);
        let mut facing = falloff + 0.14 * (n - 0.5);
        if window {
            // Panes of light, slanted.
            let u = (spot.x - wx) * 2.6 + (spot.y - wy) * 0.6 * side;
            let v = (spot.y - wy) * 2.4 + (spot.x - wx) * 0.12 * side;
            let soft = 0.05;
            let inside = smooth(0.52, 0.52 - soft, u.abs()) * smooth(0.62, 0.62 - soft, v.abs());
            let bar = smooth(0.02, 0.05, u.abs()) * smooth(0.02, 0.05, (v - 0.05).abs());
            facing += 0.36 * inside * bar;
        }
        light.lit(color.scale(0.92 + 0.16 * n), facing.clamp(0.05, 1.2))
    }));
}

pub(super) fn wall(easel: &mut Easel, prompt: &Prompt) {
    let (w, h) = (easel.frame.w, easel.frame.h);
    let foot = h * easel.rng.range(0.74, 0.8);
    let light = easel.light.clone();
    let seed = easel.rng.seed();
    let own = easel
        .rng
        .pick(&[0xd8_a0_68, 0xe0_b8_84, 0x8c_b0_b4, 0xc8_84_6c, 0xdc_c4_8c]);
    let color = prompt.colors.first().copied().unwrap_or(Rgb::hex(own));
    let id = Some(easel.id());
    let octaves = 5 + light.extra;
    let side = light.toward.0.signum();
    let bricks = easel.rng.chance(0.5);
    let slant = easel.rng.range(0.25, 0.5);
    easel.add(Op::cover(Area(-9.0, -9.0, 9.0, foot), id, move |spot| {
        let n = fbm(spot.x * 4.0, spot.y * 4.0, octaves, seed);
        let bare = smooth(0.6, 0.64, fbm(spot.x * 2.3 + 9.0, spot.y * 2.6, 5, seed ^ 4));
        let row = (spot.y * 17.0).floor();
        let (bx, by) = (spot.x * 7.0 + row * 0.5, spot.y * 17.0);
        let joint = bx.fract() < 0.06 || by.fract() < 0.12;
        let each = value(bx.floor() * 3.1, row * 1.7, seed ^ 2);
        let brick = Rgb::hex(0xa8_5c_44).scale(if joint { 1.35 } else { 0.75 + 0.4 * each });
        let mut plaster = color.scale(0.9 + 0.2 * n);
        let mut k = if bricks { bare } else { 0.0 };
        if light.flat {
            plaster = color;
            k = if bricks && bare > 0.5 {
                f32::from(u8::from(!joint)) * 0.5
            } else {
                0.0
            };
        }
        let stain = smooth(foot - 0.18, foot, spot.y + 0.08 * (n - 0.5)) * 0.3;
        // The shadow of a roof opposite covers the upper part.
        let shade = smooth(
            -0.01,
            0.012,
            spot.y - h * 0.18 - slant * side * (spot.x - w * 0.5),
        );
        light.lit(
            plaster.mix(brick, k * 0.85).scale(1.0 - stain),
            0.24 + 0.46 * shade + 0.1 * (n - 0.5),
        )
    }));
    let light = easel.light.clone();
    let id = Some(easel.id());
    easel.spread(LayerKind::Ground, 1.0, 0.0);
    easel.add(Op::cover(Area(-9.0, foot, 9.0, 9.0), id, move |spot| {
        let d = (spot.y - foot) / (h - foot);
        let z = 0.3 + d;
        let (u, v) = ((spot.x - w * 0.5) / z * 4.0, 2.6 / z);
        let joint = (u + v.floor() * 0.5).fract().abs() < 0.04 || v.fract() < 0.07;
        let n = fbm(u * 3.0, v * 5.0, octaves, seed ^ 7);
        let tone = if joint {
            0.72
        } else {
            0.88 + if light.flat { 0.06 } else { 0.28 * (n - 0.3) }
        };
        light.lit(Rgb::hex(0xb4_a8_98).scale(tone), 0.5 + 0.1 * d)
    }));
    let mentions: Vec<&Mention> = prompt
        .mentions
        .iter()
        .filter(|m| m.subject.home != Home::Heaven)
        .collect();
    let total: u32 = mentions.iter().map(|m| m.count).sum();
    let mut slot = 0;
    for mention in mentions {
        for _ in 0..mention.count {
            let drawn = Drawn::mention(easel, mention);
            let t = if total == 1 {
                easel.rng.range(0.44, 0.56)
            } else {
                (slot as f32 + 0.5) / total as f32
            };
            let extent = easel.frame.short() * 0.56 / (total as f32).powf(0.42)
                * (mention.subject.metres / 1.2).clamp(0.25, 1.5).powf(0.3)
                * mention.size;
            let y = foot + (h - foot) * 0.22;
            let put = Put {
                x: w * t,
                y,
                extent: extent.min(y * 0.86),
                flip: easel.rng.sign(),
                depth: 0.0,
                stands: Stands::Ground,
            };
            cast_on_wall(easel, &drawn, &put, foot);
            easel.put(mention.name(), &drawn, &put);
            slot += 1;
        }
    }
}

/// The shadow of a thing on the wall behind it.
fn cast_on_wall(easel: &mut Easel, drawn: &Drawn, put: &Put, foot: f32) {
    let place = drawn.place(put);
    let shift = -easel.light.toward.0.signum() * 0.07;
    let onto = Place {
        x: place.x + shift,
        y: foot + 0.01,
        size: place.size * 0.98,
        ..place
    }
    .onto();
    let paths: Vec<_> = drawn
        .pen
        .shapes
        .iter()
        .filter_map(|(path, _)| path.clone().transform(onto))
        .collect();
    if paths.is_empty() || easel.light.dark > 0.7 {
        return;
    }
    let shade = easel.light.ambient.scale(0.4);
    easel.layer(LayerKind::Shadow, 1.0);
    easel.add(Op::union(paths, move |_, y| {
        (shade, if y < foot { 0.38 } else { 0.0 })
    }));
}

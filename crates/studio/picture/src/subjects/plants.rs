//! Plants: trees of several kinds, flowers, and what grows between them.

use std::f32::consts::{PI, TAU};

use super::{Home, Look, Subject};
use atelier_retouch::rgb::Rgb;
use crate::draw::{Form, Grain, Paint, Pen};
use crate::light::{Light, Season};

pub(super) const ALL: &[Subject] = &[
    Subject::new("tree|oak|oak tree|maple|elm|beech|chestnut tree|apple tree|linden", Home::Ground, 14.0, oak),
    Subject::new("pine|pine tree|fir|spruce|conifer|evergreen|cedar|christmas tree", Home::Ground, 16.0, pine),
    Subject::new("palm|palm tree|coconut tree|coconut palm", Home::Ground, 11.0, palm),
    Subject::new("birch|birch tree|aspen|poplar", Home::Ground, 14.0, birch),
    Subject::new("cherry tree|cherry blossom|sakura|blossom|blossom tree", Home::Ground, 8.0, cherry),
    Subject::new("cypress|cypress tree", Home::Ground, 14.0, cypress),
    Subject::new("dead tree|bare tree|leafless tree", Home::Ground, 12.0, bare),
    Subject::new("bush|shrub|hedge", Home::Ground, 1.6, bush),
    Subject::new("cactus|saguaro", Home::Ground, 5.0, cactus),
    Subject::new("flower|daisy|blossoms|wild flower", Home::Ground, 0.7, flower),
    Subject::new("sunflower", Home::Ground, 1.9, sunflower),
    Subject::new("tulip", Home::Ground, 0.6, tulip),
    Subject::new("rose bush|roses|peony", Home::Ground, 0.9, rose),
    Subject::new("mushroom|toadstool|fungus", Home::Ground, 0.4, mushroom),
    Subject::new("fern|plant|houseplant|potted plant", Home::Ground, 0.8, potted),
    Subject::new("water lily|lotus|lily|lily pad", Home::Water, 0.4, lily),
    Subject::new("reed|cattail|bamboo", Home::Ground, 2.4, bamboo),
];

const BARK: u32 = 0x5c_42_30;

/// Branches from a fork upward; collects the places of leaves.
fn branch(pen: &mut Pen, at: (f32, f32), (angle, length, width): (f32, f32, f32),
    level: u32, bark: Paint, tips: &mut Vec<(f32, f32)>) {
    let bend = pen.rng.near(0.0, 0.35);
    let middle = (at.0 + (angle + bend).cos() * length * 0.5, at.1 + (angle + bend).sin() * length * 0.5);
    let end = (at.0 + angle.cos() * length, at.1 + angle.sin() * length);
    pen.limb(&[at, middle, end], width, width * 0.55, bark);
    if level == 0 {
        tips.push(end);
        return;
    }
    let forks = if level > 2 { 3 } else { 2 + usize::from(pen.rng.chance(0.45)) };
    for i in 0..forks {
        let spread = (i as f32 - (forks as f32 - 1.0) * 0.5) * 0.62;
        let turn = angle + spread + pen.rng.near(0.0, 0.25);
        let turn = turn + (PI * 0.5 - turn) * 0.12;
        let reach = length * pen.rng.range(0.62, 0.82);
        branch(pen, end, (turn, reach, width * 0.58), level - 1, bark, tips);
        if level <= 2 {
            tips.push(middle);
        }
    }
}

/// Leaves around the tips of branches: many small clumps, lit as one round whole.
fn crown(pen: &mut Pen, tips: &[(f32, f32)], size: f32, light: &Light, mut leaf: impl FnMut(&mut Pen) -> Rgb) {
    let mut clumps: Vec<(f32, f32, f32)> = Vec::new();
    for &(x, y) in tips {
        for _ in 0..4 {
            clumps.push((x + pen.rng.near(0.0, size * 1.25), y + pen.rng.near(0.0, size),
                size * pen.rng.range(0.34, 0.72)));
        }
    }
    let n = clumps.len().max(1) as f32;
    let (cx, cy) = clumps.iter().fold((0.0, 0.0), |a, c| (a.0 + c.0 / n, a.1 + c.1 / n));
    let reach = clumps.iter().map(|c| (c.0 - cx).hypot(c.1 - cy)).fold(0.01, f32::max);
    let toward = (light.toward.0, -light.toward.1);
    let facing = |x: f32, y: f32| ((x - cx) * toward.0 + (y - cy) * toward.1) / reach;
    // Those turned away from the light first, those towards it last; a few strays at the end break the order.
    clumps.sort_by(|a, b| facing(a.0, a.1).total_cmp(&facing(b.0, b.1)));
    let hues: Vec<Rgb> = (0..3).map(|_| leaf(pen)).collect();
    for (x, y, r) in clumps {
        let tone = 0.78 + 0.34 * facing(x, y) + pen.rng.near(0.0, 0.09);
        let color = hues[pen.rng.below(5).min(2)].shift(pen.rng.near(0.0, 5.0),
            pen.rng.near(0.0, 0.02)).scale(tone.max(0.42));
        let points: Vec<(f32, f32)> = (0..9)
            .map(|i| {
                let k = r * if i % 2 == 0 { pen.rng.range(0.86, 1.2) } else { pen.rng.range(0.6, 0.86) };
                let (s, c) = (i as f32 / 9.0 * TAU + r * 40.0).sin_cos();
                (x + c * k * 1.12, y + s * k * 0.84)
            })
            .collect();
        pen.blob(&points, Paint::new(color).form(Form::Top).grain(Grain::Leaf));
    }
}

fn trunk_and_tips(pen: &mut Pen, trunk: f32, width: f32, levels: u32, bark: Paint) -> Vec<(f32, f32)> {
    let lean = pen.rng.near(0.0, 0.06);
    let top = (lean, trunk);
    pen.limb(&[(0.0, -0.01), (lean * 0.3, trunk * 0.5), top], width * 1.35, width * 0.8, bark);
    for side in [-1.0, 1.0] {
        pen.limb(&[(side * width * 1.1, -0.012), (side * width * 0.3, 0.05), (0.0, trunk * 0.4)],
            width * 0.35, width * 0.6, bark);
    }
    let mut tips = Vec::new();
    for (i, angle) in [2.5, 1.95, 1.5, 1.05, 0.6].into_iter().enumerate() {
        let reach = if i == 2 { 0.24 } else { 0.2 };
        let from = (top.0, top.1 - if i % 2 == 0 { 0.03 } else { 0.0 });
        let turn = angle + pen.rng.near(0.0, 0.15);
        branch(pen, from, (turn, reach, width * 0.62), levels, bark, &mut tips);
    }
    tips
}

fn oak(pen: &mut Pen, look: &Look<'_>) {
    let bark = Paint::hex(BARK).post().grain(Grain::Wood);
    let bare = look.light.season == Season::Winter && look.color.is_none();
    let tips = trunk_and_tips(pen, 0.3, 0.095, if bare { 3 } else { 2 }, bark);
    if !bare {
        let light = look.light.clone();
        let color = look.color;
        crown(pen, &tips, 0.085, look.light, move |pen| {
            match color {
                Some(color) => color.shift(pen.rng.near(0.0, 8.0), pen.rng.near(0.0, 0.05)),
                None => light.leaf(&mut pen.rng),
            }
        });
    }
}

fn bare(pen: &mut Pen, look: &Look<'_>) {
    let bark = Paint::new(look.color(0x4c_3c_34)).post().grain(Grain::Wood);
    trunk_and_tips(pen, 0.32, 0.08, 3, bark);
}

fn cherry(pen: &mut Pen, look: &Look<'_>) {
    let bark = Paint::hex(0x4e_38_34).post().grain(Grain::Wood);
    let tips = trunk_and_tips(pen, 0.28, 0.075, 2, bark);
    let pink = look.color(0xf4_b0_c4);
    crown(pen, &tips, 0.08, look.light, move |pen| pink.shift(pen.rng.near(0.0, 8.0), pen.rng.near(0.03, 0.06)));
}

fn birch(pen: &mut Pen, look: &Look<'_>) {
    let bark = Paint::hex(0xe4_de_d4).post();
    pen.limb(&[(0.0, 0.0), (0.015, 0.5), (0.0, 0.95)], 0.05, 0.015, bark);
    for _ in 0..16 {
        let (y, x) = (pen.rng.range(0.02, 0.7), pen.rng.near(0.005, 0.015));
        pen.rect(x - 0.012, y, 0.022, 0.007, Paint::hex(0x3a_34_30));
    }
    let mut tips = Vec::new();
    for i in 0..22 {
        let y = 0.36 + i as f32 * 0.027;
        let reach = 0.17 * (1.0 - ((y - 0.6) / 0.42).powi(2)).max(0.15);
        let side = if i % 2 == 0 { 1.0 } else { -1.0 };
        let tip = (side * reach, y + 0.07);
        pen.limb(&[(0.0, y), (side * reach * 0.5, y + 0.05), tip], 0.012, 0.004, bark.shade(0.8));
        tips.push(tip);
        tips.push((side * reach * 0.4, y + 0.05));
    }
    if look.light.season != Season::Winter {
        let leaf = look.color.unwrap_or(match look.light.season {
            Season::Autumn => Rgb::hex(0xec_b8_38),
            _ => Rgb::hex(0x86_b0_50),
        });
        crown(pen, &tips, 0.05, look.light, move |pen| leaf.shift(pen.rng.near(0.0, 8.0), pen.rng.near(0.0, 0.05)));
    }
}

pub(super) fn pine(pen: &mut Pen, look: &Look<'_>) {
    let green = look.color(if look.light.snowy() { 0x2e_50_48 } else { 0x2f_5c_40 });
    pen.limb(&[(0.0, 0.0), (0.0, 0.5)], 0.06, 0.03, Paint::hex(BARK).post().grain(Grain::Wood));
    let tiers = 9;
    for tier in 0..tiers {
        let t = tier as f32 / tiers as f32;
        let (y, w, h) = (0.1 + t * 0.76, 0.27 * (1.0 - t).powf(0.85) + 0.03, 0.2 - 0.08 * t);
        let teeth = 9;
        let mut points = vec![(0.0, y + h)];
        for i in 0..=teeth {
            let u = i as f32 / teeth as f32 * 2.0 - 1.0;
            let droop = if i % 2 == 0 { -0.028 } else { 0.016 };
            points.push((u * w * pen.rng.range(0.9, 1.06), y + droop + 0.035 * (1.0 - u * u) - 0.01));
        }
        pen.poly(&points, Paint::new(green.scale(0.74 + 0.34 * t)).post().grain(Grain::Leaf));
        if look.light.snowy() {
            let snow = Paint::hex(0xf2_f6_fa).grain(Grain::Rough).form(Form::Top);
            pen.blob(&[(-w * 0.85, y + 0.012), (-w * 0.35, y + 0.05), (0.0, y + h * 0.96), (w * 0.4, y + 0.06),
                (w * 0.8, y + 0.02), (w * 0.3, y + 0.036), (0.0, y + 0.06), (-w * 0.4, y + 0.03)], snow.alpha(0.92));
        }
    }
}

fn cypress(pen: &mut Pen, look: &Look<'_>) {
    let green = look.color(0x34_54_38);
    pen.limb(&[(0.0, 0.0), (0.0, 0.1)], 0.04, 0.04, Paint::hex(BARK));
    for i in 0..26 {
        let t = i as f32 / 26.0;
        let w = 0.095 * (t * PI * 0.93 + 0.2).sin().max(0.08);
        let x = pen.rng.near(0.0, 0.02);
        let tone = green.shift(0.0, pen.rng.near(0.0, 0.03));
        pen.oval(x, 0.07 + t * 0.88, w, 0.055, Paint::new(tone).form(Form::Puff).grain(Grain::Leaf));
    }
}

fn palm(pen: &mut Pen, look: &Look<'_>) {
    let lean = pen.rng.range(0.08, 0.22) * pen.rng.sign();
    let top = (lean, 0.74);
    let trunk = [(0.0, 0.0), (lean * 0.25, 0.25), (lean * 0.6, 0.52), top];
    pen.limb(&trunk, 0.06, 0.032, Paint::hex(0x8a_6a_4c).post().grain(Grain::Rough));
    for i in 1..16 {
        let t = i as f32 / 16.0;
        let x = lean * (0.9 * t * t + 0.1 * t);
        pen.line(&[(x - 0.024, t * 0.73), (x + 0.024, t * 0.73 + 0.004)], 0.006, Paint::hex(0x5c_44_33).alpha(0.7));
    }
    let green = look.color(0x4a_86_3c);
    for i in 0..11 {
        let a = -0.5 + i as f32 / 10.0 * (PI + 1.0) + pen.rng.near(0.0, 0.12);
        let reach = pen.rng.range(0.28, 0.36);
        let at = |t: f32| (
            top.0 + a.cos() * reach * t, top.1 + a.sin() * reach * t * 0.75 - 0.26 * t * t * reach * 2.4 + 0.03);
        let leaf = Paint::new(green.shift(pen.rng.near(0.0, 8.0), pen.rng.near(0.0, 0.05)));
        for k in 2..=14 {
            let t = k as f32 / 14.0;
            let (x, y) = at(t);
            let l = 0.1 * (1.0 - (t - 0.45).abs());
            pen.limb(&[(x, y), (x + l * 0.45 * a.cos().signum(), y - l * 0.8)], 0.014, 0.003, leaf);
        }
        pen.curve(&[at(0.0), at(0.33), at(0.66), at(1.0)], 0.013, leaf.shade(0.9));
    }
    for (x, y) in [(-0.03, -0.02), (0.025, -0.03), (0.0, -0.045)] {
        pen.disc(top.0 + x, top.1 + y, 0.022, Paint::hex(0x6a_48_2c).ball());
    }
}

fn bush(pen: &mut Pen, look: &Look<'_>) {
    let tips: Vec<(f32, f32)> = (0..9).map(|_| (pen.rng.near(0.0, 0.6), pen.rng.range(0.2, 0.7))).collect();
    let light = look.light.clone();
    let color = look.color;
    crown(pen, &tips, 0.26, look.light, move |pen| color.unwrap_or_else(|| light.leaf(&mut pen.rng)));
}

fn cactus(pen: &mut Pen, look: &Look<'_>) {
    let green = Paint::new(look.color(0x5a_8c_50)).post().grain(Grain::Rough);
    pen.limb(&[(0.0, 0.0), (0.0, 0.5), (0.0, 0.92)], 0.15, 0.14, green);
    pen.limb(&[(0.0, 0.36), (-0.17, 0.38), (-0.23, 0.48), (-0.23, 0.7)], 0.1, 0.095, green);
    pen.limb(&[(0.0, 0.46), (0.15, 0.48), (0.2, 0.57), (0.2, 0.82)], 0.1, 0.09, green);
    for x in [-0.04, 0.0, 0.04] {
        pen.line(&[(x, 0.02), (x, 0.9)], 0.007, Paint::hex(0x36_60_3a).alpha(0.6));
    }
    pen.disc(0.02, 0.99, 0.03, Paint::hex(0xe8_6c_90).ball());
    pen.disc(-0.23, 0.76, 0.025, Paint::hex(0xe8_6c_90).ball());
}

fn stem(pen: &mut Pen, top: (f32, f32), width: f32) {
    let green = Paint::hex(0x4c_84_3e);
    pen.limb(&[(0.0, 0.0), (top.0 * 0.2, top.1 * 0.5), top], width, width * 0.7, green.post());
    for (side, y) in [(-1.0, 0.25), (1.0, 0.38)] {
        let x = top.0 * 0.1;
        pen.blob(&[(x, y), (x + side * 0.07, y + 0.08), (x + side * 0.17, y + 0.1), (x + side * 0.09, y + 0.02)],
            green.shade(0.92).form(Form::Top));
    }
}

fn petals(pen: &mut Pen, at: (f32, f32), count: usize, r: f32, w: f32, paint: Paint) {
    let turn = pen.rng.unit();
    for i in 0..count {
        let (s, c) = (turn + i as f32 / count as f32 * TAU).sin_cos();
        let p = |along: f32, across: f32| (at.0 + c * along - s * across, at.1 + s * along + c * across);
        let tone = paint.shade(pen.rng.range(0.9, 1.06));
        pen.blob(&[p(r * 0.2, -w * 0.4), p(r * 0.7, -w), p(r, 0.0), p(r * 0.7, w), p(r * 0.2, w * 0.4)], tone);
    }
}

fn flower(pen: &mut Pen, look: &Look<'_>) {
    let top = (pen.rng.near(0.0, 0.06), 0.8);
    stem(pen, top, 0.025);
    let own = pen.rng.pick(&[0xf6_f2_ea, 0xe8_78_a0, 0xc0_88_d8, 0xf0_b0_40]);
    petals(pen, top, 11, 0.2, 0.045, Paint::new(look.color(own)).form(Form::Top));
    pen.disc(top.0, top.1, 0.065, Paint::hex(0xf0_bc_30).ball().grain(Grain::Rough));
}

fn sunflower(pen: &mut Pen, look: &Look<'_>) {
    let top = (pen.rng.near(0.0, 0.05), 0.76);
    stem(pen, top, 0.035);
    let yellow = Paint::new(look.color(0xf4_b8_24));
    petals(pen, top, 18, 0.24, 0.034, yellow.shade(0.85));
    petals(pen, top, 18, 0.21, 0.032, yellow);
    pen.disc(top.0, top.1, 0.115, Paint::hex(0x5c_3a_20).ball().grain(Grain::Rough));
    pen.disc(top.0, top.1, 0.055, Paint::hex(0x3c_28_1a).ball().grain(Grain::Rough));
}

fn tulip(pen: &mut Pen, look: &Look<'_>) {
    let own = pen.rng.pick(&[0xd8_34_48, 0xf0_a0_2c, 0xe8_70_98, 0x9a_50_b0]);
    let c = Paint::new(look.color(own));
    let x = pen.rng.near(0.0, 0.05);
    stem(pen, (x, 0.7), 0.035);
    pen.blob(&[(0.0, 0.0), (-0.1, 0.3), (-0.16, 0.55), (-0.05, 0.3)], Paint::hex(0x5c_94_4c));
    pen.blob(&[(x - 0.12, 0.8), (x, 0.67), (x + 0.12, 0.8), (x + 0.07, 1.0), (x, 0.93), (x - 0.07, 1.0)], c.ball());
    pen.blob(&[(x - 0.05, 0.72), (x, 0.67), (x + 0.05, 0.72), (x + 0.045, 0.9), (x, 0.98), (x - 0.045, 0.9)],
        c.shade(1.1).ball());
}

fn rose(pen: &mut Pen, look: &Look<'_>) {
    let red = look.color(0xc8_2c_48);
    stem(pen, (0.0, 0.74), 0.03);
    for ring in 0..4 {
        let k = 1.0 - ring as f32 * 0.22;
        petals(pen, (0.0, 0.8 + ring as f32 * 0.01),
            7 - ring, 0.2 * k, 0.09 * k, Paint::new(red.shift(0.0, ring as f32 * 0.035 - 0.05)).ball());
    }
    pen.disc(0.0, 0.84, 0.04, Paint::new(red.scale(0.75)).ball());
}

fn mushroom(pen: &mut Pen, look: &Look<'_>) {
    pen.blob(&[(-0.13, 0.0), (0.13, 0.0), (0.09, 0.3), (0.1, 0.55), (-0.1, 0.55), (-0.09, 0.3)],
        Paint::hex(0xf0_e6_d4).post());
    pen.blob(&[(-0.5, 0.5), (0.0, 0.44), (0.5, 0.5), (0.4, 0.8), (0.0, 0.98), (-0.4, 0.8)],
        Paint::new(look.color(0xcc_36_2c)).ball().grain(Grain::Shiny));
    for (x, y, r) in [(-0.25, 0.68, 0.06), (0.02, 0.82, 0.07), (0.27, 0.66, 0.055), (-0.05, 0.58, 0.045),
        (0.14, 0.74, 0.03)] {
        pen.oval(x, y, r, r * 0.75, Paint::hex(0xfa_f4_ea));
    }
}

fn potted(pen: &mut Pen, look: &Look<'_>) {
    for i in 0..13 {
        let a = 0.35 + i as f32 / 12.0 * 2.45;
        let reach = pen.rng.range(0.45, 0.66);
        let p = |t: f32| (a.cos() * reach * t * 0.9, 0.34 + a.sin() * reach * t - 0.22 * t * t);
        let green = look.color(0x3f_8a_4c).shift(pen.rng.near(0.0, 10.0), pen.rng.near(0.0, 0.06));
        pen.limb(&[p(0.0), p(0.4), p(0.75), p(1.0)], 0.07, 0.008, Paint::new(green).form(Form::Top));
    }
    pen.poly(&[(-0.17, 0.0), (0.17, 0.0), (0.24, 0.34), (-0.24, 0.34)], Paint::hex(0xb8_64_40).post());
    pen.rect(-0.26, 0.32, 0.52, 0.06, Paint::hex(0xc4_70_4a).post());
}

fn lily(pen: &mut Pen, look: &Look<'_>) {
    pen.oval(0.0, 0.02, 1.2, 0.2, Paint::hex(0x3c_7c_48).form(Form::Top));
    let pink = Paint::new(look.color(0xf2_b8_cc));
    for layer in 0..3 {
        let k = 1.0 - layer as f32 * 0.22;
        for i in 0..7 {
            let u = i as f32 / 6.0 * 2.0 - 1.0;
            pen.blob(&[(u * 0.1, 0.05), (u * 0.5 * k - 0.09, 0.3),
                (u * 0.62 * k, 0.75 * k * (1.0 - 0.45 * u * u) + 0.1), (u * 0.5 * k + 0.09, 0.3)],
                pink.shade(0.88 + 0.07 * layer as f32).ball());
        }
    }
    pen.oval(0.0, 0.26, 0.08, 0.06, Paint::hex(0xf0_c8_50));
}

fn bamboo(pen: &mut Pen, look: &Look<'_>) {
    for i in 0..5 {
        let x = -0.24 + i as f32 * 0.12 + pen.rng.near(0.0, 0.03);
        let top = pen.rng.range(0.75, 1.0);
        let green = Paint::new(look.color(0x7c_9c_48).shift(0.0, pen.rng.near(0.0, 0.05)));
        pen.limb(&[(x, 0.0), (x + 0.01, top * 0.5), (x + 0.03, top)], 0.035, 0.022, green.post());
        for k in 1..7 {
            let y = top * k as f32 / 7.0;
            pen.rect(x - 0.02, y, 0.045, 0.008, green.shade(0.6));
            let side = pen.rng.sign();
            pen.blob(&[(x, y), (x + side * 0.06, y + 0.03), (x + side * 0.16, y - 0.01),
                (x + side * 0.07, y + 0.005)], green.shade(0.9));
        }
    }
}

//! Birds, fish and insects: what flies and what swims.

use std::f32::consts::TAU;

use super::{Home, Look, Subject};
use atelier_retouch::rgb::Rgb;
use crate::draw::{Form, Grain, Paint, Pen};

pub(super) const ALL: &[Subject] = &[
    Subject::new("bird|seagull|gull|sparrow|crow|raven|dove|pigeon|swallow", Home::Air, 0.9, flying),
    Subject::new("eagle|hawk|falcon|condor", Home::Air, 1.6, flying),
    Subject::new("owl", Home::Ground, 0.7, owl),
    Subject::new("swan|goose", Home::Water, 1.2, swan),
    Subject::new("duck|duckling|mallard", Home::Water, 0.5, duck),
    Subject::new("penguin", Home::Ground, 1.0, penguin),
    Subject::new("flamingo|heron|crane|stork", Home::Ground, 1.5, heron),
    Subject::new("rooster|chicken|hen|cock", Home::Ground, 0.7, hen),
    Subject::new("robin|songbird|bluebird|parrot|finch|hummingbird|canary", Home::Ground, 0.3, robin),
    Subject::new("butterfly|moth", Home::Air, 0.4, butterfly),
    Subject::new("bee|bumblebee|dragonfly|ladybug|insect", Home::Air, 0.3, bee),
    Subject::new("fish|goldfish|tropical fish|koi|trout|salmon fish", Home::Deep, 0.5, fish),
    Subject::new("whale|orca|humpback", Home::Deep, 5.0, whale),
    Subject::new("dolphin|porpoise", Home::Deep, 2.0, dolphin),
    Subject::new("shark", Home::Deep, 2.4, shark),
    Subject::new("jellyfish|medusa", Home::Deep, 0.9, jellyfish),
    Subject::new("octopus|squid", Home::Deep, 1.2, octopus),
];

fn eye(pen: &mut Pen, x: f32, y: f32, r: f32) {
    pen.disc(x, y, r, Paint::hex(0x18_14_14));
    pen.disc(x + r * 0.3, y + r * 0.3, r * 0.3, Paint::hex(0xff_ff_ff).glow(0.8));
}

fn flying(pen: &mut Pen, look: &Look<'_>) {
    let c = Paint::new(look.color(0x44_48_54));
    let lift = pen.rng.range(0.25, 0.62);
    for (side, tone) in [(-1.0_f32, 0.85), (1.0, 1.0)] {
        let p = |x: f32, y: f32| (side * x, 0.4 + y);
        pen.blob(&[p(0.02, 0.04), p(0.28, lift * 0.8), p(0.56, lift * 0.9), p(0.95, lift * 0.45),
            p(0.58, lift * 0.62), p(0.3, lift * 0.4), p(0.04, -0.09)], c.shade(tone).form(Form::Top));
    }
    pen.blob(&[(-0.09, 0.36), (0.0, 0.46), (0.16, 0.48), (0.27, 0.42), (0.14, 0.35), (-0.05, 0.31), (-0.24, 0.27),
        (-0.24, 0.34)], c.beam());
    pen.poly(&[(0.25, 0.44), (0.34, 0.41), (0.25, 0.4)], Paint::hex(0xe0_a0_3c));
}

fn owl(pen: &mut Pen, look: &Look<'_>) {
    let c = look.color(0x8a_64_44);
    let body = Paint::new(c).grain(Grain::Fur);
    pen.blob(&[(-0.24, 0.05), (-0.3, 0.4), (-0.26, 0.78), (-0.24, 1.0), (-0.1, 0.92), (0.1, 0.92), (0.24, 1.0),
        (0.26, 0.78), (0.3, 0.4), (0.24, 0.05)], body.ball());
    pen.blob(&[(-0.15, 0.08), (-0.19, 0.36), (-0.1, 0.56), (0.1, 0.56), (0.19, 0.36), (0.15, 0.08)],
        Paint::new(c.mix(Rgb::hex(0xf4_e4_c8), 0.65)).ball());
    for row in 0..5 {
        for k in 0..4 {
            let (x, y) = (-0.12 + k as f32 * 0.08 + if row % 2 == 0 { 0.0 } else { 0.03 }, 0.14 + row as f32 * 0.08);
            pen.blob(&[(x - 0.02, y + 0.02), (x, y - 0.02), (x + 0.02, y + 0.02)], body.shade(0.8));
        }
    }
    for side in [-1.0, 1.0] {
        pen.blob(&[(side * 0.22, 0.66), (side * 0.34, 0.4), (side * 0.26, 0.06), (side * 0.17, 0.3)],
            body.shade(0.72).ball());
        pen.disc(side * 0.11, 0.75, 0.115, Paint::new(c.mix(Rgb::hex(0xf4_e4_c8), 0.5)));
        pen.disc(side * 0.11, 0.75, 0.07, Paint::hex(0xf4_b8_30).glow(0.5));
        eye(pen, side * 0.11, 0.75, 0.042);
        for k in 0..3 {
            pen.limb(&[(side * 0.1 + (k as f32 - 1.0) * 0.04, 0.06),
                (side * 0.1 + (k as f32 - 1.0) * 0.045, -0.02)], 0.035, 0.02, Paint::hex(0xd8_9c_44));
        }
    }
    pen.blob(&[(-0.035, 0.72), (0.035, 0.72), (0.0, 0.6)], Paint::hex(0xdc_a0_40));
}

fn swan(pen: &mut Pen, look: &Look<'_>) {
    let c = Paint::new(look.color(0xf6_f4_f0));
    pen.limb(&[(0.32, 0.24), (0.5, 0.4), (0.44, 0.66), (0.46, 0.88), (0.58, 0.93)], 0.2, 0.1, c.post());
    pen.oval(0.58, 0.91, 0.085, 0.07, c.ball());
    pen.poly(&[(0.64, 0.94), (0.8, 0.86), (0.64, 0.87)], Paint::hex(0xe8_84_30));
    pen.disc(0.61, 0.92, 0.017, Paint::hex(0x18_14_14));
    pen.blob(&[(-0.62, 0.42), (-0.4, 0.34), (0.1, 0.42), (0.4, 0.3), (0.48, 0.1), (0.2, -0.02), (-0.3, -0.02),
        (-0.5, 0.14)], c.ball());
    for i in 0..3 {
        let k = i as f32 * 0.1;
        pen.blob(&[(0.24 - k, 0.34), (-0.2 - k, 0.5 - k * 0.6), (-0.66 + k * 0.4, 0.5 - k), (-0.34, 0.22),
            (0.1 - k, 0.14)], c.shade(0.94 - 0.03 * i as f32).form(Form::Top));
    }
}

fn duck(pen: &mut Pen, look: &Look<'_>) {
    let c = Paint::new(look.color(0x9a_74_50)).grain(Grain::Fur);
    let head = Paint::new(look.color.unwrap_or(Rgb::hex(0x1f_6a_48)));
    pen.blob(&[(-0.78, 0.5), (-0.5, 0.4), (0.0, 0.5), (0.4, 0.38), (0.5, 0.1), (0.2, -0.04), (-0.4, -0.02),
        (-0.6, 0.2)], c.ball());
    pen.blob(&[(0.1, 0.42), (-0.4, 0.4), (-0.62, 0.32), (-0.3, 0.14), (0.1, 0.16)], c.shade(0.8).form(Form::Top));
    pen.limb(&[(0.36, 0.28), (0.46, 0.5), (0.48, 0.74)], 0.3, 0.22, head.post());
    pen.line(&[(0.29, 0.42), (0.52, 0.4)], 0.04, Paint::hex(0xf4_f0_ea));
    pen.oval(0.5, 0.78, 0.18, 0.16, head.ball().grain(Grain::Shiny));
    pen.blob(&[(0.64, 0.82), (0.9, 0.72), (0.86, 0.66), (0.62, 0.7)], Paint::hex(0xe8_b0_3c));
    eye(pen, 0.56, 0.83, 0.03);
}

fn penguin(pen: &mut Pen, look: &Look<'_>) {
    let c = Paint::new(look.color(0x2a_30_3c));
    for x in [-0.1, 0.1] {
        pen.oval(x, 0.02, 0.1, 0.035, Paint::hex(0xe8_98_38).ball());
    }
    pen.blob(&[(-0.22, 0.05), (-0.28, 0.4), (-0.2, 0.72), (-0.13, 0.92), (0.0, 1.0), (0.13, 0.92), (0.2, 0.72),
        (0.28, 0.4), (0.22, 0.05)], c.ball());
    pen.blob(&[(-0.14, 0.06), (-0.19, 0.36), (-0.12, 0.66), (0.0, 0.74), (0.12, 0.66), (0.19, 0.36), (0.14, 0.06)],
        Paint::hex(0xf6_f4_ee).ball());
    for side in [-1.0, 1.0] {
        pen.blob(&[(side * 0.2, 0.7), (side * 0.36, 0.42), (side * 0.34, 0.26), (side * 0.22, 0.42)], c.shade(0.85));
        pen.oval(side * 0.09, 0.84, 0.055, 0.07, Paint::hex(0xf6_f4_ee));
        eye(pen, side * 0.075, 0.85, 0.022);
    }
    pen.oval(0.0, 0.72, 0.1, 0.03, Paint::hex(0xf0_b8_48).alpha(0.6));
    pen.blob(&[(-0.045, 0.82), (0.045, 0.82), (0.0, 0.745)], Paint::hex(0xe8_90_30));
}

fn heron(pen: &mut Pen, look: &Look<'_>) {
    let c = look.color(0xf0_8c_98);
    let p = Paint::new(c);
    pen.limb(&[(0.02, 0.5), (0.0, 0.26), (0.03, 0.0)], 0.03, 0.018, p.shade(0.7));
    pen.limb(&[(-0.06, 0.5), (0.08, 0.34), (-0.04, 0.28)], 0.03, 0.018, p.shade(0.62));
    pen.blob(&[(-0.36, 0.5), (-0.2, 0.64), (0.06, 0.66), (0.16, 0.56), (0.06, 0.46), (-0.14, 0.44)],
        p.ball().grain(Grain::Fur));
    pen.limb(&[(0.12, 0.56), (0.24, 0.66), (0.12, 0.8), (0.16, 0.93), (0.25, 0.95)], 0.07, 0.045, p.post());
    pen.oval(0.24, 0.945, 0.05, 0.04, p.ball());
    pen.blob(&[(0.27, 0.96), (0.38, 0.9), (0.38, 0.84), (0.27, 0.92)], Paint::hex(0x34_2c_2c));
    pen.disc(0.25, 0.955, 0.01, Paint::hex(0x18_14_14));
}

fn hen(pen: &mut Pen, look: &Look<'_>) {
    let c = look.color(0xa8_54_2c);
    let p = Paint::new(c).grain(Grain::Fur);
    for x in [-0.06, 0.08] {
        pen.limb(&[(x, 0.25), (x, 0.03)], 0.035, 0.03, Paint::hex(0xe0_a8_3c));
        pen.oval(x + 0.03, 0.015, 0.07, 0.016, Paint::hex(0xe0_a8_3c));
    }
    for i in 0..5 {
        let t = i as f32 * 0.1;
        pen.blob(&[(-0.26, 0.4), (-0.46 - t * 0.3, 0.7 - t * 0.3), (-0.42 - t, 0.95 - t),
            (-0.56 - t * 0.5, 0.6 - t)], p.shade(0.4 + 0.1 * i as f32));
    }
    pen.blob(&[(-0.4, 0.46), (-0.2, 0.5), (0.1, 0.56), (0.28, 0.6), (0.34, 0.4), (0.16, 0.2), (-0.18, 0.2)], p.ball());
    pen.limb(&[(0.22, 0.48), (0.3, 0.66), (0.3, 0.8)], 0.24, 0.15, p.shade(1.15).post());
    for (x, y) in [(0.24, 0.9), (0.31, 0.93), (0.37, 0.89)] {
        pen.disc(x, y, 0.045, Paint::hex(0xd4_2c_30).ball());
    }
    pen.oval(0.31, 0.82, 0.09, 0.085, p.shade(1.15).ball());
    pen.poly(&[(0.38, 0.85), (0.49, 0.8), (0.38, 0.78)], Paint::hex(0xec_b0_38));
    pen.oval(0.39, 0.74, 0.03, 0.05, Paint::hex(0xd4_2c_30).ball());
    eye(pen, 0.34, 0.845, 0.017);
}

fn robin(pen: &mut Pen, look: &Look<'_>) {
    let c = look.color(0x6c_78_84);
    let p = Paint::new(c).grain(Grain::Fur);
    for x in [-0.02, 0.1] {
        pen.limb(&[(x, 0.22), (x + 0.02, 0.0)], 0.025, 0.02, Paint::hex(0x5c_44_34));
    }
    pen.blob(&[(-0.3, 0.42), (-0.62, 0.2), (-0.68, 0.12), (-0.5, 0.14), (-0.2, 0.26)], p.shade(0.75));
    pen.blob(&[(-0.34, 0.42), (-0.16, 0.72), (0.06, 0.94), (0.28, 0.98), (0.42, 0.8), (0.4, 0.5), (0.2, 0.2),
        (-0.1, 0.18)], p.ball());
    pen.blob(&[(0.36, 0.72), (0.42, 0.52), (0.22, 0.22), (0.0, 0.2), (0.1, 0.5), (0.22, 0.68)],
        Paint::hex(0xe0_70_34).grain(Grain::Fur).ball());
    pen.blob(&[(-0.04, 0.64), (-0.3, 0.46), (-0.5, 0.26), (-0.16, 0.28), (0.08, 0.42)], p.shade(0.82).form(Form::Top));
    pen.poly(&[(0.42, 0.84), (0.56, 0.78), (0.42, 0.75)], Paint::hex(0x3c_34_30));
    eye(pen, 0.32, 0.84, 0.035);
}

fn butterfly(pen: &mut Pen, look: &Look<'_>) {
    let own = pen.rng.pick(&[0xf0_94_2c, 0x48_84_d8, 0xd8_5c_a8, 0xf0_c8_40]);
    let c = Paint::new(look.color(own));
    for side in [-1.0, 1.0] {
        let p = |x: f32, y: f32| (side * x, 0.45 + y);
        pen.blob(&[p(0.02, 0.06), p(0.2, 0.42), p(0.5, 0.54), p(0.6, 0.34), p(0.42, 0.06), p(0.1, -0.02)],
            Paint::hex(0x28_20_24));
        pen.blob(&[p(0.06, 0.08), p(0.22, 0.36), p(0.45, 0.46), p(0.52, 0.32), p(0.36, 0.09), p(0.12, 0.02)], c);
        pen.blob(&[p(0.03, 0.0), p(0.34, 0.0), p(0.44, -0.2), p(0.28, -0.4), p(0.1, -0.24)], Paint::hex(0x28_20_24));
        pen.blob(&[p(0.06, -0.03), p(0.31, -0.04), p(0.37, -0.2), p(0.26, -0.33), p(0.12, -0.2)], c.shade(0.9));
        for (x, y) in [(0.52, 0.47), (0.56, 0.38), (0.4, -0.26)] {
            let (x, y) = p(x, y);
            pen.disc(x, y, 0.022, Paint::hex(0xfa_f4_e8));
        }
        pen.curve(&[p(0.01, 0.14), p(0.06, 0.3), p(0.14, 0.36)], 0.012, Paint::hex(0x28_20_24));
    }
    pen.limb(&[(0.0, 0.6), (0.0, 0.44), (0.0, 0.2)], 0.055, 0.025, Paint::hex(0x2c_24_24).post());
}

fn bee(pen: &mut Pen, look: &Look<'_>) {
    for (a, x) in [(0.5, -0.02), (0.75, 0.1)] {
        pen.blob(&[(x, 0.55), (x - 0.2, 0.55 + a * 0.6), (x - 0.02, 1.0), (x + 0.16, 0.55 + a * 0.5)],
            Paint::hex(0xe4_f0_f8).alpha(0.6));
    }
    pen.oval(0.0, 0.42, 0.42, 0.27, Paint::new(look.color(0xf4_bc_2c)).ball().grain(Grain::Fur));
    for x in [-0.2, 0.0] {
        pen.blob(&[(x - 0.05, 0.64), (x + 0.05, 0.66), (x + 0.07, 0.42), (x + 0.05, 0.18), (x - 0.05, 0.2),
            (x - 0.02, 0.42)], Paint::hex(0x2c_22_1c));
    }
    pen.disc(0.4, 0.46, 0.15, Paint::hex(0x30_26_20).ball());
    eye(pen, 0.47, 0.5, 0.04);
}

fn fish(pen: &mut Pen, look: &Look<'_>) {
    let own = pen.rng.pick(&[0xf0_80_28, 0x3c_8c_d0, 0xe8_c0_38, 0xd8_50_60]);
    let c = look.color(own);
    let p = Paint::new(c);
    pen.blob(&[(-0.5, 0.5), (-0.85, 0.86), (-0.95, 0.8), (-0.8, 0.5), (-0.95, 0.2), (-0.85, 0.14)], p.shade(0.85));
    pen.blob(&[(-0.3, 0.74), (0.0, 1.0), (0.3, 0.94), (0.36, 0.72)], p.shade(0.8));
    pen.blob(&[(-0.1, 0.26), (0.0, 0.04), (0.22, 0.1), (0.24, 0.28)], p.shade(0.8));
    pen.blob(&[(-0.62, 0.5), (-0.3, 0.74), (0.2, 0.84), (0.62, 0.66), (0.74, 0.48), (0.6, 0.32), (0.16, 0.18),
        (-0.3, 0.28)], p.to(c.mix(Rgb::hex(0xff_f8_e8), 0.6)).beam().grain(Grain::Shiny));
    for x in [-0.18, 0.2] {
        pen.blob(&[(x - 0.05, 0.8), (x + 0.07, 0.82), (x + 0.09, 0.5), (x + 0.05, 0.22), (x - 0.04, 0.23),
            (x + 0.0, 0.5)], Paint::hex(0xfa_f6_ee).alpha(0.85));
    }
    pen.blob(&[(0.1, 0.5), (-0.12, 0.42), (-0.14, 0.3), (0.08, 0.38)], p.shade(0.75));
    pen.disc(0.5, 0.58, 0.075, Paint::hex(0xfa_f6_ee));
    eye(pen, 0.52, 0.58, 0.045);
}

fn whale(pen: &mut Pen, look: &Look<'_>) {
    let c = look.color(0x44_62_84);
    let p = Paint::new(c).grain(Grain::Rough);
    pen.blob(&[(-1.05, 0.6), (-1.5, 0.96), (-1.62, 0.84), (-1.32, 0.62), (-1.62, 0.48), (-1.46, 0.38)], p.shade(0.85));
    pen.blob(&[(-1.35, 0.62), (-0.9, 0.72), (-0.2, 0.98), (0.6, 1.0), (1.15, 0.76), (1.3, 0.5), (1.0, 0.2),
        (0.4, 0.06), (-0.3, 0.22), (-0.9, 0.5)], p.beam());
    pen.blob(&[(1.27, 0.44), (1.0, 0.2), (0.4, 0.06), (-0.2, 0.2), (0.3, 0.3), (0.9, 0.4)],
        Paint::hex(0xd8_e0_e4).beam());
    for i in 0..5 {
        let y = 0.15 + i as f32 * 0.045;
        pen.curve(&[(0.0, y + 0.05), (0.5, y - 0.02), (1.02, y + 0.09)], 0.01, p.shade(0.6).alpha(0.6));
    }
    pen.blob(&[(0.42, 0.3), (0.2, -0.1), (0.02, -0.2), (0.12, 0.1), (0.2, 0.3)], p.shade(0.8));
    eye(pen, 0.92, 0.5, 0.03);
}

fn dolphin(pen: &mut Pen, look: &Look<'_>) {
    let c = look.color(0x6c_8c_ac);
    let p = Paint::new(c);
    pen.blob(&[(-0.95, 0.1), (-1.3, 0.2), (-1.28, 0.08), (-1.05, -0.02), (-1.18, -0.22), (-1.02, -0.18)],
        p.shade(0.85));
    pen.blob(&[(-0.05, 0.86), (-0.22, 1.08), (-0.1, 1.06), (0.2, 0.86)], p.shade(0.8));
    pen.blob(&[(-1.02, 0.06), (-0.7, 0.5), (-0.1, 0.88), (0.5, 0.82), (0.78, 0.6), (1.05, 0.46), (1.03, 0.38),
        (0.72, 0.4), (0.3, 0.4), (-0.3, 0.36), (-0.8, 0.1)], p.to(Rgb::hex(0xe4_ec_f0)).beam().grain(Grain::Shiny));
    pen.blob(&[(0.3, 0.48), (0.1, 0.16), (0.0, 0.14), (0.06, 0.44)], p.shade(0.78));
    eye(pen, 0.68, 0.56, 0.025);
}

fn shark(pen: &mut Pen, look: &Look<'_>) {
    let c = look.color(0x6c_7c_8c);
    let p = Paint::new(c);
    pen.blob(&[(-0.95, 0.46), (-1.3, 0.92), (-1.36, 0.86), (-1.16, 0.46), (-1.26, 0.2), (-1.18, 0.2)], p.shade(0.85));
    pen.poly(&[(-0.1, 0.66), (-0.16, 1.04), (0.26, 0.68)], p.shade(0.85));
    pen.blob(&[(-1.1, 0.46), (-0.5, 0.62), (0.1, 0.74), (0.7, 0.66), (1.12, 0.5), (0.8, 0.34), (0.2, 0.24),
        (-0.5, 0.34)], p.to(Rgb::hex(0xee_f0_f0)).beam());
    pen.poly(&[(0.3, 0.34), (-0.02, -0.02), (0.1, 0.32)], p.shade(0.8));
    for k in 0..4 {
        let x = 0.46 + k as f32 * 0.05;
        pen.line(&[(x, 0.42), (x - 0.02, 0.56)], 0.012, p.shade(0.55));
    }
    eye(pen, 0.86, 0.56, 0.028);
}

fn jellyfish(pen: &mut Pen, look: &Look<'_>) {
    let c = look.color(0xd8_88_c8);
    for i in 0..9 {
        let x = -0.26 + i as f32 * 0.065;
        let (a, b) = (pen.rng.near(0.0, 0.09), pen.rng.near(0.0, 0.14));
        let end = pen.rng.range(-0.05, 0.2);
        pen.limb(&[(x, 0.6), (x + a, 0.42), (x - a, 0.26), (x + b, end)],
            0.035, 0.008, Paint::new(c).alpha(0.55).glow(0.5));
    }
    pen.blob(&[(-0.36, 0.6), (-0.3, 0.84), (0.0, 1.0), (0.3, 0.84), (0.36, 0.6), (0.18, 0.64), (0.0, 0.58),
        (-0.18, 0.64)], Paint::new(c).ball().alpha(0.8).glow(0.45));
    pen.blob(&[(-0.2, 0.68), (-0.14, 0.84), (0.0, 0.9), (0.14, 0.84), (0.2, 0.68)],
        Paint::new(c.mix(Rgb::hex(0xff_ff_ff), 0.5)).alpha(0.5).glow(0.7));
    pen.lamp(0.0, 0.75, 0.7, c.scale(0.6));
}

fn octopus(pen: &mut Pen, look: &Look<'_>) {
    let c = look.color(0xc8_54_54);
    let p = Paint::new(c).grain(Grain::Rough);
    for i in 0..8 {
        let u = i as f32 / 7.0 * 2.0 - 1.0;
        let (s, _) = (u * TAU * 0.3).sin_cos();
        let curl = pen.rng.near(0.0, 0.12);
        pen.limb(&[(u * 0.18, 0.42), (u * 0.42, 0.26), (u * 0.66 + curl, 0.08 + 0.05 * s),
            (u * 0.8 + curl * 1.5, 0.16)], 0.14, 0.025, p.shade(0.75 + 0.05 * (i % 3) as f32).beam());
    }
    pen.blob(&[(-0.24, 0.4), (-0.34, 0.7), (-0.2, 0.96), (0.06, 1.0), (0.3, 0.86), (0.32, 0.6), (0.24, 0.38)],
        p.ball());
    for x in [-0.11, 0.13] {
        pen.disc(x, 0.5, 0.06, Paint::hex(0xf6_ec_d8));
        eye(pen, x, 0.5, 0.035);
    }
}

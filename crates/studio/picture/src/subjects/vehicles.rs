//! The things on wheels and rails.

use std::f32::consts::TAU;

use super::{Home, Look, Subject};
use atelier_retouch::rgb::Rgb;
use crate::draw::{Form, Grain, Paint, Pen};

pub(super) const ALL: &[Subject] = &[
    Subject::new("bicycle|bike|cycle|road bike", Home::Ground, 1.1, bicycle),
    Subject::new("car|automobile|sports car|convertible|taxi|sedan|vintage car|cab", Home::Ground, 1.5, car),
    Subject::new("bus|van|camper|camper van|minibus|tram|trolley|school bus", Home::Ground, 2.8, bus),
    Subject::new("truck|lorry|pickup|tractor|fire truck|pickup truck", Home::Ground, 2.4, truck),
    Subject::new("train|locomotive|steam train|steam engine|railway|steam locomotive", Home::Ground, 3.6, train),
    Subject::new("motorcycle|motorbike|scooter|vespa|moped", Home::Ground, 1.2, scooter),
    Subject::new("cart|wagon|carriage|wheelbarrow", Home::Ground, 1.6, cart),
];

fn wheel(pen: &mut Pen, x: f32, r: f32) {
    pen.disc(x, r, r, Paint::hex(0x26_26_2a));
    pen.disc(x, r, r * 0.58, Paint::hex(0xb4_b8_bc).ball().grain(Grain::Shiny));
    pen.disc(x, r, r * 0.2, Paint::hex(0x50_54_5a));
}

fn bicycle(pen: &mut Pen, look: &Look<'_>) {
    let frame = Paint::new(look.color(0xd0_38_34)).post().grain(Grain::Shiny);
    let r = 0.34;
    let (back, front) = ((-0.55, r), (0.55, r));
    for (x, y) in [back, front] {
        pen.ring(x, y, r - 0.02, 0.04, Paint::hex(0x2a_2a_2e));
        pen.ring(x, y, r - 0.05, 0.016, Paint::hex(0xb8_bc_c0));
        for i in 0..16 {
            let (s, c) = (i as f32 / 16.0 * TAU).sin_cos();
            pen.line(&[(x, y), (x + c * (r - 0.05), y + s * (r - 0.05))], 0.006, Paint::hex(0xa0_a4_a8).alpha(0.8));
        }
        pen.disc(x, y, 0.035, Paint::hex(0x80_84_88).ball());
    }
    let (seat, crank, head) = ((-0.19, 0.78), (-0.06, 0.33), (0.39, 0.82));
    let t = 0.042;
    pen.line(&[back, (-0.16, 0.7)], t * 0.7, frame);
    pen.line(&[back, crank], t * 0.7, frame);
    pen.line(&[crank, seat], t, frame);
    pen.line(&[(-0.17, 0.72), (0.4, 0.76)], t, frame);
    pen.line(&[crank, (0.41, 0.7)], t, frame);
    pen.curve(&[head, (0.43, 0.64), front], t, frame);
    pen.line(&[head, (0.37, 0.92)], 0.03, Paint::hex(0x9c_a0_a4));
    pen.curve(&[(0.37, 0.92), (0.46, 0.97), (0.56, 0.94), (0.57, 0.86), (0.5, 0.83)], 0.032, Paint::hex(0x38_34_34));
    pen.line(&[seat, (-0.21, 0.87)], 0.03, Paint::hex(0x9c_a0_a4));
    pen.blob(&[(-0.38, 0.9), (-0.3, 0.93), (-0.1, 0.895), (-0.02, 0.88), (-0.12, 0.86), (-0.3, 0.85)],
        Paint::hex(0x5c_38_28).ball());
    pen.ring(crank.0, crank.1, 0.1, 0.025, Paint::hex(0x8c_90_94));
    pen.line(&[(crank.0 - 0.1, crank.1 - 0.13), (crank.0 + 0.1, crank.1 + 0.13)], 0.024, Paint::hex(0x60_64_68));
    for s in [-1.0, 1.0] {
        pen.rect(crank.0 + s * 0.1 - 0.06, crank.1 + s * 0.13 - 0.015, 0.12, 0.03, Paint::hex(0x2c_2c_30));
    }
    pen.line(&[(crank.0, crank.1 + 0.1), (back.0, back.1 + 0.04)], 0.01, Paint::hex(0x50_54_58));
    pen.line(&[(crank.0, crank.1 - 0.1), (back.0, back.1 - 0.04)], 0.01, Paint::hex(0x50_54_58));
}

fn headlight(pen: &mut Pen, look: &Look<'_>, x: f32, y: f32, r: f32) {
    let lit = look.light.lamps();
    pen.disc(x, y, r, Paint::hex(0xff_f2_c8).glow(if lit { 1.0 } else { 0.3 }));
    if lit {
        pen.lamp(x, y, r * 9.0, Rgb::hex(0xff_e0_98));
    }
}

fn car(pen: &mut Pen, look: &Look<'_>) {
    let own = pen.rng.pick(&[0xc0_34_30, 0x2c_6c_9c, 0xe8_c0_48, 0x3c_8c_70, 0xe8_e4_dc]);
    let body = Paint::new(look.color(own)).grain(Grain::Shiny);
    pen.blob(&[(-0.86, 0.58), (-0.62, 0.9), (-0.3, 1.0), (0.2, 0.98), (0.52, 0.84), (0.74, 0.58)], body.beam());
    pen.blob(&[(-0.7, 0.6), (-0.52, 0.84), (-0.12, 0.92), (-0.12, 0.6)],
        Paint::hex(0x94_bc_d0).to(Rgb::hex(0x5c_80_98)));
    pen.blob(&[(-0.04, 0.6), (-0.04, 0.92), (0.22, 0.9), (0.42, 0.82), (0.6, 0.6)],
        Paint::hex(0x94_bc_d0).to(Rgb::hex(0x5c_80_98)));
    pen.blob(&[(-1.42, 0.3), (-1.38, 0.52), (-1.0, 0.62), (0.0, 0.64), (0.8, 0.6), (1.3, 0.5), (1.42, 0.32),
        (1.32, 0.16), (-1.32, 0.16)], body.beam());
    pen.line(&[(-0.08, 0.22), (-0.08, 0.62)], 0.012, body.shade(0.6));
    pen.rect(-0.3, 0.5, 0.14, 0.025, Paint::hex(0xd8_dc_e0));
    pen.rect(-1.46, 0.2, 0.14, 0.07, Paint::hex(0xb8_bc_c4).beam());
    pen.rect(1.32, 0.2, 0.14, 0.07, Paint::hex(0xb8_bc_c4).beam());
    pen.rect(-1.42, 0.36, 0.05, 0.11, Paint::hex(0xe0_30_30).glow(0.6));
    headlight(pen, look, 1.33, 0.42, 0.065);
    for x in [-0.86, 0.86] {
        pen.disc(x, 0.24, 0.3, Paint::hex(0x2c_2a_2c));
        wheel(pen, x, 0.24);
    }
}

fn bus(pen: &mut Pen, look: &Look<'_>) {
    let own = pen.rng.pick(&[0xd8_a8_30, 0x34_7c_9c, 0xc0_48_3c]);
    let body = Paint::new(look.color(own)).grain(Grain::Shiny);
    pen.blob(&[(-1.0, 0.14), (-1.02, 0.88), (-0.94, 0.99), (0.84, 0.99), (1.0, 0.86), (1.04, 0.4), (1.02, 0.14)],
        body.beam());
    pen.blob(&[(-1.01, 0.52), (-1.0, 0.9), (-0.94, 0.99), (0.84, 0.99), (1.0, 0.86), (1.02, 0.54), (0.0, 0.5)],
        Paint::hex(0xf4_ee_e0).beam());
    for i in 0..5 {
        let x = -0.92 + i as f32 * 0.35;
        pen.rect(x, 0.58,
            0.29, 0.26,
            Paint::hex(0x8c_b4_c8).to(Rgb::hex(0x54_78_8c)).glow(if look.light.lamps() { 0.2 } else { 0.0 }));
    }
    pen.blob(&[(0.86, 0.58), (0.86, 0.86), (0.97, 0.82), (1.0, 0.58)], Paint::hex(0xa8_cc_dc));
    headlight(pen, look, 0.98, 0.34, 0.06);
    pen.rect(-1.04, 0.14, 2.1, 0.06, Paint::hex(0xb0_b4_b8).beam());
    wheel(pen, -0.6, 0.19);
    wheel(pen, 0.62, 0.19);
}

fn truck(pen: &mut Pen, look: &Look<'_>) {
    let body = Paint::new(look.color(0xb8_48_38)).grain(Grain::Shiny);
    pen.poly(&[(-1.1, 0.3), (-1.1, 0.62), (0.12, 0.62), (0.12, 0.3)], body.beam().shade(0.9));
    pen.blob(&[(0.1, 0.3), (0.1, 0.94), (0.2, 1.0), (0.5, 1.0), (0.66, 0.68), (1.04, 0.6), (1.12, 0.3)], body.beam());
    pen.blob(&[(0.18, 0.66), (0.2, 0.92), (0.48, 0.92), (0.6, 0.66)], Paint::hex(0x94_bc_d0).to(Rgb::hex(0x5c_80_98)));
    pen.rect(-1.14, 0.22, 2.3, 0.1, Paint::hex(0x4c_4a_4c).beam());
    headlight(pen, look, 1.06, 0.46, 0.055);
    wheel(pen, -0.66, 0.23);
    wheel(pen, 0.7, 0.23);
}

fn train(pen: &mut Pen, look: &Look<'_>) {
    let body = Paint::new(look.color(0x2c_34_38)).grain(Grain::Shiny);
    let red = Paint::hex(0xb4_38_30);
    for i in 0..7 {
        let t = i as f32;
        pen.disc(0.62 - t * 0.3 - t * t * 0.02,
            0.98 + t * 0.07, 0.1 + 0.045 * t, Paint::hex(0xe0_e0_e4).form(Form::Puff).alpha(0.62 - 0.07 * t));
    }
    for car in 0..2 {
        let x = -1.7 - car as f32 * 1.15;
        pen.rect(x, 0.2, 1.05, 0.5, Paint::hex(0x8a_38_30).beam());
        pen.blob(&[(x - 0.03, 0.68), (x, 0.76), (x + 1.05, 0.76), (x + 1.08, 0.68)], Paint::hex(0x40_3a_3a));
        for k in 0..4 {
            super::buildings::pane(pen, look, x + 0.1 + k as f32 * 0.23, 0.4, 0.15, 0.19);
        }
        wheel(pen, x + 0.22, 0.1);
        wheel(pen, x + 0.84, 0.1);
    }
    pen.rect(-0.56, 0.22, 0.5, 0.62, body.form(Form::Side(0.2)));
    super::buildings::pane(pen, look, -0.46, 0.52, 0.28, 0.2);
    pen.blob(&[(-0.64, 0.83), (-0.6, 0.9), (-0.06, 0.9), (0.0, 0.83)], red);
    pen.rect(-0.08, 0.3, 0.92, 0.38, body.beam());
    pen.oval(0.84, 0.49, 0.04, 0.19, body.shade(0.7));
    pen.poly(&[(0.56, 0.66), (0.74, 0.66), (0.78, 0.94), (0.52, 0.94)], body.post());
    pen.blob(&[(0.16, 0.67), (0.18, 0.78), (0.25, 0.82), (0.32, 0.78), (0.34, 0.67)],
        Paint::hex(0xd0_a0_40).ball().grain(Grain::Shiny));
    for x in [0.1, 0.44] {
        pen.rect(x, 0.3, 0.03, 0.38, Paint::hex(0xd0_a0_40).beam());
    }
    pen.rect(-0.6, 0.2, 1.5, 0.09, red.beam());
    pen.poly(&[(0.84, 0.24), (1.12, 0.02), (0.84, 0.02)], red);
    headlight(pen, look, 0.88, 0.66, 0.055);
    for x in [-0.32, 0.08, 0.46] {
        pen.ring(x, 0.17, 0.15, 0.035, red);
        for i in 0..8 {
            let (s, c) = (i as f32 / 8.0 * TAU).sin_cos();
            pen.line(&[(x, 0.17), (x + c * 0.14, 0.17 + s * 0.14)], 0.015, red.shade(0.8));
        }
    }
    pen.line(&[(-0.32, 0.13), (0.46, 0.13), (0.74, 0.22)], 0.03, Paint::hex(0xb0_b4_b8));
    wheel(pen, 0.74, 0.09);
    pen.rect(-2.9, -0.02, 4.1, 0.03, Paint::hex(0x5c_58_58));
}

fn scooter(pen: &mut Pen, look: &Look<'_>) {
    let body = Paint::new(look.color(0x4c_a8_9c)).grain(Grain::Shiny);
    wheel(pen, -0.44, 0.2);
    wheel(pen, 0.54, 0.2);
    pen.blob(&[(-0.72, 0.34), (-0.62, 0.56), (-0.3, 0.62), (-0.02, 0.52), (0.02, 0.24), (0.3, 0.2), (0.3, 0.14),
        (-0.1, 0.12), (-0.3, 0.3), (-0.6, 0.26)], body.ball());
    pen.blob(&[(-0.62, 0.62), (-0.2, 0.7), (0.0, 0.62), (-0.1, 0.57), (-0.5, 0.56)], Paint::hex(0x5c_38_28).ball());
    pen.blob(&[(0.26, 0.16), (0.3, 0.6), (0.36, 0.8), (0.44, 0.8), (0.42, 0.5), (0.46, 0.34), (0.62, 0.42),
        (0.72, 0.34), (0.5, 0.26)], body.post());
    pen.line(&[(0.38, 0.8), (0.36, 0.94)], 0.04, Paint::hex(0xa0_a4_a8));
    pen.curve(&[(0.2, 0.98), (0.36, 0.95), (0.42, 0.92)], 0.04, Paint::hex(0x30_2c_2c));
    headlight(pen, look, 0.45, 0.86, 0.07);
}

fn cart(pen: &mut Pen, look: &Look<'_>) {
    let wood = Paint::new(look.color(0x8a_60_3c)).grain(Grain::Wood);
    pen.poly(&[(-0.8, 0.46), (-0.9, 0.86), (0.7, 0.86), (0.6, 0.46)], wood);
    for i in 0..5 {
        pen.line(&[(-0.72 + i as f32 * 0.31, 0.46), (-0.8 + i as f32 * 0.34, 0.88)], 0.035, wood.shade(0.7));
    }
    pen.limb(&[(0.5, 0.48), (1.3, 0.3)], 0.06, 0.05, wood.shade(0.8));
    for x in [-0.45, 0.3] {
        pen.ring(x, 0.3, 0.27, 0.06, wood.shade(0.55));
        for i in 0..8 {
            let (s, c) = (i as f32 / 8.0 * TAU).sin_cos();
            pen.line(&[(x, 0.3), (x + c * 0.26, 0.3 + s * 0.26)], 0.03, wood.shade(0.62));
        }
        pen.disc(x, 0.3, 0.06, wood.shade(0.5).ball());
    }
}

//! Boats, aircraft and spacecraft.

use super::{Home, Look, Subject};
use atelier_retouch::rgb::Rgb;
use crate::draw::{Form, Grain, Paint, Pen};

pub(super) const ALL: &[Subject] = &[
    Subject::new("boat|sailboat|yacht|sailing boat|dinghy|sail boat", Home::Water, 9.0, sailboat),
    Subject::new("rowboat|canoe|kayak|rowing boat|gondola|raft", Home::Water, 1.6, rowboat),
    Subject::new("ship|sailing ship|galleon|tall ship|pirate ship|frigate", Home::Water, 26.0, galleon),
    Subject::new("fishing boat|trawler|tugboat|ferry|steamboat|motorboat|cargo ship", Home::Water, 9.0, trawler),
    Subject::new("rocket|spaceship|spacecraft|space shuttle|starship|missile", Home::Space, 14.0, rocket),
    Subject::new("ufo|flying saucer|alien ship", Home::Air, 6.0, ufo),
    Subject::new("satellite|space station|probe", Home::Space, 5.0, satellite),
    Subject::new("hot air balloon|balloon|air balloon", Home::Air, 18.0, balloon),
    Subject::new("airplane|plane|aeroplane|jet|aircraft|airliner|biplane", Home::Air, 6.0, airplane),
    Subject::new("helicopter|chopper|drone copter", Home::Air, 4.0, helicopter),
    Subject::new("zeppelin|airship|blimp", Home::Air, 14.0, airship),
    Subject::new("kite", Home::Air, 1.6, kite),
];

fn sailboat(pen: &mut Pen, look: &Look<'_>) {
    let hull = look.color(0x8c_3c_30);
    let sail = Paint::hex(0xf8_f0_e0).grain(Grain::Cloth);
    pen.line(&[(0.0, 0.1), (0.0, 1.0)], 0.014, Paint::hex(0x6a_4c_34));
    pen.blob(&[(-0.03, 0.94), (-0.16, 0.6), (-0.37, 0.24), (-0.2, 0.21), (-0.03, 0.22)], sail.form(Form::Side(-0.4)));
    pen.blob(&[(0.02, 0.88), (0.16, 0.55), (0.3, 0.22), (0.16, 0.19), (0.02, 0.2)],
        sail.shade(0.93).form(Form::Side(0.5)));
    pen.line(&[(0.0, 0.195), (-0.38, 0.215)], 0.012, Paint::hex(0x6a_4c_34));
    pen.poly(&[(0.0, 1.0), (0.09, 0.98), (0.0, 0.96)], Paint::new(hull));
    pen.blob(&[(-0.42, 0.15), (-0.15, 0.125), (0.2, 0.13), (0.46, 0.18), (0.36, 0.03), (0.24, -0.01),
        (-0.28, -0.01), (-0.38, 0.03)], Paint::new(hull).beam());
    pen.curve(&[(-0.41, 0.145), (-0.15, 0.12), (0.2, 0.125), (0.45, 0.175)], 0.016, Paint::hex(0xf4_ec_dc));
}

fn rowboat(pen: &mut Pen, look: &Look<'_>) {
    let wood = look.color(0x8a_5c_38);
    pen.blob(&[(-1.3, 0.62), (-0.6, 0.46), (0.6, 0.46), (1.35, 0.66), (0.7, 0.56), (-0.6, 0.56)],
        Paint::new(wood.scale(0.5)));
    for x in [-0.5, 0.3] {
        pen.rect(x, 0.42, 0.2, 0.09, Paint::new(wood.scale(1.1)).form(Form::Top));
    }
    pen.blob(&[(-1.34, 0.64), (-0.7, 0.46), (0.0, 0.41), (0.7, 0.46), (1.4, 0.7), (1.1, 0.2), (0.7, 0.0),
        (-0.7, 0.0), (-1.15, 0.2)], Paint::new(wood).grain(Grain::Wood).beam());
    for k in 0..2 {
        let d = k as f32 * 0.14;
        pen.curve(&[(-1.24 + d * 0.5, 0.46 - d), (0.0, 0.28 - d), (1.24 - d * 0.6, 0.48 - d)],
            0.02, Paint::new(wood.scale(0.6)));
    }
    pen.limb(&[(-0.1, 0.5), (0.8, 0.9)], 0.05, 0.04, Paint::hex(0xc8_a0_6c));
    pen.limb(&[(-0.1, 0.5), (-0.8, 0.02)], 0.05, 0.04, Paint::hex(0xc8_a0_6c));
}

fn galleon(pen: &mut Pen, look: &Look<'_>) {
    let hull = look.color(0x6a_44_2c);
    let wood = Paint::hex(0x54_38_28);
    let sail = Paint::hex(0xf0_e4_cc).grain(Grain::Cloth);
    for (x, top, w) in [(-0.32, 0.82, 0.15), (0.02, 1.0, 0.19), (0.34, 0.84, 0.15)] {
        pen.line(&[(x, 0.16), (x, top)], 0.02, wood);
        for (i, (a, b)) in [(0.28, 0.52), (0.54, 0.74), (0.76, 0.9)].into_iter().enumerate() {
            let (a, b, w) = (0.2 + (top - 0.2) * (a - 0.2), 0.2 + (top - 0.2) * (b - 0.04), w * (1.0 - 0.2 * i as f32));
            pen.blob(&[(x - w, a), (x - w * 0.86, b), (x + w * 0.86, b), (x + w, a), (x + w * 0.3, a + 0.03),
                (x - w * 0.3, a + 0.03)], sail.post());
            pen.line(&[(x - w, b), (x + w, b)], 0.011, wood);
        }
        pen.blob(&[(x, top + 0.01), (x + 0.08, top - 0.005), (x + 0.13, top + 0.012), (x + 0.1, top - 0.03),
            (x, top - 0.025)], Paint::hex(0xb8_34_30));
    }
    pen.blob(&[(0.46, 0.24), (0.72, 0.36), (0.36, 0.7)], sail.shade(0.9));
    pen.line(&[(0.46, 0.2), (0.74, 0.37)], 0.016, wood);
    pen.poly(&[(-0.62, 0.33), (-0.58, 0.02), (-0.44, -0.02), (0.4, -0.02), (0.54, 0.1), (0.62, 0.24), (0.4, 0.17),
        (-0.34, 0.16), (-0.38, 0.3)], Paint::new(hull).grain(Grain::Wood).beam());
    pen.curve(&[(-0.6, 0.18), (-0.2, 0.11), (0.3, 0.11), (0.57, 0.18)], 0.016, Paint::hex(0xd8_b0_5c));
    for i in 0..8 {
        let x = -0.46 + i as f32 * 0.12;
        pen.rect(x, 0.055, 0.03, 0.03, Paint::hex(0x2c_20_1a));
    }
    for i in 0..3 {
        super::buildings::pane(pen, &Look { light: look.light, color: None },
            -0.58 + i as f32 * 0.06, 0.23, 0.035, 0.04);
    }
}

fn trawler(pen: &mut Pen, look: &Look<'_>) {
    let hull = look.color(0x2c_5c_84);
    pen.line(&[(0.24, 0.3), (0.24, 1.0)], 0.022, Paint::hex(0x50_40_38));
    pen.line(&[(0.24, 0.95), (-0.5, 0.42)], 0.01, Paint::hex(0x50_40_38));
    pen.line(&[(0.24, 0.95), (0.84, 0.46)], 0.01, Paint::hex(0x50_40_38));
    pen.rect(-0.42, 0.34, 0.42, 0.3, Paint::hex(0xf0_ea_dc).form(Form::Side(0.2)));
    pen.rect(-0.46, 0.62, 0.5, 0.05, Paint::hex(0xb4_44_38));
    for i in 0..3 {
        super::buildings::pane(pen, look, -0.38 + i as f32 * 0.12, 0.44, 0.09, 0.11);
    }
    pen.rect(-0.3, 0.66, 0.09, 0.14, Paint::hex(0xb4_44_38).post());
    pen.blob(&[(-0.82, 0.42), (-0.4, 0.34), (0.3, 0.33), (0.9, 0.52), (0.76, 0.12), (0.6, -0.02), (-0.64, -0.02),
        (-0.8, 0.14)], Paint::new(hull).beam().grain(Grain::Rough));
    pen.curve(&[(-0.81, 0.4), (-0.4, 0.325), (0.3, 0.315), (0.88, 0.5)], 0.035, Paint::hex(0xf0_ea_dc));
    pen.blob(&[(-0.72, 0.08), (0.68, 0.08), (0.6, -0.02), (-0.64, -0.02)], Paint::hex(0x8c_34_2c).beam());
}

fn rocket(pen: &mut Pen, look: &Look<'_>) {
    let white = Paint::hex(0xf0_ee_ea).post().grain(Grain::Shiny);
    let red = Paint::new(look.color(0xd0_3c_34));
    let flame = [(0.1, 0xff_8a_2c, 0.0), (0.07, 0xff_c0_40, 0.07), (0.038, 0xff_f4_c0, 0.13)];
    for (w, c, y) in flame {
        pen.blob(&[(-w, 0.24), (-w * 1.15, 0.14), (-w * 0.4, 0.06 + y), (0.0, -0.06 + y * 1.2), (w * 0.5, 0.05 + y),
            (w * 1.1, 0.14), (w, 0.24)], Paint::hex(c).glow(1.0));
    }
    pen.lamp(0.0, 0.12, 0.42, Rgb::hex(0xff_98_40));
    pen.blob(&[(-0.1, 0.44), (-0.26, 0.3), (-0.26, 0.16), (-0.12, 0.26)], red.form(Form::Side(-0.6)));
    pen.blob(&[(0.1, 0.44), (0.26, 0.3), (0.26, 0.16), (0.12, 0.26)], red.form(Form::Side(0.6)));
    pen.blob(&[(-0.11, 0.24), (-0.155, 0.5), (-0.12, 0.76), (0.0, 1.0), (0.12, 0.76), (0.155, 0.5), (0.11, 0.24),
        (0.0, 0.22)], white);
    pen.blob(&[(-0.118, 0.77), (-0.06, 0.91), (0.0, 1.0), (0.06, 0.91), (0.118, 0.77), (0.0, 0.75)], red.post());
    pen.disc(0.0, 0.6, 0.066, Paint::hex(0x6a_70_7c).ball());
    pen.disc(0.0, 0.6, 0.048, Paint::hex(0x5c_b8_dc).ball().grain(Grain::Shiny));
    pen.rect(-0.15, 0.42, 0.3, 0.022, red.post());
    pen.blob(&[(-0.018, 0.4), (-0.022, 0.2), (0.0, 0.13), (0.022, 0.2), (0.018, 0.4)], red.shade(0.85));
}

fn ufo(pen: &mut Pen, look: &Look<'_>) {
    pen.poly(&[(-0.3, 0.36), (0.3, 0.36), (0.7, -0.8), (-0.7, -0.8)], Paint::hex(0xc8_ff_d0).alpha(0.2).glow(1.0));
    pen.blob(&[(-0.4, 0.55), (-0.3, 0.88), (0.0, 1.0), (0.3, 0.88), (0.4, 0.55)],
        Paint::hex(0x8c_d8_e0).ball().grain(Grain::Shiny).alpha(0.9));
    pen.oval(0.0, 0.5, 1.0, 0.24, Paint::new(look.color(0xa0_a8_b4)).ball().grain(Grain::Shiny));
    for i in 0..7 {
        let x = -0.75 + i as f32 * 0.25;
        let y = 0.42 - 0.1 * (1.0 - x * x);
        pen.disc(x, y, 0.05, Paint::hex(0xff_e0_70).glow(1.0));
        pen.lamp(x, y, 0.2, Rgb::hex(0xff_d0_60));
    }
}

fn satellite(pen: &mut Pen, look: &Look<'_>) {
    for side in [-1.0, 1.0] {
        pen.line(&[(side * 0.15, 0.5), (side * 0.4, 0.5)], 0.03, Paint::hex(0xa0_a4_ac));
        for i in 0..4 {
            let x = if side > 0.0 { 0.36 } else { -1.2 } + i as f32 * 0.21;
            pen.rect(x, 0.32, 0.2, 0.36, Paint::hex(0x2c_4c_9c).grain(Grain::Shiny).form(Form::Side(0.3)));
            pen.line(&[(x + 0.1, 0.32), (x + 0.1, 0.68)], 0.008, Paint::hex(0x90_b0_e0));
            pen.line(&[(x, 0.5), (x + 0.2, 0.5)], 0.008, Paint::hex(0x90_b0_e0));
        }
    }
    pen.rect(-0.18, 0.2, 0.36, 0.56, Paint::new(look.color(0xd8_b0_50)).post().grain(Grain::Rough));
    pen.blob(&[(-0.2, 0.94), (0.0, 0.82), (0.2, 0.94), (0.08, 0.78), (-0.08, 0.78)], Paint::hex(0xe0_e4_e8).ball());
}

fn balloon(pen: &mut Pen, look: &Look<'_>) {
    let own = pen.rng.pick(&[[0xd8_3c_34, 0xf4_c8_48], [0x2c_7c_a8, 0xf4_ec_dc], [0xe8_7c_30, 0x7c_3c_8c],
        [0x3c_94_6c, 0xf4_dc_70]]);
    let (a, b) = (look.color(own[0]), Rgb::hex(own[1]));
    let side = |u: f32| -> Vec<(f32, f32)> {
        [(0.3, 0.08), (0.38, 0.17), (0.52, 0.3), (0.68, 0.37), (0.82, 0.34), (0.93, 0.22), (1.0, 0.0)]
            .into_iter().map(|(y, w)| (u * w, y)).collect()
    };
    let gores = 8;
    for i in 0..gores {
        let u0 = -(std::f32::consts::PI * i as f32 / gores as f32).cos();
        let u1 = -(std::f32::consts::PI * (i + 1) as f32 / gores as f32).cos();
        let mut points = side(u0);
        points.extend(side(u1).into_iter().rev());
        let mid = f32::midpoint(u0, u1);
        let c = if i % 2 == 0 { a } else { b };
        pen.poly(&points, Paint::new(c).form(Form::Side(mid)).to(c.scale(0.72)));
    }
    for x in [-0.06, 0.06] {
        pen.line(&[(x * 1.3, 0.3), (x, 0.13)], 0.006, Paint::hex(0x4c_3c_30));
    }
    pen.poly(&[(-0.075, 0.13), (0.075, 0.13), (0.06, 0.01), (-0.06, 0.01)],
        Paint::hex(0x8a_5c_34).grain(Grain::Wood).post());
    pen.rect(-0.08, 0.12, 0.16, 0.018, Paint::hex(0x5c_3c_24));
    if look.light.lamps() {
        pen.oval(0.0, 0.27, 0.03, 0.05, Paint::hex(0xff_d8_80).glow(1.0));
        pen.lamp(0.0, 0.4, 0.42, Rgb::hex(0xd8_80_30));
    }
}

fn airplane(pen: &mut Pen, look: &Look<'_>) {
    let body = Paint::new(look.color(0xf0_f0_f0));
    let trim = Paint::hex(0x2c_64_a8);
    pen.poly(&[(-0.1, 0.5), (-0.5, 0.86), (-0.36, 0.86), (0.22, 0.52)], body.shade(0.7));
    pen.blob(&[(-1.18, 0.62), (-0.9, 0.62), (0.7, 0.64), (1.06, 0.54), (1.14, 0.44), (1.0, 0.36), (0.5, 0.32),
        (-0.6, 0.4), (-1.1, 0.54)], body.beam());
    pen.poly(&[(-0.86, 0.56), (-1.2, 1.0), (-1.04, 1.0), (-0.62, 0.58)], trim);
    pen.poly(&[(-0.84, 0.52), (-1.2, 0.4), (-1.06, 0.4), (-0.6, 0.5)], body.shade(0.82));
    pen.curve(&[(-1.0, 0.54), (0.0, 0.47), (1.1, 0.45)], 0.04, trim);
    pen.poly(&[(0.2, 0.44), (-0.42, 0.0), (-0.24, 0.0), (0.52, 0.42)], body.shade(0.9));
    pen.oval(0.0, 0.2, 0.15, 0.065, trim.shade(0.8).beam());
    for i in 0..9 {
        pen.disc(-0.6 + i as f32 * 0.14, 0.555, 0.022, Paint::hex(0x3c_4c_60));
    }
    pen.poly(&[(0.84, 0.58), (1.0, 0.53), (0.98, 0.48), (0.82, 0.5)], Paint::hex(0x3c_4c_60).grain(Grain::Shiny));
}

fn helicopter(pen: &mut Pen, look: &Look<'_>) {
    let body = Paint::new(look.color(0xc4_3c_34));
    pen.limb(&[(-0.2, 0.54), (-1.1, 0.62)], 0.18, 0.06, body.beam());
    pen.poly(&[(-1.12, 0.58), (-1.26, 0.86), (-1.12, 0.86), (-1.0, 0.62)], body.shade(0.85));
    pen.blob(&[(-0.4, 0.56), (-0.2, 0.76), (0.3, 0.76), (0.62, 0.52), (0.5, 0.3), (-0.2, 0.28)], body.ball());
    pen.blob(&[(0.16, 0.7), (0.34, 0.72), (0.58, 0.52), (0.5, 0.42), (0.16, 0.46)],
        Paint::hex(0x8c_c0_d8).grain(Grain::Shiny).ball());
    pen.rect(0.02, 0.74, 0.06, 0.14, Paint::hex(0x3c_40_48));
    pen.oval(0.05, 0.9, 1.0, 0.03, Paint::hex(0x3c_40_48).alpha(0.75));
    pen.line(&[(-0.3, 0.1), (0.56, 0.1), (0.64, 0.16)], 0.035, Paint::hex(0x3c_40_48));
    for x in [-0.1, 0.34] {
        pen.line(&[(x, 0.32), (x + 0.03, 0.1)], 0.025, Paint::hex(0x3c_40_48));
    }
}

fn airship(pen: &mut Pen, look: &Look<'_>) {
    let skin = Paint::new(look.color(0xc8_b0_88)).grain(Grain::Cloth);
    pen.poly(&[(-1.05, 0.64), (-1.5, 0.98), (-1.36, 0.64), (-1.5, 0.3)], skin.shade(0.75));
    pen.blob(&[(-1.3, 0.64), (-0.8, 0.9), (0.0, 1.0), (0.8, 0.9), (1.25, 0.64), (0.8, 0.38), (0.0, 0.28),
        (-0.8, 0.38)], skin.beam());
    for k in [-0.18, 0.0, 0.18] {
        pen.curve(&[(-1.25, 0.64), (0.0, 0.64 + k * 1.6), (1.22, 0.64)], 0.012, skin.shade(0.65));
    }
    pen.blob(&[(-0.4, 0.3), (0.4, 0.3), (0.3, 0.1), (-0.3, 0.1)], Paint::hex(0x6a_48_30).beam());
    for i in 0..4 {
        super::buildings::pane(pen, look, -0.24 + i as f32 * 0.13, 0.16, 0.07, 0.07);
    }
}

fn kite(pen: &mut Pen, look: &Look<'_>) {
    let a = look.color(0xe0_48_3c);
    pen.curve(&[(0.0, 0.35), (-0.12, 0.2), (0.06, 0.05), (-0.1, -0.15)], 0.012, Paint::hex(0x60_50_48));
    for (i, (x, y)) in [(-0.09, 0.2), (0.02, 0.06), (-0.07, -0.08)].into_iter().enumerate() {
        pen.blob(&[(x - 0.07, y + 0.03), (x, y), (x + 0.07, y + 0.03), (x + 0.07, y - 0.03), (x, y),
            (x - 0.07, y - 0.03)], Paint::new(a.shift(60.0 * i as f32, 0.1)));
    }
    pen.poly(&[(0.0, 1.0), (-0.28, 0.72), (0.0, 0.34)], Paint::new(a));
    pen.poly(&[(0.0, 1.0), (0.28, 0.72), (0.0, 0.34)], Paint::new(a.shift(40.0, 0.08)));
    pen.line(&[(0.0, 1.0), (0.0, 0.34)], 0.012, Paint::hex(0x60_40_34));
    pen.line(&[(-0.28, 0.72), (0.28, 0.72)], 0.012, Paint::hex(0x60_40_34));
}

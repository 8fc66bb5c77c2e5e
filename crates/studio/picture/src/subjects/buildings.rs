//! Buildings, from the hut to the castle.

use super::{Home, Look, Subject};
use atelier_retouch::rgb::Rgb;
use crate::draw::{Form, Grain, Paint, Pen};

pub(super) const ALL: &[Subject] = &[
    Subject::new("lighthouse|beacon|light house", Home::Ground, 26.0, lighthouse),
    Subject::new("house|cottage|home|farmhouse|villa|country house", Home::Ground, 8.0, house),
    Subject::new("cabin|hut|shack|log cabin|chalet|shed", Home::Ground, 5.5, cabin),
    Subject::new("barn|farm|stable", Home::Ground, 9.0, barn),
    Subject::new("church|chapel|cathedral|steeple", Home::Ground, 24.0, church),
    Subject::new("castle|fortress|palace|citadel|fort", Home::Ground, 32.0, castle),
    Subject::new("tower|watchtower|ruin|keep|bell tower", Home::Ground, 24.0, tower),
    Subject::new("windmill|mill", Home::Ground, 16.0, windmill),
    Subject::new("pagoda|temple|shrine|japanese temple|buddhist temple", Home::Ground, 22.0, pagoda),
    Subject::new("bridge|stone bridge|viaduct|aqueduct", Home::Water, 9.0, bridge),
    Subject::new("tent|camp|campsite|tipi|teepee", Home::Ground, 2.6, tent),
    Subject::new("pyramid|great pyramid", Home::Ground, 60.0, pyramid),
    Subject::new("torii|torii gate|gate|archway", Home::Ground, 7.0, torii),
    Subject::new("wind turbine|turbine", Home::Ground, 60.0, turbine),
];

/// A lit pane by night, a dark one by day.
pub(super) fn pane(pen: &mut Pen, look: &Look<'_>, x: f32, y: f32, w: f32, h: f32) {
    if look.light.lamps() && pen.rng.chance(0.75) {
        pen.rect(x, y, w, h, Paint::hex(0xff_d0_78).to(Rgb::hex(0xff_a8_48)).glow(0.95));
        pen.lamp(x + w * 0.5, y + h * 0.5, (w + h) * 2.2, Rgb::hex(0xff_b0_58));
    } else {
        pen.rect(x, y, w, h, Paint::hex(0x3a_4a_5c).to(Rgb::hex(0x6a_80_92)));
    }
}

fn framed_pane(pen: &mut Pen, look: &Look<'_>, x: f32, y: f32, w: f32, h: f32) {
    let t = w * 0.12;
    pen.rect(x - t, y - t, w + 2.0 * t, h + 2.0 * t, Paint::hex(0xee_e6_d6));
    pane(pen, look, x, y, w, h);
    let bar = Paint::hex(0xd8_cc_b8);
    pen.rect(x + w * 0.46, y, w * 0.08, h, bar);
    pen.rect(x, y + h * 0.48, w, h * 0.06, bar);
}

fn lighthouse(pen: &mut Pen, look: &Look<'_>) {
    let red = look.color(0xc2_3b_33);
    let white = Paint::hex(0xf2_ec_e0).post().grain(Grain::Rough);
    let (foot, head) = (0.125, 0.078);
    let half = |t: f32| foot + (head - foot) * t.powf(0.8);
    // A keeper's house beside it.
    pen.poly(&[(0.1, 0.0), (0.36, 0.0), (0.36, 0.12), (0.1, 0.12)],
        Paint::hex(0xe6_dc_ca).form(Form::Side(0.3)).grain(Grain::Rough));
    pen.poly(&[(0.08, 0.115), (0.38, 0.115), (0.32, 0.19), (0.13, 0.19)], Paint::hex(0x9a_4a_38).form(Form::Top));
    pane(pen, look, 0.16, 0.04, 0.035, 0.045);
    pane(pen, look, 0.26, 0.04, 0.035, 0.045);
    pen.poly(&[(-foot - 0.03, 0.0), (foot + 0.03, 0.0), (foot + 0.01, 0.035), (-foot - 0.01, 0.035)],
        Paint::hex(0x8d_86_80).post().grain(Grain::Stone));
    for band in 0..5 {
        let (a, b) = (band as f32 / 5.0, (band + 1) as f32 / 5.0);
        let (ya, yb) = (0.03 + a * 0.7, 0.03 + b * 0.7);
        let paint = if band % 2 == 1 { Paint::new(red).post().grain(Grain::Rough) } else { white };
        pen.poly(&[(-half(a), ya), (half(a), ya), (half(b), yb), (-half(b), yb)], paint);
    }
    pen.rect(-0.022, 0.03, 0.044, 0.085, Paint::hex(0x55_3a_2a));
    for (x, y) in [(0.01, 0.24), (-0.03, 0.43), (0.02, 0.6)] {
        pane(pen, look, x, y, 0.024, 0.045);
    }
    // Gallery, lantern, dome.
    let iron = Paint::hex(0x35_38_40).post();
    pen.rect(-0.115, 0.725, 0.23, 0.022, iron);
    for i in 0..9 {
        pen.rect(-0.112 + i as f32 * 0.0275, 0.747, 0.005, 0.04, iron);
    }
    pen.rect(-0.114, 0.783, 0.228, 0.007, iron);
    let glass = if look.light.lamps(
        ) { Paint::hex(0xff_f0_b8).glow(1.0) } else { Paint::hex(0xbc_d4_dc).post().grain(Grain::Shiny) };
    pen.rect(-0.058, 0.745, 0.116, 0.125, glass);
    for i in 0..4 {
        pen.rect(-0.06 + i as f32 * 0.0385, 0.745, 0.005, 0.125, iron);
    }
    pen.blob(&[(-0.078, 0.868), (0.0, 0.862), (0.078, 0.868), (0.05, 0.925), (0.0, 0.955), (-0.05, 0.925)],
        Paint::new(red).post());
    pen.rect(-0.004, 0.94, 0.008, 0.06, iron);
    if look.light.lamps() {
        let warm = Rgb::hex(0xff_dc_90);
        pen.lamp(0.0, 0.81, 0.16, warm);
        pen.lamp(0.0, 0.81, 0.6, warm.scale(0.55));
    }
}

fn gable(pen: &mut Pen, wall: Paint, roof: Paint, snow: bool) {
    // Front wall, side wall, roof.
    pen.poly(&[(-0.6, 0.0), (-0.05, 0.0), (-0.05, 0.52), (-0.325, 0.86), (-0.6, 0.52)], wall.form(Form::Side(-0.6)));
    pen.poly(&[(-0.05, 0.0), (0.68, 0.0), (0.68, 0.5), (-0.05, 0.52)], wall.form(Form::Side(0.7)));
    let roof = if snow { Paint::hex(0xf0_f4_f8) } else { roof };
    pen.poly(&[(-0.34, 0.9), (0.44, 0.88), (0.75, 0.46), (-0.02, 0.48)], roof.form(Form::Top));
    pen.poly(&[(-0.34, 0.9), (-0.31, 0.83), (-0.64, 0.44), (-0.68, 0.48)], roof.shade(0.7));
    pen.poly(&[(-0.34, 0.9), (-0.3, 0.83), (-0.02, 0.47), (-0.05, 0.49)], roof.shade(0.85));
}

fn chimney(pen: &mut Pen, look: &Look<'_>, x: f32, y: f32) {
    pen.rect(x, y, 0.09, 0.2, Paint::hex(0x94_50_40).form(Form::Side(0.4)).grain(Grain::Brick));
    pen.rect(x - 0.012, y + 0.19, 0.114, 0.03, Paint::hex(0x6c_40_36));
    if look.light.snowy() || look.light.dark > 0.2 {
        for i in 0..5 {
            let t = i as f32;
            let (dx, r) = (pen.rng.near(0.05 * t * t * 0.35, 0.03), 0.035 + 0.022 * t);
            pen.disc(x + 0.05 + dx,
                y + 0.26 + t * 0.085, r, Paint::hex(0xd8_d8_dc).form(Form::Puff).alpha(0.3 - 0.045 * t));
        }
    }
}

fn house(pen: &mut Pen, look: &Look<'_>) {
    let own = pen.rng.pick(&[0xf0_e2_c8, 0xe8_ce_b0, 0xd9_dc_d0, 0xe4_c0_a0]);
    let wall = Paint::new(look.color(own)).grain(Grain::Rough);
    let roof = Paint::hex(pen.rng.pick(&[0xa6_4a_34, 0x8c_50_3c, 0x5c_60_6c])).grain(Grain::Brick);
    chimney(pen, look, 0.25, 0.74);
    gable(pen, wall, roof, look.light.snowy());
    pen.rect(-0.4, 0.0, 0.14, 0.29, Paint::hex(0x6c_44_2c).grain(Grain::Wood));
    for x in [0.1, 0.42] {
        framed_pane(pen, look, x, 0.17, 0.14, 0.18);
    }
    framed_pane(pen, look, -0.385, 0.44, 0.11, 0.14);
    for i in 0..6 {
        let x = pen.rng.range(-0.55, 0.62);
        let leaf = look.light.leaf(&mut pen.rng);
        if i != 2 && !(-0.45..-0.2).contains(&x) {
            pen.oval(x, 0.035, 0.09, 0.06, Paint::new(leaf).form(Form::Puff).grain(Grain::Leaf));
        }
    }
}

fn cabin(pen: &mut Pen, look: &Look<'_>) {
    let wall = Paint::new(look.color(0x7a_50_33)).grain(Grain::Wood);
    chimney(pen, look, 0.3, 0.72);
    gable(pen, wall, Paint::hex(0x4c_3c_34).grain(Grain::Wood), look.light.snowy());
    for i in 1..6 {
        let y = i as f32 * 0.09;
        pen.rect(-0.6, y, 1.28, 0.012, Paint::hex(0x40_2a_1c).alpha(0.55));
    }
    pen.rect(-0.41, 0.0, 0.16, 0.31, Paint::hex(0x4a_2e_1c).grain(Grain::Wood));
    framed_pane(pen, look, 0.2, 0.18, 0.2, 0.18);
    framed_pane(pen, look, -0.38, 0.46, 0.1, 0.1);
}

fn barn(pen: &mut Pen, look: &Look<'_>) {
    let red = Paint::new(look.color(0xa8_34_2a)).grain(Grain::Wood);
    let roof = if look.light.snowy() { Paint::hex(0xf0_f4_f8) } else { Paint::hex(0x66_60_60) };
    pen.poly(&[(-0.1, 0.0), (0.85, 0.0), (0.85, 0.46), (-0.1, 0.46)], red.form(Form::Side(0.7)));
    pen.poly(&[(-0.4, 0.97), (0.62, 0.97), (0.8, 0.76), (0.92, 0.44), (-0.03, 0.44), (-0.16, 0.76)],
        roof.form(Form::Top));
    pen.poly(&[(-0.72, 0.0), (-0.1, 0.0), (-0.1, 0.46), (-0.2, 0.76), (-0.41, 0.95), (-0.62, 0.76), (-0.72, 0.46)],
        red.form(Form::Side(-0.5)));
    let trim = Paint::hex(0xee_e8_dc);
    pen.line(&[(-0.75, 0.42), (-0.65, 0.76), (-0.41, 0.97), (-0.17, 0.76), (-0.06, 0.43)], 0.03, trim);
    pen.rect(-0.54, 0.0, 0.26, 0.34, Paint::hex(0x7c_22_1c).grain(Grain::Wood));
    pen.line(&[(-0.54, 0.0), (-0.28, 0.34)], 0.02, trim);
    pen.line(&[(-0.28, 0.0), (-0.54, 0.34)], 0.02, trim);
    pen.line(&[(-0.54, 0.0), (-0.54, 0.34), (-0.28, 0.34), (-0.28, 0.0)], 0.02, trim);
    pane(pen, look, -0.46, 0.56, 0.1, 0.12);
}

fn church(pen: &mut Pen, look: &Look<'_>) {
    let wall = Paint::new(look.color(0xec_e4_d4)).grain(Grain::Rough);
    let roof = if look.light.snowy() { Paint::hex(0xf0_f4_f8) } else { Paint::hex(0x5e_4a_48) };
    pen.rect(-0.08, 0.0, 0.5, 0.26, wall.form(Form::Side(0.7)));
    pen.poly(&[(-0.1, 0.25), (0.45, 0.25), (0.38, 0.42), (-0.1, 0.42)], roof.form(Form::Top));
    for i in 0..3 {
        let x = 0.08 + i as f32 * 0.11;
        pane(pen, look, x, 0.07, 0.04, 0.11);
        pen.disc(x + 0.02, 0.18, 0.02, Paint::hex(0x4a_56_66));
    }
    pen.rect(-0.22, 0.0, 0.18, 0.52, wall.form(Form::Side(-0.2)));
    pen.poly(&[(-0.245, 0.515), (-0.015, 0.515), (-0.13, 0.93)], roof.form(Form::Side(0.2)));
    pen.rect(-0.135, 0.92, 0.01, 0.08, Paint::hex(0xd8_b0_50));
    pen.rect(-0.155, 0.955, 0.05, 0.01, Paint::hex(0xd8_b0_50));
    pen.rect(-0.16, 0.0, 0.06, 0.12, Paint::hex(0x5a_3c_2a));
    pen.disc(-0.13, 0.12, 0.03, Paint::hex(0x5a_3c_2a));
    pane(pen, look, -0.15, 0.36, 0.04, 0.08);
}

fn crenels(pen: &mut Pen, x: f32, y: f32, w: f32, count: usize, paint: Paint) {
    let step = w / (count as f32 * 2.0 - 1.0);
    for i in 0..count {
        pen.rect(x + i as f32 * 2.0 * step, y, step, step * 1.1, paint);
    }
}

fn castle(pen: &mut Pen, look: &Look<'_>) {
    let stone = Paint::new(look.color(0xa8_9c_8c)).grain(Grain::Stone);
    let roof = Paint::hex(pen.rng.pick(&[0x46_56_78, 0x8a_42_3a, 0x4c_5c_5c]));
    let round = |pen: &mut Pen, x: f32, w: f32, y: f32, top: f32, cone: f32| {
        pen.rect(x - w * 0.5, y, w, top - y, stone.post());
        crenels(pen, x - w * 0.56, top, w * 1.12, 4, stone.post());
        pen.poly(&[(x - w * 0.62, top + 0.02), (x + w * 0.62, top + 0.02), (x, top + cone)], roof.post());
        pen.line(&[(x, top + cone), (x, top + cone + 0.06)], 0.008, Paint::hex(0x40_3c_3c));
        pen.poly(&[(x, top + cone + 0.06), (x + 0.07, top + cone + 0.045), (x, top + cone + 0.03)],
            Paint::hex(0xc8_3c_34));
    };
    round(pen, -0.12, 0.14, 0.0, 0.62, 0.22);
    round(pen, 0.2, 0.11, 0.0, 0.54, 0.2);
    pen.rect(-0.3, 0.0, 0.62, 0.42, stone.form(Form::Side(0.1)).shade(0.95));
    crenels(pen, -0.3, 0.42, 0.62, 9, stone);
    for (x, y) in [(-0.2, 0.25), (-0.04, 0.28), (0.12, 0.25), (-0.13, 0.5)] {
        pane(pen, look, x, y, 0.03, 0.07);
    }
    pen.rect(-0.52, 0.0, 1.04, 0.24, stone);
    crenels(pen, -0.52, 0.24, 1.04, 14, stone);
    round(pen, -0.5, 0.16, 0.0, 0.36, 0.2);
    round(pen, 0.5, 0.16, 0.0, 0.36, 0.2);
    pen.rect(-0.09, 0.0, 0.18, 0.12, Paint::hex(0x3a_2c_24));
    pen.disc(0.0, 0.12, 0.09, Paint::hex(0x3a_2c_24));
    pane(pen, look, -0.51, 0.2, 0.03, 0.06);
    pane(pen, look, 0.48, 0.2, 0.03, 0.06);
}

fn tower(pen: &mut Pen, look: &Look<'_>) {
    let stone = Paint::new(look.color(0x98_8e_84)).grain(Grain::Stone).post();
    pen.poly(&[(-0.17, 0.0), (0.17, 0.0), (0.135, 0.8), (-0.135, 0.8)], stone);
    pen.poly(&[(-0.135, 0.78), (0.135, 0.78), (0.18, 0.84), (0.18, 0.93), (-0.18, 0.93), (-0.18, 0.84)],
        stone.shade(0.95));
    crenels(pen, -0.18, 0.93, 0.36, 5, stone);
    pen.rect(-0.045, 0.0, 0.09, 0.12, Paint::hex(0x38_2a_22));
    pen.disc(0.0, 0.12, 0.045, Paint::hex(0x38_2a_22));
    for y in [0.32, 0.52, 0.7] {
        let x = pen.rng.near(0.0, 0.05);
        pane(pen, look, x - 0.015, y, 0.03, 0.07);
    }
}

fn windmill(pen: &mut Pen, look: &Look<'_>) {
    let wall = Paint::new(look.color(0xe6_da_c4)).post().grain(Grain::Rough);
    pen.poly(&[(-0.2, 0.0), (0.2, 0.0), (0.12, 0.6), (-0.12, 0.6)], wall);
    pen.blob(&[(-0.15, 0.59), (0.15, 0.59), (0.1, 0.69), (0.0, 0.74), (-0.1, 0.69)], Paint::hex(0x7a_44_34).ball());
    pen.rect(-0.045, 0.0, 0.09, 0.14, Paint::hex(0x5c_3a_28));
    for y in [0.25, 0.44] {
        pane(pen, look, -0.02, y, 0.04, 0.06);
    }
    let turn = pen.rng.range(0.1, 1.4);
    for i in 0..4 {
        let a = turn + i as f32 * std::f32::consts::FRAC_PI_2;
        let (s, c) = a.sin_cos();
        let at = |along: f32, across: f32| (c * along - s * across, 0.64 + s * along + c * across);
        pen.poly(&[at(0.08, 0.005), at(0.42, 0.005), at(0.42, 0.1), at(0.08, 0.08)],
            Paint::hex(0xf2_ea_d8).alpha(0.88));
        for k in 0..7 {
            let along = 0.1 + k as f32 * 0.053;
            pen.line(&[at(along, 0.0), at(along, 0.09)], 0.006, Paint::hex(0x6a_4c_38));
        }
        pen.line(&[at(0.0, 0.0), at(0.43, 0.0)], 0.016, Paint::hex(0x5c_40_30));
    }
    pen.disc(0.0, 0.64, 0.025, Paint::hex(0x4c_34_28));
}

fn pagoda(pen: &mut Pen, look: &Look<'_>) {
    let wood = Paint::new(look.color(0xb4_3c_30)).form(Form::Side(0.2));
    let tile = if look.light.snowy() { Paint::hex(0xf0_f4_f8) } else { Paint::hex(0x3c_48_50) };
    let mut y = 0.04;
    pen.rect(-0.3, 0.0, 0.6, 0.045, Paint::hex(0x9a_94_8c).grain(Grain::Stone));
    for level in 0..5 {
        let w = 0.24 - 0.033 * level as f32;
        pen.rect(-w, y, 2.0 * w, 0.11, wood);
        for i in 0..3 {
            pane(pen, look, -w * 0.72 + i as f32 * w * 0.55, y + 0.025, w * 0.34, 0.055);
        }
        let e = w + 0.11;
        pen.blob(
            &[(-e, y + 0.12), (-e * 0.5, y + 0.102), (0.0, y + 0.098), (e * 0.5, y + 0.102), (e, y + 0.12),
              (w * 0.85, y + 0.16), (0.0, y + 0.175), (-w * 0.85, y + 0.16)],
            tile.form(Form::Top),
        );
        y += 0.165;
    }
    pen.rect(-0.008, y, 0.016, 1.0 - y, Paint::hex(0xc8_a0_48));
    for k in 0..3 {
        pen.disc(0.0, y + 0.03 + 0.03 * k as f32, 0.014, Paint::hex(0xc8_a0_48));
    }
}

fn bridge(pen: &mut Pen, look: &Look<'_>) {
    let stone = Paint::new(look.color(0xa4_98_88)).grain(Grain::Stone);
    let mut points = vec![(-1.6, 0.0), (-1.6, 0.62), (-0.8, 0.84), (0.0, 0.92), (0.8, 0.84), (1.6, 0.62), (1.6, 0.0)];
    for (middle, r) in [(1.05, 0.38), (0.0, 0.46), (-1.05, 0.38)] {
        for k in 0..=12 {
            let a = k as f32 / 12.0 * std::f32::consts::PI;
            points.push((middle + r * a.cos(), r * 1.25 * a.sin()));
        }
    }
    pen.poly(&points, stone);
    pen.curve(&[(-1.62, 0.64), (-0.8, 0.86), (0.0, 0.94), (0.8, 0.86), (1.62, 0.64)],
        0.07, stone.shade(1.12).form(Form::Top));
}

fn tent(pen: &mut Pen, look: &Look<'_>) {
    let cloth = Paint::new(look.color(0xd9_7a_34)).grain(Grain::Cloth);
    pen.poly(&[(0.0, 1.0), (0.95, 0.86), (1.25, 0.0), (0.62, 0.0)], cloth.form(Form::Side(0.7)));
    pen.poly(&[(0.0, 1.0), (-0.62, 0.0), (0.62, 0.0)], cloth.form(Form::Side(-0.4)));
    let inside = if look.light.lamps() { Paint::hex(0xff_c8_70).glow(0.9) } else { Paint::hex(0x4c_30_20) };
    pen.poly(&[(0.0, 0.92), (-0.24, 0.0), (0.26, 0.0)], inside);
    if look.light.lamps() {
        pen.lamp(0.0, 0.3, 1.6, Rgb::hex(0xff_a0_48));
    }
}

fn pyramid(pen: &mut Pen, look: &Look<'_>) {
    let sand = Paint::new(look.color(0xd8_b0_74)).grain(Grain::Rough);
    pen.poly(&[(0.1, 1.0), (-0.92, 0.0), (0.34, -0.0)], sand.form(Form::Side(-0.7)));
    pen.poly(&[(0.1, 1.0), (0.34, 0.0), (0.92, 0.06)], sand.form(Form::Side(0.8)).shade(0.86));
    for i in 1..16 {
        let t = i as f32 / 16.0;
        let l = |a: (f32, f32), b: (f32, f32)| (a.0 + (b.0 - a.0) * t, a.1 + (b.1 - a.1) * t);
        let (a, b, c) = (l((0.1, 1.0), (-0.92, 0.0)), l((0.1, 1.0), (0.34, 0.0)), l((0.1, 1.0), (0.92, 0.06)));
        pen.line(&[a, b, c], 0.006, Paint::hex(0x8a_68_40).alpha(0.4));
    }
}

fn torii(pen: &mut Pen, look: &Look<'_>) {
    let red = Paint::new(look.color(0xd0_44_2c));
    for x in [-0.36, 0.36] {
        pen.limb(&[(x * 1.12, 0.0), (x, 0.86)], 0.085, 0.07, red.post());
        pen.rect(x * 1.12 - 0.055, 0.0, 0.11, 0.06, Paint::hex(0x30_2c_2c));
    }
    pen.rect(-0.48, 0.63, 0.96, 0.06, red.beam());
    pen.rect(-0.03, 0.68, 0.06, 0.14, red);
    pen.blob(&[(-0.64, 0.94), (0.0, 0.875), (0.64, 0.94), (0.62, 0.86), (0.0, 0.8), (-0.62, 0.86)], red.beam());
    pen.blob(&[(-0.68, 1.0), (0.0, 0.93), (0.68, 1.0), (0.66, 0.93), (0.0, 0.87), (-0.66, 0.93)],
        Paint::hex(0x38_30_30).beam());
}

fn turbine(pen: &mut Pen, look: &Look<'_>) {
    let white = Paint::new(look.color(0xf0_f0_ee));
    pen.limb(&[(0.0, 0.0), (0.0, 0.66)], 0.035, 0.018, white.post());
    let turn = pen.rng.range(0.0, 2.0);
    for i in 0..3 {
        let (s, c) = (turn + i as f32 * 2.094).sin_cos();
        pen.limb(&[(0.0, 0.66), (c * 0.05, 0.66 + s * 0.05), (c * 0.34, 0.66 + s * 0.34)], 0.028, 0.006, white);
    }
    pen.disc(0.0, 0.66, 0.02, white.ball());
}

//! Animals with hooves: horses, deer, cattle, sheep, pigs, camels and giraffes. All face right.

use super::Look;
use super::body::{Plan, ear, eye};
use crate::draw::{Form, Grain, Paint, Pen};
use atelier_retouch::rgb::Rgb;

fn long_head(pen: &mut Pen, plan: &Plan, muzzle: f32, drop: f32) {
    let (x, y) = plan.head;
    let s = plan.skull;
    let coat = plan.paint();
    ear(pen, x - s * 0.3, y + s * 0.4, s * 0.2, s * 0.6, coat.shade(0.8), None);
    pen.blob(
        &[(x - s * 0.6, y + s * 0.15), (x - s * 0.1, y + s * 0.6), (x + s * 0.4, y + s * 0.3), (x + muzzle, y - drop),
          (x + muzzle * 0.95, y - drop - s * 0.42), (x + muzzle * 0.55, y - drop * 0.7 - s * 0.55),
              (x - s * 0.1, y - s * 0.55)],
        coat.form(Form::Beam),
    );
    ear(pen, x - s * 0.1, y + s * 0.42, s * 0.2, s * 0.62, coat, None);
    pen.oval(x + muzzle * 0.96, y - drop - s * 0.2, s * 0.16, s * 0.2, coat.shade(0.5).ball());
    eye(pen, x + s * 0.22, y + s * 0.12, s * 0.1);
}

pub(super) fn horse(pen: &mut Pen, look: &Look<'_>) {
    let own = pen.rng.pick(&[0x7c_48_28, 0x50_34_26, 0xd8_d0_c4, 0x9c_60_34]);
    let coat = look.color(own);
    let plan = Plan {
        coat, belly: coat.scale(0.9), socks: coat.scale(0.5), reach: 0.32, chest: 0.37, back: 0.68,
        leg: (0.085, 0.042), head: (0.5, 0.91), neck: 0.15, skull: 0.115,
    };
    let mane = Paint::new(coat.scale(0.34)).grain(Grain::Fur);
    plan.far_legs(pen);
    pen.blob(&[(-0.33, 0.66), (-0.44, 0.6), (-0.48, 0.4), (-0.43, 0.2), (-0.38, 0.32), (-0.36, 0.52)], mane);
    plan.body(pen);
    plan.near_legs(pen);
    pen.blob(&[(0.5, 0.99), (0.38, 0.93), (0.28, 0.78), (0.24, 0.64), (0.33, 0.68), (0.42, 0.82), (0.49, 0.93)], mane);
    long_head(pen, &plan, 0.2, 0.13);
}

pub(super) fn deer(pen: &mut Pen, look: &Look<'_>) {
    let coat = look.color(0x9a_64_38);
    let plan = Plan {
        coat, belly: Rgb::hex(0xe0_c8_a8), socks: coat.scale(0.72), reach: 0.22, chest: 0.33, back: 0.55,
        leg: (0.06, 0.027), head: (0.36, 0.76), neck: 0.1, skull: 0.085,
    };
    plan.far_legs(pen);
    pen.oval(-0.28, 0.53, 0.035, 0.05, Paint::hex(0xf2_ea_de));
    plan.body(pen);
    plan.near_legs(pen);
    let horn = Paint::hex(0x6a_4c_34).post();
    for (side, tone) in [(-1.0, 0.8), (1.0, 1.0)] {
        let x = 0.345 + side * 0.012;
        let tip = (x + side * 0.12 - 0.05, 1.05);
        pen.limb(&[(x, 0.8), (x + side * 0.09 - 0.03, 0.88), (x + side * 0.13 - 0.03, 0.96), tip],
            0.02, 0.008, horn.shade(tone));
        for (t, l) in [(0.87, 0.075), (0.92, 0.085), (0.98, 0.06)] {
            let bx = x + side * (t - 0.79) * 0.85 - 0.03;
            pen.limb(&[(bx, t), (bx + 0.04 + side * 0.01, t + l * 0.5), (bx + 0.05 + side * 0.015, t + l)],
                0.015, 0.006, horn.shade(tone));
        }
    }
    long_head(pen, &plan, 0.15, 0.07);
}

pub(super) fn cow(pen: &mut Pen, look: &Look<'_>) {
    let coat = look.color(0xf0_ea_e0);
    let spots = if look.color.is_some() { coat.scale(0.6) } else { Rgb::hex(0x30_2a_2a) };
    let plan = Plan {
        coat, belly: coat, socks: coat.scale(0.8), reach: 0.42, chest: 0.36, back: 0.86,
        leg: (0.12, 0.065), head: (0.68, 0.84), neck: 0.24, skull: 0.17,
    };
    plan.far_legs(pen);
    pen.limb(&[(-0.5, 0.8), (-0.57, 0.6), (-0.55, 0.4)], 0.035, 0.05, plan.paint());
    plan.body(pen);
    for (x, y, rx, ry) in [(-0.28, 0.7, 0.16, 0.12), (0.12, 0.62, 0.13, 0.14), (0.4, 0.76, 0.1, 0.09),
        (-0.08, 0.82, 0.07, 0.035)] {
        pen.blob(&[(x - rx, y), (x - rx * 0.3, y + ry), (x + rx * 0.8, y + ry * 0.6), (x + rx, y - ry * 0.4),
            (x, y - ry)], Paint::new(spots).grain(Grain::Fur).form(Form::Beam));
    }
    plan.near_legs(pen);
    pen.limb(&[(0.63, 0.97), (0.6, 1.03), (0.66, 1.08)], 0.035, 0.012, Paint::hex(0xd8_c8_a8));
    pen.limb(&[(0.72, 0.97), (0.78, 1.02), (0.77, 1.08)], 0.035, 0.012, Paint::hex(0xd8_c8_a8));
    long_head(pen, &plan, 0.24, 0.17);
    pen.oval(0.91, 0.63, 0.07, 0.055, Paint::hex(0xe0_a8_9c).ball());
}

pub(super) fn sheep(pen: &mut Pen, look: &Look<'_>) {
    let wool = look.color(0xf0_ea_de);
    for (x, tone) in [(-0.22, 0.7), (0.26, 0.7), (-0.3, 1.0), (0.18, 1.0)] {
        pen.limb(&[(x, 0.4), (x, 0.02)], 0.075, 0.055, Paint::new(Rgb::hex(0x40_38_36).scale(tone)).post());
    }
    for i in 0..26 {
        let a = i as f32 * 2.399;
        let r = (i as f32 / 26.0).sqrt();
        pen.disc(a.cos(
            ) * r * 0.36, 0.55 + a.sin() * r * 0.21, 0.125, Paint::new(wool).form(Form::Puff).grain(Grain::Rough));
    }
    pen.blob(&[(0.36, 0.72), (0.44, 0.8), (0.55, 0.76), (0.66, 0.58), (0.6, 0.52), (0.48, 0.54)],
        Paint::hex(0x40_38_36).ball());
    pen.blob(&[(0.38, 0.74), (0.28, 0.72), (0.27, 0.66), (0.37, 0.68)], Paint::hex(0x4c_42_40));
    pen.disc(0.42, 0.8, 0.075, Paint::new(wool).form(Form::Puff));
    eye(pen, 0.52, 0.69, 0.018);
}

pub(super) fn pig(pen: &mut Pen, look: &Look<'_>) {
    let coat = look.color(0xec_a8_a0);
    let plan = Plan {
        coat, belly: coat.scale(0.95), socks: coat.scale(0.8), reach: 0.36, chest: 0.25, back: 0.82,
        leg: (0.14, 0.09), head: (0.6, 0.64), neck: 0.36, skull: 0.22,
    };
    plan.far_legs(pen);
    pen.curve(&[(-0.44, 0.66), (-0.54, 0.7), (-0.52, 0.78), (-0.47, 0.73), (-0.56, 0.66)], 0.03, plan.paint());
    plan.body(pen);
    plan.near_legs(pen);
    pen.oval(0.6, 0.62, 0.2, 0.2, plan.paint().ball());
    ear(pen, 0.5, 0.74, 0.09, 0.17, plan.paint().shade(0.86), None);
    pen.oval(0.79, 0.57, 0.075, 0.09, plan.paint().shade(0.9).ball());
    pen.oval(0.82, 0.58, 0.014, 0.028, Paint::hex(0x84_48_44));
    eye(pen, 0.66, 0.7, 0.02);
}

pub(super) fn camel(pen: &mut Pen, look: &Look<'_>) {
    let coat = look.color(0xc8_98_5c);
    let plan = Plan {
        coat, belly: coat.scale(0.9), socks: coat.scale(0.85), reach: 0.31, chest: 0.4, back: 0.7,
        leg: (0.085, 0.045), head: (0.58, 0.94), neck: 0.09, skull: 0.1,
    };
    plan.far_legs(pen);
    plan.body(pen);
    pen.blob(&[(-0.28, 0.66), (-0.12, 0.82), (-0.02, 0.92), (0.08, 0.8), (0.22, 0.66)], plan.paint().ball());
    plan.near_legs(pen);
    long_head(pen, &plan, 0.15, 0.06);
}

pub(super) fn giraffe(pen: &mut Pen, look: &Look<'_>) {
    let coat = look.color(0xdc_ac_60);
    let plan = Plan {
        coat, belly: coat.scale(0.95), socks: Rgb::hex(0xf0_e0_c0), reach: 0.14, chest: 0.36, back: 0.52,
        leg: (0.06, 0.028), head: (0.34, 0.93), neck: 0.055, skull: 0.055,
    };
    plan.far_legs(pen);
    plan.body(pen);
    plan.near_legs(pen);
    for _ in 0..46 {
        let t = pen.rng.unit();
        let (x, y, r) = if t < 0.55 {
            (pen.rng.near(0.0, 0.13), pen.rng.range(0.4, 0.5), 0.022)
        } else {
            let u = pen.rng.unit();
            (0.14 + u * 0.19 + pen.rng.near(0.0, 0.02), 0.5 + u * 0.4, 0.016)
        };
        pen.blob(&[(x - r, y), (x, y + r), (x + r, y + r * 0.2), (x + r * 0.3, y - r)],
            Paint::new(coat.times(Rgb(0.62, 0.46, 0.32))));
    }
    for dx in [-0.012, 0.012] {
        pen.limb(&[(0.33 + dx, 0.95), (0.325 + dx, 1.0)], 0.01, 0.014, Paint::new(coat.scale(0.6)));
    }
    long_head(pen, &plan, 0.1, 0.045);
}

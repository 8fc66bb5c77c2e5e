//! The things in the sky behind everything, and in space.

use std::f32::consts::TAU;

use super::{Home, Look, Subject};
use atelier_retouch::rgb::Rgb;
use crate::draw::{Form, Grain, Paint, Pen};

pub(super) const ALL: &[Subject] = &[
    Subject::new("moon|full moon|crescent|crescent moon", Home::Heaven, 60.0, moon),
    Subject::new("sun", Home::Heaven, 60.0, sun),
    Subject::new("planet|earth|mars|globe|world|jupiter", Home::Space, 30.0, planet),
    Subject::new("saturn|ringed planet", Home::Space, 30.0, saturn),
    Subject::new("star|shooting star|north star", Home::Heaven, 14.0, star),
    Subject::new("comet|meteor|asteroid", Home::Heaven, 24.0, comet),
    Subject::new("rainbow", Home::Heaven, 120.0, rainbow),
];

fn moon(pen: &mut Pen, look: &Look<'_>) {
    let c = look.color(0xf2_ee_dc);
    pen.disc(0.0, 0.5, 0.5, Paint::new(c).glow(0.96));
    for (x, y, r) in [(-0.16, 0.66, 0.13), (0.12, 0.42, 0.17), (-0.2, 0.32, 0.09), (0.2, 0.72, 0.08),
        (0.02, 0.18, 0.07), (-0.34, 0.5, 0.06)] {
        pen.oval(x, y, r, r * 0.9, Paint::new(c.scale(0.84)).alpha(0.6).glow(0.96));
    }
    pen.lamp(0.0, 0.5, 1.5, Rgb::hex(0xb8_c4_e0).scale(0.6));
}

fn sun(pen: &mut Pen, look: &Look<'_>) {
    pen.disc(0.0, 0.5, 0.5, Paint::new(look.color.unwrap_or(look.light.sun)).glow(1.0));
    pen.lamp(0.0, 0.5, 2.4, look.light.sun.scale(0.6));
}

fn planet(pen: &mut Pen, look: &Look<'_>) {
    let own = pen.rng.pick(&[0x3c_74_b8, 0xc8_6c_3c, 0x7c_5c_a8, 0x4c_a0_90]);
    let c = look.color(own);
    pen.disc(0.0, 0.5, 0.5, Paint::new(c).ball().grain(Grain::Rough));
    for i in 0..7 {
        let y = 0.14 + i as f32 * 0.12 + pen.rng.near(0.0, 0.03);
        let w = (0.25 - (y - 0.5) * (y - 0.5)).max(0.0).sqrt();
        let k = pen.rng.range(0.1, 0.5);
        let tone = if i % 2 == 0 { c.shift(12.0, 0.12) } else { c.scale(0.7) };
        pen.blob(&[(-w * 0.96, y), (-w * k, y + 0.03), (w * 0.5, y + 0.015), (w * 0.96, y - 0.005),
            (w * 0.4, y - 0.03), (-w * 0.4, y - 0.015)], Paint::new(tone).alpha(0.4).form(Form::Side(0.2)));
    }
}

fn saturn(pen: &mut Pen, look: &Look<'_>) {
    let c = look.color(0xd8_b8_80);
    let ring = |pen: &mut Pen, top: bool| {
        for (r, w, tone) in [(0.95, 0.06, 0.7), (0.84, 0.1, 1.0), (0.7, 0.07, 0.8)] {
            let points: Vec<_> = (0..=24)
                .map(|i| {
                    let a = i as f32 / 24.0 * TAU * 0.5 + if top { 0.0 } else { TAU * 0.5 };
                    (a.cos() * r, 0.5 + a.sin() * r * 0.26 + a.cos() * r * 0.16)
                })
                .collect();
            pen.curve(&points, w, Paint::new(c.scale(tone)).alpha(0.85));
        }
    };
    ring(pen, true);
    pen.disc(0.0, 0.5, 0.46, Paint::new(c).ball().grain(Grain::Rough));
    for i in 0..4 {
        let y = 0.3 + i as f32 * 0.13;
        let w = (0.2 - (y - 0.5) * (y - 0.5)).max(0.0).sqrt();
        pen.curve(&[(-w, y - 0.04), (0.0, y - 0.05), (w, y + 0.04)], 0.03, Paint::new(c.scale(0.8)).alpha(0.5));
    }
    ring(pen, false);
}

fn star(pen: &mut Pen, look: &Look<'_>) {
    let points: Vec<_> = (0..10)
        .map(|i| {
            let r = if i % 2 == 0 { 0.5 } else { 0.2 };
            let (s, c) = (i as f32 / 10.0 * TAU + TAU * 0.25).sin_cos();
            (c * r, 0.5 + s * r)
        })
        .collect();
    pen.poly(&points, Paint::new(look.color(0xff_ee_b0)).glow(1.0));
    pen.lamp(0.0, 0.5, 1.2, Rgb::hex(0xff_e0_90).scale(0.7));
}

fn comet(pen: &mut Pen, look: &Look<'_>) {
    for (w, a) in [(0.5, 0.16), (0.3, 0.26), (0.14, 0.4)] {
        pen.limb(&[(0.0, 0.3), (-1.0, 0.75), (-2.2, 1.3)],
            w * 0.5, 0.02, Paint::new(look.color(0xa8_d8_f8)).alpha(a).glow(1.0));
    }
    pen.disc(0.0, 0.3, 0.17, Paint::hex(0xf8_fc_ff).glow(1.0));
    pen.lamp(0.0, 0.3, 0.8, Rgb::hex(0x90_c8_f0));
}

fn rainbow(pen: &mut Pen, _: &Look<'_>) {
    for (i, c) in [0xe8_4c_48,
        0xf0_94_40, 0xf4_dc_58, 0x6c_c0_65, 0x4c_94_d8, 0x5c_5c_b8, 0x8c_5c_b0].into_iter().enumerate() {
        let r = 1.0 - i as f32 * 0.03;
        let points: Vec<_> = (0..=32)
            .map(|k| {
                let (s, co) = (k as f32 / 32.0 * TAU * 0.5).sin_cos();
                (co * r, s * r)
            })
            .collect();
        pen.curve(&points, 0.034, Paint::hex(c).alpha(0.38).glow(0.9));
    }
}

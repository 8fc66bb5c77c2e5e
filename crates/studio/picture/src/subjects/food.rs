//! Food, and bowls and plates for it.

use super::{Home, Look, Subject};
use atelier_retouch::rgb::Rgb;
use crate::draw::{Form, Grain, Paint, Pen};

pub(super) const ALL: &[Subject] = &[
    Subject::new("apple|red apple", Home::Table, 0.09, apple),
    Subject::new("oranges|mandarin|tangerine|clementine|citrus|orange fruit", Home::Table, 0.09, orange),
    Subject::new("lemons|limes|lemon fruit", Home::Table, 0.08, lemon),
    Subject::new("pear", Home::Table, 0.12, pear),
    Subject::new("banana", Home::Table, 0.1, banana),
    Subject::new("cherries|cherry|berry|strawberry|strawberries", Home::Table, 0.06, cherry),
    Subject::new("grape|grapes|bunch of grapes", Home::Table, 0.16, grapes),
    Subject::new("bowl|plate|dish|basket|fruit bowl", Home::Table, 0.16, bowl),
    Subject::new("bread|loaf|baguette|croissant", Home::Table, 0.14, bread),
    Subject::new("cake|birthday cake|pie|cupcake|dessert|muffin", Home::Table, 0.2, cake),
    Subject::new("cheese", Home::Table, 0.12, cheese),
    Subject::new("pizza", Home::Table, 0.12, pizza),
    Subject::new("watermelon|melon", Home::Table, 0.2, melon),
    Subject::new("pumpkin|squash|jack o lantern", Home::Table, 0.3, pumpkin),
    Subject::new("ice cream|icecream|ice cream cone|gelato", Home::Table, 0.2, ice_cream),
    Subject::new("fruit|fruits", Home::Table, 0.09, apple),
    Subject::new("carrot|vegetable|tomato|pepper", Home::Table, 0.1, tomato),
    Subject::new("egg", Home::Table, 0.07, egg),
    Subject::new("hamburger|burger|sandwich", Home::Table, 0.12, burger),
    Subject::new("donut|doughnut|cookie|bagel", Home::Table, 0.1, donut),
    Subject::new("sushi|ramen|noodles", Home::Table, 0.1, bowl),
];

fn stalk(pen: &mut Pen, y: f32) {
    pen.limb(&[(0.0, y), (0.03, y + 0.12)], 0.03, 0.045, Paint::hex(0x5c_40_28));
    pen.blob(&[(0.02, y + 0.06), (0.12, y + 0.16), (0.28, y + 0.14), (0.16, y + 0.04)],
        Paint::hex(0x5c_94_40).form(Form::Top));
}

pub(super) fn apple(pen: &mut Pen, look: &Look<'_>) {
    let own = pen.rng.pick(&[0xc8_2c_30, 0xb4_24_30, 0x9c_b8_40, 0xd8_54_34]);
    pen.blob(&[(0.0, 0.04), (-0.2, 0.0), (-0.42, 0.2), (-0.48, 0.52), (-0.3, 0.8), (0.0, 0.76), (0.3, 0.8),
        (0.48, 0.52), (0.42, 0.2), (0.2, 0.0)], Paint::new(look.color(own)).ball().grain(Grain::Shiny));
    pen.oval(0.0, 0.775, 0.12, 0.03, Paint::hex(0x6a_24_20).alpha(0.6));
    stalk(pen, 0.76);
}

pub(super) fn orange(pen: &mut Pen, look: &Look<'_>) {
    pen.disc(0.0, 0.46, 0.46, Paint::new(look.color(0xf2_8c_22)).ball().grain(Grain::Rough));
    pen.oval(0.04, 0.88, 0.05, 0.025, Paint::hex(0x6a_7c_30));
    if pen.rng.chance(0.45) {
        pen.blob(&[(0.03, 0.88), (0.14, 1.0), (0.34, 0.98), (0.2, 0.86)], Paint::hex(0x4c_84_3a).form(Form::Top));
    }
}

fn lemon(pen: &mut Pen, look: &Look<'_>) {
    pen.blob(&[(-0.6, 0.4), (-0.46, 0.54), (-0.2, 0.74), (0.2, 0.74), (0.46, 0.54), (0.62, 0.42), (0.46, 0.26),
        (0.2, 0.04), (-0.2, 0.04), (-0.46, 0.26)], Paint::new(look.color(0xf4_d8_3c)).ball().grain(Grain::Rough));
}

fn pear(pen: &mut Pen, look: &Look<'_>) {
    pen.blob(&[(0.0, 0.0), (-0.3, 0.06), (-0.38, 0.32), (-0.2, 0.58), (-0.14, 0.8), (0.0, 0.9), (0.14, 0.8),
        (0.2, 0.58), (0.38, 0.32), (0.3, 0.06)], Paint::new(look.color(0xc4_c0_48)).ball().grain(Grain::Rough));
    stalk(pen, 0.88);
}

fn banana(pen: &mut Pen, look: &Look<'_>) {
    for (k, tone) in [(0.0, 0.85), (0.12, 1.0)] {
        pen.blob(&[(-0.74, 0.74 - k), (-0.5, 0.34 - k), (0.0, 0.14 - k), (0.5, 0.3 - k), (0.76, 0.68 - k),
            (0.66, 0.72 - k), (0.4, 0.5 - k), (0.0, 0.4 - k), (-0.4, 0.52 - k), (-0.66, 0.78 - k)],
            Paint::new(look.color(0xf2_cc_3c)).beam().shade(tone));
    }
}

fn cherry(pen: &mut Pen, look: &Look<'_>) {
    for (x, bend) in [(-0.24, -0.1), (0.24, 0.06)] {
        pen.curve(&[(x, 0.4), (x * 0.6 + bend, 0.75), (0.06, 1.0)], 0.03, Paint::hex(0x5c_80_38));
        pen.disc(x, 0.24, 0.24, Paint::new(look.color(0xb4_18_30)).ball().grain(Grain::Shiny));
    }
    pen.blob(&[(0.06, 1.0), (0.3, 1.06), (0.5, 0.92), (0.26, 0.88)], Paint::hex(0x5c_94_40));
}

fn grapes(pen: &mut Pen, look: &Look<'_>) {
    let c = look.color(0x5c_30_74);
    for row in 0..6 {
        let n = 6 - row;
        for i in 0..n {
            let (x, y) = ((i as f32 - (n as f32 - 1.0) * 0.5) * 0.17, 0.84 - row as f32 * 0.145);
            pen.disc(x + pen.rng.clone().near(0.0, 0.02),
                y, 0.1, Paint::new(c.shift(0.0, 0.03 * (i % 3) as f32 - 0.03)).ball().grain(Grain::Shiny));
        }
    }
    stalk(pen, 0.9);
}

pub(super) fn bowl(pen: &mut Pen, look: &Look<'_>) {
    let glaze = look.color(0x3c_70_94);
    pen.oval(0.0, 0.86, 1.0, 0.14, Paint::new(glaze.scale(0.5)));
    pen.rect(-0.32, 0.0, 0.64, 0.1, Paint::new(glaze.scale(0.8)).post());
    pen.blob(&[(-1.0, 0.86), (-0.9, 0.5), (-0.6, 0.18), (-0.3, 0.06), (0.3, 0.06), (0.6, 0.18), (0.9, 0.5),
        (1.0, 0.86), (0.5, 0.75), (0.0, 0.72), (-0.5, 0.75)], Paint::new(glaze).ball().grain(Grain::Shiny));
    pen.curve(&[(-0.93, 0.6), (-0.5, 0.48), (0.0, 0.45), (0.5, 0.48), (0.93, 0.6)],
        0.035, Paint::hex(0xf2_ea_da).alpha(0.85));
}

fn bread(pen: &mut Pen, look: &Look<'_>) {
    pen.blob(&[(-0.95, 0.2), (-0.85, 0.6), (-0.4, 0.86), (0.4, 0.86), (0.85, 0.6), (0.95, 0.2), (0.7, 0.02),
        (-0.7, 0.02)], Paint::new(look.color(0xc4_84_40)).ball().grain(Grain::Rough));
    for i in 0..4 {
        let x = -0.5 + i as f32 * 0.33;
        pen.blob(&[(x - 0.1, 0.46), (x, 0.74), (x + 0.14, 0.84), (x + 0.06, 0.56)],
            Paint::hex(0xec_c8_8c).grain(Grain::Rough));
    }
}

fn cake(pen: &mut Pen, look: &Look<'_>) {
    pen.oval(0.0, 0.04, 0.85, 0.09, Paint::hex(0xec_e8_e0).form(Form::Top));
    for (w, y, h) in [(0.66, 0.06, 0.3), (0.46, 0.34, 0.26)] {
        pen.rect(-w, y, 2.0 * w, h, Paint::new(look.color(0xf0_b4_b8)).post());
        pen.oval(0.0, y + h, w, 0.07, Paint::hex(0xfc_f4_ec).form(Form::Top));
        for i in 0..9 {
            let x = -w + (i as f32 + 0.5) * 2.0 * w / 9.0;
            let drip = pen.rng.range(0.06, 0.15);
            pen.limb(&[(x, y + h - 0.01), (x, y + h - drip)], w * 0.2, w * 0.13, Paint::hex(0xfc_f4_ec).post());
        }
    }
    for i in 0..5 {
        let x = -0.28 + i as f32 * 0.14;
        pen.rect(x - 0.018, 0.62, 0.036, 0.2, Paint::hex([0xe0_50_50, 0x50_90_d0, 0xf0_c0_40][i % 3]).post());
        pen.blob(&[(x - 0.022, 0.86), (x, 0.82), (x + 0.022, 0.86), (x, 0.97)], Paint::hex(0xff_c8_50).glow(1.0));
        pen.lamp(x, 0.88, 0.2, Rgb::hex(0xff_b0_50));
    }
}

fn cheese(pen: &mut Pen, look: &Look<'_>) {
    let c = Paint::new(look.color(0xf2_c4_48));
    pen.poly(&[(-0.8, 0.02), (0.7, 0.02), (0.7, 0.5), (-0.8, 0.5)], c.form(Form::Side(-0.2)));
    pen.poly(&[(-0.8, 0.5), (0.7, 0.5), (0.1, 0.86)], c.shade(1.12).form(Form::Top));
    for (x, y, r) in [(-0.5, 0.28, 0.09), (0.0, 0.16, 0.07), (0.3, 0.34, 0.11), (-0.2, 0.38, 0.05),
        (0.55, 0.14, 0.05)] {
        pen.oval(x, y, r, r * 0.85, c.shade(0.7));
    }
}

fn pizza(pen: &mut Pen, look: &Look<'_>) {
    pen.oval(0.0, 0.34, 1.05, 0.34, Paint::hex(0xcc_94_50).ball().grain(Grain::Rough));
    pen.oval(0.0, 0.37, 0.88, 0.26, Paint::new(look.color(0xf0_c0_58)).grain(Grain::Rough));
    for i in 0..9 {
        let a = i as f32 * 2.4;
        let r = (i as f32 / 9.0).sqrt() * 0.72;
        pen.oval(a.cos() * r, 0.37 + a.sin() * r * 0.28, 0.12, 0.05, Paint::hex(0xb8_38_2c).form(Form::Top));
        pen.oval(a.cos() * r * 0.7 + 0.1, 0.4 + a.sin() * r * 0.2, 0.05, 0.02, Paint::hex(0x4c_84_3c));
    }
}

fn melon(pen: &mut Pen, look: &Look<'_>) {
    pen.blob(&[(-0.9, 0.62), (-0.6, 0.18), (0.0, 0.0), (0.6, 0.18), (0.9, 0.62)], Paint::hex(0x3c_84_48).ball());
    pen.blob(&[(-0.82, 0.62), (-0.54, 0.24), (0.0, 0.08), (0.54, 0.24), (0.82, 0.62)], Paint::hex(0xe8_f0_d0));
    pen.blob(&[(-0.76, 0.62), (-0.5, 0.29), (0.0, 0.14), (0.5, 0.29), (0.76, 0.62)],
        Paint::new(look.color(0xe0_40_4c)).grain(Grain::Rough));
    for i in 0..7 {
        let x = -0.5 + i as f32 * 0.166;
        pen.oval(x, 0.42 - 0.1 * (1.0 - x * x * 2.0) + 0.08 * (i % 2) as f32, 0.022, 0.035, Paint::hex(0x2c_1c_18));
    }
}

fn pumpkin(pen: &mut Pen, look: &Look<'_>) {
    let c = Paint::new(look.color(0xe0_7c_24));
    for (x, w, tone) in [(-0.42, 0.3, 0.78), (0.42, 0.3, 0.86), (-0.22, 0.32, 0.9), (0.22, 0.32, 0.96),
        (0.0, 0.3, 1.0)] {
        pen.oval(x, 0.42, w, 0.42, c.shade(tone).ball());
    }
    pen.limb(&[(0.0, 0.8), (0.02, 0.92), (0.12, 1.0)], 0.12, 0.09, Paint::hex(0x6a_7c_3a).post());
}

fn ice_cream(pen: &mut Pen, look: &Look<'_>) {
    pen.poly(&[(-0.19, 0.5), (0.19, 0.5), (0.0, 0.0)], Paint::hex(0xd8_a0_58).post());
    for i in 0..4 {
        let k = i as f32 * 0.1;
        pen.line(&[(-0.17 + k, 0.48), (-0.02 + k * 0.25, 0.06 + k * 0.5)], 0.012, Paint::hex(0xa8_70_38));
    }
    for (x, y, c) in [(-0.1, 0.58, 0xf4_e8_d0), (0.1, 0.58, 0x84_50_38), (0.0, 0.76, 0xf0_98_b0)] {
        pen.disc(x, y, 0.16, Paint::new(if y > 0.7 { look.color(c) } else { Rgb::hex(c) }).ball().grain(Grain::Rough));
    }
    pen.disc(0.02, 0.94, 0.05, Paint::hex(0xc4_20_34).ball().grain(Grain::Shiny));
}

fn tomato(pen: &mut Pen, look: &Look<'_>) {
    pen.oval(0.0, 0.38, 0.48, 0.38, Paint::new(look.color(0xd8_38_2c)).ball().grain(Grain::Shiny));
    for i in 0..5 {
        let (s, c) = (i as f32 / 5.0 * std::f32::consts::TAU).sin_cos();
        pen.limb(&[(0.0, 0.74), (c * 0.18, 0.73 + s * 0.05)], 0.05, 0.015, Paint::hex(0x4c_84_38));
    }
}

fn egg(pen: &mut Pen, look: &Look<'_>) {
    pen.blob(&[(0.0, 0.0), (-0.3, 0.14), (-0.36, 0.42), (-0.2, 0.8), (0.0, 0.94), (0.2, 0.8), (0.36, 0.42),
        (0.3, 0.14)], Paint::new(look.color(0xf2_e2_cc)).ball());
}

fn burger(pen: &mut Pen, look: &Look<'_>) {
    let bun = Paint::new(look.color(0xd8_94_48)).grain(Grain::Rough);
    pen.blob(&[(-0.66, 0.02), (-0.7, 0.16), (-0.62, 0.22), (0.62, 0.22), (0.7, 0.16), (0.66, 0.02)], bun.beam());
    pen.blob(&[(-0.72, 0.24), (-0.7, 0.36), (0.7, 0.36), (0.72, 0.24), (0.0, 0.2)],
        Paint::hex(0x6a_3c_28).grain(Grain::Rough).beam());
    pen.poly(&[(-0.7, 0.38), (0.7, 0.38), (0.4, 0.28), (0.2, 0.36), (-0.2, 0.26), (-0.4, 0.36)],
        Paint::hex(0xf4_c0_40));
    pen.blob(&[(-0.76, 0.4), (-0.4, 0.46), (0.0, 0.4), (0.4, 0.46), (0.76, 0.4), (0.4, 0.36), (0.0, 0.42),
        (-0.4, 0.36)], Paint::hex(0x7c_b8_48));
    pen.blob(&[(-0.68, 0.46), (-0.6, 0.74), (-0.2, 0.92), (0.2, 0.92), (0.6, 0.74), (0.68, 0.46), (0.0, 0.43)],
        bun.ball());
    for i in 0..9 {
        let x = -0.4 + i as f32 * 0.1;
        pen.oval(x, 0.74 + 0.06 * (i % 3) as f32 - x * x * 0.3, 0.03, 0.018, Paint::hex(0xf8_e8_c8));
    }
}

fn donut(pen: &mut Pen, look: &Look<'_>) {
    pen.oval(0.0, 0.42, 0.75, 0.42, Paint::hex(0xd0_94_54).ball().grain(Grain::Rough));
    pen.oval(0.0, 0.48, 0.68, 0.34, Paint::new(look.color(0xf0_8c_b0)).ball().grain(Grain::Shiny));
    pen.oval(0.0, 0.5, 0.2, 0.09, Paint::hex(0x8a_5c_38));
    for i in 0..22 {
        let a = i as f32 * 2.4;
        let r = pen.rng.range(0.36, 0.6);
        let (x, y) = (a.cos() * r, 0.5 + a.sin() * r * 0.48);
        let c = pen.rng.pick(&[0xf8_f0_50, 0x50_b0_e8, 0xff_ff_ff, 0x70_d0_70]);
        pen.line(&[(x, y), (x + 0.05 * a.sin(), y + 0.03)], 0.024, Paint::hex(c));
    }
}

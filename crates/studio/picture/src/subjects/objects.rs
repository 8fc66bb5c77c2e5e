//! Things people make and use.

use std::f32::consts::TAU;

use super::{Home, Look, Subject};
use atelier_retouch::rgb::Rgb;
use crate::draw::{Form, Grain, Paint, Pen};

pub(super) const ALL: &[Subject] = &[
    Subject::new("vase|bouquet|vase of flowers|flower vase|pot of flowers", Home::Table, 0.45, vase),
    Subject::new("jug|pitcher|urn|amphora|pot", Home::Table, 0.3, jug),
    Subject::new("cup|mug|coffee|tea|cup of coffee|cup of tea|coffee cup|teacup|espresso|\
        latte", Home::Table, 0.12, cup),
    Subject::new("teapot|kettle|coffee pot", Home::Table, 0.2, teapot),
    Subject::new("bottle|wine bottle|bottle of wine|wine", Home::Table, 0.34, bottle),
    Subject::new("glass|wine glass|goblet|glass of wine|cocktail", Home::Table, 0.24, wineglass),
    Subject::new("book|stack of books|pile of books|notebook", Home::Table, 0.2, books),
    Subject::new("candle|candlelight|candlestick", Home::Table, 0.26, candle),
    Subject::new("lamp|lantern|oil lamp|street lamp|streetlight|lamppost", Home::Ground, 3.6, lamppost),
    Subject::new("clock|alarm clock|watch|pocket watch", Home::Table, 0.24, clock),
    Subject::new("guitar|violin|cello|ukulele", Home::Table, 0.9, guitar),
    Subject::new("umbrella|parasol|beach umbrella", Home::Ground, 2.2, umbrella),
    Subject::new("chair|armchair|stool|throne", Home::Ground, 1.0, chair),
    Subject::new("dining table|kitchen table|coffee table|picnic table", Home::Ground, 0.8, dining_table),
    Subject::new("ladder|stepladder", Home::Ground, 3.4, ladder),
    Subject::new("bench|park bench", Home::Ground, 0.9, bench),
    Subject::new("fence|wooden fence|picket fence", Home::Ground, 1.1, fence),
    Subject::new("campfire|fire|bonfire|flame", Home::Ground, 1.0, campfire),
    Subject::new("rock|boulder|stone|rocks", Home::Ground, 1.4, rock),
    Subject::new("heart|love", Home::Table, 0.3, heart),
    Subject::new("key", Home::Table, 0.2, key),
    Subject::new("camera body|old camera|vintage camera", Home::Table, 0.2, camera),
    Subject::new("flag|banner pole", Home::Ground, 6.0, flag),
    Subject::new("skull", Home::Table, 0.25, skull),
    Subject::new("crystal ball|gem|diamond|crystal|jewel|gemstone", Home::Table, 0.2, gem),
];

fn vase(pen: &mut Pen, look: &Look<'_>) {
    let palette = [0xe0_58_50, 0xf0_b0_40, 0xe8_8c_b0, 0xf4_ee_e4, 0x9c_68_b8, 0xf0_80_48];
    for i in 0..11 {
        let a = 0.5 + i as f32 / 10.0 * 2.14;
        let reach = pen.rng.range(0.3, 0.5);
        let end = (a.cos() * reach * 0.95, 0.44 + a.sin() * reach);
        pen.limb(&[(0.0, 0.42), (end.0 * 0.4, 0.42 + (end.1 - 0.42) * 0.6), end], 0.014, 0.01, Paint::hex(0x4c_7c_3e));
        let l = (end.0 * 0.7, 0.42 + (end.1 - 0.42) * 0.6);
        pen.blob(&[l, (l.0 + 0.05, l.1 + 0.05), (l.0 + 0.13 * a.cos().signum(), l.1 + 0.03),
            (l.0 + 0.03, l.1 - 0.02)], Paint::hex(0x5c_90_4c));
    }
    for i in 0..11 {
        let a = 0.5 + ((i * 7) % 11) as f32 / 10.0 * 2.14;
        let reach = pen.rng.range(0.24, 0.48);
        let (x, y) = (a.cos() * reach, 0.45 + a.sin() * reach);
        let c = Rgb::hex(pen.rng.pick(&palette)).shift(pen.rng.near(0.0, 8.0), 0.0);
        let r = pen.rng.range(0.055, 0.085);
        for k in 0..8 {
            let (s, co) = (k as f32 / 8.0 * TAU + a).sin_cos();
            pen.oval(x + co * r * 0.62, y + s * r * 0.62, r * 0.5, r * 0.5, Paint::new(c.scale(0.92 + 0.1 * s)).ball());
        }
        pen.disc(x, y, r * 0.36, Paint::hex(0xf0_c8_58).ball());
    }
    let glaze = Paint::new(look.color(0x3c_74_94)).post().grain(Grain::Shiny);
    pen.blob(&[(-0.09, 0.0), (-0.17, 0.14), (-0.16, 0.28), (-0.075, 0.38), (-0.1, 0.45), (0.1, 0.45), (0.075, 0.38),
        (0.16, 0.28), (0.17, 0.14), (0.09, 0.0)], glaze);
    pen.oval(0.0, 0.45, 0.1, 0.018, glaze.shade(0.5));
    pen.curve(&[(-0.165, 0.2), (0.0, 0.175), (0.165, 0.2)], 0.02, Paint::hex(0xf0_e8_d8).alpha(0.8));
}

fn jug(pen: &mut Pen, look: &Look<'_>) {
    let clay = Paint::new(look.color(0xb4_6c_44)).post().grain(Grain::Rough);
    pen.curve(&[(0.2, 0.82), (0.42, 0.78), (0.44, 0.52), (0.28, 0.38)], 0.06, clay.shade(0.85));
    pen.blob(&[(-0.2, 0.0), (-0.34, 0.25), (-0.32, 0.5), (-0.17, 0.72), (-0.17, 0.86), (-0.24, 0.98), (0.18, 0.95),
        (0.16, 0.72), (0.31, 0.5), (0.34, 0.25), (0.2, 0.0)], clay);
    pen.blob(&[(-0.24, 0.98), (0.0, 1.0), (0.18, 0.95), (0.0, 0.93)], clay.shade(0.45));
    pen.curve(&[(-0.33, 0.42), (0.0, 0.38), (0.33, 0.42)], 0.02, Paint::hex(0xf0_e0_c4).alpha(0.7));
}

fn cup(pen: &mut Pen, look: &Look<'_>) {
    for i in 0..3 {
        let x = -0.16 + i as f32 * 0.16;
        pen.limb(&[(x, 0.86), (x + 0.06, 1.02), (x - 0.04, 1.2), (x + 0.05, 1.42)],
            0.07, 0.02, Paint::hex(0xff_ff_ff).alpha(0.2).glow(0.5));
    }
    let china = Paint::new(look.color(0xf2_ec_e2)).post().grain(Grain::Shiny);
    pen.oval(0.0, 0.05, 0.78, 0.09, china.shade(0.85).form(Form::Top));
    pen.oval(0.0, 0.075, 0.62, 0.065, china.form(Form::Top));
    pen.curve(&[(0.4, 0.62), (0.66, 0.6), (0.64, 0.34), (0.34, 0.26)], 0.075, china.shade(0.92));
    pen.blob(&[(-0.24, 0.08), (-0.4, 0.3), (-0.45, 0.78), (0.45, 0.78), (0.4, 0.3), (0.24, 0.08)], china);
    pen.oval(0.0, 0.78, 0.45, 0.08, china.shade(1.05).form(Form::Top));
    pen.oval(0.0, 0.77, 0.4, 0.062, Paint::hex(0x5c_38_20).to(Rgb::hex(0x8a_5c_38)));
    pen.oval(-0.08, 0.775, 0.16, 0.02, Paint::hex(0xc8_98_68).alpha(0.6));
}

fn teapot(pen: &mut Pen, look: &Look<'_>) {
    let glaze = Paint::new(look.color(0x4c_84_7c)).grain(Grain::Shiny);
    pen.curve(&[(-0.36, 0.62), (-0.68, 0.66), (-0.7, 0.36), (-0.38, 0.24)], 0.08, glaze.shade(0.85));
    pen.blob(&[(0.34, 0.2), (0.5, 0.36), (0.6, 0.66), (0.72, 0.76), (0.8, 0.72), (0.7, 0.6), (0.62, 0.32),
        (0.4, 0.1)], glaze.shade(0.92).beam());
    pen.blob(&[(-0.26, 0.0), (-0.46, 0.22), (-0.44, 0.52), (-0.2, 0.74), (0.2, 0.74), (0.44, 0.52), (0.46, 0.22),
        (0.26, 0.0)], glaze.ball());
    pen.blob(&[(-0.24, 0.72), (-0.16, 0.84), (0.16, 0.84), (0.24, 0.72), (0.0, 0.69)], glaze.shade(1.1).ball());
    pen.disc(0.0, 0.9, 0.07, glaze.ball());
}

fn bottle(pen: &mut Pen, look: &Look<'_>) {
    let glass = Paint::new(look.color(0x2c_4c_34)).post().grain(Grain::Shiny);
    pen.blob(&[(-0.13, 0.0), (-0.14, 0.2), (-0.14, 0.52), (-0.11, 0.62), (-0.048, 0.7), (-0.045, 0.96),
        (0.045, 0.96), (0.048, 0.7), (0.11, 0.62), (0.14, 0.52), (0.14, 0.2), (0.13, 0.0)], glass);
    pen.rect(-0.05, 0.84, 0.1, 0.14, Paint::hex(0x8a_2c_34).post());
    pen.rect(-0.138, 0.18, 0.276, 0.26, Paint::hex(0xf0_e4_cc).post());
    pen.rect(-0.09, 0.34, 0.18, 0.02, Paint::hex(0x8a_2c_34));
    pen.rect(-0.06, 0.28, 0.12, 0.012, Paint::hex(0x60_50_48));
    pen.limb(&[(-0.09, 0.1), (-0.095, 0.56)], 0.018, 0.012, Paint::hex(0xff_ff_ff).alpha(0.35).glow(0.6));
}

fn wineglass(pen: &mut Pen, look: &Look<'_>) {
    let glass = Paint::hex(0xd8_e8_ee).alpha(0.5);
    pen.oval(0.0, 0.025, 0.2, 0.025, glass);
    pen.rect(-0.012, 0.03, 0.024, 0.42, glass);
    pen.blob(&[(-0.03, 0.44), (-0.2, 0.56), (-0.23, 0.76), (-0.17, 1.0), (0.17, 1.0), (0.23, 0.76), (0.2, 0.56),
        (0.03, 0.44)], glass);
    pen.blob(&[(-0.02, 0.47), (-0.19, 0.58), (-0.21, 0.76), (0.21, 0.76), (0.19, 0.58), (0.02, 0.47)],
        Paint::new(look.color(0x84_1c_34)).post().alpha(0.92));
    pen.oval(0.0, 0.76, 0.21, 0.03, Paint::new(look.color(0x84_1c_34).scale(1.3)));
    pen.limb(&[(-0.16, 0.6), (-0.17, 0.9)], 0.02, 0.012, Paint::hex(0xff_ff_ff).alpha(0.5).glow(0.7));
}

fn books(pen: &mut Pen, look: &Look<'_>) {
    let colors = [0x8c_34_34, 0x2c_5c_7c, 0xc8_98_3c, 0x4c_6c_4c, 0x6a_48_74];
    let mut y = 0.0;
    for i in 0..4 {
        let h = pen.rng.range(0.19, 0.27);
        let (x, w) = (pen.rng.near(0.0, 0.08), pen.rng.range(1.0, 1.3));
        let own = colors[(i + pen.rng.below(2)) % 5];
        let c = if i == 3 { look.color(own) } else { Rgb::hex(own) };
        pen.rect(x - w * 0.5, y, w, h, Paint::new(c).form(Form::Side(0.2)).grain(Grain::Cloth));
        pen.rect(x - w * 0.5 + 0.1, y + 0.02, w - 0.1, h - 0.04, Paint::hex(0xf2_e8_d4).grain(Grain::Wood));
        pen.rect(x - w * 0.5, y, 0.14, h, Paint::new(c).post());
        pen.rect(x - w * 0.5 + 0.03, y + h * 0.3, 0.03, h * 0.4, Paint::hex(0xe8_c8_70));
        y += h;
    }
}

fn candle(pen: &mut Pen, look: &Look<'_>) {
    let brass = Paint::hex(0xb8_90_48).grain(Grain::Shiny);
    pen.oval(0.0, 0.05, 0.3, 0.05, brass.form(Form::Top));
    pen.rect(-0.08, 0.05, 0.16, 0.1, brass.post());
    pen.rect(-0.07, 0.12, 0.14, 0.52, Paint::new(look.color(0xf4_ea_d4)).to(Rgb::hex(0xe0_cc_a8)).post().glow(0.15));
    pen.blob(&[(-0.07, 0.6), (-0.075, 0.5), (-0.05, 0.56)], Paint::hex(0xf8_f0_de));
    pen.line(&[(0.0, 0.63), (0.005, 0.7)], 0.012, Paint::hex(0x30_26_22));
    pen.blob(&[(-0.04, 0.72), (0.0, 0.66), (0.04, 0.72), (0.03, 0.82), (0.0, 0.98), (-0.03, 0.82)],
        Paint::hex(0xff_b8_40).glow(1.0));
    pen.blob(&[(-0.022, 0.72), (0.0, 0.68), (0.022, 0.72), (0.0, 0.86)], Paint::hex(0xff_f4_c8).glow(1.0));
    pen.lamp(0.0, 0.8, 0.75, Rgb::hex(0xff_b0_50));
}

fn lamppost(pen: &mut Pen, look: &Look<'_>) {
    let iron = Paint::new(look.color(0x2c_32_34)).post();
    pen.blob(&[(-0.06, 0.0), (-0.035, 0.1), (-0.02, 0.16), (0.02, 0.16), (0.035, 0.1), (0.06, 0.0)], iron);
    pen.rect(-0.014, 0.1, 0.028, 0.72, iron);
    pen.line(&[(-0.08, 0.76), (0.08, 0.76)], 0.012, iron);
    let lit = look.light.lamps();
    pen.poly(&[(-0.035, 0.82), (0.035, 0.82), (0.062, 0.93), (-0.062, 0.93)],
        if lit { Paint::hex(0xff_ec_b0).glow(1.0) } else { Paint::hex(0xd8_dc_d4) });
    pen.line(&[(-0.035, 0.82), (-0.062, 0.93), (0.062, 0.93), (0.035, 0.82), (-0.035, 0.82)], 0.008, iron);
    pen.poly(&[(-0.075, 0.93), (0.075, 0.93), (0.0, 1.0)], iron);
    if lit {
        pen.lamp(0.0, 0.88, 0.5, Rgb::hex(0xff_c8_70));
    }
}

fn clock(pen: &mut Pen, look: &Look<'_>) {
    let body = Paint::new(look.color(0xc0_44_38)).ball().grain(Grain::Shiny);
    for s in [-1.0, 1.0] {
        pen.limb(&[(s * 0.2, 0.14), (s * 0.3, 0.0)], 0.06, 0.04, Paint::hex(0x50_48_44));
        pen.blob(&[(s * 0.12, 0.9), (s * 0.2, 1.02), (s * 0.36, 0.98), (s * 0.38, 0.82)],
            Paint::hex(0xc8_a0_50).ball());
    }
    pen.disc(0.0, 0.48, 0.44, body);
    pen.disc(0.0, 0.48, 0.36, Paint::hex(0xf6_f0_e2));
    for i in 0..12 {
        let (s, c) = (i as f32 / 12.0 * TAU).sin_cos();
        pen.line(&[(c * 0.3, 0.48 + s * 0.3), (c * 0.34, 0.48 + s * 0.34)], 0.02, Paint::hex(0x30_2c_2c));
    }
    let a = pen.rng.range(0.0, TAU);
    pen.line(&[(0.0, 0.48), (a.cos() * 0.18, 0.48 + a.sin() * 0.18)], 0.03, Paint::hex(0x2a_26_26));
    pen.line(&[(0.0, 0.48), ((a * 12.0).cos() * 0.28, 0.48 + (a * 12.0).sin() * 0.28)], 0.02, Paint::hex(0x2a_26_26));
}

fn guitar(pen: &mut Pen, look: &Look<'_>) {
    let wood = Paint::new(look.color(0xc0_78_38)).grain(Grain::Wood);
    pen.blob(&[(0.0, 0.0), (-0.2, 0.06), (-0.22, 0.22), (-0.13, 0.32), (-0.16, 0.44), (-0.08, 0.5), (0.0, 0.49),
        (0.08, 0.5), (0.16, 0.44), (0.13, 0.32), (0.22, 0.22), (0.2, 0.06)], wood.ball());
    pen.disc(0.0, 0.34, 0.06, Paint::hex(0x30_20_18));
    pen.rect(-0.07, 0.13, 0.14, 0.03, Paint::hex(0x40_28_1c));
    pen.rect(-0.024, 0.36, 0.048, 0.5, Paint::hex(0x4c_30_20));
    pen.blob(&[(-0.04, 0.86), (-0.05, 0.98), (0.05, 0.98), (0.04, 0.86)], Paint::hex(0x5c_38_24));
    for i in 0..4 {
        let x = -0.016 + i as f32 * 0.011;
        pen.line(&[(x, 0.14), (x, 0.95)], 0.003, Paint::hex(0xe8_e4_dc));
    }
}

fn umbrella(pen: &mut Pen, look: &Look<'_>) {
    let c = look.color(0xd0_3c_44);
    pen.limb(&[(0.0, 0.02), (0.0, 0.9)], 0.024, 0.02, Paint::hex(0x60_44_34));
    for i in 0..6 {
        let (a, b) = (-0.56 + i as f32 * 1.12 / 6.0, -0.56 + (i + 1) as f32 * 1.12 / 6.0);
        let tone = if i % 2 == 0 { Paint::new(c) } else { Paint::hex(0xf6_ee_e0) };
        pen.blob(&[(a, 0.62), (a * 0.72, 0.8), (0.0, 0.97), (b * 0.72, 0.8), (b, 0.62), ((a + b) * 0.5, 0.65)],
            tone.form(Form::Side((a + b) * 0.8)));
    }
    pen.line(&[(0.0, 0.95), (0.0, 1.0)], 0.02, Paint::hex(0x60_44_34));
}

fn chair(pen: &mut Pen, look: &Look<'_>) {
    let wood = Paint::new(look.color(0x9a_64_3c)).grain(Grain::Wood);
    for (x, y, top) in [(-0.2, 0.06, 1.0), (0.24, 0.06, 0.5)] {
        pen.limb(&[(x, y), (x, top)], 0.05, 0.045, wood.shade(0.75));
    }
    pen.poly(&[(-0.34, 0.42), (0.22, 0.42), (0.3, 0.5), (-0.2, 0.5)], wood.form(Form::Top));
    pen.rect(-0.34, 0.38, 0.56, 0.045, wood);
    pen.limb(&[(-0.32, 0.0), (-0.3, 0.96)], 0.055, 0.05, wood);
    pen.limb(&[(0.2, 0.0), (0.2, 0.42)], 0.055, 0.05, wood);
    for y in [0.64, 0.78, 0.92] {
        pen.limb(&[(-0.3, y), (-0.2, y + 0.03)], 0.05, 0.05, wood.shade(0.9));
    }
}

fn dining_table(pen: &mut Pen, look: &Look<'_>) {
    let wood = Paint::new(look.color(0x8c_5a_34)).grain(Grain::Wood);
    for x in [-0.72, 0.72] {
        pen.limb(&[(x * 0.86, 0.1), (x * 0.86, 0.72)], 0.07, 0.075, wood.shade(0.62));
    }
    for x in [-0.86, 0.86] {
        pen.limb(&[(x, 0.0), (x, 0.8)], 0.075, 0.09, wood.post());
    }
    pen.rect(-0.9, 0.74, 1.8, 0.12, wood.shade(0.8));
    pen.poly(&[(-1.04, 0.85), (1.04, 0.85), (0.88, 1.0), (-0.88, 1.0)], wood.form(Form::Top));
    pen.rect(-1.04, 0.81, 2.08, 0.05, wood);
}

fn ladder(pen: &mut Pen, look: &Look<'_>) {
    let wood = Paint::new(look.color(0xc0_8c_50)).grain(Grain::Wood);
    for i in 0..8 {
        let y = 0.08 + i as f32 * 0.118;
        pen.line(&[(-0.11, y), (0.11, y)], 0.022, wood.shade(0.85));
    }
    for x in [-0.125, 0.125] {
        pen.line(&[(x, 0.0), (x * 0.88, 1.0)], 0.032, wood);
    }
}

fn bench(pen: &mut Pen, look: &Look<'_>) {
    let wood = Paint::new(look.color(0x9a_6c_40)).grain(Grain::Wood);
    for x in [-0.85, 0.85] {
        pen.line(&[(x, 0.0), (x, 0.48), (x - 0.06, 1.0)], 0.06, Paint::hex(0x30_32_34));
    }
    for (y, h) in [(0.42, 0.1), (0.62, 0.13), (0.82, 0.13)] {
        pen.rect(-1.05, y, 2.1, h, wood.form(Form::Top));
    }
}

fn fence(pen: &mut Pen, look: &Look<'_>) {
    let wood = Paint::new(look.color(0xe8_e2_d4)).grain(Grain::Wood);
    for y in [0.28, 0.66] {
        pen.rect(-2.4, y, 4.8, 0.09, wood.shade(0.85));
    }
    for i in 0..16 {
        let x = -2.3 + i as f32 * 0.3;
        pen.poly(&[(x, 0.0), (x + 0.16, 0.0), (x + 0.16, 0.88), (x + 0.08, 1.0), (x, 0.88)], wood);
    }
}

fn campfire(pen: &mut Pen, look: &Look<'_>) {
    for (a, b) in [((-0.5, 0.04), (0.36, 0.22)), ((0.5, 0.04), (-0.36, 0.22)), ((-0.3, 0.03), (0.42, 0.08))] {
        pen.limb(&[a, b], 0.13, 0.11, Paint::hex(0x5c_3c_28).grain(Grain::Wood).beam());
    }
    for (k, c) in [(1.0, 0xf0_5c_1c), (0.74, 0xff_98_28), (0.5, 0xff_d0_50), (0.28, 0xff_f4_c0)] {
        let w = 0.34 * k;
        let lean = pen.rng.near(0.0, 0.05);
        pen.blob(&[(-w, 0.2), (-w * 0.9, 0.42 * k + 0.1), (-w * 0.35, 0.62 * k + 0.12),
            (lean - 0.04, 0.98 * k + 0.06), (w * 0.3, 0.66 * k + 0.1), (w * 0.95, 0.46 * k + 0.1), (w, 0.2),
            (0.0, 0.12)], Paint::new(look.color.unwrap_or(Rgb::hex(c)).mix(Rgb::hex(c), 0.7)).glow(1.0));
    }
    pen.lamp(0.0, 0.45, 1.9, Rgb::hex(0xff_88_30));
}

fn rock(pen: &mut Pen, look: &Look<'_>) {
    let n = 9;
    let mut points = Vec::new();
    for i in 0..n {
        let a = std::f32::consts::PI * i as f32 / (n - 1) as f32;
        let r = pen.rng.range(0.8, 1.1);
        points.push((a.cos() * 0.72 * r, (a.sin() * 0.92 * r).max(0.0)));
    }
    pen.poly(&points, Paint::new(look.color(0x8c_86_80)).grain(Grain::Rough).ball());
    let top: Vec<_> = points.iter().map(|&(x, y)| (x * 0.62 - 0.1, y * 0.66 + 0.26)).collect();
    pen.poly(&top, Paint::new(look.color(0x8c_86_80).scale(1.12)).grain(Grain::Rough).form(Form::Top).alpha(0.8));
}

fn heart(pen: &mut Pen, look: &Look<'_>) {
    pen.blob(&[(0.0, 0.78), (-0.22, 0.98), (-0.48, 0.84), (-0.46, 0.54), (-0.22, 0.24), (0.0, 0.0), (0.22, 0.24),
        (0.46, 0.54), (0.48, 0.84), (0.22, 0.98)], Paint::new(look.color(0xd8_30_48)).ball().grain(Grain::Shiny));
}

fn key(pen: &mut Pen, look: &Look<'_>) {
    let brass = Paint::new(look.color(0xc8_a0_48)).grain(Grain::Shiny).post();
    pen.ring(0.0, 0.8, 0.15, 0.07, brass);
    pen.rect(-0.035, 0.02, 0.07, 0.64, brass);
    for (y, w) in [(0.04, 0.2), (0.16, 0.15), (0.26, 0.2)] {
        pen.rect(0.0, y, w, 0.06, brass);
    }
}

fn camera(pen: &mut Pen, look: &Look<'_>) {
    let body = Paint::new(look.color(0x34_34_38)).grain(Grain::Rough);
    pen.rect(-0.2, 0.74, 0.34, 0.2, Paint::hex(0xb8_bc_c0).beam());
    pen.blob(&[(-0.72, 0.02), (-0.74, 0.7), (-0.68, 0.78), (0.68, 0.78), (0.74, 0.7), (0.72, 0.02)], body.beam());
    pen.rect(-0.73, 0.6, 1.46, 0.17, Paint::hex(0xc0_c4_c8).beam().grain(Grain::Shiny));
    pen.disc(0.0, 0.36, 0.32, Paint::hex(0x9c_a0_a4).ball());
    pen.disc(0.0, 0.36, 0.25, Paint::hex(0x1c_1c_20));
    pen.disc(0.0, 0.36, 0.18, Paint::hex(0x2c_3c_60).ball().grain(Grain::Shiny));
    pen.oval(-0.06, 0.43, 0.05, 0.04, Paint::hex(0xe0_ec_ff).alpha(0.8).glow(0.7));
    pen.disc(0.5, 0.84, 0.09, Paint::hex(0xa8_ac_b0).ball());
}

fn flag(pen: &mut Pen, look: &Look<'_>) {
    pen.rect(-0.012, 0.0, 0.024, 1.0, Paint::hex(0x9a_9a_98).post());
    pen.blob(&[(0.01, 0.97), (0.16, 1.0), (0.32, 0.94), (0.5, 0.98), (0.48, 0.7), (0.32, 0.67), (0.16, 0.73),
        (0.01, 0.69)], Paint::new(look.color(0xc8_34_38)).grain(Grain::Cloth));
}

fn skull(pen: &mut Pen, look: &Look<'_>) {
    let bone = Paint::new(look.color(0xec_e4_d0)).grain(Grain::Rough);
    pen.blob(&[(-0.24, 0.06), (-0.26, 0.3), (0.26, 0.3), (0.24, 0.06), (0.0, 0.0)], bone.ball().shade(0.9));
    pen.blob(&[(-0.34, 0.36), (-0.44, 0.62), (-0.32, 0.9), (0.0, 1.0), (0.32, 0.9), (0.44, 0.62), (0.34, 0.36),
        (0.18, 0.24), (-0.18, 0.24)], bone.ball());
    for s in [-1.0, 1.0] {
        pen.blob(&[(s * 0.06, 0.5), (s * 0.1, 0.62), (s * 0.24, 0.64), (s * 0.29, 0.5), (s * 0.18, 0.4)],
            Paint::hex(0x24_1c_1a));
    }
    pen.poly(&[(-0.05, 0.3), (0.05, 0.3), (0.0, 0.44)], Paint::hex(0x2c_22_1e));
    for i in 0..5 {
        pen.line(&[(-0.16 + i as f32 * 0.08, 0.06), (-0.16 + i as f32 * 0.08, 0.2)], 0.012, Paint::hex(0x5c_50_44));
    }
}

fn gem(pen: &mut Pen, look: &Look<'_>) {
    let c = look.color(0x4c_b8_d8);
    let p = [(-0.5, 0.66), (-0.3, 0.96), (0.3, 0.96), (0.5, 0.66), (0.0, 0.0)];
    let table = [(-0.22, 0.68), (0.22, 0.68)];
    let faces: [(&[(f32, f32)], f32); 6] = [
        (&[p[0], p[1], table[0]], 1.1), (&[p[1], p[2], table[1], table[0]], 1.35), (&[p[2], p[3], table[1]], 0.9),
        (&[p[0], table[0], p[4]], 0.8), (&[table[0], table[1], p[4]], 1.0), (&[table[1], p[3], p[4]], 0.65),
    ];
    for (face, tone) in faces {
        pen.poly(face, Paint::new(c.scale(tone).clamp()).glow(0.25));
    }
    pen.line(&[p[0], p[3]], 0.008, Paint::hex(0xff_ff_ff).alpha(0.6));
}

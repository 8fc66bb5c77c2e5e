//! Four-legged animals: the features of each, on one body plan. All face right.

use super::body::{Plan, ear, eye};
use super::{Home, Look, Subject, hoofed};
use atelier_retouch::rgb::Rgb;
use crate::draw::pen::Point;
use crate::draw::{Form, Grain, Paint, Pen};

pub(super) const ALL: &[Subject] = &[
    Subject::new("fox|red fox|vixen", Home::Ground, 0.8, fox),
    Subject::new("wolf|coyote|husky", Home::Ground, 1.2, wolf),
    Subject::new("dog|puppy|hound|labrador|retriever", Home::Ground, 0.9, dog),
    Subject::new("cat|kitten|kitty|tabby", Home::Ground, 0.6, cat),
    Subject::new("horse|pony|stallion|mare|unicorn", Home::Ground, 2.2, hoofed::horse),
    Subject::new("deer|stag|elk|reindeer|moose|doe", Home::Ground, 2.2, hoofed::deer),
    Subject::new("cow|bull|ox|cattle|buffalo|bison", Home::Ground, 1.8, hoofed::cow),
    Subject::new("sheep|lamb|goat|ram", Home::Ground, 1.0, hoofed::sheep),
    Subject::new("bear|grizzly|brown bear|polar bear|panda", Home::Ground, 1.8, bear),
    Subject::new("lion|lioness|tiger|leopard|panther|cheetah", Home::Ground, 1.5, lion),
    Subject::new("elephant|mammoth", Home::Ground, 3.4, elephant),
    Subject::new("rabbit|hare|bunny", Home::Ground, 0.5, rabbit),
    Subject::new("pig|piglet|boar|hog", Home::Ground, 0.9, hoofed::pig),
    Subject::new("camel|dromedary", Home::Ground, 2.6, hoofed::camel),
    Subject::new("giraffe", Home::Ground, 5.2, hoofed::giraffe),
    Subject::new("turtle|tortoise|sea turtle", Home::Ground, 0.4, turtle),
];

fn pointed_head(pen: &mut Pen, plan: &Plan, muzzle: f32, white: Rgb, ears: f32) {
    let (x, y) = plan.head;
    let s = plan.skull;
    let coat = plan.paint();
    ear(pen, x - s * 0.1, y + s * 0.55, s * 0.32, s * ears, coat.shade(0.75), None);
    pen.blob(
        &[(x - s * 0.85, y - s * 0.1), (x - s * 0.55, y + s * 0.62), (x + s * 0.25, y + s * 0.66),
            (x + s * 0.72, y + s * 0.2),
          (x + muzzle, y - s * 0.22), (x + muzzle * 0.96, y - s * 0.42), (x + s * 0.45, y - s * 0.62),
              (x - s * 0.5, y - s * 0.72)],
        coat.ball(),
    );
    pen.blob(
        &[(x - s * 0.5, y - s * 0.66), (x - s * 0.1, y - s * 0.18), (x + s * 0.6, y - s * 0.12),
            (x + muzzle * 0.95, y - s * 0.3), (x + s * 0.45, y - s * 0.62)],
        Paint::new(white).form(Form::Beam),
    );
    ear(pen, x - s * 0.42, y + s * 0.45, s * 0.34, s * ears * 1.08, coat, Some(0x3a_28_24));
    pen.disc(x + muzzle, y - s * 0.24, s * 0.13, Paint::hex(0x1c_18_18).ball());
    eye(pen, x + s * 0.3, y + s * 0.14, s * 0.105);
}

fn bushy_tail(pen: &mut Pen, from: Point, coat: Paint, tip: Rgb, length: f32) {
    let (x, y) = from;
    let l = length;
    pen.blob(
        &[(x + 0.03, y + 0.04), (x - l * 0.3, y + l * 0.02), (x - l * 0.72, y - l * 0.06), (x - l, y - l * 0.34),
            (x - l * 0.86, y - l * 0.5), (x - l * 0.45, y - l * 0.4), (x - l * 0.1, y - l * 0.2)],
        coat.form(Form::Beam),
    );
    pen.blob(
        &[(x - l * 0.8, y - l * 0.15), (x - l * 0.98, y - l * 0.32), (x - l * 1.12, y - l * 0.56),
            (x - l * 0.9, y - l * 0.52), (x - l * 0.72, y - l * 0.42)],
        Paint::new(tip).grain(Grain::Fur).form(Form::Beam),
    );
}

fn fox(pen: &mut Pen, look: &Look<'_>) {
    let coat = look.color(0xd4_6c_24);
    let plan = Plan {
        coat, belly: Rgb::hex(0xf0_dc_c4), socks: Rgb::hex(0x3a_26_20), reach: 0.33, chest: 0.33, back: 0.62,
        leg: (0.085, 0.042), head: (0.56, 0.78), neck: 0.19, skull: 0.17,
    };
    plan.far_legs(pen);
    bushy_tail(pen, (-0.36, 0.55), plan.paint(), Rgb::hex(0xf6_ee_e2), 0.58);
    plan.body(pen);
    pen.blob(&[(0.3, 0.42), (0.46, 0.62), (0.6, 0.66), (0.5, 0.5), (0.4, 0.36)],
        Paint::hex(0xf4_e8_d8).grain(Grain::Fur));
    plan.near_legs(pen);
    pointed_head(pen, &plan, 0.3, Rgb::hex(0xf8_f0_e4), 0.95);
}

fn wolf(pen: &mut Pen, look: &Look<'_>) {
    let coat = look.color(0x74_74_78);
    let plan = Plan {
        coat, belly: Rgb::hex(0xc8_c4_be), socks: Rgb::hex(0xb0_aa_a4), reach: 0.34, chest: 0.38, back: 0.68,
        leg: (0.1, 0.055), head: (0.56, 0.8), neck: 0.22, skull: 0.165,
    };
    plan.far_legs(pen);
    bushy_tail(pen, (-0.38, 0.6), plan.paint(), coat.scale(0.6), 0.42);
    plan.body(pen);
    plan.near_legs(pen);
    pointed_head(pen, &plan, 0.29, Rgb::hex(0xe0_dc_d6), 0.8);
}

fn dog(pen: &mut Pen, look: &Look<'_>) {
    let own = pen.rng.pick(&[0xc8_94_54, 0x8a_5a_38, 0xe4_cc_a0, 0x3c_34_34]);
    let coat = look.color(own);
    let plan = Plan {
        coat, belly: coat.mix(Rgb::hex(0xff_f4_e0), 0.4), socks: coat.mix(Rgb::hex(0xff_f4_e0), 0.3),
            reach: 0.32, chest: 0.37,
        back: 0.68, leg: (0.1, 0.058), head: (0.52, 0.82), neck: 0.2, skull: 0.17,
    };
    plan.far_legs(pen);
    pen.limb(&[(-0.38, 0.62), (-0.54, 0.74), (-0.6, 0.9)], 0.075, 0.03, plan.paint());
    plan.body(pen);
    plan.near_legs(pen);
    let (x, y) = plan.head;
    pen.blob(&[(x - 0.16, y), (x - 0.1, y + 0.14), (x + 0.08, y + 0.13), (x + 0.14, y + 0.03), (x + 0.27, y - 0.0),
        (x + 0.28, y - 0.09), (x + 0.1, y - 0.13), (x - 0.1, y - 0.13)], plan.paint().ball());
    pen.blob(&[(x - 0.12, y + 0.12), (x - 0.02, y + 0.1), (x - 0.01, y - 0.06), (x - 0.08, y - 0.15),
        (x - 0.15, y - 0.04)], plan.paint().shade(0.68).form(Form::Beam));
    pen.oval(x + 0.275, y + 0.0, 0.03, 0.024, Paint::hex(0x1a_16_17).ball());
    eye(pen, x + 0.08, y + 0.045, 0.018);
    pen.curve(&[(x - 0.12, y - 0.14), (x - 0.02, y - 0.2), (x + 0.06, y - 0.15)], 0.035, Paint::hex(0xc0_34_34));
}

fn cat(pen: &mut Pen, look: &Look<'_>) {
    // Sitting, turned to the viewer.
    let own = pen.rng.pick(&[0xd8_8c_48, 0x5c_5c_65, 0x34_30_34, 0xe8_d8_c0]);
    let coat = Paint::new(look.color(own)).grain(Grain::Fur);
    let pale = Paint::new(look.color(own).mix(Rgb::hex(0xff_f8_ec), 0.6)).grain(Grain::Fur);
    pen.limb(&[(-0.2, 0.07), (-0.42, 0.05), (-0.5, 0.2), (-0.4, 0.36), (-0.46, 0.48)], 0.09, 0.05, coat.shade(0.85));
    pen.blob(&[(-0.3, 0.0), (-0.32, 0.26), (-0.2, 0.52), (-0.08, 0.66), (0.08, 0.66), (0.2, 0.48), (0.27, 0.22),
        (0.25, 0.0)], coat.ball());
    pen.blob(&[(-0.09, 0.2), (-0.08, 0.5), (0.0, 0.6), (0.09, 0.5), (0.09, 0.2)], pale);
    for x in [-0.09, 0.09] {
        pen.limb(&[(x, 0.42), (x * 1.05, 0.2), (x, 0.035)], 0.13, 0.085, coat.post());
        pen.oval(x, 0.03, 0.068, 0.036, pale.ball());
    }
    for x in [-0.24, 0.22] {
        pen.oval(x, 0.04, 0.12, 0.045, coat.ball().shade(0.95));
    }
    for side in [-1.0, 1.0] {
        let p = |x: f32, y: f32| (side * x, y);
        pen.blob(&[p(0.05, 0.88), p(0.16, 1.02), p(0.19, 0.99), p(0.2, 0.8)], coat);
        pen.blob(&[p(0.09, 0.89), p(0.155, 0.97), p(0.165, 0.84)], Paint::hex(0xe0_a0_94));
    }
    pen.blob(&[(-0.21, 0.76), (-0.15, 0.88), (0.0, 0.91), (0.15, 0.88), (0.21, 0.76), (0.15, 0.65), (0.0, 0.61),
        (-0.15, 0.65)], coat.ball());
    pen.blob(&[(-0.09, 0.69), (0.0, 0.74), (0.09, 0.69), (0.06, 0.635), (0.0, 0.625), (-0.06, 0.635)], pale.ball());
    for x in [-0.085, 0.085] {
        pen.oval(x, 0.785, 0.042, 0.036, Paint::hex(0x9c_c0_50).glow(0.35));
        pen.oval(x, 0.785, 0.014, 0.034, Paint::hex(0x14_12_12));
        pen.disc(x + 0.012, 0.798, 0.008, Paint::hex(0xff_ff_ff).glow(1.0));
    }
    pen.poly(&[(-0.02, 0.725), (0.02, 0.725), (0.0, 0.7)], Paint::hex(0xc0_74_70));
    for side in [-1.0, 1.0] {
        for dy in [-0.02, 0.0, 0.02] {
            pen.line(&[(side * 0.06, 0.69 + dy * 0.4), (side * 0.25, 0.69 + dy * 2.0)],
                0.005, Paint::hex(0xf4_f0_ea).alpha(0.8));
        }
        pen.curve(&[(0.0, 0.7), (side * 0.02, 0.675), (side * 0.045, 0.685)], 0.008, Paint::hex(0x50_30_2c));
    }
}

fn bear(pen: &mut Pen, look: &Look<'_>) {
    let coat = look.color(0x6c_46_2c);
    let plan = Plan {
        coat, belly: coat.scale(0.8), socks: coat.scale(0.65), reach: 0.4, chest: 0.34, back: 0.86,
        leg: (0.21, 0.15), head: (0.66, 0.74), neck: 0.32, skull: 0.19,
    };
    plan.far_legs(pen);
    plan.body(pen);
    plan.near_legs(pen);
    let (x, y) = plan.head;
    for dx in [-0.13, 0.03] {
        pen.disc(x + dx, y + 0.17, 0.058, plan.paint().shade(0.85).ball());
    }
    pen.blob(&[(x - 0.2, y), (x - 0.13, y + 0.16), (x + 0.08, y + 0.16), (x + 0.16, y + 0.02), (x + 0.27, y - 0.04),
        (x + 0.26, y - 0.13), (x + 0.06, y - 0.17), (x - 0.14, y - 0.15)], plan.paint().ball());
    pen.blob(&[(x + 0.1, y - 0.01), (x + 0.26, y - 0.04), (x + 0.25, y - 0.13), (x + 0.1, y - 0.13)],
        Paint::new(coat.mix(Rgb::hex(0xe8_cc_a8), 0.4)).ball());
    pen.oval(x + 0.26, y - 0.045, 0.036, 0.028, Paint::hex(0x18_14_14).ball());
    eye(pen, x + 0.08, y + 0.06, 0.018);
}

fn lion(pen: &mut Pen, look: &Look<'_>) {
    let coat = look.color(0xd0_98_50);
    let plan = Plan {
        coat, belly: Rgb::hex(0xec_d4_a8), socks: coat.scale(0.95), reach: 0.38, chest: 0.35, back: 0.72,
        leg: (0.12, 0.075), head: (0.58, 0.82), neck: 0.26, skull: 0.19,
    };
    plan.far_legs(pen);
    pen.limb(&[(-0.44, 0.62), (-0.64, 0.56), (-0.72, 0.34), (-0.82, 0.28)], 0.05, 0.028, plan.paint());
    pen.disc(-0.84, 0.28, 0.055, Paint::new(coat.scale(0.45)).form(Form::Puff).grain(Grain::Fur));
    plan.body(pen);
    plan.near_legs(pen);
    let (x, y) = plan.head;
    let mane: Vec<Point> = (0..22)
        .map(|i| {
            let a = i as f32 / 22.0 * std::f32::consts::TAU;
            let r = if i % 2 == 0 { 0.33 } else { 0.26 };
            (x - 0.05 + a.cos() * r * 0.86, y - 0.03 + a.sin() * r)
        })
        .collect();
    pen.blob(&mane, Paint::new(coat.times(Rgb(0.68, 0.48, 0.36))).grain(Grain::Fur).ball());
    pen.blob(&[(x - 0.13, y - 0.02), (x - 0.09, y + 0.14), (x + 0.07, y + 0.14), (x + 0.14, y + 0.0),
        (x + 0.12, y - 0.13), (x, y - 0.2), (x - 0.1, y - 0.15)], plan.paint().ball());
    pen.oval(x + 0.07, y - 0.11, 0.075, 0.055, Paint::hex(0xf0_e0_c4).ball());
    pen.poly(&[(x + 0.05, y - 0.045), (x + 0.13, y - 0.045), (x + 0.095, y - 0.085)], Paint::hex(0x40_28_24));
    eye(pen, x - 0.01, y + 0.04, 0.019);
    eye(pen, x + 0.105, y + 0.04, 0.017);
}

fn elephant(pen: &mut Pen, look: &Look<'_>) {
    let coat = look.color(0x8c_8a_8c);
    let skin = Paint::new(coat).grain(Grain::Rough);
    let plan = Plan {
        coat, belly: coat.scale(0.85), socks: coat.scale(0.8), reach: 0.37, chest: 0.33, back: 0.93,
        leg: (0.2, 0.165), head: (0.62, 0.78), neck: 0.4, skull: 0.2,
    };
    plan.far_legs(pen);
    pen.limb(&[(-0.45, 0.74), (-0.52, 0.55), (-0.5, 0.42)], 0.035, 0.015, skin);
    plan.body(pen);
    plan.near_legs(pen);
    pen.oval(0.62, 0.78, 0.21, 0.22, skin.ball());
    pen.limb(&[(0.74, 0.72), (0.85, 0.5), (0.84, 0.26), (0.92, 0.14), (1.0, 0.17)], 0.19, 0.06, skin.form(Form::Post));
    pen.limb(&[(0.74, 0.6), (0.86, 0.5), (0.98, 0.52)], 0.05, 0.015, Paint::hex(0xf4_ec_d8));
    pen.blob(&[(0.58, 0.95), (0.42, 0.98), (0.28, 0.82), (0.32, 0.56), (0.46, 0.46), (0.54, 0.6), (0.6, 0.78)],
        skin.shade(0.88).ball());
    eye(pen, 0.72, 0.82, 0.02);
}

fn rabbit(pen: &mut Pen, look: &Look<'_>) {
    let coat = Paint::new(look.color(0xb0_94_78)).grain(Grain::Fur);
    pen.disc(-0.4, 0.24, 0.1, Paint::hex(0xf4_f0_ea).form(Form::Puff));
    pen.blob(&[(-0.38, 0.02), (-0.42, 0.3), (-0.2, 0.55), (0.1, 0.52), (0.28, 0.34), (0.26, 0.04)], coat.ball());
    pen.oval(-0.2, 0.18, 0.2, 0.19, coat.ball().shade(1.05));
    pen.oval(-0.12, 0.035, 0.2, 0.04, coat.ball());
    pen.limb(&[(0.18, 0.3), (0.22, 0.04)], 0.1, 0.07, coat.post());
    for (x, lean, tone) in [(0.22, -0.14, 0.8), (0.3, -0.04, 1.0)] {
        pen.blob(&[(x - 0.05, 0.68), (x + lean - 0.045, 0.9), (x + lean + 0.01, 1.04), (x + lean + 0.06, 0.9),
            (x + 0.06, 0.68)], coat.shade(tone));
        pen.blob(&[(x - 0.015, 0.72), (x + lean - 0.01, 0.9), (x + lean + 0.015, 0.97), (x + lean + 0.03, 0.88),
            (x + 0.03, 0.72)], Paint::hex(0xdc_a8_9c));
    }
    pen.blob(&[(0.08, 0.54), (0.16, 0.7), (0.34, 0.73), (0.5, 0.58), (0.48, 0.48), (0.28, 0.42)], coat.ball());
    eye(pen, 0.34, 0.61, 0.03);
    pen.disc(0.49, 0.55, 0.02, Paint::hex(0xb0_64_60));
}

fn turtle(pen: &mut Pen, look: &Look<'_>) {
    let skin = Paint::new(look.color(0x7c_98_54)).grain(Grain::Rough);
    pen.oval(-0.5, 0.13, 0.2, 0.13, skin.ball().shade(0.85));
    pen.oval(0.48, 0.13, 0.2, 0.13, skin.ball().shade(0.85));
    pen.limb(&[(0.6, 0.36), (0.86, 0.46), (1.02, 0.62)], 0.22, 0.22, skin.form(Form::Beam));
    pen.oval(1.06, 0.64, 0.17, 0.14, skin.ball());
    eye(pen, 1.13, 0.69, 0.03);
    let shell = Paint::new(look.color(0x7c_98_54).times(Rgb(0.85, 0.72, 0.5)));
    pen.blob(&[(-0.78, 0.24), (-0.62, 0.7), (-0.1, 0.98), (0.42, 0.82), (0.74, 0.26), (0.0, 0.16)], shell.ball());
    for (x, y) in [(-0.36, 0.56), (0.0, 0.68), (0.36, 0.54), (-0.2, 0.38), (0.18, 0.36)] {
        pen.poly(&[(x - 0.13, y), (x - 0.06, y + 0.12), (x + 0.08, y + 0.12), (x + 0.15, y), (x + 0.06, y - 0.11),
            (x - 0.07, y - 0.11)], shell.shade(0.72).ball());
    }
}

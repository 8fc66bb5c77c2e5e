//! People, standing in the scene or as a portrait.

use super::{Home, Look, Subject};
use atelier_retouch::rgb::Rgb;
use crate::draw::{Grain, Paint, Pen};

pub(super) const ALL: &[Subject] = &[
    Subject::new("person|man|figure|hiker|traveler|traveller|wanderer|boy|sailor|fisherman|guy|silhouette|human|farmer",
        Home::Ground, 1.8, man),
    Subject::new("woman|girl|lady|dancer|princess|mother|queen|bride", Home::Ground, 1.75, woman),
    Subject::new("child|kid|toddler", Home::Ground, 1.15, child),
    Subject::new("astronaut|cosmonaut|spaceman", Home::Ground, 1.9, astronaut),
    Subject::new("snowman", Home::Ground, 1.7, snowman),
    Subject::new("robot|android|droid", Home::Ground, 1.8, robot),
    Subject::new("wizard|witch|monk", Home::Ground, 1.9, wizard),
];

const SKIN: &[u32] = &[0xf0_c8_a4, 0xd8_a0_78, 0xa8_70_4c, 0x7c_50_36, 0xf4_d4_b8];
const HAIR: &[u32] = &[0x2c_22_20, 0x5c_3c_26, 0x8a_5c_34, 0xc8_a0_5c, 0x3c_2c_28];

fn man(pen: &mut Pen, look: &Look<'_>) {
    let own = pen.rng.pick(&[0x3c_5a_84, 0x8c_3c_34, 0x4c_6a_4c, 0xc0_8c_3c]);
    let coat = Paint::new(look.color(own)).grain(Grain::Cloth);
    let (skin, hair) = (Paint::hex(pen.rng.pick(SKIN)), Paint::hex(pen.rng.pick(HAIR)));
    let trousers = Paint::hex(0x38_3c_48).grain(Grain::Cloth).post();
    pen.limb(&[(-0.05, 0.5), (-0.065, 0.27), (-0.08, 0.03)], 0.105, 0.07, trousers.shade(0.8));
    pen.limb(&[(0.05, 0.5), (0.075, 0.27), (0.085, 0.03)], 0.105, 0.07, trousers);
    pen.oval(-0.075, 0.018, 0.06, 0.022, Paint::hex(0x2c_22_1e));
    pen.oval(0.1, 0.018, 0.06, 0.022, Paint::hex(0x2c_22_1e));
    pen.limb(&[(-0.115, 0.77), (-0.155, 0.62), (-0.14, 0.48)], 0.075, 0.055, coat.shade(0.78).post());
    pen.disc(-0.14, 0.455, 0.03, skin.shade(0.85).ball());
    pen.blob(&[(-0.13, 0.8), (-0.14, 0.6), (-0.12, 0.44), (0.12, 0.44), (0.14, 0.6), (0.13, 0.8), (0.0, 0.835)],
        coat.post());
    pen.limb(&[(0.115, 0.77), (0.165, 0.62), (0.15, 0.48)], 0.075, 0.055, coat.shade(1.05).post());
    pen.disc(0.15, 0.455, 0.03, skin.ball());
    pen.rect(-0.03, 0.81, 0.06, 0.05, skin.shade(0.85));
    pen.oval(0.0, 0.91, 0.062, 0.078, skin.ball());
    pen.blob(&[(-0.068, 0.9), (-0.06, 0.985), (0.0, 1.005), (0.062, 0.98), (0.066, 0.93), (0.03, 0.955),
        (-0.03, 0.95)], hair.ball());
}

fn woman(pen: &mut Pen, look: &Look<'_>) {
    let own = pen.rng.pick(&[0xb8_34_48, 0x34_6c_8c, 0xe0_a8_3c, 0x7c_50_8c, 0xf0_e4_d4]);
    let dress = Paint::new(look.color(own)).grain(Grain::Cloth);
    let (skin, hair) = (Paint::hex(pen.rng.pick(SKIN)), Paint::hex(pen.rng.pick(HAIR)));
    for x in [-0.04, 0.045] {
        pen.limb(&[(x, 0.3), (x, 0.03)], 0.06, 0.04, skin.shade(0.9).post());
        pen.oval(x + 0.015, 0.015, 0.04, 0.018, Paint::hex(0x3c_24_24));
    }
    pen.blob(&[(-0.07, 0.95), (-0.1, 0.84), (-0.1, 0.7), (0.0, 0.68), (0.1, 0.7), (0.1, 0.84), (0.07, 0.95)], hair);
    pen.limb(&[(-0.1, 0.77), (-0.15, 0.64), (-0.13, 0.5)], 0.055, 0.04, skin.shade(0.88).post());
    pen.blob(&[(-0.1, 0.8), (-0.085, 0.62), (-0.16, 0.4), (-0.22, 0.16), (0.0, 0.13), (0.22, 0.16), (0.16, 0.4),
        (0.085, 0.62), (0.1, 0.8), (0.0, 0.77)], dress.post());
    pen.limb(&[(0.1, 0.77), (0.155, 0.64), (0.12, 0.52)], 0.055, 0.04, skin.post());
    pen.rect(-0.025, 0.77, 0.05, 0.08, skin.shade(0.88));
    pen.oval(0.0, 0.895, 0.058, 0.074, skin.ball());
    pen.blob(&[(-0.075, 0.84), (-0.075, 0.94), (-0.03, 0.99), (0.03, 0.99), (0.075, 0.94), (0.075, 0.84),
        (0.055, 0.92), (0.01, 0.95), (-0.05, 0.92)], hair.ball());
}

fn child(pen: &mut Pen, look: &Look<'_>) {
    let own = pen.rng.pick(&[0xf0_b8_38, 0xd8_44_44, 0x44_8c_c0]);
    let coat = Paint::new(look.color(own)).grain(Grain::Cloth);
    let (skin, hair) = (Paint::hex(pen.rng.pick(SKIN)), Paint::hex(pen.rng.pick(HAIR)));
    for x in [-0.07, 0.07] {
        pen.limb(&[(x, 0.36), (x * 1.2, 0.04)], 0.13, 0.1, Paint::hex(0x3c_50_74).post());
        pen.oval(x * 1.35, 0.025, 0.075, 0.03, Paint::hex(0x60_34_2c));
    }
    for side in [-1.0, 1.0] {
        pen.limb(&[(side * 0.13, 0.62), (side * 0.24, 0.5), (side * 0.25, 0.4)], 0.1, 0.075, coat.shade(0.9).post());
    }
    pen.blob(&[(-0.14, 0.66), (-0.18, 0.34), (0.0, 0.31), (0.18, 0.34), (0.14, 0.66), (0.0, 0.7)], coat.post());
    pen.oval(0.0, 0.82, 0.13, 0.145, skin.ball());
    pen.blob(&[(-0.14, 0.8), (-0.13, 0.95), (0.0, 1.01), (0.13, 0.95), (0.14, 0.82), (0.06, 0.91), (-0.06, 0.91)],
        hair.ball());
}

fn astronaut(pen: &mut Pen, look: &Look<'_>) {
    let suit = Paint::new(look.color(0xee_ee_ea)).grain(Grain::Cloth);
    pen.blob(&[(-0.2, 0.44), (-0.22, 0.78), (0.22, 0.78), (0.2, 0.44)], Paint::hex(0xb8_bc_c4).post());
    for side in [-1.0, 1.0] {
        pen.limb(&[(side * 0.08, 0.46), (side * 0.11, 0.25), (side * 0.12, 0.06)],
            0.17, 0.14, suit.post().shade(if side < 0.0 { 0.86 } else { 1.0 }));
        pen.oval(side * 0.13, 0.035, 0.1, 0.04, Paint::hex(0x9c_a0_a8).ball());
        pen.limb(&[(side * 0.17, 0.7), (side * 0.28, 0.56), (side * 0.27, 0.4)],
            0.14, 0.11, suit.post().shade(if side < 0.0 { 0.86 } else { 1.0 }));
        pen.disc(side * 0.27, 0.37, 0.055, Paint::hex(0x9c_a0_a8).ball());
    }
    pen.blob(&[(-0.17, 0.42), (-0.18, 0.7), (0.0, 0.77), (0.18, 0.7), (0.17, 0.42), (0.0, 0.38)], suit.post());
    pen.rect(-0.08, 0.52, 0.16, 0.1, Paint::hex(0xa8_ac_b4));
    for (x, c) in [(-0.05, 0xd8_40_3c), (0.0, 0x3c_8c_d0), (0.05, 0xe8_b8_38)] {
        pen.disc(x, 0.57, 0.014, Paint::hex(c).glow(0.5));
    }
    pen.disc(0.0, 0.87, 0.145, suit.ball());
    pen.oval(0.02, 0.87, 0.11, 0.095, Paint::hex(0x2c_34_50).to(Rgb::hex(0xd8_9c_48)).ball().grain(Grain::Shiny));
    pen.oval(0.06, 0.91, 0.03, 0.018, Paint::hex(0xff_ff_ff).alpha(0.7).glow(0.8));
}

fn snowman(pen: &mut Pen, look: &Look<'_>) {
    let snow = Paint::new(look.color(0xf4_f8_fc)).ball().grain(Grain::Rough);
    pen.limb(&[(-0.16, 0.56), (-0.36, 0.66), (-0.46, 0.78)], 0.025, 0.012, Paint::hex(0x5c_40_2c));
    pen.limb(&[(0.16, 0.56), (0.36, 0.64), (0.48, 0.74)], 0.025, 0.012, Paint::hex(0x5c_40_2c));
    pen.disc(0.0, 0.23, 0.25, snow);
    pen.disc(0.0, 0.54, 0.18, snow);
    pen.disc(0.0, 0.77, 0.13, snow);
    pen.blob(&[(-0.14, 0.69), (0.0, 0.64), (0.14, 0.69), (0.12, 0.63), (0.0, 0.59), (-0.12, 0.63)],
        Paint::hex(0xc8_34_34).grain(Grain::Cloth));
    pen.limb(&[(0.09, 0.64), (0.12, 0.46)], 0.06, 0.07, Paint::hex(0xc8_34_34).grain(Grain::Cloth));
    for (x, y) in [(-0.045, 0.81), (0.045, 0.81), (0.0, 0.6), (0.0, 0.53), (0.0, 0.46)] {
        pen.disc(x, y, 0.016, Paint::hex(0x24_22_24));
    }
    pen.poly(&[(0.0, 0.79), (0.0, 0.755), (0.14, 0.765)], Paint::hex(0xf0_84_2c));
    pen.rect(-0.15, 0.87, 0.3, 0.025, Paint::hex(0x2c_2a_30));
    pen.rect(-0.09, 0.89, 0.18, 0.13, Paint::hex(0x2c_2a_30).post());
}

fn robot(pen: &mut Pen, look: &Look<'_>) {
    let metal = Paint::new(look.color(0xa4_b4_c0)).grain(Grain::Shiny);
    for side in [-1.0, 1.0] {
        pen.rect(side * 0.1 - 0.05, 0.05, 0.1, 0.3, metal.shade(0.7).post());
        pen.blob(&[(side * 0.1 - 0.09, 0.0), (side * 0.1 - 0.07, 0.09), (side * 0.1 + 0.07, 0.09),
            (side * 0.1 + 0.09, 0.0)], metal.shade(0.85));
        pen.limb(&[(side * 0.22, 0.6), (side * 0.33, 0.48), (side * 0.32, 0.34)],
            0.075, 0.06, metal.shade(0.75).post());
        pen.disc(side * 0.32, 0.31, 0.055, metal.ball());
        pen.disc(side * 0.21, 0.61, 0.06, metal.shade(0.9).ball());
    }
    pen.blob(&[(-0.2, 0.32), (-0.22, 0.62), (0.0, 0.68), (0.22, 0.62), (0.2, 0.32), (0.0, 0.29)], metal.post());
    pen.rect(-0.1, 0.42, 0.2, 0.14, Paint::hex(0x2c_3c_48));
    pen.curve(&[(-0.08, 0.48), (-0.03, 0.48), (0.0, 0.54), (0.03, 0.44), (0.05, 0.49), (0.09, 0.49)],
        0.012, Paint::hex(0x50_e8_c0).glow(1.0));
    pen.rect(-0.04, 0.66, 0.08, 0.05, metal.shade(0.6));
    pen.blob(&[(-0.17, 0.72), (-0.18, 0.88), (-0.1, 0.94), (0.1, 0.94), (0.18, 0.88), (0.17, 0.72), (0.0, 0.7)],
        metal.ball());
    for x in [-0.07, 0.07] {
        pen.disc(x, 0.82, 0.045, Paint::hex(0x24_30_3c));
        pen.disc(x, 0.82, 0.028, Paint::hex(0x60_e8_f8).glow(1.0));
        pen.lamp(x, 0.82, 0.15, Rgb::hex(0x40_a0_c0));
    }
    pen.line(&[(0.0, 0.93), (0.0, 1.0)], 0.015, metal);
    pen.disc(0.0, 1.01, 0.025, Paint::hex(0xf0_50_48).glow(0.9));
}

fn wizard(pen: &mut Pen, look: &Look<'_>) {
    let robe = Paint::new(look.color(0x4c_3c_84)).grain(Grain::Cloth);
    pen.limb(&[(0.26, 0.0), (0.25, 0.4), (0.27, 0.82)], 0.03, 0.024, Paint::hex(0x6a_48_30).grain(Grain::Wood));
    pen.disc(0.27, 0.86, 0.045, Paint::hex(0x9c_e8_ff).glow(0.9));
    pen.lamp(0.27, 0.86, 0.4, Rgb::hex(0x60_b8_e0));
    pen.blob(&[(-0.09, 0.66), (-0.12, 0.4), (-0.22, 0.02), (0.0, -0.01), (0.22, 0.02), (0.12, 0.4), (0.09, 0.66)],
        robe.post());
    pen.limb(&[(0.06, 0.6), (0.18, 0.5), (0.25, 0.5)], 0.09, 0.12, robe.shade(1.12));
    pen.disc(0.25, 0.5, 0.028, Paint::hex(0xe8_c0_98).ball());
    pen.oval(0.0, 0.71, 0.065, 0.075, Paint::hex(0xe8_c0_98).ball());
    pen.blob(&[(-0.065, 0.71), (0.0, 0.68), (0.065, 0.71), (0.06, 0.52), (0.0, 0.4), (-0.06, 0.52)],
        Paint::hex(0xee_ec_e8).grain(Grain::Fur));
    pen.blob(&[(-0.16, 0.75), (0.0, 0.73), (0.16, 0.75), (0.08, 0.79), (0.04, 0.92), (0.1, 1.02), (-0.02, 0.98),
        (-0.08, 0.79)], robe);
}

/// A head in profile, facing right, from the shoulders up.
pub fn profile(pen: &mut Pen, look: &Look<'_>, woman: bool) {
    let skin = Paint::hex(pen.rng.pick(SKIN));
    let hair_color = look.color.unwrap_or(Rgb::hex(pen.rng.pick(HAIR)));
    let hair = Paint::new(hair_color).grain(Grain::Fur);
    let own = pen.rng.pick(&[0x8c_34_44, 0x34_5c_7c, 0x4c_6c_50, 0xc4_8c_48]);
    let cloth = Paint::hex(own).grain(Grain::Cloth);
    if woman {
        pen.blob(&[(-0.05, 0.95), (-0.3, 0.86), (-0.36, 0.6), (-0.34, 0.34), (-0.4, 0.12), (-0.2, 0.1),
            (-0.06, 0.3), (0.02, 0.6)], hair.shade(0.82).ball());
    }
    pen.blob(&[(-0.13, 0.42), (-0.16, 0.22), (-0.3, 0.08), (0.2, 0.04), (0.1, 0.2), (0.08, 0.36), (0.0, 0.5)],
        skin.shade(0.86).post());
    pen.blob(&[(-0.62, -0.04), (-0.5, 0.1), (-0.24, 0.19), (-0.06, 0.1), (0.12, 0.16), (0.3, 0.08), (0.44, -0.04)],
        cloth.ball());
    // Face: brow, nose, lips, chin, jaw.
    let face = [
        (-0.2, 0.72), (-0.1, 0.9), (0.08, 0.93), (0.19, 0.84), (0.205, 0.74), (0.195, 0.68), (0.235, 0.61),
            (0.262, 0.565),
        (0.245, 0.545), (0.208, 0.535), (0.214, 0.51), (0.225, 0.492), (0.207, 0.475), (0.218, 0.456), (0.2, 0.435),
            (0.192, 0.42),
        (0.205, 0.385), (0.178, 0.345), (0.12, 0.335), (0.04, 0.37), (-0.06, 0.42), (-0.16, 0.5),
    ];
    pen.blob(&face, skin.ball());
    pen.oval(0.1, 0.52, 0.06, 0.045, Paint::hex(0xe0_80_70).alpha(0.22));
    pen.blob(&[(0.19, 0.492), (0.222, 0.496), (0.227, 0.488), (0.205, 0.477), (0.218, 0.462), (0.214, 0.452),
        (0.188, 0.468)], Paint::hex(if woman { 0xb8_40_48 } else { 0xa8_6a_58 }));
    pen.blob(&[(0.125, 0.645), (0.155, 0.66), (0.186, 0.65), (0.178, 0.632), (0.15, 0.628)], Paint::hex(0xf6_f2_ea));
    pen.disc(0.172, 0.643, 0.0155, Paint::hex(0x3c_2c_24));
    pen.limb(&[(0.118, 0.646), (0.15, 0.668), (0.195, 0.656)], 0.005, 0.011, Paint::hex(0x24_1a_18));
    pen.limb(&[(0.1, 0.7), (0.15, 0.72), (0.2, 0.703)], 0.009, 0.014, Paint::new(hair_color.scale(0.7)));
    pen.blob(&[(-0.035, 0.62), (-0.06, 0.66), (-0.03, 0.69), (0.0, 0.66), (-0.005, 0.59), (-0.03, 0.56)],
        skin.shade(0.92).ball());
    if woman {
        pen.blob(&[(0.16, 0.87), (0.18, 0.8), (0.1, 0.78), (0.02, 0.7), (-0.02, 0.55), (-0.08, 0.4), (-0.18, 0.24),
            (-0.3, 0.22), (-0.36, 0.46), (-0.33, 0.74), (-0.2, 0.93), (0.02, 1.0)], hair.ball());
        for i in 0..9 {
            let k = i as f32 * 0.032;
            pen.curve(&[(0.1 - k, 0.93 + k * 0.12), (-0.05 - k * 0.8, 0.8), (-0.09 - k * 0.9, 0.55),
                (-0.17 - k * 0.6, 0.28)], 0.006, hair.shade(if i % 2 == 0 { 1.35 } else { 0.6 }).alpha(0.7));
        }
        pen.disc(-0.025, 0.535, 0.014, Paint::hex(0xe8_c4_60).glow(0.4));
    } else {
        pen.blob(&[(0.17, 0.86), (0.19, 0.8), (0.1, 0.8), (0.0, 0.74), (-0.06, 0.62), (-0.13, 0.5), (-0.2, 0.52),
            (-0.26, 0.74), (-0.16, 0.93), (0.02, 1.0)], hair.ball());
    }
}

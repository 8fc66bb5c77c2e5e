//! The light that a prompt asks for. Words apply to fields that were left at their default; they never overrule a
//! field that was set.

use super::{Direction, Light};
use crate::words::Words;

const DIRECTIONS: [(&str, Direction); 25] = [
    ("left", Direction::Left),
    ("right", Direction::Right),
    ("top", Direction::Top),
    ("above", Direction::Top),
    ("overhead", Direction::Top),
    ("noon", Direction::Top),
    ("midday", Direction::Top),
    ("bottom", Direction::Bottom),
    ("below", Direction::Bottom),
    ("underneath", Direction::Bottom),
    ("campfire", Direction::Bottom),
    ("footlights", Direction::Bottom),
    ("front", Direction::Front),
    ("frontal", Direction::Front),
    ("flash", Direction::Front),
    ("head on", Direction::Front),
    ("back", Direction::Back),
    ("behind", Direction::Back),
    ("backlight", Direction::Back),
    ("backlit", Direction::Back),
    ("rim", Direction::Back),
    ("contre jour", Direction::Back),
    ("from the left", Direction::Left),
    ("from the right", Direction::Right),
    ("from behind", Direction::Back),
];

const COLORS: [(&str, u32); 40] = [
    ("warm evening sun", 0xff_b0_60),
    ("evening sun", 0xff_a8_58),
    ("evening", 0xff_b4_70),
    ("sunset", 0xff_8f_4d),
    ("sunrise", 0xff_b0_86),
    ("dawn", 0xff_c4_a8),
    ("dusk", 0x9a_88_e0),
    ("golden hour", 0xff_b8_60),
    ("golden", 0xff_c4_60),
    ("warm", 0xff_c9_8a),
    ("candlelight", 0xff_98_44),
    ("candle", 0xff_98_44),
    ("firelight", 0xff_84_38),
    ("fire", 0xff_84_38),
    ("campfire", 0xff_84_38),
    ("tungsten", 0xff_b8_78),
    ("lamp", 0xff_c4_80),
    ("moonlight", 0x86_a8_ff),
    ("moon", 0x86_a8_ff),
    ("night", 0x70_90_e8),
    ("cold", 0xa9_c8_ff),
    ("cool", 0xb8_d2_ff),
    ("daylight", 0xff_fb_f2),
    ("midday", 0xff_fb_f2),
    ("noon", 0xff_fb_f2),
    ("sun", 0xff_f0_d8),
    ("sunlight", 0xff_f0_d8),
    ("white", 0xff_ff_ff),
    ("red", 0xff_40_38),
    ("orange", 0xff_90_30),
    ("amber", 0xff_b0_40),
    ("yellow", 0xff_e0_50),
    ("green", 0x58_e0_70),
    ("teal", 0x40_d0_c8),
    ("cyan", 0x50_e0_ff),
    ("blue", 0x58_88_ff),
    ("purple", 0xa8_60_ff),
    ("violet", 0xa0_68_ff),
    ("magenta", 0xff_50_d0),
    ("pink", 0xff_80_b8),
];

/// Intensity and ambient light.
const STRENGTHS: [(&str, (f32, f32)); 13] = [
    ("soft", (0.7, 0.6)),
    ("gentle", (0.6, 0.65)),
    ("diffuse", (0.6, 0.7)),
    ("subtle", (0.5, 0.7)),
    ("dim", (0.5, 0.3)),
    ("strong", (1.5, 0.4)),
    ("bright", (1.5, 0.5)),
    ("hard", (1.6, 0.3)),
    ("harsh", (1.7, 0.3)),
    ("dramatic", (1.6, 0.2)),
    ("moody", (1.2, 0.2)),
    ("dark", (0.9, 0.15)),
    ("low key", (1.2, 0.12)),
];

/// The light of the fields and the words together.
pub(super) fn hear(words: &mut Words, given: Light, default: Light) -> Light {
    let mut light = given;
    // A word such as "campfire" gives both the position and the colour of the light.
    let mut again = words.clone();
    if let Some(direction) = words.take(&DIRECTIONS)
        && given.direction == default.direction
    {
        light.direction = direction;
    }
    let both = again.take(&COLORS);
    if let Some(hex) = words.take(&COLORS).or(both)
        && given
            .color
            .iter()
            .zip(default.color)
            .all(|(a, b)| (a - b).abs() < 1e-6)
    {
        light.color = [16, 8, 0].map(|shift| (hex >> shift & 0xff) as f32 / 255.0);
    }
    if let Some((intensity, ambient)) = words.take(&STRENGTHS) {
        if (given.intensity - default.intensity).abs() < 1e-6 {
            light.intensity = intensity;
        }
        if (given.ambient - default.ambient).abs() < 1e-6 {
            light.ambient = ambient;
        }
    }
    light
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEFAULT: Light = Light {
        direction: Direction::Left,
        intensity: 1.0,
        color: [1.0; 3],
        ambient: 0.5,
    };

    #[test]
    fn words_light_what_the_fields_leave_open() {
        let light = hear(&mut Words::of("dramatic sunset from the right"), DEFAULT, DEFAULT);
        assert_eq!(light.direction, Direction::Right);
        assert!(light.color[0] > light.color[1] && light.color[1] > light.color[2]);
        assert!(light.ambient < 0.3 && light.intensity > 1.4);
        let set = Light {
            color: [0.0, 1.0, 0.0],
            ..DEFAULT
        };
        assert_eq!(hear(&mut Words::of("red light"), set, DEFAULT), set);
        let fire = hear(&mut Words::of("campfire"), DEFAULT, DEFAULT);
        assert_eq!(fire.direction, Direction::Bottom);
        assert!(fire.color[2] < 0.5);
    }
}

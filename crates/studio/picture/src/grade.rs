//! Grading: the palette a prompt asks for, laid over the finished picture.

use super::chance::smooth;
use super::color::{Rgb, WHITE};
use super::draw::Canvas;
use super::prompt::Prompt;
use super::prompt::meaning::{Mood, Palette};
use super::style::map;

pub fn grade(canvas: Canvas, prompt: &Prompt) -> Canvas {
    let mood = prompt.mood;
    match (prompt.palette, mood) {
        (Some(palette), _) => map(&canvas, |x, y| bend(palette, canvas.at(x, y)).clamp()),
        (None, Some(Mood::Gloomy)) => map(&canvas, |x, y| canvas.at(x, y).saturate(0.62).scale(0.9)),
        (None, Some(Mood::Joyful | Mood::Energetic)) => map(&canvas, |x, y| canvas.at(x, y).saturate(1.18)),
        (None, Some(Mood::Dreamy)) => map(&canvas, |x, y| {
            let c = canvas.at(x, y);
            c.mix(Rgb::hex(0xf0_d8_f0), 0.1 + 0.1 * smooth(0.2, 0.8, c.luma()))
        }),
        (None, Some(Mood::Cozy)) => map(&canvas, |x, y| canvas.at(x, y).times(Rgb(1.05, 0.99, 0.88))),
        (None, Some(Mood::Dramatic)) => map(&canvas, |x, y| canvas.at(x, y).contrast(1.14).saturate(1.1)),
        _ => canvas,
    }
}

fn bend(palette: Palette, c: Rgb) -> Rgb {
    let l = c.luma();
    match palette {
        Palette::Pastel => {
            // Every colour keeps its hue and moves into the light part of the scale.
            let k = 0.42 + 0.56 * l.clamp(0.0, 1.0).powf(0.85);
            let soft = c.saturate(0.86);
            soft.plus(WHITE.scale(k - l)).mix(Rgb::hex(0xfc_f2_ee), 0.06)
        }
        Palette::Monochrome => Rgb(l, l, l).contrast(1.06),
        Palette::Sepia => Rgb::hex(0x30_20_17)
            .mix(Rgb::hex(0xf6_e6_c8), smooth(-0.05, 1.0, l) * 0.9 + l * 0.1)
            .mix(c, 0.14),
        Palette::Vivid => c.saturate(1.45).contrast(1.05),
        Palette::Muted => c.saturate(0.58).mix(Rgb::hex(0x9a_90_82), 0.1),
        Palette::Warm => c.times(Rgb(1.07, 0.99, 0.84)).plus(Rgb(0.02, 0.0, 0.0)),
        Palette::Cool => c.times(Rgb(0.85, 0.98, 1.1)),
        Palette::Dark => c.scale(0.66).contrast(1.1),
        Palette::Bright => c.mix(WHITE, 0.14).saturate(1.1),
        Palette::Vapor => {
            let dark = Rgb::hex(0x1c_0c_40);
            let tone = if l < 0.45 {
                dark.mix(Rgb::hex(0xc4_2c_94), l / 0.45)
            } else {
                Rgb::hex(0xc4_2c_94).mix(Rgb::hex(0x8c_f0_f8), (l - 0.45) / 0.55)
            };
            tone.mix(c.saturate(1.3), 0.45)
        }
    }
}

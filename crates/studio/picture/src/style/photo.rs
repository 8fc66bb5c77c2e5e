//! Like a camera: bloom, a film curve, vignette and grain; and the black and white of film noir.

use super::desk::{Curve, Desk, byte};
use super::fields::{lights, together};
use super::{map, sample_small, small};
use crate::chance::{smooth, speck};
use crate::light::Light;
use atelier_retouch::canvas::Canvas;
use atelier_retouch::rgb::Rgb;

pub(super) fn photo(canvas: &Canvas, light: &Light, seed: u32) -> Canvas {
    let glow = small(&small(canvas, 0.008), 0.02);
    let (w, h) = (canvas.frame.width as f32, canvas.frame.height as f32);
    let warm = light.sun.mix(Rgb(1.0, 1.0, 1.0), 0.7);
    map(canvas, |x, y| {
        let (fx, fy) = (x as f32 + 0.5, y as f32 + 0.5);
        let mut c = canvas.at(x, y);
        let soft = sample_small(&glow, canvas, fx, fy);
        let bright = smooth(0.55, 1.0, soft.luma());
        c = c.screen(soft.scale(bright * 0.34));
        let curve = |v: f32| {
            let v = v.clamp(0.0, 1.0);
            v * v * (3.0 - 2.0 * v) * 0.5 + v * 0.5
        };
        c = Rgb(curve(c.0), curve(c.1), curve(c.2));
        c = c.mix(c.times(warm), 0.35).saturate(1.06);
        let d = ((fx / w - 0.5) * 1.1).hypot((fy / h - 0.5) * 1.1);
        c = c.scale(1.0 - 0.42 * smooth(0.3, 0.86, d));
        let grain = (speck(x as i32, y as i32, seed) + speck(x as i32, y as i32, seed ^ 9) - 1.0) * 0.026;
        c.plus(Rgb(grain, grain, grain))
    })
}

pub(super) fn noir(canvas: &Canvas, like: &Canvas, seed: u32, desk: &Desk) -> Canvas {
    let (w, h) = (canvas.frame.width as f32, canvas.frame.height as f32);
    // The darkest and lightest parts of this picture become black and white.
    let range = desk.chosen(|| {
        let mut lumas: Vec<f32> = small(like, 0.012)
            .pixels
            .iter()
            .map(|p| Rgb::from_bytes([p[0], p[1], p[2]]).luma())
            .collect();
        lumas.sort_by(f32::total_cmp);
        let low = lumas[lumas.len() / 8];
        (low, lumas[lumas.len() * 31 / 32].max(low + 0.1))
    });
    let (low, high) = *range;
    let tone = move |luma: f32| ((luma - low) / (high - low)).clamp(0.0, 1.0);
    // How much light falls on a place, and its grain.
    let sheet = desk.sheet(canvas.frame, || {
        move |x, y| {
            let (u, t) = ((x as f32 + 0.5) / w - 0.5, (y as f32 + 0.5) / h - 0.5);
            // A beam of light falls across, as through blinds.
            let beam = smooth(0.66, 0.1, (u * 0.8 + t * 0.5).abs());
            let light = (0.62 + 0.46 * beam) * (1.0 - 0.55 * smooth(0.3, 0.8, u.hypot(t) * 1.1));
            let grain = speck(x as i32, y as i32, seed) + speck(x as i32, y as i32, seed ^ 3) - 1.0;
            (byte(light * 0.9), byte(0.5 + 0.5 * grain))
        }
    });
    let curve = Curve::new(|v| smooth(0.0, 1.0, v).powf(1.1) * 0.92 + 0.045);
    let glow = lights(canvas, 0.012, |luma| smooth(0.6, 1.0, tone(luma)));
    together(
        canvas,
        |x, y| {
            let place = y * canvas.frame.width + x;
            let ([r, g, b, _], (light, grain)) = (canvas.pixels[place], sheet.at(x, y));
            let v = curve.at(tone(Rgb::from_bytes([r, g, b]).luma()));
            [byte(v), glow[place], light, grain]
        },
        |[v, glow, light, grain]| {
            let v = (1.0 - (1.0 - v) * (1.0 - 0.3 * glow)) * (light / 0.9);
            let v = v + (grain - 0.5) * 0.14 * (1.0 - v * 0.5);
            Rgb(v, v, v * 0.985)
        },
    )
}

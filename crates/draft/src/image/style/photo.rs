//! As a camera would: bloom, a film's curve, vignette and grain; and the black and white of film noir.

use super::desk::{Curve, Desk};
use super::{map, sample_small, small};
use crate::image::chance::{smooth, speck};
use crate::image::color::Rgb;
use crate::image::draw::Canvas;
use crate::image::scene::light::Light;

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
    let glow = small(canvas, 0.012);
    let (w, h) = (canvas.frame.width as f32, canvas.frame.height as f32);
    // The darkest and lightest parts of this picture become black and white.
    let mut lumas: Vec<f32> = small(like, 0.012)
        .pixels
        .iter()
        .map(|p| Rgb::from_bytes([p[0], p[1], p[2]]).luma())
        .collect();
    lumas.sort_by(f32::total_cmp);
    let (low, high) = (
        lumas[lumas.len() / 8],
        lumas[lumas.len() * 31 / 32].max(lumas[lumas.len() / 8] + 0.1),
    );
    // How much light falls on a place, and its grain.
    let sheet = desk.sheet(canvas.frame, || {
        move |x, y| {
            let (u, t) = ((x as f32 + 0.5) / w - 0.5, (y as f32 + 0.5) / h - 0.5);
            // A beam of light falls across, as through blinds.
            let beam = smooth(0.66, 0.1, (u * 0.8 + t * 0.5).abs());
            let light = (0.62 + 0.46 * beam) * (1.0 - 0.55 * smooth(0.3, 0.8, u.hypot(t) * 1.1));
            let grain = speck(x as i32, y as i32, seed) + speck(x as i32, y as i32, seed ^ 3) - 1.0;
            (light, grain * 0.07)
        }
    });
    let curve = Curve::new(|v| smooth(0.0, 1.0, v).powf(1.1) * 0.92 + 0.045);
    map(canvas, |x, y| {
        let (fx, fy) = (x as f32 + 0.5, y as f32 + 0.5);
        let (light, grain) = sheet.at(x, y);
        let v = ((canvas.at(x, y).luma() - low) / (high - low)).clamp(0.0, 1.0);
        let mut v = curve.at(v);
        let soft = ((sample_small(&glow, canvas, fx, fy).luma() - low) / (high - low)).clamp(0.0, 1.0);
        v = 1.0 - (1.0 - v) * (1.0 - 0.3 * smooth(0.6, 1.0, soft));
        v *= light;
        let v = v + grain * (1.0 - v * 0.5);
        Rgb(v, v, v * 0.985)
    })
}

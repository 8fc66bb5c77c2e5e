//! Water: it mirrors the frame above it and what floats on it, broken by waves that come toward the viewer.

use rayon::prelude::*;

use super::card::{Pixel, lerp};
use super::draw::Piece;
use super::view::View;
use crate::image::chance::{fbm, smooth, value};
use crate::image::color::{Rgb, WHITE};
use crate::image::scene::Water;
use crate::image::scene::light::{Light, Weather};

/// How many waves the finest noise has in a unit of the surface.
const FINEST: f32 = 22.0;

/// A surface of water in one light.
#[derive(Debug, Clone)]
pub(crate) struct Surface {
    pub(crate) kind: Water,
    pub(crate) light: Light,
    pub(crate) seed: u32,
    /// Pixels of the scene per unit, and its width in units.
    pub(crate) px: f32,
    pub(crate) width: f32,
    /// The sun's or moon's column in units.
    pub(crate) sun: f32,
}

impl Surface {
    fn rough(&self) -> f32 {
        match (self.kind, self.light.weather) {
            (_, Weather::Storm) => 2.4,
            (Water::Sea, _) => 1.25,
            (Water::Still, Weather::Rain) => 0.9,
            (Water::Still, _) => 0.55,
        }
    }

    /// Draws the water below the horizon of a frame in which everything behind it is drawn already.
    pub(crate) fn draw(&self, frame: &mut [Pixel], view: &View, time: f32, mirrored: &[Piece<'_>]) {
        let width = view.width as usize;
        let line = view.horizon();
        let first = (line.ceil().max(0.0) as usize).min(view.height as usize);
        let (above, below) = frame.split_at_mut(first * width);
        if below.is_empty() {
            return;
        }
        let mut mirror: Vec<Pixel> = vec![[0; 4]; below.len()];
        mirror.par_chunks_mut(width).enumerate().for_each(|(row, out)| {
            self.reflect(above, width, (line, first + row), view, out);
            for piece in mirrored {
                piece.row(view, first + row, out);
            }
        });
        let mirror = &mirror;
        below.par_chunks_mut(width).enumerate().for_each(|(row, out)| {
            self.ripple(mirror, (first, row), view, time, out);
        });
    }

    /// One row of a mirror without waves.
    fn reflect(
        &self,
        above: &[Pixel],
        width: usize,
        (line, row): (f32, usize),
        view: &View,
        out: &mut [Pixel],
    ) {
        let (near, ..) = view.ground(row as f32);
        let d = near.clamp(0.0, 1.0);
        let own = match self.kind {
            Water::Sea => Rgb::hex(0x1f_5c_7c),
            Water::Still => Rgb::hex(0x2c_5c_68),
        };
        let light = &self.light;
        let deep = light.lit(own, 0.35).mix(light.sky[1], 0.3);
        let clear = if self.kind == Water::Still { 0.3 } else { 0.5 };
        let (pale, dark) = (0.1 * (1.0 - d), (clear * d.powf(0.6) + 0.1).min(1.0));
        let rows = above.len() / width.max(1);
        let up = (line - (row as f32 - line) * 0.86 - 0.5).clamp(0.0, (rows.max(1) - 1) as f32);
        let (upper, part) = (up as usize, ((up.fract()) * 256.0) as u32);
        let lower = (upper + 1).min(rows.saturating_sub(1));
        let keep = (1.0 - pale) * (1.0 - dark);
        let add = light.sky[3].scale(pale * (1.0 - dark)).plus(deep.scale(dark));
        let (keep, add) = (
            (keep * 256.0) as u32,
            [add.0, add.1, add.2].map(|c| (c * 255.0) as u32),
        );
        for (x, pixel) in out.iter_mut().enumerate() {
            let seen = if rows == 0 {
                let [r, g, b] = light.sky[3].to_bytes();
                [r, g, b, 0]
            } else {
                let at = |row: usize| u32::from_le_bytes(above[row * width + x]);
                lerp(at(upper), at(lower), part).to_le_bytes()
            };
            let mix = |c: usize| (((u32::from(seen[c]) * keep) >> 8) + add[c]).min(255) as u8;
            *pixel = [mix(0), mix(1), mix(2), 0];
        }
    }

    /// One row of the water: the mirror where the waves bend it, and the lights on their crests.
    fn ripple(
        &self,
        mirror: &[Pixel],
        (first, row): (usize, usize),
        view: &View,
        time: f32,
        out: &mut [Pixel],
    ) {
        let width = out.len();
        let rows = mirror.len() / width;
        let (near, _, across) = view.ground((first + row) as f32);
        let (next, ..) = view.ground((first + row) as f32 + 1.0);
        let d = near.clamp(0.0, 1.6);
        let light = &self.light;
        let rough = self.rough();
        let z = 0.05 + d;
        let v = 5.2 / z;
        // Waves that are finer than the rows would flicker: they are seen as their mean.
        let fine = (5.2 / (z * z)) * (next - near).abs();
        let wave_seen = 1.0 / (1.0 + (fine * 2.6 * 1.6).powi(2));
        let chop_seen = 1.0 / (1.0 + (fine * 9.0 * 1.3).powi(2));
        let hidden = matches!(
            light.weather,
            Weather::Overcast | Weather::Rain | Weather::Storm | Weather::Snow | Weather::Fog
        );
        // Displacements are in units of the scene; the frame's pixels are finer or coarser.
        let pixels = self.px / across.scale;
        let glint = light.sky[2].mix(WHITE, 0.15);
        let foamy = WHITE.times(light.ambient.plus(light.key.scale(0.7)));
        let along = |x: f32| (across.at(x) / self.px - 0.5 * self.width) / (z + 0.12);
        // Near waves are wide: they are computed at some places of the row, and between them a line is as good.
        let step = (0.15 / (FINEST * (along(1.0) - along(0.0)).abs()).max(1e-4)).clamp(1.0, 8.0) as usize;
        let waves: Vec<(f32, f32)> = (0..=width.div_ceil(step))
            .map(|k| {
                let u = along((k * step) as f32);
                let wave = fbm(u * 5.0 + 0.2 * time, v * 2.6 + 0.5 * time, 3, self.seed) - 0.5;
                let chop = value(u * 22.0 - 0.5 * time, v * 9.0 + 1.6 * time, self.seed ^ 3) - 0.5;
                (wave * wave_seen, chop * chop_seen)
            })
            .collect();
        for (x, pixel) in out.iter_mut().enumerate() {
            let place = across.at(x as f32) / self.px;
            let (k, between) = (x / step, (x % step) as f32 / step as f32);
            let (from, to) = (waves[k], waves[k + 1]);
            let wave = from.0 + (to.0 - from.0) * between;
            let chop = from.1 + (to.1 - from.1) * between;
            let shift = (wave * 0.075 + chop * 0.02) * z * rough * pixels;
            let lift = (wave * 0.5 + chop * 0.3) * 0.05 * z * rough * pixels;
            let from = sample(mirror, width, rows, x as f32 + shift, row as f32 + lift);
            let seen = Rgb::from_bytes([from[0], from[1], from[2]]);
            let crest = wave + 0.6 * chop;
            let mut color = if light.flat {
                seen.mix(light.sky[3], smooth(0.2, 0.24, wave) * 0.25)
            } else {
                let color = seen.scale(1.0 + crest * 0.34 * rough.min(1.4));
                color.mix(glint, smooth(0.16, 0.42, crest) * 0.34 * rough.min(1.3))
            };
            if !hidden && !light.flat {
                let off = (place - self.sun).abs() / (0.035 + 0.11 * d);
                if off < 3.0 {
                    let path = (-off * off).exp();
                    // Far sparks are too fine to be seen one by one.
                    let spark =
                        smooth(0.05, 0.34, crest + 0.22 * path) * wave_seen + 0.3 * path * (1.0 - wave_seen);
                    let strength = if light.dark > 0.8 { 0.6 } else { 0.85 };
                    color = color.screen(light.sun.scale(path * spark * strength));
                }
            }
            if rough > 1.0 && !light.flat {
                let foam = smooth(0.3, 0.42, crest) * smooth(0.06, 0.5, d);
                color = color.mix(foamy, foam * 0.55);
            }
            let [r, g, b] = color.to_bytes();
            *pixel = [r, g, b, pixel[3]];
        }
    }
}

fn sample(mirror: &[Pixel], width: usize, rows: usize, x: f32, y: f32) -> Pixel {
    let (x, y) = (
        x.clamp(0.0, width as f32 - 1.001),
        y.clamp(0.0, rows as f32 - 1.001).max(0.0),
    );
    let (ix, iy) = (x as usize, y as usize);
    let (fx, fy) = ((x.fract() * 256.0) as u32, (y.fract() * 256.0) as u32);
    let (jx, jy) = ((ix + 1).min(width - 1), (iy + 1).min(rows - 1));
    let at = |x: usize, y: usize| u32::from_le_bytes(mirror[y * width + x]);
    lerp(
        lerp(at(ix, iy), at(jx, iy), fx),
        lerp(at(ix, jy), at(jx, jy), fx),
        fy,
    )
    .to_le_bytes()
}

//! Water: it mirrors the frame above it and what floats on it, broken by waves that move toward the viewer.

use rayon::prelude::*;

use super::card::{Pixel, lerp};
use super::draw::Piece;
use super::view::{Axis, View};
use atelier_picture::chance::{fbm, smooth, value};
use atelier_picture::light::{Light, Weather};
use atelier_picture::scene::Water;
use atelier_retouch::rgb::{Rgb, WHITE};

/// The number of the finest waves in a unit of the surface.
const FINEST: f32 = 22.0;
/// Anything less visible than this is not computed.
const UNSEEN: f32 = 0.02;
/// Pixels whose colours are computed together.
const TOGETHER: usize = 64;

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

    /// The first row of a frame that shows water.
    pub(crate) fn first_row(view: &View) -> usize {
        (view.horizon().ceil().max(0.0) as usize).min(view.height as usize)
    }

    /// Draws the water below the horizon of a frame whose background is drawn already.
    pub(crate) fn draw(&self, frame: &mut [Pixel], view: &View, time: f32, mirrored: &[Piece<'_>]) {
        let width = view.width as usize;
        let line = view.horizon();
        let first = Self::first_row(view);
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

    /// One row of the water: the mirror, bent by the waves, and the lights on their crests.
    fn ripple(
        &self,
        mirror: &[Pixel],
        (first, row): (usize, usize),
        view: &View,
        time: f32,
        out: &mut [Pixel],
    ) {
        let (near, _, across) = view.ground((first + row) as f32);
        let (next, ..) = view.ground((first + row) as f32 + 1.0);
        let d = near.clamp(0.0, 1.6);
        let rough = self.rough();
        let z = 0.05 + d;
        let swell = self.swell(across, z, (next - near).abs(), time, out.len());
        // Displacements are in units of the scene; the frame's pixels are finer or coarser.
        let pixels = z * rough * self.px / across.scale;
        let wet = Wet::new(self, d, swell.seen);
        let mut bent = [[0; TOGETHER]; 3];
        let mut places = [0.0; TOGETHER];
        for (some, out) in out.chunks_mut(TOGETHER).enumerate() {
            let from = some * TOGETHER;
            let waves = &swell.waves[from..from + TOGETHER];
            let chops = &swell.chops[from..from + TOGETHER];
            for k in 0..TOGETHER {
                places[k] = across.at((from + k) as f32) / self.px;
            }
            for k in 0..out.len() {
                let shift = (waves[k] * 0.075 + chops[k] * 0.02) * pixels;
                let lift = (waves[k] * 0.5 + chops[k] * 0.3) * 0.05 * pixels;
                let (x, y) = ((from + k) as f32 + shift, row as f32 + lift);
                let [r, g, b, _] = sample(mirror, view.width as usize, x, y);
                (bent[0][k], bent[1][k], bent[2][k]) = (r, g, b);
            }
            if wet.flat {
                Wet::paint(&mut bent, |seen, k| {
                    seen.mix(wet.sky, smooth(0.2, 0.24, waves[k]) * 0.25)
                });
            } else {
                Wet::paint(&mut bent, |seen, k| {
                    wet.color(seen, waves[k], chops[k], places[k])
                });
            }
            for (k, pixel) in out.iter_mut().enumerate() {
                *pixel = [bent[0][k], bent[1][k], bent[2][k], pixel[3]];
            }
        }
    }

    /// The waves along a row at the depth `z`, and `deep` from one row to the next.
    fn swell(&self, across: Axis, z: f32, deep: f32, time: f32, width: usize) -> Swell {
        let v = 5.2 / z;
        // Waves finer than the rows would flicker, so their mean is shown.
        let fine = (5.2 / (z * z)) * deep;
        let seen = 1.0 / (1.0 + (fine * 2.6 * 1.6).powi(2));
        let chop_seen = 1.0 / (1.0 + (fine * 9.0 * 1.3).powi(2));
        let along = |x: f32| (across.at(x) / self.px - 0.5 * self.width) / (z + 0.12);
        // Near waves are wide: they are computed at some places of the row and interpolated.
        let step = (0.2 / (FINEST * (along(1.0) - along(0.0)).abs()).max(1e-4)).clamp(1.0, 8.0) as usize;
        let at = |x: usize| {
            let u = along(x as f32);
            let wave = fbm(u * 5.0 + 0.2 * time, v * 2.6 + 0.5 * time, 3, self.seed) - 0.5;
            let chop = if chop_seen < UNSEEN {
                0.0
            } else {
                value(u * 22.0 - 0.5 * time, v * 9.0 + 1.6 * time, self.seed ^ 3) - 0.5
            };
            (wave * seen, chop * chop_seen)
        };
        // Whole blocks of pixels are computed together.
        let width = width.next_multiple_of(TOGETHER);
        let (mut waves, mut chops) = (vec![0.0; width], vec![0.0; width]);
        let mut left = at(0);
        for (some, (waves, chops)) in waves.chunks_mut(step).zip(chops.chunks_mut(step)).enumerate() {
            let right = at((some + 1) * step);
            for (k, (wave, chop)) in waves.iter_mut().zip(chops).enumerate() {
                let between = k as f32 / step as f32;
                *wave = left.0 + (right.0 - left.0) * between;
                *chop = left.1 + (right.1 - left.1) * between;
            }
            left = right;
        }
        Swell { waves, chops, seen }
    }
}

/// The waves of one row: the height of the long and the short ones at each pixel, and how visible the long ones
/// are.
struct Swell {
    waves: Vec<f32>,
    chops: Vec<f32>,
    seen: f32,
}

/// The effects of water on its reflection, in one row.
struct Wet {
    flat: bool,
    sky: Rgb,
    glint: Rgb,
    foam: Rgb,
    /// How strongly crests are lit, and how much of the sky glints on them.
    lit: f32,
    glints: f32,
    foams: f32,
    /// The sun's position, one over the width of its path, and its light there; none if clouds hide it.
    sun: (f32, f32),
    sunlight: Rgb,
    seen: f32,
}

impl Wet {
    fn new(surface: &Surface, d: f32, seen: f32) -> Self {
        let light = &surface.light;
        let rough = surface.rough();
        let hidden = light.flat
            || matches!(
                light.weather,
                Weather::Overcast | Weather::Rain | Weather::Storm | Weather::Snow | Weather::Fog
            );
        let strength = match light.dark {
            _ if hidden => 0.0,
            dark if dark > 0.8 => 0.6,
            _ => 0.85,
        };
        Self {
            flat: light.flat,
            sky: light.sky[3],
            glint: light.sky[2].mix(WHITE, 0.15),
            foam: WHITE.times(light.ambient.plus(light.key.scale(0.7))),
            lit: 0.34 * rough.min(1.4),
            glints: 0.34 * rough.min(1.3),
            foams: if rough > 1.0 && !light.flat {
                0.55 * smooth(0.06, 0.5, d)
            } else {
                0.0
            },
            sun: (surface.sun, 1.0 / (0.035 + 0.11 * d)),
            sunlight: light.sun.scale(strength),
            seen,
        }
    }

    /// Paints some pixels, channel by channel, so that the loop is vectorised.
    #[inline]
    fn paint(pixels: &mut [[u8; TOGETHER]; 3], color: impl Fn(Rgb, usize) -> Rgb) {
        let [red, green, blue] = pixels;
        for k in 0..TOGETHER {
            let [r, g, b] = color(Rgb::from_bytes([red[k], green[k], blue[k]]), k).to_bytes();
            (red[k], green[k], blue[k]) = (r, g, b);
        }
    }

    /// The colour of the water where it mirrors a colour.
    #[inline]
    fn color(&self, seen: Rgb, wave: f32, chop: f32, place: f32) -> Rgb {
        let crest = wave + 0.6 * chop;
        let color = seen.scale(1.0 + crest * self.lit);
        let color = color.mix(self.glint, smooth(0.16, 0.42, crest) * self.glints);
        // Approximates a bell curve: (1 − x²/16)^16.
        let off = (place - self.sun.0) * self.sun.1;
        let path = (1.0 - off * off * (1.0 / 16.0)).clamp(0.0, 1.0);
        let path = path * path;
        let path = path * path;
        let path = path * path;
        let path = path * path;
        // Far sparks are too fine to be visible one by one.
        let spark = smooth(0.05, 0.34, crest + 0.22 * path) * self.seen + 0.3 * path * (1.0 - self.seen);
        color
            .screen(self.sunlight.scale(path * spark))
            .mix(self.foam, smooth(0.3, 0.42, crest) * self.foams)
    }
}

fn sample(mirror: &[Pixel], width: usize, x: f32, y: f32) -> Pixel {
    let rows = mirror.len() / width;
    let (x, y) = (
        x.clamp(0.0, width as f32 - 1.001),
        y.clamp(0.0, rows as f32 - 1.001).max(0.0),
    );
    // Numbers of half the length are converted in half the time.
    let (ix, iy) = (x as i32, y as i32);
    let (fx, fy) = ((x - ix as f32) * 256.0, (y - iy as f32) * 256.0);
    let (ix, iy, fx, fy) = (ix as usize, iy as usize, fx as i32 as u32, fy as i32 as u32);
    let (jx, jy) = ((ix + 1).min(width - 1), (iy + 1).min(rows - 1));
    let at = |x: usize, y: usize| u32::from_le_bytes(mirror[y * width + x]);
    lerp(
        lerp(at(ix, iy), at(jx, iy), fx),
        lerp(at(ix, jy), at(jx, jy), fx),
        fy,
    )
    .to_le_bytes()
}

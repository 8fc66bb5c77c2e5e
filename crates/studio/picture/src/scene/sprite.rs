//! Sprites: cut-outs placed in a scene like drawn things: in its light, with a shadow and a reflection.

use std::sync::Arc;

use tiny_skia::{Path, Transform};

use crate::draw::Op;
use crate::draw::paths::polygon;
use crate::light::Light;
use atelier_retouch::canvas::Id;
use atelier_retouch::rgb::Rgb;

/// A cut-out: colours, and the coverage of each pixel. It is one unit high and stands on the origin.
#[derive(Debug)]
pub struct Sprite {
    pub width: usize,
    pub height: usize,
    /// Red, green, blue, not multiplied by alpha, and alpha.
    pub rgba: Vec<[u8; 4]>,
}

impl Sprite {
    /// Left, bottom, right, top in its own coordinates.
    pub fn bounds(&self) -> (f32, f32, f32, f32) {
        let half = 0.5 * self.width as f32 / self.height as f32;
        (-half, 0.0, half, 1.0)
    }

    /// Half the size, each pixel the mean of four, weighted by alpha.
    fn halved(&self) -> Self {
        let (width, height) = ((self.width / 2).max(1), (self.height / 2).max(1));
        let mut rgba = Vec::with_capacity(width * height);
        for y in 0..height {
            for x in 0..width {
                let (mut sum, mut alpha) = ([0_u32; 3], 0_u32);
                for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                    let (sx, sy) = (
                        (2 * x + dx).min(self.width - 1),
                        (2 * y + dy).min(self.height - 1),
                    );
                    let p = self.rgba[sy * self.width + sx];
                    for c in 0..3 {
                        sum[c] += u32::from(p[c]) * u32::from(p[3]);
                    }
                    alpha += u32::from(p[3]);
                }
                let [r, g, b] = sum.map(|v| (v / alpha.max(1)) as u8);
                rgba.push([r, g, b, (alpha / 4) as u8]);
            }
        }
        Self { width, height, rgba }
    }

    /// As large as it needs to be for this height in pixels, and not much larger.
    pub fn fit(self: &Arc<Self>, high: f32) -> Arc<Self> {
        let mut fit = Arc::clone(self);
        while fit.height as f32 > 1.9 * high && fit.height > 8 && fit.width > 8 {
            fit = Arc::new(fit.halved());
        }
        fit
    }

    /// Interpolated colour and alpha at a position in its own coordinates.
    fn at(&self, x: f32, y: f32) -> (Rgb, f32) {
        let fx = x * self.height as f32 + 0.5 * self.width as f32 - 0.5;
        let fy = (1.0 - y) * self.height as f32 - 0.5;
        let (ix, iy) = (fx.floor(), fy.floor());
        let (tx, ty) = (fx - ix, fy - iy);
        let (mut color, mut alpha) = (Rgb(0.0, 0.0, 0.0), 0.0);
        for (dx, dy, weight) in [
            (0, 0, (1.0 - tx) * (1.0 - ty)),
            (1, 0, tx * (1.0 - ty)),
            (0, 1, (1.0 - tx) * ty),
            (1, 1, tx * ty),
        ] {
            let (px, py) = (ix as i32 + dx, iy as i32 + dy);
            if px < 0 || py < 0 || px >= self.width as i32 || py >= self.height as i32 {
                continue;
            }
            let p = self.rgba[py as usize * self.width + px as usize];
            let k = weight * f32::from(p[3]) / 255.0;
            color = color.plus(Rgb::from_bytes([p[0], p[1], p[2]]).scale(k));
            alpha += k;
        }
        (color.scale(1.0 / alpha.max(1e-4)), alpha)
    }

    /// Whether a cell of a square grid over it is mostly the thing.
    pub(super) fn is_opaque(&self, grid: usize, cell: usize) -> bool {
        let (x, y) = (cell % grid, cell / grid);
        let at = (y * self.height / grid) * self.width + x * self.width / grid;
        self.rgba[at][3] > 127
    }

    fn outline(&self, onto: Transform) -> Option<Path> {
        let (l, b, r, t) = self.bounds();
        polygon(&[(l, b), (r, b), (r, t), (l, t)])?.transform(onto)
    }

    /// An operation that shows it, with colour and alpha changed by `tint`, which gets the position in the sprite's
    /// coordinates.
    pub(super) fn op(
        self: &Arc<Self>,
        onto: Transform,
        id: Option<Id>,
        tint: impl Fn(Rgb, f32, f32, f32) -> (Rgb, f32) + Send + Sync + 'static,
    ) -> Option<Op> {
        let back = onto.invert()?;
        let sprite = Arc::clone(self);
        Some(Op::fill(self.outline(onto)?, id, move |x, y| {
            let (u, v) = (
                back.sx * x + back.kx * y + back.tx,
                back.ky * x + back.sy * y + back.ty,
            );
            let (color, alpha) = sprite.at(u, v);
            if alpha <= 0.0 {
                return (color, 0.0);
            }
            tint(color, alpha, u, v)
        }))
    }

    /// Its colours in the light of a scene: its own shading stays, the scene's colour and direction are added.
    pub(super) fn lit(
        &self,
        light: &Light,
        depth: f32,
        flip: f32,
    ) -> impl Fn(Rgb, f32, f32, f32) -> (Rgb, f32) + use<> {
        let light = light.clone();
        let half = self.bounds().2.max(0.05);
        // The assumed light of a source picture.
        let usual = 1.0 / 0.96;
        move |color, alpha, u, v| {
            let side = (u / half * flip * light.toward.0).clamp(-1.0, 1.0);
            let facing = 0.58 + 0.26 * side + 0.1 * (v - 0.5);
            let lit = light.lit(color, facing).scale(usual);
            (light.far(color.mix(lit, 0.82), depth), alpha)
        }
    }
}

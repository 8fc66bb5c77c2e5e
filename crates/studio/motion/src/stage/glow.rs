//! Light and smoke: effects without an outline. Places are in the frame's pixels.

use super::card::{Pixel, over};
use atelier_picture::chance::smooth;
use atelier_picture::scene::sky;
use atelier_retouch::rgb::Rgb;

/// Light around a lamp.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Glow {
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) reach: f32,
    pub(crate) color: Rgb,
}

impl Glow {
    /// The same glow with its strength at a moment.
    pub(crate) fn lit(self, strength: f32) -> Self {
        Self {
            color: self.color.scale(strength),
            ..self
        }
    }

    pub(crate) fn row(&self, y: f32, out: &mut [Pixel]) {
        let down = (y - self.y) / self.reach;
        let Some((from, to)) = chord(self.x, self.reach, down, out.len()) else {
            return;
        };
        let per_reach = 1.0 / self.reach;
        for (x, pixel) in (from..to).zip(&mut out[from..to]) {
            let across = (x as f32 - self.x) * per_reach;
            let d = (across * across + down * down).sqrt().min(1.0);
            screen(pixel, self.color.scale((1.0 - d) * (1.0 - d) * (1.0 - 0.5 * d)));
        }
    }
}

/// The columns in which a disc of this reach has pixels in a row that is `down` of its reach below its middle.
fn chord(x: f32, reach: f32, down: f32, width: usize) -> Option<(usize, usize)> {
    if down.abs() >= 1.0 {
        return None;
    }
    let half = reach * (1.0 - down * down).sqrt();
    let (from, to) = ((x - half).max(0.0), (x + half + 1.0).min(width as f32));
    (to > from).then_some((from as usize, to as usize))
}

/// Adds light to a pixel by the screen blend: never beyond white.
pub(crate) fn screen(pixel: &mut Pixel, light: Rgb) {
    let add = |under: u8, light: f32| {
        let under = f32::from(under);
        (under + (255.0 - under) * light.clamp(0.0, 1.0) + 0.5) as u8
    };
    *pixel = [
        add(pixel[0], light.0),
        add(pixel[1], light.1),
        add(pixel[2], light.2),
        pixel[3],
    ];
}

/// A puff of smoke, steam or spray.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Puff {
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) radius: f32,
    pub(crate) color: [u8; 3],
    /// Its opacity in its centre, 0 to 1.
    pub(crate) alpha: f32,
}

impl Puff {
    pub(crate) fn row(&self, y: f32, out: &mut [Pixel]) {
        let down = (y - self.y) / self.radius;
        let Some((from, to)) = chord(self.x, self.radius, down, out.len()) else {
            return;
        };
        for (x, pixel) in out.iter_mut().enumerate().take(to).skip(from) {
            let across = (x as f32 - self.x) / self.radius;
            let inside = (1.0 - across * across - down * down).max(0.0);
            let alpha = self.alpha * inside * (2.0 - inside);
            let part = |c: u8| (f32::from(c) * alpha + 0.5) as u8;
            let [r, g, b] = self.color;
            over(
                pixel,
                u32::from_le_bytes([part(r), part(g), part(b), (alpha * 255.0 + 0.5) as u8]),
            );
        }
    }
}

/// The sun or the moon.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Disc {
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) radius: f32,
    pub(crate) phase: Option<f32>,
    pub(crate) color: Rgb,
    pub(crate) seed: u32,
    pub(crate) halo: f32,
}

impl Disc {
    pub(crate) fn row(&self, y: f32, out: &mut [Pixel]) {
        let glow = Glow {
            x: self.x,
            y: self.y,
            reach: self.halo,
            color: self.color.scale(if self.phase.is_some() { 0.19 } else { 0.34 }),
        };
        glow.row(y, out);
        let down = (y - self.y) / self.radius;
        let Some((from, to)) = chord(self.x, self.radius * 1.1, down / 1.1, out.len()) else {
            return;
        };
        for (x, pixel) in out.iter_mut().enumerate().take(to).skip(from) {
            let across = (x as f32 - self.x) / self.radius;
            let under = Rgb::from_bytes([pixel[0], pixel[1], pixel[2]]);
            let color = match self.phase {
                Some(phase) => sky::lunar(under, across, down, phase, self.seed),
                None => under.mix(
                    self.color.mix(Rgb(1.0, 1.0, 1.0), 0.4),
                    smooth(1.06, 0.94, across.hypot(down)),
                ),
            };
            let [r, g, b] = color.to_bytes();
            *pixel = [r, g, b, pixel[3]];
        }
    }
}

/// The beam of a lighthouse, seen from the side: `length` is negative to the left.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Beam {
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) length: f32,
    pub(crate) strength: f32,
    pub(crate) color: Rgb,
}

impl Beam {
    pub(crate) fn row(&self, y: f32, out: &mut [Pixel]) {
        let down = (y - self.y).abs();
        let widest = 0.075 * self.length.abs() + 3.0;
        if down > widest {
            return;
        }
        let end = self.x + self.length;
        let from = self.x.min(end).max(0.0) as usize;
        let to = (self.x.max(end).max(0.0) as usize).min(out.len());
        for (x, pixel) in out.iter_mut().enumerate().take(to).skip(from) {
            let along = ((x as f32 - self.x) / self.length).clamp(0.0, 1.0);
            let half = 3.0 + (widest - 3.0) * along;
            let inside = (1.0 - down / half).max(0.0);
            let light = self.strength * inside * (2.0 - inside) * (1.0 - along) * (1.0 - 0.4 * along);
            screen(pixel, self.color.scale(light));
        }
    }
}

/// A stroke of lightning: its path, from top to bottom, a column for each of some rows.
#[derive(Debug, Clone)]
pub(crate) struct Bolt {
    pub(crate) columns: Vec<f32>,
    pub(crate) bottom: f32,
    pub(crate) strength: f32,
    pub(crate) width: f32,
}

impl Bolt {
    pub(crate) fn row(&self, y: f32, out: &mut [Pixel]) {
        if y >= self.bottom || self.columns.len() < 2 {
            return;
        }
        let at = y / self.bottom * (self.columns.len() - 1) as f32;
        let (low, part) = (at as usize, at.fract());
        let Some(next) = self.columns.get(low + 1) else {
            return;
        };
        let x = self.columns[low] + (next - self.columns[low]) * part;
        let slope = (next - self.columns[low]).abs() * (self.columns.len() - 1) as f32 / self.bottom;
        let core = self.width * (1.0 + slope);
        let halo = core * 9.0;
        let from = (x - halo).max(0.0) as usize;
        let to = ((x + halo).max(0.0) as usize).min(out.len());
        for (column, pixel) in out.iter_mut().enumerate().take(to).skip(from) {
            let d = (column as f32 - x).abs();
            let light = (1.0 - d / core).max(0.0) + 0.35 * (1.0 - d / halo).max(0.0).powi(2);
            screen(pixel, Rgb(0.9, 0.92, 1.0).scale(light * self.strength));
        }
    }
}

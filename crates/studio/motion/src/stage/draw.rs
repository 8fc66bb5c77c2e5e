//! The pieces from which a frame is drawn, from back to front, row by row.

use super::act::Bent;
use super::card::{Card, Pixel, lerp, over};
use super::glow::{Beam, Bolt, Disc, Glow, Puff};
use super::view::{Axis, View};

/// One thing to draw, at its position at this moment.
pub(crate) enum Piece<'a> {
    /// An upright card; clouds drift by their height.
    Upright {
        card: &'a Card,
        x: Axis,
        y: Axis,
        drift: Drift,
    },
    Ground(&'a Card),
    Turned(Turned<'a>),
    Glow(Glow),
    Puff(Puff),
    Disc(Disc),
    Beam(Beam),
    Bolt(Bolt),
}

/// The drift of a row of clouds: pixels of the scene at its horizon, and the increase for each row above it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Drift {
    pub(crate) base: f32,
    pub(crate) rise: f32,
    pub(crate) horizon: f32,
}

impl Piece<'_> {
    /// Whether it hides everything behind it in one row of the frame.
    pub(crate) fn hides(&self, view: &View, row: usize) -> bool {
        match self {
            Piece::Upright { card, y, .. } => card.hides(y.at(row as f32)),
            Piece::Ground(card) => card.hides(view.ground(row as f32).1),
            _ => false,
        }
    }

    /// Whether it writes its number into the frame.
    pub(crate) fn has_number(&self) -> bool {
        match self {
            Piece::Upright { card, .. } | Piece::Ground(card) => !card.ids.is_empty(),
            Piece::Turned(turned) => !turned.card.ids.is_empty(),
            _ => false,
        }
    }

    /// Draws the piece's part of one row of the frame.
    pub(crate) fn row(&self, view: &View, row: usize, out: &mut [Pixel]) {
        let y = row as f32;
        match self {
            Piece::Upright {
                card,
                x,
                y: down,
                drift,
            } => {
                let place = down.at(y);
                let offset = drift.base + drift.rise * (drift.horizon - place).max(0.0);
                let x = Axis {
                    scale: x.scale,
                    offset: x.offset + offset,
                };
                card.line(x, place, out);
            }
            Piece::Ground(card) => card.ground_row(view, y, out),
            Piece::Turned(turned) => turned.row(row, out),
            Piece::Glow(glow) => glow.row(y, out),
            Piece::Puff(puff) => puff.row(y, out),
            Piece::Disc(disc) => disc.row(y, out),
            Piece::Beam(beam) => beam.row(y, out),
            Piece::Bolt(bolt) => bolt.row(y, out),
        }
    }
}

/// A card that is turned, scaled and bent.
pub(crate) struct Turned<'a> {
    card: &'a Card,
    /// From the frame's pixels to the texture's.
    inverse: [f32; 6],
    /// The part of the frame that it may touch.
    columns: (f32, f32),
    rows: (f32, f32),
    bent: Bent,
    /// Its opacity, of 256.
    alpha: u32,
    /// Its tint, and the weight of it, of 256: for water in front of its reflection.
    tint: (u32, u32),
    /// How much it fades toward its foot, as reflections do.
    fades: bool,
}

/// How a card is moved in the scene before the camera sees it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Placing {
    pub(crate) pivot: (f32, f32),
    pub(crate) shift: (f32, f32),
    pub(crate) size: (f32, f32),
    pub(crate) turn: f32,
}

impl<'a> Turned<'a> {
    pub(crate) fn new(card: &'a Card, (x, y): (Axis, Axis), placing: Placing, bent: Bent) -> Self {
        let (sin, cos) = placing.turn.sin_cos();
        let (w, h) = placing.size;
        // Forward: turned and scaled about the pivot, shifted, seen by the camera. Backward the same in reverse.
        let place = |column: f32, row: f32| {
            let (u, v) = (
                column + card.left - placing.pivot.0,
                row + card.top - placing.pivot.1,
            );
            let (u, v) = (u * w, v * h);
            let (u, v) = (u * cos - v * sin, u * sin + v * cos);
            (
                x.back(u + placing.pivot.0 + placing.shift.0),
                y.back(v + placing.pivot.1 + placing.shift.1),
            )
        };
        let (ox, oy) = (
            x.offset - placing.pivot.0 - placing.shift.0,
            y.offset - placing.pivot.1 - placing.shift.1,
        );
        let inverse = [
            cos * x.scale / w,
            sin * y.scale / w,
            (cos * ox + sin * oy) / w + placing.pivot.0 - card.left,
            -sin * x.scale / h,
            cos * y.scale / h,
            (cos * oy - sin * ox) / h + placing.pivot.1 - card.top,
        ];
        let pad = bent.reach() * card.height as f32 + 2.0;
        let (right, bottom) = (card.width as f32 + pad, card.height as f32 + pad);
        let corners =
            [(-pad, -pad), (right, -pad), (-pad, bottom), (right, bottom)].map(|(u, v)| place(u, v));
        let bound = |pick: fn(&(f32, f32)) -> f32| {
            corners
                .iter()
                .map(pick)
                .fold((f32::MAX, f32::MIN), |a, b| (a.0.min(b), a.1.max(b)))
        };
        Self {
            card,
            inverse,
            columns: bound(|c| c.0),
            rows: bound(|c| c.1),
            bent,
            alpha: 256,
            tint: (0, 0),
            fades: false,
        }
    }

    /// As a reflection: paler, tinted with an opaque colour, and fainter away from the thing.
    pub(crate) fn mirrored(mut self, strength: f32, tint: [u8; 3]) -> Self {
        self.alpha = (strength * 256.0) as u32;
        self.tint = (u32::from_le_bytes([tint[0], tint[1], tint[2], 255]), 50);
        self.fades = true;
        self
    }

    fn row(&self, row: usize, out: &mut [Pixel]) {
        let y = row as f32;
        if y < self.rows.0 - 1.0 || y > self.rows.1 + 1.0 {
            return;
        }
        let from = (self.columns.0 - 1.0).max(0.0) as usize;
        let to = ((self.columns.1 + 2.0).max(0.0) as usize).min(out.len());
        let [a, b, c, d, e, f] = self.inverse;
        let (w, h) = (self.card.width as f32, self.card.height as f32);
        for (x, pixel) in out.iter_mut().enumerate().take(to).skip(from) {
            let x = x as f32;
            let (mut u, mut v) = (a * x + b * y + c, d * x + e * y + f);
            if !self.bent.is_stiff() {
                let (right, down) = self.bent.at((u / w).clamp(0.0, 1.0), (v / h).clamp(0.0, 1.0));
                u += right * h;
                v += down * h;
            }
            let mut color = self.card.sample(u, v);
            if color >> 24 == 0 {
                continue;
            }
            if self.tint.1 > 0 {
                let tint = lerp(0, self.tint.0, (color >> 24) + (color >> 31));
                color = lerp(color, tint, self.tint.1);
            }
            let mut alpha = self.alpha;
            if self.fades {
                alpha = (alpha as f32 * (0.45 + 0.55 * (v / h).clamp(0.0, 1.0))) as u32;
            }
            if alpha < 256 {
                color = lerp(0, color, alpha);
            }
            over(pixel, color);
            if color >> 24 > 127 {
                let id = self.card.id(u, v);
                if id != 0 {
                    pixel[3] = id;
                }
            }
        }
    }
}

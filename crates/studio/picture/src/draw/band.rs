//! Painting one band of a canvas: its operations in order, each on the pixels it may touch.

use super::canvas::{Canvas, Frame, Id};
use super::op::{Kind, Op, Shader, Span, Spot, coverage, span};
use crate::chance::speck;
use atelier_retouch::rgb::Rgb;
use tiny_skia::Mask;

pub(super) struct Band<'a> {
    frame: Frame,
    top: usize,
    pixels: &'a mut [[u8; 4]],
    work: Vec<(Rgb, Id)>,
    /// The number of the last operation that covers each pixel completely.
    top_op: Vec<u32>,
}

impl<'a> Band<'a> {
    pub(super) fn new(frame: Frame, top: usize, pixels: &'a mut [[u8; 4]]) -> Self {
        let work = pixels
            .iter()
            .map(|p| (Rgb::from_bytes([p[0], p[1], p[2]]), p[3]))
            .collect();
        let top_op = vec![0; pixels.len()];
        Self {
            frame,
            top,
            pixels,
            work,
            top_op,
        }
    }

    /// The part of this band that an operation may touch.
    fn span(&self, op: &Op) -> Option<Span> {
        let rows = self.pixels.len() / self.frame.width;
        let (x0, x1, y0, y1) = span(&self.frame, op)?;
        let (y0, y1) = (y0.max(self.top), y1.min(self.top + rows));
        (y0 < y1).then_some((x0, x1, y0, y1))
    }

    pub(super) fn paint(mut self, ops: &[&Op], before: &Canvas, salt: u32, time: f32) {
        // Covered pixels are not painted: coverage first, then colour.
        let mut prepared = Vec::new();
        for (number, op) in ops.iter().copied().enumerate() {
            let Some(span) = self.span(op) else { continue };
            let mask = match &op.kind {
                Kind::Fill(paths, _) => match coverage(&self.frame, paths, span) {
                    Some(mask) => Some(mask),
                    None => continue,
                },
                Kind::Field(_) | Kind::Veil(_) => None,
            };
            if op.opaque {
                self.hide(number as u32, op, mask.as_ref(), span);
            }
            prepared.push((number as u32, op, mask, span));
        }
        for (number, op, mask, span) in prepared {
            match (&op.kind, mask) {
                (Kind::Fill(_, shader), Some(mask)) => self.fill(number, op, shader, &mask, span),
                (Kind::Field(field), _) => self.field(number, op, field, (before, time), span),
                (Kind::Veil(veil), _) => {
                    let field = |spot: Spot<'_>| {
                        let (color, part) = veil(spot);
                        spot.under.mix(color, part)
                    };
                    self.field(number, op, &field, (before, time), span);
                }
                (Kind::Fill(..), None) => {}
            }
        }
        let width = self.frame.width;
        for (i, (pixel, (color, id))) in self.pixels.iter_mut().zip(&self.work).enumerate() {
            // Half a step of noise before rounding: skies are gradients, and eight bits would show as bands.
            let noise =
                (speck((i % width) as i32, (self.top + i / width) as i32, salt) - 0.5) * (1.0 / 255.0);
            let [r, g, b] = color.plus(Rgb(noise, noise, noise)).to_bytes();
            *pixel = [r, g, b, *id];
        }
    }

    /// Marks the pixels that an opaque operation covers completely.
    fn hide(&mut self, number: u32, op: &Op, mask: Option<&Mask>, (x0, x1, y0, y1): Span) {
        for row in y0..y1 {
            let line = (row - self.top) * self.frame.width;
            if let Some(mask) = mask {
                let coverage = &mask.data()[(row - y0) * (x1 - x0)..][..x1 - x0];
                for (top, &cover) in self.top_op[line + x0..line + x1].iter_mut().zip(coverage) {
                    if cover == 255 {
                        *top = number;
                    }
                }
            } else {
                // A field's edge pixels may lie outside its area.
                let y = self.frame.unit(row as f32 + 0.5);
                if y > op.area.1 && y < op.area.3 {
                    self.top_op[line + x0..line + x1].fill(number);
                }
            }
        }
    }

    fn fill(&mut self, number: u32, op: &Op, shader: &Shader, mask: &Mask, (x0, x1, y0, y1): Span) {
        let frame = self.frame;
        for (row, coverage) in (y0..y1).zip(mask.data().chunks_exact(x1 - x0)) {
            let y = frame.unit(row as f32 + 0.5);
            let line = (row - self.top) * self.frame.width;
            for (x, &cover) in (x0..x1).zip(coverage) {
                if cover == 0 || self.top_op[line + x] > number {
                    continue;
                }
                let (color, alpha) = shader(frame.unit(x as f32 + 0.5), y);
                let alpha = alpha * f32::from(cover) * (1.0 / 255.0);
                let spot = &mut self.work[line + x];
                spot.0 = spot.0.mix(color, alpha);
                if alpha > 0.5
                    && let Some(id) = op.id
                {
                    spot.1 = id;
                }
            }
        }
    }

    fn field(
        &mut self,
        number: u32,
        op: &Op,
        field: &dyn Fn(Spot<'_>) -> Rgb,
        (before, time): (&Canvas, f32),
        (x0, x1, y0, y1): Span,
    ) {
        let frame = self.frame;
        for row in y0..y1 {
            let y = frame.unit(row as f32 + 0.5);
            let line = (row - self.top) * self.frame.width;
            for x in x0..x1 {
                if self.top_op[line + x] > number {
                    continue;
                }
                let spot = &mut self.work[line + x];
                let seen = Spot {
                    x: frame.unit(x as f32 + 0.5),
                    y,
                    under: spot.0,
                    id: spot.1,
                    before,
                    time,
                };
                spot.0 = field(seen);
                if let Some(id) = op.id {
                    spot.1 = id;
                }
            }
        }
    }
}

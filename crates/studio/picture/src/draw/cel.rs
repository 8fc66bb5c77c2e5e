//! Cels: each layer of a painting on its own transparent sheet, like the sheets of drawn film. Stacked, they give
//! the painting again; moved against each other, they give depth.

use rayon::prelude::*;

use super::canvas::{Canvas, Frame};
use super::op::{Field, Kind, Op, Shader, Span, Spot, Veil, coverage, span};
use super::painter::Painting;
use super::sheet::LayerKind;
use crate::chance::speck;
use atelier_retouch::rgb::{BLACK, Rgb, WHITE};

const BAND: usize = 32;

/// One layer's pixels.
#[derive(Debug, Clone)]
pub struct Cel {
    /// The number of the painting's sheet that it shows.
    pub sheet: usize,
    /// Its part of the canvas: left, right, top, bottom.
    pub span: Span,
    /// Red, green, blue, premultiplied by alpha, and alpha.
    pub rgba: Vec<[u8; 4]>,
    /// The thing that each pixel shows; 0 for none.
    pub ids: Vec<u8>,
}

impl Painting {
    /// Every layer that shows something on this canvas, from back to front, `time` seconds after the scene began to
    /// move.
    pub fn cels(&self, frame: Frame, time: f32, wanted: impl Fn(usize) -> bool + Sync) -> Vec<Cel> {
        let looking = |(sheet, ops): (usize, &Vec<(usize, &Op)>)| {
            let mirrors = self.sheets[sheet].kind == LayerKind::Reflection;
            wanted(sheet) && (mirrors || ops.iter().any(|(_, op)| op.back))
        };
        let mut ops: Vec<Vec<(usize, &Op)>> = vec![Vec::new(); self.sheets.len()];
        for (stage, list) in self.stages.iter().enumerate() {
            for op in list {
                ops[op.sheet].push((stage, op));
            }
        }
        let before = if ops.iter().enumerate().any(looking) {
            self.befores(frame, time)
        } else {
            // No operation reads the canvas.
            vec![Canvas::new(Frame::new(1, 1)); self.stages.len()]
        };
        ops.par_iter()
            .enumerate()
            .filter(|(sheet, _)| wanted(*sheet))
            .filter_map(|(sheet, ops)| {
                let cel = if self.sheets[sheet].kind == LayerKind::Reflection {
                    self.reflection(frame, sheet, ops, &before, time)
                } else {
                    let area = area(&frame, ops)?;
                    cel(frame, sheet, area, ops, |stage| &before[stage], time)
                };
                cel.cropped()
            })
            .collect()
    }

    /// Returns the canvases that each stage may read: the painting so far, without reflections in water, because those
    /// move by themselves.
    fn befores(&self, frame: Frame, time: f32) -> Vec<Canvas> {
        let mut canvas = Canvas::new(frame);
        let mut out = Vec::with_capacity(self.stages.len());
        for number in 0..self.stages.len() {
            out.push(canvas.clone());
            if number + 1 < self.stages.len() {
                let mirrored = |op: &Op| self.sheets[op.sheet].kind == LayerKind::Reflection;
                self.paint_stage(number, &mut canvas, &out[number], time, |op| !mirrored(op));
            }
        }
        out
    }

    /// A reflection as the waves leave it: the water with the reflection minus the water without it.
    fn reflection(
        &self,
        frame: Frame,
        sheet: usize,
        ops: &[(usize, &Op)],
        before: &[Canvas],
        time: f32,
    ) -> Cel {
        let empty = Cel::new(sheet, (0, 0, 0, 0));
        let (Some(area), Some((stage, _))) = (area(&frame, ops), ops.first()) else {
            return empty;
        };
        // Waves carry it a little to the sides and down.
        let reach = (0.05 * frame.px) as usize;
        let area = (
            area.0.saturating_sub(reach),
            (area.1 + reach).min(frame.width),
            area.2,
            (area.3 + reach).min(frame.height),
        );
        let Some(waves) = self.stages.get(stage + 1) else {
            return empty;
        };
        let water: Vec<(usize, &Op)> = waves
            .iter()
            .filter(|op| self.sheets[op.sheet].kind == LayerKind::Water)
            .take(1)
            .map(|op| (0, op))
            .collect();
        let mut with = before[stage + 1].clone();
        self.paint_stage(*stage, &mut with, &before[*stage], time, |op| op.sheet == sheet);
        let without = cel(frame, sheet, area, &water, |_| &before[stage + 1], time);
        let mut out = cel(frame, sheet, area, &water, |_| &with, time);
        for (pixel, bare) in out.rgba.iter_mut().zip(&without.rgba) {
            *pixel = difference(*pixel, *bare);
        }
        out
    }
}

/// The least opaque colour that turns one opaque colour into another, premultiplied by its alpha.
fn difference(with: [u8; 4], without: [u8; 4]) -> [u8; 4] {
    let mut alpha = 0.0_f32;
    for c in 0..3 {
        let (a, b) = (f32::from(with[c]), f32::from(without[c]));
        let need = if a > b {
            (a - b) / (255.0 - b).max(1.0)
        } else {
            (b - a) / b.max(1.0)
        };
        alpha = alpha.max(need);
    }
    // Dither differs by one step even if nothing is there.
    if alpha < 0.012 {
        return [0; 4];
    }
    // Slightly above the minimum, so that it keeps its own colour when it is moved.
    let alpha = (1.5 * alpha).min(1.0);
    let color =
        |c: usize| (f32::from(with[c]) - (1.0 - alpha) * f32::from(without[c]) + 0.5).clamp(0.0, 255.0) as u8;
    [color(0), color(1), color(2), (255.0 * alpha + 0.5) as u8]
}

/// The part of the canvas that these operations may touch together.
fn area(frame: &Frame, ops: &[(usize, &Op)]) -> Option<Span> {
    ops.iter()
        .filter_map(|(_, op)| span(frame, op))
        .reduce(|a, b| (a.0.min(b.0), a.1.max(b.1), a.2.min(b.2), a.3.max(b.3)))
}

fn cel<'a>(
    frame: Frame,
    sheet: usize,
    area: Span,
    ops: &[(usize, &Op)],
    before: impl Fn(usize) -> &'a Canvas + Sync,
    time: f32,
) -> Cel {
    let mut out = Cel::new(sheet, area);
    let width = area.1 - area.0;
    out.rgba
        .par_chunks_mut(width * BAND)
        .zip(out.ids.par_chunks_mut(width * BAND))
        .enumerate()
        .for_each(|(band, (rgba, ids))| {
            let top = area.2 + band * BAND;
            let part = (area.0, area.1, top, top + rgba.len() / width);
            let mut work = Work {
                frame,
                part,
                spots: vec![(BLACK, 0.0, 0); rgba.len()],
            };
            for (stage, op) in ops {
                work.paint(op, before(*stage), time);
            }
            for (i, ((rgba, id), (color, alpha, shown))) in
                rgba.iter_mut().zip(ids).zip(work.spots).enumerate()
            {
                let (x, y) = (area.0 + i % width, top + i / width);
                // As on the canvas: noise of half a step keeps gradients from showing bands.
                let noise = (speck(x as i32, y as i32, 0) - 0.5) * alpha / 255.0;
                let [r, g, b] = color.plus(Rgb(noise, noise, noise)).to_bytes();
                let alpha = (alpha.clamp(0.0, 1.0) * 255.0 + 0.5) as u8;
                *rgba = [r.min(alpha), g.min(alpha), b.min(alpha), alpha];
                *id = shown;
            }
        });
    out
}

impl Cel {
    fn new(sheet: usize, span: Span) -> Self {
        let size = (span.1 - span.0) * (span.3 - span.2);
        Self {
            sheet,
            span,
            rgba: vec![[0; 4]; size],
            ids: vec![0; size],
        }
    }

    /// Crops empty rows and columns; returns nothing if everything is empty.
    fn cropped(self) -> Option<Self> {
        let (x0, x1, y0, _) = self.span;
        let width = x1 - x0;
        let (mut left, mut right, mut top, mut bottom) = (usize::MAX, 0, usize::MAX, 0);
        for (y, row) in self.rgba.chunks_exact(width.max(1)).enumerate() {
            let Some(first) = row.iter().position(|p| p[3] > 0) else {
                continue;
            };
            let last = row.iter().rposition(|p| p[3] > 0).unwrap_or(first);
            left = left.min(first);
            right = right.max(last + 1);
            top = top.min(y);
            bottom = y + 1;
        }
        if top == usize::MAX {
            return None;
        }
        let rows = |y: usize| y * width + left..y * width + right;
        Some(Self {
            sheet: self.sheet,
            span: (x0 + left, x0 + right, y0 + top, y0 + bottom),
            rgba: (top..bottom)
                .flat_map(|y| self.rgba[rows(y)].iter().copied())
                .collect(),
            ids: (top..bottom)
                .flat_map(|y| self.ids[rows(y)].iter().copied())
                .collect(),
        })
    }
}

/// Part of a cel in progress: premultiplied colours, alpha, and the things shown.
struct Work {
    frame: Frame,
    part: Span,
    spots: Vec<(Rgb, f32, u8)>,
}

impl Work {
    fn paint(&mut self, op: &Op, before: &Canvas, time: f32) {
        let Some((x0, x1, y0, y1)) = span(&self.frame, op) else {
            return;
        };
        let part = (
            x0.max(self.part.0),
            x1.min(self.part.1),
            y0.max(self.part.2),
            y1.min(self.part.3),
        );
        if part.0 >= part.1 || part.2 >= part.3 {
            return;
        }
        match &op.kind {
            Kind::Fill(paths, shader) => {
                if let Some(mask) = coverage(&self.frame, paths, part) {
                    self.fill(op, shader, mask.data(), part);
                }
            }
            Kind::Field(field) => self.field(op, field, before, time, part),
            Kind::Veil(veil) => self.veil(op, veil, before, time, part),
        }
    }

    fn fill(&mut self, op: &Op, shader: &Shader, coverage: &[u8], part: Span) {
        let frame = self.frame;
        for ((x, y), &cover) in places(part).zip(coverage) {
            if cover == 0 {
                continue;
            }
            let (color, alpha) = shader(frame.unit(x as f32 + 0.5), frame.unit(y as f32 + 0.5));
            let alpha = (alpha * f32::from(cover) * (1.0 / 255.0)).clamp(0.0, 1.0);
            let spot = self.spot(x, y);
            spot.0 = spot.0.scale(1.0 - alpha).plus(color.scale(alpha));
            spot.1 += (1.0 - spot.1) * alpha;
            if alpha > 0.5
                && let Some(id) = op.id
            {
                spot.2 = id;
            }
        }
    }

    /// A field says how the colour under it changes. Its effect on black and on white gives its own colour and its
    /// transparency, as Smith and Blinn, "Blue screen matting" (1996), found from two backgrounds.
    fn field(&mut self, op: &Op, field: &Field, before: &Canvas, time: f32, part: Span) {
        let frame = self.frame;
        for (x, y) in places(part) {
            let spot = self.spot(x, y);
            let seen = |under: Rgb, id: u8| {
                field(Spot {
                    x: frame.unit(x as f32 + 0.5),
                    y: frame.unit(y as f32 + 0.5),
                    under,
                    id,
                    before,
                    time,
                })
            };
            let alpha = if op.opaque {
                spot.0 = seen(BLACK, spot.2);
                spot.1 = 1.0;
                1.0
            } else if spot.1 >= 0.999 {
                spot.0 = seen(spot.0, spot.2);
                0.0
            } else {
                let (dark, light) = (seen(BLACK, spot.2), seen(WHITE, spot.2));
                let through = Rgb(light.0 - dark.0, light.1 - dark.1, light.2 - dark.2);
                let alpha = (1.0 - (through.0 + through.1 + through.2) / 3.0).clamp(0.0, 1.0);
                spot.0 = spot.0.times(through).plus(dark);
                spot.1 += (1.0 - spot.1) * alpha;
                alpha
            };
            if let Some(id) = op.id
                && (alpha > 0.5 || spot.1 >= 0.999)
            {
                spot.2 = id;
            }
        }
    }

    /// A veil states its own transparency.
    fn veil(&mut self, op: &Op, veil: &Veil, before: &Canvas, time: f32, part: Span) {
        let frame = self.frame;
        for (x, y) in places(part) {
            let spot = self.spot(x, y);
            let (color, alpha) = veil(Spot {
                x: frame.unit(x as f32 + 0.5),
                y: frame.unit(y as f32 + 0.5),
                under: spot.0,
                id: spot.2,
                before,
                time,
            });
            spot.0 = spot.0.scale(1.0 - alpha).plus(color.scale(alpha));
            spot.1 += (1.0 - spot.1) * alpha;
            if let Some(id) = op.id
                && (alpha > 0.5 || spot.1 >= 0.999)
            {
                spot.2 = id;
            }
        }
    }

    #[inline]
    fn spot(&mut self, x: usize, y: usize) -> &mut (Rgb, f32, u8) {
        let width = self.part.1 - self.part.0;
        &mut self.spots[(y - self.part.2) * width + x - self.part.0]
    }
}

fn places((x0, x1, y0, y1): Span) -> impl Iterator<Item = (usize, usize)> {
    (y0..y1).flat_map(move |y| (x0..x1).map(move |x| (x, y)))
}

//! The painter: a list of operations, carried out band by band in parallel. Bands have a fixed height and do not
//! see each other, so the result does not depend on how many threads there are.

use std::fmt;

use rayon::prelude::*;

use super::band::Band;
use super::canvas::{Canvas, Frame};
use super::op::Op;
use super::sheet::{LayerKind, Sheet};

const BAND: usize = 32;

/// Operations in stages; a stage may read the result of the stages before it.
pub struct Painting {
    pub(super) stages: Vec<Vec<Op>>,
    pub(super) sheets: Vec<Sheet>,
    sheet: usize,
    /// Whether the next operation comes in front of other layers, and so needs a sheet like the current one.
    stale: bool,
}

impl fmt::Debug for Painting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sizes: Vec<usize> = self.stages.iter().map(Vec::len).collect();
        f.debug_struct("Painting")
            .field("stages", &sizes)
            .finish_non_exhaustive()
    }
}

impl Default for Painting {
    fn default() -> Self {
        Self::new()
    }
}

impl Painting {
    pub fn new() -> Self {
        let backdrop = Sheet {
            kind: LayerKind::Backdrop,
            name: None,
            depth: 1.0,
            near: 1.0,
            contact: None,
            flip: 1.0,
        };
        Self {
            stages: vec![Vec::new()],
            sheets: vec![backdrop],
            sheet: 0,
            stale: false,
        }
    }

    pub fn add(&mut self, mut op: Op) {
        if self.stale {
            self.sheet(self.sheets[self.sheet].clone());
        }
        op.sheet = self.sheet;
        if let Some(stage) = self.stages.last_mut() {
            stage.push(op);
        }
    }

    /// Starts a stage: what follows may read everything painted so far.
    pub fn stage(&mut self) {
        self.stages.push(Vec::new());
    }

    /// Starts a new layer and returns its number.
    pub fn sheet(&mut self, sheet: Sheet) -> usize {
        self.stale = false;
        self.sheets.push(sheet);
        self.sheet = self.sheets.len() - 1;
        self.sheet
    }

    /// Continues a layer begun before, behind everything added since.
    pub fn resume(&mut self, sheet: usize) {
        self.sheet = sheet;
        self.stale = false;
    }

    /// Starts a layer of the same kind as an earlier one, in front of everything added since.
    pub fn go_on(&mut self, sheet: usize) {
        self.sheet = sheet;
        self.stale = true;
    }

    /// The description of one layer.
    pub fn info(&self, sheet: usize) -> &Sheet {
        &self.sheets[sheet]
    }

    /// All layers, in the order in which they were begun.
    pub fn sheets(&self) -> impl Iterator<Item = &Sheet> {
        self.sheets.iter()
    }

    /// The layer that is being painted.
    pub fn current(&self) -> usize {
        self.sheet
    }

    pub fn paint(&self, frame: Frame) -> Canvas {
        self.paint_over(Canvas::new(frame))
    }

    /// Paints on a canvas that is not empty.
    pub fn paint_over(&self, mut canvas: Canvas) -> Canvas {
        for number in 0..self.stages.len() {
            // Nothing in the first stage reads the canvas.
            let before = if number == 0 {
                Canvas {
                    frame: canvas.frame,
                    pixels: Vec::new(),
                }
            } else {
                canvas.clone()
            };
            self.paint_stage(number, &mut canvas, &before, 0.0, |_| true);
        }
        canvas
    }

    /// Paints the selected operations of one stage, given the canvas before the stage.
    pub(super) fn paint_stage(
        &self,
        number: usize,
        canvas: &mut Canvas,
        before: &Canvas,
        time: f32,
        wanted: impl Fn(&Op) -> bool,
    ) {
        let ops: Vec<&Op> = self.stages[number].iter().filter(|op| wanted(op)).collect();
        if ops.is_empty() {
            return;
        }
        let frame = canvas.frame;
        canvas
            .pixels
            .par_chunks_mut(frame.width * BAND)
            .enumerate()
            .for_each(|(band, pixels)| {
                Band::new(frame, band * BAND, pixels).paint(&ops, before, number as u32, time);
            });
    }
}

//! One operation of a painting: what it fills, and how the colours of its pixels are computed.

use std::fmt;

use tiny_skia::{FillRule, Mask, Path, Transform};

use super::canvas::{Canvas, Frame, Id};
use atelier_retouch::rgb::Rgb;

/// A box in units: left, top, right, bottom.
#[derive(Debug, Clone, Copy)]
pub struct Area(pub f32, pub f32, pub f32, pub f32);

impl Area {
    pub const ALL: Self = Self(-9.0, -9.0, 9.0, 9.0);

    fn of(path: &Path) -> Self {
        let b = path.bounds();
        Self(b.left(), b.top(), b.right(), b.bottom())
    }
}

/// The inputs of a field at a pixel: its position, the colour there now, and the canvas before this stage.
#[derive(Debug, Clone, Copy)]
pub struct Spot<'a> {
    pub x: f32,
    pub y: f32,
    pub under: Rgb,
    pub id: Id,
    pub before: &'a Canvas,
    /// Seconds since the picture began to move; 0 in a still picture.
    pub time: f32,
}

pub(super) type Shader = Box<dyn Fn(f32, f32) -> (Rgb, f32) + Send + Sync>;
pub(super) type Field = Box<dyn Fn(Spot<'_>) -> Rgb + Send + Sync>;

/// A colour, and how much it covers what is under it.
pub(super) type Veil = Box<dyn Fn(Spot<'_>) -> (Rgb, f32) + Send + Sync>;

pub(super) enum Kind {
    /// Paths filled together, coloured by position.
    Fill(Vec<Path>, Shader),
    /// A colour for each pixel of the area, computed from what is under it.
    Field(Field),
    /// A colour for each pixel of the area, independent of what is under it.
    Veil(Veil),
}

/// One operation.
pub struct Op {
    pub(super) area: Area,
    pub(super) kind: Kind,
    pub(super) id: Option<Id>,
    pub(super) opaque: bool,
    /// Whether it reads the canvas as it was before its stage.
    pub(super) back: bool,
    pub(super) sheet: usize,
}

impl fmt::Debug for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Op")
            .field("sheet", &self.sheet)
            .finish_non_exhaustive()
    }
}

impl Op {
    /// Marks it as opaque: whatever it covers completely need not be painted.
    pub fn opaque(mut self) -> Self {
        self.opaque = true;
        self
    }

    /// Marks it as reading what was painted before its stage.
    pub fn back(mut self) -> Self {
        self.back = true;
        self
    }

    pub fn fill(
        path: Path,
        id: Option<Id>,
        shader: impl Fn(f32, f32) -> (Rgb, f32) + Send + Sync + 'static,
    ) -> Self {
        Self {
            area: Area::of(&path),
            kind: Kind::Fill(vec![path], Box::new(shader)),
            id,
            opaque: false,
            back: false,
            sheet: 0,
        }
    }

    /// A path filled with opaque colours.
    pub fn solid(
        path: Path,
        id: Option<Id>,
        shader: impl Fn(f32, f32) -> Rgb + Send + Sync + 'static,
    ) -> Self {
        Self::fill(path, id, move |x, y| (shader(x, y), 1.0)).opaque()
    }

    /// A field that ignores what is under it.
    pub fn cover(
        area: Area,
        id: Option<Id>,
        field: impl Fn(Spot<'_>) -> Rgb + Send + Sync + 'static,
    ) -> Self {
        Self::field(area, id, field).opaque()
    }

    /// The union of the paths, painted as one: shadows, washes.
    pub fn union(paths: Vec<Path>, shader: impl Fn(f32, f32) -> (Rgb, f32) + Send + Sync + 'static) -> Self {
        let area = paths
            .iter()
            .map(Area::of)
            .fold(Area(9.0, 9.0, -9.0, -9.0), |a, b| {
                Area(a.0.min(b.0), a.1.min(b.1), a.2.max(b.2), a.3.max(b.3))
            });
        Self {
            area,
            kind: Kind::Fill(paths, Box::new(shader)),
            id: None,
            opaque: false,
            back: false,
            sheet: 0,
        }
    }

    /// Colours that do not depend on what is under them. They are computed once even if a layer is painted alone.
    pub fn veil(
        area: Area,
        id: Option<Id>,
        veil: impl Fn(Spot<'_>) -> (Rgb, f32) + Send + Sync + 'static,
    ) -> Self {
        Self {
            area,
            kind: Kind::Veil(Box::new(veil)),
            id,
            opaque: false,
            back: false,
            sheet: 0,
        }
    }

    pub fn field(
        area: Area,
        id: Option<Id>,
        field: impl Fn(Spot<'_>) -> Rgb + Send + Sync + 'static,
    ) -> Self {
        Self {
            area,
            kind: Kind::Field(Box::new(field)),
            id,
            opaque: false,
            back: false,
            sheet: 0,
        }
    }
}

/// A part of the canvas in pixels: from and to, right and down.
pub(super) type Span = (usize, usize, usize, usize);

/// The pixels of a canvas that an operation may touch.
pub(super) fn span(frame: &Frame, op: &Op) -> Option<Span> {
    let from = |unit: f32| (frame.pixel(unit) - 1.0).floor().max(0.0) as usize;
    let to = |unit: f32, most: usize| ((frame.pixel(unit) + 2.0).ceil().max(0.0) as usize).min(most);
    let (x0, x1) = (from(op.area.0), to(op.area.2, frame.width));
    let (y0, y1) = (from(op.area.1), to(op.area.3, frame.height));
    (x0 < x1 && y0 < y1).then_some((x0, x1, y0, y1))
}

/// Coverage of paths within a part of the canvas, a byte a pixel.
pub(super) fn coverage(frame: &Frame, paths: &[Path], (x0, x1, y0, y1): Span) -> Option<Mask> {
    let mut mask = Mask::new((x1 - x0) as u32, (y1 - y0) as u32)?;
    let (px, margin) = (frame.px, frame.margin as f32);
    let onto = Transform::from_row(px, 0.0, 0.0, px, margin - x0 as f32, margin - y0 as f32);
    for path in paths {
        mask.fill_path(path, FillRule::Winding, true, onto);
    }
    Some(mask)
}

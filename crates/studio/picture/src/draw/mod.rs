//! Resolution-independent drawing: shapes and fields in units of the picture, painted band by band on a canvas.

mod band;
pub mod cel;
pub mod lettering;
mod op;
mod painter;
pub mod paths;
pub mod pen;
mod sheet;

pub use atelier_retouch::canvas::{self, Canvas, Frame};
pub use op::{Area, Op, Spot};
pub use painter::Painting;
pub use pen::{Form, Grain, Paint, Pen};
pub use sheet::{LayerKind, Sheet};

/// The numbers on the canvas that are things placed in the picture, rather than its ground.
pub type Figures = [bool; 256];

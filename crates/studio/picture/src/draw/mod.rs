//! Resolution-independent drawing: shapes and fields in units of the picture, painted band by band on a canvas.

mod band;
pub mod cel;
pub mod lettering;
pub mod painter;
pub mod paths;
pub mod pen;

pub use atelier_retouch::canvas::{self, Canvas, Frame};
pub use painter::{Op, Painting, Sheet};
pub use pen::{Form, Grain, Paint, Pen};

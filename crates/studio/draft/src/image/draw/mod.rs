//! Drawing without pixels in mind: shapes and fields in units of the picture, painted band by band on a canvas.

pub(crate) mod canvas;
pub(crate) mod cel;
pub(crate) mod lettering;
pub(crate) mod painter;
pub(crate) mod pen;

pub(crate) use canvas::{Canvas, Frame};
pub(crate) use painter::{Op, Painting, Sheet};
pub(crate) use pen::{Form, Grain, Paint, Pen};

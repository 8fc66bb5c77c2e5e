//! Moving pictures: what all video tasks share. [`Order`] is what a request asks for, [`Film`] is where frames and sound go.

pub(crate) mod edit;
mod film;
pub(crate) mod flow;
mod order;
mod size;

pub use film::{About, Film, Form, SAMPLES_A_SECOND, refused};
pub use order::Order;
pub use size::dimensions;

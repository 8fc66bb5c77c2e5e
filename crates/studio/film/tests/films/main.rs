//! Films as the writer makes them and the reader understands them.

mod common;
mod edits;
mod reading;
mod writing;

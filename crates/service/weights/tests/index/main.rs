//! The index of weights: its schema, the shipped entries, and the page that describes them.

mod documented;
mod shipped;

//! What the tasks make of a request, and what they say about it.

mod marks;
mod metadata;
mod tools;
mod webp;

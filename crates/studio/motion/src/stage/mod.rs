//! A stage: a composed scene as cards at their depths, with a moving camera and moving cards.
//!
//! Textures are painted once for each light and sampled at fractions of pixels. An upright thing is a card at one
//! depth; ground is a plane that is sampled row by row. Water mirrors the frame above it, broken by waves.

pub(crate) mod act;
pub(crate) mod actor;
pub(crate) mod card;
pub(crate) mod draw;
pub(crate) mod effects;
pub(crate) mod glow;
pub(crate) mod moment;
pub(crate) mod paint;
pub(crate) mod surface;
pub(crate) mod view;
pub(crate) mod weather;
pub(crate) mod world;

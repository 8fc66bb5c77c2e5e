//! A stage: a composed scene as cards at their depths, before which a camera moves while they move themselves.
//!
//! Textures are painted once for each light and sampled at fractions of pixels. What stands upright is a card at one depth;
//! ground is a plane that is sampled row by row. Water mirrors the frame as it is, broken by waves.

pub(crate) mod act;
pub(crate) mod actor;
pub(crate) mod card;
pub(crate) mod draw;
pub(crate) mod effects;
pub(crate) mod glow;
pub(crate) mod paint;
pub(crate) mod surface;
pub(crate) mod view;
pub(crate) mod weather;
pub(crate) mod world;

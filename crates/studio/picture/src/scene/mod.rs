//! The composition of one picture: from the parsed prompt to painting operations.

mod abstraction;
mod beyond;
mod city;
mod compose;
mod figures;
mod indoors;
mod iso;
mod land;
mod lettered;
mod open_land;
mod outdoors;
mod portrait;
mod put;
mod range;
mod relations;
pub mod sky;
mod sprite;
mod water;

pub use compose::{Cuts, Fixed, compose, over};

use super::chance::Rng;
use super::color::Rgb;
use super::draw::canvas::Id;
use super::draw::{Area, Figures, Frame, LayerKind, Op, Painting, Sheet};
use crate::light::Light;
use std::sync::Arc;

pub use sprite::Sprite;
pub use water::Water;

/// A thing placed in the picture, for the metadata and for callers.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    pub name: String,
    /// Left, top, right, bottom in units of the frame.
    pub area: (f32, f32, f32, f32),
    pub depth: f32,
}

/// A picture ready to be painted.
#[derive(Debug)]
pub struct Scene {
    pub painting: Painting,
    pub light: Light,
    pub placed: Vec<Placed>,
    pub setting: &'static str,
    pub seed: u32,
    pub figures: Figures,
    /// The height of the horizon, in units from the top; none if it is not visible.
    pub horizon: Option<f32>,
    pub glows: Vec<Glow>,
    /// The sun or the moon, if the sky shows it or was told to leave it out.
    pub disc: Option<Disc>,
    pub water: Option<Water>,
}

/// Light around a lamp, in units; it belongs to a sheet.
#[derive(Debug, Clone, Copy)]
pub struct Glow {
    pub x: f32,
    pub y: f32,
    pub reach: f32,
    pub color: Rgb,
    pub sheet: usize,
}

/// The sun or the moon, in units.
#[derive(Debug, Clone, Copy)]
pub struct Disc {
    pub x: f32,
    pub radius: f32,
    /// The moon's phase; none for the sun.
    pub phase: Option<f32>,
    /// Whether it is visible now: not if it is too high for the frame.
    pub shown: bool,
    pub seed: u32,
}

/// How far the world is painted beyond the picture's borders, in units, so that a camera can move in it.
pub const BLEED: f32 = 0.3;

/// A picture in progress.
#[derive(Debug)]
pub struct Easel {
    pub frame: Frame,
    pub light: Light,
    pub rng: Rng,
    pub painting: Painting,
    pub placed: Vec<Placed>,
    /// Light to add when everything else is painted: lamps, the glow of the sun.
    glows: Vec<Glow>,
    /// All lights that were added so far.
    lights: Vec<Glow>,
    ids: u32,
    figures: Figures,
    /// The course of a road: height, left and right.
    road: Vec<(f32, f32, f32)>,
    horizon: Option<f32>,
    /// Whether the sun and the moon are left out of the sky, because they will move.
    bare_sky: bool,
    disc: Option<Disc>,
    water: Option<Water>,
    /// The cut-out of each reference, if any.
    pub sprites: Vec<Option<Arc<Sprite>>>,
}

impl Easel {
    pub fn new(frame: Frame, light: Light, rng: Rng) -> Self {
        Self {
            frame,
            light,
            rng,
            painting: Painting::new(),
            placed: Vec::new(),
            glows: Vec::new(),
            lights: Vec::new(),
            ids: 0,
            figures: [false; 256],
            road: Vec::new(),
            horizon: None,
            bare_sky: false,
            disc: None,
            water: None,
            sprites: Vec::new(),
        }
    }

    /// Starts a layer that is upright at one depth; returns its number.
    pub fn layer(&mut self, kind: LayerKind, depth: f32) -> usize {
        self.spread(kind, depth, depth)
    }

    /// Starts a layer that lies from one depth to another, like ground.
    pub fn spread(&mut self, kind: LayerKind, depth: f32, near: f32) -> usize {
        self.painting.sheet(Sheet {
            kind,
            name: None,
            depth,
            near,
            contact: None,
            flip: 1.0,
        })
    }

    /// The depth of something that stands on the ground here: 1 at the horizon, 0 at the picture's lower edge.
    fn distance(&self, y: f32) -> f32 {
        let horizon = self.horizon.unwrap_or(0.0);
        (1.0 - (y - horizon) / (self.frame.h - horizon).max(0.01)).clamp(0.0, 1.0)
    }

    /// A number for the next thing; numbers repeat after 250.
    pub fn id(&mut self) -> Id {
        self.ids += 1;
        (self.ids % 250 + 1) as Id
    }

    pub fn add(&mut self, op: Op) {
        self.painting.add(op);
    }

    pub fn glow(&mut self, x: f32, y: f32, reach: f32, color: Rgb) {
        if self.glows.len() < 260 {
            self.glows.push(Glow {
                x,
                y,
                reach,
                color,
                sheet: self.painting.current(),
            });
        }
    }

    /// Whether a place is on the road, if there is one.
    fn on_road(&self, x: f32, y: f32) -> bool {
        let at = self.road.partition_point(|(row, ..)| *row > y);
        self.road
            .get(at)
            .is_some_and(|(_, left, right)| x > *left && x < *right)
    }

    /// Adds the collected light.
    pub fn shine(&mut self) {
        if self.glows.is_empty() {
            return;
        }
        let strength = if self.light.flat { 0.4 } else { 0.62 };
        self.lights.extend_from_slice(&self.glows);
        for Glow {
            x, y, reach, color, ..
        } in std::mem::take(&mut self.glows)
        {
            let area = Area(x - reach, y - reach, x + reach, y + reach);
            self.add(Op::field(area, None, move |spot| {
                let d = (spot.x - x).hypot(spot.y - y) / reach;
                if d >= 1.0 {
                    return spot.under;
                }
                let t = (1.0 - d) * (1.0 - d) * (1.0 - d * 0.5);
                spot.under.screen(color.scale(t * strength))
            }));
        }
    }
}

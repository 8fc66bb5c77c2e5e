//! Faces: where they are in a picture, and where their mouths are. Faces of people are found by one trained network
//! (`detector`) and their features by another (`landmarks`); drawings and animals by saliency and the features of a
//! face: see [`Face::of_subject`].

mod area;
mod detector;
mod landmarks;
mod mouth;
mod subject;
#[cfg(test)]
mod tests;

use crate::canvas::Canvas;
use area::Area;
use detector::Found;
use landmarks::Landmarks;
use mouth::mouth;

/// The longer sides at which a whole picture is searched, one after the other until there is a face: small faces are
/// found at the first one, large ones more surely at the second.
const SIDES: [usize; 2] = [512, 320];
/// The side at which a square around a face that is known is searched.
const NEAR: usize = 224;
/// The side of that square, in sides of the face.
const ABOUT: f32 = 2.5;
/// How sure the detector must be: on photographs of eleven faces it found all from 0.3 to 0.6, and nothing else.
const SURE: f32 = 0.4;
/// The square of a face is this many times as large as the distance between eyes and mouth, and this share of it is
/// above the eyes.
const SQUARE: f32 = 2.4;
const EYES: f32 = 0.365;

/// A face, in pixels of the picture: its square, and its mouth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Face {
    pub x: f32,
    pub y: f32,
    pub side: f32,
    pub mouth: Mouth,
}

/// The centre of the line along which a mouth opens, and half of its width.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mouth {
    pub x: f32,
    pub y: f32,
    pub half: f32,
    /// How much higher its corners are.
    pub lift: f32,
    /// How visible the teeth are above the line, 0 to 1.
    pub teeth: f32,
    /// How far the head reaches from the centre to the left and to the right: in profile a mouth ends where the head
    /// does.
    pub room: (f32, f32),
}

impl Mouth {
    /// How much of a half opening `half` the head has room for, on the side of a place `x`.
    pub fn half_at(&self, x: f32, half: f32) -> f32 {
        half.min(if x < self.x { self.room.0 } else { self.room.1 })
    }
}

impl Face {
    /// The largest face of a picture that the networks see; searched near `about` if that is known.
    pub fn in_picture(canvas: &Canvas, about: Option<Self>) -> Option<Self> {
        let found = match about {
            Some(Self { x, y, side, .. }) => {
                let (x, y) = (x + 0.5 * side, y + 0.5 * side);
                detector::find(canvas, Area::square(x, y, ABOUT * side), NEAR, SURE)
            }
            None => SIDES
                .into_iter()
                .map(|side| detector::find(canvas, Area::whole(canvas), side, SURE))
                .find(|found| !found.is_empty())?,
        };
        let size = |found: &Found| found.width * found.height;
        let largest = found.into_iter().max_by(|a, b| size(a).total_cmp(&size(b)))?;
        Some(Self::of(canvas, &Landmarks::of(canvas, largest.square())))
    }

    fn of(canvas: &Canvas, features: &Landmarks) -> Self {
        let (eyes, lips) = (features.eyes(), features.lips());
        let side = SQUARE * (lips.0 - eyes.0).hypot(lips.1 - eyes.1);
        let corner = (0.5 * (eyes.0 + lips.0 - side), eyes.1 - EYES * side);
        Self {
            x: corner.0,
            y: corner.1,
            side,
            mouth: mouth(canvas, corner, side, features),
        }
    }

    pub fn scaled(self, k: f32) -> Self {
        Self {
            x: k * self.x,
            y: k * self.y,
            side: k * self.side,
            mouth: Mouth {
                x: k * self.mouth.x,
                y: k * self.mouth.y,
                half: k * self.mouth.half,
                lift: k * self.mouth.lift,
                teeth: self.mouth.teeth,
                room: (k * self.mouth.room.0, k * self.mouth.room.1),
            },
        }
    }

    /// A mixture of two, `part` of it the other.
    pub fn mixed(self, other: Self, part: f32) -> Self {
        let mix = |a: f32, b: f32| a + (b - a) * part;
        Self {
            x: mix(self.x, other.x),
            y: mix(self.y, other.y),
            side: mix(self.side, other.side),
            mouth: Mouth {
                x: mix(self.mouth.x, other.mouth.x),
                y: mix(self.mouth.y, other.mouth.y),
                half: mix(self.mouth.half, other.mouth.half),
                lift: mix(self.mouth.lift, other.mouth.lift),
                teeth: mix(self.mouth.teeth, other.mouth.teeth),
                room: (
                    mix(self.mouth.room.0, other.mouth.room.0),
                    mix(self.mouth.room.1, other.mouth.room.1),
                ),
            },
        }
    }
}

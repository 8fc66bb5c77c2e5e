//! Everything that can be drawn by name. One table for each family of things; a row has its words, where it is
//! found, its real height, and the drawing itself.

// Drawings are tables of outlines: one shape per line keeps them readable.
#[rustfmt::skip]
mod beasts;
#[rustfmt::skip]
mod birds;
#[rustfmt::skip]
mod body;
#[rustfmt::skip]
mod buildings;
#[rustfmt::skip]
mod craft;
#[rustfmt::skip]
mod food;
#[rustfmt::skip]
mod heaven;
#[rustfmt::skip]
mod hoofed;
#[rustfmt::skip]
mod objects;
#[rustfmt::skip]
mod people;
#[rustfmt::skip]
mod plants;
#[rustfmt::skip]
mod vehicles;

pub use people::profile;

use super::color::Rgb;
use super::draw::Pen;
use super::light::Light;

/// The usual place of a thing, if the prompt does not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Home {
    Ground,
    Water,
    Air,
    /// Sun, moon and other things far behind everything.
    Heaven,
    Table,
    Deep,
    Space,
}

/// The requested appearance.
#[derive(Debug)]
pub struct Look<'a> {
    pub light: &'a Light,
    pub color: Option<Rgb>,
}

impl Look<'_> {
    /// The requested colour, or its own.
    pub fn color(&self, own: u32) -> Rgb {
        self.color.unwrap_or(Rgb::hex(own))
    }
}

pub struct Subject {
    /// Names and synonyms in the singular, separated by bars; the first is its name.
    pub words: &'static str,
    pub home: Home,
    /// Real height in metres, which gives relative sizes.
    pub metres: f32,
    pub draw: fn(&mut Pen, &Look<'_>),
}

impl std::fmt::Debug for Subject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl Subject {
    const fn new(words: &'static str, home: Home, metres: f32, draw: fn(&mut Pen, &Look<'_>)) -> Self {
        Self {
            words,
            home,
            metres,
            draw,
        }
    }

    pub fn name(&self) -> &'static str {
        self.words.split('|').next().unwrap_or_default()
    }
}

/// Something that is cut out of a picture; it is never drawn.
pub static CUTOUT: Subject = Subject::new("cut-out", Home::Ground, 1.7, |_, _| {});
/// The same in the air.
pub static CUTOUT_ALOFT: Subject = Subject::new("cut-out aloft", Home::Air, 3.4, |_, _| {});

/// Every subject there is.
pub fn all() -> impl Iterator<Item = &'static Subject> {
    [
        buildings::ALL,
        plants::ALL,
        beasts::ALL,
        birds::ALL,
        people::ALL,
        craft::ALL,
        vehicles::ALL,
        objects::ALL,
        food::ALL,
        heaven::ALL,
    ]
    .into_iter()
    .flatten()
}

pub fn named(name: &str) -> Option<&'static Subject> {
    all().find(|subject| subject.name() == name)
}

//! The meanings of a phrase in a prompt.

use crate::light::{Season, Time, Weather};
use crate::style::Style;
use crate::subjects::Subject;

/// Land and water: what a scene is built of, rather than what stands in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Terrain {
    Mountains,
    Hills,
    Forest,
    Meadow,
    Flowers,
    Field,
    Desert,
    Beach,
    Sea,
    Harbor,
    Lake,
    River,
    Waterfall,
    Cliff,
    Island,
    Volcano,
    Canyon,
    City,
    Village,
    Road,
    Path,
    Garden,
    Snowfield,
}

impl Terrain {
    pub fn name(self) -> &'static str {
        match self {
            Self::Mountains => "mountains",
            Self::Hills => "hills",
            Self::Forest => "forest",
            Self::Meadow => "meadow",
            Self::Flowers => "flowers",
            Self::Field => "field",
            Self::Desert => "desert",
            Self::Beach => "beach",
            Self::Sea => "sea",
            Self::Harbor => "harbor",
            Self::Lake => "lake",
            Self::River => "river",
            Self::Waterfall => "waterfall",
            Self::Cliff => "cliff",
            Self::Island => "island",
            Self::Volcano => "volcano",
            Self::Canyon => "canyon",
            Self::City => "city",
            Self::Village => "village",
            Self::Road => "road",
            Self::Path => "path",
            Self::Garden => "garden",
            Self::Snowfield => "snow",
        }
    }
}

/// The place of the scene, unless it is simply outdoors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    Table,
    Room,
    Wall,
    Space,
    Moon,
    Underwater,
    Sky,
    Poster,
    Abstract,
    Portrait,
    /// A plain ground and nothing else.
    Plain,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mood {
    Calm,
    Joyful,
    Gloomy,
    Dramatic,
    Dreamy,
    Mysterious,
    Cozy,
    Energetic,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Camera {
    Wide,
    Close,
    Aerial,
    Low,
    Profile,
}

/// A change to the colours as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Palette {
    Pastel,
    Monochrome,
    Sepia,
    Vivid,
    Muted,
    Warm,
    Cool,
    Dark,
    Bright,
    Vapor,
}

impl Palette {
    /// The name that metadata uses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pastel => "pastel",
            Self::Monochrome => "monochrome",
            Self::Sepia => "sepia",
            Self::Vivid => "vivid",
            Self::Muted => "muted",
            Self::Warm => "warm",
            Self::Cool => "cool",
            Self::Dark => "dark",
            Self::Bright => "bright",
            Self::Vapor => "vapor",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    On,
    In,
    Under,
    Above,
    Behind,
    Before,
    Left,
    Right,
    Beside,
    ReflectedIn,
    LeaningOn,
}

/// The meaning of a phrase.
#[derive(Debug, Clone, Copy)]
pub enum Word {
    Subject(&'static Subject),
    Terrain(Terrain),
    Place(Place),
    Time(Time),
    Weather(Weather),
    Season(Season),
    Style(Style),
    Mood(Mood),
    Camera(Camera),
    Palette(Palette),
    Color(u32),
    Count(u32),
    Size(f32),
    Relation(Relation),
    Not,
    /// Adds the following things to an existing picture.
    Add,
    /// Has no visible meaning.
    Filler,
}

impl PartialEq for Word {
    fn eq(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

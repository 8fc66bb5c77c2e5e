//! Chooses the picture for a prompt: first the light, then the setting, then everything in it.

use super::{Easel, Scene, Sprite, abstraction, beyond, figures, indoors, iso, lettered, outdoors, portrait};
use crate::chance::Rng;
use crate::draw::LayerKind;
use crate::light::{Light, Season, Time, Weather};
use crate::prompt::Prompt;
use crate::prompt::meaning::{Mood, Place, Terrain};
use crate::style::Style;
use crate::subjects::Home;
use atelier_retouch::canvas::Frame;
use atelier_retouch::rgb::Rgb;
use std::sync::Arc;

/// The kinds of pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Setting {
    Outdoors,
    Table,
    Wall,
    Portrait,
    Space,
    Moon,
    Underwater,
    Sky,
    Abstract,
    Poster,
}

impl Setting {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Outdoors => "landscape",
            Self::Table => "still life",
            Self::Wall => "against a wall",
            Self::Portrait => "portrait",
            Self::Space => "space",
            Self::Moon => "lunar surface",
            Self::Underwater => "underwater",
            Self::Sky => "sky",
            Self::Abstract => "abstract",
            Self::Poster => "poster",
        }
    }

    fn of(prompt: &Prompt) -> Self {
        let homes = |home: Home| prompt.mentions.iter().filter(|m| m.subject.home == home).count();
        let most = prompt.mentions.len();
        let is = |name: &str| prompt.mentions.iter().any(|m| m.subject.name() == name);
        match prompt.place {
            Some(Place::Portrait | Place::Plain) if most > 0 => return Self::Portrait,
            Some(Place::Poster) if !prompt.quotes.is_empty() && most == 0 && prompt.terrain.is_empty() => {
                return Self::Poster;
            }
            Some(Place::Moon) => return Self::Moon,
            Some(Place::Space) => return Self::Space,
            Some(Place::Underwater) => return Self::Underwater,
            Some(Place::Abstract) if most == 0 && prompt.terrain.is_empty() => return Self::Abstract,
            Some(Place::Table) => return Self::Table,
            Some(Place::Room) if most > 0 && prompt.terrain.is_empty() => return Self::Table,
            Some(Place::Wall) if most > 0 => return Self::Wall,
            Some(Place::Sky) => return Self::Sky,
            _ => {}
        }
        if !prompt.terrain.is_empty() {
            return Self::Outdoors;
        }
        if homes(Home::Deep) > 0 && homes(Home::Deep) + homes(Home::Heaven) == most {
            return Self::Underwater;
        }
        if homes(Home::Space) > 0
            && homes(Home::Space) + homes(Home::Heaven) + usize::from(is("astronaut")) == most
        {
            return Self::Space;
        }
        if homes(Home::Table) > 0 && homes(Home::Table) * 2 > most {
            return Self::Table;
        }
        if homes(Home::Air) > 0 && homes(Home::Air) + homes(Home::Heaven) == most {
            return Self::Sky;
        }
        if most > 0 {
            return Self::Outdoors;
        }
        if !prompt.quotes.is_empty() {
            return Self::Poster;
        }
        if prompt.time.is_some() || prompt.weather.is_some() || prompt.season.is_some() {
            // Only light and weather: a landscape.
            return if prompt.unknown.len() > 2 {
                Self::Abstract
            } else {
                Self::Outdoors
            };
        }
        Self::Abstract
    }
}

/// Cut-outs of references, to be placed in a scene.
#[derive(Debug, Default)]
pub struct Cuts {
    /// The subject of each reference, if it was asked for and found.
    pub sprites: Vec<Option<Arc<Sprite>>>,
    /// A subject that keeps its place in the frame.
    pub fixed: Option<Fixed>,
    /// Whether the sun and the moon are left out of the sky.
    pub bare_sky: bool,
}

/// A subject that keeps its place: its horizontal centre, its foot and its height, in units.
#[derive(Debug)]
pub struct Fixed {
    pub sprite: Arc<Sprite>,
    pub x: f32,
    pub y: f32,
    pub high: f32,
}

/// Composes one picture.
pub fn compose(prompt: &Prompt, style: Style, frame: Frame, seed: u64, cuts: Cuts) -> Scene {
    let mut rng = Rng::new(seed);
    let mut setting = Setting::of(prompt);
    let plain = prompt.terrain.is_empty() && prompt.mentions.is_empty() && prompt.place.is_none();
    if cuts.fixed.is_some() && plain && prompt.time.is_none() && prompt.weather.is_none() {
        // A background without a description is a plain one.
        setting = Setting::Portrait;
    }
    let mut light = light(prompt, setting, &mut rng.fork("light"));
    light.flat = style.is_flat();
    light.extra = frame.extra();
    let finish = rng.fork("finish").seed();
    let mut easel = Easel::new(frame, light, rng);
    easel.sprites = cuts.sprites;
    easel.bare_sky = cuts.bare_sky;
    match setting {
        Setting::Outdoors | Setting::Sky if style == Style::Isometric => iso::diorama(&mut easel, prompt),
        Setting::Outdoors => outdoors::outdoors(&mut easel, prompt),
        Setting::Sky => beyond::aloft(&mut easel, prompt),
        Setting::Table => indoors::table(&mut easel, prompt),
        Setting::Wall => indoors::wall(&mut easel, prompt),
        Setting::Portrait => portrait::portrait(&mut easel, prompt),
        Setting::Space => beyond::space(&mut easel, prompt, false),
        Setting::Moon => beyond::space(&mut easel, prompt, true),
        Setting::Underwater => beyond::underwater(&mut easel, prompt),
        Setting::Abstract => abstraction::abstraction(&mut easel, prompt),
        Setting::Poster => lettered::backdrop(&mut easel, prompt),
    }
    if let Some(fixed) = cuts.fixed {
        easel.put_fixed(fixed);
    }
    easel.layer(LayerKind::Glow, 0.0);
    easel.shine();
    easel.layer(LayerKind::Lettering, 0.0);
    lettered::lettering(&mut easel, prompt, setting == Setting::Poster);
    Scene {
        painting: easel.painting,
        light: easel.light,
        placed: easel.placed,
        setting: setting.name(),
        seed: finish,
        figures: easel.figures,
        horizon: easel.horizon,
        glows: easel.lights,
        disc: easel.disc,
        water: easel.water,
    }
}

fn light(prompt: &Prompt, setting: Setting, rng: &mut Rng) -> Light {
    let weather = prompt.weather.unwrap_or(match prompt.mood {
        Some(Mood::Gloomy) => Weather::Overcast,
        Some(Mood::Mysterious) => Weather::Fog,
        _ => Weather::Clear,
    });
    let moon = prompt.mentions.iter().any(|m| m.subject.name() == "moon");
    let time = prompt
        .time
        .unwrap_or_else(|| match (setting, prompt.mood, weather) {
            (Setting::Space | Setting::Moon, ..) => Time::Day,
            (Setting::Table | Setting::Wall | Setting::Portrait, ..) => Time::Morning,
            _ if moon => Time::Night,
            (_, Some(Mood::Calm), _) => rng.pick(&[Time::Dawn, Time::Morning, Time::Golden]),
            (_, Some(Mood::Dramatic), _) => Time::Sunset,
            (_, Some(Mood::Dreamy), _) => rng.pick(&[Time::Dawn, Time::Dusk]),
            (_, Some(Mood::Mysterious | Mood::Gloomy), _) => Time::Dusk,
            (_, Some(Mood::Cozy), _) => Time::Golden,
            (_, _, Weather::Clear) if prompt.has(Terrain::City) => {
                rng.pick(&[Time::Golden, Time::Dusk, Time::Sunset])
            }
            (_, _, Weather::Rain | Weather::Storm) if prompt.has(Terrain::City) => Time::Night,
            (_, _, Weather::Clear) => rng.pick(&[Time::Morning, Time::Golden, Time::Day]),
            _ => Time::Day,
        });
    let season = prompt
        .season
        .unwrap_or(if weather == Weather::Snow || prompt.has(Terrain::Snowfield) {
            Season::Winter
        } else {
            Season::Summer
        });
    Light::new(time, weather, season, rng)
}

/// Composes the things to draw over an existing picture: added things, falling weather, words.
pub fn over(prompt: &Prompt, frame: Frame, rng: &mut Rng, mean: Rgb) -> Scene {
    let weather = prompt.weather.unwrap_or(Weather::Clear);
    let time = prompt
        .time
        .unwrap_or(if mean.luma() < 0.2 { Time::Night } else { Time::Day });
    let mut light = Light::new(
        time,
        weather,
        prompt.season.unwrap_or(Season::Summer),
        &mut rng.fork("light"),
    );
    // Things take the light of the picture.
    light.ambient = light.ambient.mix(mean.scale(1.15), 0.5);
    light.haze = light.haze.mix(mean, 0.4);
    light.extra = frame.extra();
    let finish = rng.fork("finish").seed();
    let mut easel = Easel::new(frame, light, rng.fork("easel"));
    figures::added(&mut easel, prompt);
    super::sky::fall(&mut easel, frame.h * 0.5);
    easel.shine();
    lettered::lettering(&mut easel, prompt, false);
    let setting = "edit of a reference";
    Scene {
        painting: easel.painting,
        light: easel.light,
        placed: easel.placed,
        setting,
        seed: finish,
        figures: easel.figures,
        horizon: easel.horizon,
        glows: easel.lights,
        disc: None,
        water: None,
    }
}

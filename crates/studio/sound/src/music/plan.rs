//! Interprets an order: finds genre, mood, tempo, key, metre, instruments and singer in its words.

use super::{
    genre::{self, COMMON, Genre, Harmony},
    instrument::Instrument,
    theory::{Key, Mode},
    words::{holds, plain},
};
use crate::chance::{Rng, hash};

mod read;

use read::{genres_in, instruments_in, key_in, metre, mood_in, tempo, without_refusals};

/// The requested voice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gender {
    Female,
    Male,
}

/// How richly a piece is arranged. Each profile belongs to one version of the model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Profile {
    pub name: &'static str,
    /// The most accompanying instruments.
    pub layers: usize,
    /// Whether drum fills lead from one section to the next.
    pub fills: bool,
    /// Whether a second voice or a second lead joins the chorus.
    pub doubled: bool,
    /// Width of the stereo image, 0 to 1.
    pub width: f32,
    /// How much of the genre's unevenness is played.
    pub human: f32,
    /// How much sections differ in strength, 0 to 1.
    pub contrast: f32,
}

/// The profiles, from the plainest to the richest.
pub const PROFILES: [Profile; 6] = [
    Profile {
        name: "v4",
        layers: 2,
        fills: false,
        doubled: false,
        width: 0.55,
        human: 0.3,
        contrast: 0.5,
    },
    Profile {
        name: "v4_5",
        layers: 3,
        fills: true,
        doubled: false,
        width: 0.7,
        human: 0.5,
        contrast: 0.6,
    },
    Profile {
        name: "v4_5all",
        layers: 3,
        fills: true,
        doubled: false,
        width: 0.8,
        human: 0.7,
        contrast: 0.7,
    },
    Profile {
        name: "v4_5plus",
        layers: 3,
        fills: true,
        doubled: true,
        width: 0.85,
        human: 0.8,
        contrast: 0.8,
    },
    Profile {
        name: "v5",
        layers: 4,
        fills: true,
        doubled: true,
        width: 0.95,
        human: 1.0,
        contrast: 0.9,
    },
    Profile {
        name: "v5_5",
        layers: 5,
        fills: true,
        doubled: true,
        width: 1.0,
        human: 1.0,
        contrast: 1.0,
    },
];

impl Profile {
    pub fn named(name: &str) -> Option<Self> {
        PROFILES.into_iter().find(|profile| profile.name == name)
    }
}

/// A request for a piece.
#[derive(Debug, Clone)]
pub struct Order {
    /// The idea. If `lyrics` are given, its words are not sung.
    pub prompt: String,
    pub style: String,
    pub title: String,
    /// Lyrics to sing word for word.
    pub lyrics: Option<String>,
    pub instrumental: bool,
    pub gender: Option<Gender>,
    pub profile: Profile,
    /// 0 to 1: how closely to keep to the style; 0.7 by default.
    pub style_weight: f32,
    /// 0 to 1: how unusual the piece may be; 0.2 by default.
    pub weirdness: f32,
    /// 0 to 1: sound against words; 0.5 by default.
    pub audio_weight: f32,
    /// The things to leave out.
    pub negative: String,
    pub persona: Option<String>,
    /// Approximate length. By default, genre and lyrics decide.
    pub seconds: Option<f64>,
    /// Set if the music must fit into an existing recording.
    pub fit: Option<Fit>,
    pub seed: u64,
}

/// The tempo, key and length that new music has to fit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fit {
    pub bpm: f64,
    pub key: Key,
    /// Number of bars. They have neither an intro nor an outro.
    pub bars: usize,
}

impl Order {
    /// An order with nothing but an idea.
    pub fn new(prompt: &str, seed: u64) -> Self {
        Self {
            prompt: prompt.to_owned(),
            style: String::new(),
            title: String::new(),
            lyrics: None,
            instrumental: false,
            gender: None,
            profile: PROFILES[5],
            style_weight: 0.7,
            weirdness: 0.2,
            audio_weight: 0.5,
            negative: String::new(),
            persona: None,
            seconds: None,
            fit: None,
            seed,
        }
    }
}

/// The interpretation of an order.
#[derive(Debug, Clone)]
pub struct Plan {
    pub genre: &'static Genre,
    /// A second genre that was named: instruments and harmonies may come from it.
    pub also: Option<&'static Genre>,
    pub mood: Option<&'static str>,
    pub bpm: f64,
    pub key: Key,
    pub harmony: Harmony,
    pub beats: usize,
    /// Requested instruments.
    pub wanted: Vec<Instrument>,
    /// Refused instruments.
    pub unwanted: Vec<Instrument>,
    pub drums: bool,
    pub sung: bool,
    pub female: bool,
    pub seconds: f64,
    /// The words that were understood.
    pub understood: Vec<String>,
}

/// Interprets an order.
pub fn plan(order: &Order) -> Plan {
    let mut rng = Rng::named(order.seed, "plan");
    let idea = if order.lyrics.is_some() {
        String::new()
    } else {
        plain(&order.prompt)
    };
    let style = plain(&order.style);
    let title = plain(&order.title);
    let (text, refused) = without_refusals(&format!("{style} {idea} {title}"));
    let negative = format!("{} {refused}", plain(&order.negative));
    let mut understood = Vec::new();

    let mood = mood_in(&text);
    let (light, lively) = mood.map_or((0.0, 0.0), |(_, _, light, lively)| (*light, *lively));
    let named = genres_in(&text, &negative);
    let genre = named
        .first()
        .copied()
        .unwrap_or_else(|| likely(light, lively, &negative, &text, &mut rng));
    if !named.is_empty() {
        understood.push(format!("genre: {}", genre.name));
    }
    if let Some((name, ..)) = mood {
        understood.push(format!("mood: {name}"));
    }
    let also = named.get(1).copied().or_else(|| {
        // The lower the style weight, the more influence another genre has.
        let strays = rng.chance((0.75 - order.style_weight).max(0.0));
        let others: Vec<_> = genre::all()
            .filter(|other| other.name != genre.name && !holds(&negative, other.name))
            .collect();
        let other = *rng.pick(&others);
        strays.then_some(other)
    });

    let key_named = order.fit.map(|fit| fit.key).or_else(|| key_in(&text));
    let harmony = harmony_for(genre, also, light, key_named.map(|key| key.mode), order, &mut rng);
    let tonic = key_named.map_or_else(|| rng.below(12) as i32, |key| key.tonic);
    let key = Key {
        tonic,
        mode: key_named.map_or(harmony.mode, |key| key.mode),
    };
    if key_named.is_some() && order.fit.is_none() {
        understood.push(format!("key: {}", key.name()));
    }
    let (bpm, beats) = match order.fit {
        Some(fit) => (fit.bpm, 4),
        None => (
            tempo(genre, lively, &text, order, &mut rng, &mut understood),
            metre(genre, &text, order, &mut rng, &mut understood),
        ),
    };

    let unwanted: Vec<_> = Instrument::ALL
        .into_iter()
        .filter(|instrument| instrument.is_named_in(&negative))
        .collect();
    let wanted = instruments_in(&text, &unwanted);
    understood.extend(
        wanted
            .iter()
            .map(|instrument| format!("instrument: {}", instrument.name())),
    );
    understood.extend(
        unwanted
            .iter()
            .map(|instrument| format!("without: {}", instrument.name())),
    );
    let drums = !["drums", "drum", "percussion", "beat", "beats"]
        .iter()
        .any(|word| holds(&negative, word));
    let voiceless = [
        "vocals", "vocal", "voice", "voices", "singing", "lyrics", "singer",
    ];
    let wordless = order.lyrics.is_none() && holds(&text, "instrumental");
    let refused = voiceless.iter().any(|word| holds(&negative, word));
    let sung = !(order.instrumental || wordless || refused);
    let female = gender(order, &text, &mut rng);
    let seconds = order
        .seconds
        .unwrap_or_else(|| f64::from(rng.between(genre.seconds.0, genre.seconds.1)));
    Plan {
        genre,
        also,
        mood: mood.map(|(name, ..)| *name),
        bpm,
        key,
        harmony,
        beats,
        wanted,
        unwanted,
        drums,
        sung,
        female,
        seconds,
        understood,
    }
}

/// A genre for an order that names none.
fn likely(light: f32, lively: f32, negative: &str, text: &str, rng: &mut Rng) -> &'static Genre {
    let names: &[&str] = match (light > 0.25, light < -0.25, lively > 0.35, lively < -0.35) {
        (_, true, true, _) => &["rock", "drum and bass", "film score", "synthwave"],
        (_, true, ..) => &["folk", "classical piano", "soul", "film score"],
        (_, _, true, _) => &["pop", "disco", "house", "rock", "funk"],
        (_, _, _, true) => &["folk", "lo-fi", "classical piano", "bossa nova", "ambient"],
        _ => &["pop", "folk", "synthwave", "rock", "soul", "country"],
    };
    let instruments = instruments_in(text, &[]);
    let plays = |genre: &Genre| {
        instruments
            .iter()
            .filter(|instrument| {
                genre.leads.contains(instrument)
                    || genre
                        .layers
                        .iter()
                        .any(|layer| layer.choices.contains(instrument))
            })
            .count()
    };
    let allowed = |genre: &&'static Genre| !holds(negative, genre.name);
    let mut fitting: Vec<_> = names
        .iter()
        .filter_map(|name| genre::named(name))
        .filter(allowed)
        .collect();
    if !instruments.is_empty() {
        let most = fitting.iter().map(|genre| plays(genre)).max().unwrap_or(0);
        fitting.retain(|genre| plays(genre) == most);
    }
    if fitting.is_empty() {
        fitting = genre::all().filter(allowed).collect();
    }
    fitting
        .get(rng.below(fitting.len()))
        .copied()
        .unwrap_or(genre::FALLBACK)
}

/// Progressions of the right mode: the genre's own, then those of its neighbour, then common ones.
fn harmony_for(
    genre: &Genre,
    also: Option<&Genre>,
    light: f32,
    named: Option<Mode>,
    order: &Order,
    rng: &mut Rng,
) -> Harmony {
    let minor = match named {
        Some(mode) => Some(mode.is_minor()),
        None if light.abs() > 0.4 => Some(light < 0.0),
        None => None,
    };
    let fits = |harmony: &&Harmony| minor.is_none_or(|minor| harmony.mode.is_minor() == minor);
    let own: Vec<&Harmony> = genre.harmonies.iter().filter(fits).collect();
    let others: Vec<&Harmony> = also
        .map_or(&[][..], |also| also.harmonies)
        .iter()
        .filter(fits)
        .collect();
    if !others.is_empty() && rng.chance(0.5 * (1.0 - order.style_weight)) {
        return **rng.pick(&others);
    }
    if !own.is_empty() {
        return **rng.pick(&own);
    }
    COMMON.iter().find(fits).copied().unwrap_or(COMMON[0])
}

fn gender(order: &Order, text: &str, rng: &mut Rng) -> bool {
    let asked = |words: &[&str]| words.iter().any(|word| holds(text, word));
    let mut likelihood = 0.5;
    if asked(&[
        "female vocals",
        "female vocal",
        "female voice",
        "female singer",
        "woman",
        "girl",
        "soprano",
        "diva",
    ]) {
        likelihood += 0.4;
    }
    if asked(&[
        "male vocals",
        "male vocal",
        "male voice",
        "male singer",
        "man",
        "baritone",
        "tenor",
    ]) {
        likelihood -= 0.4;
    }
    match order.gender {
        Some(Gender::Female) => likelihood += 0.45,
        Some(Gender::Male) => likelihood -= 0.45,
        None => {}
    }
    let draw = rng.unit();
    // A persona always has the same voice.
    let draw = order
        .persona
        .as_ref()
        .map_or(draw, |persona| (hash(persona) % 1_000) as f32 / 1_000.0);
    draw < likelihood
}

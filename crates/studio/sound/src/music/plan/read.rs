//! The vocabulary of words: moods, genres, keys, tempos, metres and instruments.

use super::{
    super::{
        genre::{self, Genre},
        instrument::Instrument,
        theory::{Key, Mode},
        words::{find, holds},
    },
    Order,
};
use crate::chance::Rng;

/// Moods: name, words, how light (−1 to 1), how lively (−1 to 1).
#[rustfmt::skip]
const MOODS: [(&str, &[&str], f32, f32); 14] = [
    (
        "happy",
        &[
            "happy", "joyful", "cheerful", "sunny", "upbeat", "feel-good", "feel good", "bright", "fun",
            "celebration", "birthday", "joy", "summer",
        ],
        0.9, 0.5,
    ),
    (
        "sad",
        &[
            "sad", "melancholic", "melancholy", "heartbreak", "lonely", "loss", "grief", "crying", "tears", "sorrow",
            "goodbye", "missing", "heartbroken",
        ],
        -0.9, -0.5,
    ),
    (
        "dark",
        &["dark", "ominous", "sinister", "haunting", "gloomy", "evil", "creepy", "horror", "gothic", "brooding"],
        -0.8, 0.0,
    ),
    (
        "calm",
        &[
            "calm", "peaceful", "relaxing", "gentle", "soft", "quiet", "soothing", "serene", "mellow", "tender",
            "sleepy",
        ],
        0.3, -0.8,
    ),
    (
        "energetic",
        &["energetic", "driving", "powerful", "intense", "pumping", "workout", "running", "fast", "party", "hype"],
        0.2, 0.9,
    ),
    ("angry", &["angry", "aggressive", "furious", "rage", "violent", "raw"], -0.7, 0.9),
    ("romantic", &["romantic", "love", "lovers", "kiss", "sensual", "wedding", "valentine"], 0.5, -0.3),
    ("epic", &["epic", "triumphant", "heroic", "majestic", "grand", "glorious", "victory"], 0.1, 0.6),
    ("mysterious", &["mysterious", "mystic", "mystical", "enigmatic", "eerie", "strange", "secret"], -0.5, -0.3),
    (
        "nostalgic", &["nostalgic", "nostalgia", "memories", "memory", "bittersweet", "wistful", "autumn", "vintage"],
        -0.2, -0.3,
    ),
    ("dreamy", &["dreamy", "ethereal", "floating", "hazy", "dream", "dreams", "stars", "space"], 0.2, -0.5),
    (
        "playful", &["playful", "quirky", "funny", "silly", "whimsical", "cute", "childlike", "kids", "children"],
        0.8, 0.4,
    ),
    (
        "hopeful", &["hopeful", "inspiring", "uplifting", "motivational", "optimistic", "hope", "sunrise", "morning"],
        0.7, 0.2,
    ),
    ("tense", &["tense", "suspense", "suspenseful", "chase", "thriller", "anxious", "dramatic"], -0.6, 0.5),
];

/// Splits a text into what it asks for and what it refuses ("no drums", "without guitars").
pub(super) fn without_refusals(text: &str) -> (String, String) {
    let (mut kept, mut refused) = (Vec::new(), Vec::new());
    let mut left = 0;
    for word in text.split_whitespace() {
        if ["no", "without", "not"].contains(&word) {
            left = 2;
        } else if left > 0 && ["any", "a", "the", "or", "and"].contains(&word) {
            // Articles belong to the word that follows.
        } else if left > 0 {
            refused.push(word);
            left = if Instrument::ALL
                .iter()
                .any(|instrument| instrument.is_named_in(word))
            {
                0
            } else {
                left - 1
            };
        } else {
            kept.push(word);
        }
    }
    (kept.join(" "), refused.join(" "))
}

pub(super) fn mood_in(text: &str) -> Option<&'static (&'static str, &'static [&'static str], f32, f32)> {
    MOODS
        .iter()
        .filter_map(|mood| {
            mood.1
                .iter()
                .filter_map(|word| find(text, word))
                .min()
                .map(|at| (at, mood))
        })
        .min_by_key(|(at, _)| *at)
        .map(|(_, mood)| mood)
}

/// Genres that a text names, the most specific first: names before other words, early before late.
pub(super) fn genres_in(text: &str, negative: &str) -> Vec<&'static Genre> {
    let mut found: Vec<(usize, usize, &'static Genre)> = genre::all()
        .filter(|genre| !holds(negative, genre.name) && !genre.words.iter().any(|word| holds(negative, word)))
        .filter_map(|genre| {
            let names = std::iter::once(genre.name).chain(genre.words.iter().copied());
            names
                .filter_map(|name| find(text, name).map(|at| (at, usize::MAX - name.len(), genre)))
                .min_by_key(|(at, length, _)| (*at, *length))
        })
        .collect();
    found.sort_by_key(|(at, length, _)| (*at, *length));
    found.into_iter().map(|(_, _, genre)| genre).collect()
}

/// A key that a text names, such as "in a minor" or "f# major".
pub(super) fn key_in(text: &str) -> Option<Key> {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.windows(2).find_map(|pair| {
        let mode = match pair[1] {
            "major" => Mode::Major,
            "minor" => Mode::Minor,
            "dorian" => Mode::Dorian,
            "mixolydian" => Mode::Mixolydian,
            "phrygian" => Mode::Phrygian,
            "lydian" => Mode::Lydian,
            _ => return None,
        };
        let tonic = match pair[0] {
            "c" => 0,
            "c#" | "db" => 1,
            "d" => 2,
            "d#" | "eb" => 3,
            "e" => 4,
            "f" => 5,
            "f#" | "gb" => 6,
            "g" => 7,
            "g#" | "ab" => 8,
            "a" => 9,
            "a#" | "bb" => 10,
            "b" => 11,
            _ => return None,
        };
        Some(Key { tonic, mode })
    })
}

pub(super) fn tempo(
    genre: &Genre,
    lively: f32,
    text: &str,
    order: &Order,
    rng: &mut Rng,
    understood: &mut Vec<String>,
) -> f64 {
    let words: Vec<&str> = text.split_whitespace().collect();
    let named = words.iter().enumerate().find_map(|(at, word)| {
        let number = word.strip_suffix("bpm").unwrap_or(word);
        let unit = word.ends_with("bpm") || words.get(at + 1) == Some(&"bpm");
        number
            .parse::<f64>()
            .ok()
            .filter(|bpm| unit && (40.0..=220.0).contains(bpm))
    });
    if let Some(bpm) = named {
        understood.push(format!("tempo: {bpm} bpm"));
        return bpm;
    }
    let (low, high) = genre.tempo;
    let hurry = if ["fast", "quick", "speedy", "up-tempo", "uptempo"]
        .iter()
        .any(|word| holds(text, word))
    {
        1.0
    } else if ["slow", "slowly", "down-tempo", "downtempo"]
        .iter()
        .any(|word| holds(text, word))
    {
        -1.0
    } else {
        lively
    };
    let place = (0.5 + 0.4 * hurry + 0.25 * rng.bipolar()).clamp(0.0, 1.0);
    let stray = 1.0 + 0.35 * (order.weirdness - 0.5).max(0.0) * rng.bipolar();
    f64::from((low + (high - low) * place) * stray).round()
}

pub(super) fn metre(
    genre: &Genre,
    text: &str,
    order: &Order,
    rng: &mut Rng,
    understood: &mut Vec<String>,
) -> usize {
    let named = [("3 4", 3), ("waltz time", 3), ("5 4", 5), ("7 4", 7), ("4 4", 4)];
    if let Some((_, beats)) = named.iter().find(|(name, _)| {
        holds(text, &format!("{name} time")) || (holds(text, name) && name.contains("waltz"))
    }) {
        understood.push(format!("metre: {beats}/4"));
        return *beats;
    }
    // Odd metres are for orders that ask to be surprised.
    if order.weirdness > 0.85 && genre.beats == 4 && rng.chance(order.weirdness - 0.35) {
        return 5;
    }
    genre.beats
}

/// Instruments that a text names. If a word can mean several, the first that was not refused.
pub(super) fn instruments_in(text: &str, unwanted: &[Instrument]) -> Vec<Instrument> {
    let mut found: Vec<(usize, Instrument)> = Vec::new();
    for instrument in Instrument::ALL {
        let facts = instrument.facts();
        let names = std::iter::once(facts.name).chain(facts.words.iter().copied());
        let Some((at, name)) = names
            .filter_map(|name| find(text, name).map(|at| (at, name)))
            .max_by_key(|(_, name)| name.len())
        else {
            continue;
        };
        // "Bass" alone is in every piece, and a word stands for one instrument only.
        let common = ["bass", "keys", "synth", "synths", "synthesizer", "strings", "pad"].contains(&name)
            && name != facts.name;
        let taken = found.iter().any(|(other, _)| *other == at)
            || text
                .get(at + name.len()..)
                .is_some_and(|rest| name == "acoustic guitar" && rest.starts_with(" solo"));
        if !common && !taken && !unwanted.contains(&instrument) {
            found.push((at, instrument));
        }
    }
    found.sort_by_key(|(at, _)| *at);
    found
        .into_iter()
        .map(|(_, instrument)| instrument)
        .take(5)
        .collect()
}

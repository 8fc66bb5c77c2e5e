//! Splits a text into clauses: the sounds that each one names, and how it describes them.

use super::super::{Room, Sound};
use super::lexicon::{
    COLD, COUNTS, DAY, DISTANCES, FADE_IN, FADE_OUT, NIGHT, NOTHING, SIDES, STRENGTHS, WAYS, Way,
};
use super::scenes::{SCENES, Scene};

/// A sound that was named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mention {
    pub(super) sound: Sound,
    /// Named after "no" or "without".
    pub(super) refused: bool,
    /// "dogs", rather than "dog".
    pub(super) plural: bool,
    /// "a bark".
    pub(super) single: bool,
}

/// A part of a sentence that describes one or a few sounds.
#[derive(Debug, Clone, Default)]
pub(super) struct Clause {
    /// Incremented by "then".
    pub(super) step: usize,
    pub(super) sounds: Vec<Mention>,
    pub(super) scenes: Vec<(&'static str, &'static Scene)>,
    pub(super) distance: Option<f32>,
    pub(super) loud: f32,
    pub(super) pan: f32,
    pub(super) count: Option<usize>,
    pub(super) way: Option<Way>,
    /// Whether it fades in, and whether it fades out.
    pub(super) fades: (bool, bool),
    pub(super) night: bool,
    pub(super) cold: bool,
    pub(super) room: Option<Room>,
    pub(super) understood: Vec<String>,
    pub(super) unknown: Vec<String>,
}

/// Longest phrase in words.
const PHRASE: usize = 4;
/// Letters of a text that are read.
const LONGEST: usize = 8_000;

/// Separators of clauses; `true` means that time moves on.
const BREAKS: &[(&str, bool)] = &[
    ("and then", true),
    ("then", true),
    ("followed by", true),
    ("after that", true),
    ("afterwards", true),
    ("before", true),
    ("finally", true),
    ("and", false),
    ("with", false),
    ("while", false),
    ("as", false),
    ("plus", false),
    ("but", false),
    ("during", false),
];

/// Reads a text.
pub(super) fn clauses(text: &str) -> Vec<Clause> {
    let text: String = text.chars().take(LONGEST).collect::<String>().to_lowercase();
    let mut clauses = Vec::new();
    let mut step = 0;
    for sentence in text.split([',', ';', '.', '!', '?', ':', '\n', '(', ')', '"', '/']) {
        let words: Vec<&str> = sentence
            .split(|c: char| !(c.is_alphanumeric() || c == '-' || c == '\''))
            .map(|word| word.trim_matches(['-', '\'']))
            .filter(|word| !word.is_empty())
            .collect();
        let mut from = 0;
        let mut at = 0;
        let mut refused = false;
        while at < words.len() {
            let known = matched(&words[at..], known_phrase);
            let stop = BREAKS.iter().find(|(phrase, _)| begins(&words[at..], phrase));
            if let (Some((phrase, onward)), None | Some(1)) = (stop, known) {
                refused = push(&mut clauses, &words[from..at], step, refused);
                // "without rain and wind" refuses both; "no rain but wind" does not.
                refused &= *phrase == "and";
                at += phrase.split(' ').count();
                from = at;
                step += usize::from(*onward);
            } else {
                at += known.unwrap_or(1);
            }
        }
        push(&mut clauses, &words[from..], step, refused);
    }
    close_up(&mut clauses);
    clauses
}

/// Removes steps without sounds, so that they take no time.
fn close_up(clauses: &mut [Clause]) {
    let mut steps: Vec<usize> = clauses
        .iter()
        .filter(|clause| !clause.sounds.is_empty() || !clause.scenes.is_empty())
        .map(|clause| clause.step)
        .collect();
    steps.dedup();
    for clause in clauses {
        clause.step = steps
            .partition_point(|step| *step < clause.step)
            .min(steps.len().saturating_sub(1));
    }
}

/// Whether a phrase names a sound or place, so that a word like "and" or "as" must not split it.
fn known_phrase(phrase: &str) -> bool {
    phrase.contains(' ') && (sound(phrase).is_some() || scene(phrase).is_some())
}

/// Length in words of the longest matching phrase at the beginning.
fn matched(words: &[&str], holds: impl Fn(&str) -> bool) -> Option<usize> {
    (1..=PHRASE.min(words.len()))
        .rev()
        .find(|count| holds(&words[..*count].join(" ")))
}

fn begins(words: &[&str], phrase: &str) -> bool {
    let mut count = 0;
    phrase.split(' ').all(|part| {
        count += 1;
        words.get(count - 1) == Some(&part)
    })
}

/// Reads one clause. Returns whether a refusal continues after it.
fn push(clauses: &mut Vec<Clause>, words: &[&str], step: usize, refused: bool) -> bool {
    let mut clause = Clause {
        step,
        loud: 1.0,
        ..Clause::default()
    };
    let mut refused = refused;
    let mut at = 0;
    let mut article = usize::MAX;
    while at < words.len() {
        let rest = &words[at..];
        let word = rest[0];
        if matches!(word, "no" | "without" | "not" | "never" | "except") {
            refused = true;
            at += 1;
            continue;
        }
        if matches!(word, "a" | "an" | "single" | "one") {
            article = at;
        }
        let named = matched(rest, |phrase| sound(phrase).is_some());
        let told = matched(rest, said);
        // In "driving away", "driving" describes the sound, although it could also name one.
        if let Some(count) = named.filter(|count| told.is_none_or(|told| told <= *count)) {
            let phrase = rest[..count].join(" ");
            if let Some((sound, plural)) = sound(&phrase) {
                clause.sounds.push(Mention {
                    sound,
                    refused,
                    // "a door slams" is not a plural.
                    plural: plural && count == 1 && article == usize::MAX,
                    single: article.checked_add(1).is_some_and(|next| next == at)
                        && rest.len() == count
                        && is_event(&phrase),
                });
            }
            at += count;
        } else if let Some(count) = told {
            say(&mut clause, &rest[..count].join(" "));
            at += count;
        } else if let Some(count) = matched(rest, |phrase| scene(phrase).is_some()) {
            let phrase = rest[..count].join(" ");
            if let Some(found) = scene(&phrase).filter(|_| !refused) {
                clause.scenes.push(found);
            }
            of_time(&mut clause, &phrase);
            at += count;
        } else {
            if !of_time(&mut clause, word)
                && !NOTHING.contains(&word)
                && !NOTHING.contains(&stem(word).as_str())
                && word.len() > 1
            {
                clause.unknown.push(word.to_owned());
            }
            at += 1;
        }
    }
    if !words.is_empty() {
        clauses.push(clause);
    }
    refused
}

/// Whether a noun names an event rather than its source: "a bark" happens once, "a dog" keeps barking.
fn is_event(phrase: &str) -> bool {
    matches!(
        phrase,
        "bark"
            | "meow"
            | "moo"
            | "roar"
            | "growl"
            | "howl"
            | "hoot"
            | "knock"
            | "step"
            | "footstep"
            | "beep"
            | "honk"
            | "thunderclap"
            | "thunderbolt"
            | "drop"
            | "drip"
            | "droplet"
            | "laugh"
            | "horn"
            | "clang"
            | "chime"
            | "heartbeat"
            | "breath"
            | "sigh"
            | "clink"
    )
}

/// Whether a phrase describes sounds.
fn said(phrase: &str) -> bool {
    DISTANCES.iter().any(|(word, _)| *word == phrase)
        || STRENGTHS.iter().any(|(word, _)| *word == phrase)
        || COUNTS.iter().any(|(word, _)| *word == phrase)
        || WAYS.iter().any(|(word, _)| *word == phrase)
        || SIDES.iter().any(|(word, _)| *word == phrase)
        || FADE_IN.contains(&phrase)
        || FADE_OUT.contains(&phrase)
}

fn say(clause: &mut Clause, phrase: &str) {
    fn value<T: Copy>(list: &[(&str, T)], phrase: &str) -> Option<T> {
        list.iter()
            .find(|(word, _)| *word == phrase)
            .map(|(_, value)| *value)
    }
    if let Some(distance) = value(DISTANCES, phrase) {
        clause.distance = Some(distance);
    }
    if let Some(loud) = value(STRENGTHS, phrase) {
        clause.loud *= loud;
    }
    clause.count = value(COUNTS, phrase).or(clause.count);
    // "passing from left to right" names the direction twice.
    clause.way = match value(WAYS, phrase) {
        Some(Way::Past) | None => clause.way.or(value(WAYS, phrase)),
        way => way,
    };
    clause.pan = value(SIDES, phrase).unwrap_or(clause.pan);
    clause.fades.0 |= FADE_IN.contains(&phrase);
    clause.fades.1 |= FADE_OUT.contains(&phrase);
    clause.understood.push(phrase.to_owned());
}

/// Words of time and season.
fn of_time(clause: &mut Clause, word: &str) -> bool {
    let night = NIGHT.contains(&word);
    let cold = COLD.contains(&word);
    clause.night |= night;
    clause.cold |= cold;
    let known = night || cold || DAY.contains(&word);
    if known && scene(word).is_none() {
        clause.understood.push(word.to_owned());
    }
    known
}

/// The sound of a phrase, and whether it is plural.
fn sound(phrase: &str) -> Option<(Sound, bool)> {
    let exact = Sound::ALL
        .iter()
        .copied()
        .find(|sound| sound.words().contains(&phrase));
    let plural = phrase.ends_with('s') && !phrase.ends_with("ss");
    exact
        .or_else(|| {
            let stem = stems(phrase);
            Sound::ALL
                .iter()
                .copied()
                .find(|sound| sound.words().iter().any(|word| stems(word) == stem))
        })
        .map(|sound| (sound, plural))
}

fn scene(phrase: &str) -> Option<(&'static str, &'static Scene)> {
    let stem = stems(phrase);
    SCENES.iter().find_map(|scene| {
        let word = scene
            .words
            .iter()
            .find(|word| **word == phrase || stems(word) == stem)?;
        Some((*word, scene))
    })
}

fn stems(phrase: &str) -> String {
    phrase
        .split(' ')
        .filter(|word| !matches!(*word, "a" | "the" | "of" | "on" | "in"))
        .map(stem)
        .collect::<Vec<_>>()
        .join(" ")
}

/// A word without its plural, third-person or "-ing" ending.
fn stem(word: &str) -> String {
    let word = word.trim_end_matches("'s");
    let enough = |stem: &str| stem.chars().count() >= 3;
    let mut stem = word;
    if let Some(short) = word.strip_suffix("ing").filter(|short| enough(short)) {
        stem = short;
    } else if let Some(short) = word.strip_suffix("ed").filter(|short| enough(short)) {
        stem = short;
    } else if let Some(short) = word.strip_suffix("ies").filter(|short| enough(short)) {
        return format!("{short}y");
    } else if let Some(short) = word
        .strip_suffix("es")
        .filter(|short| enough(short) && ["s", "x", "z", "ch", "sh"].iter().any(|end| short.ends_with(end)))
    {
        stem = short;
    } else if let Some(short) = word
        .strip_suffix('s')
        .filter(|short| enough(short) && !short.ends_with('s'))
    {
        stem = short;
    }
    // "slamming" and "slam", "waving" and "wave".
    let letters: Vec<char> = stem.chars().collect();
    if let [.., a, b] = letters[..]
        && a == b
        && letters.len() > 3
        && !matches!(b, 's' | 'l' | 'z' | 'e' | 'o')
    {
        return letters[..letters.len() - 1].iter().collect();
    }
    match stem.strip_suffix('e') {
        Some(short) if short.chars().count() >= 4 => short.to_owned(),
        _ => stem.to_owned(),
    }
}

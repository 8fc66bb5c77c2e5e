//! Finding a phrase in the lexicon, in the singular or the plural.

use super::lexicon::lookup;
use super::meaning::Word;

/// Irregular plurals, with their singular.
const IRREGULAR: &[(&str, &str)] = &[
    ("people", "person"),
    ("men", "man"),
    ("women", "woman"),
    ("children", "child"),
    ("geese", "goose"),
    ("mice", "mouse"),
    ("wolves", "wolf"),
    ("leaves", "leaf"),
    ("loaves", "loaf"),
    ("knives", "knife"),
    ("oxen", "ox"),
    ("cacti", "cactus"),
    ("feet", "foot"),
    ("teeth", "tooth"),
    ("shelves", "shelf"),
    ("oases", "oasis"),
    ("octopi", "octopus"),
    ("fishermen", "fisherman"),
    ("selves", "self"),
];

/// The word for a phrase, and whether it was in the plural.
pub(super) fn find(phrase: &str) -> Option<(Word, bool)> {
    if let Some(word) = lookup(phrase) {
        return Some((word, false));
    }
    let (head, last) = phrase
        .rsplit_once(' ')
        .map_or(("", phrase), |(head, last)| (head, last));
    singulars(last).into_iter().find_map(|singular| {
        let whole = if head.is_empty() {
            singular
        } else {
            format!("{head} {singular}")
        };
        match lookup(&whole)? {
            word @ (Word::Subject(_) | Word::Terrain(_) | Word::Relation(_) | Word::Style(_)) => {
                Some((word, true))
            }
            _ => None,
        }
    })
}

fn singulars(word: &str) -> Vec<String> {
    let mut out = Vec::new();
    if let Some((_, singular)) = IRREGULAR.iter().find(|(plural, _)| *plural == word) {
        out.push((*singular).to_owned());
    }
    if let Some(stem) = word.strip_suffix("ies") {
        out.push(format!("{stem}y"));
    }
    if let Some(stem) = word.strip_suffix("es") {
        out.push(stem.to_owned());
    }
    if let Some(stem) = word.strip_suffix('s') {
        out.push(stem.to_owned());
    }
    out
}

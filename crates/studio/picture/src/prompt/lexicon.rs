//! The lexicon: every word and phrase with a meaning, as a table. Subjects add their own words.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::lexicon_colors::COLORS;
use super::lexicon_styles::STYLES;
use super::lexicon_words::WORDS;
use super::meaning::Word;
use crate::subjects;

static LEXICON: LazyLock<HashMap<&'static str, Word>> = LazyLock::new(|| {
    let mut all = HashMap::new();
    for (phrases, word) in WORDS.iter().chain(STYLES) {
        all.extend(phrases.split('|').map(|phrase| (phrase, *word)));
    }
    for line in COLORS.lines() {
        if let Some((name, value)) = line.split_once(' ').filter(|(name, _)| !name.is_empty())
            && let Ok(value) = u32::from_str_radix(value.trim(), 16)
        {
            all.insert(name, Word::Color(value));
        }
    }
    for subject in subjects::all() {
        all.extend(
            subject
                .words
                .split('|')
                .map(|phrase| (phrase, Word::Subject(subject))),
        );
    }
    all
});

pub(super) fn lookup(phrase: &str) -> Option<Word> {
    LEXICON.get(phrase).copied()
}

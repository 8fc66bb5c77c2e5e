//! Writes letters of other alphabets in ASCII.

/// The letters and apostrophes of a word in lower-case ASCII, without accents. Letters without an ASCII form are
/// dropped.
pub(super) fn ascii_word(text: &str) -> String {
    let mut word = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            'a'..='z' => word.push(letter),
            'A'..='Z' => word.push(letter.to_ascii_lowercase()),
            '\'' | '\u{2019}' | '\u{2bc}' => word.push('\''),
            _ => deunicode_letter(letter, &mut word),
        }
    }
    let trimmed = word.trim_matches('\'');
    if trimmed.is_empty() {
        String::new()
    } else {
        trimmed.to_owned()
    }
}

fn deunicode_letter(letter: char, word: &mut String) {
    if !letter.is_alphabetic() {
        return;
    }
    let plain = deunicode::deunicode_char(letter).unwrap_or_default();
    word.extend(
        plain
            .chars()
            .filter(char::is_ascii_alphabetic)
            .map(|letter| letter.to_ascii_lowercase()),
    );
}

/// The letters one by one, in spellings that flite's lexicon pronounces as letters: "ftp" → "eff tee pea".
pub(super) fn spelled(text: &str) -> String {
    let names: Vec<&str> = text.chars().filter_map(letter_name).collect();
    names.join(" ")
}

fn letter_name(letter: char) -> Option<&'static str> {
    const NAMES: [&str; 26] = [
        "eigh",
        "bee",
        "see",
        "dee",
        "ee",
        "eff",
        "gee",
        "aitch",
        "eye",
        "jay",
        "kay",
        "ell",
        "em",
        "en",
        "oh",
        "pea",
        "cue",
        "are",
        "ess",
        "tea",
        "you",
        "vee",
        "double you",
        "ex",
        "why",
        "zee",
    ];
    let index = (letter.to_ascii_lowercase() as u32).checked_sub('a' as u32)?;
    NAMES.get(index as usize).copied()
}

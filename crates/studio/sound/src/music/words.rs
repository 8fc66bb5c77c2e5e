//! Finds words and phrases in a text.

/// The text in lower case, with single spaces, and without punctuation except `-`, `&`, `#` and `'`.
pub fn plain(text: &str) -> String {
    let kept: String = text
        .to_lowercase()
        .chars()
        .map(|c| {
            if c.is_alphanumeric() || "-&#'".contains(c) {
                c
            } else {
                ' '
            }
        })
        .collect();
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a plain text contains a word or phrase as a whole.
pub fn holds(text: &str, phrase: &str) -> bool {
    find(text, phrase).is_some()
}

/// Returns the place at which a plain text contains a word or phrase as a whole.
pub fn find(text: &str, phrase: &str) -> Option<usize> {
    let ends = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    text.match_indices(phrase)
        .find(|(at, found)| {
            ends(text[..*at].chars().next_back()) && ends(text[at + found.len()..].chars().next())
        })
        .map(|(at, _)| at)
}

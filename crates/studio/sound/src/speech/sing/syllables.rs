//! Splits a line of lyrics into words and syllables, so that a melody can be written for it.

use super::{super::text, SingError};

/// One word of a line, and its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LyricWord {
    /// As sung, in ASCII letters.
    pub text: String,
    /// Offsets into the line in Unicode scalar values; `to` is exclusive.
    pub from: usize,
    pub to: usize,
    pub syllables: Vec<LyricSyllable>,
}

/// One syllable, sung on one note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LyricSyllable {
    /// Whether it fits a strong beat. Short function words have no stress.
    pub stressed: bool,
    /// Named as in the CMU dictionary, in lower case, such as `["hh", "ax"]`.
    pub phones: Vec<String>,
}

/// The words and syllables of a line, in the order in which [`super::sing`] assigns notes to them. Empty if the line
/// has no word.
pub fn syllables(line: &str) -> Result<Vec<LyricWord>, SingError> {
    let pieces = text::words(line);
    let spoken = atelier_flite::structure(&say(&pieces))?;
    let mut words: Vec<LyricWord> = pieces
        .iter()
        .map(|piece| LyricWord {
            text: piece.say.clone(),
            from: piece.from,
            to: piece.to,
            syllables: Vec::new(),
        })
        .collect();
    for (index, syllable) in spoken.syllables.iter().enumerate() {
        let phones: Vec<String> = spoken
            .segments
            .iter()
            .filter(|segment| segment.syllable == Some(index))
            .map(|segment| segment.name.clone())
            .collect();
        let piece = spoken.words.get(syllable.word).and_then(|word| word.token);
        let Some(word) = piece.and_then(|piece| words.get_mut(piece)) else {
            continue;
        };
        let stressed = syllable.stressed && !is_weak(&word.text);
        word.syllables.push(LyricSyllable { stressed, phones });
    }
    words.retain(|word| !word.syllables.is_empty());
    Ok(words)
}

/// The pieces as one text for flite.
pub(super) fn say(pieces: &[text::Piece]) -> String {
    let says: Vec<&str> = pieces.iter().map(|piece| piece.say.as_str()).collect();
    says.join(" ")
}

/// Whether a word never takes a strong beat, whatever the dictionary says.
fn is_weak(word: &str) -> bool {
    const WEAK: [&str; 44] = [
        "a", "am", "an", "and", "are", "as", "at", "be", "been", "but", "by", "can", "could", "do", "for",
        "from", "had", "has", "have", "he", "her", "his", "i'm", "if", "in", "is", "it", "it's", "my", "of",
        "on", "or", "our", "so", "than", "that", "the", "their", "to", "was", "we", "were", "with", "your",
    ];
    WEAK.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_splits_into_words_and_syllables_with_stress_and_positions() {
        let line = "\u{201c}Forever,\u{201d} the river won\u{2019}t remember";
        let words = syllables(line).unwrap();
        let letters: Vec<char> = line.chars().collect();
        let texts: Vec<String> = words
            .iter()
            .map(|word| letters[word.from..word.to].iter().collect())
            .collect();
        assert_eq!(texts, ["Forever", "the", "river", "won\u{2019}t", "remember"]);
        let stresses: Vec<Vec<bool>> = words
            .iter()
            .map(|word| word.syllables.iter().map(|syllable| syllable.stressed).collect())
            .collect();
        assert_eq!(
            stresses,
            [
                vec![false, true, false],
                vec![false],
                vec![true, false],
                vec![true],
                vec![false, true, false]
            ]
        );
    }

    #[test]
    fn a_line_without_words_has_no_syllables() {
        for line in ["", " ... !", "\u{1f600}"] {
            assert!(syllables(line).unwrap().is_empty(), "{line:?}");
        }
    }
}

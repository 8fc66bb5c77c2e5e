//! The sound of a text, for trained voices: sentences of phones in the International Phonetic Alphabet, from the helper
//! program.

use std::{ops::Range, path::Path};

use super::{
    helper::{Helper, HelperError, What},
    speak::other,
    text::{self, Normalization, Pause},
};

/// A part of what is heard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sound {
    /// In IPA: the mark of its stress if it has one, the phone, its tone if it has one.
    Phone(String),
    /// Between words.
    Space,
    /// A mark after a clause: `, ; : . ! ?`, an ellipsis or a dash.
    Mark(char),
}

/// A word of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextWord {
    /// As it appears in the text.
    pub word: String,
    /// Offsets into the text in Unicode scalar values; `to` is exclusive.
    pub from: usize,
    pub to: usize,
}

/// A sentence, or a part of a very long one.
#[derive(Debug, Clone, PartialEq)]
pub struct Spelling {
    /// Each with the number of its word; marks and spaces belong to none.
    pub sounds: Vec<(Sound, Option<usize>)>,
    pub words: Vec<TextWord>,
    /// Seconds of silence after it, at the usual pace.
    pub pause: f32,
}

/// The text to spell.
#[derive(Debug, Clone, Copy)]
pub struct Script<'a> {
    pub text: &'a str,
    /// The helper's name of the language, which may have a region: `en-us`, `de`.
    pub language: &'a str,
    pub normalization: Normalization,
    /// Path of the helper program.
    pub helper: &'a Path,
}

/// Letters to spell, with the words that they belong to.
struct Line {
    written: Vec<char>,
    /// Clauses in `written`, without their marks.
    clauses: Vec<(Range<usize>, Option<char>)>,
    pause: Pause,
    kind: Kind,
}

enum Kind {
    /// The words and where each ends in `written`.
    English(Vec<(usize, TextWord)>),
    /// The words are found when the helper has spelled them.
    Other(other::Passage),
}

/// Spells a text, sentence by sentence. The result is empty if there is nothing to say.
pub fn spell(script: &Script<'_>) -> Result<Vec<Spelling>, HelperError> {
    let letters: Vec<char> = script.text.chars().collect();
    let is_english = script.language.split('-').next() == Some("en");
    let lines: Vec<Line> = if is_english {
        let pieces = text::pieces(script.text, script.normalization);
        let sentences = text::sentences(&pieces);
        sentences
            .into_iter()
            .map(|pieces| english(pieces, &letters))
            .collect()
    } else {
        let passages = other::passages(&letters, script.normalization);
        passages.into_iter().map(abroad).collect()
    };
    if lines.is_empty() {
        return Ok(Vec::new());
    }
    let mut helper = Helper::start(script.helper)?;
    let spelled = lines
        .into_iter()
        .map(|line| spelled(&mut helper, script.language, line))
        .collect::<Result<Vec<_>, _>>()?;
    // The helper is silent about signs that a language has no name for.
    Ok(spelled
        .into_iter()
        .filter(|line| line.sounds.iter().any(is_phone))
        .collect())
}

fn is_phone((sound, _): &(Sound, Option<usize>)) -> bool {
    matches!(sound, Sound::Phone(_))
}

fn english(pieces: &[text::Piece], letters: &[char]) -> Line {
    let mut written = Vec::new();
    let mut clauses = Vec::new();
    let mut words = Vec::with_capacity(pieces.len());
    let mut first = 0;
    for (index, piece) in pieces.iter().enumerate() {
        if written.len() > first {
            written.push(' ');
        }
        written.extend(piece.say.chars());
        let word = TextWord {
            word: letters[piece.from..piece.to].iter().collect(),
            from: piece.from,
            to: piece.to,
        };
        words.push((written.len(), word));
        let is_last = index + 1 == pieces.len();
        if piece.pause != Pause::None || is_last {
            let after = letters[piece.to..]
                .iter()
                .take_while(|letter| !letter.is_alphanumeric());
            let found = after.copied().find_map(mark);
            let mark = match piece.pause {
                Pause::None => None,
                Pause::Question => Some('?'),
                Pause::Comma => found
                    .filter(|mark| ",;:\u{2014}\u{2026}".contains(*mark))
                    .or(Some(',')),
                Pause::Sentence | Pause::Paragraph => {
                    found.filter(|mark| ".!\u{2026}".contains(*mark)).or(Some('.'))
                }
            };
            clauses.push((first..written.len(), mark));
            first = written.len();
        }
    }
    Line {
        written,
        clauses,
        pause: pieces.last().map_or(Pause::None, |piece| piece.pause),
        kind: Kind::English(words),
    }
}

fn abroad(passage: other::Passage) -> Line {
    let written = passage.written.clone();
    let last = written.iter().rposition(|letter| !letter.is_whitespace());
    let mut clauses = Vec::new();
    let mut first = 0;
    for (at, letter) in written.iter().enumerate() {
        let spaced = written.get(at + 1).is_none_or(|next| next.is_whitespace());
        let ends = match letter {
            '\u{3001}' | '\u{3002}' | '\u{ff01}' | '\u{ff0c}' | '\u{ff1a}' | '\u{ff1b}' | '\u{ff1f}' => true,
            // Other full stops belong to abbreviations and numbers.
            '.' => Some(at) == last,
            _ => spaced && mark(*letter).is_some(),
        };
        if ends {
            clauses.push((first..at, mark(*letter)));
            first = at + 1;
        }
    }
    clauses.push((first..written.len(), None));
    clauses.retain(|(range, _)| {
        written[range.clone()]
            .iter()
            .any(|letter| letter.is_alphanumeric())
    });
    if let Some((_, mark @ None)) = clauses.last_mut() {
        *mark = match passage.pause {
            Pause::None => None,
            Pause::Comma => Some(','),
            Pause::Question => Some('?'),
            Pause::Sentence | Pause::Paragraph => Some('.'),
        };
    }
    Line {
        written,
        clauses,
        pause: passage.pause,
        kind: Kind::Other(passage),
    }
}

/// The mark that trained voices know for a mark of any script.
fn mark(letter: char) -> Option<char> {
    Some(match letter {
        ',' | '\u{60c}' | '\u{3001}' | '\u{ff0c}' => ',',
        ';' | '\u{61b}' | '\u{ff1b}' => ';',
        ':' | '\u{ff1a}' => ':',
        '.' | '\u{3002}' | '\u{6d4}' | '\u{964}' | '\u{965}' => '.',
        '!' | '\u{ff01}' => '!',
        '?' | '\u{61f}' | '\u{ff1f}' => '?',
        '\u{2026}' => '\u{2026}',
        '\u{2013}' | '\u{2014}' => '\u{2014}',
        _ => return None,
    })
}

/// Has the helper spell the clauses of a line.
fn spelled(helper: &mut Helper, language: &str, line: Line) -> Result<Spelling, HelperError> {
    // Each sound with the place in `written` of the helper's word.
    let mut sounds: Vec<(Sound, Option<usize>)> = Vec::new();
    for (range, mark) in &line.clauses {
        let text: String = line.written[range.clone()].iter().collect();
        let mut place = None;
        for event in helper.phones(language, &text)? {
            match event.what {
                What::Word(at) => {
                    if !sounds.is_empty() && !matches!(sounds.last(), Some((Sound::Space, _))) {
                        sounds.push((Sound::Space, None));
                    }
                    place = Some((range.start + at).min(range.end.saturating_sub(1)));
                }
                What::Phone => sounds.push((Sound::Phone(event.name), place)),
                What::Pause => {}
            }
        }
        if matches!(sounds.last(), Some((Sound::Space, _))) {
            sounds.pop();
        }
        if let (Some(mark), true) = (mark, sounds.last().is_some_and(is_phone)) {
            sounds.push((Sound::Mark(*mark), None));
        }
    }
    let (ends, words) = match line.kind {
        Kind::English(words) => words.into_iter().unzip(),
        Kind::Other(passage) => words_abroad(&passage, &sounds),
    };
    for (_, owner) in &mut sounds {
        *owner = owner.map(|place| owner_of(&ends, place));
    }
    share(&mut sounds, &words);
    Ok(Spelling {
        sounds,
        words,
        pause: silence(line.pause),
    })
}

/// The number of the word at a place, by the ends of the words.
fn owner_of(ends: &[usize], place: usize) -> usize {
    let owner = ends.partition_point(|end| *end <= place);
    owner.min(ends.len().saturating_sub(1))
}

/// Gives words that the helper says as one with the word before them ("of the") their part of its phones, by the
/// letters of each.
fn share(sounds: &mut [(Sound, Option<usize>)], words: &[TextWord]) {
    let mut first = 0;
    while first < words.len() {
        let is_heard = |word: usize| sounds.iter().any(|(_, owner)| *owner == Some(word));
        let end = (first + 1..words.len())
            .find(|next| is_heard(*next))
            .unwrap_or(words.len());
        let letters = |words: &[TextWord]| words.iter().map(|word| word.word.chars().count()).sum::<usize>();
        let all = letters(&words[first..end]).max(1);
        let mut phones: Vec<_> = sounds
            .iter_mut()
            .filter(|(_, owner)| *owner == Some(first))
            .collect();
        let count = phones.len();
        for (number, (_, owner)) in phones.iter_mut().enumerate() {
            let place = number * all / count;
            let word = (first..end).find(|word| place < letters(&words[first..=*word]));
            *owner = word.or(*owner);
        }
        first = end;
    }
}

/// The words of a passage: where they end in it, and where they are in the text.
fn words_abroad(passage: &other::Passage, sounds: &[(Sound, Option<usize>)]) -> (Vec<usize>, Vec<TextWord>) {
    let heard: Vec<(usize, usize)> = sounds
        .iter()
        .filter_map(|(_, place)| Some(((*place)?, 0)))
        .collect();
    let units = other::units(passage, &heard);
    let word = |range: &Range<usize>| TextWord {
        word: passage.text(range),
        from: passage.places[range.start],
        to: passage.places[range.end - 1] + 1,
    };
    (
        units.iter().map(|unit| unit.end).collect(),
        units.iter().map(word).collect(),
    )
}

/// Seconds of silence after a sentence, at the usual pace.
fn silence(pause: Pause) -> f32 {
    match pause {
        Pause::None => 0.08,
        Pause::Comma => 0.2,
        Pause::Sentence | Pause::Question => 0.42,
        Pause::Paragraph => 0.8,
    }
}

#[cfg(test)]
#[path = "spell_tests.rs"]
mod tests;

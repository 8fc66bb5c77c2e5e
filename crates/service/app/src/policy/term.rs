//! A term of a rule, and where a text contains it. A term matches whole words, in any disguise that keeps them
//! readable: look-alike letters, leetspeak, letters apart, letters repeated. In scripts without spaces it matches
//! anywhere.

use std::ops::Range;

use super::{
    fold::{Accents, fold, is_unspaced},
    lookalikes::{leet, read_as},
    text::{GAP, Text, is_joint},
};

/// Words from this length on are also found with signs between their letters.
const SIGNED_FROM: usize = 4;
/// Words from this length on are also found spelled out.
const SPELLED_FROM: usize = 3;
/// Words of one letter, which may stand beside a word that is spelled out.
const LONE: &str = "aeiouyàвикосуя";
/// Arabic prefixes, which are written without a space before a word: "and", "the", "with the", and so on.
const ARABIC_PREFIXES: &[&str] = &[
    "ال", "و", "وال", "ب", "بال", "ل", "لل", "ولل", "ك", "كال", "ف", "فال",
];

/// A term, folded.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each says something else")]
pub(crate) struct Term {
    pub(crate) accents: Accents,
    words: Vec<Vec<char>>,
    /// Words that begin with it also match, or words that end with it.
    open_end: bool,
    open_start: bool,
    is_unspaced: bool,
    is_arabic: bool,
}

/// How the letters of a word stand in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Together,
    /// One sign between some of them, as in `we-ap.on`.
    Signed,
    /// Something between all of them, as in `w e a p o n`.
    Spelled,
}

impl Term {
    /// Reads a term. With `wildcards`, a `*` at an end matches the rest of the word. `None` if it has no letters and no
    /// digits.
    pub(crate) fn new(term: &str, language: &str, wildcards: bool) -> Option<Self> {
        let term = term.trim();
        let accents = Accents::of(language);
        let mut words = vec![Vec::new()];
        for symbol in fold(term, accents) {
            if symbol.is_word() {
                words.last_mut()?.push(symbol.letter);
            } else {
                words.push(Vec::new());
            }
        }
        words.retain(|word: &Vec<char>| !word.is_empty());
        let mut letters = words.iter().flatten();
        let first = *letters.next()?;
        Some(Self {
            accents,
            open_start: wildcards && term.starts_with('*'),
            open_end: wildcards && term.ends_with('*'),
            is_unspaced: is_unspaced(first) || letters.any(|letter| is_unspaced(*letter)),
            is_arabic: matches!(first as u32, 0x620..=0x6D3),
            words,
        })
    }

    /// Every place of the text that contains the term, as bytes of the original.
    pub(crate) fn find<'a>(&'a self, text: &'a Text) -> impl Iterator<Item = Range<usize>> + 'a {
        self.places(text).filter_map(move |place| self.at(text, place))
    }

    /// How many places of a text are looked at.
    #[cfg(test)]
    pub(crate) fn candidates(&self, text: &Text) -> usize {
        self.places(text).count()
    }

    fn places<'a>(&'a self, text: &'a Text) -> impl Iterator<Item = usize> + 'a {
        let only_starts = !(self.is_unspaced || self.is_arabic || self.open_start);
        let places = text.places_of(&self.words[0]);
        places.filter(move |&place| !only_starts || text.begins(place))
    }

    fn at(&self, text: &Text, place: usize) -> Option<Range<usize>> {
        if self.is_unspaced {
            return self.unspaced(text, place);
        }
        let is_within = self.open_start && self.words[0].len() > 1;
        let mut from = place;
        if !is_within && !text.begins(place) {
            from = self.before_prefix(text, place)?;
        }
        let mut at = place;
        for (index, word) in self.words.iter().enumerate() {
            if index > 0 {
                let next = text.after_gap(at);
                if next == at {
                    return None;
                }
                at = next;
            }
            let is_open = self.open_end && index + 1 == self.words.len();
            at = word_at(text, at, word, is_open)?;
        }
        // Only once it is found: long words would cost the square of their length.
        while is_within && !text.begins(from) {
            from -= 1;
        }
        Some(text.bytes(from, at))
    }

    /// The start of a word that has an Arabic prefix before the term at `place`.
    fn before_prefix(&self, text: &Text, place: usize) -> Option<usize> {
        if !self.is_arabic {
            return None;
        }
        let long = self.words[0].len() >= SIGNED_FROM;
        let prefix = ARABIC_PREFIXES.iter().find(|prefix| {
            let count = prefix.chars().count();
            let Some(from) = place.checked_sub(count) else {
                return false;
            };
            let own = text.symbols[from..place].iter().map(|symbol| symbol.letter);
            (count > 1 || long) && text.begins(from) && own.eq(prefix.chars())
        });
        prefix.map(|prefix| place - prefix.chars().count())
    }

    /// Letters of scripts without spaces, with nothing else than spaces and small signs between them.
    fn unspaced(&self, text: &Text, place: usize) -> Option<Range<usize>> {
        let mut at = place;
        for (index, &letter) in self.words.iter().flatten().enumerate() {
            if index > 0 {
                let next = text.after_gap(at);
                let gap = text.symbols[at..next].iter();
                if next - at > GAP || !gap.clone().all(|symbol| is_small_sign(symbol.letter)) {
                    return None;
                }
                at = next;
            }
            if text.symbols.get(at)?.letter != letter {
                return None;
            }
            at += 1;
        }
        Some(text.bytes(place, at))
    }
}

/// Returns the end of a word that begins at `place`.
fn word_at(text: &Text, place: usize, word: &[char], is_open: bool) -> Option<usize> {
    let modes = [Mode::Together, Mode::Signed, Mode::Spelled];
    modes
        .into_iter()
        .find_map(|mode| word_in(text, place, word, is_open, mode))
}

fn word_in(text: &Text, place: usize, word: &[char], is_open: bool, mode: Mode) -> Option<usize> {
    let least = match mode {
        Mode::Together => 1,
        Mode::Signed => SIGNED_FROM,
        Mode::Spelled => SPELLED_FROM,
    };
    if word.len() < least {
        return None;
    }
    let (mut at, mut index, mut read) = (place, 0, Readings::default());
    let mut joints = 0;
    while index < word.len() {
        if index > 0 {
            at = match mode {
                Mode::Signed if text.symbols.get(at).is_some_and(|symbol| is_joint(symbol.letter)) => {
                    joints += 1;
                    at + 1
                }
                Mode::Together | Mode::Signed => at,
                Mode::Spelled => Some(text.after_gap(at)).filter(|next| (1..=GAP).contains(&(next - at)))?,
            };
        }
        let letter = word[index];
        read.add(text.symbols.get(at)?.letter, letter)?;
        let repeats = text.repeats(at);
        if mode != Mode::Spelled && repeats >= 3 && text.symbols[at].letter == letter {
            let own = word[index..].iter().take_while(|next| **next == letter).count();
            if own < repeats {
                index += own;
                at += repeats;
                continue;
            }
        }
        index += 1;
        at += 1;
    }
    if is_open && mode == Mode::Spelled {
        at = spelling_end(text, at);
    }
    if mode == Mode::Spelled && is_part_of_spelling(text, place, at) {
        return None;
    }
    // Signs between all letters spell the word out, so that the rules for that decide where it ends.
    if mode == Mode::Signed && joints + 1 == word.len() {
        return None;
    }
    if !read.is_plausible() {
        return None;
    }
    if is_open {
        return Some(text.word_end(at));
    }
    (!text.is_word(at)).then_some(at)
}

/// Returns the end of the single letters that follow a spelled-out word.
fn spelling_end(text: &Text, mut at: usize) -> usize {
    loop {
        let next = text.after_gap(at);
        let is_single = text.is_word(next) && !text.is_word(next + 1);
        if !is_single || !(1..=GAP).contains(&(next - at)) {
            return at;
        }
        at = next + 1;
    }
}

/// Whether a word that is spelled out from `from` to `to` is the middle of a longer one.
fn is_part_of_spelling(text: &Text, from: usize, to: usize) -> bool {
    let letter = |at: usize| text.symbols.get(at).map(|symbol| symbol.letter);
    let gap = text.after_gap(from + 1) - from - 1;
    let is_lone = |at: usize| letter(at).is_some_and(|letter| LONE.contains(letter));
    let before = from
        .checked_sub(gap + 1)
        .filter(|&at| text.is_word(at) && text.begins(at) && text.after_gap(at + 1) == from);
    // The next letter that is spelled out in the same way.
    let following = |end: usize| {
        let next = text.after_gap(end);
        (next - end == gap && text.is_word(next) && !text.is_word(next + 1)).then_some(next)
    };
    let after = following(to);
    // A word of one letter ends there.
    let goes_on = after.is_some_and(|at| !is_lone(at) || following(at + 1).is_some());
    before.is_some_and(|at| !is_lone(at)) || goes_on
}

/// How the letters of a word were read.
#[derive(Debug, Default)]
struct Readings {
    literal: usize,
    alike: usize,
    leet: usize,
}

impl Readings {
    fn add(&mut self, found: char, letter: char) -> Option<()> {
        if found == letter {
            self.literal += 1;
        } else if read_as(found).any(|read| read == letter) {
            self.alike += 1;
        } else if leet(found).any(|read| read == letter) {
            self.leet += 1;
        } else {
            return None;
        }
        Some(())
    }

    /// Look-alikes require a letter of the term's own script in the word: a word entirely in another script is a word
    /// of another language. Digits and signs require two letters, so that `4k` and `3d` do not match.
    fn is_plausible(&self) -> bool {
        let letters = self.literal + self.alike;
        (self.alike == 0 || self.literal > 0)
            && (self.leet == 0 || (letters >= 2 && self.leet <= 2 * letters))
    }
}

fn is_small_sign(sign: char) -> bool {
    sign == ' ' || sign == '・' || is_joint(sign)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found<'a>(term: &str, language: &str, text: &'a str) -> Vec<&'a str> {
        let term = Term::new(term, language, true).unwrap();
        let folded = Text::new(text, term.accents);
        term.find(&folded).map(|at| &text[at]).collect()
    }

    #[test]
    fn a_term_matches_whole_words_in_disguise() {
        for (term, language, text, expected) in [
            ("weapon", "en", "a WEAPON, and weapons", "WEAPON"),
            ("weapon*", "en", "two Weapons!", "Weapons"),
            ("weapon*", "en", "two w e a p o n s here", "w e a p o n s"),
            ("weapon", "en", "w e a p o n", "w e a p o n"),
            ("bomb", "en", "a  b o m b  a castle", "b o m b"),
            ("bomb", "en", "b o m b a castle", "b o m b"),
            ("eel", "en", "an eeeel", "eeeel"),
            ("k pop", "en", "some k-pop", "k-pop"),
            ("枪支", "zh", "枪-支", "枪-支"),
            ("weapon", "en", "a w.e.a.p.o.n here", "w.e.a.p.o.n"),
            ("weapon", "en", "wea-pon", "wea-pon"),
            ("weapon", "en", "w34p0n", "w34p0n"),
            ("weapon", "en", "wе\u{200B}арon", "wе\u{200B}арon"),
            ("weapon", "en", "weeeeapooon", "weeeeapooon"),
            ("glass gun", "en", "glass,\n gun", "glass,\n gun"),
            ("*waffe*", "de", "die Schusswaffen", "Schusswaffen"),
            ("оружие", "ru", "opужиe", "opужиe"),
            ("枪支", "zh", "买枪 支吗", "枪 支"),
            ("سلاح", "ar", "مع السِّلاح", "السِّلاح"),
        ] {
            assert_eq!(found(term, language, text), [expected], "{term} in {text}");
        }
    }

    #[test]
    fn words_that_only_contain_or_resemble_a_term_do_not_match() {
        for (term, language, text) in [
            ("gun", "en", "he had begun, gunnel, guns"),
            ("ak", "en", "a 4k video in 3d"),
            ("god", "en", "a good dog"),
            ("cunt", "en", "Scunthorpe, s c u n t h o r p e"),
            ("bomb", "en", "a b o m b e r, b.o.m.b.e.r"),
            ("cop", "en", "сор"),
            ("schön", "de", "schon"),
            ("ano", "es", "año nuevo"),
            ("the rapist", "en", "a therapist"),
            ("枪支", "zh", "枪。支"),
        ] {
            assert_eq!(found(term, language, text), [""; 0], "{term} in {text}");
        }
    }
}

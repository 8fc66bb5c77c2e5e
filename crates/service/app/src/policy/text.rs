//! A text prepared for terms: folded, with the places that can stand for each letter.

use std::{collections::HashMap, ops::Range};

use super::{
    fold::{Accents, Symbol, fold},
    lookalikes::{leet, read_as},
};

/// The most symbols between two letters of a word that is spelled out, and between letters of unspaced scripts.
pub(super) const GAP: usize = 3;

/// A folded text, with the places that can stand for each letter.
#[derive(Debug)]
pub(crate) struct Text {
    pub(super) symbols: Vec<Symbol>,
    pub(super) places: HashMap<char, Vec<usize>>,
    /// The same for pairs of letters that follow each other, in any supported disguise. Nearly all terms are searched
    /// by pairs, so that the time for thousands of them hardly depends on the length of the text.
    pub(super) pairs: HashMap<(char, char), Vec<usize>>,
}

impl Text {
    pub(crate) fn new(text: &str, accents: Accents) -> Self {
        let mut text = Self {
            symbols: fold(text, accents),
            places: HashMap::new(),
            pairs: HashMap::new(),
        };
        let readings: Vec<Vec<char>> = text.symbols.iter().map(readings).collect();
        for (place, letters) in readings.iter().enumerate() {
            for letter in letters {
                text.places.entry(*letter).or_default().push(place);
            }
            let next = text.next_letters(place);
            let pairs = letters.iter().flat_map(|letter| {
                let seconds = next.iter().flat_map(|next| &readings[*next]);
                seconds.map(|second| (*letter, *second))
            });
            for pair in pairs {
                let known = text.pairs.entry(pair).or_default();
                if known.last() != Some(&place) {
                    known.push(place);
                }
            }
        }
        text
    }

    /// The places where the letter after the one at `place` may stand.
    fn next_letters(&self, place: usize) -> Vec<usize> {
        let row = self.repeats(place);
        let ends = [Some(place + 1), (row >= 3).then_some(place + row)];
        let mut next = Vec::with_capacity(4);
        for end in ends.into_iter().flatten() {
            next.push(end);
            if self
                .symbols
                .get(end)
                .is_some_and(|symbol| is_joint(symbol.letter))
            {
                next.push(end + 1);
            }
            let after = self.after_gap(end);
            if (1..=GAP).contains(&(after - end)) {
                next.push(after);
            }
        }
        next.retain(|place| *place < self.symbols.len());
        next
    }

    pub(super) fn is_word(&self, place: usize) -> bool {
        self.symbols.get(place).is_some_and(Symbol::is_word)
    }

    /// Whether a word may begin here: no letter or digit comes before.
    pub(super) fn begins(&self, place: usize) -> bool {
        place == 0 || !self.is_word(place - 1)
    }

    /// The bytes of the original between two places.
    pub(super) fn bytes(&self, from: usize, to: usize) -> Range<usize> {
        self.symbols[from].at.start..self.symbols[to - 1].at.end
    }

    /// Returns the end of the separators that begin at `place`.
    pub(super) fn after_gap(&self, mut place: usize) -> usize {
        while self.symbols.get(place).is_some_and(|symbol| !symbol.is_word()) {
            place += 1;
        }
        place
    }

    /// The letters and digits that follow each other from `place`.
    pub(super) fn word_end(&self, mut place: usize) -> usize {
        while self.is_word(place) {
            place += 1;
        }
        place
    }

    /// How often the letter at `place` stands there in a row; 0 if the row began before.
    pub(super) fn repeats(&self, place: usize) -> usize {
        let letter = self.symbols[place].letter;
        if place > 0 && self.symbols[place - 1].letter == letter {
            return 0;
        }
        let row = self.symbols[place..].iter();
        row.take_while(|symbol| symbol.letter == letter).count()
    }
}

/// The letters that a symbol may stand for, each once.
fn readings(symbol: &Symbol) -> Vec<char> {
    let mut letters = vec![symbol.letter];
    for letter in read_as(symbol.letter).chain(leet(symbol.letter)) {
        if !letters.contains(&letter) {
            letters.push(letter);
        }
    }
    letters
}

/// A sign that may stand between the letters of one word.
pub(super) fn is_joint(sign: char) -> bool {
    matches!(
        sign,
        '-' | '‐' | '‑' | '_' | '.' | '*' | '·' | '•' | '~' | '|' | '/'
    )
}

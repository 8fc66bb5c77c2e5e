//! A text prepared for terms: folded, with the places where their words may begin.

use std::ops::Range;

use super::{
    fold::{Accents, Symbol, fold},
    lookalikes::class,
};

/// The most symbols between two letters of a word that is spelled out, and between letters of unspaced scripts.
pub(super) const GAP: usize = 3;

/// A folded text, with the places where words may begin.
#[derive(Debug)]
pub(crate) struct Text {
    pub(super) symbols: Vec<Symbol>,
    /// The classes of the letters with their places, sorted.
    places: Vec<(char, usize)>,
    /// The same for pairs of letters that follow each other, in any supported disguise. Nearly all terms are searched
    /// by pairs, so that the time for thousands of them hardly depends on the length of the text.
    pairs: Vec<([char; 2], usize)>,
}

impl Text {
    pub(crate) fn new(text: &str, accents: Accents) -> Self {
        let mut text = Self {
            symbols: fold(text, accents),
            places: Vec::new(),
            pairs: Vec::new(),
        };
        let classes: Vec<char> = text.symbols.iter().map(|symbol| class(symbol.letter)).collect();
        let mut next = Vec::new();
        for (place, &first) in classes.iter().enumerate() {
            text.places.push((first, place));
            text.next_letters(place, &mut next);
            let pairs = next.iter().map(|&next| ([first, classes[next]], place));
            text.pairs.extend(pairs);
        }
        text.places.sort_unstable();
        text.pairs.sort_unstable();
        text.pairs.dedup();
        text
    }

    /// The places where a word that begins with these letters may begin: more than those where it does.
    pub(super) fn places_of(&self, word: &[char]) -> impl Iterator<Item = usize> {
        let (mut by_letter, mut by_pair) = (&[][..], &[][..]);
        match *word {
            [] => {}
            [only] => by_letter = of_key(&self.places, &class(only)),
            [first, second, ..] => by_pair = of_key(&self.pairs, &[first, second].map(class)),
        }
        let by_letter = by_letter.iter().map(|(_, place)| *place);
        by_letter.chain(by_pair.iter().map(|(_, place)| *place))
    }

    /// Finds the places where the letter after the one at `place` may stand.
    fn next_letters(&self, place: usize, next: &mut Vec<usize>) {
        let row = self.repeats(place);
        let ends = [Some(place + 1), (row >= 3).then_some(place + row)];
        next.clear();
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

/// The entries of a sorted list that have this key.
fn of_key<'a, K: Ord>(sorted: &'a [(K, usize)], key: &K) -> &'a [(K, usize)] {
    let from = sorted.partition_point(|(own, _)| own < key);
    let rest = &sorted[from..];
    &rest[..rest.partition_point(|(own, _)| own == key)]
}

/// A sign that may stand between the letters of one word.
pub(super) fn is_joint(sign: char) -> bool {
    matches!(
        sign,
        '-' | '‐' | '‑' | '_' | '.' | '*' | '·' | '•' | '~' | '|' | '/'
    )
}

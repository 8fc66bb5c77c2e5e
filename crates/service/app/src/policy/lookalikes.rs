//! Characters that stand for letters in disguised words: letters of other scripts that look the same, and the digits
//! and signs of leetspeak.

use std::{collections::BTreeMap, sync::LazyLock};

/// Letters that look like Latin ones, in lower case and without accents. They are those of the table `confusables.txt`
/// of Unicode Technical Standard 39 that occur in prompts.
const LIKE_LATIN: &[(char, &str)] = &[
    ('a', "аαɑᴀ"),
    ('b', "ьвβʙ"),
    ('c', "сϲᴄ"),
    ('d', "ԁɗᴅ"),
    ('e', "еεєҽᴇ"),
    ('f', "ғƒꜰ"),
    ('g', "ɡɢցԍ"),
    ('h', "һнηհʜ"),
    ('i', "іιɩɪӏ"),
    ('j', "јϳᴊ"),
    ('k', "кκᴋ"),
    ('l', "ӏιʟⅼ"),
    ('m', "мμᴍ"),
    ('n', "пηνոɴ"),
    ('o', "оοσօᴏ"),
    ('p', "рρᴘ"),
    ('q', "ԛգ"),
    ('r', "гʀᴦ"),
    ('s', "ѕʂꜱ"),
    ('t', "тτᴛ"),
    ('u', "цυսᴜ"),
    ('v', "ѵνᴠ"),
    ('w', "ԝшωᴡ"),
    ('x', "хχ"),
    ('y', "уγүʏ"),
    ('z', "ᴢʐ"),
];

/// The letters that a digit or a sign stands for inside a word.
const LEET: &[(char, &str)] = &[
    ('0', "oо"),
    ('1', "ilі"),
    ('2', "z"),
    ('3', "eезэ"),
    ('4', "aач"),
    ('5', "s"),
    ('6', "gbб"),
    ('7', "tт"),
    ('8', "bв"),
    ('9', "g"),
    ('@', "aа"),
    ('$', "s"),
    ('€', "eе"),
    ('£', "l"),
    ('!', "il"),
    ('¡', "i"),
    ('|', "il"),
    ('+', "tт"),
];

/// The letters of other scripts that a letter can be read as, without itself.
pub(crate) fn read_as(letter: char) -> impl Iterator<Item = char> {
    // Either the letter is Latin and stands for one of the row, or it is of the row and stands for the Latin one.
    LIKE_LATIN.iter().flat_map(move |(latin, others)| {
        let row = (*latin == letter).then(|| others.chars()).into_iter().flatten();
        row.chain(others.contains(letter).then_some(*latin))
    })
}

/// The letters that a digit or a sign can be read as.
pub(crate) fn leet(sign: char) -> impl Iterator<Item = char> {
    let row = LEET.iter().find(|(own, _)| *own == sign);
    row.into_iter().flat_map(|(_, letters)| letters.chars())
}

/// One letter for all that can be read as each other, directly or through a third one. Two letters of different classes
/// can never stand for each other.
pub(crate) fn class(letter: char) -> char {
    static ASCII: LazyLock<[char; 128]> =
        LazyLock::new(|| std::array::from_fn(|letter| searched(char::from(letter as u8))));
    let ascii = ASCII.get(letter as usize).copied();
    ascii.unwrap_or_else(|| searched(letter))
}

/// The class of a letter, which takes a search.
fn searched(letter: char) -> char {
    static CLASSES: LazyLock<BTreeMap<char, char>> = LazyLock::new(classes);
    CLASSES.get(&letter).copied().unwrap_or(letter)
}

fn classes() -> BTreeMap<char, char> {
    let mut classes = BTreeMap::new();
    for (letter, others) in LIKE_LATIN.iter().chain(LEET) {
        for other in others.chars() {
            let [one, two] = [*letter, other].map(|letter| *classes.entry(letter).or_insert(letter));
            for class in classes.values_mut().filter(|class| **class == two) {
                *class = one;
            }
        }
    }
    classes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_read_as_a_letter_is_of_its_class() {
        for (letter, others) in LIKE_LATIN.iter().chain(LEET) {
            for other in others.chars() {
                assert_eq!(class(*letter), class(other), "{letter} {other}");
            }
        }
        assert_eq!(class('枪'), '枪');
        assert_ne!(class('a'), class('o'));
    }

    #[test]
    fn look_alikes_are_read_both_ways() {
        assert!(read_as('о').any(|letter| letter == 'o'), "Cyrillic as Latin");
        assert!(read_as('o').any(|letter| letter == 'о'), "Latin as Cyrillic");
        assert_eq!(read_as('g').filter(|letter| *letter == 'g').count(), 0);
        assert_eq!(leet('1').collect::<String>(), "ilі");
        assert_eq!(leet('k').count(), 0);
    }
}

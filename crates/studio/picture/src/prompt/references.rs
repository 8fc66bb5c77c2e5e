//! Words about reference pictures: "the cat from the first picture", "in the style of the second", "put it on a beach".

use super::Moved;

/// A statement about a reference, counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// Something should be cut out of it.
    Picture(usize),
    /// Its style is asked for.
    Style(usize),
}

const ORDINALS: [(&str, &str); 10] = [
    ("first", "1st"),
    ("second", "2nd"),
    ("third", "3rd"),
    ("fourth", "4th"),
    ("fifth", "5th"),
    ("sixth", "6th"),
    ("seventh", "7th"),
    ("eighth", "8th"),
    ("ninth", "9th"),
    ("tenth", "10th"),
];

fn ordinal(word: &str) -> Option<usize> {
    ORDINALS
        .iter()
        .position(|(long, short)| word == *long || word == *short)
}

fn is_picture(word: &str) -> bool {
    matches!(
        word,
        "picture" | "image" | "photo" | "photograph" | "reference" | "painting" | "drawing" | "one"
    )
}

fn is_look(word: &str) -> bool {
    matches!(
        word,
        "style" | "look" | "palette" | "colors" | "colours" | "texture" | "like" | "as" | "manner"
    )
}

/// Stands for a mark among the words: no word of a prompt begins with these.
const PICTURE: char = '@';
const STYLE: char = '#';

/// Reads a mark that [`marked`] has set.
pub(super) fn mark(word: &str) -> Option<Mark> {
    let number = |rest: &str| rest.parse().ok();
    if let Some(rest) = word.strip_prefix(PICTURE) {
        return number(rest).map(Mark::Picture);
    }
    number(word.strip_prefix(STYLE)?).map(Mark::Style)
}

/// The words with every reference replaced by a mark.
pub(super) fn marked(words: &[String]) -> Vec<String> {
    let mut out: Vec<String> = Vec::with_capacity(words.len());
    let mut at = 0;
    while at < words.len() {
        let Some((number, taken)) = naming(&words[at..]) else {
            out.push(words[at].clone());
            at += 1;
            continue;
        };
        let before = &out[out.len().saturating_sub(3)..];
        let look = before.iter().any(|word| is_look(word)) || is_look(&words[at]);
        out.push(format!("{}{number}", if look { STYLE } else { PICTURE }));
        at += taken;
    }
    out
}

/// A reference at the front of the words, and how many words it takes.
fn naming(words: &[String]) -> Option<(usize, usize)> {
    let word = |i: usize| words.get(i).map_or("", String::as_str);
    let article = |i: usize| usize::from(matches!(word(i), "the" | "my" | "this"));
    if !matches!(word(0), "from" | "in" | "of" | "on" | "like" | "as") {
        return None;
    }
    let i = 1 + article(1);
    if let Some(number) = ordinal(word(i)) {
        let picture = is_picture(word(i + 1));
        // "in the first row" is not about a picture; "of the second" at an end is.
        if picture || matches!(word(i + 1), "" | "," | "and" | "on" | "in") {
            return Some((number, i + 1 + usize::from(picture)));
        }
    }
    if is_picture(word(i)) && word(i) != "one" {
        if let Some(number) = word(i + 1).parse::<usize>().ok().filter(|n| (1..=10).contains(n)) {
            return Some((number - 1, i + 2));
        }
        if word(0) == "from" {
            return Some((0, i + 1));
        }
    }
    None
}

/// Whether the picture's subject should be moved elsewhere: "put it on a beach", "replace the background with a
/// forest".
pub(super) fn moves(words: &[String]) -> Option<Moved> {
    let is = |word: &String, of: &[&str]| of.contains(&word.as_str());
    let background = words
        .iter()
        .position(|word| is(word, &["background", "backdrop"]));
    let changed = [
        "replace",
        "change",
        "new",
        "different",
        "swap",
        "another",
        "remove",
        "with",
        "to",
    ];
    if let Some(at) = background
        && words[at.saturating_sub(4)..(at + 4).min(words.len())]
            .iter()
            .any(|word| is(word, &changed))
    {
        return Some(Moved::Unnamed);
    }
    let put = words.iter().enumerate().position(|(i, word)| {
        is(word, &["put", "place", "move", "bring", "send"])
            && words
                .get(i + 1)
                .is_some_and(|next| is(next, &["it", "him", "her", "them", "this", "the", "that", "me"]))
            && words[i + 1..].iter().any(|next| {
                is(
                    next,
                    &[
                        "on", "in", "at", "into", "under", "onto", "before", "by", "near", "against", "to",
                    ],
                )
            })
    })?;
    let named = words[put + 1] == "the" && words.get(put + 2).is_some_and(|word| word != "subject");
    Some(if named { Moved::Named } else { Moved::Unnamed })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<String> {
        marked(&text.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn references_are_named_by_number_and_by_order() {
        assert_eq!(read("the cat from the first picture on a beach")[2], "@0");
        assert_eq!(read("a dog from image 3")[2], "@2");
        assert_eq!(
            read("in the style of the second reference")
                .last()
                .map(String::as_str),
            Some("#1")
        );
        assert_eq!(read("like the second picture"), ["#1"]);
        assert_eq!(read("the woman from the photo in a forest")[2], "@0");
        assert_eq!(
            read("birds in the first light"),
            ["birds", "in", "the", "first", "light"]
        );
    }

    #[test]
    fn a_change_of_background_is_told_from_an_addition() {
        let moves = |text: &str| moves(&text.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
        assert_eq!(moves("put it on a beach"), Some(Moved::Unnamed));
        assert_eq!(moves("put the cat on a beach"), Some(Moved::Named));
        assert_eq!(
            moves("replace the background with a forest"),
            Some(Moved::Unnamed)
        );
        assert_eq!(moves("put a hat on the table"), None);
        assert_eq!(moves("a castle in the background"), None);
    }
}

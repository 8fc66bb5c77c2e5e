//! Text as the policy compares it: one form for capitals, widths, accents and invisible characters. Every symbol keeps
//! its place in the user's text, so that a refusal can quote it.

use std::ops::Range;

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// The treatment of accents, which depends on the language of a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Accents {
    /// Accents are ignored: `café` is `cafe`.
    Ignored,
    /// ä, ö, ü and ß are ae, oe, ue and ss, and not a, o, u and s.
    German,
    /// ñ is a letter of its own.
    Spanish,
    /// å, ä, ö, æ and ø are letters of their own.
    Nordic,
}

impl Accents {
    /// The rule of a language by its code.
    pub(crate) fn of(language: &str) -> Self {
        match language {
            "de" => Self::German,
            "es" => Self::Spanish,
            "da" | "fi" | "nb" | "nn" | "no" | "sv" => Self::Nordic,
            _ => Self::Ignored,
        }
    }

    fn special(self, letter: char) -> Option<&'static str> {
        Some(match (self, letter) {
            (Self::German, 'ü') => "ue",
            (Self::Spanish, 'ñ') => "ñ",
            (Self::Nordic, 'å') => "å",
            (Self::Nordic, 'ä' | 'æ') => "ä",
            (Self::Nordic, 'ö' | 'ø') => "ö",
            (_, 'ß') => "ss",
            (Self::German, 'ä') | (_, 'æ') => "ae",
            (Self::German, 'ö') | (_, 'œ') => "oe",
            (_, 'ø') => "o",
            (_, 'ł') => "l",
            (_, 'đ' | 'ð') => "d",
            (_, 'þ') => "th",
            (_, 'ı') => "i",
            // Letters of their own in Cyrillic.
            (_, 'й') => "й",
            (_, 'ї') => "ї",
            (_, 'أ' | 'إ' | 'آ' | 'ٱ') => "ا",
            _ => return None,
        })
    }
}

/// One symbol of a folded text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Symbol {
    pub(crate) letter: char,
    /// The bytes of the original that it comes from.
    pub(crate) at: Range<usize>,
}

impl Symbol {
    pub(crate) fn is_word(&self) -> bool {
        self.letter.is_alphanumeric() || (!self.letter.is_ascii() && is_combining_mark(self.letter))
    }
}

/// A text, folded.
pub(crate) fn fold(text: &str, accents: Accents) -> Vec<Symbol> {
    let mut symbols = Vec::with_capacity(text.len());
    let mut letters = text.char_indices().peekable();
    let mut cluster = String::new();
    while let Some((start, letter)) = letters.next() {
        if is_invisible(letter) {
            continue;
        }
        let mut end = start + letter.len_utf8();
        // Most characters are ASCII, of which only the case changes.
        if letter.is_ascii() && letters.peek().is_none_or(|(_, next)| next.is_ascii()) {
            symbols.push(Symbol {
                letter: letter.to_ascii_lowercase(),
                at: start..end,
            });
            continue;
        }
        cluster.clear();
        cluster.push(letter);
        // An accent belongs to its letter, also if something invisible stands between them.
        while let Some(&(at, next)) = letters.peek() {
            if !is_invisible(next) {
                if !(is_combining_mark(next) || matches!(next, '\u{FF9E}' | '\u{FF9F}')) {
                    break;
                }
                cluster.push(next);
                end = at + next.len_utf8();
            }
            letters.next();
        }
        for composed in cluster.nfkc().flat_map(char::to_lowercase) {
            one(composed, accents, start..end, &mut symbols);
        }
    }
    symbols
}

fn one(letter: char, accents: Accents, at: Range<usize>, symbols: &mut Vec<Symbol>) {
    let mut push = |letter| {
        symbols.push(Symbol {
            letter,
            at: at.clone(),
        });
    };
    if let Some(special) = accents.special(letter) {
        special.chars().for_each(push);
        return;
    }
    let letter = match boxed(letter).unwrap_or(letter) {
        // The end form of sigma.
        'ς' => 'σ',
        'ё' => 'е',
        // Katakana as hiragana.
        kana @ 'ァ'..='ヶ' => char::from_u32(kana as u32 - 0x60).unwrap_or(kana),
        other => other,
    };
    let mut parts = std::iter::once(letter).nfd();
    match parts.next() {
        Some(base) if drops_accents(base) => push(base),
        // A lone accent that belongs to no letter.
        Some(base) if is_combining_mark(base) && drops_mark(base) => {}
        _ => push(letter),
    }
}

/// The letter in a dark box or circle, or of a flag; Unicode gives these no simpler form.
fn boxed(letter: char) -> Option<char> {
    let first = match letter as u32 {
        0x1F150..=0x1F169 => 0x1F150,
        0x1F170..=0x1F189 => 0x1F170,
        0x1F1E6..=0x1F1FF => 0x1F1E6,
        _ => return None,
    };
    char::from_u32(letter as u32 - first + u32::from('a'))
}

/// Whether accents on this letter do not matter: Latin, Greek, Cyrillic, Hebrew and Arabic ones.
fn drops_accents(base: char) -> bool {
    matches!(base as u32, 0x41..=0x24F | 0x370..=0x52F | 0x5D0..=0x5EA | 0x620..=0x64A | 0x66E..=0x6D3)
}

fn drops_mark(mark: char) -> bool {
    matches!(mark as u32, 0x300..=0x36F | 0x591..=0x5C7 | 0x64B..=0x65F | 0x670 | 0x6D6..=0x6ED)
}

/// Characters without width and meaning: joiners, directions, soft hyphens, variation selectors, the Arabic stroke that
/// stretches words.
fn is_invisible(letter: char) -> bool {
    matches!(
        letter as u32,
        0xAD | 0x34F | 0x61C | 0x640 | 0x115F | 0x1160 | 0x17B4 | 0x17B5 | 0x180B..=0x180F | 0x200B..=0x200F
            | 0x202A..=0x202E | 0x2060..=0x206F | 0x3164 | 0xFE00..=0xFE0F | 0xFEFF | 0xFFA0 | 0xE0000..=0xE0FFF
    )
}

/// Whether words of this letter's script are written without spaces between them.
pub(crate) fn is_unspaced(letter: char) -> bool {
    matches!(
        letter as u32,
        0xE00..=0xEFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0x3040..=0x30FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF
            | 0xF900..=0xFAFF | 0x2_0000..=0x3_FFFF
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(text: &str, language: &str) -> String {
        fold(text, Accents::of(language))
            .iter()
            .map(|symbol| symbol.letter)
            .collect()
    }

    #[test]
    fn one_form_stands_for_all_ways_to_write_a_letter() {
        for (text, language, expected) in [
            ("CAFÉ", "any", "cafe"),
            ("cafe\u{301}", "fr", "cafe"),
            ("Ｇｕｎ", "any", "gun"),
            ("𝐆𝓊𝖓", "any", "gun"),
            ("ⓖ🅤🇳", "any", "gun"),
            ("g\u{200B}u\u{AD}n", "any", "gun"),
            ("Straße, SCHÖN", "de", "strasse, schoen"),
            ("scho\u{308}n", "de", "schoen"),
            ("schön", "en", "schon"),
            ("Año", "es", "año"),
            ("ÉTÉ", "es", "ete"),
            ("Ёлка, мой", "ru", "елка, мой"),
            ("ピストル ﾋﾟ", "ja", "ぴすとる ぴ"),
            ("سِلاحٌ أســلحة", "ar", "سلاح اسلحة"),
            ("ﬁne", "en", "fine"),
            ("ปืน", "th", "ปืน"),
        ] {
            assert_eq!(folded(text, language), expected, "{text}");
        }
    }

    #[test]
    fn every_symbol_knows_its_place_in_the_text() {
        let text = "x Ü\u{308}\u{200B}ß";
        let symbols = fold(text, Accents::German);
        let last = symbols.last().unwrap();
        assert_eq!((last.letter, &text[last.at.clone()]), ('s', "ß"));
    }
}

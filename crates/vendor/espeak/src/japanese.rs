//! Japanese: eSpeak NG reads kana only, so kanji become kana first (with kakasi's dictionary). Kana are longer than
//! kanji, so each character remembers its place in the original text.

/// Counters whose reading after digits differs from their reading alone.
const COUNTERS: [(char, &str); 14] = [
    ('\u{6642}', "じ"),
    ('\u{5206}', "ふん"),
    ('\u{79d2}', "びょう"),
    ('\u{5e74}', "ねん"),
    ('\u{6708}', "がつ"),
    ('\u{65e5}', "にち"),
    ('\u{4eba}', "にん"),
    ('\u{5186}', "えん"),
    ('\u{56de}', "かい"),
    ('\u{968e}', "かい"),
    ('\u{500b}', "こ"),
    ('\u{5ea6}', "ど"),
    ('\u{6b73}', "さい"),
    ('\u{756a}', "ばん"),
];

/// A text with its kanji turned into kana.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Kana {
    pub(crate) text: String,
    /// For each character, its place in the original text, in Unicode scalar values.
    places: Vec<u32>,
}

impl Kana {
    pub(crate) fn of(text: &str) -> Self {
        let letters: Vec<char> = text.chars().collect();
        let mut kana = Self {
            text: String::with_capacity(text.len()),
            places: Vec::with_capacity(letters.len()),
        };
        let mut at = 0;
        while at < letters.len() {
            let after_digit = at > 0 && letters[at - 1].is_numeric();
            let counter = COUNTERS.iter().find(|(letter, _)| *letter == letters[at]);
            let end = match counter {
                Some((_, reading)) if after_digit => {
                    kana.put(reading, at, 1);
                    at + 1
                }
                _ if is_kanji(letters[at]) => kana.put_word(&letters, at),
                _ => {
                    kana.put(letters[at].encode_utf8(&mut [0; 4]), at, 1);
                    at + 1
                }
            };
            at = end;
        }
        kana
    }

    /// Maps a place in the kana to the place in the original text.
    pub(crate) fn place(&self, place: u32) -> u32 {
        let known = self.places.get(place as usize).copied();
        known.unwrap_or_else(|| self.places.last().map_or(0, |last| last + 1))
    }

    /// Adds a word, kanji and the hiragana after them (which decide the reading), and returns the place of its end.
    fn put_word(&mut self, letters: &[char], at: usize) -> usize {
        let end_of = |from: usize, fits: fn(char) -> bool| {
            let length = letters[from..].iter().take_while(|letter| fits(**letter)).count();
            from + length
        };
        // Kanji after kana begin a word. eSpeak NG finds words by spaces.
        if at > 0 && is_kana(letters[at - 1]) {
            self.put(" ", at, 1);
        }
        let tail = end_of(at, is_kanji);
        let end = end_of(tail, is_hiragana);
        let mut word: Vec<char> = letters[at..end].to_vec();
        // Particles of topic and direction are pronounced differently from how they are written.
        if let Some(particle) = word.get_mut(tail - at) {
            *particle = match *particle {
                'は' => 'わ',
                'へ' => 'え',
                other => other,
            };
        }
        let written: String = word.iter().collect();
        self.put(&kakasi::convert(&written).hiragana, at, end - at);
        end
    }

    /// Adds the reading of the `length` characters at `at`.
    fn put(&mut self, reading: &str, at: usize, length: usize) {
        let count = reading.chars().count();
        // Both end with the same hiragana, so places are counted from the end.
        for (index, letter) in reading.chars().enumerate() {
            let from_end = count - index;
            let place = at + length.saturating_sub(from_end);
            self.text.push(letter);
            self.places.push(place as u32);
        }
    }
}

fn is_kanji(letter: char) -> bool {
    matches!(letter, '\u{3005}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

fn is_hiragana(letter: char) -> bool {
    matches!(letter, '\u{3041}'..='\u{3096}')
}

fn is_kana(letter: char) -> bool {
    matches!(letter, '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}' | '\u{30fc}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kanji_become_kana_and_the_rest_is_unchanged() {
        for (text, kana) in [
            ("今日は天気がいいです。", "きょうわ てんきがいいです。"),
            ("私は東京へ行きます。", "わたしわ とうきょうえ いきます。"),
            ("コーヒーを飲む。", "コーヒーを のむ。"),
            ("10時3分に2人", "10じ3ふんに2にん"),
            ("ひらがな, ABC!", "ひらがな, ABC!"),
            ("", ""),
        ] {
            assert_eq!(Kana::of(text).text, kana);
        }
    }

    #[test]
    fn places_in_kana_map_to_places_in_the_text() {
        let text: Vec<char> = "今日は、東京へ。".chars().collect();
        let kana = Kana::of("今日は、東京へ。");
        let back = |letter: char| {
            let place = kana.text.chars().position(|other| other == letter).unwrap();
            text[kana.place(place as u32) as usize]
        };
        assert_eq!(
            (back('き'), back('、'), back('と'), back('え'), back('。')),
            ('今', '、', '東', 'へ', '。')
        );
        assert!(kana.places.is_sorted());
        assert_eq!(kana.place(99), 8);
    }
}

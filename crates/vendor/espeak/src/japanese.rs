//! Japanese: eSpeak NG reads kana only, so kanji are written as kana first (kakasi's dictionary), and where that
//! moves what follows, the way back to the text's own places is kept.

/// How what is counted is read after digits, where that is not how it is read by itself.
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

/// A text without kanji.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Kana {
    pub(crate) text: String,
    /// The place in the given text of each of the characters, in Unicode scalar values.
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

    /// The place in the given text of a place in this one.
    pub(crate) fn place(&self, place: u32) -> u32 {
        let known = self.places.get(place as usize).copied();
        known.unwrap_or_else(|| self.places.last().map_or(0, |last| last + 1))
    }

    /// Puts kanji and the hiragana after them, which bend their reading, and says where they end.
    fn put_word(&mut self, letters: &[char], at: usize) -> usize {
        let end_of = |from: usize, fits: fn(char) -> bool| {
            let length = letters[from..].iter().take_while(|letter| fits(**letter)).count();
            from + length
        };
        // Kanji after kana begin a word, which eSpeak NG sees by a space.
        if at > 0 && is_kana(letters[at - 1]) {
            self.put(" ", at, 1);
        }
        let tail = end_of(at, is_kanji);
        let end = end_of(tail, is_hiragana);
        let mut word: Vec<char> = letters[at..end].to_vec();
        // What marks a topic or a direction is not said as it is written.
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

    /// Puts a reading of `length` characters at `at`.
    fn put(&mut self, reading: &str, at: usize, length: usize) {
        let count = reading.chars().count();
        // The last of both are the same hiragana; what is before them is the kanji's.
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
    fn kanji_become_kana_and_all_else_stays() {
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
    fn places_lead_back_to_the_text() {
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

//! Other languages. The text goes to the helper program passage by passage, unchanged. The sound that comes back
//! becomes frames, which take on a voice like those of English.

use std::ops::Range;

use super::{
    super::{
        helper::{Event, Helper, HelperError, Spoken, What},
        vocoder::{Frame, SHIFT, analysis},
    },
    Pause, Reading, Sentence, WordTime, voice_of,
};
use crate::speech::text::{self, Normalization};

/// Words per minute of a voice at a normal pace.
const WORDS_PER_MINUTE: f32 = 165.0;
/// Lengths in characters after which a comma ends a passage, and after which any space or character does.
const LONG: usize = 160;
const TOO_LONG: usize = 320;
/// Seconds of sound in which the median pitch is measured.
const HEARD: f32 = 12.0;

/// A passage spoken in one breath.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Passage {
    /// The text for the helper.
    pub(crate) written: Vec<char>,
    /// The offset in the original text of each character of `written`.
    pub(crate) places: Vec<usize>,
    pub(crate) pause: Pause,
}

/// A passage as spoken by the helper.
pub(super) struct Said {
    passage: Passage,
    spoken: Spoken,
}

/// Has the helper say a text. The result is empty if there is nothing to say.
pub(super) fn say(reading: &Reading<'_>) -> Result<Vec<Said>, HelperError> {
    let letters: Vec<char> = reading.text.chars().collect();
    let passages = passages(&letters, reading.normalization);
    if passages.is_empty() {
        return Ok(Vec::new());
    }
    let mut helper = Helper::start(reading.helper)?;
    let rate = (WORDS_PER_MINUTE / reading.voice.stretch) as u32;
    passages
        .into_iter()
        .map(|passage| {
            let text: String = passage.written.iter().collect();
            let spoken = helper.speak(reading.language, rate, &text)?;
            Ok(Said { passage, spoken })
        })
        .collect()
}

/// The median pitch of the helper in Hz, which depends on the language.
pub(super) fn mean_pitch(said: &[Said]) -> f32 {
    let mut found: Vec<f32> = Vec::new();
    for Said { spoken, .. } in said {
        if found.len() as f32 * SHIFT > HEARD {
            break;
        }
        found.extend(
            analysis::pitches(&spoken.samples, spoken.rate)
                .iter()
                .filter(|f0| **f0 > 0.0),
        );
    }
    found.sort_by(f32::total_cmp);
    found.get(found.len() / 2).copied().unwrap_or(100.0)
}

/// A passage in the reading's voice. `mean` is the median pitch of the helper.
pub(super) fn sentence(reading: &Reading<'_>, said: &Said, mean: f32, index: u64) -> Sentence {
    let Said { passage, spoken } = said;
    let rate = spoken.rate as f32;
    let phones = spoken.events.iter().filter(|event| event.what == What::Phone);
    let first = phones.clone().map(|event| event.sample).next().unwrap_or(0) as f32 / rate;
    let last_phone = phones.map(|event| event.sample).next_back().unwrap_or(0);
    let last = end_after(&spoken.events, last_phone, spoken.samples.len()) as f32 / rate;
    let mut frames: Vec<Frame> = analysis::frames(&spoken.samples, spoken.rate);
    let begin = (((first - 0.02) / SHIFT).max(0.0) as usize).min(frames.len());
    let end = (((last + 0.06) / SHIFT) as usize).clamp(begin, frames.len());
    frames.truncate(end);
    frames.drain(..begin);
    let offset = begin as f32 * SHIFT;
    Sentence {
        samples: voice_of(reading, &mut frames, mean, reading.voice.tract_abroad(), index),
        words: words(passage, spoken)
            .into_iter()
            .map(|(range, start, end)| WordTime {
                word: passage.text(&range),
                start: start - offset,
                end: end - offset,
                from: passage.places[range.start],
                to: passage.places[range.end - 1] + 1,
            })
            .collect(),
        pause: passage.pause,
    }
}

impl Passage {
    /// The original text at these offsets of `written`, without inserted characters.
    pub(crate) fn text(&self, range: &Range<usize>) -> String {
        range
            .clone()
            .filter(|at| !self.is_put_in(*at))
            .map(|at| self.written[at])
            .collect()
    }

    /// Whether a character is a space inserted before a digit.
    fn is_put_in(&self, at: usize) -> bool {
        self.places.get(at + 1) == Some(&self.places[at])
    }
}

/// The end of what begins at `sample`: the next pause, or the end of the sound.
fn end_after(events: &[Event], sample: usize, total: usize) -> usize {
    events
        .iter()
        .filter(|event| event.what == What::Pause && event.sample > sample)
        .map(|event| event.sample)
        .next()
        .unwrap_or(total)
}

/// Offsets in `written` and times in seconds of the words of a passage.
fn words(passage: &Passage, spoken: &Spoken) -> Vec<(Range<usize>, f32, f32)> {
    let heard: Vec<(usize, usize)> = spoken
        .events
        .iter()
        .filter_map(|event| match event.what {
            What::Word(place) => Some((place, event.sample)),
            _ => None,
        })
        .collect();
    let units = units(passage, &heard);
    let mut starts: Vec<Option<usize>> = vec![None; units.len()];
    for (place, sample) in &heard {
        let owner = units
            .partition_point(|unit| unit.end <= *place)
            .min(units.len().saturating_sub(1));
        if let Some(start) = starts.get_mut(owner) {
            start.get_or_insert(*sample);
        }
    }
    let rate = spoken.rate as f32;
    let mut words = Vec::with_capacity(units.len());
    let mut at = 0;
    while at < units.len() {
        let Some(start) = starts[at] else {
            at += 1;
            continue;
        };
        // Words spoken as one share its time in proportion to their letters.
        let next = (at + 1..units.len())
            .find(|next| starts[*next].is_some())
            .unwrap_or(units.len());
        let limit = starts
            .get(next)
            .copied()
            .flatten()
            .unwrap_or(spoken.samples.len());
        let mut phone = spoken
            .events
            .iter()
            .filter(|event| event.what == What::Phone && (start..limit).contains(&event.sample))
            .map(|event| event.sample);
        let (begin, last) = (
            phone.clone().next().unwrap_or(start),
            phone.next_back().unwrap_or(start),
        );
        let end = end_after(&spoken.events, last, limit).min(limit).max(begin);
        let letters: usize = units[at..next].iter().map(ExactSizeIterator::len).sum();
        let mut before = 0;
        for unit in &units[at..next] {
            let time = |letter: usize| {
                (begin as f32 + (end - begin) as f32 * letter as f32 / letters.max(1) as f32) / rate
            };
            words.push((unit.clone(), time(before), time(before + unit.len())));
            before += unit.len();
        }
        at = next;
    }
    words
}

/// The words of a passage, separated by spaces. In scripts without spaces, the helper's words.
pub(crate) fn units(passage: &Passage, heard: &[(usize, usize)]) -> Vec<Range<usize>> {
    let written = &passage.written;
    let mut units = Vec::new();
    let mut at = 0;
    while at < written.len() {
        if written[at].is_whitespace() {
            at += 1;
            continue;
        }
        let mut end = at;
        // Skips inserted spaces, but not spaces of the text.
        while end < written.len() && (!written[end].is_whitespace() || passage.is_put_in(end)) {
            end += 1;
        }
        let mut cuts = vec![at];
        if written[at..end].iter().any(|letter| is_unspaced(*letter)) {
            cuts.extend(
                heard
                    .iter()
                    .map(|(place, _)| *place)
                    .filter(|place| *place > at && *place < end),
            );
        }
        cuts.push(end);
        cuts.dedup();
        for pair in cuts.windows(2) {
            let (first, last) = text::core(written, pair[0], pair[1]);
            if written[first..last].iter().any(|letter| letter.is_alphanumeric()) {
                units.push(first..last);
            }
        }
        at = end;
    }
    units
}

/// Letters of scripts without spaces between words: Han, kana, Thai, Lao, Burmese and Khmer.
fn is_unspaced(letter: char) -> bool {
    matches!(
        letter,
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
            | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
    )
}

/// Splits a text where a reader breathes.
pub(crate) fn passages(letters: &[char], normalization: Normalization) -> Vec<Passage> {
    let mut passages = Vec::new();
    let mut first = 0;
    for at in 0..letters.len() {
        let Some(pause) = pause_after(letters, first, at) else {
            continue;
        };
        push(&mut passages, letters, first..at + 1, pause, normalization);
        first = at + 1;
    }
    push(
        &mut passages,
        letters,
        first..letters.len(),
        Pause::Sentence,
        normalization,
    );
    passages
}

/// The pause after the character at `at`, if it ends a passage.
fn pause_after(letters: &[char], first: usize, at: usize) -> Option<Pause> {
    let (letter, next) = (letters[at], letters.get(at + 1).copied());
    let length = at - first + 1;
    let spaced = next.is_none_or(char::is_whitespace);
    match letter {
        '\n' => {
            let blank = letters[at + 1..]
                .iter()
                .take_while(|letter| letter.is_whitespace())
                .any(|letter| *letter == '\n');
            Some(if blank { Pause::Paragraph } else { Pause::Comma })
        }
        '\u{3002}' | '\u{ff01}' | '\u{964}' | '\u{965}' | '\u{1362}' | '\u{104b}' | '\u{17d4}' => {
            Some(Pause::Sentence)
        }
        '\u{ff1f}' => Some(Pause::Question),
        '?' | '\u{61f}' | '\u{37e}' if spaced => Some(Pause::Question),
        '!' | '\u{2026}' | '\u{589}' | '\u{6d4}' if spaced => Some(Pause::Sentence),
        '.' if spaced && ends_sentence(letters, at) => Some(Pause::Sentence),
        ',' | ';' | ':' | '\u{60c}' if spaced && length > LONG => Some(Pause::Comma),
        '\u{ff0c}' | '\u{3001}' | '\u{ff1b}' if length > LONG => Some(Pause::Comma),
        _ if length > TOO_LONG
            && (letter.is_whitespace() || is_unspaced(letter) || length > 2 * TOO_LONG) =>
        {
            Some(Pause::None)
        }
        _ => None,
    }
}

/// Whether a full stop ends a sentence. It does not after a number, a single letter or an abbreviation with full
/// stops, and not before a lower-case letter.
fn ends_sentence(letters: &[char], at: usize) -> bool {
    let next = letters[at + 1..].iter().find(|letter| !letter.is_whitespace());
    let Some(next) = next else { return true };
    let begin = letters[..at]
        .iter()
        .rposition(|letter| letter.is_whitespace())
        .map_or(0, |space| space + 1);
    let word = &letters[begin..at];
    let short = word.len() <= 1 || word.contains(&'.') || word.iter().all(char::is_ascii_digit);
    !next.is_lowercase() && !short
}

fn push(
    passages: &mut Vec<Passage>,
    letters: &[char],
    range: Range<usize>,
    pause: Pause,
    normalization: Normalization,
) {
    if !letters[range.clone()]
        .iter()
        .any(|letter| letter.is_alphanumeric())
    {
        if let Some(before) = passages.last_mut().filter(|_| !range.is_empty()) {
            before.pause = before.pause.max(pause);
        }
        return;
    }
    let mut passage = Passage {
        written: Vec::with_capacity(range.len()),
        places: Vec::with_capacity(range.len()),
        pause,
    };
    let mut digit = false;
    for place in range {
        let letter = letters[place];
        let is_digit = letter.is_numeric();
        if normalization == Normalization::Off && digit && is_digit {
            passage.written.push(' ');
            passage.places.push(place);
        }
        digit = is_digit;
        passage.written.push(if is_silent(letter) { ' ' } else { letter });
        passage.places.push(place);
    }
    passages.push(passage);
}

/// Whether a character is not spoken: control characters, pictures and direction marks.
fn is_silent(letter: char) -> bool {
    letter.is_control()
        || letter.is_whitespace()
        || matches!(
            letter,
            '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
                | '\u{2060}'..='\u{2069}' | '\u{2190}'..='\u{2bff}' | '\u{e000}'..='\u{f8ff}'
                | '\u{fe0e}' | '\u{fe0f}' | '\u{feff}' | '\u{1f000}'..='\u{10ffff}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str, normalization: Normalization) -> Vec<(String, Pause)> {
        let letters: Vec<char> = text.chars().collect();
        passages(&letters, normalization)
            .into_iter()
            .map(|passage| {
                (
                    passage.written.iter().collect::<String>().trim().to_owned(),
                    passage.pause,
                )
            })
            .collect()
    }

    #[test]
    fn a_text_is_split_at_the_ends_of_its_sentences() {
        let cut = |text: &str| cut(text, Normalization::Auto);
        assert_eq!(
            cut("Am 3. Mai kam z.B. Herr Weber. Wer? Er!\n\nEnde"),
            [
                ("Am 3. Mai kam z.B. Herr Weber.".to_owned(), Pause::Sentence),
                ("Wer?".to_owned(), Pause::Question),
                ("Er!".to_owned(), Pause::Paragraph),
                ("Ende".to_owned(), Pause::Sentence),
            ]
        );
        assert_eq!(cut("\u{4f60}\u{597d}\u{3002}\u{4e16}\u{754c}").len(), 2);
        assert_eq!(cut(" \u{1f600} ... "), []);
        assert!(
            cut(&"\u{4f60}".repeat(5_000))
                .iter()
                .all(|(passage, _)| passage.chars().count() <= TOO_LONG + 1)
        );
        assert!(
            cut(&"a".repeat(5_000))
                .iter()
                .all(|(passage, _)| passage.chars().count() <= 2 * TOO_LONG + 1)
        );
    }

    #[test]
    fn digits_are_separated_if_numbers_are_not_normalised() {
        assert_eq!(cut("Bus 145", Normalization::Off)[0].0, "Bus 1 4 5");
        assert_eq!(cut("Bus 145", Normalization::On)[0].0, "Bus 145");
        let letters: Vec<char> = "Bus 145".chars().collect();
        let passage = &passages(&letters, Normalization::Off)[0];
        let units = units(passage, &[]);
        assert_eq!(units.len(), 2);
        assert_eq!(
            (passage.places[units[1].start], passage.places[units[1].end - 1]),
            (4, 6)
        );
    }
}

#[cfg(test)]
#[path = "other_tests.rs"]
mod spoken;

//! Sentences as one speech: cut where they are too long, trimmed, timed and joined with a reader's pauses.

use atelier_sound::speech::{Sound, Speech, Spelling, WordTime};

/// Silence before the first word and after the last, in seconds.
const MARGIN: f32 = 0.12;
/// Seconds in which a sentence fades in and out.
const FADE: f32 = 0.005;
/// Seconds of a window in which the level is measured.
const WINDOW: f32 = 0.01;
/// Below this share of the loudest window a sentence has not begun, or has ended.
const QUIET: f32 = 0.01;
/// Seconds that are kept before and after what is heard.
const BEFORE: f32 = 0.03;
const AFTER: f32 = 0.06;

/// Cuts a sentence into parts of at most `longest` sounds: after a mark if there is one late enough, else between
/// words, else anywhere.
pub(crate) fn parts(mut line: Spelling, longest: usize) -> Vec<Spelling> {
    let mut parts = Vec::new();
    while line.sounds.len() > longest {
        let head = &line.sounds[..longest];
        let after =
            |fits: fn(&Sound) -> bool| head.iter().rposition(|(sound, _)| fits(sound)).map(|at| at + 1);
        let mark = after(|sound| matches!(sound, Sound::Mark(_))).filter(|at| *at > longest / 2);
        let cut = mark
            .or_else(|| after(|sound| *sound == Sound::Space))
            .unwrap_or(longest);
        let rest = line.sounds.split_off(cut);
        // The words stay with every part, because sounds name them by number.
        parts.push(Spelling {
            sounds: std::mem::replace(&mut line.sounds, rest),
            words: line.words.clone(),
            pause: 0.08,
        });
    }
    parts.push(line);
    parts
}

/// What has been spoken so far.
#[derive(Debug)]
pub(crate) struct Joined {
    rate: u32,
    speed: f32,
    samples: Vec<f32>,
    words: Vec<WordTime>,
    /// Seconds of silence before the next sentence.
    pause: f32,
}

impl Joined {
    pub(crate) fn new(rate: u32, speed: f32) -> Self {
        Self {
            rate,
            speed,
            samples: Vec::new(),
            words: Vec::new(),
            pause: MARGIN,
        }
    }

    /// Adds a sentence as a network spoke it.
    pub(crate) fn add(&mut self, mut samples: Vec<f32>, line: &Spelling) {
        for sample in &mut samples {
            *sample = if sample.is_finite() {
                sample.clamp(-4.0, 4.0)
            } else {
                0.0
            };
        }
        let mut samples = trimmed(samples, self.rate);
        fade(&mut samples, self.rate);
        self.silence(self.pause);
        let begin = self.samples.len() as f32 / self.rate as f32;
        let seconds = samples.len() as f32 / self.rate as f32;
        let heard = (BEFORE.min(seconds / 4.0), (seconds - AFTER).max(seconds * 0.75));
        for word in times(line, heard) {
            let word = WordTime {
                start: begin + word.start,
                end: begin + word.end,
                ..word
            };
            match self.words.last_mut() {
                // A word that was cut goes on.
                Some(before) if (before.from, before.to) == (word.from, word.to) => before.end = word.end,
                _ => self.words.push(word),
            }
        }
        self.samples.extend(samples);
        self.pause = line.pause / self.speed.clamp(0.5, 2.0);
    }

    pub(crate) fn finish(mut self) -> Speech {
        self.silence(MARGIN);
        Speech {
            samples: self.samples,
            words: self.words,
        }
    }

    fn silence(&mut self, seconds: f32) {
        let count = (seconds * self.rate as f32) as usize;
        self.samples.extend(std::iter::repeat_n(0.0, count));
    }
}

/// Without the silence that networks begin and end with.
fn trimmed(mut samples: Vec<f32>, rate: u32) -> Vec<f32> {
    let window = ((WINDOW * rate as f32) as usize).max(1);
    let level = |chunk: &[f32]| (chunk.iter().map(|x| x * x).sum::<f32>() / chunk.len() as f32).sqrt();
    let levels: Vec<f32> = samples.chunks(window).map(level).collect();
    let loudest = levels.iter().copied().fold(0.0, f32::max);
    let heard = |level: &f32| *level > QUIET * loudest;
    let (Some(first), Some(last)) = (levels.iter().position(heard), levels.iter().rposition(heard)) else {
        return samples;
    };
    let begin = (first * window).saturating_sub((BEFORE * rate as f32) as usize);
    let end = (last + 1) * window + (AFTER * rate as f32) as usize;
    samples.truncate(end.min(samples.len()));
    samples.drain(..begin);
    samples
}

fn fade(samples: &mut [f32], rate: u32) {
    let length = ((FADE * rate as f32) as usize).min(samples.len() / 2);
    let total = samples.len();
    for step in 0..length {
        let gain = step as f32 / length as f32;
        samples[step] *= gain;
        samples[total - 1 - step] *= gain;
    }
}

/// When the words of a sentence are heard, estimated: each sound takes a usual share of the time. `heard` is when the
/// first begins and the last ends, in seconds.
fn times(line: &Spelling, (begin, end): (f32, f32)) -> Vec<WordTime> {
    let last = line
        .sounds
        .iter()
        .rposition(|(sound, _)| matches!(sound, Sound::Phone(_)));
    let sounds = &line.sounds[..last.map_or(0, |last| last + 1)];
    let total: f32 = sounds.iter().map(|(sound, _)| share(sound)).sum();
    let scale = (end - begin) / total.max(1.0);
    let mut words: Vec<WordTime> = Vec::new();
    let mut at = begin;
    let mut current = None;
    for (sound, owner) in sounds {
        let next = at + scale * share(sound);
        if let Some((owner, word)) = owner.and_then(|owner| Some((owner, line.words.get(owner)?))) {
            if current == Some(owner)
                && let Some(word) = words.last_mut()
            {
                word.end = next;
            } else {
                words.push(WordTime {
                    word: word.word.clone(),
                    start: at,
                    end: next,
                    from: word.from,
                    to: word.to,
                });
            }
            current = Some(owner);
        }
        at = next;
    }
    words
}

/// The usual length of a sound, relative to a short vowel.
fn share(sound: &Sound) -> f32 {
    const VOWELS: &str = "aeiouyɑɐɒæɔəɘɵɤɛɜɞɨɪɯɶøœʉʊʌʏᵻɚ";
    match sound {
        Sound::Space => 0.0,
        Sound::Mark(',' | ';' | ':') => 2.5,
        Sound::Mark(_) => 4.0,
        Sound::Phone(phone) => {
            let vowels = phone.chars().filter(|letter| VOWELS.contains(*letter)).count();
            let long = phone.contains('ː') || vowels > 1;
            let stress = if phone.starts_with('ˈ') { 1.25 } else { 1.0 };
            match (vowels, long) {
                (0, _) => 0.75,
                (_, false) => stress,
                (_, true) => 1.5 * stress,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use atelier_sound::speech::TextWord;

    use super::*;

    /// A sentence whose words have these phones.
    fn line(words: &[&[&str]]) -> Spelling {
        let mut sounds = Vec::new();
        let mut from = 0;
        let mut listed = Vec::new();
        for (number, phones) in words.iter().enumerate() {
            if number > 0 {
                sounds.push((Sound::Space, None));
            }
            sounds.extend(
                phones
                    .iter()
                    .map(|phone| (Sound::Phone((*phone).to_owned()), Some(number))),
            );
            let word = number.to_string();
            listed.push(TextWord {
                to: from + word.len(),
                from,
                word,
            });
            from += 2;
        }
        sounds.push((Sound::Mark('.'), None));
        Spelling {
            sounds,
            words: listed,
            pause: 0.4,
        }
    }

    fn tone(seconds: f32) -> Vec<f32> {
        (0..(seconds * 1_000.0) as usize)
            .map(|at| (at as f32).sin())
            .collect()
    }

    #[test]
    fn sentences_lose_their_silence_and_get_the_pauses_of_a_reader() {
        let mut joined = Joined::new(1_000, 1.0);
        let silent = [vec![1e-4; 300], tone(0.5), vec![-1e-4; 400]].concat();
        joined.add(silent, &line(&[&["a"]]));
        let mut second = line(&[&["a"]]);
        (second.words[0].from, second.words[0].to) = (5, 6);
        joined.add(tone(0.5), &second);
        let speech = joined.finish();
        let seconds = speech.samples.len() as f32 / 1_000.0;
        let expected = 2.0 * MARGIN + 0.4 + 0.5 + BEFORE + AFTER + 0.5;
        assert!(
            (seconds - expected).abs() < 0.03,
            "{seconds} instead of {expected}"
        );
        assert!(speech.samples[0].abs() < f32::EPSILON);
        assert!(speech.words[1].start > speech.words[0].end);
    }

    #[test]
    fn words_follow_each_other_within_the_sentence_by_their_sounds() {
        let mut joined = Joined::new(1_000, 1.0);
        joined.add(
            tone(1.0),
            &line(&[&["b", "ˈaɪ"], &["ə"], &["t", "ɹ", "ˈiː", "z"]]),
        );
        let speech = joined.finish();
        assert_eq!(speech.words.len(), 3);
        assert!(
            speech
                .words
                .windows(2)
                .all(|pair| pair[0].end <= pair[1].start + 1e-5)
        );
        let length = |at: usize| speech.words[at].end - speech.words[at].start;
        assert!(length(2) > length(0) && length(0) > length(1));
        assert!(speech.words[0].start >= MARGIN && speech.words[2].end <= MARGIN + 1.0);
    }

    #[test]
    fn a_long_sentence_is_cut_between_words_and_keeps_every_sound() {
        let whole = line(&[&["a", "b"] as &[&str]; 50]);
        let cut = parts(whole.clone(), 20);
        assert!(cut.iter().all(|part| part.sounds.len() <= 20));
        assert!(
            cut[..cut.len() - 1]
                .iter()
                .all(|part| part.sounds.last() == Some(&(Sound::Space, None)))
        );
        let all: Vec<_> = cut.iter().flat_map(|part| part.sounds.clone()).collect();
        assert_eq!(all, whole.sounds);
        assert_eq!(cut.last().map(|part| part.pause), Some(0.4));
        let solid = line(&[&["a"; 50] as &[&str]]);
        assert!(parts(solid, 20).iter().all(|part| part.sounds.len() <= 20));
    }

    #[test]
    fn numbers_that_are_none_become_silence() {
        let mut joined = Joined::new(1_000, 1.0);
        joined.add(vec![f32::NAN; 100], &line(&[&["a"]]));
        assert!(joined.finish().samples.iter().all(|sample| *sample == 0.0));
    }
}

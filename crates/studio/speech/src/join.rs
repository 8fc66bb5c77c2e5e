//! Sentences as one speech: cut where they are too long, trimmed, timed and joined with a reader's pauses.

use atelier_sound::speech::{Sound, Speech, Spelling, WordTime};

use crate::times::{QUIET, WINDOW, estimated, heard_until, levels, times};

/// Silence before the first word and after the last, in seconds.
const MARGIN: f32 = 0.12;
/// Seconds in which a sentence fades in and out.
const FADE: f32 = 0.005;
/// Seconds that are kept before and after what is heard.
const BEFORE: f32 = 0.03;
const AFTER: f32 = 0.06;

/// The output of a network for a part.
#[derive(Debug, Default)]
pub(crate) struct Spoken {
    pub(crate) samples: Vec<f32>,
    /// When each sound of the part begins and ends, in seconds, if the network tells.
    pub(crate) spans: Option<Vec<(f32, f32)>>,
}

/// Cuts a sentence into parts that cost at most `longest`: after a mark if there is one late enough, else between
/// words, else anywhere. `cost` is what a sound takes of a run.
pub(crate) fn parts(mut line: Spelling, longest: usize, cost: impl Fn(&Sound) -> usize) -> Vec<Spelling> {
    let mut parts = Vec::new();
    loop {
        let mut sum = 0;
        let within = line.sounds.iter().take_while(|(sound, _)| {
            sum += cost(sound);
            sum <= longest
        });
        let fits = within.count().max(1);
        if fits >= line.sounds.len() {
            break;
        }
        let head = &line.sounds[..fits];
        let after =
            |fits: fn(&Sound) -> bool| head.iter().rposition(|(sound, _)| fits(sound)).map(|at| at + 1);
        let mark = after(|sound| matches!(sound, Sound::Mark(_))).filter(|at| *at > fits / 2);
        let cut = mark
            .or_else(|| after(|sound| *sound == Sound::Space))
            .unwrap_or(fits);
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

/// The speech so far.
#[derive(Debug)]
pub(crate) struct Joined {
    rate: u32,
    speed: f32,
    samples: Vec<f32>,
    words: Vec<WordTime>,
    /// Whether the network told the times of all words so far.
    is_timed: bool,
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
            is_timed: true,
            pause: MARGIN,
        }
    }

    /// Adds a sentence as a network spoke it.
    pub(crate) fn add(&mut self, spoken: Spoken, line: &Spelling) {
        let Spoken { mut samples, spans } = spoken;
        for sample in &mut samples {
            *sample = if sample.is_finite() {
                sample.clamp(-4.0, 4.0)
            } else {
                0.0
            };
        }
        let cut = trim(&mut samples, self.rate) as f32 / self.rate as f32;
        fade(&mut samples, self.rate);
        self.silence(self.pause);
        let begin = self.samples.len() as f32 / self.rate as f32;
        let seconds = samples.len() as f32 / self.rate as f32;
        self.is_timed &= spans.is_some();
        let spans = if let Some(mut spans) = spans {
            let here = |time: f32| (time - cut).clamp(0.0, seconds);
            for span in &mut spans {
                *span = (here(span.0), here(span.1));
            }
            spans
        } else {
            let heard = (BEFORE.min(seconds / 4.0), (seconds - AFTER).max(seconds * 0.75));
            estimated(line, heard)
        };
        let levels = levels(&samples, self.rate);
        for mut word in times(line, &spans) {
            // Networks count the silence before a mark to the last sound.
            word.end = heard_until(&levels, word.start, word.end);
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

    /// The speech, and whether the network told the times of its words; otherwise they are estimated.
    pub(crate) fn finish(mut self) -> (Speech, bool) {
        self.silence(MARGIN);
        let speech = Speech {
            samples: self.samples,
            words: self.words,
        };
        (speech, self.is_timed)
    }

    fn silence(&mut self, seconds: f32) {
        let count = (seconds * self.rate as f32) as usize;
        self.samples.extend(std::iter::repeat_n(0.0, count));
    }
}

/// Takes away the silence that networks begin and end with. Returns how many samples it took from the beginning.
fn trim(samples: &mut Vec<f32>, rate: u32) -> usize {
    let window = ((WINDOW * rate as f32) as usize).max(1);
    let levels = levels(samples, rate);
    let heard = |level: &f32| *level > QUIET;
    let (Some(first), Some(last)) = (levels.iter().position(heard), levels.iter().rposition(heard)) else {
        return 0;
    };
    let begin = (first * window).saturating_sub((BEFORE * rate as f32) as usize);
    let end = (last + 1) * window + (AFTER * rate as f32) as usize;
    samples.truncate(end.min(samples.len()));
    samples.drain(..begin);
    begin
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

#[cfg(test)]
mod tests {
    use atelier_sound::speech::TextWord;

    use super::*;
    use crate::times::spans;

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

    fn untimed(samples: Vec<f32>) -> Spoken {
        Spoken { samples, spans: None }
    }

    #[test]
    fn sentences_lose_their_silence_and_get_the_pauses_of_a_reader() {
        let mut joined = Joined::new(1_000, 1.0);
        let silent = [vec![1e-4; 300], tone(0.5), vec![-1e-4; 400]].concat();
        joined.add(untimed(silent), &line(&[&["a"]]));
        let mut second = line(&[&["a"]]);
        (second.words[0].from, second.words[0].to) = (5, 6);
        joined.add(untimed(tone(0.5)), &second);
        let (speech, _) = joined.finish();
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
            untimed(tone(1.0)),
            &line(&[&["b", "ˈaɪ"], &["ə"], &["t", "ɹ", "ˈiː", "z"]]),
        );
        let (speech, is_timed) = joined.finish();
        assert_eq!((speech.words.len(), is_timed), (3, false));
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
        let cut = parts(whole.clone(), 20, |_| 1);
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
        let cut = parts(solid.clone(), 20, |_| 1);
        assert!(cut.iter().all(|part| part.sounds.len() <= 20));
        // A sound that costs more is a part for itself.
        let phones = |part: &Spelling| part.sounds.len();
        assert!(parts(solid, 20, |_| 30).iter().all(|part| phones(part) == 1));
    }

    #[test]
    fn a_sentence_is_cut_by_what_its_sounds_cost() {
        let whole = line(&[&["a", "b"] as &[&str]; 50]);
        let cost = |sound: &Sound| if *sound == Sound::Space { 1 } else { 4 };
        let cut = parts(whole, 20, cost);
        let sums = cut
            .iter()
            .map(|part| part.sounds.iter().map(|(sound, _)| cost(sound)).sum::<usize>());
        assert!(sums.into_iter().all(|sum| sum <= 20));
    }

    #[test]
    fn words_have_the_times_that_the_network_tells() {
        let line = line(&[&["b", "ˈaɪ"], &["ə"]]);
        // Two tokens at both ends; the stress is a token of its own.
        let ranges = [1..2, 2..4, 4..5, 5..6, 6..7];
        let frames = [20.0, 10.0, 0.0, 20.0, 5.0, 15.0, 10.0, 20.0];
        let spans = spans(&frames, &ranges, 8, 1.0).unwrap();
        assert_eq!(spans.len(), line.sounds.len());
        let mut joined = Joined::new(1_000, 1.0);
        let samples = [vec![0.0; 190], tone(0.51), vec![0.0; 300]].concat();
        joined.add(
            Spoken {
                samples,
                spans: Some(spans),
            },
            &line,
        );
        let (speech, is_timed) = joined.finish();
        assert!(is_timed);
        let times: Vec<_> = speech
            .words
            .iter()
            .map(|word| [word.start, word.end].map(|time| (1_000.0 * time).round()))
            .collect();
        // The silence before 0.16 s was cut, and 0.12 s put before what is left.
        assert_eq!(times, [[160.0, 460.0], [510.0, 660.0]]);
    }

    #[test]
    fn a_word_ends_when_it_is_no_longer_heard() {
        let line = line(&[&["a"], &["a"]]);
        let mut joined = Joined::new(1_000, 1.0);
        let samples = [tone(0.3), vec![0.0; 300], tone(0.4)].concat();
        let spans = vec![(0.0, 0.6), (0.6, 0.6), (0.6, 1.0), (1.0, 1.0)];
        joined.add(
            Spoken {
                samples,
                spans: Some(spans),
            },
            &line,
        );
        let (speech, _) = joined.finish();
        let ends = [0, 1].map(|at| (1_000.0 * (speech.words[at].end - MARGIN)).round() as u32);
        assert_eq!(ends, [300, 1_000]);
    }

    #[test]
    fn numbers_that_are_none_become_silence() {
        let mut joined = Joined::new(1_000, 1.0);
        joined.add(untimed(vec![f32::NAN; 100]), &line(&[&["a"]]));
        assert!(joined.finish().0.samples.iter().all(|sample| *sample == 0.0));
    }
}

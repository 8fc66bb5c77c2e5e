//! Maps each moment of a sung line to the spoken one: consonants keep their length, vowels stretch.

use atelier_flite::Segment;

use super::{
    super::{
        english::{self, Phrase},
        vocoder::SHIFT,
    },
    Note,
};

/// The longest time that consonants before or after a vowel are sung, in seconds.
const LONGEST_ONSET: f32 = 0.2;
const LONGEST_CODA: f32 = 0.22;
/// The share of the previous syllable that leading consonants may take, and the share of their own for trailing ones.
const TAKEN: f32 = 0.45;
const CODA_PART: f32 = 0.4;

/// One syllable's place in the song, in seconds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) onset: f32,
    /// The start of its note.
    pub(super) vowel: f32,
    pub(super) coda: f32,
    pub(super) end: f32,
}

/// One syllable's phones in the spoken line, in seconds.
#[derive(Debug, Clone, Copy)]
struct Source {
    onset: f32,
    vowel: f32,
    coda: f32,
    end: f32,
    diphthong: bool,
}

/// The times of a line's syllables, sung and spoken.
#[derive(Debug)]
pub(super) struct Timing {
    pub(super) places: Vec<Place>,
    sources: Vec<Source>,
}

/// The state of the singing at one moment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moment {
    pub(super) syllable: usize,
    /// In frames of the spoken line.
    pub(super) source: f32,
    pub(super) in_vowel: bool,
}

impl Timing {
    /// `notes` has one slice of notes per syllable.
    pub(super) fn new(phrase: &Phrase, notes: &[&[Note]]) -> Self {
        let sources: Vec<Source> = (0..notes.len()).map(|index| source(phrase, index)).collect();
        let mut places: Vec<Place> = Vec::with_capacity(notes.len());
        for (source, notes) in sources.iter().zip(notes) {
            let start = notes.first().map_or(0.0, |note| note.start);
            let end = notes.last().map_or(start, Note::end);
            let room = match places.last() {
                Some(before) => {
                    let rest = (start - before.end).max(0.0);
                    rest + (start - before.vowel).max(0.0) * TAKEN
                }
                None => start,
            };
            let onset = (source.vowel - source.onset).min(LONGEST_ONSET).min(room);
            if let Some(before) = places.last_mut() {
                *before = before.ending(start - onset);
            }
            let coda = (source.end - source.coda)
                .min(LONGEST_CODA)
                .min((end - start) * CODA_PART);
            places.push(Place {
                onset: start - onset,
                vowel: start,
                coda: end - coda,
                end,
            });
        }
        Self { places, sources }
    }

    /// Returns the singing at `time`, or `None` in rests.
    pub(super) fn at(&self, time: f32) -> Option<Moment> {
        let syllable = self
            .places
            .partition_point(|place| place.onset <= time)
            .checked_sub(1)?;
        let (place, source) = (&self.places[syllable], &self.sources[syllable]);
        if time >= place.end {
            return None;
        }
        let in_vowel = (place.vowel..place.coda).contains(&time);
        let seconds = if time < place.vowel {
            linear(time, place.onset, place.vowel, source.onset, source.vowel)
        } else if in_vowel {
            let length = source.coda - source.vowel;
            source.vowel
                + length
                    * stretched(
                        time - place.vowel,
                        place.coda - place.vowel,
                        length,
                        source.diphthong,
                    )
        } else {
            linear(time, place.coda, place.end, source.coda, source.end)
        };
        Some(Moment {
            syllable,
            source: seconds / SHIFT,
            in_vowel,
        })
    }
}

impl Place {
    /// The same, ending no later than `end`.
    fn ending(self, end: f32) -> Self {
        let end = self.end.min(end);
        let coda = (self.end - self.coda)
            .min((end - self.vowel) * CODA_PART)
            .max(0.0);
        Self {
            coda: end - coda,
            end,
            ..self
        }
    }
}

/// The phones of a syllable. Without a vowel, its last phone is sung.
fn source(phrase: &Phrase, index: usize) -> Source {
    let segments: Vec<&Segment> = phrase
        .segments
        .iter()
        .filter(|segment| segment.syllable == Some(index))
        .collect();
    let vowel = segments
        .iter()
        .position(|segment| english::is_vowel(&segment.name))
        .unwrap_or(segments.len().saturating_sub(1));
    let (Some(first), Some(heart), Some(last)) = (segments.first(), segments.get(vowel), segments.last())
    else {
        return Source {
            onset: 0.0,
            vowel: 0.0,
            coda: 0.0,
            end: 0.0,
            diphthong: false,
        };
    };
    Source {
        onset: first.start,
        vowel: heart.start,
        coda: heart.end,
        end: last.end,
        diphthong: english::is_diphthong(&heart.name),
    }
}

fn linear(value: f32, from: f32, to: f32, low: f32, high: f32) -> f32 {
    let part = if to > from {
        (value - from) / (to - from)
    } else {
        0.0
    };
    low + (high - low) * part
}

/// How far into a vowel of `length` seconds its sung form of `target` seconds is after `time`, 0 to 1. The ends run at
/// the speed of speech; the middle stretches. Diphthongs stay on their first sound, as singers do.
fn stretched(time: f32, target: f32, length: f32, diphthong: bool) -> f32 {
    let (head, tail) = if diphthong { (0.2, 0.55) } else { (0.35, 0.35) };
    if target <= length * 1.1 || length <= 0.0 {
        return linear(time, 0.0, target, 0.0, 1.0);
    }
    let (head_end, tail_start) = (head * length, target - tail * length);
    if time < head_end {
        time / length
    } else if time < tail_start {
        linear(time, head_end, tail_start, head, 1.0 - tail)
    } else {
        1.0 - (target - time) / length
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stretched_vowel_runs_through_its_whole_without_a_jump() {
        for diphthong in [false, true] {
            for target in [0.05, 0.1, 0.13, 0.5, 3.0] {
                let places: Vec<f32> = (0..=200)
                    .map(|step| stretched(target * step as f32 / 200.0, target, 0.12, diphthong))
                    .collect();
                assert!(places[0].abs() < 1e-3 && (places[200] - 1.0).abs() < 1e-3);
                let steps: Vec<f32> = places.windows(2).map(|pair| pair[1] - pair[0]).collect();
                let longest = target / 200.0 / 0.12 * 1.1 + 0.006;
                assert!(
                    steps.iter().all(|step| (-1e-4..longest).contains(step)),
                    "{target}"
                );
            }
        }
    }
}

//! Reads a text aloud.

use std::{
    path::Path,
    sync::atomic::{AtomicUsize, Ordering},
};

use rayon::prelude::*;

use super::{
    english,
    helper::HelperError,
    text,
    text::{Normalization, Pause, Piece},
    vocoder::{Frame, RATE, SHIFT, synthesize},
    voice::Voice,
};

pub(super) mod other;

/// The text to read, and how.
#[derive(Debug, Clone, Copy)]
pub struct Reading<'a> {
    pub text: &'a str,
    pub voice: &'a Voice,
    /// 0 is lively, 1 is even.
    pub stability: f32,
    pub normalization: Normalization,
    /// One of [`LANGUAGES`](super::LANGUAGES).
    pub language: &'a str,
    /// Path of the program that speaks all languages except English.
    pub helper: &'a Path,
    pub seed: u64,
}

/// A text read aloud.
#[derive(Debug, Clone, PartialEq)]
pub struct Speech {
    /// Mono, at [`RATE`]. The level is not normalised.
    pub samples: Vec<f32>,
    /// In spoken order.
    pub words: Vec<WordTime>,
}

/// When a word of the text is heard.
#[derive(Debug, Clone, PartialEq)]
pub struct WordTime {
    /// As it appears in the text.
    pub word: String,
    /// Seconds.
    pub start: f32,
    pub end: f32,
    /// Offsets into the text in Unicode scalar values; `to` is exclusive.
    pub from: usize,
    pub to: usize,
}

/// Why a text was not read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SpeakError {
    #[error("the text cannot be spoken: it needs at least one letter or digit")]
    Nothing,
    #[error(transparent)]
    Flite(#[from] atelier_flite::Error),
    #[error(transparent)]
    Helper(#[from] HelperError),
}

/// Silence before the first word and after the last, in seconds.
const MARGIN: f32 = 0.12;
/// Seconds in which a sentence fades in and out.
const FADE: f32 = 0.004;

/// Reads a text. `progress` is told how much is done, 0 to 1.
pub fn speak(reading: &Reading<'_>, progress: &(dyn Fn(f32) + Sync)) -> Result<Speech, SpeakError> {
    let sentences = if reading.language == "en" {
        let pieces = text::pieces(reading.text, reading.normalization);
        let letters: Vec<char> = reading.text.chars().collect();
        let sentences = text::sentences(&pieces);
        all(&sentences, progress, |index, pieces| {
            sentence(reading, &letters, pieces, index)
        })?
    } else {
        let said = other::say(reading)?;
        let mean = other::mean_pitch(&said);
        all(&said, progress, |index, said| {
            Ok(other::sentence(reading, said, mean, index))
        })?
    };
    if sentences.is_empty() {
        return Err(SpeakError::Nothing);
    }
    Ok(join(reading, sentences))
}

/// Renders all sentences, on all cores.
fn all<T: Sync>(
    items: &[T],
    progress: &(dyn Fn(f32) + Sync),
    make: impl Fn(u64, &T) -> Result<Sentence, SpeakError> + Sync,
) -> Result<Vec<Sentence>, SpeakError> {
    let done = AtomicUsize::new(0);
    items
        .par_iter()
        .enumerate()
        .map(|(index, item)| {
            let sentence = make(index as u64, item);
            let count = done.fetch_add(1, Ordering::Relaxed) + 1;
            progress(count as f32 / items.len() as f32);
            sentence
        })
        .collect()
}

/// The sound of one sentence, the times of its words, and the pause after it.
struct Sentence {
    samples: Vec<f32>,
    words: Vec<WordTime>,
    pause: Pause,
}

fn sentence(
    reading: &Reading<'_>,
    letters: &[char],
    pieces: &[Piece],
    index: u64,
) -> Result<Sentence, SpeakError> {
    let voice = reading.voice;
    let mut phrase = english::phrase(voice.speaker, &written(pieces), voice.stretch)?;
    let mean = english::mean_pitch(voice.speaker)?;
    // We add the pauses around a sentence ourselves.
    let voiced = phrase
        .segments
        .iter()
        .filter(|segment| segment.syllable.is_some());
    let first = voiced.clone().map(|segment| segment.start).next().unwrap_or(0.0);
    let last = voiced.map(|segment| segment.end).next_back().unwrap_or(first);
    let begin = (((first - 0.02) / SHIFT).max(0.0) as usize).min(phrase.frames.len());
    let end = (((last + 0.06) / SHIFT) as usize).clamp(begin, phrase.frames.len());
    let offset = begin as f32 * SHIFT;
    let times = times(&phrase, pieces);
    let words = pieces.iter().zip(times).filter_map(|(piece, time)| {
        let (start, end) = time?;
        Some(WordTime {
            word: letters[piece.from..piece.to].iter().collect(),
            start: start - offset,
            end: end - offset,
            from: piece.from,
            to: piece.to,
        })
    });
    Ok(Sentence {
        words: words.collect(),
        samples: voice_of(reading, &mut phrase.frames[begin..end], mean, voice.tract, index),
        pause: pieces.last().map_or(Pause::None, |piece| piece.pause),
    })
}

/// Renders frames in the reading's voice. `mean` is their median pitch, `tract` the factor on their formants, `index`
/// the number of the sentence.
fn voice_of(reading: &Reading<'_>, frames: &mut [Frame], mean: f32, tract: f32, index: u64) -> Vec<f32> {
    let seed = reading
        .seed
        .wrapping_add(index)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        | 1;
    let mut state = seed;
    let mut chance = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32 / 8_388_608.0 - 1.0
    };
    reading
        .voice
        .apply(frames, mean, tract, reading.stability, &mut chance);
    let mut samples = synthesize(frames, seed);
    fade(&mut samples);
    samples
}

/// The pieces as one text for flite. Their pauses shape its phrases.
fn written(pieces: &[Piece]) -> String {
    let mut written = String::new();
    for (index, piece) in pieces.iter().enumerate() {
        if index > 0 {
            written.push(' ');
        }
        written.push_str(&piece.say);
        let last = index + 1 == pieces.len();
        written.push_str(match piece.pause {
            Pause::Question if last => "?",
            _ if last => ".",
            Pause::None => "",
            _ => ",",
        });
    }
    written
}

/// When each piece is heard: from the first phone of its first word to the last phone of its last word.
fn times(phrase: &english::Phrase, pieces: &[Piece]) -> Vec<Option<(f32, f32)>> {
    // flite counts tokens separated by white space; a piece has as many tokens as words.
    let owners: Vec<usize> = pieces
        .iter()
        .enumerate()
        .flat_map(|(index, piece)| std::iter::repeat_n(index, piece.say.split(' ').count()))
        .collect();
    let mut times: Vec<Option<(f32, f32)>> = vec![None; pieces.len()];
    for segment in &phrase.segments {
        let owner = segment
            .syllable
            .and_then(|syllable| phrase.syllables.get(syllable))
            .and_then(|syllable| phrase.words.get(syllable.word))
            .and_then(|word| word.token)
            .and_then(|token| owners.get(token));
        if let Some(time) = owner.and_then(|owner| times.get_mut(*owner)) {
            let start = time.map_or(segment.start, |(start, _)| start);
            *time = Some((start, segment.end));
        }
    }
    times
}

/// Joins sentences with the pauses of a reader.
fn join(reading: &Reading<'_>, sentences: Vec<Sentence>) -> Speech {
    let mut samples = silence(MARGIN);
    let mut words = Vec::new();
    let count = sentences.len();
    for (index, sentence) in sentences.into_iter().enumerate() {
        let offset = samples.len() as f32 / RATE as f32;
        samples.extend(sentence.samples);
        words.extend(sentence.words.into_iter().map(|word| WordTime {
            start: (offset + word.start).max(0.0),
            end: offset + word.end,
            ..word
        }));
        samples.extend(silence(match sentence.pause {
            _ if index + 1 == count => MARGIN,
            Pause::None => 0.08,
            Pause::Comma => 0.2,
            Pause::Sentence | Pause::Question => 0.42 * reading.voice.stretch,
            Pause::Paragraph => 0.8 * reading.voice.stretch,
        }));
    }
    Speech { samples, words }
}

fn silence(seconds: f32) -> Vec<f32> {
    vec![0.0; (seconds * RATE as f32) as usize]
}

fn fade(samples: &mut [f32]) {
    let length = ((FADE * RATE as f32) as usize).min(samples.len() / 2);
    let total = samples.len();
    for step in 0..length {
        let gain = step as f32 / length as f32;
        samples[step] *= gain;
        samples[total - 1 - step] *= gain;
    }
}

#[cfg(test)]
mod tests;

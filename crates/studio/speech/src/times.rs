//! When words are heard: by the frames that a network gave to its tokens, or estimated.

use std::ops::Range;

use atelier_sound::speech::{Sound, Spelling, WordTime};

/// Seconds of a window in which the level is measured.
pub(crate) const WINDOW: f32 = 0.01;
/// Below this share of the loudest window nothing is heard.
pub(crate) const QUIET: f32 = 0.01;

/// When the sounds are heard that a network was told by tokens, from the frames that it gave to each token. `ranges`
/// are the tokens of each sound. `None` means that the frames are not those of the tokens.
pub(crate) fn spans(
    frames: &[f32],
    ranges: &[Range<usize>],
    tokens: usize,
    seconds: f32,
) -> Option<Vec<(f32, f32)>> {
    let mut ends = vec![0.0];
    for count in frames {
        ends.push(ends[ends.len() - 1] + count);
    }
    let scale = seconds / ends[ends.len() - 1];
    let is_whole = frames.len() == tokens && scale.is_finite() && frames.iter().all(|count| *count >= 0.0);
    let at = |range: &Range<usize>| Some((scale * ends.get(range.start)?, scale * ends.get(range.end)?));
    ranges.iter().map(at).collect::<Option<_>>().filter(|_| is_whole)
}

/// When the sounds of a sentence are heard, estimated: each takes a usual share of the time. `heard` is when the first
/// begins and the last ends, in seconds.
pub(crate) fn estimated(line: &Spelling, (begin, end): (f32, f32)) -> Vec<(f32, f32)> {
    let last = line
        .sounds
        .iter()
        .rposition(|(sound, _)| matches!(sound, Sound::Phone(_)));
    let shares = line.sounds.iter().enumerate().map(|(at, (sound, _))| {
        // Marks at the end are silent.
        if last.is_some_and(|last| at <= last) {
            share(sound)
        } else {
            0.0
        }
    });
    let shares: Vec<f32> = shares.collect();
    let scale = (end - begin) / shares.iter().sum::<f32>().max(1.0);
    let mut at = begin;
    let span = |share: f32| {
        let from = at;
        at += scale * share;
        (from, at)
    };
    shares.into_iter().map(span).collect()
}

/// When the words of a sentence are heard: from the beginning of their first sound to the end of their last.
pub(crate) fn times(line: &Spelling, spans: &[(f32, f32)]) -> Vec<WordTime> {
    let mut words: Vec<WordTime> = Vec::new();
    let mut current = None;
    for ((_, owner), (start, end)) in line.sounds.iter().zip(spans) {
        let Some((owner, word)) = owner.and_then(|owner| Some((owner, line.words.get(owner)?))) else {
            continue;
        };
        if current == Some(owner)
            && let Some(word) = words.last_mut()
        {
            word.end = *end;
        } else {
            words.push(WordTime {
                word: word.word.clone(),
                start: *start,
                end: *end,
                from: word.from,
                to: word.to,
            });
        }
        current = Some(owner);
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

/// The level of each window of 10 ms, as a share of the loudest.
pub(crate) fn levels(samples: &[f32], rate: u32) -> Vec<f32> {
    let window = ((WINDOW * rate as f32) as usize).max(1);
    let level = |chunk: &[f32]| (chunk.iter().map(|x| x * x).sum::<f32>() / chunk.len() as f32).sqrt();
    let levels: Vec<f32> = samples.chunks(window).map(level).collect();
    let loudest = levels.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
    levels.into_iter().map(|level| level / loudest).collect()
}

/// When a word that takes this time is heard last; its end if it is not heard at all.
pub(crate) fn heard_until(levels: &[f32], start: f32, end: f32) -> f32 {
    let [first, next] = [start, end].map(|time| ((time / WINDOW).round() as usize).min(levels.len()));
    let windows = levels.get(first..next).unwrap_or_default();
    let heard = windows.iter().rposition(|level| *level > QUIET);
    heard.map_or(end, |at| end.min((first + at + 1) as f32 * WINDOW))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_that_do_not_fit_the_tokens_tell_no_times() {
        let ranges = [1..2, 2..3];
        assert!(spans(&[1.0, 1.0, 1.0, 1.0], &ranges, 4, 1.0).is_some());
        for frames in [
            &[1.0_f32, 1.0, 1.0] as &[f32],
            &[0.0; 4],
            &[1.0, f32::NAN, 1.0, 1.0],
            &[],
        ] {
            assert_eq!(spans(frames, &ranges, 4, 1.0), None, "{frames:?}");
        }
    }
}

//! Finds out who speaks each phrase: groups phrases by the pitch of their voice, and gives every speaker the most
//! similar built-in voice, moved to the speaker's pitch and timbre.

use atelier_sound::{
    convert::{Portrait, portrait},
    dub::{Phrase, RATE},
    file::Audio,
    speech::Voice,
};

/// Two median pitches further apart than this, as a logarithm, are two people, if the request does not say how many
/// speak.
const APART: f32 = 0.42;
/// The largest spread of one speaker's phrases around their median, relative to the distance between speakers.
const TOGETHER: f32 = 0.3;

/// A speaker of the recording.
#[derive(Debug)]
pub(super) struct Speaker {
    pub(super) portrait: Portrait,
    pub(super) voice: &'static Voice,
}

/// The speakers, and the speaker of each phrase. Empty if no voice can be measured.
pub(super) fn cast(
    voice: &Audio,
    phrases: &[Phrase],
    asked: usize,
    near: impl Fn(&Portrait) -> &'static Voice,
) -> (Vec<Speaker>, Vec<usize>) {
    let pitches: Vec<Option<f32>> = phrases
        .iter()
        .map(|phrase| portrait(&part(voice, &[*phrase])).map(|portrait| portrait.pitch.ln()))
        .collect();
    let groups = grouped(&pitches, asked);
    let mut speakers = Vec::new();
    let mut places = Vec::new();
    for group in 0..=groups.iter().copied().max().unwrap_or(0) {
        let own: Vec<Phrase> = phrases
            .iter()
            .zip(&groups)
            .filter(|(_, of)| **of == group)
            .map(|(phrase, _)| *phrase)
            .collect();
        // A speaker with too little speech is measured together with the others.
        let measured = portrait(&part(voice, &own)).or_else(|| portrait(&part(voice, phrases)));
        let Some(portrait) = measured.or_else(|| portrait(voice)) else {
            return (Vec::new(), Vec::new());
        };
        places.push(speakers.len());
        speakers.push(Speaker {
            voice: near(&portrait),
            portrait,
        });
    }
    (speakers, groups.into_iter().map(|group| places[group]).collect())
}

fn part(voice: &Audio, phrases: &[Phrase]) -> Audio {
    let samples = &voice.channels[0];
    let at = |time: f32| ((time * RATE as f32) as usize).min(samples.len());
    let parts = phrases
        .iter()
        .flat_map(|phrase| &samples[at(phrase.start)..at(phrase.end)]);
    Audio::mono(RATE, parts.copied().collect())
}

/// The group of each phrase, by the logarithm of its pitch (k-means). A phrase without pitch joins the group of the
/// previous phrase. `asked` is the number of groups; 0 chooses one or two.
fn grouped(pitches: &[Option<f32>], asked: usize) -> Vec<usize> {
    let known: Vec<f32> = pitches.iter().flatten().copied().collect();
    let count = match asked {
        0 => {
            let middles = middles(&known, 2);
            let two = middles.len() == 2 && (middles[0] - middles[1]).abs() > APART;
            let gap = middles.first().zip(middles.last()).map_or(0.0, |(a, b)| b - a);
            let spread = known
                .iter()
                .map(|pitch| (pitch - middles[nearest(&middles, *pitch)]).powi(2))
                .sum::<f32>();
            let spread = (spread / known.len().max(1) as f32).sqrt();
            if two && spread < TOGETHER * gap { 2 } else { 1 }
        }
        count => count,
    };
    let middles = middles(&known, count);
    let mut last = 0;
    pitches
        .iter()
        .map(|pitch| {
            if let Some(pitch) = pitch {
                last = nearest(&middles, *pitch);
            }
            last
        })
        .collect()
}

/// The `count` cluster centres of numbers, in ascending order; fewer if there are fewer numbers.
fn middles(values: &[f32], count: usize) -> Vec<f32> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f32::total_cmp);
    let count = count.min(sorted.len());
    let mut middles: Vec<f32> = (0..count)
        .map(|k| sorted[(2 * k + 1) * sorted.len() / (2 * count)])
        .collect();
    for _ in 0..12 {
        let mut sums = vec![(0.0_f32, 0.0_f32); count];
        for value in &sorted {
            let sum = &mut sums[nearest(&middles, *value)];
            *sum = (sum.0 + value, sum.1 + 1.0);
        }
        for (middle, (sum, number)) in middles.iter_mut().zip(sums) {
            if number > 0.0 {
                *middle = sum / number;
            }
        }
    }
    middles.dedup();
    middles
}

fn nearest(middles: &[f32], value: f32) -> usize {
    let away = |at: &usize| (middles[*at] - value).abs();
    (0..middles.len())
        .min_by(|a, b| away(a).total_cmp(&away(b)))
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(hz: &[f32]) -> Vec<Option<f32>> {
        hz.iter().map(|hz| (*hz > 0.0).then(|| hz.ln())).collect()
    }

    #[test]
    fn a_man_and_a_woman_are_two_speakers_and_a_lively_voice_is_one() {
        let two = heard(&[100.0, 210.0, 105.0, 0.0, 200.0]);
        assert_eq!(grouped(&two, 0), [0, 1, 0, 0, 1]);
        assert_eq!(grouped(&heard(&[100.0, 120.0, 140.0, 110.0, 130.0]), 0), [0; 5]);
        assert_eq!(grouped(&two, 1), [0; 5]);
        assert_eq!(grouped(&heard(&[100.0, 118.0]), 2), [0, 1]);
        assert_eq!(grouped(&[None, None], 0), [0, 0]);
    }
}

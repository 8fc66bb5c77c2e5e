//! Tests of other languages, with the helper program.

use super::{super::super::vocoder::analysis::pitch::Yin, *};
use crate::speech::{LANGUAGES, RATE, Speech, Voice, speak};

fn read(text: &str, language: &str, voice: &str) -> Option<Speech> {
    let helper = atelier_found::built("atelier-espeak")?;
    let reading = Reading {
        text,
        voice: Voice::named(voice).unwrap(),
        stability: 0.5,
        normalization: Normalization::Auto,
        language,
        helper: &helper,
        seed: 5,
    };
    Some(speak(&reading, &|_| {}).unwrap())
}

fn pitch(speech: &Speech) -> f32 {
    let yin = Yin::new(RATE, 55.0, 450.0);
    let mut pitches: Vec<f32> = (0..speech.samples.len())
        .step_by(882)
        .map(|centre| yin.at(&speech.samples, centre).f0)
        .filter(|f0| *f0 > 0.0)
        .collect();
    pitches.sort_by(f32::total_cmp);
    pitches[pitches.len() / 2]
}

fn words(speech: &Speech) -> Vec<&str> {
    speech.words.iter().map(|word| word.word.as_str()).collect()
}

#[test]
fn a_voice_has_its_pitch_in_every_language() {
    for (text, language) in [
        ("Der Garten hinter dem Haus war still.", "de"),
        ("Le jardin derri\u{e8}re la maison \u{e9}tait calme.", "fr"),
        ("\u{4eca}\u{5929}\u{5929}\u{6c14}\u{5f88}\u{597d}\u{3002}", "zh"),
    ] {
        for (voice, hz) in [("Omar", 94.0), ("Wren", 174.0), ("Mei", 234.0)] {
            let Some(speech) = read(text, language, voice) else {
                return;
            };
            let found = pitch(&speech);
            assert!((found / hz - 1.0).abs() < 0.12, "{voice} {language}: {found} Hz");
        }
    }
}

#[test]
fn words_have_their_times_and_places_in_every_script() {
    for (text, language, expected) in [
        (
            "\u{bf}D\u{f3}nde est\u{e1} la \u{ab}calle 25\u{bb}, por favor?",
            "es",
            vec!["D\u{f3}nde", "est\u{e1}", "la", "calle", "25", "por", "favor"],
        ),
        (
            "\u{4f60}\u{597d}\u{ff0c}\u{4e16}\u{754c}\u{3002}",
            "zh",
            vec!["\u{4f60}\u{597d}", "\u{4e16}", "\u{754c}"],
        ),
        (
            "\u{41e}\u{43d}\u{430} \u{434}\u{43e}\u{43c}\u{430}. \u{414}\u{430}!",
            "ru",
            vec![
                "\u{41e}\u{43d}\u{430}",
                "\u{434}\u{43e}\u{43c}\u{430}",
                "\u{414}\u{430}",
            ],
        ),
        (
            "\u{4eca}\u{65e5}\u{306f}\u{5929}\u{6c17}\u{304c}\u{3044}\u{3044}\u{3067}\u{3059}\u{3002}",
            "ja",
            vec![
                "\u{4eca}\u{65e5}\u{306f}",
                "\u{5929}\u{6c17}\u{304c}\u{3044}\u{3044}\u{3067}\u{3059}",
            ],
        ),
    ] {
        let Some(speech) = read(text, language, "Liam") else {
            return;
        };
        if language == "zh" {
            assert_eq!(words(&speech).concat(), expected.concat());
        } else {
            assert_eq!(words(&speech), expected);
        }
        let letters: Vec<char> = text.chars().collect();
        let seconds = speech.samples.len() as f32 / RATE as f32;
        for pair in speech.words.windows(2) {
            assert!(
                pair[1].start >= pair[0].end - 1e-3 && pair[1].from >= pair[0].to,
                "{pair:?}"
            );
        }
        for word in &speech.words {
            assert_eq!(letters[word.from..word.to].iter().collect::<String>(), word.word);
            assert!(word.end > word.start + 0.03 && word.end < seconds, "{word:?}");
        }
    }
}

#[test]
fn word_times_are_within_fifty_milliseconds_of_their_sound() {
    let Some(speech) = read("Tag. Dach. Beil. Topf. Kabel.", "de", "Omar") else {
        return;
    };
    let level = |time: f32| {
        let first = (time * RATE as f32) as usize;
        let window = &speech.samples[first..(first + 220).min(speech.samples.len())];
        window.iter().map(|value| value * value).sum::<f32>() / window.len().max(1) as f32
    };
    let loudest = speech
        .samples
        .iter()
        .map(|value| value * value)
        .fold(0.0, f32::max);
    assert_eq!(speech.words.len(), 5);
    for word in &speech.words {
        let onset = (0..100)
            .map(|step| word.start - 0.15 + step as f32 * 0.005)
            .find(|time| *time >= 0.0 && level(*time) > loudest * 1e-4)
            .unwrap();
        assert!((onset - word.start).abs() <= 0.05, "{word:?}: {onset}");
    }
}

#[test]
fn the_helper_speaks_every_supported_language() {
    let Some(helper) = atelier_found::built("atelier-espeak") else {
        return;
    };
    let listed = std::process::Command::new(helper)
        .arg("--languages")
        .output()
        .unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    assert_eq!(listed.lines().collect::<Vec<_>>(), LANGUAGES);
}

#[test]
fn the_same_seed_gives_the_same_speech() {
    let text = "Uno, dos y tres. Cuatro y cinco.";
    let (Some(one), Some(two)) = (read(text, "es", "Tala"), read(text, "es", "Tala")) else {
        return;
    };
    assert_eq!(one, two);
}

//! The understanding of the voices by a speech recogniser: PocketSphinx with its own English model, which does not know
//! these texts.
#![expect(
    clippy::unwrap_used,
    reason = "a failure in a helper fails the test that uses it"
)]

use std::{
    path::Path,
    process::{Command, Stdio},
};

use atelier_sound::{
    dsp::resample::resample,
    file::{Audio, Depth, Format, Tags, encode, loudness},
    speech::{Normalization, RATE, Reading, Voice, speak},
};
use rayon::prelude::*;

const TEXT: &str = "The weather was cold this morning, so we stayed at home and read the newspaper. \
    She opened the window and looked at the people in the street. We will have dinner together on Saturday evening.";

/// Lower-case words.
fn words(text: &str) -> Vec<String> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '\'')
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// The word error count: insertions, deletions and substitutions (Levenshtein).
fn errors(spoken: &[String], heard: &[String]) -> usize {
    let mut row: Vec<usize> = (0..=heard.len()).collect();
    for (above, word) in spoken.iter().enumerate() {
        let mut corner = row[0];
        row[0] = above + 1;
        for (at, other) in heard.iter().enumerate() {
            let changed = corner + usize::from(word != other);
            corner = row[at + 1];
            row[at + 1] = changed.min(corner + 1).min(row[at] + 1);
        }
    }
    row[heard.len()]
}

/// Returns the words that PocketSphinx hears when a voice reads the text.
fn heard(recogniser: &Path, folder: &Path, voice: &Voice) -> Vec<String> {
    let reading = Reading {
        text: TEXT,
        voice,
        stability: 0.5,
        normalization: Normalization::Auto,
        language: "en",
        helper: Path::new(""),
        seed: 1,
    };
    let speech = speak(&reading, &|_| {}).unwrap();
    let mut audio = Audio::mono(16_000, resample(&speech.samples, RATE, 16_000));
    loudness::normalise(&mut audio, -16.0, -1.0);
    let path = folder.join(format!("{}.wav", voice.name));
    encode(&path, &audio, Format::Wav(Depth::Bits16), &Tags::generated(None)).unwrap();
    // The limits halve its time and do not change clear results.
    let heard = Command::new(recogniser)
        .args(["-maxhmmpf", "3000", "-maxwpf", "10", "-infile"])
        .arg(&path)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .unwrap();
    words(&String::from_utf8_lossy(&heard.stdout))
}

#[test]
fn a_recogniser_understands_the_voices() {
    let Some(recogniser) = atelier_found::program("pocketsphinx_continuous") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let spoken = words(TEXT);
    // Every third voice, of either sex and any age.
    let mut rates: Vec<f64> = Voice::ALL
        .par_iter()
        .step_by(3)
        .map(|voice| {
            let heard = heard(&recogniser, folder.path(), voice);
            let rate = 100.0 * errors(&spoken, &heard) as f64 / spoken.len() as f64;
            println!(
                "{:9} {rate:5.1} % of words wrong: {}",
                voice.name,
                heard.join(" ")
            );
            rate
        })
        .collect();
    rates.sort_by(f64::total_cmp);
    let (middle, last) = (rates[rates.len() / 3], rates[rates.len() - 2]);
    assert!(middle <= 15.0, "a third of the voices: {middle} % wrong");
    assert!(last <= 35.0, "all voices but one: {last} % wrong");
}

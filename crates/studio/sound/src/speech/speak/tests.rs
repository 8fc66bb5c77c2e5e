//! Measurements of what is spoken.

use super::{super::vocoder::analysis::pitch::Yin, *};

const TEXT: &str = "The garden behind the house was quiet, and nobody saw the yellow bird in the morning.";

fn read(text: &str, voice: &str, stability: f32) -> Speech {
    let reading = Reading {
        text,
        voice: Voice::named(voice).unwrap(),
        stability,
        normalization: Normalization::Auto,
        language: "en",
        helper: Path::new(""),
        seed: 5,
    };
    speak(&reading, &|_| {}).unwrap()
}

/// The pitches of a sound in Hz, where it is voiced.
fn pitches(samples: &[f32]) -> Vec<f32> {
    let yin = Yin::new(RATE, 55.0, 450.0);
    let mut pitches: Vec<f32> = (0..samples.len())
        .step_by(882)
        .map(|centre| yin.at(samples, centre).f0)
        .filter(|f0| *f0 > 0.0)
        .collect();
    pitches.sort_by(f32::total_cmp);
    pitches
}

/// The level in dB of third-octave bands from 200 Hz to 6 kHz, relative to their mean. A formant shift is a shift of
/// bands.
fn timbre(samples: &[f32]) -> Vec<f32> {
    let transform = atelier_fft::real_forward(2_048);
    let mut power = vec![0.0_f32; 1_025];
    for window in samples.windows(2_048).step_by(2_048) {
        let mut input: Vec<f32> = window
            .iter()
            .enumerate()
            .map(|(n, value)| value * (std::f32::consts::PI * n as f32 / 2_048.0).sin())
            .collect();
        let mut spectrum = transform.make_output_vec();
        transform.process(&mut input, &mut spectrum).unwrap();
        for (sum, value) in power.iter_mut().zip(&spectrum) {
            *sum += value.norm_sqr();
        }
    }
    let bands: Vec<f32> = (0..15)
        .map(|band| {
            let low = 200.0 * 2.0_f32.powf(band as f32 / 3.0);
            let bins = (low / 21.53) as usize..(low * 1.26 / 21.53) as usize + 1;
            10.0 * (power[bins.clone()].iter().sum::<f32>() / bins.len() as f32).log10()
        })
        .collect();
    let mean = bands.iter().sum::<f32>() / bands.len() as f32;
    bands.iter().map(|band| band - mean).collect()
}

#[test]
fn any_two_voices_differ_by_a_measured_distance() {
    let measured: Vec<(&str, f32, Vec<f32>)> = Voice::ALL
        .iter()
        .map(|voice| {
            let speech = read("The yellow bird sang all morning in our garden.", voice.name, 0.5);
            let pitches = pitches(&speech.samples);
            let middle = 12.0 * pitches[pitches.len() / 2].log2();
            (voice.name, middle, timbre(&speech.samples))
        })
        .collect();
    for (index, (name, pitch, bands)) in measured.iter().enumerate() {
        for (other, other_pitch, other_bands) in &measured[..index] {
            let spectral = bands
                .iter()
                .zip(other_bands)
                .map(|(a, b)| (a - b).powi(2))
                .sum::<f32>();
            // In semitones and dB. A semitone, or a decibel in every band, is clearly audible.
            let distance = (pitch - other_pitch).abs() + (spectral / 15.0).sqrt();
            println!("{name} {other}: {distance:.2}");
            assert!(distance > 1.5, "{name} and {other} are {distance} apart");
        }
    }
}

#[test]
fn words_have_their_times_and_places() {
    let text = "Doctor Smith paid $13, and left caf\u{e9} Luna.";
    let letters: Vec<char> = text.chars().collect();
    let speech = read(text, "Wren", 0.5);
    let words: Vec<&str> = speech.words.iter().map(|word| word.word.as_str()).collect();
    assert_eq!(
        words,
        [
            "Doctor",
            "Smith",
            "paid",
            "$13",
            "and",
            "left",
            "caf\u{e9}",
            "Luna"
        ]
    );
    for word in &speech.words {
        assert_eq!(letters[word.from..word.to].iter().collect::<String>(), word.word);
        assert!(word.end > word.start + 0.05);
    }
    assert!(
        speech
            .words
            .windows(2)
            .all(|pair| pair[1].start >= pair[0].end - 1e-3)
    );
    let seconds = speech.samples.len() as f32 / RATE as f32;
    assert!(speech.words[7].end < seconds);
}

#[test]
fn word_times_are_within_fifty_milliseconds_of_their_sound() {
    // Words between pauses that begin and end with a burst have onsets that the energy shows.
    let speech = read("Ten. Dogs. Bought. Apples. Today.", "Omar", 0.5);
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
    for word in &speech.words {
        let onset = (0..100)
            .map(|step| word.start - 0.15 + step as f32 * 0.005)
            .find(|time| *time >= 0.0 && level(*time) > loudest * 1e-4)
            .unwrap();
        assert!((onset - word.start).abs() <= 0.05, "{word:?}: {onset}");
    }
}

#[test]
fn stability_evens_the_intonation() {
    let deviation = |stability: f32| {
        let logs: Vec<f32> = pitches(&read(TEXT, "Wren", stability).samples)
            .iter()
            .map(|f0| f0.ln())
            .collect();
        let mean = logs.iter().sum::<f32>() / logs.len() as f32;
        (logs.iter().map(|log| (log - mean).powi(2)).sum::<f32>() / logs.len() as f32).sqrt()
    };
    let (lively, middle, even) = (deviation(0.0), deviation(0.5), deviation(1.0));
    assert!(
        lively > middle * 1.3 && middle > even * 1.7,
        "{lively} {middle} {even}"
    );
}

#[test]
fn a_text_with_nothing_to_speak_is_refused() {
    let reading = Reading {
        text: " \u{1f600} ... ",
        voice: &Voice::ALL[0],
        stability: 0.5,
        normalization: Normalization::Auto,
        language: "en",
        helper: Path::new(""),
        seed: 1,
    };
    assert_eq!(speak(&reading, &|_| {}), Err(SpeakError::Nothing));
}

#[test]
fn sentences_are_apart_without_clicks() {
    let speech = read("One two three. Four five six.", "Liam", 0.5);
    let gap = (speech.words[2].end, speech.words[3].start);
    assert!(gap.1 - gap.0 > 0.3, "{gap:?}");
    let peak = speech
        .samples
        .iter()
        .fold(0.0_f32, |peak, value| peak.max(value.abs()));
    let middle = (f32::midpoint(gap.0, gap.1) * RATE as f32) as usize;
    assert!(speech.samples[middle].abs() < 1e-6);
    let jump = speech
        .samples
        .windows(2)
        .fold(0.0_f32, |jump, pair| jump.max((pair[1] - pair[0]).abs()));
    assert!(jump < peak * 0.8, "{jump} of {peak}");
}

#[test]
fn the_same_seed_gives_the_same_speech() {
    assert_eq!(read("Hello there.", "Mei", 0.2), read("Hello there.", "Mei", 0.2));
}

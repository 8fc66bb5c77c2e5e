use std::path::{Path, PathBuf};

use atelier_sound::{
    convert::portrait,
    dsp::resample::resample,
    dub::phrases,
    file::{Depth, decode},
};

use super::*;

/// A sentence without silence around it, at half of full scale.
fn sentence(words: &str, voice: &str) -> Vec<f32> {
    let reading = Reading {
        text: words,
        voice: speech::Voice::named(voice).unwrap(),
        stability: 0.5,
        normalization: Normalization::Auto,
        language: "en",
        helper: &reading::helper(),
        seed: 2,
    };
    let mut samples = trimmed(&reading::read(&reading, &mut |_| {}).unwrap().samples);
    let peak = samples.iter().fold(0.0_f32, |peak, x| peak.max(x.abs()));
    for x in &mut samples {
        *x *= 0.4 / peak;
    }
    samples
}

/// Two sentences in soft rain, with a second around each: the sound, the rain, and the positions of the sentences.
fn scene() -> (Vec<f32>, Vec<f32>, [Phrase; 2]) {
    let rate = RATE as usize;
    let one = sentence("The boat leaves at noon, and it never waits for us.", "Omar");
    let two = sentence("Nobody came down to the harbour today.", "Omar");
    let second = 2 * rate + one.len();
    let length = second + two.len() + rate;
    let mut state = 5_u32;
    let rain: Vec<f32> = (0..length)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            0.01 * ((state >> 8) as f32 / 8_388_608.0 - 1.0)
        })
        .collect();
    let mut all = rain.clone();
    let mut places = Vec::new();
    for (start, said) in [(rate, &one), (second, &two)] {
        for (to, from) in all[start..].iter_mut().zip(said) {
            *to += from;
        }
        let time = |sample: usize| sample as f32 / RATE as f32;
        places.push(Phrase {
            start: time(start),
            end: time(start + said.len()),
        });
    }
    (all, rain, [places[0], places[1]])
}

fn request(out: &Path, parameter: &str, path: PathBuf, params: &Value) -> Request {
    Request {
        task: "dubbing".to_owned(),
        params: params.as_object().cloned().unwrap_or_default(),
        inputs: vec![Input {
            parameter: parameter.to_owned(),
            path,
            media_type: "audio/wav".to_owned(),
            seconds: None,
        }],
        seed: 1,
        out: out.to_owned(),
    }
}

fn written(folder: &Path, samples: Vec<f32>) -> PathBuf {
    let path = folder.join("said.wav");
    let audio = Audio::mono(RATE, samples);
    encode(&path, &audio, Format::Wav(Depth::Bits16), &Tags::generated(None)).unwrap();
    path
}

fn power(samples: &[f32]) -> f32 {
    samples.iter().map(|x| x * x).sum::<f32>() / samples.len().max(1) as f32
}

#[test]
fn a_dubbed_recording_speaks_at_the_same_times_in_a_similar_voice_over_the_same_background() {
    let folder = tempfile::tempdir().unwrap();
    let (all, rain, places) = scene();
    let path = written(folder.path(), all.clone());
    let params = json!({ "target_language": "eng", "use_profanity_filter": true });
    let response = run(&request(folder.path(), "audio_url", path, &params), &mut |_| {}).unwrap();
    let told = &response.metadata;
    assert_eq!((&told["language"], &told["speakers"]), (&json!("en"), &json!(1)));
    assert_eq!(told["without_effect"], json!(["use_profanity_filter"]));
    assert!(told["words"].as_str().unwrap().starts_with("numbers counted"));
    assert!(
        told["phrases"][0]["text"].as_str().unwrap().starts_with("1, 2"),
        "{told:?}"
    );
    let dubbed = decode(&response.files[0]).unwrap();
    assert!((dubbed.seconds() - all.len() as f64 / f64::from(RATE)).abs() < 0.1);
    let dubbed = resample(&dubbed.downmix(), dubbed.rate, RATE);
    // The same phrases at the same times, as loud as before.
    let found = phrases(&dubbed);
    assert_eq!(found.len(), 2, "{found:?}");
    for (found, place) in found.iter().zip(places) {
        assert!((found.start - place.start).abs() < 0.3, "{found:?} for {place:?}");
        assert!((found.end - place.end).abs() < 0.45, "{found:?} for {place:?}");
        let at = |time: f32| (time * RATE as f32) as usize;
        let own = level(&all[at(place.start)..at(place.end)]);
        let new = level(&dubbed[at(place.start)..at(place.end)]);
        assert!((20.0 * (new / own).log10()).abs() < 4.0, "{new} for {own}");
    }
    // Before the first word, the rain is unchanged.
    let before = ..RATE as usize * 3 / 4;
    let change = 10.0 * (power(&dubbed[before]) / power(&rain[before])).log10();
    assert!(change.abs() < 1.0, "{change} dB");
    let pitch = |samples: Vec<f32>| portrait(&Audio::mono(RATE, samples)).unwrap().pitch;
    assert!((pitch(dubbed) / pitch(all)).ln().abs() < 0.12);
}

#[test]
fn words_are_distributed_by_time_and_none_is_lost() {
    let phrase = |start: f32, end: f32| Phrase { start, end };
    let words = |given: &str| Words {
        given: given.to_owned(),
        language: "en",
        speakers: 0,
        background: true,
        seed: 1,
    };
    let places = [phrase(0.0, 1.0), phrase(2.0, 5.0)];
    let parts = texts(&words("one two three four five six seven eight"), &places);
    assert_eq!(parts.join(" "), "one two three four five six seven eight");
    assert!(parts[0].len() * 2 < parts[1].len(), "{parts:?}");
    assert_eq!(texts(&words(""), &places), ["1, 2", "3, 4, 5, 6, 7"]);
}

#[test]
fn words_to_say_are_quoted_or_follow_the_verb_or_are_the_whole_prompt() {
    for (prompt, said) in [
        ("She smiles and says \"Good morning\".", "Good morning"),
        (
            "Er ruft \u{201e}Komm\u{201c} und \u{201e}schnell\u{201c}",
            "Komm schnell",
        ),
        ("He says: see you later", "see you later"),
        ("See you later", "See you later"),
        ("", ""),
    ] {
        assert_eq!(said_in(prompt), said);
    }
}

#[test]
fn errors_name_invalid_parameters() {
    let folder = tempfile::tempdir().unwrap();
    let silence = written(folder.path(), vec![0.0; 80_000]);
    for (name, params) in [
        ("audio_url", json!({ "target_language": "en" })),
        ("target_language", json!({})),
        ("target_language", json!({ "target_language": "tlh" })),
        (
            "num_speakers",
            json!({ "target_language": "en", "num_speakers": 99 }),
        ),
        ("start_time", json!({ "target_language": "en", "start_time": 90 })),
    ] {
        let request = request(folder.path(), "audio_url", silence.clone(), &params);
        let error = run(&request, &mut |_| {}).unwrap_err();
        assert!(
            matches!(&error, Error::InvalidInput(message) if message.contains(name)),
            "{name}: {error}"
        );
    }
}

//! Speech by the weights that people pull, from the cache that `scripts/fetch-weights` fills. A recogniser that knows
//! none of these texts must understand it. Without the cache these tests say so and check nothing; CI has it.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a failure in a helper fails the test; the figures are for people"
)]

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::LazyLock,
    time::Instant,
};

use atelier_networks::rewrite;
use atelier_protocol::{Error, Request, Response};
use atelier_sound::{
    dsp::resample::resample,
    file::{Audio, Depth, Format, Tags, decode, encode, loudness},
};
use serde_json::{Value, json};

const TEXT: &str = "The weather was cold this morning, so we stayed at home and read the newspaper. \
    She opened the window and looked at the people in the street. We will have dinner together on Saturday evening.";

/// The models folder as a pull leaves it, made of the cache.
struct Models {
    folder: PathBuf,
    helper: PathBuf,
}

/// Made once for all tests: the graphs are large.
static MODELS: LazyLock<Option<Models>> = LazyLock::new(make_models);

fn models() -> Option<&'static Models> {
    MODELS.as_ref()
}

fn make_models() -> Option<Models> {
    let (cache, helper) = (
        atelier_found::trained_voices()?,
        atelier_found::built("atelier-espeak")?,
    );
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("spoken-models");
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    let index = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../models.d");
    for name in ["kokoro-82m-int8", "kokoro-voices", "piper-en-us-joe-medium"] {
        let entry: Value =
            toml::from_str(&fs::read_to_string(index.join(format!("{name}.toml"))).unwrap()).unwrap();
        let at = folder.join(name);
        fs::create_dir_all(at.join("voices")).unwrap();
        for file in entry["files"].as_array().unwrap() {
            let name = file["name"].as_str().unwrap();
            let mut bytes = fs::read(cache.join(name)).unwrap();
            if let Some(changes) = file["rewrite"].as_array() {
                let changes: Vec<&str> = changes.iter().map(|change| change.as_str().unwrap()).collect();
                bytes = rewrite(&bytes, &changes).unwrap();
            }
            fs::write(at.join(name), bytes).unwrap();
        }
        let lock = json!({ "entry": entry, "files": entry["files"], "origins": [] });
        fs::write(at.join("lock.json"), lock.to_string()).unwrap();
    }
    Some(Models { folder, helper })
}

impl Models {
    fn speak(&self, target: &str, params: &Value, out: &Path) -> Result<Response, Error> {
        let request = Request {
            task: "speech".to_owned(),
            params: params.as_object().unwrap().clone(),
            inputs: vec![],
            seed: 1,
            out: out.to_owned(),
        };
        atelier_speech::run_with(&self.helper, &self.folder, target, &request, &mut |_| {})
    }
}

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

/// The share of words that PocketSphinx gets wrong, in percent.
fn wrong(recogniser: &Path, file: &Path, folder: &Path) -> f64 {
    let heard = decode(file).unwrap();
    let mut audio = Audio::mono(16_000, resample(&heard.downmix(), heard.rate, 16_000));
    loudness::normalise(&mut audio, -16.0, -1.0);
    let path = folder.join("heard.wav");
    encode(&path, &audio, Format::Wav(Depth::Bits16), &Tags::generated(None)).unwrap();
    let heard = Command::new(recogniser)
        .args(["-maxhmmpf", "3000", "-maxwpf", "10", "-infile"])
        .arg(&path)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .unwrap();
    let (spoken, heard) = (words(TEXT), words(&String::from_utf8_lossy(&heard.stdout)));
    println!("  heard: {}", heard.join(" "));
    100.0 * errors(&spoken, &heard) as f64 / spoken.len() as f64
}

/// The mean of all samples as a share of their level. A network that is run wrongly has an offset.
fn offset(audio: &Audio) -> f32 {
    let samples = &audio.channels[0];
    let mean = samples.iter().sum::<f32>() / samples.len() as f32;
    let level = (samples.iter().map(|x| x * x).sum::<f32>() / samples.len() as f32).sqrt();
    mean.abs() / level
}

/// The greatest magnitude of the first and the last 60 ms.
fn edges(audio: &Audio) -> f32 {
    let samples = &audio.channels[0];
    let count = (0.06 * audio.rate as f32) as usize;
    let ends = samples.iter().take(count).chain(samples.iter().rev().take(count));
    ends.fold(0.0, |most, sample| sample.abs().max(most))
}

#[test]
fn a_recogniser_understands_the_trained_voices_and_they_begin_in_silence() {
    let (Some(models), Some(recogniser)) = (models(), atelier_found::program("pocketsphinx_continuous"))
    else {
        return;
    };
    for (target, voice, most) in [
        ("kokoro-82m-int8", "Wren", 12.0),
        // The recogniser has learnt American English only, and she is British.
        ("kokoro-82m-int8", "Rosalind", 35.0),
        ("piper-en-us-joe-medium", "en_US-joe-medium", 25.0),
    ] {
        let out = tempfile::tempdir().unwrap();
        let begin = Instant::now();
        let params = json!({ "text": TEXT, "voice": voice, "language_code": "en" });
        let response = models.speak(target, &params, out.path()).unwrap();
        let spent = begin.elapsed().as_secs_f64();
        let audio = decode(&response.files[0]).unwrap();
        let wrong = wrong(&recogniser, &response.files[0], out.path());
        println!(
            "{target} {voice}: {wrong:.1} % of words wrong, {:.1} s of speech in {spent:.1} s",
            audio.seconds()
        );
        assert!(wrong <= most, "{voice}: {wrong} % of the words are wrong");
        assert!(
            (9.0..19.0).contains(&audio.seconds()),
            "{voice}: {} s",
            audio.seconds()
        );
        assert!(offset(&audio) < 0.03, "{voice}: an offset of {}", offset(&audio));
        assert!((loudness::integrated(&audio) + 16.0).abs() < 1.0);
        assert!(
            edges(&audio) < 0.01,
            "{voice}: a click of {} at an end",
            edges(&audio)
        );
    }
}

#[test]
fn a_job_says_which_weights_spoke_and_when_its_words_are_heard() {
    let Some(models) = models() else { return };
    let out = tempfile::tempdir().unwrap();
    let params = json!({ "text": "Hello there. It costs $5, my friend.", "voice": "Tala", "stability": 0.5,
        "timestamps": true, "language_code": "en" });
    let response = models.speak("kokoro-82m-int8", &params, out.path()).unwrap();
    let told = &response.metadata;
    assert_eq!(
        (
            &told["weights"],
            &told["voice"],
            &told["language"],
            &told["word_times"]
        ),
        (
            &json!("Kokoro 82M in 8 bits"),
            &json!("af_nicole"),
            &json!("en-us"),
            &json!("network")
        )
    );
    assert_eq!(told["without_effect"], json!(["stability"]));
    assert_eq!(told["weights_license"], json!("Apache-2.0"));
    let audio = decode(&response.files[0]).unwrap();
    assert_eq!(audio.rate, 24_000);
    let bytes = fs::read(&response.files[0]).unwrap();
    let file = String::from_utf8_lossy(&bytes);
    assert!(file.contains("trainedAlgorithmicMedia") && file.contains("Kokoro 82M in 8 bits"));
    assert!(file.contains("WEIGHTS_LICENSE") && file.contains("Apache-2.0"));
    let times: Value = serde_json::from_slice(&fs::read(&response.files[1]).unwrap()).unwrap();
    let words = times["words"].as_array().unwrap();
    let said: Vec<&str> = words.iter().map(|word| word["word"].as_str().unwrap()).collect();
    assert_eq!(said, ["Hello", "there", "It", "costs", "$5", "my", "friend"]);
    let starts: Vec<f64> = words.iter().map(|word| word["start"].as_f64().unwrap()).collect();
    assert!(starts.is_sorted() && words[6]["end"].as_f64().unwrap() < audio.seconds());
    // The pause between the sentences is between their words.
    assert!(starts[2] - words[1]["end"].as_f64().unwrap() > 0.3, "{starts:?}");

    let params = json!({ "text": "Hello there, my friend.", "timestamps": true });
    let response = models
        .speak("piper-en-us-joe-medium", &params, out.path())
        .unwrap();
    assert_eq!(response.metadata["word_times"], "network");
}

#[test]
fn all_languages_of_the_weights_are_spoken_and_others_are_left_to_the_next_route() {
    let Some(models) = models() else { return };
    let out = tempfile::tempdir().unwrap();
    for (voice, text) in [
        ("ef_dora", "Hoy hace buen tiempo."),
        ("ff_siwis", "Il fait beau aujourd\u{2019}hui."),
        (
            "hf_alpha",
            "\u{906}\u{91c} \u{92e}\u{94c}\u{938}\u{92e} \u{905}\u{91a}\u{94d}\u{91b}\u{93e} \u{939}\u{948}\u{964}",
        ),
        ("if_sara", "Oggi il tempo \u{e8} bello."),
        (
            "jf_alpha",
            "\u{4eca}\u{65e5}\u{306f}\u{5929}\u{6c17}\u{304c}\u{3044}\u{3044}\u{3067}\u{3059}\u{3002}",
        ),
        ("pf_dora", "Hoje o tempo est\u{e1} bom."),
        (
            "zf_xiaobei",
            "\u{4eca}\u{5929}\u{5929}\u{6c14}\u{5f88}\u{597d}\u{3002}",
        ),
        ("bf_emma", "The weather is nice today."),
    ] {
        let response = models
            .speak(
                "kokoro-82m-int8",
                &json!({ "text": text, "voice": voice }),
                out.path(),
            )
            .unwrap();
        let audio = decode(&response.files[0]).unwrap();
        println!(
            "{voice}: {:.2} s in {}",
            audio.seconds(),
            response.metadata["language"]
        );
        assert!(
            (0.8..4.0).contains(&audio.seconds()),
            "{voice}: {} s",
            audio.seconds()
        );
    }
    let german = json!({ "text": "Guten Tag", "voice": "Wren", "language_code": "de" });
    let error = models.speak("kokoro-82m-int8", &german, out.path()).unwrap_err();
    assert!(
        matches!(&error, Error::Failed(why) if why == "the weights do not speak `de`"),
        "{error}"
    );
    let silent = json!({ "text": "?!", "voice": "Wren", "language_code": "en" });
    let error = models.speak("kokoro-82m-int8", &silent, out.path()).unwrap_err();
    assert!(matches!(error, Error::InvalidInput(_)), "{error}");
}

#[test]
fn twice_the_speed_takes_about_half_the_time() {
    let Some(models) = models() else { return };
    let out = tempfile::tempdir().unwrap();
    for (target, voice) in [
        ("kokoro-82m-int8", "am_michael"),
        ("piper-en-us-joe-medium", "en_US-joe-medium"),
    ] {
        let seconds = |speed: f64| {
            let params = json!({ "text": "She opened the window and looked at the people in the street.",
                "voice": voice, "speed": speed, "language_code": "en_US" });
            let response = models.speak(target, &params, out.path()).unwrap();
            decode(&response.files[0]).unwrap().seconds()
        };
        let (usual, fast) = (seconds(1.0), seconds(2.0));
        assert!(
            (0.4..0.75).contains(&(fast / usual)),
            "{voice}: {fast} s instead of {usual} s"
        );
    }
    let hasty = json!({ "text": "Good morning.", "voice": "af_heart", "speed": 4 });
    let response = models.speak("kokoro-82m-int8", &hasty, out.path()).unwrap();
    let told = &response.metadata["not_done"];
    assert_eq!(
        told,
        &json!(["speed 4: these weights are not clear at it, and spoke at 2"])
    );
}

//! How long speech takes by each kind of voice on two cores, with the processor time and the memory of the process
//! that speaks.

use std::{io::Write as _, path::Path, time::Duration};

use serde_json::{Value, json};

use super::picture;
use crate::{
    context::Context,
    error::{Error, Result},
    figure::Figure,
    http::Connection,
    machine,
    server::Data,
};

const SENTENCE: &str = "The garden behind the house was quiet, and nobody saw the yellow bird. ";
/// The characters of a long text.
const LONG: usize = 5_000;
/// Processor cores for the service and its engines.
const CORES: usize = 2;

/// The speaker.
struct Speaker {
    name: &'static str,
    model: &'static str,
    voice: &'static str,
    /// Whether it needs weights.
    has_weights: bool,
}

const SPEAKERS: [Speaker; 3] = [
    Speaker {
        name: "draft",
        model: "tts-v3",
        voice: "Wren",
        has_weights: false,
    },
    Speaker {
        name: "Kokoro, 8 bits, rten",
        model: "tts-v3",
        voice: "Wren",
        has_weights: true,
    },
    Speaker {
        name: "Piper, rten",
        model: "piper",
        voice: "en_US-joe-medium",
        has_weights: true,
    },
];

pub(super) async fn run(context: &Context) -> Result<Vec<Figure>> {
    let mut figures = Vec::new();
    for speaker in &SPEAKERS {
        let voices = context.voices.as_deref().filter(|_| speaker.has_weights);
        if speaker.has_weights && voices.is_none() {
            let line = "skipped: name the folder that scripts/fetch-weights fills with --voices";
            writeln!(std::io::stderr(), "  {}: {line}", speaker.name)?;
        } else {
            figures.extend(measured(context, speaker, voices).await?);
        }
    }
    Ok(figures)
}

async fn measured(context: &Context, speaker: &Speaker, voices: Option<&Path>) -> Result<Vec<Figure>> {
    let data = Data::embedded(context)?;
    if let Some(voices) = voices {
        let voices = voices.to_string_lossy();
        data.ask(&["models", "import", &voices, "--accept-licence", "--json"])?;
    }
    let service = {
        let _few = machine::Cores::only(CORES)?;
        data.serve(&[]).await?
    };
    let mut client = Connection::open(service.port).await?;
    // The first job starts the engine's process and loads the voice.
    let first = speak(&mut client, &data.key, speaker, SENTENCE).await?;
    let short = speak(&mut client, &data.key, speaker, SENTENCE).await?;
    let length = if context.quick { LONG / 10 } else { LONG };
    let text: String = SENTENCE.chars().cycle().take(length).collect();
    let before = worked(service.pid())?;
    let long = speak(&mut client, &data.key, speaker, &text).await?;
    let worked = worked(service.pid())?.saturating_sub(before);
    let mut peak = 0;
    for child in machine::children(service.pid())? {
        peak = peak.max(machine::peak(child)?);
    }
    let name = speaker.name;
    let figures = vec![
        Figure::seconds(format!("{name}: the first sentence"), first.took),
        Figure::seconds(format!("{name}: another sentence"), short.took),
        Figure::seconds(format!("{name}: {length} characters"), long.took),
        Figure::new(
            format!("{name}: speed, relative to real time"),
            long.seconds / long.took.as_secs_f64(),
            "times",
        ),
        Figure::new(
            format!("{name}: processor time for a second of speech"),
            worked.as_secs_f64() / long.seconds,
            "s",
        ),
        Figure::mebibytes(format!("{name}: peak memory of the process"), peak),
    ];
    service.stop()?;
    Ok(figures)
}

/// The processor time of the engines' processes so far.
fn worked(service: u32) -> Result<Duration> {
    machine::children(service)?
        .into_iter()
        .map(machine::cpu_time)
        .sum()
}

/// How long a job took, and how many seconds it speaks.
struct Done {
    took: Duration,
    seconds: f64,
}

/// Speaks a text, by this speaker and no other.
async fn speak(client: &mut Connection, key: &str, speaker: &Speaker, text: &str) -> Result<Done> {
    let body = json!({ "model": speaker.model, "text": text, "params": { "voice": speaker.voice } });
    let (took, job) = picture::made(client, key, &body).await?;
    let told = &job["output"]["metadata"];
    let served = if speaker.has_weights { "weights" } else { "draft" };
    match told["duration_seconds"].as_f64() {
        Some(seconds) if job["served_by"] == served => Ok(Done { took, seconds }),
        _ => Err(unexpected(&job)),
    }
}

fn unexpected(job: &Value) -> Error {
    Error::Unexpected(format!(
        "another voice spoke, or the result has no duration: {job}"
    ))
}

//! How long the embedded engines take for speech, a song and a section of a song, and their memory.

use std::time::Duration;

use serde_json::{Value, json};

use super::picture;
use crate::{
    context::Context,
    error::{Error, Result},
    figure::Figure,
    http::{self, Connection},
    load::percentile,
    machine,
    server::{Data, Server},
};

const SENTENCE: &str = "The garden behind the house was quiet, and nobody saw the yellow bird. ";
/// The characters of a long text.
const LONG: usize = 5_000;
/// A stanza of lyrics, and the number of stanzas for songs of two and four minutes.
const STANZA: &str = "Down by the harbour the morning is slow,\nlanterns are swinging wherever we go.\n\
    Roll me a river and carry me home,\nover the hill where the lost horses roam.\n\n";
const SONG: usize = 4;
const LONG_SONG: usize = 12;

pub(super) async fn run(context: &Context) -> Result<Vec<Figure>> {
    let data = Data::embedded(context)?;
    let service = data.serve(&[]).await?;
    let mut client = Connection::open(service.port).await?;
    // The first job starts the engine's process, and a voice is loaded once.
    speech(&mut client, &data.key, SENTENCE).await?;
    let mut short = Vec::new();
    for _ in 0..context.amount(20).max(3) {
        short.push(speech(&mut client, &data.key, SENTENCE).await?.took);
    }
    let text: String = SENTENCE.chars().cycle().take(LONG).collect();
    let long = speech(&mut client, &data.key, &text).await?;
    let lasts = spoken(&mut client, &service, &data.key, &long.output).await?;
    let quick = lasts / long.took.as_secs_f64();
    let mut figures = vec![
        Figure::millis("one spoken sentence, median", percentile(&mut short, 0.5)).at_most(150.0),
        Figure::seconds("5,000 characters spoken", long.took).at_most(20.0),
        Figure::new("speed of speech synthesis, relative to real time", quick, "times").at_least(20.0),
    ];
    let song = sung(&mut client, &data.key, SONG).await?;
    let share = 120.0 / duration(&song.output)?;
    figures.push(Figure::seconds("120 s of a song with vocals", song.took.mul_f64(share)).at_most(15.0));
    let source = if context.quick {
        song
    } else {
        sung(&mut client, &data.key, LONG_SONG).await?
    };
    let lasts = duration(&source.output)?;
    let body = json!({
        "model": "music-replace-section",
        "audio_url": source.output["assets"][0]["url"],
        "prompt": "guitars and organ",
        "params": { "start_seconds": 40, "end_seconds": 70, "style": "rock" },
    });
    let replaced = made(&mut client, &data.key, &body).await?;
    figures.push(
        Figure::seconds(format!("30 s replaced in an MP3 of {lasts:.0} s"), replaced.took).at_most(8.0),
    );
    let mut peaks = Vec::new();
    for child in machine::children(service.pid())? {
        peaks.push(machine::peak(child)?);
    }
    figures.push(
        Figure::mebibytes(
            "peak memory of an engine's process",
            peaks.into_iter().max().unwrap_or(0),
        )
        .at_most(600.0),
    );
    service.stop()?;
    Ok(figures)
}

/// The result, and how long it took.
struct Done {
    took: Duration,
    output: Value,
}

async fn made(client: &mut Connection, key: &str, body: &Value) -> Result<Done> {
    let (took, mut job) = picture::made(client, key, body).await?;
    Ok(Done {
        took,
        output: job["output"].take(),
    })
}

async fn speech(client: &mut Connection, key: &str, text: &str) -> Result<Done> {
    let body = json!({ "model": "tts-v3", "text": text, "params": { "voice": "Wren", "timestamps": true } });
    made(client, key, &body).await
}

async fn sung(client: &mut Connection, key: &str, stanzas: usize) -> Result<Done> {
    let params =
        json!({ "custom_mode": true, "style": "pop, 100 bpm", "title": "Harbour", "model_version": "v5_5" });
    let body = json!({ "model": "music-gen", "prompt": STANZA.repeat(stanzas), "params": params });
    made(client, key, &body).await
}

/// The duration of a recording of speech in seconds, by the times of its words.
async fn spoken(client: &mut Connection, service: &Server, key: &str, output: &Value) -> Result<f64> {
    let url = output["timestamps"]["url"].as_str().unwrap_or_default();
    let origin = format!("http://{}", http::local(service.port));
    let path = url.strip_prefix(&origin).unwrap_or(url);
    let file = client.expect(200, &http::request("GET", path, key, None)).await?;
    let times: Value = serde_json::from_slice(file)?;
    let last = times["words"].as_array().and_then(|words| words.last());
    last.and_then(|word| word["end"].as_f64())
        .ok_or_else(|| Error::Unexpected(format!("the output has no timestamps: {output}")))
}

/// The duration of a song in seconds.
fn duration(output: &Value) -> Result<f64> {
    output["metadata"]["duration_seconds"]
        .as_f64()
        .ok_or_else(|| Error::Unexpected(format!("the output has no duration: {output}")))
}

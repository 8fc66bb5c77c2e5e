//! How long the embedded engine takes for one picture, by the job's own times, including storage.

use std::time::Duration;

use serde_json::{Value, json};

use crate::{
    context::Context,
    error::{Error, Result},
    figure::Figure,
    http::{self, Connection},
    load::percentile,
    server::{BASE, Data},
};

/// Prompts for different parts of the painter.
const PROMPTS: [&str; 5] = [
    "a lighthouse on a cliff at dusk, watercolor",
    "a city street at night in the rain, neon",
    "two foxes in a snowy forest, oil painting",
    "a red sailing boat on a calm sea at sunrise",
    "a bowl of oranges on a wooden table, photo",
];

pub(super) async fn run(context: &Context) -> Result<Vec<Figure>> {
    let data = Data::embedded(context)?;
    let service = data.serve(&[]).await?;
    let mut client = Connection::open(service.port).await?;
    // The first job starts the engine's process.
    picture(&mut client, &data.key, PROMPTS[0], "1K").await?;
    let prompts = if context.quick { &PROMPTS[..1] } else { &PROMPTS };
    let mut figures = Vec::new();
    for (resolution, target) in [("1K", None), ("2K", Some(1.5)), ("4K", None)] {
        // The large pictures alone would take longer than all others.
        let prompts = if resolution == "4K" {
            &prompts[..1]
        } else {
            prompts
        };
        let mut times = Vec::new();
        for prompt in prompts {
            times.push(picture(&mut client, &data.key, prompt, resolution).await?);
        }
        let longest = percentile(&mut times, 1.0);
        let what = format!("{resolution}, half of {} prompts", times.len());
        let figure = Figure::seconds(what, percentile(&mut times, 0.5));
        figures.push(match target {
            Some(bound) => figure.at_most(bound),
            None => figure,
        });
        if times.len() > 1 {
            figures.push(Figure::seconds(format!("{resolution}, the longest"), longest));
        }
    }
    // Its child processes are counted only if it ends in order and waits for them.
    service.stop()?;
    Ok(figures)
}

/// From the job's start to its completion.
async fn picture(client: &mut Connection, key: &str, prompt: &str, resolution: &str) -> Result<Duration> {
    let body = json!({ "model": "image-gen-4", "prompt": prompt, "resolution": resolution });
    Ok(made(client, key, &body).await?.0)
}

/// Runs a job. Returns the time from its start to its completion, and the ended job.
pub(super) async fn made(client: &mut Connection, key: &str, body: &Value) -> Result<(Duration, Value)> {
    let create = http::request(
        "POST",
        &format!("{BASE}/generations"),
        key,
        Some(&body.to_string()),
    );
    let created: Value = serde_json::from_slice(client.expect(201, &create).await?)?;
    let id = created["data"]["id"].as_str().unwrap_or_default();
    let wait = http::request("GET", &format!("{BASE}/generations/{id}?wait=60"), key, None);
    let job = loop {
        let mut seen: Value = serde_json::from_slice(client.expect(200, &wait).await?)?;
        if seen["data"]["status"] != "processing" {
            break seen["data"].take();
        }
    };
    let time = |field: &str| job[field].as_str().and_then(of_day);
    match (time("started_at"), time("completed_at")) {
        (Some(started), Some(completed)) if job["status"] == "completed" => {
            // Midnight may be between them.
            let day = Duration::from_hours(24);
            let took = completed.checked_sub(started);
            let took = took.unwrap_or_else(|| (completed + day).saturating_sub(started));
            Ok((took, job))
        }
        _ => Err(Error::Unexpected(format!("the job failed: {job}"))),
    }
}

/// The time of day in an RFC 3339 timestamp with milliseconds.
fn of_day(timestamp: &str) -> Option<Duration> {
    let number = |from: usize, to: usize| timestamp.get(from..to)?.parse::<u64>().ok();
    let seconds = number(11, 13)? * 3_600 + number(14, 16)? * 60 + number(17, 19)?;
    Some(Duration::from_millis(seconds * 1_000 + number(20, 23)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_day_is_read_to_the_millisecond() {
        assert_eq!(
            of_day("2026-11-21T09:30:01.250Z"),
            Some(Duration::from_millis(34_201_250))
        );
        assert_eq!(of_day("soon"), None);
    }
}

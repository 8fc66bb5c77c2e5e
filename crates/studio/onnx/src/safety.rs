//! The safety check: how likely finished pictures and videos show what the weights were trained to find.

use atelier_film::{I420, Limits, Reader, color};
use atelier_protocol::{Error, Input, Request, Response};
use atelier_retouch::decode::{self, Picture};
use serde_json::{Value, json};

use crate::graph::Graph;

/// The task that runs it.
pub const TASK: &str = "safety";
/// The parameter of the files to examine.
const FILES: &str = "files";
/// The parameter that replaces the manifest's `refuse_at`.
const REFUSE_AT: &str = "refuse_at";

/// Seconds between two looks at a video, and the most looks at one.
const EVERY: f64 = 0.5;
const MOST: usize = 64;
/// A video is refused after this many looks that are; one with fewer looks after all of them.
const TIMES: usize = 2;

/// The findings of the weights.
#[derive(Debug, Default, Clone, Copy)]
struct Found {
    /// The highest score of a class that is refused.
    score: f32,
    looks: usize,
    refused: usize,
}

/// Examines every file of the request. An error if one must not be shown.
pub(crate) fn check(
    request: &Request,
    graph: &mut Graph,
    progress: &mut dyn FnMut(f32),
) -> Result<Response, Error> {
    if graph.manifest.refuse.is_empty() {
        return Err(Error::Failed(
            "the weights name no class that is refused: `refuse` is empty".to_owned(),
        ));
    }
    let own = f64::from(graph.manifest.refuse_at);
    let limit = request
        .params
        .get(REFUSE_AT)
        .and_then(Value::as_f64)
        .unwrap_or(own) as f32;
    let (mut score, mut looks) = (0.0_f32, 0);
    let count = request.inputs_of(FILES).count().max(1) as f32;
    for (at, input) in request.inputs_of(FILES).enumerate() {
        let found = if input.media_type.starts_with("video/") {
            of_video(input, graph, limit)?
        } else {
            let picture = on_white(decode::read(&input.path)?);
            look(graph, &picture, limit, Found::default())?
        };
        if found.refused > 0 && found.refused >= TIMES.min(found.looks) {
            return Err(Error::ContentPolicy(format!(
                "the safety check of this service found {} in the result",
                graph.manifest.refuse.join(" or ")
            )));
        }
        score = score.max(found.score);
        looks += found.looks;
        progress((at + 1) as f32 / count);
    }
    let rounded = (1000.0 * f64::from(score)).round() / 1000.0;
    let mut response = Response::default();
    response.metadata.insert("score".to_owned(), json!(rounded));
    response.metadata.insert("looks".to_owned(), json!(looks));
    Ok(response)
}

/// Looks at frames at equal distances, beginning with the first.
fn of_video(input: &Input, graph: &mut Graph, limit: f32) -> Result<Found, Error> {
    let unreadable = |error: atelier_film::Error| Error::InvalidInput(error.to_string());
    let limits = Limits {
        seconds: 3_600.0,
        side: 8_192,
        frames: 500_000,
        ..Limits::default()
    };
    let mut film = Reader::open(&input.path, &limits).map_err(unreadable)?;
    let step = EVERY.max(film.facts().seconds / MOST as f64);
    let mut found = Found::default();
    while let Some(frame) = film.at(found.looks as f64 * step).map_err(unreadable)? {
        found = look(graph, &picture_of(frame), limit, found)?;
    }
    Ok(found)
}

fn look(graph: &mut Graph, picture: &Picture, limit: f32, before: Found) -> Result<Found, Error> {
    let scores = graph.scores(picture)?;
    let manifest = &graph.manifest;
    let of = |class: &String| manifest.classes.iter().position(|own| own == class);
    let refused = manifest.refuse.iter().filter_map(of).map(|at| scores[at]);
    let score = refused.fold(0.0, f32::max);
    Ok(Found {
        score: before.score.max(score),
        looks: before.looks + 1,
        refused: before.refused + usize::from(score >= limit),
    })
}

fn picture_of(frame: &I420) -> Picture {
    let mut picture = Picture::filled(frame.width, frame.height, [0, 0, 0, 255]);
    color::to_rgb::<4>(frame, &mut picture.rgba);
    picture
}

/// Transparent parts become white, as most pages show them.
fn on_white(mut picture: Picture) -> Picture {
    for pixel in picture.rgba.chunks_exact_mut(4) {
        let alpha = u32::from(pixel[3]);
        for value in &mut pixel[..3] {
            *value = ((u32::from(*value) * alpha + 255 * (255 - alpha)) / 255) as u8;
        }
        pixel[3] = 255;
    }
    picture
}

#[cfg(test)]
mod tests;

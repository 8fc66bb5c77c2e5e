//! Runs one attempt. The files of external engines are marked as made by a model; the embedded engines mark their own
//! files.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use atelier_domain::{Failure, MediaKind};
use atelier_media::{Declared, Mark, Scratch, scratch::Reservation};
use atelier_provenance::SourceType;
use serde_json::Value;
use tokio::time::{Instant, sleep};

use crate::{Context, Engine, Job, Made, MadeFile};

const PROGRAM: &str = concat!("atelier ", env!("CARGO_PKG_VERSION"));
/// The most bytes that a mark adds to a file.
const LONGEST_MARK: u64 = 64 << 10;
/// How long to wait for room to mark a file, and between two tries.
const PATIENCE: Duration = Duration::from_secs(30);
const AGAIN: Duration = Duration::from_millis(500);
/// The parameters whose files become part of the output. Other inputs are only references.
const CONTENT: [&str; 3] = ["image_urls", "video_url", "audio_url"];

/// Whether an input of this standard name becomes part of the output.
pub fn becomes_part(parameter: &str) -> bool {
    CONTENT.contains(&parameter)
}

/// Runs one attempt of an engine to its end.
pub async fn attempt(engine: &dyn Engine, job: Job, context: Context) -> Result<Made, Failure> {
    if !engine.is_remote() {
        return engine.run(job, context).await;
    }
    let (mark, scratch) = (mark_for(&job), job.scratch.clone());
    let made = engine.run(job, context).await?;
    let paths: Vec<PathBuf> = made.files.iter().filter_map(MadeFile::medium).cloned().collect();
    // A marked file is written beside the other, one at a time.
    let _room = room_for_copy(&scratch, &paths).await;
    // Files may be large, so this runs on a thread that may block. A file that cannot be marked is kept: it may have
    // been paid for.
    let marking = tokio::task::spawn_blocking(move || {
        for path in paths {
            if let Err(why) = atelier_media::mark(&path, &mark) {
                tracing::warn!(
                    model = mark.system,
                    error = &why as &dyn std::error::Error,
                    "an output file could not be marked as made by a model"
                );
            }
        }
    });
    if let Err(error) = marking.await {
        tracing::error!(%error, "output files could not be marked");
    }
    Ok(made)
}

/// Takes the prompt out of finished files: their marks are written again without it. Files without a mark have none.
pub async fn without_prompt(made: &Made, kind: MediaKind, scratch: &Scratch) {
    let paths: Vec<PathBuf> = made.files.iter().filter_map(MadeFile::medium).cloned().collect();
    if paths.is_empty() {
        return;
    }
    let _room = room_for_copy(scratch, &paths).await;
    let removing = tokio::task::spawn_blocking(move || {
        for path in paths {
            if let Err(why) = remove_prompt(&path, kind) {
                tracing::warn!(why, "the prompt could not be taken out of an output file");
            }
        }
    });
    if let Err(error) = removing.await {
        tracing::error!(%error, "prompts could not be taken out of output files");
    }
}

fn remove_prompt(path: &Path, kind: MediaKind) -> Result<(), String> {
    let declared = Declared::of(path).map_err(|error| error.to_string())?;
    let source = declared.source_type.as_deref().and_then(SourceType::named);
    let Some(source) = source.filter(|_| !declared.has_manifest) else {
        return Ok(());
    };
    let mark = Mark {
        program: PROGRAM.to_owned(),
        source,
        system: declared.system.unwrap_or_else(|| PROGRAM.to_owned()),
        prompt: None,
        kind,
    };
    atelier_media::mark(path, &mark)
        .map(drop)
        .map_err(|error| error.to_string())
}

/// Room for a copy of the largest file and its mark. Other jobs may leave room soon, so this waits for it; without
/// any, the mark is tried nevertheless.
async fn room_for_copy(scratch: &Scratch, paths: &[PathBuf]) -> Reservation {
    let mut largest = 0;
    for path in paths {
        let size = tokio::fs::metadata(path).await.map_or(0, |facts| facts.len());
        largest = size.max(largest);
    }
    let mut room = scratch.reservation();
    let until = Instant::now() + PATIENCE;
    while let Err(error) = room.need(largest + LONGEST_MARK).await {
        if Instant::now() >= until {
            tracing::warn!(%error, "no room for a marked copy of an output file");
            break;
        }
        sleep(AGAIN).await;
    }
    room
}

/// The mark names the weights if they are known. Otherwise it has our name of the model, because the names and
/// addresses of the operator's engines are private.
fn mark_for(job: &Job) -> Mark {
    let is_edit = job.inputs.iter().any(|input| becomes_part(&input.parameter));
    Mark {
        program: PROGRAM.to_owned(),
        source: if is_edit {
            SourceType::CompositeTrained
        } else {
            SourceType::Trained
        },
        system: job.options.weights.as_ref().map_or_else(
            || job.model.clone(),
            |weights| atelier_provenance::weights(&weights.title, Some(&weights.license)),
        ),
        prompt: job
            .params
            .get("prompt")
            .and_then(Value::as_str)
            .map(str::to_owned),
        kind: job.kind,
    }
}

#[cfg(test)]
mod tests {
    use atelier_domain::MediaKind;
    use serde_json::json;

    use std::sync::Arc;

    use super::*;
    use crate::{
        Weights,
        testing::{PNG, case},
    };

    #[test]
    fn known_weights_are_named_with_their_licence() {
        let mut case = case(MediaKind::Image, "z-image", json!({"prompt": "a boat"}));
        case.job.options.weights = Some(Arc::new(Weights {
            name: "z-image".to_owned(),
            title: "Z-Image-Turbo 6B".to_owned(),
            license: "Apache-2.0".to_owned(),
            license_url: None,
            without_effect: Vec::new(),
        }));
        assert_eq!(
            mark_for(&case.job).system,
            "Z-Image-Turbo 6B (license of the weights: Apache-2.0)"
        );
    }

    #[test]
    fn only_inputs_that_become_part_of_the_output_make_it_a_composite() {
        let table = [
            (None, SourceType::Trained),
            (Some("image_urls"), SourceType::CompositeTrained),
            (Some("video_url"), SourceType::CompositeTrained),
            (Some("reference_image_urls"), SourceType::Trained),
            (Some("voice_sample_url"), SourceType::Trained),
        ];
        for (parameter, expected) in table {
            let mut case = case(
                MediaKind::Image,
                "the-operators-target",
                json!({"prompt": "a boat"}),
            );
            if let Some(parameter) = parameter {
                case = case.with_input(parameter, PNG);
            }
            let mark = mark_for(&case.job);
            assert_eq!(mark.source, expected, "{parameter:?}");
            assert_eq!(
                (mark.system.as_str(), mark.prompt.as_deref()),
                ("our-model", Some("a boat"))
            );
        }
    }
}

//! One attempt at an engine. What an engine that others run has made comes back marked as made by a model; the engines of this program mark
//! their files themselves.

use std::path::PathBuf;

use atelier_domain::{Failure, MediaType};
use atelier_media::{Mark, mark};
use atelier_provenance::SourceType;
use serde_json::Value;

use crate::{Context, Engine, Job, Made, MadeFile};

const PROGRAM: &str = concat!("atelier ", env!("CARGO_PKG_VERSION"));
/// The fields whose pictures, films and sounds are in what is made of them; what others show is only looked at.
const CONTENT: [&str; 3] = ["image_urls", "video_url", "audio_url"];

/// Runs one attempt to its end.
pub async fn attempt(engine: &dyn Engine, job: Job, context: Context) -> Result<Made, Failure> {
    if !engine.is_remote() {
        return engine.run(job, context).await;
    }
    let note = note_of(&job);
    let made = engine.run(job, context).await?;
    let paths: Vec<PathBuf> = made.files.iter().filter_map(media).cloned().collect();
    // Files may be large: not on the threads that everybody waits for. One that has no mark is stored all the same, for it
    // may have been paid for.
    let marking = tokio::task::spawn_blocking(move || {
        for path in paths {
            if let Err(why) = mark(&path, &note) {
                tracing::warn!(
                    model = note.system,
                    error = &why as &dyn std::error::Error,
                    "a file that an engine has made could not be marked as made by a model"
                );
            }
        }
    });
    if let Err(error) = marking.await {
        tracing::error!(%error, "the files of an engine could not be marked");
    }
    Ok(made)
}

fn media(file: &MadeFile) -> Option<&PathBuf> {
    match file {
        MadeFile::Path(path) => {
            let is_side_file = path
                .extension()
                .is_some_and(|extension| extension == MediaType::Json.extension());
            (!is_side_file).then_some(path)
        }
        MadeFile::Bytes(_) => None,
    }
}

/// The model is told by our name for it: what the operator calls his engines, and where they are, is nobody's business.
fn note_of(job: &Job) -> Mark {
    let is_edit = job
        .inputs
        .iter()
        .any(|input| CONTENT.contains(&input.parameter.as_str()));
    Mark {
        program: PROGRAM.to_owned(),
        source: if is_edit {
            SourceType::CompositeTrained
        } else {
            SourceType::Trained
        },
        system: job.model.clone(),
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

    use super::*;
    use crate::testing::{PNG, case};

    #[test]
    fn what_is_made_of_somebodys_picture_says_so_and_what_only_looks_at_one_does_not() {
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
                "target-of-the-operator",
                json!({"prompt": "a boat"}),
            );
            if let Some(parameter) = parameter {
                case = case.with_input(parameter, PNG);
            }
            let note = note_of(&case.job);
            assert_eq!(note.source, expected, "{parameter:?}");
            assert_eq!(
                (note.system.as_str(), note.prompt.as_deref()),
                ("our-model", Some("a boat"))
            );
        }
    }
}

//! Signs the files of a result before they are stored. Results of remote workers are signed here too, so the key never
//! leaves the service.

use std::path::Path;

use atelier_app::System;
use atelier_domain::{Generation, PromptInFiles, Timestamp};
use atelier_engines::{
    Credentials, Input, Made, MadeFile, Written, becomes_part,
    credentials::{Signer, Statement, UsedFile},
};
use atelier_media::{Declared, Scratch};
use atelier_provenance::{PROMPT, SourceType};
use serde_json::Value;

/// The prefix of the names of digital source types.
const VOCABULARY: &str = "http://cv.iptc.org/newscodes/digitalsourcetype/";
const PROGRAM: (&str, &str) = ("atelier", env!("CARGO_PKG_VERSION"));

/// Writes Content Credentials into every file of a result, if the settings require it. `credentials` in the metadata
/// gets a result for each file. A failure here never fails the job.
pub(crate) async fn sign(
    system: &System,
    (generation, prompt): (&Generation, PromptInFiles),
    made: &mut Made,
    inputs: &[Input],
    scratch: &Scratch,
) {
    let engine = generation.served_by.as_deref().unwrap_or_default();
    let Some(credentials) = system.routes().credentials() else {
        return;
    };
    let paths = made
        .files
        .iter()
        .filter_map(MadeFile::medium)
        .cloned()
        .collect::<Vec<_>>();
    if !credentials.coverage().covers(engine) || paths.is_empty() {
        return;
    }
    let signer = match system.app().signer(credentials).await {
        Ok(signer) => signer,
        Err(error) => {
            tracing::warn!(id = %generation.id, %error, "a result is not signed: there is no certificate");
            return;
        }
    };
    let model = system.app().catalog().get(&generation.model);
    let params = model.filter(|_| prompt == PromptInFiles::Signed);
    let params = params.map(|model| model.by_role(&generation.params));
    let prompt = params.as_ref().and_then(|params| params.get("prompt")?.as_str());
    let prompt: Option<String> = prompt.map(|prompt| prompt.chars().take(PROMPT).collect());
    let about = About {
        generation,
        prompt: prompt.as_deref(),
        now: system.app().now(),
    };
    let mut said: Vec<Value> = Vec::new();
    for path in paths {
        let written = sign_file((credentials, &signer), about, &path, inputs, scratch).await;
        metrics::counter!("atelier_credentials_total", "result" => written.as_str()).increment(1);
        said.push(written.as_str().into());
    }
    made.metadata.insert("credentials".to_owned(), said.into());
}

/// The common facts about all files of a result.
#[derive(Clone, Copy)]
struct About<'a> {
    generation: &'a Generation,
    /// If the account wants it to be told.
    prompt: Option<&'a str>,
    now: Timestamp,
}

async fn sign_file(
    (credentials, signer): (&Credentials, &Signer),
    About {
        generation,
        prompt,
        now,
    }: About<'_>,
    path: &Path,
    inputs: &[Input],
    scratch: &Scratch,
) -> Written {
    let declared = {
        let path = path.to_owned();
        tokio::task::spawn_blocking(move || Declared::of(&path)).await
    };
    let declared = match declared {
        Ok(Ok(declared)) => declared,
        Ok(Err(error)) => {
            tracing::warn!(%error, "a file of a result could not be read");
            return Written::Failed;
        }
        Err(error) => {
            tracing::error!(%error, "a file of a result could not be read");
            return Written::Failed;
        }
    };
    if declared.has_manifest {
        // The engine has signed the file, and its own statement says more.
        return Written::Signed;
    }
    let description = described(&generation.model, declared.system.as_deref());
    let mut content = inputs.iter().filter(|input| becomes_part(&input.parameter));
    let parent = match (content.next(), content.next()) {
        (Some(only), None) => Some(&only.path),
        _ => None,
    };
    let source_type = declared.source_type.unwrap_or_else(|| {
        let source = if parent.is_some() {
            SourceType::CompositeTrained
        } else {
            SourceType::Trained
        };
        let uri = source.uri();
        uri.rsplit('/').next().unwrap_or(uri).to_owned()
    });
    let statement = Statement {
        program: PROGRAM,
        agent: &generation.model,
        description: description.as_deref(),
        prompt,
        source_type: &format!("{VOCABULARY}{source_type}"),
        made_at: now,
        inputs: inputs
            .iter()
            .map(|input| UsedFile {
                path: &input.path,
                title: &input.parameter,
                is_parent: parent == Some(&input.path),
            })
            .collect(),
    };
    credentials.sign(path, &statement, signer, scratch).await
}

/// The sentence about what ran the model, such as its weights with their licence, if the file names more than that.
fn described(model: &str, system: Option<&str>) -> Option<String> {
    let system = system.filter(|system| *system != model)?;
    Some(format!("Made by the model {model} with {system}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_names_the_weights_beside_the_model_if_the_file_does() {
        let weights = "Painter 6B (license of the weights: Apache-2.0)";
        assert_eq!(
            described("sdxl-1-0", Some(weights)).as_deref(),
            Some("Made by the model sdxl-1-0 with Painter 6B (license of the weights: Apache-2.0)")
        );
        for system in [None, Some("sdxl-1-0")] {
            assert_eq!(described("sdxl-1-0", system), None);
        }
    }
}

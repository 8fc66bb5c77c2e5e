//! `atelier generate`: generates media and saves the files.

mod fields;
mod follow;

use std::path::{Path, PathBuf};

use atelier_client::{Client, CreateGeneration, Generation};
use atelier_engines::draft;
use serde_json::{Value, json};

use super::{Session, catalog};
use crate::{
    cli,
    config::Origin,
    failure::Failure,
    local::Reached,
    logging,
    output::{fields as aligned, say},
};

pub(super) fn run(session: &Session, asked: &cli::Generate) -> Result<(), Failure> {
    // Beside a progress bar, only errors are logged by default.
    let level = match session.config.origin("log.level") {
        Origin::Default => "error",
        _ => &session.config.log_level,
    };
    logging::start(level, session.config.log_format);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let mut reached = reach(session, asked).await?;
        let done = make(session, asked, &mut reached).await;
        let closed = reached.close().await;
        done.and(closed)
    })
}

async fn reach(session: &Session, asked: &cli::Generate) -> Result<Reached, Failure> {
    match &asked.target.server {
        Some(server) => {
            let client = Client::new(server.as_str(), session.api_key_for_server()?)?;
            Ok(Reached::remote(client))
        }
        None => Reached::local(&session.config, session.api_key.as_deref()).await,
    }
}

async fn make(session: &Session, asked: &cli::Generate, reached: &mut Reached) -> Result<(), Failure> {
    prepare_folder(&asked.out)?;
    let model = catalog::find(&reached.client, &asked.model).await?;
    let params = fields::gather(&reached.client, &model, asked).await?;
    let new = CreateGeneration {
        model: model.summary.slug.clone(),
        params,
        webhook_url: asked.webhook.clone(),
    };
    let accepted = reached.client.create(&new).await?;
    let generation = follow::to_its_end(session, asked, reached, &accepted.id).await?;
    if generation.status != "completed" {
        return failed(session, &generation);
    }
    let files = save(&reached.client, &generation, &asked.out).await?;
    let left = reached.client.balance().await?;
    let charged = generation.credits_charged.unwrap_or_default();
    let value = json!({
        "id": generation.id,
        "model": generation.model,
        "status": generation.status,
        "files": files,
        "credits_charged": charged,
        "credits_left": left,
        "output": generation.output,
    });
    Ok(session.output.result(&value, || {
        let paths: Vec<_> = files.iter().map(|path| path.display().to_string()).collect();
        let facts = [
            ("by", maker(&generation)),
            ("cost", format!("{charged} credits, {left} left")),
            ("job", generation.id.clone()),
        ];
        format!("{}\n{}", paths.join("\n"), aligned(&facts))
    })?)
}

/// What made a generation: the weights and their engine, or an engine.
fn maker(generation: &Generation) -> String {
    let engine = generation.more.get("served_by").and_then(Value::as_str);
    let engine = engine.unwrap_or("the service");
    let output = generation.output.as_ref();
    let weights = output.and_then(|output| output.more.get("metadata")?.get("weights")?.as_str());
    match weights {
        Some(weights) => format!("{weights} ({engine})"),
        None if engine == draft::NAME => format!("{engine}, an embedded engine"),
        None => engine.to_owned(),
    }
}

fn failed(session: &Session, generation: &Generation) -> Result<(), Failure> {
    let (code, message) = match &generation.error {
        Some(error) => (error.code.as_str(), error.message.as_str()),
        None => ("generation_failed", "the service gave no reason"),
    };
    say(&format!(
        "error: the job {} failed: {message} ({code})",
        generation.id
    ));
    if session.output.json {
        let error = json!({ "code": code, "message": message });
        let value = json!({
            "id": generation.id,
            "model": generation.model,
            "status": generation.status,
            "error": error,
        });
        session.output.result(&value, String::new)?;
    }
    Err(Failure::Reported)
}

fn prepare_folder(folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure::new(format!("cannot create the folder {}: {error}", folder.display())))
}

/// Saves all outputs and returns their paths in order.
async fn save(client: &Client, generation: &Generation, folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let Some(output) = &generation.output else {
        return Ok(Vec::new());
    };
    let stem = format!("{}-{}", generation.model, short(&generation.id));
    let mut files = Vec::new();
    for (index, asset) in output.assets.iter().enumerate() {
        let path = folder.join(format!("{stem}-{}.{}", index + 1, extension(&asset.url)));
        client.download(&asset.url, &path).await?;
        files.push(path);
    }
    if let Some(timestamps) = &output.timestamps {
        let path = folder.join(format!("{stem}-timestamps.{}", extension(&timestamps.url)));
        client.download(&timestamps.url, &path).await?;
        files.push(path);
    }
    Ok(files)
}

/// The end of an id. Its beginning is the time, which jobs of one minute share.
fn short(id: &str) -> &str {
    id.get(id.len().saturating_sub(8)..).unwrap_or(id)
}

fn extension(url: &str) -> &str {
    let path = url.split(['?', '#']).next().unwrap_or(url);
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or("bin", |(_, extension)| extension)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_have_the_random_end_of_the_id_and_the_extension_of_the_url() {
        assert_eq!(short("0190c7e0-5b2e-7cc1-9c0a-7f1d2e3a4b5c"), "2e3a4b5c");
        assert_eq!(extension("http://x/media/abc.png"), "png");
        assert_eq!(
            extension("http://x/media/abc.mp4?expires=1&signature=a.b/c"),
            "mp4"
        );
        assert_eq!(extension("http://x.y/abc"), "bin");
    }
}

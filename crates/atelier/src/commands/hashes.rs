//! `atelier policy hashes`: lists of perceptual hashes of pictures.

use std::{fs, path::PathBuf, sync::Arc};

use atelier_app::likeness::{Looking, hash_of};
use atelier_engines::Marking;
use atelier_media::{Scratch, intake::describe_file};
use serde_json::json;

use super::OnStore;
use crate::{cli, failure::Failure, output::table};

pub(super) async fn run(
    session: Arc<OnStore>,
    looks: Option<(Marking, Scratch)>,
    asked: cli::Hashes,
) -> Result<(), Failure> {
    match asked {
        cli::Hashes::Import { file, list } => import(&session, &file, &list).await,
        cli::Hashes::List => show(&session).await,
        cli::Hashes::Remove { list } => {
            session.admin.remove_hashes(&list).await?;
            let value = json!({ "list": list });
            Ok(session
                .output
                .result(&value, || format!("The list {list} is removed."))?)
        }
        cli::Hashes::Of { files } => {
            let Some((marking, folder)) = looks else {
                return Err(failed(
                    "this program was built without the embedded engines".to_owned(),
                ));
            };
            let made = of(&session, (&marking, &folder), &files).await;
            marking.close().await;
            made
        }
    }
}

async fn import(session: &OnStore, file: &PathBuf, list: &str) -> Result<(), Failure> {
    let text = fs::read_to_string(file).map_err(|error| failed(format!("{}: {error}", file.display())))?;
    let hashes = session.admin.import_hashes(list, &text).await?;
    let value = json!({ "list": list, "hashes": hashes });
    Ok(session
        .output
        .result(&value, || format!("The list {list} has {hashes} hashes."))?)
}

async fn show(session: &OnStore) -> Result<(), Failure> {
    let lists = session.admin.hash_lists().await?;
    let value: Vec<_> = lists
        .iter()
        .map(|list| json!({ "list": list.name, "hashes": list.hashes, "imported_at": list.imported_at.rfc3339() }))
        .collect();
    Ok(session.output.result(&value, || {
        if lists.is_empty() {
            return "There are no lists.".to_owned();
        }
        let rows = lists.iter();
        let rows = rows.map(|list| {
            vec![
                list.name.clone(),
                list.hashes.to_string(),
                list.imported_at.rfc3339(),
            ]
        });
        table(&["list", "hashes", "imported at"], rows.collect())
    })?)
}

async fn of(session: &OnStore, looks: (&Marking, &Scratch), files: &[PathBuf]) -> Result<(), Failure> {
    let mut lines = Vec::new();
    for (index, file) in files.iter().enumerate() {
        let named = |why: &dyn std::fmt::Display| failed(format!("{}: {why}", file.display()));
        let (_, facts) = describe_file(file).await.map_err(|error| named(&error))?;
        let looking = Looking {
            marking: looks.0,
            folder: looks.1.below(index.to_string()),
        };
        let path = fs::canonicalize(file).map_err(|error| named(&error))?;
        let hash = hash_of(looking, &path, facts.media_type).await?;
        let hash = hash.ok_or_else(|| named(&"not a picture, or too plain to compare"))?;
        lines.push((hex::encode(hash), file.display().to_string()));
    }
    let value: Vec<_> = lines
        .iter()
        .map(|(hash, file)| json!({ "hash": hash, "file": file }))
        .collect();
    Ok(session.output.result(&value, || {
        let lines = lines.iter().map(|(hash, file)| format!("{hash},{file}"));
        lines.collect::<Vec<_>>().join("\n")
    })?)
}

fn failed(message: String) -> Failure {
    Failure::Failed {
        code: "policy",
        message,
    }
}

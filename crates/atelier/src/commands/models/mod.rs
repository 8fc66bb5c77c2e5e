//! `atelier models`: the weights of trained models on this machine.

mod licences;
mod list;
mod probe;
mod pull;
mod uses;

use std::{
    collections::BTreeMap,
    future::Future,
    path::{Path, PathBuf},
};

use atelier_weights::{Imported, Index, Meter, Outcome, Puller, Removed, bytes, pin, to_accept};
use serde::Serialize;

use super::{Session, catalog};
use crate::{
    cli,
    failure::Failure,
    output::{say, table},
    pulled, weights,
};

pub(super) fn run(session: &Session, asked: cli::Models) -> Result<(), Failure> {
    let asked = match asked.resolve() {
        Ok(asked) => asked,
        Err(catalog) => return catalog::run(session, &catalog),
    };
    let puller = weights::puller(&session.config)?;
    match asked {
        cli::Weights::List { all } => list::run(session, &puller, all),
        cli::Weights::Show { name } => list::show(session, &puller, &name),
        cli::Weights::Pull(asked) => pull::run(session, &puller, &asked),
        cli::Weights::Probe { names } => probe::run(session, &puller, &names),
        cli::Weights::Use { name, model } => uses::choose(session, &puller, &name, &model),
        cli::Weights::Unuse { model } => uses::undo(session, &model),
        cli::Weights::Rm { name, force } => {
            let removed = puller.store.remove(&name, force)?;
            print_removed(
                session,
                &removed,
                &format!("Removed {}", removed.models.join(", ")),
            )
        }
        cli::Weights::Gc { shared: true } => {
            let removed = block_on(async { Ok(puller.collect_shared().await?) })?;
            print_removed(
                session,
                &removed,
                "Removed what no weights on this node need from the bucket",
            )
        }
        cli::Weights::Gc { shared: false } => {
            let removed = puller.store.collect_garbage()?;
            print_removed(session, &removed, "Removed what no weights need")
        }
        cli::Weights::Verify { name, repair } => verify(session, &puller, name.as_deref(), repair),
        cli::Weights::Import {
            path,
            link,
            accept_licence,
        } => block_on(import(session, &puller, &path, link, accept_licence)),
        cli::Weights::Export { names, to } => {
            let packed = block_on(async { Ok(puller.export(&names, &to).await?) })?;
            Ok(session.output.result(&packed, || pull::written(&packed, &to))?)
        }
        cli::Weights::Lock { names, folder } => lock(session, &puller, &names, &folder),
    }
}

/// Runs a command that waits for the network or for the disk.
fn block_on<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let done = runtime.block_on(async {
        tokio::select! {
            done = work => done,
            interrupted = tokio::signal::ctrl_c() => {
                interrupted?;
                Err(Failure::new("interrupted; what was downloaded is kept"))
            }
        }
    });
    // A piece that is being written is written to its end.
    runtime.shutdown_timeout(std::time::Duration::from_secs(5));
    done
}

fn print_removed(session: &Session, removed: &Removed, what: &str) -> Result<(), Failure> {
    let text = || {
        if removed.files_stay {
            format!("{what}. A pull is in progress: `atelier models gc` frees the space after it.")
        } else {
            format!("{what}: {} files, {}.", removed.files, bytes(removed.bytes))
        }
    };
    Ok(session.output.result(removed, text)?)
}

fn verify(session: &Session, puller: &Puller, name: Option<&str>, repair: bool) -> Result<(), Failure> {
    let meter = Meter::default();
    let verified = block_on(async { Ok(puller.verify(name, repair, &meter).await?) })?;
    session.output.result(&verified, || {
        let rows = verified
            .damaged
            .iter()
            .map(|damaged| {
                let state = match (damaged.fault, damaged.repaired) {
                    (_, true) => "repaired",
                    (atelier_weights::DiskFault::Missing, false) => "missing",
                    (atelier_weights::DiskFault::Changed, false) => "damaged",
                };
                vec![damaged.name.clone(), damaged.file.clone(), state.to_owned()]
            })
            .collect::<Vec<_>>();
        let read = format!(
            "{} models, {} files, {} read.",
            verified.models,
            verified.files,
            bytes(verified.bytes)
        );
        if rows.is_empty() {
            format!("{read} Everything is as it should be.")
        } else {
            format!("{}\n{read}", table(&["model", "file", "state"], rows))
        }
    })?;
    if verified.damaged.iter().all(|damaged| damaged.repaired) {
        return Ok(());
    }
    say("error: files are damaged; `atelier models verify --repair` downloads them again");
    Err(Failure::Reported)
}

#[derive(Serialize)]
struct ImportReport<'a> {
    #[serde(flatten)]
    imported: &'a Imported,
    /// The libraries that new programs need and that are not on this machine, by the name of the entry.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    lacks: &'a BTreeMap<&'a str, String>,
}

async fn import(
    session: &Session,
    puller: &Puller,
    path: &Path,
    link: bool,
    accept: bool,
) -> Result<(), Failure> {
    let find = puller.find(path).await?;
    let licences = to_accept(&find.entries);
    licences::settle(session, &licences, accept).await?;
    let folder = weights::entries_folder(&session.config);
    let imported = puller.import(&find, link, &folder).await?;
    let installed = puller.store.installed().unwrap_or_default();
    let new = installed
        .iter()
        .filter(|model| imported.installed.contains(&model.entry.name));
    let lacks: BTreeMap<&str, String> = new
        .filter_map(|model| {
            let lacks = pulled::lacks(model, &session.config.models.passed)?;
            Some((model.entry.name.as_str(), lacks))
        })
        .collect();
    let report = ImportReport {
        imported: &imported,
        lacks: &lacks,
    };
    Ok(session.output.result(&report, || {
        let mut lines = Vec::new();
        for found in &imported.recognised {
            let size = bytes(found.bytes);
            lines.push(format!(
                "{}: {} of {} ({size})",
                found.path.display(),
                found.file,
                found.name
            ));
        }
        for entry in &imported.incomplete {
            lines.push(format!(
                "{} is not whole: it lacks {}",
                entry.name,
                entry.missing.join(", ")
            ));
        }
        if !imported.added.is_empty() {
            lines.push(format!(
                "New entries in {}: {}",
                folder.display(),
                imported.added.join(", ")
            ));
        }
        if imported.installed.is_empty() {
            lines.push("Nothing new was installed.".to_owned());
        } else {
            lines.push(format!("Installed {}.", imported.installed.join(", ")));
        }
        for (name, lacks) in &lacks {
            lines.push(format!("{name}:{}", pull::cannot_run(lacks)));
        }
        lines.join("\n")
    })?)
}

fn lock(session: &Session, puller: &Puller, names: &[String], folder: &Path) -> Result<(), Failure> {
    let index = Index::of_folder(folder).map_err(atelier_weights::Error::from)?;
    if let Some(unknown) = names.iter().find(|name| index.get(name).is_none()) {
        return Err(Failure::usage(format!(
            "{} has no entry {unknown}.toml",
            folder.display()
        )));
    }
    let files: Vec<PathBuf> = index
        .iter()
        .filter(|entry| names.is_empty() || names.contains(&entry.name))
        .map(|entry| folder.join(format!("{}.toml", entry.name)))
        .collect();
    let found = block_on(async {
        let mut found = Vec::new();
        for file in &files {
            found.extend(pin(&puller.downloader, file).await?);
        }
        Ok(found)
    })?;
    session.output.result(&found, || {
        let row = |found: &atelier_weights::Pinned| {
            let outcome = match found.outcome {
                Outcome::Same => "as announced",
                Outcome::Size => "size as announced",
                Outcome::Filled => "filled",
                Outcome::Differs => "differs",
                Outcome::Unknown => "not announced",
                Outcome::Failed => "failed",
            };
            vec![
                found.name.clone(),
                found.file.clone(),
                outcome.to_owned(),
                found.detail.clone(),
            ]
        };
        table(
            &["entry", "file", "outcome", "server"],
            found.iter().map(row).collect(),
        )
    })?;
    let wrong = |found: &atelier_weights::Pinned| matches!(found.outcome, Outcome::Differs | Outcome::Failed);
    match found.iter().filter(|found| wrong(found)).count() {
        0 => Ok(()),
        count => {
            say(&format!(
                "error: {count} files differ from their entries or could not be looked up"
            ));
            Err(Failure::Reported)
        }
    }
}

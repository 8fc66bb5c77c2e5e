//! `atelier restore`: puts a backup into a data folder that has no database.

use std::{fs, io, path::Path};

use atelier_store::{
    lock::DataLock,
    sqlite::backup::{self, Contents},
};
use serde_json::json;

use super::{Session, backup::mib};
use crate::{
    backups::{self, Copied, Copier, Manifest, Pace},
    cli::Restore,
    config::StorePlace,
    data,
    failure::Failure,
    files,
};

pub(super) fn run(session: &Session, asked: &Restore) -> Result<(), Failure> {
    let (config, folder) = (&session.config, &asked.folder);
    let StorePlace::Sqlite(database) = &config.store else {
        return Err(Failure::new(
            "`atelier restore` is for SQLite; with PostgreSQL, use `pg_restore` (docs/operating.md)",
        ));
    };
    let manifest = Manifest::read(folder)?;
    let copy = folder.join(&manifest.database);
    let contents = examine(&copy, &manifest)?;
    data::prepare(&config.data)?;
    let _lock = DataLock::acquire(&config.data, "")?;
    if database.exists() {
        return Err(Failure::new(format!(
            "there is a database at {}: restore into an empty data folder",
            database.display()
        )));
    }
    let mut copier = Copier {
        from: backups::media(folder)?,
        to: files::blobs(config)?,
        part: config.data.join("restore.part"),
        pace: Pace::new(u64::MAX),
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let (number, bytes) = runtime.block_on(copy_media(&mut copier, &contents, &manifest))?;
    // The database comes last: without it, the data folder is still empty.
    put(&copy, database)?;
    let generations = contents.audit.as_ref().map(|audit| audit.generations);
    let value = json!({
        "data": config.data,
        "taken_at": manifest.taken_at,
        "generations": generations,
        "files": number,
        "media_bytes": bytes,
    });
    session.output.result(&value, || {
        format!(
            "{}: the state of {}, with {number} media files ({}).",
            config.data.display(),
            manifest.taken_at,
            mib(bytes)
        )
    })?;
    Ok(())
}

fn examine(copy: &Path, manifest: &Manifest) -> Result<Contents, Failure> {
    let found = backups::sha256(copy)
        .map_err(|error| Failure::new(format!("the database {} cannot be read: {error}", copy.display())))?;
    if found != manifest.sha256 {
        return Err(Failure::new(format!(
            "the database {} is damaged: its digest is {found} instead of {}",
            copy.display(),
            manifest.sha256
        )));
    }
    Ok(backup::examine(copy)?)
}

/// Copies all files, and returns their number and bytes.
async fn copy_media(
    copier: &mut Copier,
    contents: &Contents,
    manifest: &Manifest,
) -> Result<(u64, u64), Failure> {
    let (mut number, mut sum) = (0, 0);
    let previews = contents.previews.iter().map(|name| (name, false));
    for (name, is_needed) in contents.files.iter().map(|name| (name, true)).chain(previews) {
        match copier.copy(name).await? {
            Copied::New(bytes) | Copied::Known(bytes) => {
                number += 1;
                sum += bytes;
            }
            Copied::Missing if is_needed && !manifest.gone.contains(name.as_str()) => {
                return Err(Failure::new(format!(
                    "the backup is not complete: it lacks the file {name}"
                )));
            }
            Copied::Missing => {}
        }
    }
    Ok((number, sum))
}

/// Copies the database to its place, in one step.
fn put(copy: &Path, database: &Path) -> io::Result<()> {
    let part = database.with_extension("part");
    let mut target = backups::private(&part)?;
    io::copy(&mut fs::File::open(copy)?, &mut target)?;
    target.sync_all()?;
    fs::rename(&part, database)?;
    backups::sync(database.parent().unwrap_or(Path::new(".")))
}

//! `atelier backup`: copies the database and the media to a folder, even while a server runs.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    thread,
    time::Instant,
};

use atelier_domain::{Clock as _, clock::SystemClock};
use atelier_store::sqlite::backup::{self, Contents};
use serde_json::json;

use super::Session;
use crate::{
    backups::{self, Copied, Copier, Manifest, Pace},
    cli::Backup,
    config::{Config, StorePlace},
    data,
    failure::Failure,
    files,
};

/// The copied files.
#[derive(Debug, Default)]
struct Sum {
    files: u64,
    new: u64,
    bytes: u64,
    /// Files that were taken down meanwhile.
    gone: BTreeSet<String>,
}

pub(super) fn run(session: &Session, asked: &Backup) -> Result<(), Failure> {
    let begun = Instant::now();
    let database = database(&session.config)?;
    let folder = &asked.folder;
    data::prepare(folder)?;
    let _alone = alone(folder)?;
    let taken_at = SystemClock.now().to_string();
    let per_second = u64::from(asked.mib_per_second) << 20;
    let (part, contents) = copy_database(&database, folder, per_second)?;
    let mut copier = Copier {
        from: files::blobs(&session.config)?,
        to: backups::media(folder)?,
        part: folder.join("media.part"),
        pace: Pace::new(per_second),
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let sum = runtime.block_on(copy_media(&mut copier, &database, &contents))?;
    let manifest = Manifest::new(taken_at, backups::sha256(&part)?, sum.gone.clone());
    let copy = folder.join(&manifest.database);
    fs::rename(&part, &copy)?;
    manifest.publish(folder)?;
    let size = fs::metadata(&copy)?.len();
    let generations = contents.audit.as_ref().map(|audit| audit.generations);
    let value = json!({
        "folder": folder,
        "taken_at": manifest.taken_at,
        "database_bytes": size,
        "generations": generations,
        "files": sum.files,
        "new_files": sum.new,
        "media_bytes": sum.bytes,
        "taken_down": sum.gone,
        "seconds": begun.elapsed().as_secs_f64(),
    });
    session.output.result(&value, || {
        format!(
            "{}: the database ({}) and {} media files ({}), {} of them new. Nothing is damaged.",
            folder.display(),
            mib(size),
            sum.files,
            mib(sum.bytes),
            sum.new
        )
    })?;
    Ok(())
}

/// The database file of this configuration.
fn database(config: &Config) -> Result<PathBuf, Failure> {
    match &config.store {
        StorePlace::Sqlite(path) if path.is_file() => Ok(path.clone()),
        StorePlace::Sqlite(path) => Err(Failure::new(format!(
            "there is no database at {}",
            path.display()
        ))),
        StorePlace::Postgres(_) => Err(Failure::new(
            "`atelier backup` is for SQLite; with PostgreSQL, use `pg_dump --format=custom` for the database, and then \
             copy the bucket or folder of media (docs/operating.md)",
        )),
    }
}

/// Keeps a second backup out of the folder.
fn alone(folder: &Path) -> Result<fs::File, Failure> {
    let lock = backups::private(&folder.join("backup.lock"))?;
    lock.try_lock()
        .map_err(|_| Failure::new(format!("another backup into {} is running", folder.display())))?;
    Ok(lock)
}

/// Copies the database and examines the copy.
fn copy_database(from: &Path, folder: &Path, per_second: u64) -> Result<(PathBuf, Contents), Failure> {
    let part = folder.join("database.part");
    drop(backups::private(&part)?);
    let mut pace = Pace::new(per_second);
    backup::back_up(from, &part, |bytes| thread::sleep(pace.after(bytes)))?;
    let contents = backup::examine(&part)?;
    if let Some(audit) = &contents.audit
        && let Some(first) = audit.violations.first()
    {
        return Err(Failure::new(format!(
            "the database has {} problems, which `atelier audit` lists; the first: {first}",
            audit.violations.len()
        )));
    }
    Ok((part, contents))
}

async fn copy_media(copier: &mut Copier, database: &Path, contents: &Contents) -> Result<Sum, Failure> {
    let mut sum = Sum::default();
    let mut missing = Vec::new();
    let previews = contents.previews.iter().map(|name| (name, false));
    for (name, is_needed) in contents.files.iter().map(|name| (name, true)).chain(previews) {
        match copier.copy(name).await? {
            Copied::New(bytes) => {
                sum.new += 1;
                sum.files += 1;
                sum.bytes += bytes;
            }
            Copied::Known(bytes) => {
                sum.files += 1;
                sum.bytes += bytes;
            }
            Copied::Missing if is_needed && backup::records(database, name)? => missing.push(name),
            Copied::Missing => {
                sum.gone.insert(name.to_string());
            }
        }
    }
    match missing.as_slice() {
        [] => Ok(sum),
        [first, ..] => Err(Failure::new(format!(
            "the media storage lacks {} files that the database names, such as {first}; the backup is not complete",
            missing.len()
        ))),
    }
}

pub(super) fn mib(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}

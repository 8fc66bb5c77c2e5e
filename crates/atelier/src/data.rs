//! Opens the data folder and the store, for the server and for every command that uses them.

use std::{
    fs::{self, DirBuilder, OpenOptions},
    io,
    path::Path,
    sync::Arc,
    time::Duration,
};

use atelier_app::Admin;
use atelier_domain::{Actor, clock::SystemClock};
use atelier_media::{Scratch, scratch::Quota};
use atelier_outbound::Guard;
use atelier_store::{
    Faults, Store,
    postgres::{self, PostgresStore},
    sqlite::{self, SqliteStore},
};

use crate::{
    config::{Config, StorePlace},
    entropy::SystemEntropy,
    failure::Failure,
};

/// The code of the failure to open a database on a full disk.
pub(crate) const DISK_FULL: &str = "disk_full";

/// The code of a failure to reach the database.
const UNAVAILABLE: &str = "unavailable";

/// How often a server that starts looks whether there is room, or a database.
const LOOK: Duration = Duration::from_secs(2);

/// Creates the data folder if it is missing, for its owner alone, and checks that it is writable.
pub(crate) fn prepare(folder: &Path) -> Result<(), Failure> {
    let failed = |error: io::Error| Failure::Failed {
        code: "data_folder",
        message: format!("the data folder {} cannot be used: {error}", folder.display()),
    };
    if !folder.is_dir() {
        let mut builder = DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(folder).map_err(failed)?;
        private::restrict(folder, 0o700).map_err(failed)?;
    }
    let probe = folder.join(format!(".probe-{}", std::process::id()));
    OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .open(&probe)
        .map_err(failed)?;
    fs::remove_file(&probe).map_err(failed)
}

/// Administration of this store, from the command line.
pub(crate) fn admin(config: &Config, store: &Arc<dyn Store>) -> Admin {
    let guard = Guard {
        allow_private: config.allow_private,
    };
    let (clock, entropy) = (Arc::new(SystemClock), Arc::new(SystemEntropy));
    Admin::new(Arc::clone(store), clock, entropy, guard, Actor::Cli)
}

/// Warns if other users of this machine can read the data folder or the database.
pub(crate) fn warn_of_access(config: &Config) {
    let database = match &config.store {
        StorePlace::Sqlite(path) => Some(path.as_path()),
        StorePlace::Postgres(_) => None,
    };
    let paths = std::iter::once((config.data.as_path(), 0o700)).chain(database.map(|path| (path, 0o600)));
    for (path, mode) in paths {
        if let Some(warning) = private::warning(path, mode) {
            tracing::warn!("{warning}");
        }
    }
}

/// A step of a server's start. If the disk is full or the database cannot be reached, it is tried until it can be done.
pub(crate) async fn when_possible<T, F>(mut step: impl FnMut() -> F) -> Result<T, Failure>
where
    F: Future<Output = Result<T, Failure>>,
{
    let mut waits = false;
    loop {
        match step().await {
            Err(failure) if [DISK_FULL, UNAVAILABLE].contains(&failure.code()) => {
                if !waits {
                    tracing::error!("{failure}; the server waits for it");
                    waits = true;
                }
                tokio::time::sleep(LOOK).await;
            }
            done => return done,
        }
    }
}

/// Opens the store of this configuration and creates it if it is missing.
pub(crate) async fn open_store(
    config: &Config,
    faults: Option<Arc<dyn Faults>>,
) -> Result<Arc<dyn Store>, Failure> {
    prepare(&config.data)?;
    match &config.store {
        StorePlace::Sqlite(path) => open_file(path, faults),
        StorePlace::Postgres(url) => {
            let options = postgres::Options {
                faults,
                connections: config.store_connections,
                ..postgres::Options::new(url.clone())
            };
            Ok(Arc::new(PostgresStore::open(options).await?))
        }
    }
}

fn open_file(path: &Path, faults: Option<Arc<dyn Faults>>) -> Result<Arc<dyn Store>, Failure> {
    if let Some(folder) = path.parent().filter(|folder| !folder.is_dir()) {
        return Err(Failure::new(format!(
            "`store.url` is {}, but the folder {} does not exist",
            path.display(),
            folder.display()
        )));
    }
    private::create(path)
        .map_err(|error| Failure::new(format!("cannot create the database {}: {error}", path.display())))?;
    let options = sqlite::Options {
        faults,
        ..sqlite::Options::new(path)
    };
    match SqliteStore::open(options) {
        Ok(store) => Ok(Arc::new(store)),
        // SQLite has several errors for this, and most do not say so.
        Err(_) if is_full(path) => Err(Failure::Failed {
            code: DISK_FULL,
            message: format!(
                "the disk is full: the database {} needs a few MiB of free space to open",
                path.display()
            ),
        }),
        Err(error) => Err(error.into()),
    }
}

/// Whether the disk of this file is full.
fn is_full(path: &Path) -> bool {
    let folder = path.parent().unwrap_or(path);
    Scratch::new(folder, Quota::NONE).is_disk_full()
}

/// Access by the owner alone, whatever the umask is. Other systems than Unix have no such modes.
#[cfg(unix)]
mod private {
    use std::{
        fs::{self, OpenOptions, Permissions},
        io,
        os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _},
        path::Path,
    };

    pub(super) fn restrict(path: &Path, mode: u32) -> io::Result<()> {
        fs::set_permissions(path, Permissions::from_mode(mode))
    }

    /// Creates an empty database if there is none. SQLite gives its other files the same mode.
    pub(super) fn create(path: &Path) -> io::Result<()> {
        let created = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(path);
        match created {
            Ok(file) => file.set_permissions(Permissions::from_mode(0o600)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Returns the warning for the operator if the group or others have access.
    pub(super) fn warning(path: &Path, mode: u32) -> Option<String> {
        let actual = fs::metadata(path).ok()?.permissions().mode() & 0o777;
        let path = path.display();
        (actual & 0o077 != 0).then(|| {
            format!(
                "other users of this machine can access {path} (mode {actual:03o}); \
                 to prevent this, run: chmod {mode:o} '{path}'"
            )
        })
    }
}

#[cfg(not(unix))]
mod private {
    use std::{io, path::Path};

    pub(super) fn restrict(_: &Path, _: u32) -> io::Result<()> {
        Ok(())
    }

    pub(super) fn create(_: &Path) -> io::Result<()> {
        Ok(())
    }

    pub(super) fn warning(_: &Path, _: u32) -> Option<String> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    fn mode(path: &Path) -> u32 {
        use std::os::unix::fs::PermissionsExt as _;

        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[cfg(unix)]
    #[test]
    fn only_its_owner_can_access_a_new_data_folder() {
        let outside = tempfile::tempdir().unwrap();
        let folder = outside.path().join("new/data");
        prepare(&folder).unwrap();
        assert_eq!(mode(&folder), 0o700);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
        assert_eq!(private::warning(&folder, 0o700), None);
    }

    #[cfg(unix)]
    #[test]
    fn only_its_owner_can_access_a_new_database_and_the_files_beside_it() {
        let outside = tempfile::tempdir().unwrap();
        let path = outside.path().join("atelier.db");
        let _store = open_file(&path, None).unwrap();
        let names = fs::read_dir(outside.path()).unwrap();
        let modes: Vec<_> = names.map(|entry| mode(&entry.unwrap().path())).collect();
        assert!(
            !modes.is_empty() && modes.iter().all(|mode| *mode == 0o600),
            "{modes:?}"
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_that_others_can_access_is_left_alone_and_named_in_a_warning() {
        let outside = tempfile::tempdir().unwrap();
        let folder = outside.path().join("data");
        fs::create_dir(&folder).unwrap();
        private::restrict(&folder, 0o755).unwrap();
        prepare(&folder).unwrap();
        assert_eq!(mode(&folder), 0o755);
        let path = folder.display();
        assert_eq!(
            private::warning(&folder, 0o700).unwrap(),
            format!(
                "other users of this machine can access {path} (mode 755); to prevent this, run: chmod 700 '{path}'"
            )
        );
    }

    #[test]
    fn a_file_at_the_path_of_the_folder_is_an_error() {
        let outside = tempfile::tempdir().unwrap();
        let file = outside.path().join("file");
        fs::write(&file, "").unwrap();
        let error = prepare(&file).unwrap_err().to_string();
        assert!(
            error.starts_with(&format!("the data folder {} cannot be used: ", file.display())),
            "{error}"
        );
    }
}

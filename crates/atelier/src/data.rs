//! The data folder and the store in it, as every command that works on them opens them.

use std::{
    fs::{self, DirBuilder, OpenOptions},
    io,
    path::Path,
    sync::Arc,
};

use atelier_app::Admin;
use atelier_domain::{Actor, clock::SystemClock};
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

/// Makes the data folder where it is missing, for its owner alone, and sees that it can be written to.
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

/// Opens the store of this configuration, making it where it is missing.
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
            "store.url is {}, and there is no folder {}",
            path.display(),
            folder.display()
        )));
    }
    let options = sqlite::Options {
        faults,
        ..sqlite::Options::new(path)
    };
    Ok(Arc::new(SqliteStore::open(options)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_new_data_folder_is_its_owners_alone() {
        use std::os::unix::fs::PermissionsExt as _;

        let outside = tempfile::tempdir().unwrap();
        let folder = outside.path().join("new/data");
        prepare(&folder).unwrap();
        assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    }

    #[test]
    fn a_file_in_the_folders_place_is_a_plain_error() {
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

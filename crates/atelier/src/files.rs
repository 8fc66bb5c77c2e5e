//! The places for files: stored media, and work files of jobs in progress.

use std::{collections::BTreeMap, fs, path::Path, time::Duration};

use atelier_media::Blobs;

use crate::{
    config::{Config, S3, StorePlace},
    failure::Failure,
};

/// Work files of this age are left over from a killed process.
const STALE_SCRATCH: Duration = Duration::from_hours(24);

/// Creates the scratch folder and removes old files that a killed process left in it. Other processes may be using the
/// folder.
pub(crate) fn sweep(scratch: &Path) -> Result<(), Failure> {
    let swept = sweep_folder(scratch);
    swept.map_err(|error| Failure::new(format!("cannot use the folder {}: {error}", scratch.display())))
}

fn sweep_folder(scratch: &Path) -> std::io::Result<()> {
    fs::create_dir_all(scratch)?;
    atelier_media::scratch::sweep(scratch, STALE_SCRATCH)?;
    for entry in fs::read_dir(scratch)? {
        let entry = entry?;
        let metadata = entry.metadata()?;
        let age = metadata.modified()?.elapsed().unwrap_or_default();
        if metadata.is_dir() && age >= STALE_SCRATCH {
            fs::remove_dir_all(entry.path())?;
        }
    }
    Ok(())
}

/// Opens the storage for media.
pub(crate) fn blobs(config: &Config) -> Result<Blobs, Failure> {
    let opened = match &config.media_place {
        None => Blobs::folder(&config.media_folder()),
        Some(url) => Blobs::open(url, &s3_options(&config.s3)),
    };
    opened.map_err(|error| Failure::Failed {
        code: "media",
        message: format!("{}: `media.url`: {error}", config.origin("media.url")),
    })
}

pub(crate) fn s3_options(s3: &S3) -> BTreeMap<String, String> {
    let texts = [
        ("endpoint", &s3.endpoint),
        ("region", &s3.region),
        ("access_key_id", &s3.access_key_id),
        ("secret_access_key", &s3.secret_access_key),
        ("session_token", &s3.session_token),
    ];
    let mut options: BTreeMap<_, _> = texts
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value.clone()?)))
        .collect();
    if s3.allow_http {
        options.insert("allow_http".to_owned(), "true".to_owned());
    }
    options
}

/// Warns if several nodes on one database would not find each other's files.
pub(crate) fn warn_of_separate_files(config: &Config) {
    if matches!(config.store, StorePlace::Postgres(_)) && config.media_place.is_none() {
        tracing::warn!(
            folder = %config.media_folder().display(),
            "media.url is not set: files stay in the data folder of this node, where other nodes on the same database \
             cannot find them"
        );
    }
}

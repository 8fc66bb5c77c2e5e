//! The common parts of `atelier backup` and `atelier restore`: the folder of a backup, and verified copies of stored
//! files.
//!
//! The folder contains `backup.json`, the database that it names, and `media/`, laid out like the media folder of a
//! service. `backup.json` is replaced at the very end, so that the folder always contains one complete backup.

use std::{
    collections::BTreeSet,
    fs::{self, File, OpenOptions},
    io::{self, Read as _, Write as _},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use atelier_domain::FileName;
use atelier_media::{Blobs, blobs::BlobError};
use futures::StreamExt as _;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::failure::Failure;

const MANIFEST: &str = "backup.json";
/// The version of the layout.
const FORMAT: u32 = 1;

/// The content of `backup.json`.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Manifest {
    pub(crate) format: u32,
    /// The version of the program that made it.
    pub(crate) program: String,
    pub(crate) taken_at: String,
    /// The name of the database in the folder.
    pub(crate) database: String,
    pub(crate) sha256: String,
    /// Files that rows of the database name and that were taken down while the backup was made.
    pub(crate) gone: BTreeSet<String>,
}

impl Manifest {
    pub(crate) fn new(taken_at: String, sha256: String, gone: BTreeSet<String>) -> Self {
        Self {
            format: FORMAT,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            taken_at,
            database: format!("atelier-{}.db", &sha256[..16]),
            sha256,
            gone,
        }
    }

    pub(crate) fn read(folder: &Path) -> Result<Self, Failure> {
        let path = folder.join(MANIFEST);
        let wrong = |why: &dyn std::fmt::Display| {
            Failure::new(format!(
                "{} is not a backup: {}: {why}",
                folder.display(),
                path.display()
            ))
        };
        let text = fs::read(&path).map_err(|error| wrong(&error))?;
        let manifest: Self = serde_json::from_slice(&text).map_err(|error| wrong(&error))?;
        if manifest.format != FORMAT {
            return Err(wrong(&format!(
                "its format is {}, this program knows {FORMAT}",
                manifest.format
            )));
        }
        Ok(manifest)
    }

    /// Makes this the backup of the folder, and removes the databases of earlier ones.
    pub(crate) fn publish(&self, folder: &Path) -> Result<(), Failure> {
        let part = folder.join(format!("{MANIFEST}.part"));
        let mut file = File::create(&part)?;
        file.write_all(&serde_json::to_vec_pretty(self).map_err(io::Error::from)?)?;
        file.sync_all()?;
        fs::rename(&part, folder.join(MANIFEST))?;
        sync(folder)?;
        for entry in fs::read_dir(folder)? {
            let (path, name) = entry.map(|entry| (entry.path(), entry.file_name()))?;
            let name = name.to_string_lossy();
            if name.starts_with("atelier-") && name.ends_with(".db") && name != self.database {
                fs::remove_file(path)?;
            }
        }
        Ok(())
    }
}

/// The media of a backup.
pub(crate) fn media(folder: &Path) -> Result<Blobs, Failure> {
    Blobs::folder(&folder.join("media")).map_err(|error| Failure::new(error.to_string()))
}

/// The digest of a file's bytes, in hexadecimal.
pub(crate) fn sha256(path: &Path) -> io::Result<String> {
    let (mut file, mut digest) = (File::open(path)?, Sha256::new());
    let mut chunk = vec![0; 1 << 20];
    loop {
        match file.read(&mut chunk)? {
            0 => return Ok(hex::encode(digest.finalize())),
            read => digest.update(&chunk[..read]),
        }
    }
}

/// Makes the names in a folder durable.
pub(crate) fn sync(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Limits how fast bytes are read, so that a backup leaves the disk to the service.
#[derive(Debug)]
pub(crate) struct Pace {
    per_second: f64,
    begun: Instant,
    bytes: u64,
}

impl Pace {
    pub(crate) fn new(per_second: u64) -> Self {
        Self {
            per_second: per_second as f64,
            begun: Instant::now(),
            bytes: 0,
        }
    }

    /// How long to wait after these bytes.
    pub(crate) fn after(&mut self, bytes: u64) -> Duration {
        self.bytes += bytes;
        let due = Duration::from_secs_f64(self.bytes as f64 / self.per_second);
        due.saturating_sub(self.begun.elapsed())
    }
}

/// The outcome of copying a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Copied {
    /// It is there now, with so many bytes.
    New(u64),
    /// It was there before.
    Known(u64),
    /// The source does not have it.
    Missing,
}

/// Copies stored files from one storage to another, and compares their bytes with their names.
#[derive(Debug)]
pub(crate) struct Copier {
    pub(crate) from: Blobs,
    pub(crate) to: Blobs,
    /// The path of a file while it is copied.
    pub(crate) part: PathBuf,
    pub(crate) pace: Pace,
}

impl Copier {
    pub(crate) async fn copy(&mut self, name: &FileName) -> Result<Copied, Failure> {
        let wrong = |why: &dyn std::fmt::Display| Failure::new(format!("the file {name}: {why}"));
        let there = self.to.head(name).await.map_err(|error| wrong(&error))?;
        let here = self.from.head(name).await.map_err(|error| wrong(&error))?;
        if let Some(size) = there.filter(|_| there == here) {
            return Ok(Copied::Known(size));
        }
        let mut blob = match self.from.get(name, None).await {
            Ok(blob) => blob,
            Err(BlobError::Missing) => return Ok(Copied::Missing),
            Err(error) => return Err(wrong(&error)),
        };
        let (mut part, mut digest) = (private(&self.part)?, Sha256::new());
        while let Some(chunk) = blob.stream.next().await {
            let chunk = chunk.map_err(|error| wrong(&error))?;
            digest.update(&chunk);
            part.write_all(&chunk)?;
            tokio::time::sleep(self.pace.after(chunk.len() as u64)).await;
        }
        drop(part);
        let found = hex::encode(digest.finalize());
        if found != name.sha256() {
            fs::remove_file(&self.part)?;
            return Err(wrong(&format!(
                "it is damaged: the digest of its bytes is {found}"
            )));
        }
        let put = self.to.put_file(&self.part, name).await;
        fs::remove_file(&self.part)?;
        put.map_err(|error| wrong(&error))?;
        Ok(Copied::New(blob.size))
    }
}

/// A new empty file that only its owner can access.
pub(crate) fn private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

//! `atelier account export`: writes everything that the service keeps about an account, except secrets.
//!
//! Neither the memory nor the disk that it takes beside the result grows with the account, except for one file at a
//! time of an archive: its size is written before it.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{BufWriter, Write as _},
    path::{Path, PathBuf},
    sync::Arc,
};

use atelier_app::accounts::export::{ExportPart, PARTS};
use atelier_domain::{Account, Clock as _, FileName, clock::SystemClock};
use atelier_media::{BlobError, Blobs};
use flate2::{Compression, write::GzEncoder};
use futures::StreamExt as _;
use serde_json::json;

use super::OnStore;
use crate::{backups, data, failure::Failure};

/// The part that names the files to copy.
const FILES: &str = "files";

/// The written rows and files.
#[derive(Debug, Default)]
struct Written {
    /// The rows of each file.
    rows: BTreeMap<&'static str, u64>,
    files: u64,
    bytes: u64,
    /// Files that were deleted or taken down meanwhile.
    missing: u64,
}

pub(super) async fn run(
    session: Arc<OnStore>,
    blobs: Blobs,
    name: String,
    to: PathBuf,
) -> Result<(), Failure> {
    if to.exists() {
        return Err(Failure::new(format!(
            "{} exists already: name a new folder or file",
            to.display()
        )));
    }
    let account = session.admin.begin_export(&name).await?;
    let mut target = Target::create(&to)?;
    let mut written = Written::default();
    let exported_at = SystemClock.now().to_string();
    let mut index = 0;
    while let Some(first) = PARTS.get(index) {
        let parts = PARTS[index..]
            .iter()
            .take_while(|part| part.file == first.file)
            .count();
        let rows = write_parts(&session, &account, &PARTS[index..index + parts], &mut target).await?;
        written.rows.insert(first.file, rows);
        index += parts;
    }
    copy_files(&session, &blobs, &account, &mut target, &mut written).await?;
    let manifest = json!({
        "account": account.id,
        "name": account.name,
        "exported_at": exported_at,
        "program": env!("CARGO_PKG_VERSION"),
        "rows": written.rows,
        "files": written.files,
        "bytes": written.bytes,
        "missing_files": written.missing,
    });
    target.text("manifest.json", &format!("{manifest:#}\n"))?;
    target.finish()?;
    Ok(session.output.result(&manifest, || {
        format!(
            "{} has what is kept about `{name}`: {} jobs, {} ledger entries, {} files ({} bytes).",
            to.display(),
            written.rows["generations"],
            written.rows["ledger"],
            written.files,
            written.bytes
        )
    })?)
}

/// Writes the rows of parts into one file, a JSON value per line. Returns their number.
async fn write_parts(
    session: &OnStore,
    account: &Account,
    parts: &'static [ExportPart],
    target: &mut Target,
) -> Result<u64, Failure> {
    let path = target.part();
    let mut lines = BufWriter::new(backups::private(&path)?);
    let mut rows = 0;
    for part in parts {
        let mut after = Vec::new();
        loop {
            let page = session.admin.exported(account, part, &after).await?;
            for row in &page.rows {
                serde_json::to_writer(&mut lines, row).map_err(std::io::Error::from)?;
                lines.write_all(b"\n")?;
            }
            rows += page.rows.len() as u64;
            match page.next {
                Some(next) => after = next,
                None => break,
            }
        }
    }
    lines.flush()?;
    drop(lines);
    let file = parts.first().map_or("rows", |part| part.file);
    target.add(&path, &format!("{file}.jsonl"))?;
    Ok(rows)
}

async fn copy_files(
    session: &OnStore,
    blobs: &Blobs,
    account: &Account,
    target: &mut Target,
    written: &mut Written,
) -> Result<(), Failure> {
    let Some(part) = PARTS.iter().find(|part| part.file == FILES) else {
        return Ok(());
    };
    let mut after = Vec::new();
    loop {
        let page = session.admin.exported(account, part, &after).await?;
        for row in &page.rows {
            let name = row.get("file").and_then(|name| name.as_str()).unwrap_or_default();
            let name: FileName = name.parse().map_err(|error: String| Failure::new(error))?;
            match copy(blobs, &name, target).await? {
                Some(bytes) => {
                    written.files += 1;
                    written.bytes += bytes;
                }
                None => written.missing += 1,
            }
        }
        match page.next {
            Some(next) => after = next,
            None => return Ok(()),
        }
    }
}

/// Copies a stored file and returns its size; `None` if it is gone.
async fn copy(blobs: &Blobs, name: &FileName, target: &mut Target) -> Result<Option<u64>, Failure> {
    let wrong = |why: &dyn std::fmt::Display| Failure::new(format!("the file {name}: {why}"));
    let mut blob = match blobs.get(name, None).await {
        Ok(blob) => blob,
        Err(BlobError::Missing) => return Ok(None),
        Err(error) => return Err(wrong(&error)),
    };
    let path = target.part();
    let mut part = backups::private(&path)?;
    while let Some(chunk) = blob.stream.next().await {
        part.write_all(&chunk.map_err(|error| wrong(&error))?)?;
    }
    drop(part);
    target.add(&path, &format!("media/{name}"))?;
    Ok(Some(blob.size))
}

/// The target of an export. It has its name only when it is complete.
enum Target {
    Folder {
        to: PathBuf,
        part: PathBuf,
    },
    Archive {
        to: PathBuf,
        part: PathBuf,
        archive: Box<tar::Builder<Packed>>,
    },
}

/// The bytes of an archive.
enum Packed {
    Plain(BufWriter<File>),
    Gzip(GzEncoder<BufWriter<File>>),
}

impl std::io::Write for Packed {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match self {
            Self::Plain(file) => file.write(bytes),
            Self::Gzip(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        match self {
            Self::Plain(file) => file.flush(),
            Self::Gzip(file) => file.flush(),
        }
    }
}

impl Target {
    fn create(to: &Path) -> Result<Self, Failure> {
        let name = to.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let lower = name.to_lowercase();
        let ends = |ending: &str| lower.ends_with(ending);
        let is_gzip = ends(".tar.gz") || ends(".tgz");
        let part = to.with_file_name(format!("{name}.part"));
        let to = to.to_owned();
        if !is_gzip && !ends(".tar") {
            if part.exists() {
                fs::remove_dir_all(&part)?;
            }
            data::prepare(&part)?;
            fs::create_dir(part.join("media"))?;
            return Ok(Self::Folder { to, part });
        }
        let file = BufWriter::new(backups::private(&part)?);
        // Media is compressed already.
        let packed = if is_gzip {
            Packed::Gzip(GzEncoder::new(file, Compression::fast()))
        } else {
            Packed::Plain(file)
        };
        let archive = Box::new(tar::Builder::new(packed));
        Ok(Self::Archive { to, part, archive })
    }

    /// Returns the path of a file while it is written.
    fn part(&self) -> PathBuf {
        match self {
            Self::Folder { part, .. } => part.join(".part"),
            Self::Archive { part, .. } => part.with_extension("row"),
        }
    }

    /// Takes a finished file.
    fn add(&mut self, file: &Path, name: &str) -> Result<(), Failure> {
        match self {
            Self::Folder { part, .. } => fs::rename(file, part.join(name))?,
            Self::Archive { archive, .. } => {
                archive.append_path_with_name(file, name)?;
                fs::remove_file(file)?;
            }
        }
        Ok(())
    }

    fn text(&mut self, name: &str, text: &str) -> Result<(), Failure> {
        let path = self.part();
        backups::private(&path)?.write_all(text.as_bytes())?;
        self.add(&path, name)
    }

    fn finish(self) -> Result<(), Failure> {
        match self {
            Self::Folder { to, part } => fs::rename(part, to)?,
            Self::Archive { to, part, archive } => {
                let file = match archive.into_inner()? {
                    Packed::Plain(file) => file,
                    Packed::Gzip(file) => file.finish()?,
                };
                let file = file.into_inner().map_err(std::io::IntoInnerError::into_error)?;
                file.sync_all()?;
                fs::rename(part, to)?;
            }
        }
        Ok(())
    }
}

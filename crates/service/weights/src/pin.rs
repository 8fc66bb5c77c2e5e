//! `atelier models lock`: asks the servers for sizes and digests, and writes them into entry files.

use std::{fmt::Write as _, fs, path::Path};

use serde::Serialize;

use crate::{
    download::Downloader,
    error::{Error, Result, at},
    index,
    store::write_whole,
};

/// The findings about one file of an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Pinned {
    pub name: String,
    pub file: String,
    pub outcome: Outcome,
    /// The answer of the server, or why there is none.
    pub detail: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Size and digest are those that the server announces.
    Same,
    /// The size is the same; the server announces no digest.
    Size,
    /// The missing values were written into the entry.
    Filled,
    /// The server announces something else.
    Differs,
    /// The server announces too little to fill the entry.
    Unknown,
    Failed,
}

/// Compares the files of one entry with what their servers announce, and writes what was missing into the entry's file.
pub async fn pin(downloader: &Downloader, path: &Path) -> Result<Vec<Pinned>> {
    let mut text = fs::read_to_string(path).map_err(at(path))?;
    let before = text.clone();
    let entry = index::parse(&path.display().to_string(), &text)?;
    let mut found = Vec::new();
    for (place, file) in entry.files.iter().enumerate() {
        let (outcome, detail) = match downloader.announced(&entry.name, &file.url).await {
            Err(error) => (Outcome::Failed, error.to_string()),
            Ok((size, sha256)) => {
                let detail = format!(
                    "{}, SHA-256 {}",
                    size.map_or("no size".to_owned(), |size| format!("{size} bytes")),
                    sha256.as_deref().unwrap_or("not announced")
                );
                let differs = file.size.is_some_and(|own| size.is_some_and(|size| own != size))
                    || file
                        .sha256
                        .as_ref()
                        .is_some_and(|own| sha256.as_ref().is_some_and(|other| own != other));
                let outcome = if differs {
                    Outcome::Differs
                } else if file.pin().is_some() {
                    match (size, sha256) {
                        (_, Some(_)) => Outcome::Same,
                        (Some(_), None) => Outcome::Size,
                        (None, None) => Outcome::Unknown,
                    }
                } else {
                    let size = size.filter(|_| file.size.is_none());
                    let sha256 = sha256.filter(|_| file.sha256.is_none());
                    let filled = size.is_some() || sha256.is_some();
                    text = fill(&text, place, size, sha256.as_deref());
                    if filled { Outcome::Filled } else { Outcome::Unknown }
                };
                (outcome, detail)
            }
        };
        found.push(Pinned {
            name: entry.name.clone(),
            file: file.name.clone(),
            outcome,
            detail,
        });
    }
    if text != before {
        // The written text must still be an entry.
        index::parse(&path.display().to_string(), &text).map_err(|error| {
            Error::Invalid(format!(
                "{error}; the file was left as it was: write each file as [[files]]"
            ))
        })?;
        write_whole(path, text.as_bytes())?;
    }
    Ok(found)
}

/// Adds lines after the `name` of one `[[files]]` table. Everything else stays as it is written.
fn fill(text: &str, place: usize, size: Option<u64>, sha256: Option<&str>) -> String {
    let mut out = String::new();
    let mut tables = 0;
    let mut inside = false;
    for line in text.lines() {
        out.push_str(line);
        out.push('\n');
        if line.starts_with('[') {
            inside = line.trim_end() == "[[files]]" && {
                tables += 1;
                tables == place + 1
            };
        }
        if inside && line.starts_with("name = ") {
            if let Some(size) = size {
                let _ = writeln!(out, "size = {size}");
            }
            if let Some(sha256) = sha256 {
                let _ = writeln!(out, "sha256 = \"{sha256}\"");
            }
        }
    }
    out
}

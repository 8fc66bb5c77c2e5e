//! The tables of docs/weights.md match the index.
#![allow(clippy::unwrap_used, reason = "test helpers may fail the test")]

use atelier_weights::{Entry, Index, Kind, Status};

const DOCUMENT: &str = include_str!("../../../../../docs/weights.md");

#[test]
fn the_tables_in_the_documentation_match_the_index() {
    let index = Index::builtin().unwrap();
    let mut documented = 0;
    for (heading, kind, runtime) in [
        ("### Picture tools", Kind::Model, Some("onnx")),
        ("### Speech", Kind::Model, Some("speech")),
        (
            "### Speech that atelier does not run",
            Kind::Model,
            Some("kitten"),
        ),
        ("### Pictures and videos", Kind::Model, Some("sd-server")),
        ("### Music", Kind::Model, Some("acestep-cpp")),
        ("### Sound", Kind::Model, Some("audio-server")),
        ("### Parts", Kind::Part, None),
        ("### Runtimes", Kind::Runtime, None),
    ] {
        let entries = index
            .iter()
            .filter(|entry| (entry.kind, entry.runtime.as_deref()) == (kind, runtime));
        let rows: Vec<_> = entries.map(|entry| row(entry, &index)).collect();
        let section = DOCUMENT.split(&format!("{heading}\n")).nth(1).unwrap_or_default();
        let there: Vec<_> = section
            .lines()
            .skip_while(|line| !line.starts_with("| `"))
            .take_while(|line| line.starts_with("| `"))
            .collect();
        assert_eq!(
            there,
            rows,
            "the table under {heading} must be:\n{}\n",
            rows.join("\n")
        );
        documented += rows.len();
    }
    assert_eq!(
        documented,
        index.iter().len(),
        "an entry is in no table: is its runtime new?"
    );
}

fn row(entry: &Entry, index: &Index) -> String {
    let serves: Vec<_> = entry
        .serves
        .iter()
        .map(|serves| match &serves.model {
            Some(model) => format!("`{model}`"),
            None => serves.task.clone(),
        })
        .collect();
    let licence = &entry.licence;
    let mut cells = vec![format!("`{}`", entry.name), entry.title.clone()];
    if entry.kind == Kind::Model {
        cells.push(serves.join(", "));
    }
    cells.push(download(entry, index));
    if entry.kind == Kind::Model {
        cells.push(size(entry.needs.memory_mb * 1_000_000));
    }
    cells.push(licence.name.as_ref().unwrap_or(&licence.id).clone());
    if entry.kind != Kind::Runtime {
        cells.push(licence.commercial.to_string());
    }
    cells.push(
        match entry.status {
            Status::Verified => "verified",
            Status::Unverified => "unverified",
        }
        .to_owned(),
    );
    format!("| {} |", cells.join(" | "))
}

/// The bytes of the entry and of what it uses; a dash if a size is not known.
fn download(entry: &Entry, index: &Index) -> String {
    let used = index.with_used(&entry.name, "no-target").unwrap();
    if used.iter().all(|entry| entry.is_pinned()) {
        size(used.iter().map(|entry| entry.download_bytes()).sum())
    } else {
        "–".to_owned()
    }
}

/// In units of 1,000, with one decimal below 10 MB and in GB.
fn size(bytes: u64) -> String {
    let tenths = |unit: u64| {
        let tenths = (bytes * 10).div_ceil(unit);
        format!("{}.{}", tenths / 10, tenths % 10)
    };
    match bytes {
        1_000_000_000.. => format!("{} GB", tenths(1_000_000_000)),
        10_000_000.. => format!("{} MB", bytes.div_ceil(1_000_000)),
        _ => format!("{} MB", tenths(1_000_000)),
    }
}

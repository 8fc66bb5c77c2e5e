//! `atelier models list` and `show`.

use atelier_weights::{Entry, Error, Installed, Puller, Status, bytes};
use serde::Serialize;

use super::super::Session;
use crate::{
    failure::Failure,
    output::{fields, table},
    uses::{self, Uses},
};

/// An entry and what of it is here.
#[derive(Serialize)]
struct Row<'a> {
    #[serde(flatten)]
    entry: &'a Entry,
    installed: bool,
    /// The index has other files than those that are here.
    outdated: bool,
    /// The bytes that it takes on the disk if it is here; otherwise those of its download, without the parts that it
    /// uses.
    bytes: u64,
    /// The bytes that an interrupted pull left here.
    partial_bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    folder: Option<String>,
    /// The models that the operator has chosen it for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    used_for: Vec<String>,
}

impl<'a> Row<'a> {
    fn new(puller: &Puller, uses: &Uses, entry: &'a Entry, installed: Option<&Installed>) -> Self {
        Self {
            used_for: uses::of(uses, &entry.name),
            partial_bytes: puller.store.partial_bytes(entry),
            installed: installed.is_some(),
            outdated: installed.is_some_and(|installed| installed.entry.files != entry.files),
            bytes: installed.map_or_else(|| entry.download_bytes(), Installed::bytes),
            folder: installed.map(|installed| installed.folder.display().to_string()),
            entry,
        }
    }

    fn state(&self) -> String {
        match (self.installed, self.outdated, self.entry.is_pinned()) {
            (true, true, _) => "here, outdated".to_owned(),
            (true, false, _) if !self.used_for.is_empty() => {
                format!("here, for {}", self.used_for.join(", "))
            }
            (true, false, _) => "here".to_owned(),
            (false, _, true) if self.partial_bytes > 0 => {
                format!("{} % here", self.partial_bytes * 100 / self.bytes.max(1))
            }
            (false, _, true) => "-".to_owned(),
            (false, _, false) => "not locked".to_owned(),
        }
    }

    fn size(&self) -> String {
        if self.bytes == 0 {
            "?".to_owned()
        } else {
            bytes(self.bytes)
        }
    }
}

pub(super) fn run(session: &Session, puller: &Puller, all: bool) -> Result<(), Failure> {
    let here = puller.store.installed()?;
    let uses = uses::read(&session.config)?;
    let find = |name: &str| here.iter().find(|installed| installed.entry.name == name);
    // The remains of an interrupted pull are shown too.
    let known = puller
        .index
        .iter()
        .filter(|entry| all || puller.store.partial_bytes(entry) > 0);
    // Entries that only the machine knows come along.
    let only_here = here.iter().map(|installed| &installed.entry);
    let mut rows: Vec<Row> = known
        .map(|entry| Row::new(puller, &uses, entry, find(&entry.name)))
        .collect();
    for entry in only_here {
        if !rows.iter().any(|row| row.entry.name == entry.name) {
            let current = puller.index.get(&entry.name).unwrap_or(entry);
            rows.push(Row::new(puller, &uses, current, find(&entry.name)));
        }
    }
    rows.sort_by(|left, right| left.entry.name.cmp(&right.entry.name));
    Ok(session.output.result(&rows, || {
        let cells = |row: &Row| {
            vec![
                row.entry.name.clone(),
                row.entry.kind.as_str().to_owned(),
                row.state(),
                row.size(),
                row.entry.licence.id.clone(),
                row.entry.summary.clone(),
            ]
        };
        let hint = if all {
            "`atelier models show NAME` shows an entry, `atelier models pull NAME` downloads it."
        } else {
            "`atelier models list --all` shows what can be pulled."
        };
        if rows.is_empty() {
            return format!("No weights are here. {hint}");
        }
        let header = ["name", "kind", "state", "size", "licence", "summary"];
        format!("{}\n{hint}", table(&header, rows.iter().map(cells).collect()))
    })?)
}

pub(super) fn show(session: &Session, puller: &Puller, name: &str) -> Result<(), Failure> {
    let installed = puller.store.find(name)?;
    let entry = puller
        .index
        .get(name)
        .or(installed.as_ref().map(|installed| &installed.entry));
    let entry = entry.ok_or_else(|| Error::Unknown(name.to_owned()))?;
    let uses = uses::read(&session.config)?;
    let row = Row::new(puller, &uses, entry, installed.as_ref());
    Ok(session.output.result(&row, || describe(&row))?)
}

fn describe(row: &Row) -> String {
    let entry = row.entry;
    let mut lines = vec![
        ("name", format!("{} ({})", entry.name, entry.title)),
        ("kind", entry.kind.as_str().to_owned()),
        ("about", entry.summary.clone()),
        ("licence", entry.licence.line()),
    ];
    if let (Status::Unverified, Some(missing)) = (entry.status, &entry.missing) {
        lines.push(("unverified", missing.clone()));
    }
    let serves: Vec<_> = entry
        .serves
        .iter()
        .map(|serves| serves.model.as_deref().unwrap_or(&serves.task))
        .collect();
    let needs = [
        ("memory", entry.needs.memory_mb),
        ("GPU memory", entry.needs.vram_mb),
        ("disk", entry.needs.disk_mb),
    ];
    let needs: Vec<_> = needs
        .iter()
        .filter(|(_, mb)| *mb > 0)
        .map(|(what, mb)| format!("{what} {}", bytes(mb * 1_000_000)))
        .collect();
    for (key, value) in [
        ("serves", serves.join(", ")),
        ("used for", row.used_for.join(", ")),
        ("runtime", entry.runtime.clone().unwrap_or_default()),
        ("target", entry.target.clone().unwrap_or_default()),
        ("uses", entry.uses.join(", ")),
        ("needs", needs.join(", ")),
        ("here", row.folder.clone().unwrap_or_default()),
    ] {
        if !value.is_empty() {
            lines.push((key, value));
        }
    }
    let files = entry
        .files
        .iter()
        .map(|file| {
            let size = file.size.map_or_else(|| "?".to_owned(), bytes);
            vec![file.role.clone(), file.name.clone(), size, file.url.to_string()]
        })
        .collect();
    format!(
        "{}\n{}",
        fields(&lines),
        table(&["role", "file", "size", "address"], files)
    )
}

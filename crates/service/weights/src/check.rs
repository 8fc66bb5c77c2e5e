//! Checks an entry: names, pins, file types, and what each kind requires.

use std::{collections::HashSet, path::Path};

use crate::entry::{Entry, File, Kind, SERVICE_TASKS, Status};

/// Folders of the store. No model can have such a name.
const RESERVED: &[&str] = &["blobs", "parts", "pulls", "leases"];
/// Files of models. Pickles are not among them: reading one runs what it says.
const MODEL_FILES: &[&str] = &["onnx", "safetensors", "gguf", "json", "txt", "bin", "npz"];
const PICKLES: &[&str] = &["pt", "pth", "ckpt", "pkl", "pickle"];

/// The first fault of an entry, in words.
pub(crate) fn fault(entry: &Entry, stem: Option<&str>) -> Option<String> {
    name_fault(entry, stem)
        .or_else(|| entry.licence.fault())
        .or_else(|| kind_fault(entry))
        .or_else(|| status_fault(entry))
        .or_else(|| {
            let mut names = HashSet::new();
            entry.files.iter().enumerate().find_map(|(place, file)| {
                let fault = file_fault(entry, file).or_else(|| {
                    let again = !names.insert(file.installed_name().to_lowercase());
                    again.then(|| format!("`name` {:?} occurs twice", file.installed_name()))
                })?;
                Some(format!("file {} ({}): {fault}", place + 1, file.name))
            })
        })
}

fn name_fault(entry: &Entry, stem: Option<&str>) -> Option<String> {
    let Entry { name, .. } = entry;
    if !is_name(name) {
        return Some(format!(
            "`name` must begin with a lower-case letter or a digit and contain only those and - _ . (got {name:?})"
        ));
    }
    if RESERVED.contains(&name.as_str()) {
        return Some(format!(
            "`name` must not be {name:?}: the store has a folder of this name"
        ));
    }
    if stem.is_some_and(|stem| stem != name) {
        return Some(format!("`name` must be the name of the file (got {name:?})"));
    }
    let one_line = |text: &str| !text.trim().is_empty() && !text.contains('\n');
    for (key, text) in [("title", &entry.title), ("summary", &entry.summary)] {
        if !one_line(text) {
            return Some(format!("`{key}` must be one line of text (got {text:?})"));
        }
    }
    entry
        .uses
        .iter()
        .find(|used| !is_name(used) || *used == name)
        .map(|used| format!("`uses` must name other entries (got {used:?})"))
}

fn kind_fault(entry: &Entry) -> Option<String> {
    match entry.kind {
        Kind::Model => {
            if entry.runtime.as_deref().is_none_or(str::is_empty) {
                return Some("`runtime` is missing: it says what runs the model".to_owned());
            }
            if entry.serves.is_empty() {
                return Some("`serves` is missing: it names models of the catalog and tasks".to_owned());
            }
            if let Some(serves) = entry
                .serves
                .iter()
                .find(|serves| serves.model.is_none() && !SERVICE_TASKS.contains(&serves.task.as_str()))
            {
                return Some(format!(
                    "`serves` must name a model for the task {:?}; tasks without a model are {}",
                    serves.task,
                    SERVICE_TASKS.join(", ")
                ));
            }
        }
        Kind::Part | Kind::Runtime => {
            if !entry.serves.is_empty() {
                return Some(format!("`serves` is not allowed for a {}", entry.kind.as_str()));
            }
        }
    }
    if entry.files.is_empty() && entry.uses.is_empty() {
        return Some("`files` is missing".to_owned());
    }
    if entry.kind == Kind::Runtime && entry.target.is_none() {
        return Some(
            "`target` is missing: it names the machines of a runtime, such as linux-x86_64".to_owned(),
        );
    }
    let graphs = entry.files.iter().filter(|file| file.role == "graph").count();
    if !entry.graph.is_empty() && graphs != 1 {
        return Some(format!(
            "`graph` requires one file with the role \"graph\" (got {graphs})"
        ));
    }
    None
}

fn status_fault(entry: &Entry) -> Option<String> {
    match (entry.status, entry.missing.as_deref().map(str::trim)) {
        (Status::Verified, None) => (!entry.is_pinned())
            .then(|| "`size` and `sha256` are required for every file of a verified entry".to_owned()),
        (Status::Verified, Some(_)) => {
            Some("`missing` is allowed only with status = \"unverified\"".to_owned())
        }
        (Status::Unverified, None | Some("")) => {
            Some("`missing` must say what is not verified, because status = \"unverified\"".to_owned())
        }
        (Status::Unverified, Some(_)) => None,
    }
}

fn file_fault(entry: &Entry, file: &File) -> Option<String> {
    for (key, name) in
        std::iter::once(("name", &file.name)).chain(file.into.iter().map(|into| ("into", into)))
    {
        if !is_relative(name) {
            return Some(format!(
                "`{key}` must be a relative path without `..`, of letters, digits and - _ . + (got {name:?})"
            ));
        }
    }
    if ["lock.json", "model.json"].contains(&file.installed_name()) {
        return Some(format!("`name` must not be {:?}", file.installed_name()));
    }
    if file.role.trim().is_empty() {
        return Some("`role` must not be empty".to_owned());
    }
    if file.sha256.as_deref().is_some_and(|digest| !is_digest(digest)) {
        return Some(format!(
            "`sha256` must be 64 hexadecimal digits in lower case (got {:?})",
            file.sha256.as_deref().unwrap_or_default()
        ));
    }
    if file.size == Some(0) {
        return Some("`size` must be at least 1".to_owned());
    }
    if file.into.is_some() && file.convert.is_none() {
        return Some("`into` requires `convert`".to_owned());
    }
    if !file.members.is_empty() && file.archive().is_none() {
        return Some("`members` is allowed only for a .zip, .whl, .tar.gz or .tgz file".to_owned());
    }
    member_fault(file).or_else(|| type_fault(entry, file))
}

fn member_fault(file: &File) -> Option<String> {
    file.members.iter().find_map(|member| {
        let name = member.name.as_deref().unwrap_or(&member.path);
        if !is_relative(name) {
            return Some(format!(
                "the member {name:?} must be a relative path without `..`"
            ));
        }
        member
            .sha256
            .as_deref()
            .filter(|digest| !is_digest(digest))
            .map(|digest| {
                format!("`sha256` of {name:?} must be 64 hexadecimal digits in lower case (got {digest:?})")
            })
    })
}

fn type_fault(entry: &Entry, file: &File) -> Option<String> {
    let path = Path::new(&file.name);
    let ending = path
        .extension()
        .and_then(|ending| ending.to_str())
        .unwrap_or_default();
    if PICKLES.contains(&ending.to_lowercase().as_str()) {
        return Some(format!(
            "`.{ending}` files can run code when they are read; use .onnx, .safetensors or .gguf"
        ));
    }
    let allowed = match entry.kind {
        Kind::Runtime => file.archive().is_some() || is_library(&file.name),
        // ncnn describes its nets in `.param` files, which only a conversion reads.
        Kind::Model | Kind::Part => {
            MODEL_FILES.contains(&ending)
                || (ending == "param" && entry.files.iter().any(|file| file.convert.is_some()))
        }
    };
    if allowed {
        return None;
    }
    let what = match entry.kind {
        Kind::Runtime => "a .zip, .whl or .tar.gz archive or a shared library".to_owned(),
        Kind::Model | Kind::Part => format!("one of .{}", MODEL_FILES.join(", .")),
    };
    Some(format!("`name` must be {what} (got {:?})", file.name))
}

fn is_library(name: &str) -> bool {
    [".so", ".dylib", ".dll"]
        .iter()
        .any(|ending| name.ends_with(ending))
        || name.contains(".so.")
}

/// Whether this can be the name of an entry.
pub fn is_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_lowercase() || first.is_ascii_digit())
        && name.len() <= 80
        && name
            .chars()
            .all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || "-_.".contains(letter))
}

/// Whether a path stays in its folder, with plain names only.
pub(crate) fn is_relative(path: &str) -> bool {
    path.len() <= 200
        && path.split('/').all(|part| {
            !part.is_empty()
                && !part.starts_with('.')
                && part
                    .chars()
                    .all(|letter| letter.is_ascii_alphanumeric() || "-_.+".contains(letter))
        })
}

/// Whether this is a SHA-256 as it is written here.
pub fn is_digest(text: &str) -> bool {
    text.len() == 64 && text.chars().all(|digit| matches!(digit, '0'..='9' | 'a'..='f'))
}

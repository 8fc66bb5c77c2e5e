//! The schema of entries, and that every shipped entry keeps it.
#![allow(clippy::unwrap_used, reason = "test helpers may fail the test")]

use std::{collections::HashSet, fs};

use atelier_catalog::Catalog;
use atelier_weights::{Commercial, Entry, Index, Kind, Source, Status, parse};

const ENTRY: &str = r#"
name = "tiny"
title = "Tiny"
kind = "model"
summary = "A model for tests."
status = "verified"
serves = [{ model = "upscale", task = "upscale" }]
runtime = "onnx"
[licence]
id = "MIT"
page = "https://example.com/licence"
commercial = "yes"
[[files]]
role = "graph"
name = "tiny.onnx"
size = 3
sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
url = "https://example.com/releases/download/v1/tiny.onnx"
[graph]
kind = "image"
"#;

fn refusal(from: &str, to: &str) -> String {
    assert!(ENTRY.contains(from), "{from}");
    let error = parse("models.d/tiny.toml", &ENTRY.replace(from, to))
        .unwrap_err()
        .to_string();
    assert!(error.starts_with("models.d/tiny.toml: "), "{error}");
    error
}

#[test]
fn an_entry_says_where_its_files_are_and_what_they_are() {
    let entry = parse("models.d/tiny.toml", ENTRY).unwrap();
    assert_eq!(
        (entry.kind, entry.status, entry.is_pinned()),
        (Kind::Model, Status::Verified, true)
    );
    assert_eq!(entry.download_bytes(), 3);
    let again = serde_json::from_value(serde_json::to_value(&entry).unwrap()).unwrap();
    assert_eq!(entry, again);
}

#[test]
fn a_mistake_is_named_with_the_file_and_what_is_allowed() {
    let pickle = ("tiny.onnx\"\nsize", "tiny.pth\"\nsize");
    for (from, to, why) in [
        (
            "name = \"tiny\"",
            "name = \"other\"",
            "`name` must be the name of the file",
        ),
        ("name = \"tiny\"", "name = \"../tiny\"", "`name` must begin with"),
        (
            "name = \"tiny\"",
            "name = \"blobs\"",
            "the store has a folder of this name",
        ),
        ("kind = \"model\"", "kind = \"film\"", "unknown variant `film`"),
        (
            "kind = \"model\"",
            "kind = \"part\"",
            "`serves` is not allowed for a part",
        ),
        (
            "summary = \"A model for tests.\"",
            "summary = \"\"",
            "`summary` must be one line",
        ),
        ("runtime = \"onnx\"", "", "`runtime` is missing"),
        (
            "model = \"upscale\", ",
            "",
            "`serves` must name a model for the task \"upscale\"; tasks without a model are recognition, safety",
        ),
        (
            "runtime = \"onnx\"",
            "runtimes = \"onnx\"",
            "unknown field `runtimes`",
        ),
        (
            "status = \"verified\"",
            "status = \"unverified\"",
            "`missing` must say what is not verified",
        ),
        (
            "status = \"verified\"",
            "status = \"verified\"\nmissing = \"x\"",
            "only with status = \"unverified\"",
        ),
        ("size = 3\n", "", "`size` and `sha256` are required"),
        (
            "id = \"MIT\"",
            "id = \"Mitt\"",
            "`licence.id` must be an SPDX expression",
        ),
        (
            "id = \"MIT\"",
            "id = \"LicenseRef-Own\"",
            "`licence.name` is missing",
        ),
        (
            "commercial = \"yes\"",
            "commercial = \"ask\"",
            "`licence.note` is missing",
        ),
        (pickle.0, pickle.1, "can run code when they are read"),
        (
            "tiny.onnx\"\nsize",
            "tiny.exe\"\nsize",
            "`name` must be one of .onnx, .safetensors",
        ),
        (
            "tiny.onnx\"\nsize",
            "../tiny.onnx\"\nsize",
            "`name` must be a relative path",
        ),
        (
            "ba7816",
            "BA7816",
            "`sha256` must be 64 hexadecimal digits in lower case",
        ),
        (
            "releases/download/v1",
            "releases/latest/download",
            "points at a branch",
        ),
        (
            "https://example.com/releases",
            "hf://owner/name@main/releases",
            "40 hexadecimal digits",
        ),
        (
            "role = \"graph\"",
            "role = \"net\"",
            "`graph` requires one file with the role",
        ),
    ] {
        let error = refusal(from, to);
        assert!(error.contains(why), "{to}: {error}");
    }
}

#[test]
fn an_unverified_entry_may_lack_sizes_and_digests() {
    let text = ENTRY
        .replace(
            "status = \"verified\"",
            "status = \"unverified\"\nmissing = \"the size\"",
        )
        .replace("size = 3\n", "");
    assert!(!parse("models.d/tiny.toml", &text).unwrap().is_pinned());
}

#[test]
fn the_operators_entries_replace_those_of_the_same_name() {
    let folder = tempfile::tempdir().unwrap();
    let mine = ENTRY.replace("\"tiny\"", "\"u2netp\"");
    fs::write(folder.path().join("u2netp.toml"), mine).unwrap();
    let index = Index::load(folder.path()).unwrap();
    assert_eq!(index.get("u2netp").unwrap().title, "Tiny");
    assert_eq!(index.iter().len(), Index::builtin().unwrap().iter().len());
    let unused = ENTRY.replace("runtime =", "uses = [\"nobody\"]\nruntime =");
    fs::write(folder.path().join("tiny.toml"), unused).unwrap();
    let error = Index::load(folder.path()).unwrap_err().to_string();
    assert_eq!(
        error,
        "models.d/tiny.toml: `uses` names `nobody`, but there is no such entry"
    );
}

#[test]
fn what_an_entry_uses_comes_before_it_and_only_for_its_target() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, more: &str| {
        let text = ENTRY
            .replace("\"tiny\"", &format!("\"{name}\""))
            .replace("runtime =", &format!("{more}\nruntime ="));
        fs::write(folder.path().join(format!("{name}.toml")), text).unwrap();
    };
    write("top", "uses = [\"middle\", \"elsewhere\", \"low\"]");
    write("middle", "uses = [\"low\"]");
    write("low", "uses = [\"top\"]");
    write("elsewhere", "target = \"plan9-mips\"");
    let index = Index::load(folder.path()).unwrap();
    let names = |target: &str| -> Vec<String> {
        let entries = index.with_used("top", target).unwrap();
        entries.iter().map(|entry| entry.name.clone()).collect()
    };
    assert_eq!(names("linux-x86_64"), ["low", "middle", "top"]);
    assert_eq!(names("plan9-mips"), ["low", "middle", "elsewhere", "top"]);
}

/// Reading the index checks the schema of every entry; here is what needs the catalog and the whole index.
#[test]
fn every_shipped_entry_keeps_the_schema_and_fits_the_catalog() {
    let index = Index::load(std::path::Path::new("does-not-exist")).unwrap();
    assert!(index.iter().len() > 0);
    let catalog = Catalog::builtin().unwrap();
    for (name, slug, task) in served(&index) {
        let model = catalog
            .get(&slug)
            .unwrap_or_else(|| panic!("{name}: unknown model {slug}"));
        let tasks: Vec<_> = model.routes.iter().map(|route| route.task.as_str()).collect();
        assert!(
            tasks.contains(&task.as_str()),
            "{name}: {slug} has {tasks:?}, not {task}"
        );
    }
    let used: HashSet<&str> = index
        .iter()
        .flat_map(|entry| entry.uses.iter().map(String::as_str))
        .collect();
    for part in index.iter().filter(|entry| entry.kind == Kind::Part) {
        assert!(
            used.contains(part.name.as_str()),
            "no entry uses the part {}",
            part.name
        );
    }
}

/// A pull checks the space for the download, and for what is made of it and stays beside it.
#[test]
fn an_entry_takes_as_much_space_as_its_files_and_what_is_made_of_them() {
    for entry in Index::builtin().unwrap().iter() {
        let sizes = |made: bool| -> u64 {
            let files = entry.files.iter().filter(|file| !made || file.is_prepared());
            files.filter_map(|file| file.size).sum()
        };
        let least = sizes(false) + sizes(true);
        assert!(
            entry.needs.disk_mb * 1_000_000 >= least,
            "{}: `disk_mb` is {}, but the files take {least} bytes",
            entry.name,
            entry.needs.disk_mb
        );
    }
}

/// Nothing is pulled that cannot be tried.
#[test]
fn every_shipped_model_has_a_probe() {
    for entry in Index::builtin()
        .unwrap()
        .iter()
        .filter(|entry| entry.kind == Kind::Model)
    {
        let probe = &entry.probe;
        let given = probe.contains_key("sample") || probe.contains_key("request");
        let kind = probe.get("expect").and_then(|expect| expect["kind"].as_str());
        let kinds = ["image", "video", "audio", "text", "boxes", "scores"];
        assert!(
            given && kind.is_some_and(|kind| kinds.contains(&kind)),
            "{}: {probe:?}",
            entry.name
        );
    }
}

/// Entry, model and task of everything that serves a model of the catalog.
fn served(index: &Index) -> Vec<(String, String, String)> {
    let of = |entry: &Entry| {
        let name = entry.name.clone();
        let serves = entry.serves.clone().into_iter();
        serves.filter_map(move |serves| Some((name.clone(), serves.model?, serves.task)))
    };
    index.iter().flat_map(of).collect()
}

/// A model of the catalog and weights of it have one licence. A house model has none.
#[test]
fn licences_agree_with_the_catalog() {
    let index = Index::builtin().unwrap();
    let catalog = Catalog::builtin().unwrap();
    let mut compared = 0;
    for (name, slug, _) in served(&index) {
        let (Some(of_model), of_entry) = (
            &catalog.get(&slug).unwrap().license,
            &index.get(&name).unwrap().licence,
        ) else {
            continue;
        };
        // `piper` is a family: each of its voices has a licence of its own.
        let Some(id) = &of_model.id else {
            assert_ne!(of_model.commercial, atelier_catalog::Commercial::Yes, "{slug}");
            continue;
        };
        compared += 1;
        let allowed = match of_model.commercial {
            atelier_catalog::Commercial::Yes => Commercial::Yes,
            atelier_catalog::Commercial::No => Commercial::No,
            atelier_catalog::Commercial::Conditions => Commercial::Conditions,
            atelier_catalog::Commercial::Unknown => Commercial::Ask,
        };
        assert_eq!(
            (id, allowed),
            (&of_entry.id, of_entry.commercial),
            "{name} and {slug}"
        );
    }
    assert!(compared >= 10, "only {compared} were compared");
}

/// The hub's commits and the projects' own releases, and nothing else.
#[test]
fn shipped_addresses_are_the_hub_and_releases_of_projects() {
    for entry in Index::builtin().unwrap().iter() {
        for source in entry
            .files
            .iter()
            .flat_map(|file| std::iter::once(&file.url).chain(&file.mirrors))
        {
            let text = source.to_string();
            let release = text.starts_with("https://github.com/") && text.contains("/releases/download/");
            let raw = text.starts_with("https://raw.githubusercontent.com/");
            assert!(
                matches!(source, Source::Hub { .. }) || release || raw,
                "{}: {text} is neither an address of the hub nor a release",
                entry.name
            );
        }
    }
}

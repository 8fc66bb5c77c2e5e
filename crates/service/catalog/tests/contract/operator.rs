//! The operator's own files: they add models, replace built-in ones, or are refused with file, line and reason.

use std::{fs, path::Path};

use atelier_catalog::{Catalog, CatalogError};
use serde_json::json;

use crate::{CATALOG, check, object};

/// A valid model file. Each test case breaks it in one place.
const FILE: &str = r#"slug = "own"
name = "Own"
type = "image"
category = "Create"
description = "A model of the operator's own."
[[parameters]]
name = "prompt"
label = "Prompt"
type = "textarea"
required = true
[[parameters]]
name = "n"
label = "Number"
type = "number"
default = 2
min = 1
max = 4
[[rules]]
note = "A rule."
[pricing]
unit = "job"
credits = 1
"#;

fn load(files: &[(&str, &str)]) -> Result<Catalog, CatalogError> {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    Catalog::load(Some(folder.path()))
}

#[test]
fn a_folder_that_does_not_exist_adds_no_models() {
    let folder = tempfile::tempdir().unwrap();
    let count = |operator_folder: Option<&Path>| Catalog::load(operator_folder).unwrap().iter().len();
    assert_eq!(count(Some(&folder.path().join("none"))), CATALOG.iter().len());
    assert_eq!(count(None), CATALOG.iter().len());
}

#[test]
fn a_new_slug_is_added_in_order() {
    let catalog = load(&[("deep/er/own.toml", FILE), ("notes.txt", "not a model")]).unwrap();
    let slugs: Vec<_> = catalog.iter().map(|model| model.slug.as_str()).collect();
    let place = slugs.iter().position(|slug| *slug == "own").unwrap();
    assert_eq!(
        slugs[place - 1..=place + 1],
        ["omnigen2", "own", "qwen-image-2512"]
    );
    let params = object(json!({ "prompt": "x" }));
    let checked = catalog
        .get("own")
        .unwrap()
        .check(&object(json!({})), &params)
        .unwrap();
    assert_eq!(checked.params["n"], json!(2));
}

#[test]
fn a_known_slug_replaces_the_built_in_model() {
    let catalog = load(&[("mine.toml", &FILE.replace("\"own\"", "\"image-gen-4\""))]).unwrap();
    assert_eq!(catalog.iter().len(), CATALOG.iter().len());
    assert_eq!(catalog.get("image-gen-4").unwrap().name, "Own");
    assert_eq!(
        check("image-gen-4", json!({ "prompt": "x", "n": 15 }))
            .unwrap()
            .params["n"],
        json!(15)
    );
}

#[test]
fn a_slug_may_occur_once_in_the_folder() {
    let Err(CatalogError::Invalid { file, line, reason }) = load(&[("a.toml", FILE), ("b.toml", FILE)])
    else {
        panic!("two files of one slug are accepted")
    };
    assert!(
        file.ends_with("b.toml") && reason.contains("`own`") && reason.ends_with("a.toml"),
        "{file}: {reason}"
    );
    assert_eq!(line, 1);
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("bad.toml"), [0xff, 0xfe]).unwrap();
    let error = Catalog::load(Some(folder.path())).unwrap_err().to_string();
    assert!(error.contains("bad.toml: cannot be read"), "{error}");
}

/// A line of `FILE`, the mistake in its place, and the line and reason that the error must name.
const MISTAKES: &[(&str, &str, usize, &str)] = &[
    ("slug = \"own\"", "slug = \"Own\"", 1, "the slug `Own` must be"),
    ("slug = \"own\"", "slug = own", 1, ""),
    ("name = \"Own\"", "name = \"\"", 1, "`name` must not be empty"),
    ("name = \"Own\"", "nom = \"Own\"", 2, "unknown field `nom`"),
    (
        "type = \"image\"",
        "type = \"picture\"",
        3,
        "unknown variant `picture`",
    ),
    ("category = \"Create\"\n", "", 1, "missing field `category`"),
    (
        "label = \"Prompt\"",
        "lable = \"Prompt\"",
        8,
        "unknown field `lable`",
    ),
    (
        "type = \"textarea\"",
        "type = \"string\"",
        9,
        "unknown variant `string`",
    ),
    ("required = true", "required = \"yes\"", 10, "invalid type"),
    (
        "required = true",
        "min = 3",
        7,
        "`min` does not apply to a parameter of type textarea",
    ),
    (
        "name = \"n\"",
        "name = \"prompt\"",
        12,
        "the parameter `prompt` is defined twice",
    ),
    ("name = \"n\"", "name = \"params\"", 12, "the name is reserved"),
    (
        "name = \"n\"",
        "name = \"N\"",
        12,
        "a name must be lower-case letters",
    ),
    (
        "default = 2",
        "default = 9",
        15,
        "`default` must be a number between 1 and 4 (got 9)",
    ),
    (
        "default = 2",
        "default = \"2\"",
        15,
        "`default` must be a number between 1 and 4",
    ),
    ("min = 1", "min = 5", 12, "`min` is 5, above max (4)"),
    ("min = 1", "min = nan", 12, "must be finite"),
    ("max = 4", "role = \"size\"", 12, "does not match its `role`"),
    (
        "note = \"A rule.\"",
        "at_least_one = [\"prompt\", \"mood\"]",
        18,
        "unknown parameter `mood`",
    ),
    (
        "note = \"A rule.\"",
        "at_least_one = [\"prompt\", \"n\"]",
        18,
        "`n` has a default",
    ),
    (
        "note = \"A rule.\"",
        "exclusive = [[\"prompt\"]]",
        18,
        "requires at least two",
    ),
    (
        "note = \"A rule.\"",
        "count_sum = { counts = [\"n\"], max = 3 }",
        18,
        "`n` must be a list (it is a number)",
    ),
    (
        "note = \"A rule.\"",
        "greater_than = { parameter = \"n\", than = \"prompt\" }",
        18,
        "must be a number",
    ),
    (
        "note = \"A rule.\"",
        "only_with = { parameter = \"prompt\" }",
        18,
        "requires `any_of` or `when`",
    ),
    (
        "note = \"A rule.\"",
        "only_with = { parameter = \"prompt\", when = { n = 7 } }",
        18,
        "`n` must be a number between 1 and 4 (got 7)",
    ),
    (
        "note = \"A rule.\"",
        "max_length = { parameter = \"prompt\", max = 5 }",
        18,
        "requires `when` or `script`",
    ),
    ("note = \"A rule.\"", "sum = 5", 19, "unknown variant `sum`"),
    ("unit = \"job\"", "unit = \"hour\"", 21, "unknown variant `hour`"),
    (
        "unit = \"job\"",
        "unit = \"image\"",
        20,
        "requires the `parameter` that counts it",
    ),
    (
        "unit = \"job\"",
        "unit = \"image\"\nparameter = \"prompt\"",
        20,
        "`prompt` cannot count image",
    ),
    (
        "credits = 1",
        "credits = -1",
        20,
        "pricing.credits: must be between 0 and",
    ),
    (
        "credits = 1",
        "credits = 1\nsource = { parameter = \"prompt\", max_seconds = 0 }",
        20,
        "requires a file parameter, `unit = \"second\"` and a `max_seconds` above 0",
    ),
    (
        "credits = 1",
        "credits = 1\nfactors = { n = { 1 = 2 } }",
        20,
        "`n` must be a select or a boolean",
    ),
    (
        "credits = 1",
        "credits = 1\n[limits]\nmax_processing_seconds = 0",
        1,
        "must be at least 1",
    ),
];

#[test]
fn an_invalid_file_is_refused_with_its_line_and_reason() {
    for &(from, to, expected_line, expected_reason) in MISTAKES {
        assert!(FILE.contains(from), "{from}");
        let text = FILE.replacen(from, to, 1);
        match load(&[("own.toml", &text)]) {
            Err(CatalogError::Invalid { file, line, reason }) => {
                assert!(file.ends_with("own.toml"), "{file}");
                assert!(reason.contains(expected_reason), "{to}: {reason}");
                assert_eq!(line, expected_line, "{to}: {reason}");
            }
            other => panic!("{to}: {other:?}"),
        }
    }
}

#[test]
fn files_options_and_factors_are_checked_too() {
    let cases = [
        ("type = \"url\"", "`accepts` is missing"),
        (
            "type = \"url\"\naccepts = [\"image/svg+xml\"]",
            "unknown media type `image/svg+xml`",
        ),
        (
            "type = \"url\"\naccepts = [\"image\"]\ndefault = \"http://a\"",
            "`default` does not apply",
        ),
        ("type = \"select\"", "`options` is missing"),
        ("type = \"select\"\noptions = []", "`options` is empty"),
        ("type = \"select\"\noptions = [\"a\", \"a\"]", "is listed twice"),
        (
            "type = \"select\"\noptions = [\"a\"]\ndefault = \"b\"",
            "`default` must be one of a (got \"b\")",
        ),
        (
            "type = \"text\"\nrequired_when = { mood = true }",
            "unknown parameter `mood`",
        ),
        (
            "type = \"text\"\nformat = \"language\"\ndefault = \"xx\"",
            "ISO 639-1",
        ),
    ];
    for (lines, expected) in cases {
        let text = FILE.replace(
            "[[rules]]",
            &format!("[[parameters]]\nname = \"more\"\nlabel = \"More\"\n{lines}\n[[rules]]"),
        );
        let Err(CatalogError::Invalid { line, reason, .. }) = load(&[("own.toml", &text)]) else {
            panic!("{lines}")
        };
        assert!(reason.contains(expected), "{lines}: {reason}");
        assert!((18..=23).contains(&line), "{lines}: {line}");
    }
    let select =
        "[[parameters]]\nname = \"size\"\nlabel = \"Size\"\ntype = \"select\"\noptions = [\"s\"]\n[[rules]]";
    let text = FILE.replace("[[rules]]", select) + "factors = { size = { l = 2 } }\n";
    let Err(CatalogError::Invalid { line, reason, .. }) = load(&[("own.toml", &text)]) else {
        panic!("accepted")
    };
    assert_eq!(
        (line, reason.as_str()),
        (25, "pricing.factors: `l` is not an option of `size`")
    );
}

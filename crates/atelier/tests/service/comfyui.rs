//! The engine `comfyui` in the configuration. Its routes name workflows, and mistakes are reported at the start.

use std::fs;

use atelier_testkit::Server;

const ENGINES: &str = r#"
[metrics]
listen = ""
[engines.gpu1]
kind = "comfyui"
url = "http://127.0.0.1:9"
[engines.cloud]
kind = "http"
profile = "replicate"
[[routes]]
model = "upscale"
"#;

/// Whether `atelier engines list` succeeds with this route, and its output.
fn list(route: &str) -> (bool, String) {
    let data = tempfile::tempdir().unwrap();
    fs::create_dir(data.path().join("workflows")).unwrap();
    let own = r#"{"a": {"class_type": "A", "inputs": {"x": ["b", 0]}}}"#;
    fs::write(data.path().join("workflows/mine.json"), own).unwrap();
    let server = Server::new(
        env!("CARGO_BIN_EXE_atelier"),
        data.path(),
        &format!("{ENGINES}{route}"),
    );
    let (code, out, error) = server.command(&["engines", "list"]);
    (code == 0, format!("{out}{error}"))
}

#[test]
fn a_route_can_run_and_change_a_built_in_workflow() {
    let route = "engine = \"gpu1\"\nworkflow = \"upscale.json\"\n\
        body = { model = { inputs = { model_name = \"mine.pth\" } } }";
    let (is_well, said) = list(route);
    assert!(is_well && said.contains("comfyui"), "{said}");
}

#[test]
fn a_mistake_in_a_workflow_or_its_route_is_reported_at_the_start() {
    let table = [
        (
            "engine = \"gpu1\"",
            "the route of `upscale`: `workflow` is missing; the engine `gpu1` requires one",
        ),
        (
            "engine = \"gpu1\"\nworkflow = \"upscail.json\"",
            "unknown workflow `upscail.json`",
        ),
        (
            "engine = \"gpu1\"\nworkflow = \"../upscale.json\"",
            "or of an included workflow (got `../upscale.json`)",
        ),
        (
            "engine = \"gpu1\"\nworkflow = \"mine.json\"",
            "`x` of node `a` is linked to the unknown node `b`",
        ),
        (
            "engine = \"gpu1\"\nworkflow = \"upscale.json\"\nbody = { modle = { inputs = { model_name = \"x\" } } }",
            "its `body`: unknown node `modle`",
        ),
        (
            "engine = \"cloud\"\nworkflow = \"upscale.json\"",
            "only engines of the kind or profile `comfyui` run workflows",
        ),
    ];
    for (route, expected) in table {
        let (is_well, said) = list(route);
        assert!(!is_well && said.contains(expected), "{route}: {said}");
    }
}

#[test]
fn a_mistake_in_the_engine_is_reported() {
    let data = tempfile::tempdir().unwrap();
    let table = [
        ("", "`url` is required: the server"),
        (
            "url = \"http://127.0.0.1:9\"\nprofile = \"cog\"",
            "engines of the kind `comfyui` do not have the setting `profile`",
        ),
        (
            "url = \"gpu1\"",
            "`url` must be an http or https URL (got `gpu1`)",
        ),
    ];
    for (keys, expected) in table {
        let config = format!("[engines.gpu1]\nkind = \"comfyui\"\n{keys}\n");
        let server = Server::new(env!("CARGO_BIN_EXE_atelier"), data.path(), &config);
        let (code, _, error) = server.command(&["engines", "list"]);
        assert!(code != 0 && error.contains(expected), "{keys}: {error}");
    }
}

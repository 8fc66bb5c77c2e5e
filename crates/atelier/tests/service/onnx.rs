//! The engine `onnx`: an operator's model serves a tool, and the embedded method is the fallback.

use std::{path::Path, process::Command};

use atelier_testkit::program;
use serde_json::{Value, json};

use crate::setup::World;

/// Routes `upscale` to a model in this folder, then to the embedded method.
fn config(library: &str, models: &Path) -> String {
    format!(
        r#"
[metrics]
listen = ""
[engines.tools]
kind = "onnx"
library = "{library}"
models = "{}"
[[routes]]
model = "upscale"
engine = "tools"
target = "upscale"
[[routes]]
model = "upscale"
engine = "draft"
"#,
        models.display()
    )
}

async fn upscaled(world: &World) -> Value {
    let account = world.account(100);
    let mut picture = Vec::new();
    let mut encoder = png::Encoder::new(&mut picture, 16, 12);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&[90; 16 * 12 * 3]).unwrap();
    writer.finish().unwrap();
    let upload = account.http.upload(picture, "picture.png").await.json();
    let request = json!({ "model": "upscale", "image_urls": [upload["data"]["url"]] });
    let id = account.http.create(&request).await;
    account.http.wait(&id).await
}

#[tokio::test]
async fn an_operators_model_serves_a_tool() {
    let Some(python) = program("onnx-python") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../studio/onnx/tests/graphs.py");
    let told = Command::new(python)
        .arg(script)
        .arg(folder.path())
        .output()
        .unwrap();
    let library = String::from_utf8(told.stdout).unwrap();
    let world = World::start(&config(library.trim(), folder.path()));
    let (code, table, error) = world.server.command(&["engines", "check"]);
    assert_eq!(code, 0, "{table}{error}");
    let job = upscaled(&world).await;
    assert_eq!(
        (&job["status"], &job["served_by"]),
        (&json!("completed"), &json!("tools")),
        "{job}"
    );
    let metadata = &job["output"]["metadata"];
    assert_eq!(
        (&metadata["engine"], &metadata["weights"], &metadata["width"]),
        (&json!("tools"), &json!("upscale"), &json!(32))
    );
}

#[tokio::test]
async fn without_the_library_the_embedded_method_serves_the_tool_and_the_check_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::start(&config("/nowhere/libonnxruntime.so", folder.path()));
    let (code, table, _) = world.server.command(&["engines", "check"]);
    assert!(code != 0 && table.contains("does not exist"), "{table}");
    let job = upscaled(&world).await;
    assert_eq!(
        (&job["status"], &job["served_by"]),
        (&json!("completed"), &json!("draft")),
        "{job}"
    );
    assert_eq!(job["attempts"][0]["engine"], "tools", "{job}");
}

//! The runtimes of pulled weights: either runtime, a device that is not there, and a limit that is too small.

use std::process::Command;

use atelier_testkit::program;
use serde_json::{Value, json};

use crate::{
    setup::World,
    weights::{self, Host, NETWORK},
};

/// A running service with the pulled network that cuts out, and these settings of `[models]`.
async fn world(models: &str) -> World {
    let host = Host::start(NETWORK).await;
    let mut world = World::prepare(&format!("{}[models]\n{models}", weights::CONFIG));
    weights::add_entry(&world, &host.url);
    world.server.json(&["models", "pull", "own-cutout"]);
    world.server.start();
    world
}

/// The shared library of Python's ONNX Runtime; `.ci/run` installs it.
fn library() -> Option<String> {
    let python = program("onnx-python")?;
    let script = "import pathlib, onnxruntime\n\
        print(next(pathlib.Path(onnxruntime.__file__).parent.glob('capi/libonnxruntime.*')))";
    let told = Command::new(python).args(["-c", script]).output().unwrap();
    Some(String::from_utf8(told.stdout).unwrap().trim().to_owned())
}

/// A finished cut-out of a square, and its picture.
async fn cut_out(world: &World) -> (Value, Vec<u8>) {
    let account = world.account(100);
    let id = weights::begin(&account.http, 96).await;
    let mut job = account.http.wait(&id).await;
    while job["status"] == "processing" {
        job = account.http.wait(&id).await;
    }
    assert_eq!(job["status"], "completed", "{job}");
    let url = job["output"]["assets"][0]["url"].as_str().unwrap().to_owned();
    let path = url.strip_prefix(&world.server.origin()).unwrap();
    let bytes = world.anonymous().get(&format!("/{path}")).await.bytes.to_vec();
    (job, pixels(&bytes))
}

fn pixels(file: &[u8]) -> Vec<u8> {
    let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    pixels
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn either_runtime_makes_the_same_picture_of_the_same_weights_and_is_named() {
    let Some(library) = library() else { return };
    let mut made = Vec::new();
    for (models, runtime) in [
        ("runtime = \"rten\"\n".to_owned(), "rten"),
        (
            format!("runtime = \"onnxruntime\"\nlibrary = \"{library}\"\n"),
            "onnxruntime",
        ),
    ] {
        let world = world(&models).await;
        let (job, pixels) = cut_out(&world).await;
        let told = &job["output"]["metadata"];
        assert_eq!(
            (
                &job["served_by"],
                &told["weights"],
                &told["runtime"],
                &told["device"]
            ),
            (
                &json!("weights"),
                &json!("Own cut-out"),
                &json!(runtime),
                &json!("cpu")
            ),
            "{job}"
        );
        made.push(pixels);
    }
    let differences = made[0]
        .iter()
        .zip(&made[1])
        .map(|(one, other)| one.abs_diff(*other));
    assert!(made[0].len() == made[1].len() && differences.max() <= Some(2));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_gpu_that_is_not_there_is_an_error_and_the_job_goes_to_the_next_route() {
    let Some(library) = library() else { return };
    let world = world(&format!("device = \"gpu\"\nlibrary = \"{library}\"\n")).await;
    let (code, answer, _) = world.server.command(&["models", "probe", "--json"]);
    let rows: Value = serde_json::from_str(answer.lines().next().unwrap()).unwrap();
    let why = rows[0]["reason"].as_str().unwrap();
    assert!(
        code == 1 && why.contains("`device = gpu`, but ") && why.contains("offers no GPU"),
        "{rows}"
    );
    let (job, _) = cut_out(&world).await;
    assert_eq!(
        (&job["attempts"][0]["engine"], &job["served_by"]),
        (&json!("weights"), &json!("draft")),
        "{job}"
    );
    assert_ne!(job["output"]["metadata"]["weights"], "Own cut-out", "{job}");
    assert!(
        world.server.log().contains("offers no GPU"),
        "{}",
        world.server.log()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn weights_that_do_not_fit_into_the_limit_leave_their_jobs_to_the_next_route() {
    let world = world("memory_mb = 64\n").await;
    let (job, _) = cut_out(&world).await;
    assert_eq!(
        (
            &job["attempts"][0]["engine"],
            &job["served_by"],
            &job["output"]["metadata"]["weights"]
        ),
        (&json!("weights"), &json!("draft"), &json!("U-2-Net small")),
        "{job}"
    );
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn weights_that_a_program_runs_are_offered_together_with_it() {
    let world = World::start(weights::CONFIG);
    let account = world.account(100);
    let offered = async |slug: &str| {
        let model = account.http.get(&format!("/models/{slug}")).await.json();
        let offered = model["data"]["available_weights"].as_array().cloned();
        offered.unwrap_or_default()
    };
    let pictures = offered("z-image-turbo").await;
    let known = pictures.iter().find(|weights| weights["name"] == "z-image-turbo");
    assert_eq!(
        known.unwrap()["command"],
        "atelier models pull z-image-turbo sd-server-cpu-linux-x86_64",
        "{pictures:?}"
    );
    // The program for music has no known size and cannot be pulled, so its weights are not offered.
    let music = offered("ace-step-1-5").await;
    assert!(music.is_empty(), "{music:?}");
    let (code, shown, error) = world.server.command(&["catalog", "z-image-turbo"]);
    assert!(
        code == 0 && shown.contains("models pull z-image-turbo sd-server-cpu-linux-x86_64"),
        "{shown}{error}"
    );
}

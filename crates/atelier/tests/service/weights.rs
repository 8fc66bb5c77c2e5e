//! Trained weights in a running service: what is pulled serves its models at once, what is removed serves them no more.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use atelier_testkit::Http;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};

use crate::setup::{World, until};

pub(crate) const CONFIG: &str =
    "[metrics]\nlisten = \"\"\n[outbound]\nallow_private = true\n[limits]\nrequests_per_minute = 60000\n";

/// A network that is part of the program's sources, as an entry of the operator's own.
pub(crate) const NETWORK: &[u8] = include_bytes!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../studio/retouch/src/cutout/u2netp.onnx"
));

/// A server that has one file and knows no ranges.
pub(crate) struct Host {
    pub(crate) url: String,
    pub(crate) asked: Arc<AtomicU32>,
}

impl Host {
    pub(crate) async fn start(file: &'static [u8]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/network.onnx", listener.local_addr().unwrap());
        let asked = Arc::new(AtomicU32::new(0));
        let counted = Arc::clone(&asked);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(answer(stream, file, Arc::clone(&counted)));
            }
        });
        Self { url, asked }
    }
}

async fn answer(mut stream: TcpStream, file: &[u8], asked: Arc<AtomicU32>) {
    let mut question = Vec::new();
    while !question.ends_with(b"\r\n\r\n") {
        match stream.read_u8().await {
            Ok(byte) => question.push(byte),
            Err(_) => return,
        }
    }
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        file.len()
    );
    let _ = stream.write_all(head.as_bytes()).await;
    if question.starts_with(b"GET") {
        asked.fetch_add(1, Ordering::Relaxed);
        let _ = stream.write_all(file).await;
    }
    let _ = stream.shutdown().await;
}

/// Adds an entry to the operator's folder: the network under another name, for the tool that cuts out.
pub(crate) fn add_entry(world: &World, url: &str) {
    let folder = world.server.data().join("models.d");
    std::fs::create_dir_all(&folder).unwrap();
    let digest = hex::encode(Sha256::digest(NETWORK));
    let text = format!(
        r#"name = "own-cutout"
title = "Own cut-out"
kind = "model"
summary = "Finds the subject of a picture."
status = "unverified"
missing = "it belongs to a test"
serves = [{{ model = "background-removal", task = "background-removal" }}]
runtime = "onnx"
[licence]
id = "Apache-2.0"
page = "https://example.com/licence"
commercial = "yes"
[[files]]
role = "graph"
name = "network.onnx"
size = {}
sha256 = "{digest}"
url = "{url}"
[graph]
kind = "mask"
size = {{ fixed = [320, 320] }}
mean = [0.485, 0.456, 0.406]
std = [0.229, 0.224, 0.225]
activation = "normalize"
output = "1959"
[probe]
sample = "picture"
expect = {{ kind = "image" }}
"#,
        NETWORK.len()
    );
    std::fs::write(folder.join("own-cutout.toml"), text).unwrap();
}

async fn model(http: &Http) -> Value {
    http.get("/models/background-removal").await.json()["data"].clone()
}

async fn cut_out(http: &Http) -> Value {
    http.wait(&begin(http, 96).await).await
}

/// A job that cuts the subject out of a picture with sides of this length.
pub(crate) async fn begin(http: &Http, side: u32) -> String {
    let mut picture = Vec::new();
    let mut encoder = png::Encoder::new(&mut picture, side, side);
    encoder.set_color(png::ColorType::Rgb);
    let is_subject = |at: u32| (side / 4..3 * side / 4).contains(&at);
    let pixels = (0..side * side).flat_map(|at| {
        if is_subject(at % side) && is_subject(at / side) {
            [200, 40, 30]
        } else {
            [220, 225, 230]
        }
    });
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&pixels.collect::<Vec<u8>>()).unwrap();
    writer.finish().unwrap();
    let upload = http.upload(picture, "picture.png").await.json();
    let request = json!({ "model": "background-removal", "image_urls": [upload["data"]["url"]] });
    http.create(&request).await
}

/// Returns the note of a job's first file about itself. It stands before the pixels.
async fn note_of(world: &World, job: &Value) -> String {
    let url = job["output"]["assets"][0]["url"].as_str().unwrap();
    let path = url.strip_prefix(&world.server.origin()).unwrap();
    let file = world.anonymous().get(&format!("/{path}")).await;
    String::from_utf8_lossy(&file.bytes).into_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pulled_weights_serve_their_model_at_once_and_removed_ones_no_more() {
    let host = Host::start(NETWORK).await;
    let mut world = World::prepare(CONFIG);
    add_entry(&world, &host.url);
    world.server.start();
    let account = world.account(100);
    let before = model(&account.http).await;
    assert_eq!(
        (&before["served_by"], &before["draft"], &before["weights"]["name"]),
        (&json!("draft"), &json!(false), &json!("u2netp")),
        "the network in the program"
    );
    let offered = before["available_weights"].as_array().unwrap();
    let own = offered.iter().find(|weights| weights["name"] == "own-cutout");
    assert_eq!(
        own.unwrap(),
        &json!({
            "name": "own-cutout",
            "title": "Own cut-out",
            "license": "Apache-2.0",
            "bytes": NETWORK.len(),
            "command": "atelier models pull own-cutout",
        })
    );

    // Another process pulls; the running one notices.
    world.server.json(&["models", "pull", "own-cutout"]);
    assert_eq!(host.asked.load(Ordering::Relaxed), 1, "fetched once");
    until("the weights serve", async || {
        model(&account.http).await["served_by"] == "weights"
    })
    .await;
    let served = model(&account.http).await;
    let mut others = served["available_weights"].as_array().unwrap().iter();
    assert!(others.all(|weights| weights["name"] != "own-cutout"), "{served}");
    let listed = account.http.get("/models?q=upscale").await.json();
    let upscale = listed["data"].as_array().unwrap().iter();
    let upscale = upscale.clone().find(|model| model["slug"] == "upscale").unwrap();
    assert_eq!(
        (
            &upscale["draft"],
            &upscale["weights"],
            &upscale["available_weights"][0]["license"]
        ),
        (&json!(true), &Value::Null, &json!("BSD-3-Clause")),
        "{upscale}"
    );
    let named = &served["weights"];
    assert_eq!(
        named,
        &json!({
            "name": "own-cutout",
            "title": "Own cut-out",
            "license": "Apache-2.0",
            "license_url": "https://example.com/licence",
        })
    );
    let job = cut_out(&account.http).await;
    let metadata = &job["output"]["metadata"];
    assert_eq!(
        (&job["status"], &job["served_by"], &metadata["weights"]),
        (&json!("completed"), &json!("weights"), &json!("Own cut-out")),
        "{job}"
    );
    assert_eq!(metadata["weights_license"], "Apache-2.0");
    let note = note_of(&world, &job).await;
    assert!(
        note.contains(">Own cut-out (license of the weights: Apache-2.0)</Iptc4xmpExt:AISystemUsed>"),
        "the file says which weights made it, and their licence"
    );

    // They are still there after a restart.
    assert!(world.server.terminate().success(), "{}", world.server.log());
    world.server.start();
    let account_again = world.server.http(&account.key);
    assert_eq!(model(&account_again).await["served_by"], "weights");

    world.server.json(&["models", "rm", "own-cutout"]);
    until("the embedded engine serves again", async || {
        model(&account_again).await["served_by"] == "draft"
    })
    .await;
    let job = cut_out(&account_again).await;
    assert_eq!(job["status"], "completed");
    // The network in the program finds the subject.
    assert_eq!(job["output"]["metadata"]["weights_license"], "Apache-2.0");
    let note = note_of(&world, &job).await;
    assert!(note.contains(">U-2-Net small (license of the weights: Apache-2.0)</Iptc4xmpExt:AISystemUsed>"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_route_of_the_operator_to_pulled_weights_names_them_too() {
    let host = Host::start(NETWORK).await;
    let route = "[[routes]]\nmodel = \"background-removal\"\nengine = \"weights\"\ntarget = \"own-cutout\"\n";
    let mut world = World::prepare(&format!("{CONFIG}{route}"));
    add_entry(&world, &host.url);
    world.server.json(&["models", "pull", "own-cutout"]);
    world.server.start();
    let account = world.account(100);
    assert_eq!(model(&account.http).await["weights"]["license"], "Apache-2.0");
    let job = cut_out(&account.http).await;
    let metadata = &job["output"]["metadata"];
    assert_eq!(
        (&metadata["weights"], &metadata["weights_license"]),
        (&json!("Own cut-out"), &json!("Apache-2.0")),
        "{job}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn weights_that_cannot_be_run_leave_their_jobs_to_the_next_route() {
    let host = Host::start(NETWORK).await;
    let mut world = World::prepare(CONFIG);
    add_entry(&world, &host.url);
    world.server.start();
    let account = world.account(100);
    world.server.json(&["models", "pull", "own-cutout"]);
    until("the weights serve", async || {
        model(&account.http).await["served_by"] == "weights"
    })
    .await;
    let graph = world.server.data().join("models/own-cutout/model.onnx");
    std::fs::remove_file(&graph).unwrap();
    std::fs::write(&graph, b"no graph").unwrap();
    let job = cut_out(&account.http).await;
    assert_eq!(
        (&job["status"], &job["served_by"]),
        (&json!("completed"), &json!("draft")),
        "{job}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn weights_that_a_job_runs_on_are_not_removed_and_a_killed_server_holds_nothing() {
    let host = Host::start(NETWORK).await;
    let mut world = World::prepare(CONFIG);
    add_entry(&world, &host.url);
    world.server.json(&["models", "pull", "own-cutout"]);
    world.server.start();
    let account = world.account(100);
    let leases = world.server.data().join("models/leases");
    let is_held = async || {
        let names = std::fs::read_dir(&leases).unwrap();
        names
            .flatten()
            .any(|name| name.file_name().to_string_lossy().starts_with("own-cutout@"))
    };
    let job = begin(&account.http, 3_000).await;
    until("the job runs", is_held).await;
    let (code, _, error) = world.server.command(&["models", "rm", "own-cutout"]);
    assert_eq!(code, 1);
    assert!(
        error.contains("`own-cutout` is in use by the engine `weights` of the process "),
        "{error}"
    );
    let job = account.http.wait(&job).await;
    assert_eq!(
        (&job["status"], &job["served_by"]),
        (&json!("completed"), &json!("weights"))
    );

    begin(&account.http, 3_000).await;
    until("the next job runs", is_held).await;
    world.server.kill();
    assert!(is_held().await, "what a killed process leaves");
    world.server.json(&["models", "rm", "own-cutout"]);
    assert!(!world.server.data().join("models/own-cutout").exists());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_probe_says_whether_weights_work_by_the_engine_that_serves_with_them() {
    let host = Host::start(NETWORK).await;
    let world = World::prepare(CONFIG);
    add_entry(&world, &host.url);
    let (code, answer, error) = world.server.command(&["models", "probe", "own-cutout"]);
    assert!(
        code == 1 && format!("{answer}{error}").contains("is not here"),
        "{answer}{error}"
    );
    world.server.json(&["models", "pull", "own-cutout"]);
    let rows = world.server.json(&["models", "probe"]);
    let row = &rows[0];
    assert_eq!(
        (&row["name"], &row["result"], &row["runtime"], &row["device"]),
        (&json!("own-cutout"), &json!("ok"), &json!("rten"), &json!("cpu")),
        "{row}"
    );
    assert!(row["seconds"].as_f64().unwrap() > 0.0);
    let memory = row["memory_bytes"].as_u64().unwrap();
    assert!((20 << 20..4 << 30).contains(&memory), "{memory}");

    // A probe that expects something else, and a graph that is damaged.
    let lock = world.server.data().join("models/own-cutout/lock.json");
    let mut installed: Value = serde_json::from_slice(&std::fs::read(&lock).unwrap()).unwrap();
    installed["entry"]["probe"]["expect"] = json!({ "kind": "image", "width": 999 });
    std::fs::write(&lock, installed.to_string()).unwrap();
    let (code, answer, _) = world.server.command(&["models", "probe", "own-cutout", "--json"]);
    let rows: Value = serde_json::from_str(answer.lines().next().unwrap()).unwrap();
    assert_eq!((code, &rows[0]["result"]), (1, &json!("different")));
    assert_eq!(rows[0]["reason"], "the picture is 160 pixels wide instead of 999");
    let graph = world.server.data().join("models/own-cutout/model.onnx");
    std::fs::remove_file(&graph).unwrap();
    std::fs::write(&graph, b"no graph").unwrap();
    let (code, answer, _) = world.server.command(&["models", "probe", "own-cutout", "--json"]);
    let rows: Value = serde_json::from_str(answer.lines().next().unwrap()).unwrap();
    assert_eq!((code, &rows[0]["result"]), (1, &json!("failed")));
    assert!(
        rows[0]["reason"].as_str().unwrap().contains("model.onnx"),
        "{rows}"
    );
}

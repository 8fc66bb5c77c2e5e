//! Workers that join over HTTP: the real program as a service and as a worker with its own data folder.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use atelier_testkit::encrypted;
use axum::{Router, body::Bytes, routing::post};
use base64::Engine as _;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpListener;

use crate::{
    files,
    setup::{PROGRAM, World, cheap, until},
};

mod chaos;
mod cut;
mod shown;
mod takeover;
mod wire;

use cut::Cutter;

/// Remote workers serve every model. A lease is short, so that tests need not wait.
pub(crate) const REMOTE: &str = r#"
routes = [{ model = "*", engine = "gpu" }]
[metrics]
listen = ""
[outbound]
allow_private = true
[limits]
requests_per_minute = 60000
[workers]
lease_seconds = 5
[engines.gpu]
kind = "remote"
"#;

/// A worker's own configuration: `echo` serves every model.
const OWN: &str = "routes = [{ model = \"*\", engine = \"echo\" }]\n";

/// A running `atelier worker --join`. It is killed when it is dropped.
struct Worker {
    child: Option<Child>,
    folder: TempDir,
}

impl Worker {
    /// A worker that joins the service at this origin.
    fn join(origin: &str, token: &str, name: &str, config: &str) -> Self {
        Self::join_trusting(origin, token, name, config, None)
    }

    /// The same, trusting also the authorities in this file.
    fn join_trusting(
        origin: &str,
        token: &str,
        name: &str,
        config: &str,
        authorities: Option<&Path>,
    ) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("atelier.toml"), config).unwrap();
        fs::write(folder.path().join("token"), format!("{token}\n")).unwrap();
        let log = fs::File::create(folder.path().join("worker.log")).unwrap();
        let child = Command::new(PROGRAM)
            .args(["worker", "--join", origin, "--name", name, "--token-file"])
            .arg(folder.path().join("token"))
            .arg("--data")
            .arg(folder.path())
            .args(
                authorities
                    .map(|file| ["--ca-file".as_ref(), file.as_os_str()])
                    .into_iter()
                    .flatten(),
            )
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn();
        let child = Some(child.unwrap());
        Self { child, folder }
    }

    fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("worker.log")).unwrap_or_default()
    }

    fn folder(&self) -> String {
        self.folder.path().display().to_string()
    }

    /// The work folders of its attempts.
    fn scratch(&self) -> Vec<PathBuf> {
        // A worker makes the folder when it starts.
        let entries = fs::read_dir(self.folder.path().join("scratch"));
        entries
            .into_iter()
            .flatten()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.is_dir())
            .collect()
    }

    fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            // It may have ended on its own.
            let _ = child.kill();
            child.wait().unwrap();
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A new token, limited by these arguments.
fn token(world: &World, limits: &[&str]) -> (String, String) {
    let made = world
        .server
        .json(&[&["workers", "create-token", "box"], limits].concat());
    let text = |field: &str| made[field].as_str().unwrap().to_owned();
    (text("token"), text("id"))
}

/// A server with the interface of OpenAI that answers each request with a picture of noise.
async fn pictures(side: u32, takes: Duration) -> String {
    let picture = base64::engine::general_purpose::STANDARD.encode(picture(side));
    let body = Bytes::from(json!({ "data": [{ "b64_json": picture }] }).to_string());
    let answer = move |_: Bytes| async move {
        tokio::time::sleep(takes).await;
        ([("content-type", "application/json")], body)
    };
    let router = Router::new().route("/v1/images/generations", post(answer));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    format!("http://{address}")
}

/// The configuration of a worker whose models are served by such a server.
fn maker(url: &str) -> String {
    format!(
        "routes = [{{ model = \"*\", engine = \"maker\" }}]\n[outbound]\nallow_private = true\n[engines.maker]\n\
         kind = \"http\"\nprofile = \"openai-images\"\nurl = \"{url}\"\nconcurrency = 8\n"
    )
}

/// A PNG of noise: a square with sides of so many pixels.
fn picture(side: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, side, side);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&noise(side)).unwrap();
    writer.finish().unwrap();
    bytes
}

fn noise(side: u32) -> Vec<u8> {
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    (0..side * side * 3).map(|_| next()).collect()
}

#[tokio::test]
async fn a_remote_worker_makes_a_picture_and_operators_see_it() {
    let world = World::start(REMOTE);
    let account = world.account(100);
    let waiting = account.http.create(&cheap()).await;
    let (token, _) = token(&world, &["--engine", "gpu"]);
    let worker = Worker::join(&world.server.origin(), &token, "box-1", OWN);
    let job = account.http.wait(&waiting).await;
    assert_eq!(job["status"], "completed", "{job} {}", worker.log());
    assert_eq!(account.credits().await, 96);
    let url = job["output"]["assets"][0]["url"].as_str().unwrap();
    let path = url.split_once("/media/").unwrap().1;
    let file = account.http.get(&format!("//media/{path}")).await;
    assert_eq!(&file.bytes[1..4], b"PNG");
    let listed = world.server.json(&["workers", "list"]);
    assert_eq!(listed[0]["name"], "box-1", "{listed}");
    assert_eq!(listed[0]["token"], "box");
    assert_eq!(listed[0]["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(listed[0]["engines"][0]["name"], "echo");
    assert_eq!(listed[0]["running"], json!([]));
    let tokens = world.server.json(&["workers", "tokens"]);
    assert_eq!(tokens[0]["engines"], json!(["gpu"]));
    assert_eq!(tokens[0]["token"], Value::Null, "it is shown only once");
    until("the files in transit are gone", async || {
        world.scratch().is_empty()
    })
    .await;
}

#[cfg(feature = "studio")]
#[tokio::test]
async fn a_remote_worker_edits_an_uploaded_picture() {
    let world = World::start(REMOTE);
    let account = world.account(100);
    let (token, _) = token(&world, &[]);
    let worker = Worker::join(&world.server.origin(), &token, "box", "");
    // 16 × 16 pixels, which the engine on the worker doubles.
    let source = include_bytes!("../../../service/engines/assets/echo.png");
    let uploaded = account.http.upload(source.to_vec(), "source.png").await.json();
    let request = json!({ "model": "upscale", "image_urls": [uploaded["data"]["url"]], "factor": 2 });
    let id = account.http.create(&request).await;
    let job = account.http.wait(&id).await;
    assert_eq!(job["status"], "completed", "{job} {}", worker.log());
    let path = job["output"]["assets"][0]["url"].as_str().unwrap();
    let path = path.split_once("/media/").unwrap().1;
    let file = account.http.get(&format!("//media/{path}")).await;
    let decoder = png::Decoder::new(std::io::Cursor::new(file.bytes.to_vec()));
    let info = decoder.read_info().unwrap();
    assert_eq!((info.info().width, info.info().height), (32, 32));
    until("the files in transit are gone", async || {
        world.scratch().is_empty()
    })
    .await;
    until("the work files are gone", async || worker.scratch().is_empty()).await;
}

#[tokio::test]
async fn a_remote_worker_joins_over_tls_once_it_trusts_the_authority() {
    let world = World::start(REMOTE);
    let account = world.account(100);
    let (token, _) = token(&world, &[]);
    let (address, pem) = encrypted(world.server.address().parse().unwrap()).await;
    let origin = format!("https://localhost:{}", address.port());
    let stranger = Worker::join(&origin, &token, "stranger", OWN);
    until("the worker refuses the certificate", async || {
        stranger.log().contains("UnknownIssuer")
    })
    .await;
    assert_eq!(world.server.json(&["workers", "list"]), json!([]));
    let uploaded = account
        .http
        .upload(files::PNG.to_vec(), "source.png")
        .await
        .json();
    let request = json!({ "model": "upscale", "image_urls": [uploaded["data"]["url"]] });
    let id = account.http.create(&request).await;
    let file = world.server.data().join("authority.pem");
    fs::write(&file, pem).unwrap();
    let worker = Worker::join_trusting(&origin, &token, "box", OWN, Some(&file));
    let job = account.http.wait(&id).await;
    assert_eq!(job["status"], "completed", "{job} {}", worker.log());
    until("the files in transit are gone", async || {
        world.scratch().is_empty()
    })
    .await;
}

/// A job whose only input never arrives, once the worker waits for it.
async fn endless(world: &World, account: &crate::setup::Account) -> (String, TcpListener) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/never.png", listener.local_addr().unwrap());
    let request = json!({ "model": "upscale", "image_urls": [url] });
    let id = account.http.create(&request).await;
    until("a worker runs the job", async || {
        let listed = world.server.json(&["workers", "list"]);
        let listed = listed.as_array().unwrap();
        listed
            .iter()
            .any(|worker| worker["running"] == json!(["upscale"]))
    })
    .await;
    (id, listener)
}

#[tokio::test]
async fn a_remote_worker_stops_within_a_second_of_a_cancellation() {
    let world = World::start(REMOTE);
    let account = world.account(100);
    let (token, _) = token(&world, &[]);
    let worker = Worker::join(&world.server.origin(), &token, "box", OWN);
    let (id, _listener) = endless(&world, &account).await;
    let cancelled_at = Instant::now();
    account
        .http
        .post(&format!("/generations/{id}/cancel"), &json!({}))
        .await;
    while !worker.log().contains("an attempt was stopped") {
        assert!(
            cancelled_at.elapsed() < Duration::from_secs(2),
            "{}",
            worker.log()
        );
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let took = cancelled_at.elapsed();
    assert!(took < Duration::from_millis(1_500), "it took {took:?}");
    assert_eq!(account.credits().await, 100);
    until("the work files are gone", async || worker.scratch().is_empty()).await;
}

#[tokio::test]
async fn a_job_of_a_killed_remote_worker_is_run_by_another() {
    let world = World::start(REMOTE);
    let account = world.account(100);
    let (token, _) = token(&world, &[]);
    let mut first = Worker::join(&world.server.origin(), &token, "first", OWN);
    let (id, listener) = endless(&world, &account).await;
    let (connection, _) = listener.accept().await.unwrap();
    first.kill();
    let killed_at = Instant::now();
    let _second = Worker::join(&world.server.origin(), &token, "second", OWN);
    drop(connection);
    let router = Router::new().route("/never.png", axum::routing::get(|| async { files::PNG }));
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    let job = account.http.wait(&id).await;
    let took = killed_at.elapsed();
    assert_eq!(job["status"], "completed", "{job}");
    assert!(took < Duration::from_secs(15), "a lease of 5 s took {took:?}");
    let job = account.http.get(&format!("/generations/{id}")).await.json();
    assert_eq!(job["data"]["status"], "completed", "{job}");
    until("the files in transit are gone", async || {
        world.scratch().is_empty()
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upload_goes_on_where_a_connection_broke() {
    const SIDE: u32 = 1_300;
    let world = World::start(REMOTE);
    let account = world.account(100);
    let (token, _) = token(&world, &[]);
    // Each connection breaks after a piece and a half.
    let cutter = Cutter::start(&world.server.address(), 3 << 19).await;
    let engine = pictures(SIDE, Duration::ZERO).await;
    let config = maker(&engine);
    let worker = Worker::join(&cutter.origin(), &token, "box", &config);
    let id = account.http.create(&cheap()).await;
    let job = account.http.wait(&id).await;
    assert_eq!(job["status"], "completed", "{job} {}", worker.log());
    let path = job["output"]["assets"][0]["url"].as_str().unwrap();
    let path = path.split_once("/media/").unwrap().1;
    let file = account.http.get(&format!("//media/{path}")).await;
    let size = file.bytes.len() as u64;
    let (cuts, sent) = (cutter.cuts(), cutter.sent());
    assert!(cuts >= 3, "{cuts} connections were cut");
    assert!(
        sent < 2 * size,
        "{sent} bytes were sent for {size}: it began again"
    );
    let mut reader = png::Decoder::new(std::io::Cursor::new(file.bytes.to_vec()))
        .read_info()
        .unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    // With the embedded engines, the service has marked it, which changes pixels a little.
    let is_marked = cfg!(feature = "studio");
    let mark = if is_marked {
        json!(["written"])
    } else {
        json!(null)
    };
    assert_eq!(job["output"]["metadata"]["watermark"], mark, "{job}");
    let squares: f64 = pixels
        .iter()
        .zip(noise(SIDE))
        .map(|(found, made)| f64::from(found.abs_diff(made)).powi(2))
        .sum();
    let error = squares / pixels.len() as f64;
    assert!(error < 8.0 && (error > 0.0) == is_marked, "it is torn: {error}");
    until("the files in transit are gone", async || {
        world.scratch().is_empty()
    })
    .await;
}

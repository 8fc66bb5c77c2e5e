//! The engine `http` with the profile `cog` against a real cog server with a small runner.

use std::{
    net::TcpStream,
    path::PathBuf,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use atelier_testkit::{Answer, Http, Receiver, Reply, free_port, path_with, program};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    follow::events,
    planned::{self, Plan},
    setup::{World, until},
};

/// A running cog server.
#[derive(Debug)]
pub(crate) struct Cog {
    url: String,
    port: u16,
    child: Child,
    _folder: TempDir,
}

impl Cog {
    /// `None` if cog is not installed. `.ci/run` installs it with a Python of this name.
    pub(crate) async fn start() -> Option<Self> {
        let python = program("cog-python")?;
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        std::fs::create_dir(folder.path().join(".cog")).unwrap();
        write("run.py", include_str!("cog/run.py"));
        write(
            ".cog/openapi_schema.json",
            include_str!("cog/openapi_schema.json"),
        );
        let port = free_port();
        let log = std::fs::File::create(folder.path().join("log")).unwrap();
        let child = Command::new(&python)
            .args(["-m", "cog.server.http", "--host", "127.0.0.1"])
            .env("PATH", path_with(python.parent().unwrap()))
            .env("PORT", port.to_string())
            .env("COG_PREDICT_TYPE_STUB", "run.py:Runner")
            .current_dir(&folder)
            .stdin(Stdio::null())
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .spawn()
            .unwrap();
        let cog = Self {
            url: format!("http://127.0.0.1:{port}"),
            port,
            child,
            _folder: folder,
        };
        until("cog is ready", async || cog.state().await == "READY").await;
        Some(cog)
    }

    async fn state(&self) -> String {
        if TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            return String::new();
        }
        let body = Http::new(&self.url, None).get("//health-check").await.json();
        body["status"].as_str().unwrap_or_default().to_owned()
    }

    /// Routes `image-gen-4` to this server, and `flux-1-dev` with more steps than the runner accepts.
    pub(crate) fn config(&self, engine: &str, routes: &str) -> String {
        format!(
            r#"
[metrics]
listen = ""
[limits]
requests_per_minute = 60000
[engines.toy]
kind = "http"
profile = "cog"
url = "{url}"
{engine}
[[routes]]
model = "image-gen-4"
engine = "toy"
body = {{ input = {{ image = {{ from = "image_urls", as = "data", at = 0 }} }} }}
[[routes]]
model = "flux-1-dev"
engine = "toy"
body = {{ input = {{ steps = 1000 }} }}
{routes}
"#,
            url = self.url
        )
    }
}

impl Drop for Cog {
    /// Its child processes end with it after SIGTERM, but not after SIGKILL.
    fn drop(&mut self) {
        let _ = Command::new("kill")
            .args(["-TERM", &self.child.id().to_string()])
            .status();
        let until = Instant::now() + Duration::from_secs(5);
        while Instant::now() < until && matches!(self.child.try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn request(prompt: &str) -> Value {
    json!({ "model": "image-gen-4", "prompt": prompt, "resolution": "1K" })
}

/// A grey picture of 37 by 23 pixels.
fn picture() -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 37, 23);
    encoder.set_color(png::ColorType::Grayscale);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&[77; 37 * 23]).unwrap();
    writer.finish().unwrap();
    bytes
}

async fn size_of_output(http: &Http, job: &Value) -> (u32, u32) {
    let url = job["output"]["assets"][0]["url"]
        .as_str()
        .unwrap_or_else(|| panic!("{job}"));
    let path = PathBuf::from(url)
        .file_name()
        .unwrap()
        .to_str()
        .unwrap()
        .to_owned();
    let bytes = http.get(&format!("//media/{path}")).await.bytes;
    let reader = png::Decoder::new(std::io::Cursor::new(bytes))
        .read_info()
        .unwrap();
    (reader.info().width, reader.info().height)
}

fn outcomes(job: &Value) -> Vec<&str> {
    let attempts = job["attempts"].as_array().unwrap();
    attempts
        .iter()
        .map(|attempt| attempt["outcome"].as_str().unwrap())
        .collect()
}

#[tokio::test]
async fn a_job_runs_with_progress_and_its_input_arrives() {
    let Some(cog) = Cog::start().await else { return };
    let world = World::start(&cog.config("", ""));
    let account = world.account(100);
    let id = account.http.create(&request("a slow boat")).await;
    let mut seen = 0.0;
    until("progress is told", async || {
        let job = account.http.get(&format!("/generations/{id}")).await.json();
        seen = job["data"]["progress"].as_f64().unwrap_or_default();
        seen > 0.0
    })
    .await;
    assert!(seen < 1.0, "{seen}");
    let job = account.http.wait(&id).await;
    assert_eq!(
        (&job["status"], &job["served_by"], outcomes(&job)),
        (&json!("completed"), &json!("toy"), vec!["completed"]),
        "{job}"
    );
    assert_eq!(size_of_output(&account.http, &job).await, (8, 8));

    let upload = account.http.upload(picture(), "picture.png").await.json();
    let mut with_picture = request("the same again");
    with_picture["image_urls"] = json!([upload["data"]["url"]]);
    let job = account.http.wait(&account.http.create(&with_picture).await).await;
    assert_eq!(size_of_output(&account.http, &job).await, (37, 23));
}

/// The partial images of a job, from its event stream, and its end.
async fn followed(http: &Http, id: &str) -> (Vec<String>, Value) {
    partial_images(&http.get(&format!("/generations/{id}/events")).await, id)
}

/// The partial images in a job's event stream, and its end.
pub(crate) fn partial_images(stream: &Answer, id: &str) -> (Vec<String>, Value) {
    let told = events(stream);
    let partial = told
        .iter()
        .filter(|(_, name, _)| name == "generation.partial_image");
    let partial = partial.map(|(event, _, data)| {
        assert_eq!((event.as_str(), &data["id"]), ("", &json!(id)));
        data["partial_image"].as_str().unwrap().to_owned()
    });
    (partial.collect(), told.last().unwrap().2.clone())
}

#[tokio::test]
async fn the_unfinished_picture_is_shown_in_the_event_stream() {
    let Some(cog) = Cog::start().await else { return };
    let world = World::start(&cog.config("", ""));
    let http = world.account(100).http;
    let id = http.create(&request("a slow boat, shown")).await;
    let (partial, end) = followed(&http, &id).await;
    assert_eq!(end["status"], "completed", "{end}");
    assert!(partial.len() >= 2, "{partial:?}");
    assert!(
        partial
            .iter()
            .all(|url| url.starts_with("data:image/png;base64,iVBOR"))
    );
    assert!(
        partial.windows(2).all(|pair| pair[0] != pair[1]),
        "each is told once"
    );
    let id = http.create(&request("a slow boat")).await;
    assert_eq!(followed(&http, &id).await.0, [""; 0]);
}

#[cfg(feature = "studio")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unfinished_picture_is_not_shown_if_the_finished_one_is_examined() {
    let Some(cog) = Cog::start().await else { return };
    let mut world = World::prepare(&cog.config("", ""));
    crate::safety::describe(&world);
    crate::safety::import(&world);
    world.server.start();
    let http = world.account(100).http;
    let id = http.create(&request("a slow boat, shown")).await;
    let (partial, end) = followed(&http, &id).await;
    assert_eq!(partial, [""; 0]);
    assert!(!end["output"]["metadata"]["safety"].is_null(), "{end}");
}

#[tokio::test]
async fn an_unfinished_picture_is_not_shown_if_the_operators_check_sees_results() {
    let Some(cog) = Cog::start().await else { return };
    let receiver = Receiver::start().await;
    receiver.reply([(); 2].map(|()| Reply::json(&json!({ "decision": "allow" }))));
    let config = cog.config("", "[policy]\ncheck_secret = \"whsec_b3duIGNoZWNr\"");
    let mut world = World::prepare(&config);
    check_results(&world, &receiver);
    world.server.start();
    let http = world.account(100).http;
    let id = http.create(&request("a slow boat, shown")).await;
    let (partial, end) = followed(&http, &id).await;
    assert_eq!((partial, &end["status"]), (Vec::new(), &json!("completed")));
    assert_eq!(receiver.received().len(), 2, "before the job and after it");
}

/// Writes a policy whose check sees all jobs and their results.
pub(crate) fn check_results(world: &World, receiver: &Receiver) {
    let check = format!(
        "[check]\nname = \"own-check\"\nurl = \"{}\"\naway = \"closed\"\nafter = true\n",
        receiver.url("/check")
    );
    std::fs::create_dir_all(world.server.data()).unwrap();
    std::fs::write(world.server.data().join("policy.toml"), check).unwrap();
}

#[tokio::test]
async fn failures_of_the_runner_are_retried_and_refusals_are_not() {
    let Some(cog) = Cog::start().await else { return };
    let world = World::start(&cog.config("", ""));
    let account = world.account(100);
    let failing = account.http.create(&request("fail")).await;
    let refused = account
        .http
        .create(&json!({ "model": "flux-1-dev", "prompt": "a boat" }))
        .await;
    let job = account.http.wait(&refused).await;
    assert_eq!(job["error"]["code"], "invalid_input", "{job}");
    let message = job["error"]["message"].as_str().unwrap();
    assert!(
        message.contains("1000 is greater than the maximum of 100"),
        "{job}"
    );
    assert!(job["attempts"].is_null(), "it was tried again: {job}");
    let job = account.http.wait(&failing).await;
    let message = job["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains("the toy is broken"), "{job}");
    assert_eq!(outcomes(&job), ["generation_failed"; 3]);
    // The runner itself refuses, for which it must be free.
    until("the runner is free", async || cog.state().await == "READY").await;
    let job = account
        .http
        .wait(&account.http.create(&request("refuse")).await)
        .await;
    assert_eq!(
        (&job["error"]["code"], &job["error"]["message"]),
        (
            &json!("invalid_input"),
            &json!("the engine rejected the request: `prompt`: it asks for nothing")
        ),
        "{job}"
    );
    let refusals = |attempts: &Vec<Value>| {
        let refused = attempts
            .iter()
            .filter(|attempt| attempt["outcome"] == "invalid_input");
        refused.count()
    };
    assert_eq!(
        job["attempts"].as_array().map_or(1, refusals),
        1,
        "it was tried again: {job}"
    );
    assert_eq!(account.credits().await, 100, "nothing was charged");
}

#[tokio::test]
async fn a_job_waits_while_the_runner_is_busy() {
    let Some(cog) = Cog::start().await else { return };
    let world = World::start(&cog.config("concurrency = 2", ""));
    let account = world.account(100);
    let mut ids = Vec::new();
    for _ in 0..2 {
        ids.push(account.http.create(&request("a slow boat")).await);
    }
    let mut tried = Vec::new();
    for id in ids {
        let job = account.http.wait(&id).await;
        assert_eq!(job["status"], "completed", "{job}");
        tried.push(job["attempts"].as_array().unwrap().len());
    }
    tried.sort_unstable();
    assert_eq!(tried[0], 1);
    assert!(tried[1] > 1, "one runner took two jobs at a time: {tried:?}");
}

#[tokio::test]
async fn a_cancelled_job_stops_in_the_runner() {
    let Some(cog) = Cog::start().await else { return };
    let world = World::start(&cog.config("", ""));
    let account = world.account(100);
    let id = account.http.create(&request("an endless boat")).await;
    until("it runs", async || cog.state().await == "BUSY").await;
    let begun = Instant::now();
    let cancelled = account
        .http
        .post(&format!("/generations/{id}/cancel"), &json!({}))
        .await;
    assert_eq!(cancelled.status, 200);
    until("the runner is free", async || cog.state().await == "READY").await;
    assert!(
        begun.elapsed() < Duration::from_secs(20),
        "it went on to its end, which takes 25 s"
    );
    let job = account
        .http
        .wait(&account.http.create(&request("a boat")).await)
        .await;
    assert_eq!(outcomes(&job), ["completed"]);
}

#[tokio::test]
async fn a_crash_of_the_runner_moves_the_job_to_the_next_route_and_the_check_reports_it() {
    let Some(cog) = Cog::start().await else { return };
    let second = "[[routes]]\nmodel = \"image-gen-4\"\nengine = \"echo\"";
    let world = World::start(&cog.config("", second));
    let account = world.account(100);
    assert_eq!(world.server.command(&["engines", "check"]).0, 0);
    let job = account
        .http
        .wait(&account.http.create(&request("crash")).await)
        .await;
    assert_eq!(
        (&job["status"], &job["served_by"], outcomes(&job)),
        (
            &json!("completed"),
            &json!("echo"),
            vec!["generation_failed", "completed"]
        ),
        "{job}"
    );
    let (code, table, error) = world.server.command(&["engines", "check"]);
    assert!(code != 0 && error.contains("toy"), "{code} {error}");
    assert!(table.contains("UNHEALTHY"), "{table}");
}

#[tokio::test]
async fn a_job_continues_with_the_same_request_after_its_server_was_killed() {
    let Some(cog) = Cog::start().await else { return };
    let mut world = World::prepare(&cog.config("", ""));
    planned::start(&mut world.server, &Plan::calm());
    let account = world.account(100);
    let id = account.http.create(&request("a slow boat")).await;
    until("it runs", async || cog.state().await == "BUSY").await;
    world.server.kill();
    planned::start(&mut world.server, &Plan::calm());
    let job = world.server.http(&account.key).wait(&id).await;
    assert_eq!(
        (&job["status"], outcomes(&job)),
        (&json!("completed"), vec!["lost", "completed"]),
        "{job}"
    );
    // Requests have the name of the attempt that made them.
    assert_eq!(job["attempts"][1]["provider_id"], format!("{id}-1"), "{job}");
}

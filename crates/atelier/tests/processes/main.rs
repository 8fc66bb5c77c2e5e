//! Engines of the kind `process` in a running service: programs that are started for jobs, share memory, crash, hang
//! and are killed.
#![allow(clippy::unwrap_used, reason = "a failure in here fails the test that uses it")]

#[path = "../service/setup.rs"]
#[allow(
    dead_code,
    unused_macros,
    unused_imports,
    reason = "other tests use more of it"
)]
mod setup;

mod ace;
mod cards;
mod endurance;
#[cfg(target_os = "linux")]
mod libraries;
mod pulled;
mod sd;
mod shelf;
mod watching;

use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

use atelier_testkit::{Http, free_port, path_with, program};
use serde_json::{Value, json};
use setup::{World, cheap, until};
use tempfile::TempDir;

/// The folder of a test, with the worker's logs.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("worker.py"), include_str!("worker.py")).unwrap();
        Self(folder)
    }

    /// An archive with this script as a program.
    fn pack(&self, name: &str, program: impl AsRef<[u8]>) -> PathBuf {
        let file = self.path(name);
        fs::write(&file, program).unwrap();
        fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        let archive = self.path(&format!("{name}.tar.gz"));
        let mut pack = Command::new("tar");
        pack.arg("-C")
            .arg(self.0.path())
            .arg("-czf")
            .arg(&archive)
            .arg(name);
        assert!(pack.status().unwrap().success());
        archive
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// An engine whose program is the worker. `more` are further lines.
    fn engine(&self, name: &str, profile: &str, more: &str) -> String {
        let (program, log) = (self.path("worker.py"), self.path(name));
        format!(
            r#"
[engines.{name}]
kind = "process"
profile = "{profile}"
command = ["python3", "{}", "{{port}}", "{}", "0.3"]
{more}
"#,
            program.display(),
            log.display()
        )
    }

    /// Returns the log of this engine's worker.
    fn log(&self, name: &str) -> Vec<String> {
        let text = fs::read_to_string(self.path(name)).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// The processes of the worker, in order.
    fn pids(&self, name: &str) -> Vec<u32> {
        let log = self.log(name);
        let started = log.iter().filter_map(|line| line.strip_prefix("started "));
        started.map(|pid| pid.parse().unwrap()).collect()
    }
}

const COMMON: &str = r#"
[metrics]
listen = ""
[limits]
requests_per_minute = 60000
[devices.cpu]
memory_mb = 1000
"#;

fn route(model: &str, engine: &str) -> String {
    format!("[[routes]]\nmodel = \"{model}\"\nengine = \"{engine}\"\n")
}

fn is_running(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat.rsplit(')').next().unwrap().split_whitespace().next();
    !matches!(state, None | Some("Z" | "X"))
}

fn asking(prompt: &str) -> Value {
    let mut request = cheap();
    request["prompt"] = json!(prompt);
    request
}

async fn make(http: &Http, request: &Value) -> Value {
    http.wait(&http.create(request).await).await
}

#[tokio::test]
async fn a_program_is_started_for_a_job_serves_others_and_is_stopped_when_it_is_idle() {
    let place = Place::new();
    let metrics = free_port();
    let engine = place.engine("worker", "sd-server", "memory_mb = 600\nidle_seconds = 1");
    let config = COMMON.replace("listen = \"\"", &format!("listen = \"127.0.0.1:{metrics}\""));
    let world = World::start(&(config + &engine + &route("image-gen-4", "worker")));
    let account = world.account(100);
    assert_eq!(place.pids("worker"), Vec::<u32>::new());
    let id = account.http.create(&cheap()).await;
    until("the job waits for the program", async || {
        let job = account.http.get(&format!("/generations/{id}")).await.json();
        job["data"]["loading"] == json!({ "estimated_seconds": null })
    })
    .await;
    let job = account.http.wait(&id).await;
    assert_eq!(
        (&job["status"], &job["served_by"]),
        (&json!("completed"), &json!("worker")),
        "{job}"
    );
    assert!(job["loading"].is_null(), "{job}");
    make(&account.http, &cheap()).await;
    let [pid] = place.pids("worker")[..] else { panic!() };
    until("the idle program is gone", async || !is_running(pid)).await;
    let id = account.http.create(&cheap()).await;
    until("the estimate is the time of the last load", async || {
        let job = account.http.get(&format!("/generations/{id}")).await.json();
        job["data"]["loading"]["estimated_seconds"]
            .as_f64()
            .is_some_and(|seconds| seconds >= 0.3)
    })
    .await;
    account.http.wait(&id).await;
    assert_eq!(place.pids("worker").len(), 2);
    let shown = Http::new(&format!("http://127.0.0.1:{metrics}"), None)
        .get("//metrics")
        .await;
    let shown = String::from_utf8(shown.bytes.to_vec()).unwrap();
    for line in [
        "atelier_program_loads_total{engine=\"worker\"} 2",
        "atelier_program_resident{engine=\"worker\"} 1",
        "atelier_program_failures_total{engine=\"worker\"} 0",
        "atelier_device_held_bytes{device=\"cpu\"} 629145600",
    ] {
        assert!(shown.contains(line), "{line}: {shown}");
    }
}

#[tokio::test]
async fn programs_that_do_not_fit_together_serve_three_accounts_with_few_loads() {
    let place = Place::new();
    let config = COMMON.to_owned()
        + &place.engine("one", "openai-images", "memory_mb = 600")
        + &place.engine("two", "sd-server", "memory_mb = 600")
        + &route("image-gen-4", "one")
        + &route("flux-1-schnell", "two");
    let world = World::start(&config);
    let accounts: Vec<_> = (0..3).map(|_| world.account(10_000)).collect();
    let mut jobs = Vec::new();
    for at in 0..60 {
        let mut request = cheap();
        // Not in order, and the same in every run.
        if (at * 7 + at * at) % 5 < 2 {
            request = json!({ "model": "flux-1-schnell", "prompt": "a fox" });
        }
        let account = &accounts[at % 3];
        jobs.push((account, account.http.create(&request).await));
    }
    for (account, id) in jobs {
        let job = account.http.wait(&id).await;
        assert_eq!(job["status"], "completed", "{job}");
        assert_eq!(job["attempts"].as_array().unwrap().len(), 1, "{job}");
    }
    let loads = place.pids("one").len() + place.pids("two").len();
    assert!((2..=8).contains(&loads), "{loads} loads for 60 jobs");
}

#[tokio::test]
async fn a_program_that_dies_in_the_middle_of_a_job_is_started_again_and_the_job_is_made() {
    let place = Place::new();
    let config = COMMON.to_owned()
        + &place.engine("worker", "openai-images", "memory_mb = 600")
        + &route("image-gen-4", "worker");
    let world = World::start(&config);
    let account = world.account(1_000);
    let job = make(&account.http, &asking("die")).await;
    assert_eq!(job["status"], "completed", "{job}");
    let attempts = job["attempts"].as_array().unwrap();
    let outcomes: Vec<_> = attempts
        .iter()
        .map(|attempt| attempt["outcome"].as_str().unwrap())
        .collect();
    assert_eq!(outcomes, ["generation_failed", "completed"]);
    assert!(!job.to_string().contains("secret words"), "{job}");
    assert!(
        world.server.log().contains("the worker's secret words"),
        "{}",
        world.server.log()
    );
    // Killed from outside, again and again.
    for round in 0..5 {
        let id = account.http.create(&asking("endless")).await;
        let asked = |log: Vec<String>| log.iter().filter(|line| line.starts_with("asked ")).count();
        let before = asked(place.log("worker"));
        until("the program works", async || asked(place.log("worker")) > before).await;
        let pid = *place.pids("worker").last().unwrap();
        Command::new("kill")
            .args(["-KILL", &pid.to_string()])
            .status()
            .unwrap();
        until("another program works", async || {
            place.pids("worker").last() != Some(&pid) && asked(place.log("worker")) > before + 1
        })
        .await;
        let cancelled = account
            .http
            .post(&format!("/generations/{id}/cancel"), &json!({}))
            .await;
        assert!(cancelled.status.is_success(), "round {round}: {cancelled:?}");
    }
    let job = make(&account.http, &cheap()).await;
    assert_eq!(job["status"], "completed", "{job}");
}

#[tokio::test]
async fn a_killed_service_leaves_no_program_and_makes_its_jobs_after_the_next_start() {
    let place = Place::new();
    let config = COMMON.to_owned()
        + &place.engine("worker", "sd-server", "memory_mb = 600")
        + &route("image-gen-4", "worker");
    let mut world = World::start(&config);
    let account = world.account(1_000);
    let mut ids = HashSet::new();
    for round in 0..5 {
        // The connections of an earlier client are gone.
        let http = world.server.http(&account.key);
        ids.insert(http.create(&asking("a slow boat")).await);
        until("the program runs", async || place.pids("worker").len() > round).await;
        let pid = *place.pids("worker").last().unwrap();
        world.server.kill();
        let begun = Instant::now();
        while is_running(pid) {
            assert!(begun.elapsed() < Duration::from_secs(2), "{pid} still runs");
        }
        world.server.start();
    }
    let http = world.server.http(&account.key);
    for id in ids {
        let job = http.wait(&id).await;
        assert_eq!(job["status"], "completed", "{job}");
    }
}

#[tokio::test]
async fn a_cancelled_job_ends_at_its_program_or_ends_the_program_within_a_second() {
    let place = Place::new();
    let config = COMMON.to_owned()
        + &place.engine("asks", "sd-server", "memory_mb = 100")
        + &place.engine("kills", "openai-images", "memory_mb = 100")
        + &route("image-gen-4", "asks")
        + &route("flux-1-schnell", "kills");
    let world = World::start(&config);
    let account = world.account(1_000);
    let endless = json!({ "model": "flux-1-schnell", "prompt": "endless" });
    for (name, request) in [("asks", asking("endless")), ("kills", endless)] {
        let id = account.http.create(&request).await;
        until("the program works", async || place.log(name).len() == 3).await;
        let pid = place.pids(name)[0];
        account
            .http
            .post(&format!("/generations/{id}/cancel"), &json!({}))
            .await;
        let begun = Instant::now();
        until("the work has ended", async || match name {
            // Without a name for the request yet, only killing the program ends it.
            "asks" => place.log(name).last().unwrap() == "cancelled" || !is_running(pid),
            _ => !is_running(pid),
        })
        .await;
        assert!(
            begun.elapsed() < Duration::from_secs(1),
            "{name}: {:?}",
            begun.elapsed()
        );
        let was_asked = place.log(name).last().unwrap() == "cancelled";
        assert_eq!(is_running(pid), was_asked, "{name}");
        assert!(!was_asked || name == "asks");
    }
}

#[tokio::test]
async fn a_program_that_cannot_start_sends_its_jobs_to_the_next_route() {
    let place = Place::new();
    let config = COMMON.to_owned()
        + "[engines.broken]\nkind = \"process\"\nprofile = \"cog\"\nmemory_mb = 10\n\
           command = [\"sh\", \"-c\", \"echo broken beyond {port} >&2; exit 3\"]\n"
        + &place.engine("worker", "sd-server", "memory_mb = 600")
        + &route("image-gen-4", "broken")
        + &route("image-gen-4", "worker")
        + &route("flux-1-schnell", "broken");
    let world = World::start(&config);
    let account = world.account(1_000);
    for _ in 0..6 {
        let job = make(&account.http, &cheap()).await;
        assert_eq!(
            (&job["status"], &job["served_by"]),
            (&json!("completed"), &json!("worker")),
            "{job}"
        );
    }
    let job = make(
        &account.http,
        &json!({ "model": "flux-1-schnell", "prompt": "a fox" }),
    )
    .await;
    assert_eq!(job["error"]["code"], "generation_failed", "{job}");
    let message = job["error"]["message"].as_str().unwrap();
    assert!(
        message.contains("the engine's program") && !message.contains("broken beyond"),
        "{job}"
    );
    let log = world.server.log();
    assert!(
        log.contains("broken beyond") && log.contains("exit status: 3"),
        "{log}"
    );
}

#[tokio::test]
async fn a_program_larger_than_its_device_is_refused_at_the_start() {
    let place = Place::new();
    let config = COMMON.to_owned() + &place.engine("worker", "sd-server", "memory_mb = 1001");
    let world = World::prepare(&config);
    let (code, _, error) = world.server.command(&["engines", "list"]);
    assert_ne!(code, 0);
    let expected = "the engine `worker`: it requires 1001 MiB on the device `cpu`, which has 1000 MiB";
    assert!(error.contains(expected), "{error}");
}

/// A cog server with its runner, as an operator would write it down.
#[tokio::test]
async fn five_lines_start_a_cog_server_for_its_jobs() {
    let Some(python) = program("cog-python") else {
        return;
    };
    let place = Place::new();
    let write = |name: &str, text: &str| fs::write(place.path(name), text).unwrap();
    fs::create_dir(place.path(".cog")).unwrap();
    write("run.py", include_str!("../service/cog/run.py"));
    write(
        ".cog/openapi_schema.json",
        include_str!("../service/cog/openapi_schema.json"),
    );
    let path = path_with(python.parent().unwrap());
    let config = COMMON.to_owned()
        + &format!(
            r#"
[engines.cog]
kind = "process"
profile = "cog"
command = ["{}", "-m", "cog.server.http", "--host", "127.0.0.1"]
folder = "{}"
environment = {{ PORT = "{{port}}", COG_PREDICT_TYPE_STUB = "run.py:Runner", PATH = "{}" }}
memory_mb = 300
"#,
            python.display(),
            folder(place.0.path()),
            path.to_str().unwrap(),
        )
        + "[[routes]]\nmodel = \"image-gen-4\"\nengine = \"cog\"\n\
           body = { input = { image = { from = \"image_urls\", as = \"data\", at = 0 } } }\n";
    let world = World::start(&config);
    let account = world.account(1_000);
    let job = make(&account.http, &asking("a boat")).await;
    assert_eq!(
        (&job["status"], &job["served_by"]),
        (&json!("completed"), &json!("cog")),
        "{job}"
    );
    // Its runner crashes: cog answers that it is not healthy, and the job fails as with any engine.
    let id = account.http.create(&asking("a slow boat")).await;
    until("it runs", async || {
        let job = account.http.get(&format!("/generations/{id}")).await.json();
        job["data"]["progress"].as_f64().unwrap_or_default() > 0.0
    })
    .await;
    account
        .http
        .post(&format!("/generations/{id}/cancel"), &json!({}))
        .await;
    let job = make(&account.http, &asking("a boat again")).await;
    assert_eq!(job["status"], "completed", "{job}");
}

fn folder(path: &Path) -> String {
    path.display().to_string()
}

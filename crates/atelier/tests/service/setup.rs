//! Helpers of tests: shared servers, separate accounts, and answers as text.

use std::{
    collections::HashMap,
    fmt::Write as _,
    path::Path,
    sync::{
        Arc, Mutex, PoisonError, Weak,
        atomic::{AtomicU32, Ordering},
    },
    time::{Duration, Instant},
};

use atelier_testkit::{Answer, Http, Server};
use serde_json::{Value, json};
use tempfile::TempDir;

pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_atelier");

/// Every model is served immediately, and loopback addresses are allowed.
pub(crate) const ECHO: &str = r#"
routes = [{ model = "*", engine = "echo" }]
[metrics]
listen = ""
[outbound]
allow_private = true
[webhooks]
retry_seconds = [0.1, 0.1, 0.1]
[limits]
requests_per_minute = 60000
"#;

/// A server with its own data folder. When it is dropped, its store is audited.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) server: Server,
    accounts: AtomicU32,
    /// Removed when this is dropped.
    _folder: TempDir,
}

/// An account for one test.
#[derive(Debug)]
pub(crate) struct Account {
    pub(crate) name: String,
    pub(crate) http: Http,
    pub(crate) key: String,
    pub(crate) key_id: String,
    pub(crate) secret: String,
}

impl World {
    /// A running server with this configuration.
    pub(crate) fn start(config: &str) -> Self {
        let mut world = Self::prepare(config);
        world.server.start();
        world
    }

    /// A server whose jobs stay in the queue.
    pub(crate) fn without_workers(config: &str) -> Self {
        let mut world = Self::prepare(config);
        world.server.more_arguments(["--no-workers"]);
        world.server.start();
        world
    }

    /// A server that is not running yet.
    pub(crate) fn prepare(config: &str) -> Self {
        Self::prepare_in(tempfile::tempdir().unwrap(), config)
    }

    /// The same in this folder.
    pub(crate) fn prepare_in(folder: TempDir, config: &str) -> Self {
        let server = Server::new(PROGRAM, &folder.path().join("data"), config);
        Self {
            server,
            accounts: AtomicU32::new(0),
            _folder: folder,
        }
    }

    /// An account with very high limits.
    pub(crate) fn account(&self, credits: i64) -> Account {
        self.account_with(credits, &["--generations-per-minute", "60000"])
    }

    /// An account with these arguments to `atelier account create`.
    pub(crate) fn account_with(&self, credits: i64, arguments: &[&str]) -> Account {
        let name = format!("account-{}", self.accounts.fetch_add(1, Ordering::Relaxed));
        let credits = credits.to_string();
        let made = self
            .server
            .json(&[&["account", "create", &name, "--credits", &credits], arguments].concat());
        let text = |field: &str| made[field].as_str().unwrap().to_owned();
        let key = text("api_key");
        Account {
            http: self.server.http(&key),
            key_id: text("api_key_id"),
            secret: text("signing_secret"),
            key,
            name,
        }
    }

    /// A client without a key.
    pub(crate) fn anonymous(&self) -> Http {
        Http::new(&self.server.origin(), None)
    }

    pub(crate) fn shown(&self, account: &Account) -> Value {
        self.server.json(&["account", "show", &account.name])
    }

    /// The existing work files.
    pub(crate) fn scratch(&self) -> Vec<String> {
        files_in(&self.server.data().join("scratch"))
    }

    /// The stored media files.
    pub(crate) fn stored(&self) -> Vec<String> {
        files_in(&self.server.data().join("media"))
    }

    /// Fails the test if the audit finds problems.
    pub(crate) fn audit(&self) -> Value {
        let audit = self.server.json(&["audit"]);
        assert_eq!(audit["violations"], json!([]), "{audit}");
        assert_eq!(audit["ok"], true);
        audit
    }
}

impl Drop for World {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.audit();
        }
    }
}

impl Account {
    pub(crate) async fn credits(&self) -> i64 {
        self.http.get("/balance").await.json()["data"]["credits"]
            .as_i64()
            .unwrap()
    }

    /// One more job than `max` is refused, to be sent again later.
    pub(crate) async fn queue_is_full(&self, max: u32) {
        let refused = self.http.post("/generations", &cheap()).await;
        assert_eq!(
            (refused.status.as_u16(), refused.code().as_str()),
            (429, "queue_full")
        );
        assert_eq!(refused.header("retry-after"), Some("5"));
        let why = format!(
            "the queue of the account is full: its limit `max_queued` is {max} jobs; wait until some of them have \
             started, or ask the operator for a higher limit"
        );
        assert_eq!(refused.message(), why);
        assert_eq!(refused.json()["error"]["details"][0]["parameter"], "max_queued");
    }
}

/// The server with this configuration that tests share. It ends with the last test that uses it.
pub(crate) fn shared(config: &'static str) -> Arc<World> {
    static WORLDS: Mutex<Option<HashMap<&'static str, Weak<World>>>> = Mutex::new(None);
    let mut worlds = WORLDS.lock().unwrap_or_else(PoisonError::into_inner);
    let worlds = worlds.get_or_insert_default();
    if let Some(world) = worlds.get(config).and_then(Weak::upgrade) {
        return world;
    }
    let world = Arc::new(World::start(config));
    worlds.insert(config, Arc::downgrade(&world));
    world
}

/// The server whose models are all served by the engine `echo`.
pub(crate) fn echo() -> Arc<World> {
    shared(ECHO)
}

/// A job that costs 4 credits.
pub(crate) fn cheap() -> Value {
    json!({ "model": "image-gen-4", "prompt": "a fox", "resolution": "1K" })
}

/// The files in a folder and its subfolders, sorted.
pub(crate) fn files_in(folder: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(files_in(&path));
        } else {
            files.push(path.file_name().unwrap().to_str().unwrap().to_owned());
        }
    }
    files.sort();
    files
}

/// Waits until a condition is true. The test fails if that takes longer than half a minute.
pub(crate) async fn until(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(30);
    while !holds().await {
        assert!(Instant::now() < end, "not within 30 s: {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// An answer as text: status, sorted headers, body.
pub(crate) fn wire(answer: &Answer) -> String {
    let mut headers: Vec<_> = answer
        .headers
        .iter()
        .filter(|(name, _)| !["date", "content-length"].contains(&name.as_str()))
        .map(|(name, value)| format!("{name}: {}", value.to_str().unwrap()))
        .collect();
    headers.sort();
    let mut text = format!("{}\n{}\n", answer.status, headers.join("\n"));
    if !answer.bytes.is_empty() {
        write!(text, "\n{:#}", answer.json()).unwrap();
    }
    text
}

/// Compares an answer with the one in `snapshots/`. Values that differ in every run are replaced by placeholders.
macro_rules! assert_wire {
    ($name:literal, $answer:expr) => {{
        let wire = $crate::setup::wire(&$answer);
        insta::with_settings!({
            prepend_module_to_snapshot => false,
            omit_expression => true,
            filters => vec![
                (r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", "[id]"),
                (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", "[time]"),
                (r"\b[0-9a-f]{64}\b", "[sha256]"),
                (r"127\.0\.0\.1:\d+", "[host]"),
                (r"retry-after: \d+", "retry-after: [seconds]"),
                (r"wait \d+ s", "wait [seconds] s"),
                (r";r=\d+;t=\d+", ";r=[remaining];t=[seconds]"),
            ],
        }, { insta::assert_snapshot!($name, wire) })
    }};
}
pub(crate) use assert_wire;

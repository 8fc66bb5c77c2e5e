//! `atelier models` as a program: pulls that are killed, full disks, packs, licences.
#![allow(clippy::unwrap_used, reason = "a failure in here fails the test that uses it")]

#[path = "../../../service/weights/tests/pull/server.rs"]
#[allow(dead_code, reason = "the tests of the crate use more of it")]
mod server;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    time::Duration,
};

use serde_json::Value;
use server::{Reply, Server};
use sha2::{Digest as _, Sha256};

const PROGRAM: &str = env!("CARGO_BIN_EXE_atelier");
/// The size of a piece of a download.
const PIECE: u64 = 8 << 20;
const SIZE: usize = 20_000_000;

/// A data folder with one entry, `tiny`, whose file comes from this address.
struct Machine {
    folder: tempfile::TempDir,
}

impl Machine {
    fn new(bytes: &[u8], url: &str, licence: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let entry = format!(
            r#"
            name = "tiny"
            title = "Tiny"
            kind = "model"
            summary = "A model for tests."
            status = "verified"
            serves = [{{ model = "upscale", task = "upscale" }}]
            runtime = "onnx"
            licence = {{ id = "{licence}", page = "https://example.com/licence", commercial = "yes" }}
            [[files]]
            role = "graph"
            name = "tiny.onnx"
            size = {}
            sha256 = "{}"
            url = "{url}"
            "#,
            bytes.len(),
            hex::encode(Sha256::digest(bytes)),
        );
        fs::create_dir(folder.path().join("models.d")).unwrap();
        fs::write(folder.path().join("models.d/tiny.toml"), entry).unwrap();
        fs::write(
            folder.path().join("atelier.toml"),
            "[outbound]\nallow_private = true\n",
        )
        .unwrap();
        Self { folder }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(PROGRAM);
        command
            .args(arguments)
            .arg("--json")
            .env_clear()
            .env("ATELIER_DATA", self.folder.path())
            .stdin(Stdio::null());
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {error}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// The code and the message of a command that fails.
    fn failure(&self, arguments: &[&str]) -> (String, String) {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let value: Value = serde_json::from_slice(&output.stdout).unwrap();
        let text = |name: &str| value["error"][name].as_str().unwrap().to_owned();
        (text("code"), text("message"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn has(&self, bytes: &[u8]) -> bool {
        fs::read(self.path("models/tiny/tiny.onnx")).is_ok_and(|found| found == bytes)
    }
}

fn file(size: usize) -> Vec<u8> {
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    (0..size)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state as u8
        })
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pull_that_is_killed_fifty_times_goes_on_each_time() {
    let bytes = file(SIZE);
    let served = bytes.clone();
    let server = Server::start(move |request| Reply {
        pause: Some(Duration::from_millis(1)),
        ..Reply::of(request, &served)
    })
    .await;
    let machine = Machine::new(&bytes, &server.url(), "MIT");
    let (mut kills, mut whole) = (0_u64, 0_u64);
    while kills < 50 {
        let mut child = machine
            .command(&["models", "pull", "tiny"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Some are killed before the first byte, some while they check, some are done.
        tokio::time::sleep(Duration::from_millis(30 + (kills * 37) % 400)).await;
        child.kill().unwrap();
        let ended = child.wait().unwrap();
        let here = machine.path("models/tiny/lock.json").exists();
        // The files that are there are right, whenever the kill came.
        assert_eq!(here, machine.has(&bytes));
        if here {
            whole += 1;
            machine.json(&["models", "rm", "tiny"]);
            machine.json(&["models", "gc"]);
        }
        kills += u64::from(!ended.success());
    }
    machine.json(&["models", "pull", "tiny"]);
    assert!(machine.has(&bytes));
    let downloads = whole + 1;
    // A kill costs at most the piece on its way, and what was in the connection.
    let allowed = downloads * SIZE as u64 + kills * (PIECE + (4 << 20));
    let sent = server.sent();
    assert!(
        sent <= allowed,
        "{sent} of {allowed}: {downloads} downloads, {kills} kills"
    );
    println!("{kills} kills, {downloads} downloads of {SIZE} bytes, {sent} bytes sent");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_is_a_plain_error_that_keeps_the_part() {
    let bytes = file(SIZE);
    let server = Server::good(bytes.clone()).await;
    let machine = Machine::new(&bytes, &server.url(), "MIT");
    // No file may have more than 10 MB; without the signal, writing more is an error.
    let output = Command::new("sh")
        .args([
            "-c",
            "trap '' XFSZ; ulimit -f 20000; exec \"$0\" models pull tiny",
            PROGRAM,
        ])
        .env_clear()
        .env("ATELIER_DATA", machine.folder.path())
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        error.contains("is full; what was downloaded is kept: make room and pull again"),
        "{error}"
    );
    let pulled = machine.json(&["models", "pull", "tiny"]);
    assert_eq!(pulled["received_bytes"], SIZE as u64 - PIECE);
    assert!(machine.has(&bytes));
}

/// Pulls onto a small disk that somebody else fills in the meantime, makes room and pulls again.
const ON_A_SMALL_DISK: &str = r#"
mkdir -p "$ATELIER_DATA/models" && mount -t tmpfs -o size=26m tmpfs "$ATELIER_DATA/models" || exit 77
"$0" models pull tiny --json &
until ls "$ATELIER_DATA"/models/parts/*.part >/dev/null 2>&1; do sleep 0.05; done
head -c 14000000 /dev/zero > "$ATELIER_DATA/models/other"
wait $! && exit 1
rm "$ATELIER_DATA/models/other"
"$0" models pull tiny --json && "$0" models verify --json
"#;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_disk_that_somebody_else_fills_is_a_plain_error_and_the_next_pull_goes_on() {
    let bytes = file(SIZE);
    let served = bytes.clone();
    let server = Server::start(move |request| Reply {
        pause: Some(Duration::from_millis(10)),
        ..Reply::of(request, &served)
    })
    .await;
    let machine = Machine::new(&bytes, &server.url(), "MIT");
    let output = Command::new("unshare")
        .args([
            "--user",
            "--map-root-user",
            "--mount",
            "sh",
            "-c",
            ON_A_SMALL_DISK,
            PROGRAM,
        ])
        .env("ATELIER_DATA", machine.folder.path())
        .output();
    let mounted = |output: &Output| output.status.code() != Some(77);
    let Some(output) = output.ok().filter(mounted) else {
        println!("skipped: this machine does not allow mounts");
        return;
    };
    let said = String::from_utf8(output.stdout).unwrap();
    let values: Vec<Value> = said
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let [full, pulled, verified] = values.as_slice() else {
        panic!("{said}{}", String::from_utf8_lossy(&output.stderr));
    };
    assert_eq!(full["error"]["code"], "disk_full", "{full}");
    let received = pulled["received_bytes"].as_u64().unwrap();
    assert!(received <= SIZE as u64 - PIECE, "{received}");
    assert_eq!(verified["damaged"], serde_json::json!([]));
    assert!(
        server.sent() <= SIZE as u64 + PIECE + (4 << 20),
        "{}",
        server.sent()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_programs_share_one_download() {
    let bytes = file(SIZE);
    let served = bytes.clone();
    let server = Server::start(move |request| Reply {
        pause: Some(Duration::from_millis(1)),
        ..Reply::of(request, &served)
    })
    .await;
    let machine = Machine::new(&bytes, &server.url(), "MIT");
    let start = || {
        machine
            .command(&["models", "pull", "tiny"])
            .stdout(Stdio::null())
            .spawn()
            .unwrap()
    };
    let (mut one, mut other) = (start(), start());
    let (one, other) = tokio::task::spawn_blocking(move || (one.wait().unwrap(), other.wait().unwrap()))
        .await
        .unwrap();
    assert!(one.success() && other.success());
    assert_eq!(server.sent(), SIZE as u64);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn weights_are_listed_shown_verified_and_carried_to_another_machine() {
    let bytes = file(300_000);
    let server = Server::good(bytes.clone()).await;
    let machine = Machine::new(&bytes, &server.url(), "MIT");
    assert_eq!(machine.json(&["models", "list"]), serde_json::json!([]));
    let all = machine.json(&["models", "list", "--all"]);
    let tiny = |list: &Value| {
        list.as_array()
            .unwrap()
            .iter()
            .find(|row| row["name"] == "tiny")
            .cloned()
            .unwrap()
    };
    assert_eq!(
        (&tiny(&all)["installed"], &tiny(&all)["bytes"]),
        (&Value::Bool(false), &300_000.into())
    );
    machine.json(&["models", "pull", "tiny"]);
    assert_eq!(tiny(&machine.json(&["models", "list"]))["installed"], true);
    assert_eq!(machine.json(&["models", "show", "tiny"])["licence"]["id"], "MIT");
    assert_eq!(
        machine.json(&["models", "verify"])["damaged"],
        serde_json::json!([])
    );
    let pack = machine.path("pack.tar");
    machine.json(&["models", "export", "tiny", "--to", pack.to_str().unwrap()]);

    let other = Machine::new(&bytes, "http://127.0.0.1:9/x", "MIT");
    let imported = other.json(&["models", "import", pack.to_str().unwrap()]);
    assert_eq!(imported["installed"], serde_json::json!(["tiny"]));
    assert!(other.has(&bytes));
    let (code, message) = other.failure(&["models", "pull", "nobody"]);
    assert_eq!(code, "not_found");
    assert!(message.starts_with("unknown model `nobody`"), "{message}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pack_for_another_machine_installs_nothing_here() {
    let bytes = file(300_000);
    let server = Server::good(bytes.clone()).await;
    let machine = Machine::new(&bytes, &server.url(), "MIT");
    let pack = machine.path("pack.tar");
    let to = pack.to_str().unwrap();
    let packed = machine.json(&["models", "pull", "tiny", "--for", "macos-aarch64", "--to", to]);
    assert_eq!(packed["bytes"], 300_000);
    assert_eq!(machine.json(&["models", "list"]), serde_json::json!([]));
    assert!(Path::new(to).exists());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn licences_that_are_not_permissive_are_accepted_first_and_recorded() {
    let bytes = file(300_000);
    let server = Server::good(bytes.clone()).await;
    let machine = Machine::new(&bytes, &server.url(), "CC-BY-NC-4.0");
    let (code, message) = machine.failure(&["models", "pull", "tiny"]);
    assert_eq!(code, "licence_not_accepted");
    assert!(message.contains("--accept-licence"), "{message}");
    assert!(server.requests().is_empty());
    machine.json(&["models", "pull", "tiny", "--accept-licence"]);
    let refusing = machine
        .command(&["models", "pull", "tiny", "--accept-licence"])
        .env("ATELIER_MODELS__LICENCES", "[\"permissive\"]")
        .output()
        .unwrap();
    assert_eq!(refusing.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&refusing.stderr).contains("not allowed by `models.licences`"));
    let database = fs::read(machine.path("atelier.db")).unwrap();
    let log = fs::read(machine.path("atelier.db-wal")).unwrap_or_default();
    let recorded = [database, log].concat();
    assert!(recorded.windows(14).any(|bytes| bytes == b"licence.accept"));
}

#[test]
fn the_catalogs_listing_is_found_under_both_names() {
    let machine = Machine::new(b"x", "http://127.0.0.1:9/x", "MIT");
    fs::write(
        machine.path("atelier.toml"),
        "routes = [{ model = \"*\", engine = \"echo\" }]\n",
    )
    .unwrap();
    let listed = machine.json(&["catalog"]);
    assert!(listed.as_array().unwrap().len() > 50);
    assert_eq!(machine.json(&["models"]), listed);
    let shown = machine.json(&["catalog", "upscale"]);
    assert_eq!(
        (&shown["slug"], machine.json(&["models", "upscale"])),
        (&Value::from("upscale"), shown.clone())
    );
}

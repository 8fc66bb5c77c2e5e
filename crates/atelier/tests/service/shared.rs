//! Several servers on one PostgreSQL database and one media folder: they share the jobs, and every accepted job is done
//! once, whichever of them dies.

use std::time::Duration;

use atelier_testkit::{Receiver, Server};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
};

use crate::{
    crashes::load::{Books, Chance, Hanging},
    files,
    planned::{self, Plan},
    setup::{ECHO, PROGRAM, World, cheap, until},
};

/// A database that nodes share, their folder for files, and the origin of their links.
struct Shared {
    config: String,
    /// Media, and the data folders of the nodes.
    folder: TempDir,
}

impl Shared {
    fn new() -> Option<Self> {
        let url = atelier_testkit::postgres()?.schema();
        let folder = tempfile::tempdir().unwrap();
        let media = folder.path().join("media");
        let config = format!(
            "{ECHO}[store]\nurl = \"{url}\"\nconnections = 8\n[media]\nurl = \"file:{}\"\n\
             [server]\nshutdown_grace_seconds = 1\npublic_url = \"http://atelier.example\"\n",
            media.display()
        );
        Some(Self { config, folder })
    }

    /// The node that runs the commands, and whose store is audited at the end.
    fn world(&self) -> World {
        World::prepare(&self.config)
    }

    /// Another node.
    fn node(&self, name: &str) -> Server {
        Server::new(PROGRAM, &self.folder.path().join(name), &self.config)
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_complete_service_works_on_postgresql_and_finds_everything_after_a_restart() {
    let Some(shared) = Shared::new() else { return };
    let mut world = shared.world();
    world.server.start();
    let account = world.account(100);
    let receiver = Receiver::start().await;

    let uploaded = account.http.upload(files::PNG.to_vec(), "a.png").await;
    assert_eq!(uploaded.status, 201, "{}", uploaded.json());
    let url = uploaded.json()["data"]["url"].as_str().unwrap().to_owned();
    let mut request = json!({ "model": "upscale", "image_urls": [url] });
    request["webhook_url"] = json!(receiver.url("/hook"));
    let id = account.http.create(&request).await;
    let job = account.http.wait(&id).await;
    assert_eq!(job["status"], "completed", "{job}");
    let came = receiver.wait_for(1).await;
    assert_eq!(came[0].json()["data"], job);

    let ready = world.anonymous().get("//readyz").await;
    assert_eq!(ready.status, 200, "{}", ready.json());
    let charged = job["credits_charged"].as_i64().unwrap();
    assert!(world.server.terminate().success(), "{}", world.server.log());
    world.server.start();
    let account_again = world.server.http(&account.key);
    assert_eq!(account_again.wait(&id).await, job);
    assert_eq!(
        account_again.get("/balance").await.json()["data"]["credits"],
        100 - charged
    );
    let listed = world.server.json(&["webhook", "list", &account.name]);
    assert!(listed.to_string().contains("delivered"), "{listed}");
    assert!(world.server.json(&["user", "list"]).is_array());
    world.server.json(&["key", "revoke", &account.key_id]);
    assert_eq!(account_again.get("/balance").await.status, 401);
    assert!(!world.server.log().contains("ERROR"), "{}", world.server.log());
}

#[cfg(feature = "studio")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn jobs_of_a_node_without_disk_space_run_on_another_and_the_node_says_so() {
    let Some(mut shared) = Shared::new() else { return };
    shared.config = shared.config.replace(ECHO, &ECHO.replace("echo", "draft"));
    let mut world = shared.world();
    shared.config.push_str("[workers]\nscratch_mib = 4\n");
    let mut full = shared.node("full");
    world.server.start();
    full.start();
    let left_behind = full.data().join("scratch/left-behind");
    let scratch = async || full.http("").get("//readyz").await;
    // A node that starts clears its scratch folder.
    until("the node runs", async || scratch().await.status == 200).await;
    std::fs::write(&left_behind, vec![0; 4 << 20]).unwrap();
    until("the node has noticed", async || {
        scratch().await.json()["data"]["scratch"] == "full"
    })
    .await;
    assert_eq!(scratch().await.status, 200, "it still serves");

    let account = world.account(1_000);
    let there = full.http(&account.key);
    let uploaded = account.http.upload(files::PNG.to_vec(), "a.png").await.json();
    let request = json!({ "model": "upscale", "image_urls": [uploaded["data"]["url"]] });
    let mut ids = Vec::new();
    for _ in 0..6 {
        ids.push(there.create(&request).await);
    }
    for id in &ids {
        let job = there.wait(id).await;
        assert_eq!(job["status"], "completed", "{job}");
        assert_eq!(job["attempts"], Value::Null, "no attempt failed: {job}");
    }
    let says = |text: &str| full.log().matches(text).count();
    assert_eq!(says("jobs wait in the queue"), 1, "{}", full.log());
    std::fs::remove_file(&left_behind).unwrap();
    until("it has room again", async || says("has room again") == 1).await;
    until("it says so", async || {
        scratch().await.json()["data"]["scratch"] == "ok"
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_servers_share_jobs_files_and_events() {
    const JOBS: usize = 100;
    let Some(shared) = Shared::new() else { return };
    let mut world = shared.world();
    let mut other = shared.node("other");
    // They create the schema concurrently.
    std::thread::scope(|starting| {
        starting.spawn(|| world.server.start());
        starting.spawn(|| other.start());
    });
    let account = world.account(10_000);
    let there = other.http(&account.key);
    let receiver = Receiver::start().await;
    let mut request = cheap();
    request["webhook_url"] = json!(receiver.url("/hook"));
    let mut ids = Vec::new();
    for number in 0..JOBS {
        // Created on one node, waited for on the other.
        let (asked, waited) = if number % 2 == 0 {
            (&account.http, &there)
        } else {
            (&there, &account.http)
        };
        let id = asked.create(&request).await;
        if number % 10 == 0 {
            let job = waited.wait(&id).await;
            assert_eq!(job["status"], "completed");
            let path = job["output"]["assets"][0]["url"].as_str().unwrap();
            let path = &path[path.find("/media/").unwrap()..];
            for node in [&world.server, &other] {
                assert_eq!(node.http(&account.key).get(&format!("/{path}")).await.status, 200);
            }
        }
        ids.push(id);
    }
    until("all jobs have ended", async || {
        there.get("/generations?status=completed&limit=1").await.json()["meta"]["total"] == JOBS
    })
    .await;
    assert_eq!(account.credits().await, 10_000 - 4 * JOBS as i64);
    receiver.wait_for(JOBS).await;
    let mut told: Vec<String> = receiver
        .received()
        .iter()
        .map(|came| came.json()["data"]["id"].as_str().unwrap().to_owned())
        .collect();
    told.sort();
    told.dedup();
    ids.sort();
    assert_eq!(told, ids);

    // A change takes effect on every node immediately.
    world.server.json(&["api", "disable"]);
    for node in [&account.http, &there] {
        assert_eq!(node.post("/generations", &cheap()).await.status, 403);
    }
    world.server.json(&["api", "enable"]);
    assert!(other.terminate().success(), "{}", other.log());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_server_takes_over_the_job_of_a_killed_one_which_is_paid_for_and_reported_once() {
    let Some(shared) = Shared::new() else { return };
    let mut world = shared.world();
    let plan = Plan::calm();
    planned::start(&mut world.server, &plan);
    let account = world.account(100);
    let receiver = Receiver::start().await;
    let input = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/a.png", input.local_addr().unwrap());
    let request = json!({ "model": "upscale", "image_urls": [url], "webhook_url": receiver.url("/hook") });
    let id = account.http.create(&request).await;
    // The only server has started the job …
    let (held, _) = input.accept().await.unwrap();
    let mut other = shared.node("other");
    planned::start(&mut other, &plan);
    // … and dies.
    world.server.kill();
    drop(held);
    // The other starts it again after the end of the lease.
    let (mut asked, _) = input.accept().await.unwrap();
    // For a client in the middle of a request, the end of the connection would be an error.
    let mut question = Vec::new();
    while !question.ends_with(b"\r\n\r\n") {
        question.push(asked.read_u8().await.unwrap());
    }
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: image/png\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        files::PNG.len()
    );
    asked.write_all(head.as_bytes()).await.unwrap();
    asked.write_all(files::PNG).await.unwrap();
    asked.shutdown().await.unwrap();
    let there = other.http(&account.key);
    let job = there.wait(&id).await;
    assert_eq!(job["status"], "completed", "{job}");
    let charged = job["credits_charged"].as_i64().unwrap();
    let balance = there.get("/balance").await.json();
    assert_eq!(balance["data"]["credits"], 100 - charged);
    let came = receiver.wait_for(1).await;
    assert_eq!(came[0].json()["data"], job);
    let ledger = world.shown(&account);
    assert_eq!(
        (&ledger["credits"], &ledger["held"]),
        (&json!(100 - charged), &json!(0))
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_two_servers_killed_at_random_moments_loses_and_repeats_nothing() {
    const KILLS: u32 = 5;
    let Some(shared) = Shared::new() else { return };
    let mut world = shared.world();
    let plan = Plan::calm();
    planned::start(&mut world.server, &plan);
    let mut other = shared.node("other");
    let account = world.account(1_000_000);
    let books = Books::new(&account).await;
    let mut chance = Chance::new(0x5a_fe);
    for _ in 0..KILLS {
        planned::start(&mut other, &plan);
        let hanging = Hanging::new().await;
        let clients = books.clients(4, 12);
        let special = books.special_requests(&hanging, true);
        tokio::time::sleep(Duration::from_millis(chance.below(150))).await;
        other.kill();
        books.wait_for_clients(clients).await;
        books.wait_for_clients(vec![special]).await;
    }
    books.balance(&world, &account).await;
}

#[tokio::test]
async fn a_server_replaces_broken_connections() {
    let Some(mut shared) = Shared::new() else { return };
    shared.config = shared
        .config
        .replace("&user=atelier", "&user=atelier&application_name=broken");
    let mut world = shared.world();
    world.server.start();
    let account = world.account(100);
    let ended = atelier_testkit::postgres().unwrap().run(
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = 'broken'",
    );
    assert_ne!(ended.trim(), "0");
    assert_eq!(account.http.get("/balance").await.status, 200);
    let id = account.http.create(&cheap()).await;
    assert_eq!(account.http.wait(&id).await["status"], "completed");
}

#[tokio::test]
async fn a_server_whose_connections_break_as_it_starts_goes_on() {
    let Some(mut shared) = Shared::new() else { return };
    shared.config = shared
        .config
        .replace("&user=atelier", "&user=atelier&application_name=early");
    let mut world = shared.world();
    world.server.start();
    // It has its address, and for a quarter of a second every connection to the database breaks.
    atelier_testkit::postgres().unwrap().run(
        "DO $$ BEGIN FOR round IN 1..50 LOOP
             PERFORM pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'early';
             PERFORM pg_sleep(0.005);
             PERFORM pg_stat_clear_snapshot();
         END LOOP; END $$",
    );
    let account = world.account(100);
    let id = account.http.create(&cheap()).await;
    assert_eq!(account.http.wait(&id).await["status"], "completed");
}

#[tokio::test]
async fn an_unreachable_database_is_named_without_its_password() {
    let Some(shared) = Shared::new() else { return };
    let folder = shared.folder.path().join("wrong");
    let wrong = shared
        .config
        .replace("&user=atelier", "&user=stranger&password=topsecret");
    let (code, stdout, stderr) =
        Server::new(PROGRAM, &folder, &wrong).command(&["account", "list", "--json"]);
    assert_eq!(code, 1, "{stdout}");
    let error: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(error["error"]["code"], "store", "{stderr}");
    let said = error["error"]["message"].as_str().unwrap();
    assert!(said.contains("role \"stranger\" does not exist"), "{said}");
    assert!(!format!("{stdout}{stderr}").contains("topsecret"), "{said}");
}

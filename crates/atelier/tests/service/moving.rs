//! `atelier store move`: a server goes on with PostgreSQL where it stopped with SQLite.

use std::fs;

use atelier_testkit::Receiver;
use serde_json::{Value, json};

use crate::{
    files,
    setup::{ECHO, World, cheap, until},
};

fn set_store(world: &World, url: &str) {
    let config = format!("{ECHO}[store]\nurl = \"{url}\"\n");
    fs::write(world.server.data().join("atelier.toml"), config).unwrap();
}

/// Returns the view of clients and operators, without what changes by itself.
async fn seen(world: &World, names: [&str; 2], key: &str) -> Value {
    let http = world.server.http(key);
    let listed = http.get("/generations?limit=100").await.json();
    let commands = [
        &["account", "list"][..],
        &["account", "show", names[0]],
        &["account", "invitations", names[0]],
        &["key", "list", names[0]],
        &["key", "list", names[1]],
        &["user", "list"],
        &["webhook", "list", names[0]],
    ];
    let commands = commands.map(|command| world.server.json(command));
    json!({
        "jobs": listed["data"],
        "total": listed["meta"]["total"],
        "balance": http.get("/balance").await.json()["data"],
        "commands": commands,
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everything_moves_from_sqlite_to_postgresql() {
    let Some(postgres) = atelier_testkit::postgres() else {
        return;
    };
    let mut world = World::start(ECHO);
    let (account, other) = (world.account(100), world.account(7));
    let receiver = Receiver::start().await;
    let mut request = cheap();
    request["webhook_url"] = json!(receiver.url("/hook"));
    request["prompt"] = json!("a fox\t\\N \"quoted\"\nand \u{0} more \u{1f98a}");
    for _ in 0..5 {
        let id = account.http.create(&request).await;
        account.http.wait(&id).await;
    }
    receiver.wait_for(5).await;
    let upload = account.http.upload(files::PNG.to_vec(), "a.png").await.json();
    let missing = json!({ "model": "upscale", "image_urls": [format!("{}/nothing.png", receiver.url(""))] });
    let failed = account.http.create(&missing).await;
    assert_eq!(account.http.wait(&failed).await["status"], "failed");
    let keyed = [("idempotency-key", "once")];
    let once = account.http.post_with("/generations", &cheap(), &keyed).await;
    let once = once.json()["data"]["id"].as_str().unwrap().to_owned();
    account.http.wait(&once).await;
    world.server.json(&[
        "account",
        "update",
        &other.name,
        "--credits",
        "-3",
        "--plan",
        "none",
    ]);
    world.server.json(&["key", "revoke", &other.key_id]);
    world.server.json(&["account", "invite", &account.name]);
    until("the webhooks are recorded", async || {
        let listed = world.server.json(&["webhook", "list", &account.name]).to_string();
        listed.matches("\"delivered\"").count() == 5
    })
    .await;
    // A server that accepts jobs and runs none leaves them in the queue.
    assert!(world.server.terminate().success());
    world.server.more_arguments(["--no-workers"]);
    world.server.start();
    let queued = account.http.create(&request).await;
    let names = [&*account.name, &*other.name];
    let before = seen(&world, names, &account.key).await;

    let url = postgres.schema();
    set_store(&world, &url);
    let (code, _, text) = world.server.command(&["store", "move"]);
    assert!(code == 1 && text.contains("is in use by the server"), "{text}");
    assert!(world.server.terminate().success());
    let moved = world.server.json(&["store", "move"]);
    assert_eq!(
        (&moved["rows"]["generations"], &moved["rows"]["deliveries"]),
        (&json!(8), &json!(5))
    );
    let (code, _, text) = world.server.command(&["store", "move"]);
    assert!(code == 1 && text.contains("is not empty"), "{text}");

    world.server.start();
    assert_eq!(seen(&world, names, &account.key).await, before);
    let again = account.http.post_with("/generations", &cheap(), &keyed).await;
    assert_eq!(
        again.json()["data"]["id"],
        json!(once),
        "the idempotency key counts"
    );
    let path = upload["data"]["url"].as_str().unwrap();
    let path = format!("/{}", &path[path.find("/media/").unwrap()..]);
    assert_eq!(account.http.get(&path).await.bytes, files::PNG);
    assert!(world.server.terminate().success());
    world.server.more_arguments([]);
    world.server.start();
    assert_eq!(account.http.wait(&queued).await["status"], "completed");
    let next = account.http.create(&request).await;
    assert_eq!(account.http.wait(&next).await["status"], "completed");
    receiver.wait_for(7).await;
    world.audit();
}

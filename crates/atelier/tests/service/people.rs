//! The invitation links that the program prints, and the commands about users.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::{
    files,
    setup::{ECHO, World, echo},
};

/// Waits until the server has printed this many links. It listens before it prints.
async fn links(world: &World, count: usize) -> Vec<String> {
    let until = Instant::now() + Duration::from_secs(20);
    loop {
        let log = world.server.log();
        let links = log.lines().filter(|line| line.contains("/account/join/"));
        let links: Vec<_> = links.map(|line| line.trim().to_owned()).collect();
        if links.len() >= count {
            return links;
        }
        assert!(Instant::now() < until, "{log}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_start_prints_a_new_link_until_an_operator_exists() {
    let mut world = World::start(ECHO);
    let first = links(&world, 1).await;
    assert_eq!(first.len(), 1, "{}", world.server.log());
    assert!(first[0].starts_with(&world.server.origin()), "{}", first[0]);
    tokio::task::block_in_place(|| world.server.terminate());
    world.server.start();
    let second = links(&world, 2).await;
    assert_ne!(second.last(), first.last(), "a fresh one");
}

#[tokio::test]
async fn an_invitation_is_printed_as_a_link_while_the_server_runs() {
    let world = echo();
    let account = world.account(0);
    let invited = world.server.json(&["account", "invite", &account.name]);
    assert_eq!(
        (&invited["role"], &invited["account"]),
        (&json!("member"), &json!(account.name))
    );
    assert!(
        invited["url"].as_str().unwrap().contains("/account/join/"),
        "{invited}"
    );
    let operator = world
        .server
        .json(&["account", "invite", &account.name, "--operator"]);
    assert_eq!(operator["role"], "operator");
    let (code, _, complaint) = world.server.command(&["account", "invite", "nobody"]);
    assert_eq!(code, 1);
    assert!(
        complaint.contains("there is no account named `nobody`"),
        "{complaint}"
    );
    assert_eq!(world.server.json(&["user", "list", &account.name]), json!([]));
}

#[tokio::test]
async fn commands_list_and_revoke_invitations() {
    let world = echo();
    let account = world.account(0);
    let list = || world.server.json(&["account", "invitations", &account.name]);
    assert_eq!(list(), json!([]));
    let invited = world.server.json(&["account", "invite", &account.name]);
    let listed = list();
    let (id, expires) = (listed[0]["id"].as_str().unwrap(), &listed[0]["expires_at"]);
    assert_eq!(
        (&listed[0]["role"], expires),
        (&json!("member"), &invited["expires_at"])
    );
    let path = invited["url"]
        .as_str()
        .unwrap()
        .split_once("/account/")
        .unwrap()
        .1;
    let page = async || world.anonymous().get(&format!("//account/{path}")).await.status;
    assert_eq!(page().await, 200);
    world.server.json(&["account", "revoke-invitation", id]);
    assert_eq!(page().await, 404, "the link stops working immediately");
    assert_eq!(list(), json!([]));
    let (code, _, error) = world.server.command(&["account", "revoke-invitation", id]);
    assert!(code == 1 && error.contains("no open invitation"), "{error}");
}

#[tokio::test]
async fn a_reset_link_requires_a_user() {
    let world = echo();
    let (code, _, error) = world.server.command(&["user", "reset-password", "nobody"]);
    assert!(
        code == 1 && error.contains("no user with the login `nobody`"),
        "{error}"
    );
}

#[tokio::test]
async fn a_file_taken_down_by_command_answers_410_and_is_refused() {
    let world = World::start(ECHO);
    let account = world.account(100);
    let bytes = files::PNG.to_vec();
    let uploaded = account.http.upload(bytes.clone(), "a.png").await.json();
    let url = uploaded["data"]["url"].as_str().unwrap().to_owned();
    let path = format!("/{}", url.strip_prefix(&world.server.origin()).unwrap());
    assert_eq!(world.anonymous().get(&path).await.status, 200);
    world
        .server
        .json(&["media", "takedown", &url, "--reason", "asked for by its owner"]);
    let gone = world.anonymous().get(&path).await;
    assert_eq!((gone.status.as_u16(), gone.code().as_str()), (410, "not_found"));
    let preview = world.anonymous().get(&format!("{path}/preview")).await;
    assert_eq!(preview.status, 410);
    let again = account.http.upload(bytes, "a.png").await;
    assert_eq!(
        (again.status.as_u16(), again.code().as_str()),
        (400, "invalid_request")
    );
    let used = json!({ "model": "upscale", "image_urls": [url] });
    assert_eq!(account.http.post("/generations", &used).await.status, 400);
    assert_eq!(world.stored(), Vec::<String>::new());
}

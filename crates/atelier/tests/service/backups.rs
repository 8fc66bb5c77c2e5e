//! Backups: complete while the server works, verified, and restored into a new data folder only.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

use atelier_testkit::Server;
use serde_json::{Value, json};

use crate::{
    files,
    setup::{Account, ECHO, PROGRAM, World, cheap},
};

/// Creates jobs and stores files until it is told to stop. Returns how many of each.
async fn works(account: &Account, stop: &AtomicBool) -> usize {
    let mut rounds = 0;
    while !stop.load(Ordering::SeqCst) {
        account.http.create(&cheap()).await;
        let upload = account.http.upload(files::png_of(1_000 + rounds), "a.png").await;
        assert_eq!(upload.status, 201);
        rounds += 1;
    }
    rounds
}

/// Runs a command on a data folder and returns its exit code and all it printed.
async fn command(data: &Path, args: &[&str]) -> (i32, String) {
    let output = tokio::process::Command::new(PROGRAM)
        .args(args)
        .arg("--data")
        .arg(data)
        .output()
        .await
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    (
        output.status.code().unwrap_or(-1),
        String::from_utf8(text).unwrap(),
    )
}

async fn backed_up(world: &World, folder: &Path) -> Value {
    let (code, text) = command(
        world.server.data(),
        &["backup", folder.to_str().unwrap(), "--json"],
    )
    .await;
    assert_eq!(code, 0, "{text}");
    serde_json::from_str(&text).unwrap()
}

/// The stored files of a folder, with their paths.
fn stored(media: &Path) -> Vec<PathBuf> {
    let mut found: Vec<_> = fs::read_dir(media)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .flat_map(|shard| fs::read_dir(shard).unwrap().map(|entry| entry.unwrap().path()))
        .collect();
    found.sort();
    found
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_made_under_load_is_restored_with_every_row_and_file() {
    let world = World::start(ECHO);
    let account = world.account(1_000_000);
    let before = account.http.upload(files::PNG.to_vec(), "a.png").await.json();
    let ended = account.http.create(&cheap()).await;
    let ended = account.http.wait(&ended).await;
    let folder = tempfile::tempdir().unwrap();
    let (backups, data) = (folder.path().join("backups"), folder.path().join("data"));

    let stop = AtomicBool::new(false);
    let (rounds, (first, second)) = tokio::join!(works(&account, &stop), async {
        let first = backed_up(&world, &backups).await;
        let second = backed_up(&world, &backups).await;
        stop.store(true, Ordering::SeqCst);
        (first, second)
    });
    assert!(rounds > 1, "the server worked meanwhile");
    assert!(second["generations"].as_u64() >= first["generations"].as_u64());
    let (all, new) = (
        second["files"].as_u64().unwrap(),
        second["new_files"].as_u64().unwrap(),
    );
    assert!(
        new < all,
        "what the first backup had was not copied again: {second}"
    );

    let mut restored = Server::new(PROGRAM, &data, ECHO);
    let report = restored.json(&["restore", backups.to_str().unwrap()]);
    assert_eq!(report["generations"], second["generations"]);
    assert_eq!(report["files"].as_u64(), Some(all));
    assert_eq!(stored(&data.join("media")).len() as u64, all);
    let audit = restored.json(&["audit"]);
    assert_eq!(
        (&audit["ok"], &audit["generations"]),
        (&json!(true), &second["generations"])
    );
    restored.start();
    let http = restored.http(&account.key);
    let id = ended["id"].as_str().unwrap();
    assert_eq!(http.wait(id).await["credits_charged"], ended["credits_charged"]);
    let url = before["data"]["url"].as_str().unwrap();
    let path = &url[url.find("/media/").unwrap()..];
    assert_eq!(http.get(&format!("/{path}")).await.bytes, files::PNG);
    // Jobs that were queued or running go on.
    let again = http.create(&cheap()).await;
    assert_eq!(http.wait(&again).await["status"], "completed");
}

#[tokio::test]
async fn a_damaged_backup_and_an_occupied_data_folder_are_refused() {
    let world = World::start(ECHO);
    let account = world.account(100);
    account.http.upload(files::PNG.to_vec(), "a.png").await;
    let folder = tempfile::tempdir().unwrap();
    let (backups, data) = (folder.path().join("backups"), folder.path().join("data"));
    backed_up(&world, &backups).await;
    let from = backups.to_str().unwrap();

    let (code, text) = command(world.server.data(), &["restore", from]).await;
    assert!(code == 1 && text.contains("is in use by the server"), "{text}");
    let file = stored(&backups.join("media")).remove(0);
    let bytes = fs::read(&file).unwrap();
    fs::remove_file(&file).unwrap();
    let (code, text) = command(&data, &["restore", from]).await;
    assert!(code == 1 && text.contains("it lacks the file"), "{text}");
    fs::write(&file, b"other bytes").unwrap();
    let (code, text) = command(&data, &["restore", from]).await;
    assert!(code == 1 && text.contains("it is damaged"), "{text}");
    assert!(!data.join("atelier.db").exists(), "nothing was restored");
    fs::write(&file, bytes).unwrap();
    let (code, text) = command(&data, &["restore", from]).await;
    assert_eq!(code, 0, "{text}");
    let (code, text) = command(&data, &["restore", from]).await;
    assert!(code == 1 && text.contains("into an empty data folder"), "{text}");

    let database = fs::read_dir(&backups)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.extension().is_some_and(|extension| extension == "db"))
        .unwrap();
    fs::write(database, b"SQLite format 3").unwrap();
    let (code, text) = command(&folder.path().join("other"), &["restore", from]).await;
    assert!(code == 1 && text.contains("is damaged"), "{text}");
}

#[tokio::test]
async fn a_backup_of_postgresql_names_the_tool_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let config = "[store]\nurl = \"postgres:///nowhere\"\n";
    let server = Server::new(PROGRAM, &folder.path().join("data"), config);
    for (asked, tool) in [("backup", "pg_dump"), ("restore", "pg_restore")] {
        let (code, _, text) = server.command(&[asked, "backups"]);
        assert!(code == 1 && text.contains(tool), "{text}");
    }
}

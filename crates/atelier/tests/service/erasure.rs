//! Accounts that the operator exports and erases with the command line, beside a running server.

use std::{collections::BTreeMap, fs, io::Read as _, path::Path};

use flate2::read::GzDecoder;
use serde_json::{Value, json};

use crate::{
    files,
    setup::{Account, ECHO, World, cheap},
};

/// The files of an archive by their names.
fn unpacked(archive: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut archive = tar::Archive::new(GzDecoder::new(fs::File::open(archive).unwrap()));
    let mut files = BTreeMap::new();
    for entry in archive.entries().unwrap() {
        let mut entry = entry.unwrap();
        let name = entry.path().unwrap().to_str().unwrap().to_owned();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        files.insert(name, bytes);
    }
    files
}

fn lines(bytes: &[u8]) -> Vec<Value> {
    let text = std::str::from_utf8(bytes).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

async fn uploaded(account: &Account, bytes: &[u8]) -> String {
    let answer = account.http.upload(bytes.to_vec(), "file").await;
    answer.json()["data"]["url"].as_str().unwrap().to_owned()
}

async fn status(world: &World, url: &str) -> u16 {
    let path = url.strip_prefix(&world.server.origin()).unwrap();
    // One slash more: not below the address of the API.
    let path = format!("/{path}");
    world.anonymous().get(&path).await.status.as_u16()
}

#[tokio::test]
async fn an_account_is_exported_and_erased_and_its_books_stay() {
    let world = World::without_workers(ECHO);
    let (account, other) = (world.account(100), world.account(100));
    let shared = uploaded(&account, files::PNG).await;
    assert_eq!(uploaded(&other, files::PNG).await, shared);
    let own = uploaded(&account, files::MP4).await;
    let mut body = cheap();
    body["webhook_url"] = json!("http://127.0.0.1:9/hook");
    let cancelled = account.http.create(&body).await;
    let path = format!("/generations/{cancelled}/cancel");
    assert_eq!(account.http.post(&path, &json!({})).await.status, 200);
    let queued = account.http.create(&cheap()).await;
    let name = account.name.as_str();

    let folder = world.server.data().join("exported");
    let archive = world.server.data().join("exported.tar.gz");
    for to in [&folder, &archive] {
        let manifest = world
            .server
            .json(&["account", "export", name, to.to_str().unwrap()]);
        assert_eq!(manifest["name"], name);
        assert_eq!(manifest["rows"]["generations"], 2, "{manifest}");
        assert_eq!(manifest["rows"]["ledger"], 4, "{manifest}");
        assert_eq!(
            (&manifest["files"], &manifest["missing_files"]),
            (&json!(2), &json!(0))
        );
    }
    let (code, _, said) = world
        .server
        .command(&["account", "export", name, folder.to_str().unwrap()]);
    assert_eq!(code, 1);
    assert!(said.contains("exists already"), "{said}");
    let packed = unpacked(&archive);
    assert_eq!(packed.len(), 22 + 2 + 1, "{:?}", packed.keys());
    for (name, bytes) in &packed {
        let in_folder = fs::read(folder.join(name)).unwrap();
        // The others change meanwhile: the log of requests, the use of the key, the record of changes.
        if name.starts_with("media/") || ["generations.jsonl", "ledger.jsonl"].contains(&name.as_str()) {
            assert_eq!(&in_folder, bytes, "{name}");
        }
        let text = String::from_utf8_lossy(bytes);
        for secret in [&account.key, &account.secret] {
            assert!(!text.contains(secret), "{name}");
        }
    }
    let generations = lines(&packed["generations.jsonl"]);
    assert_eq!(generations[0]["id"], queued);
    assert_eq!(generations[0]["params"]["prompt"], "a fox");
    assert_eq!(generations[1]["id"], cancelled);
    assert_eq!(generations[1]["error"]["message"], "cancelled");
    assert_eq!(
        lines(&packed["deliveries.jsonl"])[0]["body"]["data"]["id"],
        cancelled
    );
    let file = format!("media/{}", own.rsplit('/').next().unwrap());
    assert_eq!(packed[&file], files::MP4);

    let erase = |more: &[&str]| {
        world
            .server
            .command(&[&["account", "erase", name], more].concat())
    };
    let (code, _, said) = erase(&[]);
    assert_eq!(code, 2);
    assert!(said.contains("add --yes"), "{said}");
    let (code, _, said) = erase(&["--yes"]);
    assert_eq!(code, 1);
    assert!(
        said.contains("1 jobs of") && said.contains("in progress"),
        "{said}"
    );
    assert_eq!(
        account.http.get("/balance").await.status,
        200,
        "nothing has changed"
    );
    let erased = world
        .server
        .json(&["account", "erase", name, "--yes", "--cancel"]);
    let counts = ["generations", "cancelled", "uploads", "files", "users"].map(|count| erased[count].clone());
    assert_eq!(counts, [2, 1, 2, 1, 0].map(|count: u64| json!(count)), "{erased}");

    assert_eq!(account.http.get("/balance").await.status, 401);
    assert_eq!(
        (status(&world, &own).await, status(&world, &shared).await),
        (410, 200)
    );
    assert_eq!(world.stored().len(), 1);
    let (_, _, said) = erase(&["--yes"]);
    assert!(said.contains("there is no account"), "{said}");
    let listed = world.server.json(&["account", "list"]);
    assert_eq!(listed.as_array().unwrap().len(), 1, "{listed}");
    assert_eq!(other.http.create(&cheap()).await.len(), 36);
    let audit = world.audit();
    assert_eq!(
        (&audit["accounts"], &audit["generations"]),
        (&json!(2), &json!(1))
    );
}

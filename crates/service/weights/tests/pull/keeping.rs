//! Models that are here: what they take, removing them, damage on the disk.

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    time::{Duration, SystemTime},
};

use atelier_weights::{DiskFault, Error, Meter, Outcome, Puller, Step, pin};

use crate::{PIECE, Reply, Server, Setup, entry, entry_text, file};

const SIZE: usize = 2_000_000;

async fn pulled() -> (Server, Setup, Puller) {
    let bytes = file(SIZE);
    let server = Server::good(bytes.clone()).await;
    let setup = Setup::new(&bytes, &[&server.url()]);
    setup.pull().await.unwrap();
    let puller = setup.puller();
    (server, setup, puller)
}

#[tokio::test]
async fn a_model_takes_its_bytes_once_and_removing_it_frees_them() {
    let (_server, _setup, puller) = pulled().await;
    let here = puller.store.bytes().unwrap();
    assert!((SIZE as u64..SIZE as u64 + 10_000).contains(&here), "{here}");
    let removed = puller.store.remove("tiny", false).unwrap();
    assert_eq!(
        (removed.models, removed.bytes),
        (vec!["tiny".to_owned()], SIZE as u64)
    );
    assert_eq!(puller.store.bytes().unwrap(), 0);
    let error = puller.store.remove("tiny", false).unwrap_err().to_string();
    assert_eq!(
        error,
        "`tiny` is not here; `atelier models pull tiny` downloads it"
    );
}

#[tokio::test]
async fn a_lock_file_of_a_later_version_hides_no_other_model_and_loses_no_file() {
    let (_server, _setup, puller) = pulled().await;
    let later = puller.store.folder("later");
    fs::create_dir_all(&later).unwrap();
    fs::write(
        later.join("lock.json"),
        r#"{"entry": {"name": "later", "new": 1}}"#,
    )
    .unwrap();
    assert_eq!(puller.store.installed().unwrap().len(), 1);
    let error = puller.store.collect_garbage().unwrap_err().to_string();
    assert!(error.contains("later/lock.json"), "{error}");
}

#[tokio::test]
async fn during_a_pull_a_removed_model_leaves_its_files_for_the_garbage_collection() {
    let (server, mut setup, puller) = pulled().await;
    let (bytes, served) = (file(SIZE + 1), file(SIZE + 1));
    let slow = Server::start(move |request| Reply {
        pause: Some(Duration::from_millis(20)),
        ..Reply::of(request, &served)
    })
    .await;
    setup.index.add(entry("more", &bytes, &[&slow.url()]));
    let other = setup.puller();
    let plan = other.plan(&["more".to_owned()]).unwrap();
    let pull = tokio::spawn(async move { other.pull(&plan, &Meter::default()).await });
    while slow.sent() == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let removed = puller.store.remove("tiny", false).unwrap();
    assert_eq!((removed.files, removed.files_stay), (0, true));
    let error = puller.store.collect_garbage().unwrap_err().to_string();
    assert!(error.starts_with("a pull or an import is in progress"), "{error}");
    pull.await.unwrap().unwrap();
    assert_eq!(puller.store.collect_garbage().unwrap().bytes, SIZE as u64);
    drop(server);
}

#[tokio::test]
async fn a_model_in_use_is_not_removed_unless_somebody_insists() {
    let (_server, _setup, puller) = pulled().await;
    let store = &puller.store;
    let (one, other) = (
        store.lease("tiny", "the engine weights").unwrap(),
        store.lease("tiny", "x").unwrap(),
    );
    drop(other);
    let error = store.remove("tiny", false).unwrap_err().to_string();
    assert_eq!(
        error,
        format!(
            "`tiny` is in use by the engine weights of the process {}; wait until its job ends, or use `atelier \
             models rm tiny --force`",
            std::process::id()
        )
    );
    let mut open = fs::File::open(store.folder("tiny").join("model.onnx")).unwrap();
    store.remove("tiny", true).unwrap();
    let mut bytes = Vec::new();
    std::io::Read::read_to_end(&mut open, &mut bytes).unwrap();
    assert!(
        bytes == file(SIZE),
        "whoever has the file open reads it to its end"
    );
    drop(one);
    let error = store.lease("tiny", "x").unwrap_err().to_string();
    assert!(error.starts_with("`tiny` is not here"), "{error}");
}

#[tokio::test]
async fn a_model_is_removed_when_the_last_lease_ended() {
    let (_server, _setup, puller) = pulled().await;
    drop(puller.store.lease("tiny", "x").unwrap());
    assert_eq!(puller.store.leased("tiny").unwrap(), None);
    puller.store.remove("tiny", false).unwrap();
    assert_eq!(
        fs::read_dir(puller.store.root().join("leases")).unwrap().count(),
        0
    );
}

#[tokio::test]
async fn a_lease_ends_with_its_process() {
    let (_server, _setup, puller) = pulled().await;
    // The remains of a killed process: the files without their locks.
    for left in ["leases/tiny@99999-0", "leases/tiny.lock"] {
        fs::write(puller.store.root().join(left), "the engine weights").unwrap();
    }
    assert_eq!(puller.store.leased("tiny").unwrap(), None);
    puller.store.remove("tiny", false).unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_model_is_never_removed_under_a_lease_whenever_it_begins() {
    let (_server, setup, puller) = pulled().await;
    for _ in 0..30 {
        setup.pull().await.unwrap();
        let (store, graph) = (
            puller.store.clone(),
            puller.store.folder("tiny").join("model.onnx"),
        );
        let users: Vec<_> = (0..3)
            .map(|_| {
                let (store, graph) = (store.clone(), graph.clone());
                std::thread::spawn(move || match store.lease("tiny", "x") {
                    Ok(_lease) => assert!(graph.exists(), "it was removed under a lease"),
                    Err(error) => assert!(matches!(error, Error::NotHere(_)), "{error}"),
                })
            })
            .collect();
        while store.find("tiny").unwrap().is_some() {
            match store.remove("tiny", false) {
                Ok(_) => {}
                Err(error) => assert!(matches!(error, Error::Leased { .. }), "{error}"),
            }
        }
        for user in users {
            user.join().unwrap();
        }
    }
}

#[tokio::test]
#[allow(
    clippy::disallowed_methods,
    reason = "the ages of files are times of the real world"
)]
async fn garbage_is_what_no_model_needs_and_nobody_continues() {
    let (_server, setup, puller) = pulled().await;
    let blobs = puller.store.root().join("blobs");
    fs::write(blobs.join(format!("sha256-{}", "0".repeat(64))), b"left").unwrap();
    let parts = puller.store.root().join("parts");
    fs::write(parts.join("old.part"), b"12").unwrap();
    fs::write(parts.join("new.part"), b"12").unwrap();
    let old = fs::File::options()
        .write(true)
        .open(parts.join("old.part"))
        .unwrap();
    old.set_modified(SystemTime::now() - Duration::from_hours(192))
        .unwrap();
    assert_eq!(puller.store.garbage_bytes().unwrap(), 4);
    let removed = puller.store.collect_garbage().unwrap();
    assert_eq!((removed.files, removed.bytes), (2, 6));
    assert!(parts.join("new.part").exists() && !parts.join("old.part").exists());
    setup.pull().await.unwrap();
    assert_eq!(puller.store.collect_garbage().unwrap().bytes, 0);
}

#[tokio::test]
async fn the_limit_refuses_a_pull_and_names_what_could_go() {
    let (server, mut setup, _) = pulled().await;
    setup.index.add(entry("more", &file(SIZE + 1), &[&server.url()]));
    let mut puller = setup.puller();
    puller.max_bytes = Some(3_000_000);
    let error = puller.plan(&["more".to_owned()]).unwrap_err().to_string();
    assert!(
        error.starts_with("`models.max_gb` is 3.0 MB: 2.0 MB are here, and 2.0 MB more are needed"),
        "{error}"
    );
    assert!(
        error.ends_with("`atelier models rm tiny` frees up to 2.0 MB"),
        "{error}"
    );
    // Models that are here already need nothing more.
    puller.plan(&["tiny".to_owned()]).unwrap();
}

#[tokio::test]
async fn more_than_the_disk_has_is_refused_before_anything_comes() {
    let server = Server::good(Vec::new()).await;
    let mut setup = Setup::new(b"x", &[&server.url()]);
    let mut huge = entry("huge", b"x", &[&server.url()]);
    huge.files[0].size = Some(1 << 60);
    setup.index.add(huge);
    let error = setup.puller().plan(&["huge".to_owned()]).unwrap_err().to_string();
    assert!(error.contains("are missing on the disk of"), "{error}");
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn a_folder_of_the_operators_own_is_left_alone() {
    let (server, setup) = {
        let bytes = file(SIZE);
        let server = Server::good(bytes.clone()).await;
        let setup = Setup::new(&bytes, &[&server.url()]);
        (server, setup)
    };
    let mine = setup.puller().store.folder("tiny");
    fs::create_dir_all(&mine).unwrap();
    fs::write(mine.join("model.onnx"), b"mine").unwrap();
    let error = setup.refusal().await;
    assert!(error.contains("is a folder of your own"), "{error}");
    assert!(server.requests().is_empty() && mine.join("model.onnx").exists());
}

#[tokio::test]
async fn damage_on_the_disk_is_found_and_only_its_piece_comes_again() {
    let (server, _setup, puller) = pulled().await;
    let installed = puller.store.find("tiny").unwrap().unwrap();
    let meter = Meter::default();
    assert_eq!(puller.verify(None, false, &meter).await.unwrap().damaged, []);
    let blob = puller.store.blob(&installed.files[0].pin.sha256);
    fs::set_permissions(&blob, fs::Permissions::from_mode(0o644)).unwrap();
    let mut bytes = fs::read(&blob).unwrap();
    bytes[3 * PIECE as usize] ^= 1;
    fs::write(&blob, bytes).unwrap();
    let found = puller.verify(Some("tiny"), false, &meter).await.unwrap();
    assert_eq!(
        (found.damaged[0].fault, found.damaged[0].repaired),
        (DiskFault::Changed, false)
    );
    let before = server.sent();
    let found = puller.verify(Some("tiny"), true, &meter).await.unwrap();
    assert!(found.damaged[0].repaired);
    assert_eq!(server.sent() - before, PIECE);
    assert!(fs::read(installed.path("graph").unwrap()).unwrap() == file(SIZE));
    assert_eq!(puller.verify(None, false, &meter).await.unwrap().damaged, []);
}

/// A conversion for tests: it turns every bit around.
#[derive(Debug)]
struct Invert;

impl atelier_weights::Prepare for Invert {
    fn prepare(&self, step: &atelier_weights::PrepareStep<'_>) -> Result<(), String> {
        assert_eq!(step.file.convert.as_deref(), Some("invert"));
        let bytes = fs::read(step.beside.join(&step.file.name)).map_err(|error| error.to_string())?;
        let turned: Vec<u8> = bytes.iter().map(|byte| !byte).collect();
        fs::write(step.target, turned).map_err(|error| error.to_string())
    }
}

#[tokio::test]
async fn a_conversion_runs_once_and_its_result_is_a_blob_of_its_own() {
    let bytes = file(SIZE);
    let server = Server::good(bytes.clone()).await;
    let mut setup = Setup::new(&bytes, &[&server.url()]);
    let mut tiny = setup.index.get("tiny").unwrap().clone();
    tiny.files[0].convert = Some("invert".to_owned());
    tiny.files[0].into = Some("turned.onnx".to_owned());
    setup.index.add(tiny);
    let mut puller = setup.puller();
    let plan = puller.plan(&["tiny".to_owned()]).unwrap();
    let error = puller
        .pull(&plan, &Meter::default())
        .await
        .unwrap_err()
        .to_string();
    assert_eq!(
        error,
        "`tiny.onnx` cannot be prepared: this program has no conversion `invert`"
    );
    puller.prepare = std::sync::Arc::new(Invert);
    let meter = Meter::default();
    let installed = puller.pull(&plan, &meter).await.unwrap().remove(0);
    assert_eq!((server.sent(), meter.step()), (SIZE as u64, Step::Preparing));
    let turned = fs::read(installed.folder.join("turned.onnx")).unwrap();
    assert!(turned.iter().zip(&bytes).all(|(turned, byte)| *turned == !byte));
    assert_ne!(installed.files[0].pin, installed.origins[0]);
    assert_eq!(puller.store.collect_garbage().unwrap().files, 0);
}

#[tokio::test]
async fn the_lock_command_fills_what_servers_announce_and_reports_what_differs() {
    let bytes = file(SIZE);
    let (digest, served) = (
        entry("tiny", &bytes, &["http://x"]).files[0]
            .sha256
            .clone()
            .unwrap(),
        bytes.clone(),
    );
    let server =
        Server::start(move |request| Reply::of(request, &served).with("x-linked-etag", &digest)).await;
    let setup = Setup::new(&bytes, &[&server.url()]);
    let path = setup.folder.path().join("tiny.toml");
    let whole = entry_text("tiny", &bytes, &[&server.url()]);
    let unverified = whole.replace(
        "status = \"verified\"",
        "status = \"unverified\"\nmissing = \"size and digest\"",
    );
    let lines: Vec<_> = unverified
        .lines()
        .filter(|line| !line.starts_with("size") && !line.starts_with("sha256"))
        .collect();
    let lacking = lines.join("\n");
    fs::write(&path, &lacking).unwrap();
    let downloader = setup.puller().downloader;
    let found = pin(&downloader, &path).await.unwrap();
    assert_eq!(found[0].outcome, Outcome::Filled);
    let text = fs::read_to_string(&path).unwrap();
    assert!(
        atelier_weights::parse("tiny.toml", &text).unwrap().is_pinned(),
        "{text}"
    );
    assert_eq!(pin(&downloader, &path).await.unwrap()[0].outcome, Outcome::Same);
    fs::write(&path, whole.replace("size = 2000000", "size = 2000001")).unwrap();
    assert_eq!(
        pin(&downloader, &path).await.unwrap()[0].outcome,
        Outcome::Differs
    );
}

//! Kills under load, of a decent size: `just chaos`. Shorter forms are in the ordinary tests: `crashes`, `shared`,
//! `full_disk` and `remote`.
//!
//! Each run compares what clients were told with what the service has at the end: every accepted job has ended, was
//! settled once and reported in one delivery, every idempotency key leads to its job, the balance and the audit are
//! right, and no work file and no process is left.

use std::{
    fs::File,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use atelier_testkit::{Server, own_postgres};

use crate::{
    crashes::load::{Books, Chance, Hanging},
    planned::{self, Plan},
    setup::{Account, ECHO, PROGRAM, World, files_in, until},
};

const KILLS: u32 = 60;
const CREDITS: i64 = 1_000_000;

/// Checks what a run must leave besides the books.
#[expect(clippy::print_stderr, reason = "the figures of a recipe")]
async fn nothing_is_left(world: &World, media: &Path, account: &Account, begun: Instant, what: &str) {
    until("the work files are gone", async || world.scratch().is_empty()).await;
    let page = account.http.get("/generations?limit=1").await.json();
    let jobs = page["meta"]["total"].as_u64().unwrap();
    let page = account.http.get("/generations?limit=100").await.json();
    let newest = page["data"].as_array().unwrap();
    for job in newest {
        let path = format!("/generations/{}", job["id"].as_str().unwrap());
        let deletion = account.http.request(reqwest::Method::DELETE, &path);
        assert_eq!(account.http.send(deletion).await.status, 200);
    }
    assert_eq!(world.audit()["generations"], jobs - newest.len() as u64);
    let stored = files_in(media);
    assert!(stored.len() <= 2, "the echo and the upload: {stored:?}");
    eprintln!("{what}: {jobs} jobs in {:.0} s", begun.elapsed().as_secs_f64());
}

/// The processes that have this folder among their arguments.
pub(crate) fn processes_of(folder: &str) -> Vec<u32> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Ok(arguments) = std::fs::read(entry.path().join("cmdline")) else {
            continue;
        };
        if String::from_utf8_lossy(&arguments).contains(folder) {
            found.extend(
                entry
                    .file_name()
                    .to_str()
                    .and_then(|name| name.parse::<u32>().ok()),
            );
        }
    }
    found
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it takes minutes: `just chaos sqlite`"]
async fn sqlite() {
    let begun = Instant::now();
    let mut world = World::prepare(ECHO);
    world.server.start();
    let account = world.account(CREDITS);
    let books = Books::new(&account).await;
    let mut chance = Chance::new(0x00c4_a050);
    for _ in 0..KILLS {
        let hanging = Hanging::new().await;
        let clients = books.clients(8, 60);
        let special = books.special_requests(&hanging, true);
        tokio::time::sleep(Duration::from_millis(chance.below(1_500))).await;
        world.server.kill();
        books.wait_for_clients(clients).await;
        books.wait_for_clients(vec![special]).await;
        world.server.start();
    }
    books.balance(&world, &account).await;
    let media = world.server.data().join("media");
    nothing_is_left(&world, &media, &account, begun, &format!("sqlite, {KILLS} kills")).await;
    let data = world.server.data().display().to_string();
    world.server.terminate();
    assert_eq!(processes_of(&data), Vec::<u32>::new());
    world.server.start();
}

/// The disk that a server's data folder is on.
enum Disk {
    /// A small one in memory, which files fill.
    Mounted(PathBuf),
    /// Commits fail as if it were full, because this process may not mount one.
    Injected,
}

impl Disk {
    /// Mounts a disk of 64 MiB on this folder, if this process may.
    fn on(folder: &Path) -> Self {
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=64m", "tmpfs"]).arg(folder);
        match mount.stderr(Stdio::null()).status() {
            Ok(status) if status.success() => Self::Mounted(folder.to_owned()),
            _ => Self::Injected,
        }
    }

    fn fill(&self, server: &Server, full: bool) {
        let Self::Mounted(folder) = self else {
            return planned::fill(server, full);
        };
        let path = folder.join("fill");
        if full {
            let mut file = File::create(path).unwrap();
            while file.write_all(&[0; 4 << 10]).is_ok() {}
        } else {
            std::fs::remove_file(path).unwrap();
        }
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        if let Self::Mounted(folder) = self {
            let _gone = Command::new("umount").arg("--lazy").arg(&*folder).status();
            let _removed = std::fs::remove_dir(folder);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it takes minutes: `just chaos disk`"]
async fn disk() {
    const ROUNDS: u32 = 20;
    let begun = Instant::now();
    let folder = tempfile::tempdir().unwrap();
    let disk = Disk::on(folder.path());
    let kind = match disk {
        Disk::Mounted(_) => "a disk of 64 MiB",
        Disk::Injected => "injected failures",
    };
    // By default, more than this disk must stay free for work files.
    let config = format!("{ECHO}[workers]\nscratch_reserve_mib = 1\n");
    let mut world = World::prepare_in(folder, &config);
    let plan = Plan::calm();
    planned::start(&mut world.server, &plan);
    let account = world.account(CREDITS);
    let books = Books::new(&account).await;
    let mut chance = Chance::new(0x00c4_a052);
    for round in 0..ROUNDS {
        let clients = books.patient_clients(4, 40);
        tokio::time::sleep(Duration::from_millis(chance.below(300))).await;
        disk.fill(&world.server, true);
        tokio::time::sleep(Duration::from_millis(500 + chance.below(500))).await;
        if round % 4 == 3 {
            world.server.kill();
            disk.fill(&world.server, false);
            planned::start(&mut world.server, &plan);
        } else {
            disk.fill(&world.server, false);
        }
        books.wait_for_clients(clients).await;
    }
    books.balance(&world, &account).await;
    nothing_is_left(
        &world,
        &world.server.data().join("media"),
        &account,
        begun,
        &format!("disk, full {ROUNDS} times ({kind}), 5 kills"),
    )
    .await;
    // The disk goes after the server on it.
    drop(world);
}

/// The event in a round of [`postgres`], in turn.
#[derive(Debug, Clone, Copy)]
enum Blow {
    /// The node that clients do not talk to dies.
    Other,
    /// The node that clients talk to dies.
    First,
    /// All connections to the database break.
    Cut,
    /// The database dies and starts again.
    Database,
    /// The database neither answers nor breaks its connections for a while.
    Hang,
}

const BLOWS: [Blow; 5] = [Blow::Other, Blow::Cut, Blow::First, Blow::Database, Blow::Hang];

/// Two nodes on one database.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it takes minutes: `just chaos postgres`"]
async fn postgres() {
    let run = tokio::time::timeout(Duration::from_mins(8), two_nodes(8));
    run.await.expect("the run ends within 8 minutes");
}

async fn two_nodes(turns: usize) {
    let begun = Instant::now();
    let Some(database) = own_postgres() else { return };
    let folder = tempfile::tempdir().unwrap();
    let media = folder.path().join("media");
    let config = format!(
        "{ECHO}[store]\nurl = \"{}\"\nconnections = 8\n[media]\nurl = \"file:{}\"\n\
         [server]\nshutdown_grace_seconds = 1\npublic_url = \"http://atelier.example\"\n",
        database.schema(),
        media.display()
    );
    let mut world = World::prepare(&config);
    let mut other = Server::new(PROGRAM, &folder.path().join("other"), &config);
    let plan = Plan::calm();
    planned::start(&mut world.server, &plan);
    planned::start(&mut other, &plan);
    let account = world.account(CREDITS);
    let books = Books::new(&account).await;
    let mut chance = Chance::new(0x00c4_a053);
    for round in 0..turns * BLOWS.len() {
        let blow = BLOWS[round % BLOWS.len()];
        let hanging = Hanging::new().await;
        let mut clients = books.patient_clients(4, 20);
        if matches!(blow, Blow::Other | Blow::First) {
            clients.push(books.special_requests(&hanging, true));
        }
        tokio::time::sleep(Duration::from_millis(chance.below(500))).await;
        match blow {
            Blow::Other => {
                other.kill();
                planned::start(&mut other, &plan);
            }
            Blow::First => {
                world.server.kill();
                planned::start(&mut world.server, &plan);
            }
            Blow::Cut => {
                database.run(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()",
                );
            }
            Blow::Database => {
                database.kill();
                tokio::time::sleep(Duration::from_millis(chance.below(1_000))).await;
                database.start_again();
            }
            Blow::Hang => {
                let suspended = database.suspend();
                tokio::time::sleep(Duration::from_millis(chance.below(4_000))).await;
                drop(suspended);
            }
        }
        books.wait_for_clients(clients).await;
    }
    books.balance(&world, &account).await;
    let what = format!("postgres, {turns} times each of {BLOWS:?}");
    nothing_is_left(&world, &media, &account, begun, &what).await;
    let data = folder.path().display().to_string();
    other.terminate();
    world.server.terminate();
    assert_eq!(processes_of(&data), Vec::<u32>::new());
    drop((world, database));
}

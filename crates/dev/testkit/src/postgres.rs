//! A PostgreSQL server for tests. It has its own folder with a socket, and it ends with the test program, however that
//! ends.

use std::{
    env,
    io::{BufRead as _, BufReader},
    os::unix::{
        fs::{MetadataExt as _, chown},
        process::CommandExt as _,
    },
    path::{Path, PathBuf},
    process::{ChildStdin, Command, Stdio},
    sync::{
        LazyLock,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use crate::Relay;

/// PostgreSQL refuses to run as root. On every Linux, this is the unprivileged user `nobody`.
const NOBODY: u32 = 65_534;

/// Creates the server, empty or as a standby of a primary. Then it starts it, prints `ready`, and waits until its
/// standard input is closed, which happens when the test program ends, for whatever reason. Then it stops the server
/// and removes its folder.
const SCRIPT: &str = r#"
bin=$1 folder=$2 options=$3 primary=$4
make() {
    if [ -n "$primary" ]; then
        "$bin/pg_basebackup" --host="$primary" --username=atelier --pgdata="$folder/data" --checkpoint=fast \
            --write-recovery-conf --no-sync
    else
        "$bin/initdb" --pgdata="$folder/data" --username=atelier --auth=trust --encoding=UTF8 --locale=C --no-sync
    fi
}
make >"$folder/log" 2>&1 &&
"$bin/pg_ctl" --pgdata="$folder/data" --log="$folder/log" --wait --timeout=120 --options="$options" start \
    >>"$folder/log" 2>&1 &&
echo ready &&
cat >/dev/null
"$bin/pg_ctl" --pgdata="$folder/data" --mode=immediate stop >/dev/null 2>&1
rm -rf "$folder"
"#;

/// The options of a server in this folder. Its files outlive its processes, but not the machine.
fn options(folder: &Path) -> String {
    format!(
        "-c listen_addresses='' -c unix_socket_directories='{}' -c fsync=off -c full_page_writes=off \
         -c max_connections=500 -c shared_buffers=32MB",
        folder.display()
    )
}

/// The server that all tests of one program share, each with its own schema.
#[derive(Debug)]
pub struct Postgres {
    programs: PathBuf,
    folder: PathBuf,
    /// Closed when this process ends, which stops the server.
    _until: ChildStdin,
    schemas: AtomicU32,
}

/// The server, started on first use. If PostgreSQL is not installed, the test prints a message and returns. In CI,
/// which installs it, that is a failure.
///
/// ```no_run
/// let Some(postgres) = atelier_testkit::postgres() else { return };
/// let url = postgres.schema();
/// ```
#[expect(clippy::print_stderr, reason = "the message of a skipped test")]
#[expect(clippy::disallowed_methods, reason = "the environment of tests")]
pub fn postgres() -> Option<&'static Postgres> {
    static SERVER: LazyLock<Option<Postgres>> =
        LazyLock::new(|| programs().map(|programs| Postgres::start(&programs, None)));
    if SERVER.is_none() {
        assert!(
            env::var_os("CI").is_none_or(|ci| ci != "true"),
            "PostgreSQL is not installed, and CI must not skip tests",
        );
        eprintln!("skipped: PostgreSQL (initdb, pg_ctl, psql) is not installed");
    }
    SERVER.as_ref()
}

/// A server that no other test uses, so that the caller may [`suspend`](Postgres::suspend) it. It ends when this is
/// dropped. `None` as in [`postgres`].
pub fn own_postgres() -> Option<Postgres> {
    postgres()?;
    programs().map(|programs| Postgres::start(&programs, None))
}

/// The folder of PostgreSQL's programs: one on the `PATH`, or else the newest in Debian's folder.
#[expect(clippy::disallowed_methods, reason = "the environment of tests")]
fn programs() -> Option<PathBuf> {
    let on_path = env::var_os("PATH").unwrap_or_default();
    let mut debian: Vec<(u32, PathBuf)> = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            Some((path.file_name()?.to_str()?.parse().ok()?, path.join("bin")))
        })
        .collect();
    debian.sort();
    let newest = debian.into_iter().rev().map(|(_, folder)| folder);
    env::split_paths(&on_path).chain(newest).find(|folder| {
        ["initdb", "pg_ctl", "psql"]
            .iter()
            .all(|program| folder.join(program).is_file())
    })
}

impl Postgres {
    #[expect(clippy::zombie_processes, reason = "it outlives this process and cleans up")]
    fn start(programs: &Path, primary: Option<&Path>) -> Self {
        let folder = tempfile::tempdir().unwrap().keep();
        let mut child = unprivileged("sh", &folder)
            .args(["-c", SCRIPT, "postgres"])
            .args([programs, &folder, Path::new(&options(&folder))])
            .arg(primary.unwrap_or(Path::new("")))
            .current_dir(&folder)
            // A signal that interrupts the tests must not interrupt the cleanup.
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let until = child.stdin.take().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        assert_eq!(line, "ready\n", "PostgreSQL does not start");
        Self {
            programs: programs.to_owned(),
            folder,
            _until: until,
            schemas: AtomicU32::new(0),
        }
    }

    /// Creates an empty schema, which is much faster than a database, and returns its URL.
    pub fn schema(&self) -> String {
        let name = format!("test_{}", self.schemas.fetch_add(1, Ordering::Relaxed));
        self.run(&format!("CREATE SCHEMA {name}"));
        let folder = self.folder.display();
        format!("postgres:///postgres?host={folder}&user=atelier&options=-c%20search_path%3D{name}")
    }

    /// Starts a standby, which confirms each commit from now on, and ends when it is dropped.
    pub fn standby(&self) -> Self {
        let standby = Self::start(&self.programs, Some(&self.folder));
        self.run("ALTER SYSTEM SET synchronous_standby_names = '*'");
        self.run("SELECT pg_reload_conf()");
        standby
    }

    /// Makes a standby the primary.
    pub fn promote(&self) {
        self.run("ALTER SYSTEM RESET synchronous_standby_names");
        assert_eq!(self.run("SELECT pg_promote()").trim(), "t");
    }

    /// Kills all processes of the server.
    pub fn kill(&self) {
        let _sent = signal("-KILL", &self.stopped());
    }

    /// Starts the server again after [`kill`](Self::kill), on what it had written.
    pub fn start_again(&self) {
        const TRIES: u32 = 50;
        let data = self.folder.join("data");
        for _ in 0..TRIES {
            // A dead process whose parent has not noticed yet looks like a running server.
            for lock in [
                data.join("postmaster.pid"),
                self.folder.join(".s.PGSQL.5432.lock"),
            ] {
                let _gone = std::fs::remove_file(lock);
            }
            let started = unprivileged(self.programs.join("pg_ctl").to_str().unwrap(), &self.folder)
                .args(["--wait", "--timeout=120", "start"])
                .arg(format!("--pgdata={}", data.display()))
                .arg(format!("--log={}", self.folder.join("log").display()))
                .arg(format!("--options={}", options(&self.folder)))
                .current_dir(&self.folder)
                .process_group(0)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status()
                .unwrap();
            if started.success() {
                return;
            }
            // Processes that are still dying hold the memory of the server.
            std::thread::sleep(Duration::from_millis(100));
        }
        let log = std::fs::read_to_string(self.folder.join("log")).unwrap_or_default();
        panic!("PostgreSQL does not start again: {log}");
    }

    /// The folder of the socket, as in `host=…` of a URL.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The socket of the server.
    pub fn socket(&self) -> PathBuf {
        self.folder.join(".s.PGSQL.5432")
    }

    /// A URL of [`schema`](Self::schema) through a relay to this server.
    pub fn through(&self, relay: &Relay, url: &str) -> String {
        let direct = format!("postgres:///postgres?host={}&user=atelier", self.folder.display());
        assert!(url.starts_with(&direct), "{url}");
        let relayed = format!(
            "postgres://atelier@127.0.0.1:{}/postgres?sslmode=disable",
            relay.port()
        );
        url.replace(&direct, &relayed)
    }

    /// Runs this SQL on a separate connection and returns the output without headings.
    pub fn run(&self, sql: &str) -> String {
        let done = Command::new(self.programs.join("psql"))
            .args([
                "--no-psqlrc",
                "--quiet",
                "--tuples-only",
                "--no-align",
                "--set=ON_ERROR_STOP=1",
            ])
            .args([
                "--username=atelier",
                "--dbname=postgres",
                "--command",
                sql,
                "--host",
            ])
            .arg(&self.folder)
            .output()
            .unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap()
    }

    /// Stops all processes of the server with SIGSTOP: it neither answers nor breaks connections until this is dropped.
    pub fn suspend(&self) -> Suspended {
        let processes = self.stopped();
        let _sent = signal("-STOP", &processes[1..]);
        Suspended(processes)
    }

    /// The processes of the server. The first one, which makes the others, is stopped before they are listed.
    fn stopped(&self) -> Vec<String> {
        let file = std::fs::read_to_string(self.folder.join("data/postmaster.pid")).unwrap();
        let first = file.lines().next().unwrap().to_owned();
        assert!(
            signal("-STOP", std::slice::from_ref(&first)),
            "kill -STOP {first}"
        );
        let mut processes = vec![first.clone()];
        for entry in std::fs::read_dir("/proc").unwrap().filter_map(Result::ok) {
            // After the name in parentheses come the state and the parent. A process may end meanwhile.
            let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
            let parent = stat
                .rsplit(')')
                .next()
                .and_then(|rest| rest.split_whitespace().nth(1));
            if parent == Some(&*first) {
                processes.push(entry.file_name().into_string().unwrap());
            }
        }
        processes
    }
}

/// A suspended server, which goes on when this is dropped.
#[derive(Debug)]
pub struct Suspended(Vec<String>);

impl Drop for Suspended {
    fn drop(&mut self) {
        // One that was about to end is gone by now.
        let _sent = signal("-CONT", &self.0);
    }
}

/// A program that runs as a user without privileges, who owns the folder: these servers refuse to run as root.
pub(crate) fn unprivileged(program: &str, folder: &Path) -> Command {
    let owner = folder.metadata().unwrap().uid();
    if owner != 0 && owner != NOBODY {
        return Command::new(program);
    }
    chown(folder, Some(NOBODY), Some(NOBODY)).unwrap();
    let mut command = Command::new("setpriv");
    command.args([
        &format!("--reuid={NOBODY}"),
        &format!("--regid={NOBODY}"),
        "--clear-groups",
        program,
    ]);
    command
}

/// Sends a signal to all of these processes, and returns whether all got it.
fn signal(name: &str, processes: &[String]) -> bool {
    let mut kill = Command::new("kill");
    kill.arg(name)
        .args(processes)
        .stderr(Stdio::null())
        .status()
        .unwrap()
        .success()
}

//! A PostgreSQL server of the tests' own: made in a folder of its own, reached over a socket in it, and gone with
//! the test program however that ends.

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
};

/// PostgreSQL refuses to run as root; on every Linux this is the user who owns nothing.
const NOBODY: u32 = 65_534;

/// Makes the server, says that it takes connections, and waits until nobody holds the other end of its standard
/// input any more: the end of the test program, by whatever it comes, ends the server and removes its folder.
const SCRIPT: &str = r#"
bin=$1 folder=$2
"$bin/initdb" --pgdata="$folder/data" --username=atelier --auth=trust --encoding=UTF8 --locale=C --no-sync \
    >"$folder/log" 2>&1 &&
"$bin/pg_ctl" --pgdata="$folder/data" --log="$folder/log" --wait --timeout=120 --options="-c listen_addresses='' \
    -c unix_socket_directories='$folder' -c fsync=off -c full_page_writes=off -c max_connections=500 \
    -c shared_buffers=32MB" start >>"$folder/log" 2>&1 &&
echo ready &&
cat >/dev/null
"$bin/pg_ctl" --pgdata="$folder/data" --mode=immediate stop >/dev/null 2>&1
rm -rf "$folder"
"#;

/// The server that all tests of one program share, each in a schema of its own.
#[derive(Debug)]
pub struct Postgres {
    programs: PathBuf,
    folder: PathBuf,
    /// Closed by the end of this process, which the server waits for.
    _until: ChildStdin,
    schemas: AtomicU32,
}

/// The server, started when it is first asked for. Where PostgreSQL is not installed, the test that asked says so and
/// returns; in CI, which installs it, that is a failure.
///
/// ```no_run
/// let Some(postgres) = atelier_testkit::postgres() else { return };
/// let url = postgres.schema();
/// ```
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
#[expect(clippy::disallowed_methods, reason = "the tests' own environment")]
pub fn postgres() -> Option<&'static Postgres> {
    static SERVER: LazyLock<Option<Postgres>> =
        LazyLock::new(|| programs().map(|programs| Postgres::start(&programs)));
    if SERVER.is_none() {
        assert!(
            env::var_os("CI").is_none_or(|ci| ci != "true"),
            "PostgreSQL is not installed, and in CI nothing may be skipped",
        );
        eprintln!("not run: PostgreSQL (initdb, pg_ctl, psql) is not installed");
    }
    SERVER.as_ref()
}

/// The folder of PostgreSQL's programs: one on the `PATH`, else the newest where Debian keeps them.
#[expect(clippy::disallowed_methods, reason = "the tests' own environment")]
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
    #[expect(
        clippy::zombie_processes,
        reason = "it outlives this process, to clear up after it"
    )]
    fn start(programs: &Path) -> Self {
        let folder = tempfile::tempdir().unwrap().keep();
        let mut command = if folder.metadata().unwrap().uid() == 0 {
            chown(&folder, Some(NOBODY), Some(NOBODY)).unwrap();
            let mut command = Command::new("setpriv");
            command.args([
                &format!("--reuid={NOBODY}"),
                &format!("--regid={NOBODY}"),
                "--clear-groups",
                "sh",
            ]);
            command
        } else {
            Command::new("sh")
        };
        let mut child = command
            .args(["-c", SCRIPT, "postgres"])
            .args([programs, &folder])
            .current_dir(&folder)
            // What interrupts the tests must not interrupt the one who clears up after them.
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let until = child.stdin.take().unwrap();
        let mut said = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut said)
            .unwrap();
        assert_eq!(said, "ready\n", "PostgreSQL does not start");
        Self {
            programs: programs.to_owned(),
            folder,
            _until: until,
            schemas: AtomicU32::new(0),
        }
    }

    /// A new, empty schema in the server's one database, which is much quicker to make than a database: the URL that
    /// leads to it.
    pub fn schema(&self) -> String {
        let name = format!("test_{}", self.schemas.fetch_add(1, Ordering::Relaxed));
        self.run(&format!("CREATE SCHEMA {name}"));
        let folder = self.folder.display();
        format!("postgres:///postgres?host={folder}&user=atelier&options=-c%20search_path%3D{name}")
    }

    /// Has the server do this, past everybody who uses it: what it prints, without headings.
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
}

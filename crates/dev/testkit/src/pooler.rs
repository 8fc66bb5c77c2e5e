//! PgBouncer before a PostgreSQL server, for tests.

use std::{
    process::{Child, Stdio},
    time::{Duration, Instant},
};

use crate::{Postgres, free_port, postgres::unprivileged, program};

/// Stands alone until its standard input is closed, which happens when the test program ends, for whatever reason.
const SCRIPT: &str = r#"
pgbouncer --quiet "$1" & pid=$!
cat >/dev/null
kill $pid
"#;
const PATIENCE: Duration = Duration::from_secs(20);

/// A pooler of connections to one server. It ends when it is dropped.
#[derive(Debug)]
pub struct Pooler {
    port: u16,
    child: Child,
    _folder: tempfile::TempDir,
}

impl Pooler {
    /// Starts it in a mode: `session`, `transaction` or `statement`. `None` as in [`program()`].
    pub fn start(postgres: &Postgres, mode: &str) -> Option<Self> {
        program("pgbouncer")?;
        let (folder, port) = (tempfile::tempdir().unwrap(), free_port());
        let configuration = folder.path().join("pgbouncer.ini");
        let host = postgres.folder().display();
        let text = format!(
            "[databases]\n\
             postgres = host={host} user=atelier\n\
             [pgbouncer]\n\
             listen_addr = 127.0.0.1\n\
             listen_port = {port}\n\
             unix_socket_dir =\n\
             auth_type = any\n\
             pool_mode = {mode}\n"
        );
        std::fs::write(&configuration, text).unwrap();
        let child = unprivileged("sh", folder.path())
            .args(["-c", SCRIPT, "pgbouncer"])
            .arg(&configuration)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let begun = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(begun.elapsed() < PATIENCE, "PgBouncer does not start");
            std::thread::sleep(Duration::from_millis(20));
        }
        Some(Self {
            port,
            child,
            _folder: folder,
        })
    }

    /// The URL of the server's database `postgres`.
    pub fn url(&self) -> String {
        format!(
            "postgres://atelier@127.0.0.1:{}/postgres?sslmode=disable",
            self.port
        )
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ended = self.child.wait();
    }
}

//! The real program as a process of its own: started, administered, killed.

use std::{
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::Value;

use crate::Http;

/// A running `atelier serve`. Killed when dropped.
#[derive(Debug)]
pub struct Server {
    program: PathBuf,
    data: PathBuf,
    port: u16,
    child: Option<Child>,
}

impl Server {
    /// A server to be started on this data folder; `config` becomes its configuration file.
    pub fn new(program: impl Into<PathBuf>, data: &Path, config: &str) -> Self {
        std::fs::create_dir_all(data).unwrap();
        std::fs::write(data.join("atelier.toml"), config).unwrap();
        Self {
            program: program.into(),
            data: data.to_owned(),
            port: free_port(),
            child: None,
        }
    }

    /// Starts it and waits until it is ready.
    pub fn start(&mut self) {
        self.start_with(&[]);
    }

    /// Starts it with these environment variables.
    pub fn start_with(&mut self, env: &[(&str, &str)]) {
        assert!(self.child.is_none(), "the server runs already");
        let log = std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.log_path())
            .unwrap();
        let child = Command::new(&self.program)
            .args(["serve", "--data"])
            .arg(&self.data)
            .args(["--listen", &format!("127.0.0.1:{}", self.port)])
            .envs(env.iter().copied())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .unwrap();
        self.child = Some(child);
        self.wait_until_ready();
    }

    fn wait_until_ready(&mut self) {
        let until = Instant::now() + Duration::from_secs(30);
        while Instant::now() < until {
            if std::net::TcpStream::connect(("127.0.0.1", self.port)).is_ok() {
                return;
            }
            if let Some(status) = self.child.as_mut().unwrap().try_wait().unwrap() {
                panic!("the server ended at start with {status}: {}", self.log());
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("the server was not ready within 30 s: {}", self.log());
    }

    pub fn origin(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    pub fn data(&self) -> &Path {
        &self.data
    }

    pub fn http(&self, key: &str) -> Http {
        Http::new(&self.origin(), Some(key))
    }

    pub fn pid(&self) -> u32 {
        self.child.as_ref().unwrap().id()
    }

    /// Ends it as a power cut would end the process: at once.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            // It may have ended by itself, as a planned crash does.
            let _ = child.kill();
            child.wait().unwrap();
        }
    }

    /// Whether it still runs.
    pub fn is_running(&mut self) -> bool {
        self.child
            .as_mut()
            .is_some_and(|child| child.try_wait().unwrap().is_none())
    }

    /// Asks it to end, and waits until it has: its exit status.
    pub fn terminate(&mut self) -> std::process::ExitStatus {
        let mut child = self.child.take().unwrap();
        let asked = Command::new("kill")
            .args(["-TERM", &child.id().to_string()])
            .status()
            .unwrap();
        assert!(asked.success());
        let until = Instant::now() + Duration::from_secs(60);
        while Instant::now() < until {
            if let Some(status) = child.try_wait().unwrap() {
                return status;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        child.kill().unwrap();
        panic!("the server did not end within 60 s of SIGTERM: {}", self.log());
    }

    /// Runs a command of the program on the same data folder: exit code, standard output, standard error.
    pub fn command(&self, args: &[&str]) -> (i32, String, String) {
        let output = Command::new(&self.program)
            .args(args)
            .arg("--data")
            .arg(&self.data)
            .output()
            .unwrap();
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        (
            output.status.code().unwrap_or(-1),
            text(&output.stdout),
            text(&output.stderr),
        )
    }

    /// The same with `--json`, which has to succeed: the one value it prints.
    pub fn json(&self, args: &[&str]) -> Value {
        let (code, stdout, stderr) = self.command(&[args, &["--json"]].concat());
        assert_eq!(code, 0, "{args:?}: {stderr}");
        serde_json::from_str(&stdout)
            .unwrap_or_else(|error| panic!("{args:?} printed no JSON ({error}): {stdout}"))
    }

    /// What it has logged so far.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.log_path()).unwrap_or_default()
    }

    fn log_path(&self) -> PathBuf {
        self.data.join("server.log")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A port that nothing listens on right now.
fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port()
}

//! Runs the real program as a process.

use std::{
    fs::{self, OpenOptions},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    sync::atomic::{AtomicU16, Ordering},
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
    arguments: Vec<String>,
    child: Option<Child>,
}

impl Server {
    /// A server on this data folder, not started yet. `config` becomes its configuration file.
    pub fn new(program: impl Into<PathBuf>, data: &Path, config: &str) -> Self {
        fs::create_dir_all(data).unwrap();
        fs::write(data.join("atelier.toml"), config).unwrap();
        Self {
            program: program.into(),
            data: data.to_owned(),
            port: free_port(),
            arguments: Vec::new(),
            child: None,
        }
    }

    /// Adds arguments to `serve`, from the next start on.
    pub fn more_arguments<const N: usize>(&mut self, arguments: [&str; N]) {
        self.arguments = arguments.map(str::to_owned).to_vec();
    }

    /// Starts the server and waits until it is ready.
    pub fn start(&mut self) {
        let mut serve = Command::new(&self.program);
        serve
            .args(["serve", "--listen", &self.address()])
            .args(&self.arguments);
        serve.arg("--data").arg(&self.data);
        self.start_as(serve);
    }

    /// Starts this program instead. It must listen on the same [`address`](Self::address).
    pub fn start_as(&mut self, mut program: Command) {
        assert!(self.child.is_none(), "the server is already running");
        let log = OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.log_path())
            .unwrap();
        program.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        self.child = Some(program.spawn().unwrap());
        self.wait_until_ready();
    }

    fn wait_until_ready(&mut self) {
        let until = Instant::now() + Duration::from_mins(1);
        while Instant::now() < until {
            if TcpStream::connect(("127.0.0.1", self.port)).is_ok() {
                return;
            }
            if let Some(status) = self.child.as_mut().unwrap().try_wait().unwrap() {
                panic!("the server ended during its start with {status}: {}", self.log());
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("the server was not ready within 60 s: {}", self.log());
    }

    /// The address: `127.0.0.1:PORT`, the same after every start.
    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    pub fn origin(&self) -> String {
        format!("http://{}", self.address())
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

    /// Kills the process immediately, like a power cut.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            // It may have ended on its own, as after a planned crash.
            let _ = child.kill();
            child.wait().unwrap();
        }
    }

    /// Whether it is still running.
    pub fn is_running(&mut self) -> bool {
        self.child
            .as_mut()
            .is_some_and(|child| child.try_wait().unwrap().is_none())
    }

    /// Waits until the process ends on its own, and returns its exit status.
    pub fn wait_until_ended(&mut self, longest: Duration) -> ExitStatus {
        let until = Instant::now() + longest;
        while Instant::now() < until {
            if let Some(status) = self.child.as_mut().unwrap().try_wait().unwrap() {
                self.child = None;
                return status;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        self.kill();
        panic!("the server did not end within {longest:?}: {}", self.log());
    }

    /// Sends SIGTERM and does not wait.
    pub fn ask_to_end(&self) {
        let asked = Command::new("kill")
            .args(["-TERM", &self.pid().to_string()])
            .status()
            .unwrap();
        assert!(asked.success());
    }

    /// Sends SIGTERM, waits for the end, and returns the exit status.
    pub fn terminate(&mut self) -> ExitStatus {
        self.ask_to_end();
        self.wait_until_ended(Duration::from_mins(1))
    }

    /// Runs a command of the program on the same data folder. Returns exit code, standard output and standard error.
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

    /// Runs a command with `--json`, which must succeed, and returns the printed value.
    pub fn json(&self, args: &[&str]) -> Value {
        let (code, stdout, stderr) = self.command(&[args, &["--json"]].concat());
        assert_eq!(code, 0, "{args:?}: {stdout}{stderr}");
        serde_json::from_str(&stdout)
            .unwrap_or_else(|error| panic!("{args:?} did not print JSON ({error}): {stdout}"))
    }

    /// The log so far.
    pub fn log(&self) -> String {
        fs::read_to_string(self.log_path()).unwrap_or_default()
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

/// A port on which nothing is listening. It is below the range for outgoing connections, so that no client takes it
/// while a server restarts.
pub fn free_port() -> u16 {
    const FIRST: u16 = 20_000;
    const COUNT: u16 = 12_000;
    static TAKEN: AtomicU16 = AtomicU16::new(0);
    // Test processes that run at the same time begin at different ports.
    let begin = (std::process::id() % u32::from(COUNT)) as u16;
    for _ in 0..COUNT {
        let next = TAKEN.fetch_add(1, Ordering::Relaxed);
        let port = FIRST + (begin.wrapping_mul(97).wrapping_add(next)) % COUNT;
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
    panic!("there is no free port");
}

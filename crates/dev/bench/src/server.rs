//! Runs servers as processes, on temporary data folders.

use std::{
    ffi::OsStr,
    fs::{self, File},
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::Value;
use tempfile::TempDir;

use crate::{
    Context, database,
    error::{Error, Result},
    http::{self, Connection, local},
    machine,
    reference::Kind,
};

/// The base path of the API.
pub(crate) const BASE: &str = "/dev/v1";
/// How long a server may take to start.
const START_TIMEOUT: Duration = Duration::from_secs(20);
/// How often to check whether a starting server is ready.
const POLL_INTERVAL: Duration = Duration::from_millis(1);

/// Very high limits. All other settings have their defaults.
const UNLIMITED: &str = "[limits]\ngenerations_per_minute = 60000000\nrequests_per_minute = 60000000\n\
    [outbound]\nallow_private = true\n[metrics]\nlisten = \"\"\n[server]\nshutdown_grace_seconds = 1\n";
/// The engine that answers immediately serves every model.
const ECHO: &str = "[[routes]]\nmodel = \"*\"\nengine = \"echo\"\n";

/// A data folder of the service, with one account that has plenty of credits.
#[derive(Debug)]
pub(crate) struct Data {
    folder: TempDir,
    program: PathBuf,
    /// The PostgreSQL database of the store, if it is not a file in the folder.
    database: Option<String>,
    pub(crate) key: String,
}

impl Data {
    /// With the echo engine behind every model.
    pub(crate) fn echo(context: &Context) -> Result<Self> {
        Self::new(context, &format!("{ECHO}{UNLIMITED}"))
    }

    /// The same, with the store in this PostgreSQL database, which is empty.
    pub(crate) async fn postgres(context: &Context, url: &str) -> Result<Self> {
        Self::in_database(context, ECHO, url).await
    }

    async fn in_database(context: &Context, engines: &str, url: &str) -> Result<Self> {
        database::check_empty(url).await?;
        let store = format!("[store]\nurl = \"{url}\"\nconnections = 32\n");
        let mut data = Self::new(context, &format!("{engines}{UNLIMITED}{store}"))?;
        data.database = Some(url.to_owned());
        Ok(data)
    }

    /// With a remote worker behind every model.
    pub(crate) fn remote(context: &Context) -> Result<Self> {
        let engine = "[engines.gpu]\nkind = \"remote\"\n[[routes]]\nmodel = \"*\"\nengine = \"gpu\"\n";
        Self::new(context, &format!("{engine}{UNLIMITED}"))
    }

    /// Starts a worker of this service, in a folder of its own, and waits until the service knows it.
    pub(crate) async fn join(&self, context: &Context, service: &Server) -> Result<Server> {
        let made = self.ask(&["workers", "create-token", "bench", "--json"])?;
        let folder = folder(context)?;
        let token = folder.path().join("token");
        fs::write(&token, made["token"].as_str().unwrap_or_default())?;
        fs::write(folder.path().join("atelier.toml"), format!("{ECHO}{UNLIMITED}"))?;
        let log = folder.path().join("worker.log");
        let child = Command::new(&self.program)
            .arg("--data")
            .arg(folder.path())
            .args(["worker", "--name", "bench", "--join"])
            .arg(format!("http://{}", local(service.port)))
            .arg("--token-file")
            .arg(&token)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(File::create(&log)?)
            .spawn()?;
        let begun = Instant::now();
        let mut worker = Server {
            child,
            port: service.port,
            started_in: Duration::ZERO,
            _folder: Some(folder),
        };
        while self.ask(&["workers", "list", "--json"])?[0].is_null() {
            if worker.child.try_wait()?.is_some() || begun.elapsed() > START_TIMEOUT {
                let log = fs::read_to_string(&log)?;
                return Err(Error::Unexpected(format!("a worker does not join: {log}")));
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
        worker.started_in = begun.elapsed();
        Ok(worker)
    }

    /// Another node of the service that this data belongs to, on PostgreSQL, with a folder of its own.
    pub(crate) fn node(&self, context: &Context) -> Result<Self> {
        let folder = folder(context)?;
        fs::copy(
            self.path().join("atelier.toml"),
            folder.path().join("atelier.toml"),
        )?;
        Ok(Self {
            folder,
            program: self.program.clone(),
            database: self.database.clone(),
            key: self.key.clone(),
        })
    }

    /// With the engines of the catalog.
    pub(crate) fn embedded(context: &Context) -> Result<Self> {
        Self::new(context, UNLIMITED)
    }

    /// With the engines of the catalog, whose files get these marks of `[marking]` and no others.
    pub(crate) fn marking(context: &Context, marks: &[&str]) -> Result<Self> {
        let coverage = |mark: &str| if marks.contains(&mark) { "all" } else { "off" };
        let [watermark, credentials] = ["watermark", "credentials"].map(coverage);
        let table = format!("[marking]\nwatermark = \"{watermark}\"\ncredentials = \"{credentials}\"\n");
        Self::new(context, &format!("{UNLIMITED}{table}"))
    }

    /// With a provider at this port behind every picture model. It accepts `concurrency` requests at the same time.
    pub(crate) fn provider(context: &Context, port: u16, concurrency: u64) -> Result<Self> {
        Self::new(context, &format!("{}{UNLIMITED}", provider(port, concurrency)))
    }

    /// The same, with the store in this PostgreSQL database, which is empty.
    pub(crate) async fn provider_postgres(
        context: &Context,
        port: u16,
        concurrency: u64,
        url: &str,
    ) -> Result<Self> {
        Self::in_database(context, &provider(port, concurrency), url).await
    }

    fn new(context: &Context, configuration: &str) -> Result<Self> {
        let folder = folder(context)?;
        fs::write(folder.path().join("atelier.toml"), configuration)?;
        let mut data = Self {
            folder,
            program: context.program.clone(),
            database: None,
            key: String::new(),
        };
        data.key = data.account("bench")?;
        Ok(data)
    }

    /// Creates an account that has plenty of credits, and returns its key.
    pub(crate) fn account(&self, name: &str) -> Result<String> {
        let create = ["account", "create", name, "--credits", "1000000000000", "--json"];
        let account = self.ask(&create)?;
        Ok(account["api_key"].as_str().unwrap_or_default().to_owned())
    }

    /// The path of a link that invites an operator to this account.
    pub(crate) fn invitation(&self) -> Result<String> {
        let invited = self.ask(&["account", "invite", "bench", "--operator", "--json"])?;
        let url = invited["url"].as_str().unwrap_or_default();
        let path = url.find("/account/").map(|at| url[at..].to_owned());
        path.ok_or_else(|| Error::Unexpected(format!("an invitation without a link: {invited}")))
    }

    /// Runs a command of the program on this data and returns its JSON output.
    pub(crate) fn ask(&self, arguments: &[&str]) -> Result<Value> {
        let output = self.command().args(arguments).output()?;
        if !output.status.success() {
            let message = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(Error::Unexpected(format!("`{}`: {message}", arguments.join(" "))));
        }
        Ok(serde_json::from_slice(&output.stdout)?)
    }

    pub(crate) fn database(&self) -> Option<&str> {
        self.database.as_deref()
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Starts a server on this data and waits until it is ready.
    pub(crate) async fn serve(&self, arguments: &[&str]) -> Result<Server> {
        let port = free_port()?;
        let mut command = self.command();
        command
            .arg("serve")
            .args(["--listen", &local(port).to_string()])
            .args(arguments);
        Server::start(command, port, &self.path().join("server.log"), None).await
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.arg("--data").arg(self.folder.path());
        command
    }
}

/// A running server, killed when dropped.
#[derive(Debug)]
pub(crate) struct Server {
    child: Child,
    pub(crate) port: u16,
    /// From before the start of the process until it was ready.
    pub(crate) started_in: Duration,
    /// A reference server's folder.
    _folder: Option<TempDir>,
}

impl Server {
    pub(crate) async fn reference(context: &Context, kind: Kind) -> Result<Self> {
        let folder = folder(context)?;
        let port = free_port()?;
        let command = reference(context, kind, port, folder.path().as_os_str());
        let log = folder.path().join("server.log");
        Self::start(command, port, &log, Some(folder)).await
    }

    /// One that writes to the database of this data. On SQLite, no service may use it.
    pub(crate) async fn reference_on(context: &Context, kind: Kind, data: &Data) -> Result<Self> {
        let port = free_port()?;
        let place = match (kind, data.database()) {
            (Kind::JobPostgres, Some(url)) => url.as_ref(),
            _ => data.path().as_os_str(),
        };
        let command = reference(context, kind, port, place);
        Self::start(command, port, &data.path().join("server.log"), None).await
    }

    async fn start(mut command: Command, port: u16, log: &Path, folder: Option<TempDir>) -> Result<Self> {
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(File::create(log)?);
        let begun = Instant::now();
        let child = command.spawn()?;
        let mut server = Self {
            child,
            port,
            started_in: Duration::ZERO,
            _folder: folder,
        };
        let ready = http::request("GET", "/readyz", "", None);
        loop {
            if let Ok(mut connection) = Connection::open(port).await
                && matches!(connection.ask(&ready).await, Ok((200, _)))
            {
                server.started_in = begun.elapsed();
                return Ok(server);
            }
            if server.child.try_wait()?.is_some() || begun.elapsed() > START_TIMEOUT {
                let log = fs::read_to_string(log)?;
                return Err(Error::Unexpected(format!("a server does not start: {log}")));
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// The processor time that it has used, without its child processes.
    pub(crate) fn cpu_time(&self) -> Result<Duration> {
        machine::cpu_time(self.pid())
    }

    /// Stops it in order and waits for its end.
    pub(crate) fn stop(mut self) -> Result<()> {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).map_err(std::io::Error::from)?;
        let status = self.child.wait()?;
        if status.success() {
            return Ok(());
        }
        Err(Error::Unexpected(format!("a server stopped with {status}")))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn reference(context: &Context, kind: Kind, port: u16, place: &OsStr) -> Command {
    let mut command = Command::new(&context.itself);
    command
        .args(["reference", kind.name(), &port.to_string()])
        .arg(place);
    command
}

fn provider(port: u16, concurrency: u64) -> String {
    format!(
        "[engines.provider]\nkind = \"http\"\nprofile = \"replicate\"\nurl = \"http://127.0.0.1:{port}\"\n\
         concurrency = {concurrency}\n[[routes]]\nmodel = \"image-*\"\nengine = \"provider\"\ntarget = \"a/b\"\n"
    )
}

fn folder(context: &Context) -> Result<TempDir> {
    Ok(tempfile::Builder::new()
        .prefix("atelier-bench-")
        .tempdir_in(&context.folder)?)
}

fn free_port() -> Result<u16> {
    Ok(TcpListener::bind(local(0))?.local_addr()?.port())
}

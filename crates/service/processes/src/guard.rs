//! The process between the service and a program. The service starts its own program file as a guard, and holds a
//! pipe to it. When the pipe closes, because the service wants it or because the service is gone, the guard kills
//! everything that the program has started.
//!
//! The guard starts the program by way of a second stage, which sets the limits and then becomes the program, so that
//! no code runs between fork and exec.

use std::{
    ffi::OsString,
    fs,
    io::{self, Read as _},
    net::TcpListener,
    os::unix::process::{CommandExt as _, ExitStatusExt as _},
    path::{Path, PathBuf},
    process::{Command, ExitCode, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

use rustix::process::{
    Pid, Resource, Rlimit, Signal, getpid, getppid, getrlimit, kill_process, nice, setrlimit,
};

use crate::{
    Limits, Network, isolation,
    relay::{self, Relay, Target},
};

/// The first argument of a program that is to become a guard; the other arguments are for [`main`].
pub const COMMAND: &str = "program-guard";
/// The byte by which the service asks the program to end by itself.
pub(crate) const TERMINATE: u8 = b't';
/// The second stage.
const BECOME: &str = "become";
/// The argument of a guard that only tries to take the network from a program.
const CHECK_ISOLATION: &str = "check-isolation";
/// The argument for a program that has no network.
const NO_NETWORK: &str = "no-network";
/// Lowers the priority of programs, so that the service's own threads can answer requests.
const NICENESS: i32 = 5;
/// Programs are killed before the service if memory runs out.
#[cfg(target_os = "linux")]
const OOM_SCORE: &str = "500";
/// How long processes that were killed may take to go.
const KILL_TIME: Duration = Duration::from_secs(5);

/// The arguments of a guard for a program: the network, the relay's port and socket, limits (0: none), the command.
pub(crate) fn arguments(
    limits: Limits,
    network: Network,
    relay: Option<&Relay>,
    command: &[OsString],
) -> Vec<OsString> {
    let number = |limit: Option<u64>| OsString::from(limit.unwrap_or(0).to_string());
    let network = match network {
        Network::Host => "",
        Network::None => NO_NETWORK,
    };
    let (port, socket) = match relay {
        None => (OsString::new(), OsString::new()),
        Some(Relay { port, target }) => {
            let socket = match target {
                Target::Port(_) => OsString::new(),
                Target::Socket(path) => path.into(),
            };
            (port.to_string().into(), socket)
        }
    };
    let limits = [limits.memory_bytes, limits.files].map(number);
    let mut arguments = vec![COMMAND.into(), network.into(), port, socket];
    arguments.extend(limits);
    arguments.extend(command.iter().cloned());
    arguments
}

/// Whether this system gives programs a network of their own, tried in a child process; otherwise why not. `guard` is
/// as in [`crate::Setup::guard`].
pub fn check_isolation(guard: &Path) -> Result<(), String> {
    let child = Command::new(guard)
        .args([COMMAND, CHECK_ISOLATION])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .output()
        .map_err(|error| error.to_string())?;
    if child.status.success() {
        return Ok(());
    }
    Err(String::from_utf8_lossy(&child.stderr).trim().to_owned())
}

/// Runs as a guard, or as its second stage. `arguments` are those after [`COMMAND`].
#[expect(
    clippy::print_stderr,
    reason = "standard error is what the operator sees of a program"
)]
pub fn main(arguments: &[OsString]) -> ExitCode {
    let outcome = match arguments.split_first() {
        Some((stage, rest)) if stage == BECOME => become_program(rest),
        Some((stage, [])) if stage == CHECK_ISOLATION => {
            isolation::leave_network().map(|()| ExitStatus::default())
        }
        _ => guard(arguments),
    };
    match outcome {
        Ok(status) => {
            if !status.success() {
                eprintln!("atelier: the program ended with {status}");
            }
            let code = status
                .code()
                .or_else(|| status.signal().map(|signal| 128 + signal));
            ExitCode::from(code.unwrap_or(1).clamp(0, 255) as u8)
        }
        Err(error) => {
            eprintln!("atelier: {error}");
            ExitCode::FAILURE
        }
    }
}

fn guard(arguments: &[OsString]) -> io::Result<ExitStatus> {
    let [network, port, socket, rest @ ..] = arguments else {
        return Err(missing());
    };
    // This socket stays in the network of the service.
    let front = listen(port)?;
    if network == NO_NETWORK {
        let because = |error| io::Error::other(format!("cannot take the network from the program: {error}"));
        isolation::leave_network().map_err(because)?;
    }
    remove(socket);
    // Processes whose parent ends become children of the guard, so that it finds them.
    #[cfg(target_os = "linux")]
    rustix::process::set_child_subreaper(Some(getpid()))?;
    let mut program = Command::new(own_program()?)
        .args([COMMAND.into(), OsString::from(BECOME)])
        .arg(getpid().as_raw_nonzero().to_string())
        .args(rest)
        .stdin(Stdio::null())
        // Some programs write their errors to standard output.
        .stdout(io::stderr())
        .spawn()?;
    let pid = Pid::from_child(&program);
    if let Some((listener, port)) = front {
        let target = if socket.is_empty() {
            Target::Port(port)
        } else {
            Target::Socket(socket.into())
        };
        relay::run(listener, target);
    }
    thread::spawn(move || {
        let mut order = [0];
        while matches!(io::stdin().read(&mut order), Ok(1..)) {
            if order[0] == TERMINATE {
                // It may have ended already.
                let _ = kill_process(pid, Signal::TERM);
            }
        }
        kill_descendants();
    });
    let status = program.wait();
    kill_descendants();
    remove(socket);
    status
}

/// Listens in the place of the program, if there is a port to do so.
fn listen(port: &OsString) -> io::Result<Option<(TcpListener, u16)>> {
    if port.is_empty() {
        return Ok(None);
    }
    let port = port.to_str().and_then(|text| text.parse().ok());
    let port: u16 = port.ok_or_else(missing)?;
    Ok(Some((TcpListener::bind(("127.0.0.1", port))?, port)))
}

/// Removes a socket, which an earlier program may have left.
fn remove(socket: &OsString) {
    if !socket.is_empty() {
        // Usually there is none.
        let _ = fs::remove_file(socket);
    }
}

fn missing() -> io::Error {
    io::Error::other("arguments are missing")
}

/// The file of this program, on Linux even if it was replaced meanwhile.
fn own_program() -> io::Result<PathBuf> {
    if cfg!(target_os = "linux") {
        Ok(PathBuf::from("/proc/self/exe"))
    } else {
        std::env::current_exe()
    }
}

/// `arguments`: the guard's process id, the limits (0: none), the command.
fn become_program(arguments: &[OsString]) -> io::Result<ExitStatus> {
    let [guard, memory, files, program, arguments @ ..] = arguments else {
        return Err(missing());
    };
    let number = |text: &OsString| {
        text.to_str()
            .and_then(|text| text.parse::<u64>().ok())
            .ok_or_else(missing)
    };
    #[cfg(target_os = "linux")]
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    // The guard may have ended before the signal was set.
    if getppid().map(|parent| parent.as_raw_nonzero().get() as u64) != Some(number(guard)?) {
        return Err(io::Error::other("the guard has ended"));
    }
    // A core file would contain media of clients, and be large.
    lower(Resource::Core, 0)?;
    for (resource, most) in [
        (Resource::Data, number(memory)?),
        (Resource::Nofile, number(files)?),
    ] {
        if most > 0 {
            lower(resource, most)?;
        }
    }
    nice(NICENESS)?;
    #[cfg(target_os = "linux")]
    // Without it the program runs as well.
    let _ = fs::write("/proc/self/oom_score_adj", OOM_SCORE);
    let error = Command::new(program).args(arguments).exec();
    let name = program.to_string_lossy();
    Err(io::Error::new(
        error.kind(),
        format!("cannot run `{name}`: {error}"),
    ))
}

/// Sets the soft and the hard limit, but never above the current hard limit.
fn lower(resource: Resource, most: u64) -> io::Result<()> {
    let most = getrlimit(resource)
        .maximum
        .map_or(most, |maximum| maximum.min(most));
    setrlimit(
        resource,
        Rlimit {
            current: Some(most),
            maximum: Some(most),
        },
    )?;
    Ok(())
}

/// Kills all that descend from this process, also what has left its process group.
#[cfg(target_os = "linux")]
fn kill_descendants() {
    let until = Instant::now() + KILL_TIME;
    loop {
        let descendants = descendants();
        if descendants.is_empty() || Instant::now() >= until {
            return;
        }
        for pid in descendants {
            // It may have ended meanwhile.
            let _ = kill_process(pid, Signal::KILL);
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// The processes below this one that still run.
#[cfg(target_os = "linux")]
fn descendants() -> Vec<Pid> {
    let mut children: Vec<(i32, i32)> = Vec::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else {
            continue;
        };
        let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        // The name in parentheses may contain anything; state and parent follow it.
        let mut fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
        let state = fields.next();
        if let Some(parent) = fields.next().and_then(|parent| parent.parse().ok())
            && !matches!(state, Some("Z" | "X"))
        {
            children.push((parent, pid));
        }
    }
    let mut found = vec![getpid().as_raw_nonzero().get()];
    let mut at = 0;
    while at < found.len() {
        let parent = found[at];
        found.extend(
            children
                .iter()
                .filter(|(of, _)| *of == parent)
                .map(|(_, pid)| *pid),
        );
        at += 1;
    }
    found.into_iter().skip(1).filter_map(Pid::from_raw).collect()
}

/// Kills the process group, of which this process is the first.
#[cfg(not(target_os = "linux"))]
fn kill_descendants() {
    let _ = rustix::process::kill_process_group(getpid(), Signal::KILL);
}

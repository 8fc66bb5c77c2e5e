//! The life of one process of a program: start, probe, end.

use std::{
    ffi::OsString,
    fs::DirBuilder,
    future::pending,
    io,
    net::TcpListener,
    os::unix::{ffi::OsStrExt as _, fs::DirBuilderExt as _},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use tokio::{
    sync::watch,
    time::{Instant, sleep, timeout},
};

use super::{Current, Inner};
use crate::{
    Description, Network,
    child::{Ready, Running},
    relay::{Relay, Target},
    scheduler::{Event, ProgramId},
};

/// The delays between probes of a program that loads: the first, and the longest.
const PROBES: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(1));
/// The longest path of a socket, in bytes.
const LONGEST_SOCKET: usize = 107;
/// How long a program may take to end by itself.
const GRACE: Duration = Duration::from_secs(5);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Order {
    None,
    Stop,
    Kill,
}

/// How the life of a process ended.
enum End {
    Ordered(Order),
    /// By itself; the reason is for operators.
    Failed(String),
}

/// Starts a process of a program, and looks after it until its end.
pub(super) async fn live(inner: Arc<Inner>, id: ProgramId, number: u64, mut orders: watch::Receiver<Order>) {
    let description = &*inner.description(id);
    let name = description.name.as_str();
    let (gone, is_gone) = watch::channel(false);
    let failure = match start(&inner, description) {
        Err(error) => Some(format!("it cannot be started: {error}")),
        Ok((mut running, port)) => {
            tracing::info!(engine = name, port, "a program is loading");
            let begun = Instant::now();
            let mut end = load(description, &mut running, port, &mut orders).await;
            if end.is_none() {
                let current = Current {
                    number,
                    port,
                    is_gone,
                    output: running.listener(),
                };
                loaded(&inner, id, current, begun.elapsed());
                end = Some(tokio::select! {
                    () = running.ended() => End::Failed("it ended by itself".to_owned()),
                    order = ordered(&mut orders) => End::Ordered(order),
                });
            }
            match end {
                Some(End::Failed(why)) => {
                    running.kill().await;
                    Some(with_output(&why, &running.output()))
                }
                Some(End::Ordered(order)) => {
                    stop(&mut running, order, &mut orders).await;
                    tracing::info!(engine = name, "a program was stopped");
                    None
                }
                None => None,
            }
        }
    };
    if let Some(why) = &failure {
        tracing::error!(engine = name, why, "a program has failed");
    }
    {
        let mut state = inner.lock();
        state.processes[id] = None;
        if failure.is_some() {
            state.last_failures[id] = failure;
        }
    }
    // Callers that wait for it find the reason.
    gone.send_replace(true);
    inner.tell(Event::Ended(id));
}

fn start(inner: &Inner, description: &Description) -> io::Result<(Running, u16)> {
    // The system gives every process another port for as long as there are some.
    let port = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port();
    let environment = description.environment.iter();
    let mut texts = description.command.iter().chain(description.environment.values());
    let uses_socket = texts.any(|text| text.contains("{socket}"));
    let socket = uses_socket
        .then(|| socket(&inner.sockets, &description.name))
        .transpose()?;
    let filled = |text: &String| {
        let text = text.replace("{port}", &port.to_string());
        let socket = socket.as_deref().map(Path::to_string_lossy).unwrap_or_default();
        text.replace("{device}", &description.device)
            .replace("{socket}", &socket)
    };
    let target = match &socket {
        Some(path) => Some(Target::Socket(path.clone())),
        None => (description.network == Network::None).then_some(Target::Port(port)),
    };
    let ready = Ready {
        guard: &inner.guard,
        command: description
            .command
            .iter()
            .map(filled)
            .map(OsString::from)
            .collect(),
        folder: description.folder.as_ref(),
        environment: &environment
            .map(|(name, value)| (name.clone(), filled(value)))
            .collect(),
        limits: description.limits,
        network: description.network,
        relay: target.map(|target| Relay { port, target }),
    };
    Ok((Running::start(&ready)?, port))
}

/// The path for the socket of a program, in a folder that only this user can enter.
fn socket(folder: &Path, name: &str) -> io::Result<PathBuf> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let path = folder.join(name).with_extension("sock");
    if path.as_os_str().as_bytes().len() > LONGEST_SOCKET {
        let path = path.display();
        return Err(io::Error::other(format!(
            "the path of its socket is longer than {LONGEST_SOCKET} bytes: {path}"
        )));
    }
    Ok(path)
}

/// Waits until the program is ready; otherwise says why it is not.
async fn load(
    description: &Description,
    running: &mut Running,
    port: u16,
    orders: &mut watch::Receiver<Order>,
) -> Option<End> {
    let mut missing = "no answer".to_owned();
    let ready = async {
        let (mut delay, longest) = PROBES;
        loop {
            sleep(delay).await;
            match timeout(longest, description.probe.ready(port)).await {
                Ok(Ok(())) => return,
                Ok(Err(why)) => missing = why,
                Err(_) => "no answer".clone_into(&mut missing),
            }
            delay = (delay * 2).min(longest);
        }
    };
    let mut written = running.all_output();
    let unfit = async {
        while let Some(text) = written.more().await {
            if let Some(why) = description.probe.unfit(&text) {
                return why;
            }
        }
        pending().await
    };
    let ended = tokio::select! {
        biased;
        () = running.ended() => Some(End::Failed("it ended while it was loading".to_owned())),
        order = ordered(orders) => Some(End::Ordered(order)),
        why = unfit => Some(End::Failed(why)),
        // Its last words may not have been heard yet.
        () = ready => return description.probe.unfit(&running.output()).map(End::Failed),
        () = sleep(description.start_deadline) => None,
    };
    Some(ended.unwrap_or_else(|| {
        let seconds = description.start_deadline.as_secs_f64();
        End::Failed(format!("it was not ready within {seconds} s: {missing}"))
    }))
}

fn loaded(inner: &Arc<Inner>, id: ProgramId, current: Current, took: Duration) {
    let name = &inner.description(id).name;
    tracing::info!(engine = name, seconds = took.as_secs_f64(), "a program is loaded");
    metrics::histogram!("atelier_program_load_seconds", "engine" => name.clone()).record(took);
    {
        let mut state = inner.lock();
        state.last_loads[id] = Some(took);
        state.last_failures[id] = None;
        if let Some(process) = &mut state.processes[id] {
            process.current = Some(current);
        }
    }
    let (history, noted) = (inner.history.clone(), name.clone());
    tokio::task::spawn_blocking(move || history.note(&noted, took));
    inner.tell(Event::Loaded(id));
}

async fn ordered(orders: &mut watch::Receiver<Order>) -> Order {
    // The sender lives as long as the process.
    orders
        .wait_for(|order| *order > Order::None)
        .await
        .map_or(Order::Kill, |order| *order)
}

async fn stop(running: &mut Running, order: Order, orders: &mut watch::Receiver<Order>) {
    if order == Order::Stop {
        running.terminate().await;
        tokio::select! {
            () = running.ended() => {}
            () = sleep(GRACE) => {}
            _ = orders.wait_for(|order| *order == Order::Kill) => {}
        }
    }
    running.kill().await;
}

fn with_output(why: &str, output: &str) -> String {
    if output.is_empty() {
        return format!("{why}; it wrote nothing");
    }
    format!("{why}; its output ends with:\n{output}")
}

//! A relay between clients and a server that can go silent, like a network that has forgotten a connection: bytes are
//! taken and acknowledged, and nobody gets them.

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream, UnixStream},
    task::JoinHandle,
};

/// The connections that go silent after so many writes of clients. The write that reaches the number still arrives, but
/// its answer does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Silent {
    Never,
    /// All, counted together, and new ones too.
    All(usize),
    /// The first one only.
    First(usize),
}

/// A relay from a free port to a Unix socket. It ends when it is dropped.
#[derive(Debug)]
pub struct Relay {
    port: u16,
    state: Arc<State>,
    accepting: JoinHandle<()>,
}

#[derive(Debug)]
struct State {
    silent: Silent,
    /// Writes of clients that count for [`State::silent`].
    writes: AtomicUsize,
    accepted: AtomicUsize,
    /// Connections with a smaller number are silent.
    forgotten: AtomicUsize,
}

impl State {
    /// Whether this connection is silent.
    fn is_silent(&self, number: usize) -> bool {
        let writes = self.writes.load(Ordering::SeqCst);
        let by_plan = match self.silent {
            Silent::Never => false,
            Silent::All(most) => writes >= most,
            Silent::First(most) => number == 0 && writes >= most,
        };
        by_plan || number < self.forgotten.load(Ordering::SeqCst)
    }

    fn wrote(&self, number: usize) {
        if !matches!(self.silent, Silent::First(_)) || number == 0 {
            self.writes.fetch_add(1, Ordering::SeqCst);
        }
    }
}

impl Relay {
    pub async fn start(socket: &Path, silent: Silent) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let state = Arc::new(State {
            silent,
            writes: AtomicUsize::new(0),
            accepted: AtomicUsize::new(0),
            forgotten: AtomicUsize::new(0),
        });
        let accepting = tokio::spawn(accept(listener, socket.to_owned(), Arc::clone(&state)));
        Self {
            port,
            state,
            accepting,
        }
    }

    /// The port of 127.0.0.1 that clients connect to.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Makes all present connections silent. New ones work.
    pub fn forget(&self) {
        let accepted = self.state.accepted.load(Ordering::SeqCst);
        self.state.forgotten.store(accepted, Ordering::SeqCst);
    }

    /// The number of writes so far that count for [`Silent`].
    pub fn writes(&self) -> usize {
        self.state.writes.load(Ordering::SeqCst)
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn accept(listener: TcpListener, socket: PathBuf, state: Arc<State>) {
    // The connections end with this task.
    let mut connections = tokio::task::JoinSet::new();
    loop {
        let (client, _) = listener.accept().await.unwrap();
        let number = state.accepted.fetch_add(1, Ordering::SeqCst);
        let server = UnixStream::connect(&socket).await.unwrap();
        connections.spawn(relay(client, server, Arc::clone(&state), number));
    }
}

/// Ends when the client closes its side, or when the server does and the connection is not silent.
async fn relay(client: TcpStream, server: UnixStream, state: Arc<State>, number: usize) {
    let (mut from_client, mut to_client) = client.into_split();
    let (mut from_server, mut to_server) = server.into_split();
    let up = async {
        let mut bytes = vec![0; 1 << 14];
        while let Ok(length @ 1..) = from_client.read(&mut bytes).await {
            if !state.is_silent(number) {
                state.wrote(number);
                if to_server.write_all(&bytes[..length]).await.is_err() {
                    return;
                }
            }
        }
    };
    let down = async {
        let mut bytes = vec![0; 1 << 14];
        while let Ok(length @ 1..) = from_server.read(&mut bytes).await {
            if !state.is_silent(number) && to_client.write_all(&bytes[..length]).await.is_err() {
                return;
            }
        }
        if state.is_silent(number) {
            std::future::pending::<()>().await;
        }
    };
    tokio::select! {
        () = up => {}
        () = down => {}
    }
}

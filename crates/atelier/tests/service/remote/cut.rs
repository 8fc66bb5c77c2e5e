//! A relay between workers and the service that is a bad network: it breaks connections after so many bytes from the
//! client, swallows what both sides say, or is slow.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{
        TcpListener, TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
    sync::watch,
    task::JoinHandle,
};

/// How long a slow network keeps each packet.
const DELAY: Duration = Duration::from_millis(300);

/// The state of the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Network {
    Good,
    Slow,
    /// Packets vanish, and the connections that had some break when the network is good again.
    Silent,
}

/// The relay. It ends when it is dropped.
pub(super) struct Cutter {
    origin: String,
    counts: Arc<Counts>,
    network: watch::Sender<Network>,
    accepting: JoinHandle<()>,
}

#[derive(Default)]
struct Counts {
    /// Connections that were broken.
    cuts: AtomicU64,
    /// Bytes from clients.
    sent: AtomicU64,
    /// Bytes after which the next connections break; 0: never.
    after: AtomicU64,
}

impl Cutter {
    pub(super) async fn start(to: &str, after: u64) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let counts = Arc::new(Counts::default());
        counts.after.store(after, Ordering::SeqCst);
        let (network, state) = watch::channel(Network::Good);
        let accepting = tokio::spawn(accept(listener, to.to_owned(), Arc::clone(&counts), state));
        Self {
            origin,
            counts,
            network,
            accepting,
        }
    }

    pub(super) fn origin(&self) -> String {
        self.origin.clone()
    }

    pub(super) fn cuts(&self) -> u64 {
        self.counts.cuts.load(Ordering::SeqCst)
    }

    pub(super) fn sent(&self) -> u64 {
        self.counts.sent.load(Ordering::SeqCst)
    }

    /// Breaks connections after this many bytes from now on; 0: none.
    pub(super) fn set_after(&self, after: u64) {
        self.counts.after.store(after, Ordering::SeqCst);
    }

    pub(super) fn set_network(&self, network: Network) {
        self.network.send_replace(network);
    }
}

impl Drop for Cutter {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn accept(listener: TcpListener, to: String, counts: Arc<Counts>, network: watch::Receiver<Network>) {
    // The connections end with this task.
    let mut connections = tokio::task::JoinSet::new();
    loop {
        let (client, _) = listener.accept().await.unwrap();
        let (to, counts, network) = (to.clone(), Arc::clone(&counts), network.clone());
        connections.spawn(async move {
            // A service that is not there is like a broken connection.
            if let Ok(server) = TcpStream::connect(&to).await {
                relay(client, server, &counts, network).await;
            }
        });
    }
}

async fn relay(client: TcpStream, server: TcpStream, counts: &Counts, network: watch::Receiver<Network>) {
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    let up = pump(
        from_client,
        to_server,
        network.clone(),
        counts,
        |counts, passed, length| {
            counts.sent.fetch_add(length, Ordering::SeqCst);
            let after = counts.after.load(Ordering::SeqCst);
            after > 0 && passed > after
        },
    );
    let down = pump(from_server, to_client, network, counts, |_, _, _| false);
    tokio::select! {
        () = up => {}
        () = down => {}
    }
}

/// Passes bytes on until one side ends or `is_cut`, which gets the bytes so far and those that came now.
async fn pump(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    mut network: watch::Receiver<Network>,
    counts: &Counts,
    is_cut: impl Fn(&Counts, u64, u64) -> bool,
) {
    let (mut bytes, mut passed) = (vec![0; 1 << 14], 0);
    while let Ok(length @ 1..) = from.read(&mut bytes).await {
        passed += length as u64;
        let now = *network.borrow_and_update();
        if now == Network::Slow {
            tokio::time::sleep(DELAY).await;
        }
        if now == Network::Silent {
            // The sender is gone when the relay is.
            let _ = network.wait_for(|now| *now != Network::Silent).await;
        }
        if now == Network::Silent || is_cut(counts, passed, length as u64) {
            counts.cuts.fetch_add(1, Ordering::SeqCst);
            return;
        }
        if to.write_all(&bytes[..length]).await.is_err() {
            return;
        }
    }
}

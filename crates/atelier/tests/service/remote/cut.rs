//! A relay that breaks each connection after so many bytes from the client.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _, copy},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

/// The relay. It ends when it is dropped.
pub(super) struct Cutter {
    origin: String,
    counts: Arc<Counts>,
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
        let accepting = tokio::spawn(accept(listener, to.to_owned(), Arc::clone(&counts)));
        Self {
            origin,
            counts,
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
}

impl Drop for Cutter {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn accept(listener: TcpListener, to: String, counts: Arc<Counts>) {
    // The connections end with this task.
    let mut connections = tokio::task::JoinSet::new();
    loop {
        let (client, _) = listener.accept().await.unwrap();
        let (to, counts) = (to.clone(), Arc::clone(&counts));
        connections.spawn(async move {
            // A service that is not there is like a broken connection.
            if let Ok(server) = TcpStream::connect(&to).await {
                relay(client, server, &counts).await;
            }
        });
    }
}

async fn relay(client: TcpStream, server: TcpStream, counts: &Counts) {
    let (mut from_client, mut to_client) = client.into_split();
    let (mut from_server, mut to_server) = server.into_split();
    let up = async {
        let (mut bytes, mut passed) = (vec![0; 1 << 14], 0);
        while let Ok(length @ 1..) = from_client.read(&mut bytes).await {
            passed += length as u64;
            counts.sent.fetch_add(length as u64, Ordering::SeqCst);
            let after = counts.after.load(Ordering::SeqCst);
            if after > 0 && passed > after {
                counts.cuts.fetch_add(1, Ordering::SeqCst);
                return;
            }
            if to_server.write_all(&bytes[..length]).await.is_err() {
                return;
            }
        }
    };
    tokio::select! {
        () = up => {}
        _ = copy(&mut from_server, &mut to_client) => {}
    }
}

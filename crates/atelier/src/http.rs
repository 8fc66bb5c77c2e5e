//! Listens for connections, serves them, and at the end gives them time to finish their requests.

use std::{net::SocketAddr, pin::pin, time::Duration};

use axum::{Router, extract::ConnectInfo, http::Request};
use hyper::body::Incoming;
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::conn::auto::Builder,
    service::TowerToHyperService,
};
use tokio::{
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tower::ServiceExt as _;

use crate::failure::Failure;

mod activity;
mod refusal;
#[cfg(test)]
mod tests;

use activity::Activity;
use refusal::{Connection, Heard};

/// How long a connection may be without a request, whatever its protocol. This covers connections that never send a
/// complete request head. It is longer than the idle timeout of common load balancers, which would otherwise send
/// requests into a closing connection.
const IDLE_TIMEOUT: Duration = Duration::from_secs(75);
/// How long an idle connection may take to close in order before it is cut.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);
/// HTTP/2 clients are sent a ping this often while a request is in progress.
const PING_INTERVAL: Duration = Duration::from_secs(30);
/// The pause after the operating system could not accept a connection.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// A listening server.
#[derive(Debug)]
pub(crate) struct Http {
    address: SocketAddr,
    closing: CancellationToken,
    accepting: JoinHandle<()>,
    connections: TaskTracker,
}

/// Binds the address.
pub(crate) async fn bind(address: SocketAddr) -> Result<TcpListener, Failure> {
    TcpListener::bind(address).await.map_err(|error| {
        let why = match error.kind() {
            std::io::ErrorKind::AddrInUse => "another program is listening there".to_owned(),
            std::io::ErrorKind::AddrNotAvailable => "this machine does not have this address".to_owned(),
            std::io::ErrorKind::PermissionDenied => "this user does not have permission".to_owned(),
            _ => error.to_string(),
        };
        Failure::Failed {
            code: "listen",
            message: format!("cannot listen on {address}: {why}"),
        }
    })
}

impl Http {
    /// Serves on this listener until [`Self::close`].
    pub(crate) fn serve(listener: TcpListener, router: Router) -> Result<Self, Failure> {
        Self::serve_with(listener, router, IDLE_TIMEOUT)
    }

    fn serve_with(listener: TcpListener, router: Router, idle: Duration) -> Result<Self, Failure> {
        let address = listener.local_addr()?;
        let server = Server {
            builder: builder(idle),
            router,
            idle,
            closing: CancellationToken::new(),
            connections: TaskTracker::new(),
        };
        let (closing, connections) = (server.closing.clone(), server.connections.clone());
        let accepting = tokio::spawn(server.accept(listener));
        Ok(Self {
            address,
            closing,
            accepting,
            connections,
        })
    }

    pub(crate) const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Accepts no more connections and waits up to `grace` for requests in progress.
    pub(crate) async fn close(self, grace: Duration) {
        self.closing.cancel();
        if self.accepting.await.is_err() {
            return;
        }
        self.connections.close();
        if tokio::time::timeout(grace, self.connections.wait())
            .await
            .is_err()
        {
            tracing::warn!("some requests took longer than the grace period and were cut off");
        }
    }
}

fn builder(idle: Duration) -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(idle);
    builder
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(PING_INTERVAL);
    builder
}

/// The common state of all connections.
struct Server {
    builder: Builder<TokioExecutor>,
    router: Router,
    idle: Duration,
    closing: CancellationToken,
    connections: TaskTracker,
}

impl Server {
    async fn accept(self, listener: TcpListener) {
        loop {
            let accepted = tokio::select! {
                () = self.closing.cancelled() => return,
                accepted = listener.accept() => accepted,
            };
            match accepted {
                Ok((stream, peer)) => self.serve(stream, peer),
                Err(error) => not_accepted(&error).await,
            }
        }
    }

    fn serve(&self, stream: TcpStream, peer: SocketAddr) {
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "a connection could not be set up");
        }
        let (heard, activity) = (Heard::default(), Activity::new());
        let stream = TokioIo::new(Connection::new(activity.watch(stream), heard.clone()));
        let requests = activity.clone();
        let router = self.router.clone();
        let service = router.map_request(move |mut request: Request<Incoming>| {
            heard.one();
            // Sessions and throttling use the client's address.
            request.extensions_mut().insert(ConnectInfo(peer));
            request
        });
        let service = TowerToHyperService::new(requests.counted(service));
        let builder = self.builder.clone();
        let (closing, idle) = (self.closing.clone(), self.idle);
        self.connections.spawn(async move {
            let mut connection = pin!(builder.serve_connection(stream, service));
            let mut shutting_down = false;
            let ended = loop {
                tokio::select! {
                    ended = connection.as_mut() => break ended,
                    () = closing.cancelled(), if !shutting_down => {
                        shutting_down = true;
                        connection.as_mut().graceful_shutdown();
                    }
                    () = activity.idle_for(idle) => {
                        connection.as_mut().graceful_shutdown();
                        let closed = tokio::time::timeout(CLOSE_TIMEOUT, connection.as_mut()).await;
                        break closed.unwrap_or(Ok(()));
                    }
                }
            };
            if let Err(error) = ended {
                tracing::debug!(error, "a connection ended early");
            }
        });
    }
}

async fn not_accepted(error: &std::io::Error) {
    use std::io::ErrorKind;
    if matches!(
        error.kind(),
        ErrorKind::ConnectionRefused | ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset
    ) {
        return;
    }
    tracing::error!(%error, "a connection could not be accepted");
    tokio::time::sleep(ACCEPT_PAUSE).await;
}

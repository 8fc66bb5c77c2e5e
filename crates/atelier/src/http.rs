//! Listening: connections are accepted, served, and at the end given time to finish what they are at.

use std::{net::SocketAddr, time::Duration};

use axum::{Router, extract::ConnectInfo, http::Request};
use hyper::body::Incoming;
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::{conn::auto::Builder, graceful::GracefulShutdown},
    service::TowerToHyperService,
};
use tokio::{
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt as _;

use crate::failure::Failure;

mod refusal;

use refusal::{Connection, Heard};

/// How long a client may take to send a request's head, and a connection may rest between two requests.
/// Longer than the idle time of usual load balancers, which would otherwise send into a closing connection.
const HEAD_TIMEOUT: Duration = Duration::from_secs(75);
/// After the system refused a connection for lack of something, it is asked again this much later.
const REFUSED_PAUSE: Duration = Duration::from_millis(100);

/// A server that listens.
#[derive(Debug)]
pub(crate) struct Http {
    address: SocketAddr,
    closing: CancellationToken,
    accepting: JoinHandle<GracefulShutdown>,
}

/// Takes the address.
pub(crate) async fn bind(address: SocketAddr) -> Result<TcpListener, Failure> {
    TcpListener::bind(address).await.map_err(|error| {
        let why = match error.kind() {
            std::io::ErrorKind::AddrInUse => "another program listens there".to_owned(),
            std::io::ErrorKind::AddrNotAvailable => "it is no address of this machine".to_owned(),
            std::io::ErrorKind::PermissionDenied => "that takes more rights than this user has".to_owned(),
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
        let address = listener.local_addr()?;
        let closing = CancellationToken::new();
        let accepting = tokio::spawn(accept(listener, router, closing.clone()));
        Ok(Self {
            address,
            closing,
            accepting,
        })
    }

    pub(crate) const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Accepts no more connections and waits until the requests that are being answered are, at most for `grace`.
    pub(crate) async fn close(self, grace: Duration) {
        self.closing.cancel();
        let Ok(connections) = self.accepting.await else {
            return;
        };
        if tokio::time::timeout(grace, connections.shutdown()).await.is_err() {
            tracing::warn!("some requests took longer than the grace period and were cut off");
        }
    }
}

async fn accept(listener: TcpListener, router: Router, closing: CancellationToken) -> GracefulShutdown {
    let mut server = Builder::new(TokioExecutor::new());
    server
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT);
    server.http2().timer(TokioTimer::new());
    let connections = GracefulShutdown::new();
    loop {
        let stream = tokio::select! {
            () = closing.cancelled() => return connections,
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => stream,
                Err(error) => {
                    refused(&error).await;
                    continue;
                }
            },
        };
        serve_connection(&server, stream, router.clone(), &connections);
    }
}

fn serve_connection(
    server: &Builder<TokioExecutor>,
    stream: TcpStream,
    router: Router,
    connections: &GracefulShutdown,
) {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "a connection cannot be set up");
    }
    let peer = stream.peer_addr().ok();
    let heard = Heard::default();
    let connection = Connection::new(stream, heard.clone());
    let service = TowerToHyperService::new(router.map_request(move |mut request: Request<Incoming>| {
        heard.one();
        // Sessions say where they were last used from.
        if let Some(peer) = peer {
            request.extensions_mut().insert(ConnectInfo(peer));
        }
        request
    }));
    let connection = server
        .serve_connection(TokioIo::new(connection), service)
        .into_owned();
    let connection = connections.watch(connection);
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            // Clients go away as they please.
            tracing::debug!(error, "a connection ended early");
        }
    });
}

async fn refused(error: &std::io::Error) {
    use std::io::ErrorKind;
    if matches!(
        error.kind(),
        ErrorKind::ConnectionRefused | ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset
    ) {
        return;
    }
    tracing::error!(%error, "a connection cannot be accepted");
    tokio::time::sleep(REFUSED_PAUSE).await;
}

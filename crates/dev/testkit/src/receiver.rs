//! A receiver of webhooks on loopback. It records requests and sends the answers that the test sets.

use std::{
    collections::VecDeque,
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{
    Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, StatusCode, Uri},
    response::{IntoResponse, Response},
};
use serde_json::Value;
use tokio::{net::TcpListener, sync::Notify, task::JoinHandle};

/// One received request.
#[derive(Debug, Clone)]
pub struct Received {
    pub path: String,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl Received {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .unwrap_or_else(|| panic!("no header {name} in {:?}", self.headers))
            .to_str()
            .unwrap()
    }
}

/// The answer to the next request.
#[derive(Debug, Clone)]
pub struct Reply {
    pub status: u16,
    pub headers: Vec<(&'static str, String)>,
    pub after: Duration,
    pub body: String,
}

impl Reply {
    pub const fn status(status: u16) -> Self {
        Self {
            status,
            headers: Vec::new(),
            after: Duration::ZERO,
            body: String::new(),
        }
    }

    /// The same with one more header.
    pub fn header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// Status 200 with this JSON.
    pub fn json(body: &Value) -> Self {
        Self {
            body: body.to_string(),
            ..Self::status(200)
        }
    }

    /// The same, sent later.
    pub fn after(mut self, after: Duration) -> Self {
        self.after = after;
        self
    }
}

/// Runs until dropped.
#[derive(Debug)]
pub struct Receiver {
    address: SocketAddr,
    shared: Arc<Shared>,
    task: JoinHandle<()>,
}

#[derive(Debug, Default)]
struct Shared {
    received: Mutex<Vec<Received>>,
    replies: Mutex<VecDeque<Reply>>,
    otherwise: Mutex<Option<Reply>>,
    arrived: Notify,
}

impl Receiver {
    pub async fn start() -> Self {
        Self::on(TcpListener::bind("127.0.0.1:0").await.unwrap())
    }

    /// Receives what comes to this listener.
    pub fn on(listener: TcpListener) -> Self {
        let shared = Arc::new(Shared::default());
        let address = listener.local_addr().unwrap();
        let router = Router::new().fallback(receive).with_state(Arc::clone(&shared));
        let task = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self {
            address,
            shared,
            task,
        }
    }

    /// Returns its address with this path.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Answers the next requests like this; 200 when nothing is left.
    pub fn reply(&self, replies: impl IntoIterator<Item = Reply>) {
        self.shared.replies.lock().unwrap().extend(replies);
    }

    /// From now on, sends this answer to every request.
    pub fn always(&self, reply: Reply) {
        *self.shared.otherwise.lock().unwrap() = Some(reply);
    }

    pub fn received(&self) -> Vec<Received> {
        self.shared.received.lock().unwrap().clone()
    }

    /// Waits for `count` requests and returns all. The test fails if that takes longer than 30 s.
    pub async fn wait_for(&self, count: usize) -> Vec<Received> {
        let enough = async {
            loop {
                let arrived = self.shared.arrived.notified();
                let received = self.received();
                if received.len() >= count {
                    return received;
                }
                let _ = tokio::time::timeout(Duration::from_millis(200), arrived).await;
            }
        };
        let waited = tokio::time::timeout(Duration::from_secs(30), enough).await;
        waited.unwrap_or_else(|_| {
            panic!(
                "{} of {count} webhooks arrived within 30 s",
                self.received().len()
            )
        })
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn receive(State(shared): State<Arc<Shared>>, uri: Uri, headers: HeaderMap, body: Bytes) -> Response {
    shared.received.lock().unwrap().push(Received {
        path: uri.to_string(),
        headers,
        body,
    });
    shared.arrived.notify_waiters();
    let otherwise = shared.otherwise.lock().unwrap().clone();
    let next = shared.replies.lock().unwrap().pop_front();
    let reply = next.or(otherwise).unwrap_or(Reply::status(200));
    tokio::time::sleep(reply.after).await;
    let status = StatusCode::from_u16(reply.status).unwrap();
    let mut response = (status, reply.body).into_response();
    for (name, value) in reply.headers {
        response.headers_mut().insert(name, value.parse().unwrap());
    }
    response
}

//! An HTTP server that misbehaves as it is told. It counts the bytes of bodies that it sent.

use std::{
    fmt::Write as _,
    net::SocketAddr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};

/// A request as it came.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    /// How many requests came before it.
    pub(crate) number: u64,
    pub(crate) method: String,
    pub(crate) path: String,
    /// In lower case.
    pub(crate) head: String,
    /// The first and the last byte of `Range`.
    pub(crate) range: Option<(u64, u64)>,
}

impl Request {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let begin = format!("{name}: ");
        self.head.lines().find_map(|line| line.strip_prefix(&begin))
    }
}

/// An answer.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    /// Close the connection after so many bytes of the body.
    pub(crate) cut: Option<usize>,
    /// Say nothing more after so many bytes of the body, but keep the connection.
    pub(crate) stall: Option<usize>,
    /// Pause after each 64 KiB.
    pub(crate) pause: Option<Duration>,
}

impl Reply {
    pub(crate) fn status(status: u16) -> Self {
        Self {
            status,
            ..Self::default()
        }
    }

    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Returns the answer of a good server about a file.
    pub(crate) fn of(request: &Request, file: &[u8]) -> Self {
        match request.range {
            Some((from, _)) if from >= file.len() as u64 => Self::status(416),
            Some((from, last)) => {
                let last = last.min(file.len() as u64 - 1);
                let range = format!("bytes {from}-{last}/{}", file.len());
                Self {
                    status: 206,
                    body: file[from as usize..=last as usize].to_vec(),
                    ..Self::default()
                }
                .with("content-range", &range)
            }
            None => Self {
                status: 200,
                body: file.to_vec(),
                ..Self::default()
            },
        }
    }
}

type Handler = dyn Fn(&Request) -> Reply + Send + Sync;

pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    sent: Arc<AtomicU64>,
    requests: Arc<Mutex<Vec<Request>>>,
    task: tokio::task::JoinHandle<()>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Server {
    pub(crate) async fn start(handler: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (sent, requests) = (Arc::new(AtomicU64::new(0)), Arc::new(Mutex::new(Vec::new())));
        let handler: Arc<Handler> = Arc::new(handler);
        let (counted, seen) = (Arc::clone(&sent), Arc::clone(&requests));
        let task = tokio::spawn(async move {
            let mut serving = tokio::task::JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                let (handler, sent, seen) = (Arc::clone(&handler), Arc::clone(&counted), Arc::clone(&seen));
                serving.spawn(async move {
                    // Clients may leave whenever they like.
                    let _ = serve(stream, handler.as_ref(), &sent, &seen).await;
                });
            }
        });
        Self {
            address,
            sent,
            requests,
            task,
        }
    }

    /// A well-behaved server of one file.
    pub(crate) async fn good(file: Vec<u8>) -> Self {
        Self::start(move |request| Reply::of(request, &file)).await
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/file.bin", self.address)
    }

    /// The bytes of bodies that were sent.
    pub(crate) fn sent(&self) -> u64 {
        self.sent.load(Relaxed)
    }

    pub(crate) fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }
}

async fn serve(
    mut stream: TcpStream,
    handler: &Handler,
    sent: &AtomicU64,
    seen: &Mutex<Vec<Request>>,
) -> std::io::Result<()> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await?);
    }
    let text = String::from_utf8_lossy(&head).into_owned();
    let request = {
        let mut seen = seen.lock().unwrap();
        let request = parse(&text, seen.len() as u64);
        seen.push(request.clone());
        request
    };
    let reply = handler(&request);
    let mut out = format!(
        "HTTP/1.1 {} x\r\ncontent-length: {}\r\nconnection: close\r\n",
        reply.status,
        reply.body.len()
    );
    for (name, value) in &reply.headers {
        if name == "content-length" {
            out = out.replace(
                &format!("content-length: {}", reply.body.len()),
                &format!("content-length: {value}"),
            );
        } else {
            let _ = write!(out, "{name}: {value}\r\n");
        }
    }
    out.push_str("\r\n");
    stream.write_all(out.as_bytes()).await?;
    if request.method == "head" {
        return stream.shutdown().await;
    }
    let end = reply
        .cut
        .or(reply.stall)
        .unwrap_or(reply.body.len())
        .min(reply.body.len());
    for chunk in reply.body[..end].chunks(64 << 10) {
        stream.write_all(chunk).await?;
        sent.fetch_add(chunk.len() as u64, Relaxed);
        if let Some(pause) = reply.pause {
            tokio::time::sleep(pause).await;
        }
    }
    if reply.stall.is_some() {
        // Until the client leaves.
        let _ = stream.read_u8().await;
    }
    stream.shutdown().await
}

fn parse(text: &str, number: u64) -> Request {
    let first = text.lines().next().unwrap_or_default();
    let mut words = first.split(' ');
    let head = text.to_lowercase();
    let range = head.lines().find_map(|line| {
        let (from, last) = line.strip_prefix("range: bytes=")?.split_once('-')?;
        Some((from.parse().ok()?, last.parse().ok()?))
    });
    Request {
        number,
        method: words.next().unwrap_or_default().to_lowercase(),
        path: words.next().unwrap_or_default().to_owned(),
        range,
        head,
    }
}

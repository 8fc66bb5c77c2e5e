//! Whether a connection is in use, for the idle timeout. A connection is in use from the moment a request's head is
//! complete until its response has been written. Bytes from the client before or after that do not count: neither bytes
//! of an incomplete head nor HTTP/2 pings keep a connection open.

use std::{
    io::{self, IoSlice},
    pin::Pin,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use axum::{body::Body, http::Request, response::Response};
use hyper::body::{Body as HttpBody, Frame, Incoming, SizeHint};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Instant, sleep},
};
use tower::{Service, ServiceExt as _, service_fn};

/// The use of one connection.
#[derive(Debug, Clone)]
pub(super) struct Activity(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    /// Requests whose responses are not complete.
    requests: AtomicUsize,
    /// Whether all bytes of complete responses have been written.
    flushed: AtomicBool,
    /// When the last request ended, or bytes of a response were last written.
    latest: Mutex<Instant>,
}

impl Activity {
    pub(super) fn new() -> Self {
        Self(Arc::new(Inner {
            requests: AtomicUsize::new(0),
            flushed: AtomicBool::new(true),
            latest: Mutex::new(Instant::now()),
        }))
    }

    /// Returns when the connection has not been in use for this time.
    pub(super) async fn idle_for(&self, limit: Duration) {
        loop {
            let left = if self.0.requests.load(Ordering::Acquire) > 0 {
                limit
            } else {
                limit.saturating_sub(self.latest().elapsed())
            };
            if left.is_zero() {
                return;
            }
            sleep(left).await;
        }
    }

    /// Counts the requests that a service answers.
    pub(super) fn counted<S>(
        self,
        service: S,
    ) -> impl Service<
        Request<Incoming>,
        Response = Response<Counted>,
        Error = S::Error,
        Future: Send + 'static,
    > + Clone
    + Send
    + 'static
    where
        S: Service<Request<Incoming>, Response = Response<Body>, Future: Send, Error: Send>
            + Clone
            + Send
            + 'static,
    {
        service_fn(move |request: Request<Incoming>| {
            let running = self.begin();
            let answering = service.clone().oneshot(request);
            async move {
                let response = answering.await?;
                Ok(response.map(|body| Counted {
                    body,
                    _running: running,
                }))
            }
        })
    }

    /// Watches a stream for written bytes.
    pub(super) fn watch<S>(&self, stream: S) -> Watched<S> {
        Watched {
            stream,
            activity: self.clone(),
        }
    }

    fn begin(&self) -> Running {
        self.0.requests.fetch_add(1, Ordering::AcqRel);
        self.0.flushed.store(false, Ordering::Release);
        Running(self.clone())
    }

    fn latest(&self) -> Instant {
        *self.0.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self) {
        *self.0.latest.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }
}

/// A request in progress.
#[derive(Debug)]
struct Running(Activity);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.note();
        self.0.0.requests.fetch_sub(1, Ordering::AcqRel);
    }
}

/// The body of a response. Its request is in progress until the body is dropped.
#[derive(Debug)]
pub(super) struct Counted {
    body: Body,
    _running: Running,
}

impl HttpBody for Counted {
    type Data = axum::body::Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A stream that notes when bytes of a response are written: on a slow line, a complete response takes a while to
/// leave the buffer.
#[derive(Debug)]
pub(super) struct Watched<S> {
    stream: S,
    activity: Activity,
}

impl<S: AsyncRead + Unpin> AsyncRead for Watched<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Watched<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.note(&written);
        written
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.note(&written);
        written
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        let inner = &self.activity.0;
        if matches!(flushed, Poll::Ready(Ok(()))) && inner.requests.load(Ordering::Acquire) == 0 {
            inner.flushed.store(true, Ordering::Release);
        }
        flushed
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

impl<S> Watched<S> {
    fn note(&self, written: &Poll<io::Result<usize>>) {
        let response = !self.activity.0.flushed.load(Ordering::Acquire);
        if response && matches!(written, Poll::Ready(Ok(bytes)) if *bytes > 0) {
            self.activity.note();
        }
    }
}

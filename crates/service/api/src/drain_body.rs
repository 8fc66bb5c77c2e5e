//! Reads the rest of a body after its request has been answered. A client that is still sending when the connection
//! closes would see a broken connection instead of the answer. And a small body that comes after the answer would close
//! the connection while its client uses it for the next request, such as the one with a token after a 401.

use std::{
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use axum::{
    body::{Body, BodyDataStream, Bytes},
    extract::Request,
    http::header,
};
use futures::{Stream, StreamExt as _};

/// A client that sends more than this, or for longer, is disconnected.
const MAX_BYTES: usize = 64 << 20;
const MAX_TIME: Duration = Duration::from_secs(30);

/// The same request, whose body is read whether or not the handler does.
pub(crate) fn drained(request: Request) -> Request {
    let headers = request.headers();
    let is_empty = match headers.get(header::CONTENT_LENGTH) {
        Some(length) => length.as_bytes() == b"0",
        None => !headers.contains_key(header::TRANSFER_ENCODING),
    };
    if is_empty {
        return request;
    }
    request.map(|body| Body::from_stream(DrainedOnDrop(Some(body.into_data_stream()))))
}

/// A body that is read to its end even if it is dropped earlier.
struct DrainedOnDrop(Option<BodyDataStream>);

impl Stream for DrainedOnDrop {
    type Item = Result<Bytes, axum::Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let Some(body) = &mut self.0 else {
            return Poll::Ready(None);
        };
        let polled = body.poll_next_unpin(context);
        if matches!(polled, Poll::Ready(None | Some(Err(_)))) {
            self.0 = None;
        }
        polled
    }
}

impl Drop for DrainedOnDrop {
    fn drop(&mut self) {
        if let Some(body) = self.0.take()
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            runtime.spawn(tokio::time::timeout(MAX_TIME, drain(body)));
        }
    }
}

async fn drain(mut body: BodyDataStream) {
    let mut drained = 0;
    while let Some(Ok(chunk)) = body.next().await {
        drained += chunk.len();
        if drained > MAX_BYTES {
            return;
        }
    }
}

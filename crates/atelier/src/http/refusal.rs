//! hyper itself refuses malformed requests, with an empty body. Here that answer gets the same body as every other
//! error.

use std::{
    io::{self, IoSlice},
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, ready},
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
};

/// A connection. Until the service has seen a request, everything written comes from hyper. Only these bytes are
/// inspected, so an answer of the service is never mistaken for a refusal.
#[derive(Debug)]
pub(super) struct Connection<S = TcpStream> {
    stream: S,
    heard: Heard,
    /// The unwritten rest of a refusal.
    rest: Vec<u8>,
}

/// Whether the service has seen a request on the connection.
#[derive(Debug, Clone, Default)]
pub(super) struct Heard(Arc<AtomicBool>);

impl Heard {
    pub(super) fn one(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn any(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl<S: AsyncWrite + Unpin> Connection<S> {
    pub(super) const fn new(stream: S, heard: Heard) -> Self {
        Self {
            stream,
            heard,
            rest: Vec::new(),
        }
    }

    fn write_rest(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.rest.is_empty() {
            let written = ready!(Pin::new(&mut self.stream).poll_write(context, &self.rest))?;
            if written == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.rest.drain(..written);
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Connection<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Connection<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        ready!(self.write_rest(context))?;
        if !self.heard.any()
            && let Some(answer) = with_body(bytes)
        {
            self.rest = answer;
            return Poll::Ready(Ok(bytes.len()));
        }
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if self.heard.any() && self.rest.is_empty() {
            return Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        }
        let first = slices.iter().find(|slice| !slice.is_empty());
        self.poll_write(context, first.map_or(&[], |slice| slice))
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.write_rest(context))?;
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.write_rest(context))?;
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

/// hyper's refusal with a body, after which the connection ends. `None` for anything else.
fn with_body(bytes: &[u8]) -> Option<Vec<u8>> {
    let head = std::str::from_utf8(bytes).ok()?.strip_suffix("\r\n\r\n")?;
    let status = head
        .strip_prefix("HTTP/1.1 ")
        .or(head.strip_prefix("HTTP/1.0 "))?;
    let message = match status.get(..3)? {
        "400" => "malformed HTTP request",
        "414" => "the URL of the request is too long",
        "431" => "the headers of the request are too large",
        _ => return None,
    };
    let body = format!(r#"{{"success":false,"error":{{"code":"invalid_request","message":"{message}"}}}}"#);
    let kept = head.split("\r\n").filter(|line| {
        let name = line.split(':').next().unwrap_or_default().to_ascii_lowercase();
        !matches!(name.as_str(), "content-length" | "connection")
    });
    let kept = kept.collect::<Vec<_>>().join("\r\n");
    let length = body.len();
    let answer = format!(
        "{kept}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
    );
    Some(answer.into_bytes())
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};

    use super::*;

    const REFUSAL: &str =
        "HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\ndate: x\r\n\r\n";
    const WHOLE: &str = "HTTP/1.1 431 Request Header Fields Too Large\r\ndate: x\r\ncontent-type: application/json\r\n\
        content-length: 105\r\nconnection: close\r\n\r\n\
        {\"success\":false,\"error\":{\"code\":\"invalid_request\",\
        \"message\":\"the headers of the request are too large\"}}";

    /// Writes these bytes through a pipe that accepts a few at a time, and returns what arrives.
    async fn written(bytes: &str, heard: bool) -> String {
        let (ours, mut theirs) = duplex(7);
        let state = Heard::default();
        if heard {
            state.one();
        }
        let mut connection = Connection::new(ours, state);
        let bytes = bytes.to_owned();
        let writing = tokio::spawn(async move {
            connection.write_all(bytes.as_bytes()).await.unwrap();
            connection.shutdown().await.unwrap();
        });
        let mut read = String::new();
        theirs.read_to_string(&mut read).await.unwrap();
        writing.await.unwrap();
        read
    }

    #[tokio::test]
    async fn a_refusal_before_any_request_gets_a_body() {
        assert_eq!(written(REFUSAL, false).await, WHOLE);
    }

    #[tokio::test]
    async fn an_answer_of_the_service_is_never_changed() {
        assert_eq!(written(REFUSAL, true).await, REFUSAL);
    }

    #[tokio::test]
    async fn other_bytes_are_not_changed() {
        for bytes in [
            "\0\0\x12\x04",
            "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n",
            "HTTP/1.1 4",
            "",
        ] {
            assert_eq!(written(bytes, false).await, bytes);
        }
    }
}

//! A minimal HTTP/1.1 client: requests are prepared bytes, only the status and the length of answers are read,
//! and the connection stays open.

use std::net::{Ipv4Addr, SocketAddr};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use crate::error::{Error, Result};

/// The measured answers are small; a larger one is an error.
const LARGEST: usize = 1 << 20;

/// The address of a server on this machine.
pub(crate) fn local(port: u16) -> SocketAddr {
    (Ipv4Addr::LOCALHOST, port).into()
}

/// The bytes of a request. `key` is the API key, or empty.
pub(crate) fn request(method: &str, path: &str, key: &str, body: Option<&str>) -> Vec<u8> {
    let authorization = match key {
        "" => String::new(),
        key => format!("authorization: Bearer {key}\r\n"),
    };
    let rest = match body {
        None => "\r\n".to_owned(),
        Some(body) => {
            format!(
                "content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
                body.len()
            )
        }
    };
    format!("{method} {path} HTTP/1.1\r\nhost: localhost\r\n{authorization}{rest}").into_bytes()
}

/// One received message: its head as text, and its body.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Message<'a> {
    pub(crate) head: &'a str,
    pub(crate) body: &'a [u8],
}

impl Message<'_> {
    /// The value of a header. The name must be in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        header(self.head, name)
    }

    /// The status, if this is an answer.
    fn status(&self) -> Result<u16> {
        let status = self.head.get(9..12).and_then(|digits| digits.parse().ok());
        status.ok_or_else(|| Error::Unexpected("an answer has no status".to_owned()))
    }
}

/// One end of a persistent connection, which reads one message after the other.
#[derive(Debug)]
pub(crate) struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
    /// The length of the last message in the buffer.
    read: usize,
}

impl Connection {
    pub(crate) async fn open(port: u16) -> Result<Self> {
        Self::over(TcpStream::connect(local(port)).await?)
    }

    pub(crate) fn over(stream: TcpStream) -> Result<Self> {
        stream.set_nodelay(true)?;
        Ok(Self {
            stream,
            buffer: Vec::with_capacity(4_096),
            read: 0,
        })
    }

    /// Sends a request and reads its answer: status and body.
    pub(crate) async fn ask(&mut self, request: &[u8]) -> Result<(u16, &[u8])> {
        self.send(request).await?;
        let closed = || Error::Unexpected("the server closed the connection".to_owned());
        let answer = self.receive().await?.ok_or_else(closed)?;
        Ok((answer.status()?, answer.body))
    }

    /// Like [`ask`](Self::ask), but the answer must have this status.
    pub(crate) async fn expect(&mut self, wanted: u16, request: &[u8]) -> Result<&[u8]> {
        let (status, body) = self.ask(request).await?;
        if status == wanted {
            Ok(body)
        } else {
            Err(Error::answer(wanted, status, body))
        }
    }

    pub(crate) async fn send(&mut self, bytes: &[u8]) -> Result<()> {
        Ok(self.stream.write_all(bytes).await?)
    }

    /// The next message, or `None` if the other end has closed the connection.
    pub(crate) async fn receive(&mut self) -> Result<Option<Message<'_>>> {
        self.buffer.drain(..self.read);
        self.read = 0;
        let (head, end) = loop {
            if let Some(found) = ends(&self.buffer)? {
                break found;
            }
            if self.buffer.len() > LARGEST {
                return Err(Error::Unexpected(format!(
                    "a message is larger than {LARGEST} bytes"
                )));
            }
            if self.stream.read_buf(&mut self.buffer).await? == 0 {
                return Ok(None);
            }
        };
        self.read = end;
        Ok(Some(Message {
            head: text(&self.buffer[..head])?,
            body: &self.buffer[head..end],
        }))
    }
}

/// The ends of the head and the body of the first message in the buffer, if it is complete.
fn ends(buffer: &[u8]) -> Result<Option<(usize, usize)>> {
    let Some(blank) = buffer.windows(4).position(|window| window == b"\r\n\r\n") else {
        return Ok(None);
    };
    let head = blank + 4;
    let length = header(text(&buffer[..head])?, "content-length").map_or(Ok(0), str::parse::<usize>);
    let length =
        length.map_err(|error| Error::Unexpected(format!("a content-length is not a number: {error}")))?;
    Ok((buffer.len() >= head + length).then_some((head, head + length)))
}

fn text(head: &[u8]) -> Result<&str> {
    std::str::from_utf8(head).map_err(|_| Error::Unexpected("the head of a message is not text".to_owned()))
}

fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    head.split("\r\n").skip(1).find_map(|line| {
        let (field, value) = line.split_once(':')?;
        field.eq_ignore_ascii_case(name).then(|| value.trim())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_ends_where_its_length_says() {
        let whole = b"HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\n{}HTTP/1.1";
        let (head, end) = ends(whole).unwrap().unwrap();
        assert_eq!(&whole[head..end], b"{}");
        assert_eq!(ends(&whole[..end - 1]).unwrap(), None);
        assert_eq!(ends(&whole[..head - 1]).unwrap(), None);
        let message = Message {
            head: text(&whole[..head]).unwrap(),
            body: b"{}",
        };
        assert_eq!(message.status().unwrap(), 201);
        assert_eq!(message.header("content-length"), Some("2"));
    }

    #[test]
    fn a_length_that_is_no_number_is_an_error() {
        assert!(ends(b"HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n").is_err());
    }
}

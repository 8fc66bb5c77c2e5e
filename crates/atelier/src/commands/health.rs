//! `atelier health`: asks the server or the worker of this configuration how it is. Made for the health checks of
//! containers, which then need no other program.

use std::{
    io::{self, Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    time::Duration,
};

use serde_json::json;

use super::Session;
use crate::{cli, config::reachable, failure::Failure};

/// How long to wait for the connection, and for each part of the answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// The most bytes of an answer to read. Only its first line matters.
const LONGEST: u64 = 4096;

pub(super) fn run(session: &Session, command: &cli::Health) -> Result<(), Failure> {
    let (address, path) = if command.worker {
        let address = session.config.metrics_listen.ok_or_else(|| {
            Failure::usage(
                "--worker asks the metrics listener, but `metrics.listen` is empty; set it to an address",
            )
        })?;
        (address, "/metrics")
    } else {
        let path = if command.live { "/healthz" } else { "/readyz" };
        (session.config.listen, path)
    };
    let url = format!("http://{}{path}", reachable(address));
    let status = ask(reachable(address), path).map_err(|error| Failure::new(format!("{url}: {error}")))?;
    if status != 200 {
        return Err(Failure::new(format!(
            "{url} answered with the status {status}, not 200"
        )));
    }
    Ok(session
        .output
        .result(&json!({ "healthy": true, "url": url }), || {
            format!("{url} answers.")
        })?)
}

/// Sends one GET and returns the status of the answer.
fn ask(address: SocketAddr, path: &str) -> io::Result<u16> {
    let mut connection = TcpStream::connect_timeout(&address, PATIENCE)?;
    connection.set_read_timeout(Some(PATIENCE))?;
    connection.set_write_timeout(Some(PATIENCE))?;
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    connection.write_all(request.as_bytes())?;
    let mut start = Vec::new();
    let mut answer = connection.take(LONGEST);
    let mut part = [0; 256];
    while !start.contains(&b'\n') {
        match answer.read(&mut part)? {
            0 => break,
            read => start.extend_from_slice(&part[..read]),
        }
    }
    status(&start).ok_or_else(|| io::Error::other("the answer is not HTTP"))
}

/// The status in the first line of an answer, such as `HTTP/1.1 200 OK`.
fn status(answer: &[u8]) -> Option<u16> {
    let line = answer.split(|byte| *byte == b'\n').next()?;
    let mut words = std::str::from_utf8(line).ok()?.split_whitespace();
    words.next().filter(|version| version.starts_with("HTTP/1."))?;
    words.next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::{net::TcpListener, thread};

    use super::*;

    fn server(answer: &'static str) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        thread::spawn(move || {
            let (mut connection, _) = listener.accept().unwrap();
            let mut request = [0; 1024];
            let read = connection.read(&mut request).unwrap();
            assert!(request[..read].starts_with(b"GET /readyz HTTP/1.1\r\n"));
            // In two parts, as a network may deliver it.
            let (first, second) = answer.split_at(answer.len() / 3);
            connection.write_all(first.as_bytes()).unwrap();
            connection.write_all(second.as_bytes()).unwrap();
        });
        address
    }

    #[test]
    fn the_status_of_the_answer_is_returned() {
        let ready = server("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
        assert_eq!(ask(ready, "/readyz").unwrap(), 200);
        let draining = server("HTTP/1.1 503 Service Unavailable\r\n\r\n");
        assert_eq!(ask(draining, "/readyz").unwrap(), 503);
    }

    #[test]
    fn an_answer_that_is_not_http_and_a_closed_port_are_errors() {
        let other = server("SSH-2.0-OpenSSH_9.2\r\n");
        assert_eq!(
            ask(other, "/readyz").unwrap_err().to_string(),
            "the answer is not HTTP"
        );
        let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        assert_eq!(
            ask(closed, "/readyz").unwrap_err().kind(),
            io::ErrorKind::ConnectionRefused
        );
    }

    #[test]
    fn an_unspecified_address_is_asked_on_loopback() {
        let to = |listen: &str| reachable(listen.parse().unwrap()).to_string();
        assert_eq!(to("0.0.0.0:8080"), "127.0.0.1:8080");
        assert_eq!(to("[::]:8080"), "[::1]:8080");
        assert_eq!(to("10.0.0.5:80"), "10.0.0.5:80");
    }
}

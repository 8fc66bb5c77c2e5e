//! Hands the connections to a port over to a program that does not listen there: one in a network of its own, or at a
//! Unix socket.

use std::{
    io::{self, Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    os::unix::net::UnixStream,
    path::PathBuf,
    thread,
};

/// A port on the loopback address, and where connections to it go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Relay {
    pub port: u16,
    pub target: Target,
}

/// The place where the program listens, as its guard sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Target {
    /// On the loopback address.
    Port(u16),
    Socket(PathBuf),
}

/// Accepts connections for as long as the process lives. A connection that the program does not accept is closed.
pub(crate) fn run(listener: TcpListener, target: Target) {
    thread::spawn(move || {
        for connection in listener.incoming().flatten() {
            let target = target.clone();
            thread::spawn(move || {
                // The service sees that the connection was closed.
                let _ = match target {
                    Target::Port(port) => TcpStream::connect(("127.0.0.1", port))
                        .and_then(|program| join(&connection, &program, TcpStream::shutdown)),
                    Target::Socket(path) => UnixStream::connect(path)
                        .and_then(|program| join(&connection, &program, UnixStream::shutdown)),
                };
            });
        }
    });
}

/// Copies both ways until both ends are closed.
fn join<'a, S>(
    service: &'a TcpStream,
    program: &'a S,
    shut: impl Fn(&S, Shutdown) -> io::Result<()> + Sync,
) -> io::Result<()>
where
    S: Sync,
    &'a S: Read + Write,
{
    service.set_nodelay(true)?;
    thread::scope(|scope| {
        let (mut from, mut to) = (service, program);
        let shut = &shut;
        scope.spawn(move || {
            let _ = io::copy(&mut from, &mut to);
            // An end that is closed already cannot be shut.
            let _ = shut(program, Shutdown::Write);
        });
        let (mut from, mut to) = (program, service);
        let copied = io::copy(&mut from, &mut to);
        let _ = service.shutdown(Shutdown::Both);
        let _ = shut(program, Shutdown::Both);
        copied.map(drop)
    })
}

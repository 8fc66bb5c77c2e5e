//! A network of its own for a program: nothing but a loopback interface, on which only the program and its guard meet.

use std::io;

/// Moves this process, which must have one thread, into a new network. The processes that it starts are there too.
/// Sockets that are open stay where they are.
#[cfg(target_os = "linux")]
pub(crate) fn leave_network() -> io::Result<()> {
    use std::fs;

    use rustix::{
        process::{getgid, getuid},
        thread::UnshareFlags,
    };

    let (user, group) = (getuid().as_raw(), getgid().as_raw());
    // Root needs no user namespace, and may be refused one.
    if unshare(UnshareFlags::NEWNET).is_err() {
        unshare(UnshareFlags::NEWUSER | UnshareFlags::NEWNET)?;
        // Without this, a user may not map groups.
        fs::write("/proc/self/setgroups", "deny")?;
        fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
        fs::write("/proc/self/gid_map", format!("{group} {group} 1"))?;
    }
    raise_loopback()
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn leave_network() -> io::Result<()> {
    Err(io::Error::new(
        io::ErrorKind::Unsupported,
        "only Linux can give a program a network of its own",
    ))
}

#[cfg(target_os = "linux")]
#[expect(
    unsafe_code,
    reason = "only unsharing open files would be unsafe, and namespaces alone are unshared here"
)]
fn unshare(flags: rustix::thread::UnshareFlags) -> io::Result<()> {
    // SAFETY: `flags` never contain `FILES`.
    unsafe { rustix::thread::unshare_unsafe(flags) }.map_err(io::Error::from)
}

/// Switches on the loopback interface, by a message of rtnetlink (RFC 3549).
#[cfg(target_os = "linux")]
fn raise_loopback() -> io::Result<()> {
    use rustix::net::{
        AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, recv, send, socket_with,
    };

    const NEW_LINK: u16 = 16;
    const REQUEST_AND_ACKNOWLEDGE: u16 = 1 | 4;
    const LOOPBACK: u32 = 1;
    const UP: u32 = 1;
    /// Of a header, and of the whole message.
    const LENGTHS: (usize, u32) = (16, 32);

    let mut message = Vec::with_capacity(LENGTHS.1 as usize);
    message.extend(LENGTHS.1.to_ne_bytes());
    message.extend(NEW_LINK.to_ne_bytes());
    message.extend(REQUEST_AND_ACKNOWLEDGE.to_ne_bytes());
    // Number and sender of the message, then any family and type.
    for field in [1, 0, 0, LOOPBACK, UP, UP] {
        message.extend(u32::to_ne_bytes(field));
    }
    // Without a protocol it is that of routes.
    let socket = socket_with(
        AddressFamily::NETLINK,
        SocketType::RAW,
        SocketFlags::CLOEXEC,
        None,
    )?;
    send(&socket, &message, SendFlags::empty())?;
    let mut answer = [0; 256];
    let (count, _) = recv(&socket, &mut answer[..], RecvFlags::empty())?;
    let error = answer[..count]
        .get(LENGTHS.0..LENGTHS.0 + 4)
        .and_then(|bytes| bytes.try_into().ok());
    match error.map(i32::from_ne_bytes) {
        Some(0) => Ok(()),
        Some(error) => Err(io::Error::from_raw_os_error(-error)),
        None => Err(io::Error::other("the system does not say whether loopback works")),
    }
}

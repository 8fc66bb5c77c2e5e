//! Limits on what this process may use. It cannot raise them again.

use std::io;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Writable memory, in bytes.
const MEMORY: u64 = 512 << 20;
/// Processor time, in seconds. The longest text takes a few.
const SECONDS: u64 = 300;

pub(crate) fn apply() -> io::Result<()> {
    // The pipes are open already, and the process needs no other file.
    for (resource, most) in [
        (Resource::Nofile, 0),
        (Resource::Core, 0),
        (Resource::Data, MEMORY),
        (Resource::Cpu, SECONDS),
    ] {
        let most = getrlimit(resource)
            .maximum
            .map_or(most, |maximum| maximum.min(most));
        setrlimit(
            resource,
            Rlimit {
                current: Some(most),
                maximum: Some(most),
            },
        )?;
    }
    Ok(())
}

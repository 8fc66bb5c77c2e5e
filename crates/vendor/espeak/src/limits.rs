//! What this process may use, whatever it is asked to say. It cannot lift these limits again.

use std::io;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Bytes of writable memory.
const MEMORY: u64 = 512 << 20;
/// Seconds of a processor; the longest text takes a few.
const SECONDS: u64 = 300;

pub(crate) fn apply() -> io::Result<()> {
    // The pipes are open already, and there is nothing else to open or to write.
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

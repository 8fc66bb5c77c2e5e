//! The limits of a host. It sets them on itself before it reads the first request, and cannot lift them again.

use rustix::{
    io,
    process::{Resource, Rlimit, getrlimit, nice, setrlimit},
};
use serde::{Deserialize, Serialize};

/// Lowers the priority of hosts, so that the service's own threads can answer requests.
const NICENESS: i32 = 5;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Limits {
    /// Writable private memory: heap, thread stacks and anonymous mappings.
    pub(super) memory_bytes: u64,
    /// The size of any single file. The service checks the sum.
    pub(super) output_bytes: u64,
}

impl Limits {
    /// Sets the limits on this process. An allocation or a write beyond them ends it.
    pub(super) fn apply(self) -> io::Result<()> {
        // A core file would contain media of clients, and be large.
        lower(Resource::Core, 0)?;
        lower(Resource::Fsize, self.output_bytes)?;
        // Data rather than address space: threads and allocators reserve far more than they use.
        lower(Resource::Data, self.memory_bytes)?;
        nice(NICENESS).map(drop)
    }
}

/// Sets the soft and the hard limit, but never above the current hard limit.
fn lower(resource: Resource, bytes: u64) -> io::Result<()> {
    let bytes = getrlimit(resource)
        .maximum
        .map_or(bytes, |maximum| maximum.min(bytes));
    setrlimit(
        resource,
        Rlimit {
            current: Some(bytes),
            maximum: Some(bytes),
        },
    )
}

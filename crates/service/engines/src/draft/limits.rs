//! What a host may use. It sets these limits on itself before it reads the first request and cannot lift
//! them again.

use rustix::{
    io,
    process::{Resource, Rlimit, getrlimit, nice, setrlimit},
};
use serde::{Deserialize, Serialize};

/// How far a host steps back behind the service's own threads, which answer requests.
const NICENESS: i32 = 5;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Limits {
    /// Writable private memory: heap, thread stacks, anonymous mappings.
    pub(super) memory_bytes: u64,
    /// Of any one file. The service checks the sum.
    pub(super) output_bytes: u64,
}

impl Limits {
    /// Puts this process under the limits. An allocation beyond ends it, and so does a write beyond.
    pub(super) fn apply(self) -> io::Result<()> {
        // A core file would hold customers' media, and be large.
        lower(Resource::Core, 0)?;
        lower(Resource::Fsize, self.output_bytes)?;
        // Data and not address space: threads and allocators reserve far more than they use.
        lower(Resource::Data, self.memory_bytes)?;
        nice(NICENESS).map(drop)
    }
}

/// Sets both the soft and the hard limit, below what is already forbidden.
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

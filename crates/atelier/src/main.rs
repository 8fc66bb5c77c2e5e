//! The program `atelier`. See the library of the same name.

use std::process::ExitCode;

/// Requests and jobs are many small allocations on several threads, which the system's allocator serves slowly.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    atelier::main()
}

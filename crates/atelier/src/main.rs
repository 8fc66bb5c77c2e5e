//! The program `atelier`. See the library of the same name.

use std::process::ExitCode;

/// Requests and jobs make many small allocations on several threads, which are slow with the system's allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    atelier::main()
}

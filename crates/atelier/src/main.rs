//! The program `atelier`. See the library of the same name.

use std::process::ExitCode;

fn main() -> ExitCode {
    atelier::main()
}

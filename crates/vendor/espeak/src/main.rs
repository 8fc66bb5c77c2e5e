//! Text to sound or phones in 94 languages, by eSpeak NG. Requests arrive on standard input and answers leave on
//! standard output. Each is a length (32 bits, little-endian) followed by that many bytes; `wire` describes them.
//!
//! Requests may be hostile. Before it reads the first one, this process gives up opening files and limits its memory
//! and processor time.

use std::{
    io::{self, Write as _},
    process::ExitCode,
};

mod engine;
mod ffi;
mod files;
mod japanese;
mod limits;
mod wire;

const HELP: &str =
    "Turns text into sound with eSpeak NG. atelier starts this program and talks to it over pipes.

Usage: atelier-espeak [OPTION]

  --languages  Lists the languages it speaks (ISO 639-1)
  --version    Prints its version and eSpeak NG's
  --licence    Prints its licence (GPL-3.0-or-later)
";

fn main() -> ExitCode {
    let argument = std::env::args().nth(1);
    let done = match argument.as_deref() {
        None => serve(),
        Some("--languages") => print(&format!(
            "{}\n",
            files::languages().keys().copied().collect::<Vec<_>>().join("\n")
        )),
        Some("--version") => print(concat!(
            "atelier-espeak ",
            env!("CARGO_PKG_VERSION"),
            ", eSpeak NG 1.52.0\n"
        )),
        Some("--licence") => print(include_str!("../espeak-ng/COPYING")),
        Some("--help" | "-h") => print(HELP),
        Some(_) => Err(io::Error::other(HELP)),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing is left to do if standard error is closed.
            let _ = writeln!(io::stderr(), "{error}");
            ExitCode::FAILURE
        }
    }
}

fn print(text: &str) -> io::Result<()> {
    io::stdout().write_all(text.as_bytes())
}

/// Answers requests until the input ends.
fn serve() -> io::Result<()> {
    let mut engine = engine::Engine::start().ok_or_else(|| io::Error::other("cannot start eSpeak NG"))?;
    limits::apply()?;
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    while let Some(request) = read(&mut input)? {
        let answer = match wire::Request::parse(&request) {
            Ok(request) => engine.answer(&request),
            Err(reason) => Err(reason.to_owned()),
        };
        let answer = wire::answer(answer.as_ref().map_err(String::as_str));
        output.write_all(&(answer.len() as u32).to_le_bytes())?;
        output.write_all(&answer)?;
        output.flush()?;
    }
    Ok(())
}

/// Reads the next request, or nothing at the end of the input.
fn read(input: &mut impl io::Read) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 4];
    if input.read(&mut length[..1])? == 0 {
        return Ok(None);
    }
    input.read_exact(&mut length[1..])?;
    let length = u32::from_le_bytes(length) as usize;
    if length > wire::LONGEST {
        return Err(io::Error::other(format!(
            "a request must have at most {} bytes (got {length})",
            wire::LONGEST
        )));
    }
    let mut request = vec![0; length];
    input.read_exact(&mut request)?;
    Ok(Some(request))
}

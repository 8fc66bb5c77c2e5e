//! Text to sound in nearly every language, by eSpeak NG. Requests come on standard input and answers leave on standard
//! output, each a length (32 bits, little-endian) and as many bytes; `wire` says what they hold.
//!
//! What is asked for may be hostile: once it runs, this process can open no file, write none and take no more than
//! its memory and time.

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
    "Text to sound by eSpeak NG, for atelier, which starts this program and speaks to it over pipes.

Usage: atelier-espeak [OPTION]

  --languages  Lists the languages (ISO 639-1) it speaks
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
            // If standard error is closed, nobody is there.
            let _ = writeln!(io::stderr(), "{error}");
            ExitCode::FAILURE
        }
    }
}

fn print(text: &str) -> io::Result<()> {
    io::stdout().write_all(text.as_bytes())
}

/// Answers requests until there are no more.
fn serve() -> io::Result<()> {
    let mut engine =
        engine::Engine::start().ok_or_else(|| io::Error::other("eSpeak NG could not be started"))?;
    limits::apply()?;
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    while let Some(request) = read(&mut input)? {
        let answer = match wire::Request::parse(&request) {
            Ok(request) => engine.speak(&request),
            Err(reason) => Err(reason.to_owned()),
        };
        let answer = wire::answer(answer.as_ref().map_err(String::as_str));
        output.write_all(&(answer.len() as u32).to_le_bytes())?;
        output.write_all(&answer)?;
        output.flush()?;
    }
    Ok(())
}

/// The next request, or nothing at the input's end.
fn read(input: &mut impl io::Read) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 4];
    if input.read(&mut length[..1])? == 0 {
        return Ok(None);
    }
    input.read_exact(&mut length[1..])?;
    let length = u32::from_le_bytes(length) as usize;
    if length > wire::LONGEST {
        return Err(io::Error::other("a request is too long"));
    }
    let mut request = vec![0; length];
    input.read_exact(&mut request)?;
    Ok(Some(request))
}

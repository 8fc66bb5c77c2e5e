//! The program `atelier-espeak`, which turns text in other languages into sound. It runs as a child process and is
//! spoken to over pipes. In both directions, a message is a length (32 bits, little-endian) and that many bytes.

use std::{
    io::{self, Read as _, Write as _},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

/// The name of the program, which is installed beside the main program.
pub const PROGRAM: &str = "atelier-espeak";

/// Size of the longest answer in bytes: more than ten minutes of sound.
const LONGEST: u32 = 64 << 20;

/// Why the helper program failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HelperError {
    #[error("languages other than English require the program {PROGRAM}, which was not found at {path}")]
    Missing { path: String },
    #[error("the program {PROGRAM} could not be started or did not respond: {0}")]
    Pipe(String),
    #[error("the program {PROGRAM} crashed on this text")]
    Ended,
    #[error("the program {PROGRAM} refused the text: {0}")]
    Refused(String),
    #[error("the program {PROGRAM} gave an invalid answer; its version may not match")]
    Nonsense,
}

/// The helper's answer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Spoken {
    pub(crate) rate: u32,
    pub(crate) samples: Vec<f32>,
    pub(crate) events: Vec<Event>,
}

/// A timed event in the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Event {
    pub(crate) sample: usize,
    pub(crate) what: What,
    /// A phone's name in IPA.
    pub(crate) name: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum What {
    /// A word, at this offset into the text in Unicode scalar values.
    Word(usize),
    /// A phone.
    Phone,
    /// Silence.
    Pause,
}

/// A running helper. Dropping it ends the process.
#[derive(Debug)]
pub(crate) struct Helper {
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
}

impl Helper {
    pub(crate) fn start(program: &Path) -> Result<Self, HelperError> {
        let started = Command::new(program)
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let mut child = started.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => HelperError::Missing {
                path: program.display().to_string(),
            },
            _ => HelperError::Pipe(error.to_string()),
        })?;
        match (child.stdin.take(), child.stdout.take()) {
            (Some(input), Some(output)) => Ok(Self { child, input, output }),
            _ => Err(HelperError::Pipe("a pipe is missing".to_owned())),
        }
    }

    /// Says a text of a few sentences. The helper does not interpret commands in it.
    pub(crate) fn speak(
        &mut self,
        language: &str,
        words_per_minute: u32,
        text: &str,
    ) -> Result<Spoken, HelperError> {
        let text = text.replace('\0', " ");
        self.answer(&format!("{language}\n{words_per_minute}\n50\n50\n{text}"))
    }

    /// The words and phones of a text of a few sentences, without sound.
    pub(crate) fn phones(&mut self, language: &str, text: &str) -> Result<Vec<Event>, HelperError> {
        let text = text.replace('\0', " ");
        Ok(self.answer(&format!("phones\n{language}\n{text}"))?.events)
    }

    fn answer(&mut self, request: &str) -> Result<Spoken, HelperError> {
        let answer = self.ask(request.as_bytes()).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof | io::ErrorKind::BrokenPipe => HelperError::Ended,
            _ => HelperError::Pipe(error.to_string()),
        })?;
        match answer.split_first() {
            Some((0, rest)) => Reader(rest).spoken().ok_or(HelperError::Nonsense),
            Some((1, reason)) => Err(HelperError::Refused(String::from_utf8_lossy(reason).into_owned())),
            _ => Err(HelperError::Nonsense),
        }
    }

    fn ask(&mut self, request: &[u8]) -> io::Result<Vec<u8>> {
        self.input.write_all(&(request.len() as u32).to_le_bytes())?;
        self.input.write_all(request)?;
        self.input.flush()?;
        let mut length = [0; 4];
        self.output.read_exact(&mut length)?;
        let length = u32::from_le_bytes(length);
        if length > LONGEST {
            return Err(io::Error::other("its answer is too long"));
        }
        let mut answer = vec![0; length as usize];
        self.output.read_exact(&mut answer)?;
        Ok(answer)
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        // It may have ended by itself, which is fine too.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The unread part of an answer.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|bytes| bytes[0])
    }

    fn number(&mut self) -> Option<usize> {
        let bytes = self.take(4)?.try_into().ok()?;
        Some(u32::from_le_bytes(bytes) as usize)
    }

    fn spoken(mut self) -> Option<Spoken> {
        let rate = u32::try_from(self.number()?).ok()?;
        let count = self.number()?;
        let samples = self.take(count.checked_mul(2)?)?;
        let samples = samples
            .chunks_exact(2)
            .map(|pair| f32::from(i16::from_le_bytes([pair[0], pair[1]])) / 32_768.0)
            .collect();
        let count = self.number()?;
        let mut events = Vec::new();
        for _ in 0..count {
            let kind = self.byte()?;
            let (sample, place, _length) = (self.number()?, self.number()?, self.number()?);
            let name = usize::from(self.byte()?);
            let name = self.take(name)?;
            let what = match kind {
                // Offsets are counted from 1.
                1 => What::Word(place.saturating_sub(1)),
                2 if name.is_empty() => What::Pause,
                2 => What::Phone,
                _ => return None,
            };
            let name = String::from_utf8_lossy(name).into_owned();
            events.push(Event { sample, what, name });
        }
        Some(Spoken {
            rate,
            samples,
            events,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_parsed_and_half_an_answer_is_invalid() {
        let mut answer = Vec::new();
        for number in [22_050_u32, 2] {
            answer.extend(number.to_le_bytes());
        }
        answer.extend([0, 0, 0, 0x40]);
        answer.extend(2_u32.to_le_bytes());
        for (kind, name) in [(1_u8, ""), (2, "\u{259}")] {
            answer.push(kind);
            for number in [1_u32, 1, 5] {
                answer.extend(number.to_le_bytes());
            }
            answer.push(name.len() as u8);
            answer.extend(name.as_bytes());
        }
        let spoken = Reader(&answer).spoken().unwrap();
        assert_eq!((spoken.rate, &spoken.samples[..]), (22_050, &[0.0, 0.5][..]));
        let whats: Vec<What> = spoken.events.into_iter().map(|event| event.what).collect();
        assert_eq!(whats, [What::Word(0), What::Phone]);
        for length in 0..answer.len() {
            assert_eq!(Reader(&answer[..length]).spoken(), None);
        }
    }

    #[test]
    fn a_missing_helper_is_named() {
        let error = Helper::start(Path::new("/nowhere/atelier-espeak")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "languages other than English require the program atelier-espeak, \
             which was not found at /nowhere/atelier-espeak"
        );
    }

    #[test]
    fn a_program_that_exits_early_is_an_error() {
        let mut helper = Helper::start(Path::new("/bin/true")).unwrap();
        assert_eq!(helper.speak("de", 160, "Tag"), Err(HelperError::Ended));
    }
}

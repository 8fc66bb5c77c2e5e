//! Writes and reads the marks of sound files. WAV and FLAC stay as exact as they were: the mark is added to their
//! numbers. An MP3 is encoded once more, one bit rate higher. Everything in the file that is not sound stays.

use std::path::Path;

use atelier_marking::{Key, Origin, sound};
use atelier_protocol::Error;
use atelier_sound::file::{Audio, decode};

mod flac;
mod mp3;
mod wav;

/// Part of every manifest (C2PA): a JUMBF box whose UUID begins with these letters.
const MANIFEST: &[u8] = b"jumdc2pa";
const UNSUPPORTED: &str = "unsupported";

/// The file `bytes` at `path` with the mark of a generation, or why it has none. `work` is a place for a file.
pub(crate) fn marked(
    path: &Path,
    bytes: &[u8],
    uuid: [u8; 16],
    key: &Key,
    work: &Path,
) -> Result<Vec<u8>, &'static str> {
    if bytes.windows(MANIFEST.len()).any(|window| window == MANIFEST) {
        return Err("signed");
    }
    let id = Origin::of(uuid).seal(key).ok_or(UNSUPPORTED)?;
    let mark = |audio: &mut Audio| {
        let embedded = sound::embed(&mut audio.channels, audio.rate, id, key);
        embedded.map(|_| ()).map_err(|_| "too_plain")
    };
    if let Some(wav) = wav::Wav::of(bytes) {
        let before = wav.audio();
        let mut after = before.clone();
        mark(&mut after)?;
        return Ok(wav.with(&before, &after));
    }
    let parts = flac::Flac::of(bytes);
    let is_mp3 = parts.is_none() && mp3::is_mp3(bytes);
    if parts.is_none() && !is_mp3 {
        return Err(UNSUPPORTED);
    }
    let mut audio = decode(path).map_err(|_| UNSUPPORTED)?;
    let seconds = audio.seconds();
    mark(&mut audio)?;
    let written = match parts {
        Some(flac) => flac.with(&audio),
        None => mp3::with(bytes, seconds, &audio, work),
    };
    written.ok_or(UNSUPPORTED)
}

/// The mark of a sound file.
pub(crate) fn read(path: &Path, key: &Key) -> Result<Option<sound::Found>, Error> {
    let audio = decode(path).map_err(|error| Error::InvalidInput(error.to_string()))?;
    Ok(sound::detect(&audio.channels, audio.rate, key))
}

#[cfg(test)]
mod tests;

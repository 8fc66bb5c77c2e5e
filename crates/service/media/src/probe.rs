//! Facts of a file: type, size, picture size as shown, duration.
//!
//! The duration is what the samples say, because prices depend on it: frames are counted and sample tables added up.
//! A header that names a duration is used only if the samples agree with it.
//!
//! Runs on untrusted bytes in the service's own process. It decodes nothing, trusts no size that it has not checked,
//! reads through one small window, and takes time in proportion to the size of the file.

mod flac;
mod iso;
pub(crate) mod mpeg;
mod ogg;
mod opus;
pub(crate) mod picture;
mod wav;
pub(crate) mod webm;

use std::{
    fs::File,
    io::{self, Read, Seek},
    path::Path,
};

use atelier_domain::{FileFacts, MediaType};

use crate::{
    sniff::{HEAD, sniff},
    source::Source,
};

/// Seconds by which a header may differ from the samples. Within them it is used, because it is finer: it knows the
/// silence that encoders add.
const TOLERANCE: f64 = 0.1;

#[derive(Debug, thiserror::Error)]
pub enum ProbeError {
    #[error("the file is not of an accepted type")]
    Unrecognised,
    #[error("the file cannot be read: {0}")]
    Io(#[from] io::Error),
}

/// Facts of a local file. Blocks while it reads.
pub fn probe(path: &Path) -> Result<FileFacts, ProbeError> {
    probe_reader(File::open(path)?)
}

/// Facts of the file behind `reader`. A fact that a damaged file does not tell is `None`, not an error.
pub fn probe_reader(reader: impl Read + Seek) -> Result<FileFacts, ProbeError> {
    let mut source = Source::new(reader)?;
    let head = source.prefix(HEAD);
    source.check()?;
    let media_type = sniff(&head).ok_or(ProbeError::Unrecognised)?;
    let mut found = Found {
        media_type,
        width: None,
        height: None,
        duration: None,
    };
    found.read(&mut source);
    source.check()?;
    Ok(FileFacts {
        media_type: found.media_type,
        size: source.size(),
        width: found.width,
        height: found.height,
        duration: found
            .duration
            // If the budget ran out, not all samples were counted.
            .filter(|seconds| seconds.is_finite() && *seconds > 0.0 && !source.exhausted()),
    })
}

/// The facts found so far.
#[derive(Debug)]
struct Found {
    /// From the first bytes; a container's tracks may correct it.
    media_type: MediaType,
    width: Option<u32>,
    height: Option<u32>,
    /// Seconds.
    duration: Option<f64>,
}

impl Found {
    fn read<R: Read + Seek>(&mut self, source: &mut Source<R>) {
        match self.media_type {
            MediaType::Png => self.picture(picture::png(source)),
            MediaType::Jpeg => self.picture(picture::jpeg(source)),
            MediaType::Gif => self.picture(picture::gif(source)),
            MediaType::Webp => self.picture(picture::webp(source)),
            MediaType::Mp4 | MediaType::Mov | MediaType::M4a => iso::read(source, self),
            MediaType::Webm => webm::read(source, self),
            MediaType::Mp3 => mpeg::mp3(source, self),
            MediaType::Aac => self.duration = mpeg::aac(source),
            MediaType::Flac => {
                let start = mpeg::after_tags(source);
                self.duration = flac::flac(source, start);
            }
            MediaType::Wav => self.duration = wav::wav(source),
            MediaType::Ogg => self.duration = ogg::ogg(source),
            MediaType::Json => {}
        }
    }

    /// Takes a picture's size; a side of zero is no size.
    fn picture(&mut self, size: Option<(u32, u32)>) {
        if let Some((width, height)) = size.filter(|&(width, height)| width > 0 && height > 0) {
            self.width = Some(width);
            self.height = Some(height);
        }
    }
}

/// The duration of samples that last `counted` seconds, for which a header announces another.
fn settled(announced: Option<f64>, counted: f64) -> Option<f64> {
    let agrees = |seconds: &f64| (seconds - counted).abs() <= TOLERANCE;
    (counted > 0.0).then(|| announced.filter(agrees).unwrap_or(counted))
}

#[cfg(test)]
mod tests;

//! Facts of a file from its headers: type, size, picture size as shown, duration.
//! Runs on untrusted bytes in the service's own process: it decodes nothing, believes no size it has not checked, reads
//! through one small window, and stops after a bounded number of reads.

mod audio;
mod iso;
pub(crate) mod mpeg;
pub(crate) mod picture;
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

#[derive(Debug, thiserror::Error)]
pub enum ProbeError {
    #[error("the file is of no stored type")]
    Unrecognised,
    #[error("the file cannot be read: {0}")]
    Io(#[from] io::Error),
}

/// Facts of a local file. Blocks while it reads.
pub fn probe(path: &Path) -> Result<FileFacts, ProbeError> {
    probe_reader(File::open(path)?)
}

/// Facts of a file behind `reader`. What a damaged file does not tell is `None`, not an error.
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
            .filter(|seconds| seconds.is_finite() && *seconds >= 0.0),
    })
}

/// What the headers have told so far.
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
            MediaType::Flac => self.duration = mpeg::flac(source),
            MediaType::Wav => self.duration = audio::wav(source),
            MediaType::Ogg => self.duration = audio::ogg(source),
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

#[cfg(test)]
mod tests;

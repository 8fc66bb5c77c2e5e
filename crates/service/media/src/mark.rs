//! Marks a finished file as made by a program: XMP with the IPTC's digital source type, or tags if the container has no
//! place for XMP. All other metadata (graphs, settings, paths) is removed. Pixels, samples, times, colour profile and
//! orientation stay as they are, byte for byte.
//!
//! A file is never decoded or read into memory. The module of its container plans which bytes stay and what comes
//! between them; the new file is written beside the old one, checked, and replaces it. Marking a marked file gives the
//! same bytes.

mod flac;
mod gif;
mod id3;
mod iso;
mod jpeg;
mod ogg;
mod pieces;
mod png;
mod riff;
mod vorbis;
mod webm;

use std::{fs::File, io, path::Path};

use atelier_domain::{FileFacts, MediaKind, MediaType};
use atelier_provenance::{Provenance, SourceType};

use self::pieces::Pieces;
use crate::{
    probe::{ProbeError, probe_reader},
    source::Source,
};

/// The content of a mark.
#[derive(Debug, Clone)]
pub struct Mark {
    /// The program that wrote it, with its version.
    pub program: String,
    pub source: SourceType,
    /// The system that made the content, such as a model's name.
    pub system: String,
    pub prompt: Option<String>,
    pub kind: MediaKind,
}

/// The result of marking a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marked {
    /// The file carries the mark.
    Written,
    /// The file carries a signed manifest of its origin (C2PA). It is left as it is: the manifest says more than a
    /// mark, and any change would break it.
    Signed,
}

/// Why a file could not be marked. The file is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum MarkError {
    #[error("the file is damaged, or has no room for a mark")]
    NoRoom,
    #[error("a mark would change what the file shows")]
    Changed,
    #[error("files of the type {0:?} have no mark")]
    Unmarkable(MediaType),
    #[error(transparent)]
    Unread(#[from] ProbeError),
    #[error("the file cannot be written: {0}")]
    Io(#[from] io::Error),
}

/// The plan for a file, or `None` if its structure cannot be followed to the end.
type Planned = Option<Plan>;

enum Plan {
    Pieces(Pieces),
    Signed,
}

/// Marks a local file. Blocks while it reads and writes.
pub fn mark(path: &Path, mark: &Mark) -> Result<Marked, MarkError> {
    let file = File::open(path)?;
    let before = probe_reader(&file)?;
    let mut source = Source::new(&file)?;
    let source = &mut source;
    let plan = match before.media_type {
        MediaType::Png => png::plan(source, mark),
        MediaType::Jpeg => jpeg::plan(source, mark),
        MediaType::Webp => riff::plan_webp(source, mark),
        MediaType::Gif => gif::plan(source, mark),
        MediaType::Mp4 | MediaType::Mov | MediaType::M4a => iso::plan(source, mark),
        MediaType::Webm => webm::plan(source, mark),
        MediaType::Mp3 | MediaType::Aac => id3::plan(source, mark),
        MediaType::Flac => flac::plan(source, mark),
        MediaType::Wav => riff::plan_wav(source, mark),
        MediaType::Ogg => ogg::plan(source, mark),
        MediaType::Json => return Err(MarkError::Unmarkable(before.media_type)),
    };
    source.check()?;
    let pieces = match plan {
        Some(Plan::Signed) => return Ok(Marked::Signed),
        Some(Plan::Pieces(pieces)) if !pieces.are_too_many() => pieces,
        Some(Plan::Pieces(_)) | None => return Err(MarkError::NoRoom),
    };
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut marked = tempfile::NamedTempFile::new_in(folder)?;
    pieces.write(&file, marked.as_file_mut())?;
    if shown(&probe_reader(marked.as_file())?) != shown(&before) {
        return Err(MarkError::Changed);
    }
    marked.as_file().set_permissions(file.metadata()?.permissions())?;
    marked.persist(path).map_err(|error| error.error)?;
    Ok(Marked::Written)
}

/// The facts that a mark must not change.
fn shown(facts: &FileFacts) -> (MediaType, Option<u32>, Option<u32>, Option<f64>) {
    (facts.media_type, facts.width, facts.height, facts.duration)
}

impl Mark {
    fn xmp(&self) -> String {
        let what = match self.kind {
            MediaKind::Image => "picture",
            MediaKind::Video => "video",
            MediaKind::Audio => "sound",
        };
        Provenance {
            program: &self.program,
            source: self.source,
            system: Some(&self.system),
            prompt: self.prompt.as_deref(),
            description: Some(&format!("AI-generated {what}")),
        }
        .xmp()
    }

    /// For containers with named tags.
    fn tags(&self) -> [(&'static str, &str); 5] {
        [
            ("COMMENT", "AI-generated"),
            ("AI_GENERATED", "true"),
            ("AI_SYSTEM_USED", &self.system),
            ("DIGITAL_SOURCE_TYPE", self.source.uri()),
            ("SOFTWARE", &self.program),
        ]
    }
}

/// EXIF data that contains only an orientation.
fn exif(orientation: Option<u16>) -> Option<Vec<u8>> {
    let orientation = orientation.filter(|turn| (2..=8).contains(turn))?;
    let mut bytes = b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0".to_vec();
    bytes.extend(orientation.to_le_bytes());
    bytes.extend([0; 6]);
    Some(bytes)
}

#[cfg(test)]
mod tests;

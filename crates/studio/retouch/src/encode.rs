//! Writes pictures as PNG, row by row, with the colour profile they came with and a note of who edited them. The
//! note is XMP with the IPTC's digital source type, which image programs and archives read.

use std::borrow::Cow;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use crate::decode::Picture;
use crate::{LICENSE, WEIGHTS};
use atelier_protocol::{ENGINE, Error, Request};
use serde_json::{Map, Value};

pub use atelier_provenance::SourceType;

/// The provenance of a written picture.
#[derive(Debug, Clone, Copy)]
pub struct Provenance<'a> {
    /// The tool that edited it, such as `upscale`.
    pub tool: &'a str,
    pub source: SourceType,
}

/// Trained weights that made a picture or helped to make it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Weights<'a> {
    pub title: &'a str,
    /// An SPDX id, or its name, if it is known.
    pub license: Option<&'a str>,
}

impl<'a> Weights<'a> {
    /// The weights that the service names in a request.
    pub fn of(request: &'a Request) -> Option<Self> {
        let text = |name| request.params.get(name).and_then(Value::as_str);
        Some(Self {
            title: text(WEIGHTS)?,
            license: text(LICENSE),
        })
    }

    /// Adds the weights to a response's metadata.
    pub fn note(&self, metadata: &mut Map<String, Value>) {
        metadata.insert("weights".to_owned(), self.title.into());
        if let Some(license) = self.license {
            metadata.insert("weights_license".to_owned(), license.into());
        }
    }
}

/// The fixed properties of a PNG that is about to be written.
#[derive(Debug, Clone, Copy)]
pub struct Frame<'a> {
    pub width: usize,
    pub height: usize,
    /// Whether the rows have alpha, four bytes a pixel, or not, three.
    pub alpha: bool,
    pub icc: Option<&'a [u8]>,
}

/// A PNG file being written from its first row to its last.
pub struct PngRows {
    stream: png::StreamWriter<'static, BufWriter<File>>,
}

impl std::fmt::Debug for PngRows {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PngRows").finish_non_exhaustive()
    }
}

impl PngRows {
    pub fn create(path: &Path, frame: Frame<'_>, provenance: Provenance<'_>) -> Result<Self, Error> {
        Self::with_note(path, frame, xmp(provenance))
    }

    /// The same with the caller's XMP note.
    pub fn with_note(path: &Path, frame: Frame<'_>, note: String) -> Result<Self, Error> {
        let mut info = png::Info::with_size(frame.width as u32, frame.height as u32);
        info.color_type = if frame.alpha {
            png::ColorType::Rgba
        } else {
            png::ColorType::Rgb
        };
        info.bit_depth = png::BitDepth::Eight;
        // Without a profile it is sRGB, and the file says so.
        if frame.icc.is_none() {
            info.srgb = Some(png::SrgbRenderingIntent::Perceptual);
        }
        info.icc_profile = frame.icc.map(|profile| Cow::Owned(profile.to_vec()));
        let file = BufWriter::new(File::create(path)?);
        let mut encoder = png::Encoder::with_info(file, info).map_err(unwritten)?;
        encoder.set_compression(png::Compression::Fast);
        encoder
            .add_itxt_chunk("XML:com.adobe.xmp".into(), note)
            .map_err(unwritten)?;
        encoder
            .add_text_chunk("Software".into(), ENGINE.into())
            .map_err(unwritten)?;
        let stream = encoder
            .write_header()
            .and_then(|writer| writer.into_stream_writer_with_size(1 << 18))
            .map_err(unwritten)?;
        Ok(Self { stream })
    }

    /// Writes the next complete rows, in the frame's layout.
    pub fn write(&mut self, rows: &[u8]) -> Result<(), Error> {
        Ok(self.stream.write_all(rows)?)
    }

    /// Ends the file; it is an error if rows are missing.
    pub fn finish(self) -> Result<(), Error> {
        self.stream.finish().map_err(unwritten)
    }
}

/// Writes a whole picture, without the alpha channel if it is opaque.
pub fn write_png(path: &Path, picture: &Picture, provenance: Provenance<'_>) -> Result<(), Error> {
    write_noted(path, picture, xmp(provenance))
}

/// The same for a picture that a trained model made or helped to make.
pub fn write_png_with(
    path: &Path,
    picture: &Picture,
    provenance: Provenance<'_>,
    weights: Weights<'_>,
) -> Result<(), Error> {
    write_noted(path, picture, edited_xmp(provenance, Some(weights)))
}

fn write_noted(path: &Path, picture: &Picture, note: String) -> Result<(), Error> {
    let alpha = !picture.is_opaque();
    let frame = Frame {
        width: picture.width,
        height: picture.height,
        alpha,
        icc: picture.icc.as_deref(),
    };
    let mut rows = PngRows::with_note(path, frame, note)?;
    if alpha {
        rows.write(&picture.rgba)?;
    } else {
        let mut row = Vec::with_capacity(3 * picture.width);
        for rgba in picture.rgba.chunks_exact(4 * picture.width) {
            row.clear();
            for pixel in rgba.chunks_exact(4) {
                row.extend_from_slice(&pixel[..3]);
            }
            rows.write(&row)?;
        }
    }
    rows.finish()
}

fn xmp(provenance: Provenance<'_>) -> String {
    edited_xmp(provenance, None)
}

/// The note of an edited picture, with the trained model that helped, if any.
fn edited_xmp(provenance: Provenance<'_>, weights: Option<Weights<'_>>) -> String {
    let tool = provenance.tool;
    let program = match weights {
        None => format!("{ENGINE} ({tool})"),
        Some(weights) => format!("{ENGINE} ({tool}, {})", weights.title),
    };
    let system = weights.map(|weights| atelier_provenance::weights(weights.title, weights.license));
    atelier_provenance::Provenance {
        program: &program,
        source: provenance.source,
        system: system.as_deref(),
        prompt: None,
        description: None,
    }
    .xmp()
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed to `map_err`")]
fn unwritten(error: png::EncodingError) -> Error {
    Error::Failed(format!("the picture could not be written: {error}"))
}

/// The note of something made from a prompt: a `picture` or a `video`, and how.
pub fn generated_xmp(what: &str, prompt: &str, source: SourceType) -> String {
    atelier_provenance::Provenance {
        program: ENGINE,
        source,
        system: Some(&format!("{ENGINE} (procedural drawing, no trained model)")),
        prompt: Some(prompt),
        description: Some(&format!("AI-generated {what}, drawn by an algorithm")),
    }
    .xmp()
}

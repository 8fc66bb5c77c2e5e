//! Writing pictures as PNG, row by row, with the colour profile they came with and a note of who edited them.
//! The note is XMP with the IPTC's digital source type, which picture programs and archives read.

use std::borrow::Cow;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use crate::decode::Picture;
use crate::{ENGINE, Error};

/// How a picture came to be, in the terms of the IPTC's digital source type vocabulary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceType {
    /// A picture whose own content was improved by rules, without trained models of content.
    AlgorithmicallyEnhanced,
    /// A picture put together of several parts, or of a picture's own parts anew.
    Composite,
    /// A picture made by an algorithm that was not trained on other people's.
    Algorithmic,
    /// Someone's picture with parts that a trained model made.
    CompositeTrained,
    /// Someone's picture changed by, and joined with, what an algorithm drew.
    CompositeSynthetic,
}

impl SourceType {
    pub(crate) fn uri(self) -> &'static str {
        match self {
            Self::AlgorithmicallyEnhanced => {
                "http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicallyEnhanced"
            }
            Self::Composite => "http://cv.iptc.org/newscodes/digitalsourcetype/composite",
            Self::CompositeTrained => {
                "http://cv.iptc.org/newscodes/digitalsourcetype/compositeWithTrainedAlgorithmicMedia"
            }
            Self::Algorithmic => "http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicMedia",
            Self::CompositeSynthetic => "http://cv.iptc.org/newscodes/digitalsourcetype/compositeSynthetic",
        }
    }
}

/// What a written picture says of itself.
#[derive(Debug, Clone, Copy)]
pub struct Provenance<'a> {
    /// The tool that edited it, such as `upscale`.
    pub tool: &'a str,
    pub source: SourceType,
}

/// The fixed frame of a PNG that is about to be written.
#[derive(Debug, Clone, Copy)]
pub struct Frame<'a> {
    pub width: usize,
    pub height: usize,
    /// Whether the rows come with alpha, four bytes a pixel, or without, three.
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

    /// Likewise, with a note in XMP of the caller's.
    pub(crate) fn with_note(path: &Path, frame: Frame<'_>, note: String) -> Result<Self, Error> {
        let mut info = png::Info::with_size(frame.width as u32, frame.height as u32);
        info.color_type = if frame.alpha {
            png::ColorType::Rgba
        } else {
            png::ColorType::Rgb
        };
        info.bit_depth = png::BitDepth::Eight;
        // Without a profile it is sRGB, and says so.
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

    /// Writes the next rows, whole ones, in the frame's layout.
    pub fn write(&mut self, rows: &[u8]) -> Result<(), Error> {
        Ok(self.stream.write_all(rows)?)
    }

    /// Ends the file; without all its rows written it is an error.
    pub fn finish(self) -> Result<(), Error> {
        self.stream.finish().map_err(unwritten)
    }
}

/// Writes a whole picture, without the alpha channel where all of it is opaque.
pub fn write_png(path: &Path, picture: &Picture, provenance: Provenance<'_>) -> Result<(), Error> {
    let alpha = !picture.is_opaque();
    let frame = Frame {
        width: picture.width,
        height: picture.height,
        alpha,
        icc: picture.icc.as_deref(),
    };
    let mut rows = PngRows::create(path, frame, provenance)?;
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
    format!(
        "<?xpacket begin=\"\u{feff}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\
         <x:xmpmeta xmlns:x=\"adobe:ns:meta/\">\
         <rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\
         <rdf:Description rdf:about=\"\" xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\" \
         xmlns:Iptc4xmpExt=\"http://iptc.org/std/Iptc4xmpExt/2008-02-29/\" \
         xmp:CreatorTool=\"{ENGINE} ({tool})\" Iptc4xmpExt:DigitalSourceType=\"{source}\"/>\
         </rdf:RDF></x:xmpmeta><?xpacket end=\"w\"?>",
        tool = provenance.tool,
        source = provenance.source.uri(),
    )
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed to `map_err`")]
fn unwritten(error: png::EncodingError) -> Error {
    Error::Failed(format!("the picture could not be written: {error}"))
}

/// The note of what was made from a prompt: a `picture` or a `video`, and how.
pub(crate) fn generated_xmp(what: &str, prompt: &str, source: SourceType) -> String {
    let source = source.uri();
    let prompt: String = prompt.chars().filter(|c| !c.is_control()).take(2000).collect();
    let prompt = prompt
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;");
    format!(
        "<?xpacket begin=\"\u{feff}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\
         <x:xmpmeta xmlns:x=\"adobe:ns:meta/\">\
         <rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\
         <rdf:Description rdf:about=\"\" xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\" \
         xmlns:dc=\"http://purl.org/dc/elements/1.1/\" \
         xmlns:Iptc4xmpExt=\"http://iptc.org/std/Iptc4xmpExt/2008-02-29/\" \
         xmp:CreatorTool=\"{ENGINE}\" Iptc4xmpExt:DigitalSourceType=\"{source}\">\
         <Iptc4xmpExt:AISystemUsed>{ENGINE} (procedural drawing, no trained model)</Iptc4xmpExt:AISystemUsed>\
         <Iptc4xmpExt:AIPromptInformation>{prompt}</Iptc4xmpExt:AIPromptInformation>\
         <dc:description><rdf:Alt><rdf:li xml:lang=\"x-default\">AI-generated {what}, drawn by an \
         algorithm</rdf:li></rdf:Alt></dc:description>\
         </rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end=\"w\"?>"
    )
}

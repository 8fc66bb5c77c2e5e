//! The files: PNG in sRGB with a note, in the words that picture programs and archives read, that an algorithm
//! drew them, which one, and from what description.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use super::Rendered;
use crate::{ENGINE, Error};

/// IPTC's term for media made by an algorithm that was not trained on other people's.
const DRAWN: &str = "http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicMedia";

/// Its term for a picture of someone's that was changed and joined with what an algorithm drew.
const EDITED: &str = "http://cv.iptc.org/newscodes/digitalsourcetype/compositeSynthetic";

/// Writes one picture.
pub(super) fn write(path: &Path, picture: &Rendered, prompt: &str, edited: bool) -> Result<(), Error> {
    let file = BufWriter::new(File::create(path)?);
    let mut encoder = png::Encoder::new(file, picture.width as u32, picture.height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    encoder.set_compression(png::Compression::Fast);
    encoder
        .add_itxt_chunk("XML:com.adobe.xmp".into(), xmp(prompt, edited))
        .map_err(|error| unwritten(&error))?;
    encoder
        .add_text_chunk("Software".into(), ENGINE.into())
        .map_err(|error| unwritten(&error))?;
    let mut writer = encoder.write_header().map_err(|error| unwritten(&error))?;
    writer
        .write_image_data(&picture.rgb)
        .map_err(|error| unwritten(&error))?;
    writer.finish().map_err(|error| unwritten(&error))
}

fn xmp(prompt: &str, edited: bool) -> String {
    let source = if edited { EDITED } else { DRAWN };
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
         <dc:description><rdf:Alt><rdf:li xml:lang=\"x-default\">AI-generated picture, drawn by an \
         algorithm</rdf:li></rdf:Alt></dc:description>\
         </rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end=\"w\"?>"
    )
}

fn unwritten(error: &png::EncodingError) -> Error {
    Error::Failed(format!("the picture could not be written: {error}"))
}

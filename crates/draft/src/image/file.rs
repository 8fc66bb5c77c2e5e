//! The files: PNG in sRGB with a note, in the words that picture programs and archives read, that an algorithm
//! drew them, which one, and from what description.

use std::path::Path;

use super::Rendered;
use crate::encode::{Frame, PngRows, SourceType};
use crate::{ENGINE, Error};

/// Writes one picture.
pub(super) fn write(path: &Path, picture: &Rendered, prompt: &str, edited: bool) -> Result<(), Error> {
    let frame = Frame {
        width: picture.width,
        height: picture.height,
        alpha: false,
        icc: None,
    };
    let mut rows = PngRows::with_note(path, frame, xmp(prompt, edited))?;
    rows.write(&picture.rgb)?;
    rows.finish()
}

fn xmp(prompt: &str, edited: bool) -> String {
    let source = if edited {
        SourceType::CompositeSynthetic
    } else {
        SourceType::Algorithmic
    }
    .uri();
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

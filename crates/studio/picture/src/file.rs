//! Output files: PNG in sRGB, with a note in standard metadata that says that an algorithm drew them, which one,
//! and from what description.

use std::path::Path;

use super::Rendered;
use atelier_protocol::Error;
use atelier_retouch::encode::{Frame, PngRows, SourceType, generated_xmp};

/// Writes one picture.
pub(crate) fn write(path: &Path, picture: &Rendered, prompt: &str, edited: bool) -> Result<(), Error> {
    let frame = Frame {
        width: picture.width,
        height: picture.height,
        alpha: false,
        icc: None,
    };
    let source = if edited {
        SourceType::CompositeSynthetic
    } else {
        SourceType::Algorithmic
    };
    let mut rows = PngRows::with_note(path, frame, generated_xmp("picture", prompt, source))?;
    rows.write(&picture.rgb)?;
    rows.finish()
}

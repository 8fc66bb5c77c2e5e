//! Masks for `inpaint` from pictures with holes: what is transparent becomes white, all else black.

use std::fs::File;
use std::io::BufWriter;

use atelier_protocol::{Error, Request, Response};
use atelier_retouch::decode;
use image::{ExtendedColorType, ImageEncoder as _, codecs::png::PngEncoder};
use serde_json::Map;

/// Makes `mask.png` from the only input.
pub(crate) fn run(request: &Request, progress: &mut dyn FnMut(f32)) -> Result<Response, Error> {
    let [input] = request.inputs.as_slice() else {
        return Err(Error::InvalidInput(
            "a mask needs exactly one input file".to_owned(),
        ));
    };
    let picture = decode::read(&input.path)?;
    if picture.is_opaque() {
        return Err(Error::InvalidInput(
            "the mask has no transparent pixels; make the part to replace transparent".to_owned(),
        ));
    }
    progress(0.5);
    let grey: Vec<u8> = picture
        .rgba
        .chunks_exact(4)
        .map(|pixel| if pixel[3] < 128 { 255 } else { 0 })
        .collect();
    let path = request.out.join("mask.png");
    let side = |length: usize| {
        u32::try_from(length).map_err(|_| Error::InvalidInput("the mask is too large".to_owned()))
    };
    PngEncoder::new(BufWriter::new(File::create(&path)?))
        .write_image(
            &grey,
            side(picture.width)?,
            side(picture.height)?,
            ExtendedColorType::L8,
        )
        .map_err(|error| Error::Failed(format!("the mask cannot be written: {error}")))?;
    progress(1.0);
    Ok(Response {
        files: vec![path],
        metadata: Map::new(),
    })
}

//! A mask with the picture: only what it shows white is made anew, `n` times over.

use serde_json::{Value, json};

use crate::{Error, Request, Response, tools::inpaint};

/// Fills the masked part of the picture, with another seed for every variation.
pub(super) fn run(
    request: &Request,
    count: u64,
    seed: u64,
    progress: &mut dyn FnMut(f32),
) -> Result<Response, Error> {
    let mut made = Response::default();
    // The tool names its file `image-1.png`, so the first variation comes last and keeps that name.
    for variation in (0..count).rev() {
        let mut each = request.clone();
        each.params.insert("seed".to_owned(), json!(seed.wrapping_add(variation) >> 1));
        let done = (count - 1 - variation) as f32;
        let mut response = inpaint::run(&each, &mut |part| progress((done + part) / count as f32))?;
        let path = request.out.join(format!("image-{}.png", variation + 1));
        for file in response.files.drain(..) {
            if file != path {
                std::fs::rename(&file, &path)?;
            }
        }
        made.files.insert(0, path);
        made.metadata = response.metadata;
    }
    made.metadata.insert("seed".to_owned(), Value::from(seed));
    Ok(made)
}

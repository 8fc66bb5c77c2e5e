//! A picture with a mask: only the white part is made anew, `n` times over.

use serde_json::{Value, json};

use crate::inpaint;
use atelier_protocol::{Error, Request, Response};

/// Fills the masked part of the picture, with another seed for every variation.
pub(crate) fn run(
    request: &Request,
    count: u64,
    seed: u64,
    progress: &mut dyn FnMut(f32),
) -> Result<Response, Error> {
    let mut made = Response::default();
    // The tool names its file `image-1.png`, so the first variation comes last and keeps that name.
    for variation in (0..count).rev() {
        let mut each = request.clone();
        each.params
            .insert("seed".to_owned(), json!(seed.wrapping_add(variation) >> 1));
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use atelier_protocol::Input;

    fn write(path: &Path, value: impl Fn(u32, u32) -> u8) -> Input {
        let mut encoder = png::Encoder::new(std::fs::File::create(path).expect("a file"), 64, 64);
        encoder.set_color(png::ColorType::Grayscale);
        let pixels: Vec<u8> = (0..64 * 64).map(|at| value(at % 64, at / 64)).collect();
        let mut writer = encoder.write_header().expect("a header");
        writer.write_image_data(&pixels).expect("pixels");
        Input {
            parameter: String::new(),
            path: path.to_owned(),
            media_type: "image/png".to_owned(),
            seconds: None,
        }
    }

    #[test]
    fn every_variation_of_a_masked_picture_is_a_file_of_its_own() {
        let folder = tempfile::tempdir().expect("a folder");
        let picture = write(&folder.path().join("picture.png"), |x, y| (2 * x + y) as u8);
        let mask = write(&folder.path().join("mask.png"), |x, y| {
            u8::from((24..40).contains(&x) && (24..40).contains(&y)) * 255
        });
        let named = |input: Input, parameter: &str| Input {
            parameter: parameter.to_owned(),
            ..input
        };
        let request = Request {
            task: "image".to_owned(),
            params: serde_json::Map::from_iter([("n".to_owned(), json!(2))]),
            inputs: vec![named(picture, "image_urls"), named(mask, "mask_url")],
            seed: 7,
            out: folder.path().to_owned(),
        };
        let made = crate::run(&request, &mut |_| {}).expect("pictures");
        assert_eq!(
            made.files,
            ["image-1.png", "image-2.png"].map(|name| folder.path().join(name))
        );
        for file in &made.files {
            let picture = atelier_retouch::decode::read(file).expect("a picture");
            assert_eq!((picture.width, picture.height), (64, 64));
            assert_eq!(picture.pixel(2, 3)[0], 7, "what is not masked stays");
        }
    }
}

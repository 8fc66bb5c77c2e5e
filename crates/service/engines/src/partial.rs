//! Pictures of unfinished results, as engines show them while they work. Nothing is stored of them.

use std::fmt;

use atelier_domain::MediaType;
use atelier_media::sniff;
use base64::{Engine as _, engine::general_purpose::STANDARD};

/// A small picture of an unfinished result: JPEG, PNG or WebP.
#[derive(Clone, PartialEq, Eq)]
pub struct PartialImage {
    media_type: MediaType,
    bytes: Vec<u8>,
}

impl PartialImage {
    /// The most bytes of a picture.
    pub const MOST: usize = 512 << 10;

    /// `None` if the bytes are too many, or not those of such a picture.
    pub fn new(bytes: &[u8]) -> Option<Self> {
        let media_type = sniff(bytes)?;
        let is_shown = matches!(media_type, MediaType::Jpeg | MediaType::Png | MediaType::Webp);
        (is_shown && bytes.len() <= Self::MOST).then(|| Self {
            media_type,
            bytes: bytes.to_vec(),
        })
    }

    /// Reads a picture in Base64, alone or as a data URL.
    pub fn parse(text: &str) -> Option<Self> {
        let base64 = match text.strip_prefix("data:") {
            Some(url) => url.split_once(";base64,")?.1,
            None => text,
        };
        Self::new(&STANDARD.decode(base64).ok()?)
    }

    /// The file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The picture as a `data:` URL.
    pub fn data_url(&self) -> String {
        format!(
            "data:{};base64,{}",
            self.media_type.mime(),
            STANDARD.encode(&self.bytes)
        )
    }
}

impl fmt::Debug for PartialImage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "PartialImage({:?}, {} bytes)",
            self.media_type,
            self.bytes.len()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::PNG;

    #[test]
    fn only_small_pictures_are_partial_images() {
        let image = PartialImage::new(PNG).unwrap();
        assert!(image.data_url().starts_with("data:image/png;base64,iVBOR"));
        assert_eq!(PartialImage::parse(&image.data_url()), Some(image.clone()));
        assert_eq!(PartialImage::parse(&STANDARD.encode(PNG)), Some(image));
        let mut large = PNG.to_vec();
        large.resize(PartialImage::MOST + 1, 0);
        for wrong in [b"GIF89a".as_slice(), b"<svg/>", b"", &large] {
            assert_eq!(PartialImage::new(wrong), None);
        }
        assert_eq!(PartialImage::parse("data:image/png,plain"), None);
    }
}

//! Reading the pictures that people send: PNG, JPEG, WebP and GIF, upright, with their alpha and colour
//! profile. Whatever is too large or broken is refused with words for its owner, before memory is spent.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use image::error::LimitErrorKind;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};

use crate::Error;

/// The most pixels a picture may have.
pub const MAX_PIXELS: u64 = 64_000_000;

/// The longest side a picture may have: the most that PNG readers and browsers in use take without harm.
pub const MAX_SIDE: u32 = 32_768;

/// What a decoder may allocate: the largest picture at 16 bits a channel, and some room to work in.
const MAX_ALLOCATION: u64 = MAX_PIXELS * 8 + 64 * 1024 * 1024;

/// A picture in memory: eight bits a channel, straight alpha, rows from the top. Files with 16 bits a channel
/// are reduced to these eight.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    pub width: usize,
    pub height: usize,
    /// Red, green, blue, alpha.
    pub rgba: Vec<u8>,
    /// The ICC profile that gives the numbers their colours; without one they are sRGB.
    pub icc: Option<Vec<u8>>,
}

impl Picture {
    /// A picture of one colour.
    pub fn filled(width: usize, height: usize, rgba: [u8; 4]) -> Self {
        Self {
            width,
            height,
            rgba: rgba.repeat(width * height),
            icc: None,
        }
    }

    /// Whether no pixel lets anything shine through.
    pub fn is_opaque(&self) -> bool {
        self.rgba.iter().skip(3).step_by(4).all(|alpha| *alpha == 255)
    }

    pub fn pixel(&self, x: usize, y: usize) -> [u8; 4] {
        let at = 4 * (y * self.width + x);
        [
            self.rgba[at],
            self.rgba[at + 1],
            self.rgba[at + 2],
            self.rgba[at + 3],
        ]
    }
}

/// Reads a picture from a file.
///
/// Size is decided from the file's header. EXIF orientation is applied; of an animation the first frame is
/// read. Everything that is wrong with the file is an [`Error::InvalidInput`].
pub fn read(path: &Path) -> Result<Picture, Error> {
    let file = BufReader::new(File::open(path)?);
    let mut reader = ImageReader::new(file).with_guessed_format()?;
    let name = match reader.format() {
        Some(ImageFormat::Png) => "PNG",
        Some(ImageFormat::Jpeg) => "JPEG",
        Some(ImageFormat::WebP) => "WebP",
        Some(ImageFormat::Gif) => "GIF",
        Some(other) => {
            return Err(Error::InvalidInput(format!(
                "the picture is a {} file; PNG, JPEG, WebP and GIF can be read",
                other
                    .extensions_str()
                    .first()
                    .unwrap_or(&"foreign")
                    .to_uppercase()
            )));
        }
        None => {
            return Err(Error::InvalidInput(
                "the file is no picture that can be read; PNG, JPEG, WebP and GIF can".into(),
            ));
        }
    };
    let mut limits = Limits::default();
    limits.max_alloc = Some(MAX_ALLOCATION);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(|error| refused(name, &error))?;
    check_size(decoder.dimensions())?;

    let icc = decoder
        .icc_profile()
        .ok()
        .flatten()
        .filter(|profile| describes_rgb(profile));
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let decoded = DynamicImage::from_decoder(decoder).map_err(|error| refused(name, &error))?;
    let mut upright = DynamicImage::ImageRgba8(decoded.into_rgba8());
    upright.apply_orientation(orientation);
    let rgba = upright.into_rgba8();
    Ok(Picture {
        width: rgba.width() as usize,
        height: rgba.height() as usize,
        rgba: rgba.into_raw(),
        icc,
    })
}

fn check_size((width, height): (u32, u32)) -> Result<(), Error> {
    let pixels = u64::from(width) * u64::from(height);
    if pixels == 0 {
        return Err(Error::InvalidInput("the picture has no pixels".into()));
    }
    if pixels > MAX_PIXELS || width.max(height) > MAX_SIDE {
        return Err(Error::InvalidInput(format!(
            "the picture is {width} × {height}, {:.1} megapixels; up to {} megapixels and {MAX_SIDE} pixels a \
             side can be edited",
            pixels as f64 / 1e6,
            MAX_PIXELS / 1_000_000,
        )));
    }
    Ok(())
}

/// Gray and CMYK profiles do not fit the RGB that the pixels have become.
fn describes_rgb(profile: &[u8]) -> bool {
    profile.get(16..20) == Some(b"RGB ")
}

fn refused(name: &str, error: &ImageError) -> Error {
    let why = match error {
        ImageError::Limits(limit) if limit.kind() == LimitErrorKind::InsufficientMemory => {
            "it would unpack to more than a picture of its size needs".to_owned()
        }
        ImageError::Limits(_) => "its sides are too long".to_owned(),
        ImageError::Unsupported(_) => "it uses a part of the format that cannot be read".to_owned(),
        other => other.to_string(),
    };
    Error::InvalidInput(format!(
        "the {name} picture cannot be read: {why}; a copy saved afresh by a picture program would do"
    ))
}

//! Pictures as their files store them: what a mark changes, before anything turns it upright.

use std::io::Cursor;

use atelier_marking::Shape;
use atelier_retouch::decode::{self, MAX_PIXELS, MAX_SIDE};
use image::{
    ColorType, ExtendedColorType, ImageDecoder, ImageEncoder as _, ImageError, Limits,
    codecs::{
        jpeg::{JpegDecoder, JpegEncoder},
        png::{CompressionType, FilterType, PngDecoder, PngEncoder},
        webp::WebPDecoder,
    },
};
use webp::{Encoder, WebPConfig};

use crate::splice::{is_png, webp as riff};

/// Higher than what most services write, so that a file loses little.
const QUALITY: u8 = 92;
/// How hard libwebp looks for a small file, from 0 to 6. At 4, its default, a measured picture took three times as
/// long, and the file was not smaller.
const METHOD: i32 = 2;
/// The same for files without loss, from 0 to 100; its default.
const EFFORT: f32 = 75.0;
/// The memory that a decoder may take.
const MAX_ALLOCATION: u64 = MAX_PIXELS * 4 + (64 << 20);

/// The formats in which pictures are written again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Png,
    Jpeg,
    Webp { is_lossless: bool },
}

impl Format {
    /// By the first bytes of a file.
    pub(super) fn of(file: &[u8]) -> Option<Self> {
        if is_png(file) {
            Some(Self::Png)
        } else if riff::is_webp(file) {
            let is_lossless = riff::is_lossless(file);
            Some(Self::Webp { is_lossless })
        } else {
            file.starts_with(b"\xff\xd8").then_some(Self::Jpeg)
        }
    }
}

/// A picture as its file stores it.
pub(super) struct Pixels {
    pub(super) values: Vec<u8>,
    pub(super) shape: Shape,
}

impl Pixels {
    /// Those of a PNG, JPEG or WebP with eight bits a channel, grey or RGB; `None` for any other file.
    pub(super) fn of(file: &[u8]) -> Option<Self> {
        let bytes = Cursor::new(file);
        let decoded = match Format::of(file)? {
            Format::Png => PngDecoder::new(bytes).and_then(Self::decoded),
            Format::Jpeg => JpegDecoder::new(bytes).and_then(Self::decoded),
            Format::Webp { .. } => WebPDecoder::new(bytes).and_then(Self::decoded),
        };
        decoded.ok().flatten()
    }

    fn decoded(mut decoder: impl ImageDecoder) -> Result<Option<Self>, ImageError> {
        let (width, height) = decoder.dimensions();
        let is_cmyk = decoder.original_color_type() == ExtendedColorType::Cmyk8;
        let is_deep = !matches!(
            decoder.color_type(),
            ColorType::L8 | ColorType::La8 | ColorType::Rgb8 | ColorType::Rgba8
        );
        let is_large = u64::from(width) * u64::from(height) > MAX_PIXELS || width.max(height) > MAX_SIDE;
        if is_cmyk || is_deep || is_large {
            return Ok(None);
        }
        let mut limits = Limits::default();
        limits.max_alloc = Some(MAX_ALLOCATION);
        decoder.set_limits(limits)?;
        let shape = Shape {
            width: width as usize,
            height: height as usize,
            channels: usize::from(decoder.color_type().channel_count()),
        };
        let mut values = vec![0; shape.width * shape.height * shape.channels];
        decoder.read_image(&mut values)?;
        Ok(Some(Self { values, shape }))
    }

    /// A file that has nothing but these pixels.
    pub(super) fn written(&self, format: Format) -> Option<Vec<u8>> {
        let mut file = Vec::new();
        let color = match self.shape.channels {
            1 => ExtendedColorType::L8,
            2 => ExtendedColorType::La8,
            3 => ExtendedColorType::Rgb8,
            _ => ExtendedColorType::Rgba8,
        };
        let (width, height) = (self.shape.width as u32, self.shape.height as u32);
        match format {
            Format::Png => {
                let encoder =
                    PngEncoder::new_with_quality(&mut file, CompressionType::Fast, FilterType::Adaptive);
                let written = encoder.write_image(&self.values, width, height, color);
                written.ok()?;
            }
            Format::Jpeg => {
                let encoder = JpegEncoder::new_with_quality(&mut file, QUALITY);
                let written = encoder.write_image(&self.values, width, height, color);
                written.ok()?;
            }
            Format::Webp { is_lossless } => {
                // Its decoder gives colours only.
                let encoder = match color {
                    ExtendedColorType::Rgb8 => Encoder::from_rgb(&self.values, width, height),
                    ExtendedColorType::Rgba8 => Encoder::from_rgba(&self.values, width, height),
                    _ => return None,
                };
                let mut config = WebPConfig::new().ok()?;
                config.lossless = i32::from(is_lossless);
                config.quality = if is_lossless { EFFORT } else { f32::from(QUALITY) };
                config.method = METHOD;
                let written = encoder.encode_advanced(&config);
                file.extend_from_slice(&written.ok()?);
            }
        }
        Some(file)
    }
}

impl From<decode::Picture> for Pixels {
    fn from(picture: decode::Picture) -> Self {
        Self {
            shape: Shape {
                width: picture.width,
                height: picture.height,
                channels: 4,
            },
            values: picture.rgba,
        }
    }
}

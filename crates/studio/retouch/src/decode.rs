//! Reads pictures from users: PNG, JPEG, WebP and GIF, upright, with their alpha and colour profile. Pictures that
//! are too large or damaged are refused with a clear message, before memory is spent.

use std::fs::File;
use std::io::{BufRead, BufReader, Cursor, Seek};
use std::path::Path;

use image::error::LimitErrorKind;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};

use atelier_protocol::Error;

/// The most pixels a picture may have.
pub const MAX_PIXELS: u64 = 64_000_000;

/// The longest side of a picture: the most that common PNG readers and browsers accept.
pub const MAX_SIDE: u32 = 32_768;

/// The allocation limit of a decoder: the largest picture at 16 bits a channel, and some working space.
const MAX_ALLOCATION: u64 = MAX_PIXELS * 8 + 64 * 1024 * 1024;

/// A picture in memory: eight bits a channel, straight alpha, rows from the top. Files with 16 bits a channel
/// are reduced to these eight.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    pub width: usize,
    pub height: usize,
    /// Red, green, blue, alpha.
    pub rgba: Vec<u8>,
    /// The ICC profile of the colours; without one they are sRGB.
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

    /// Whether every pixel is opaque.
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
/// Its size is checked in the file's header. EXIF orientation is applied; of an animation the first frame is read.
/// Every fault of the file is an [`Error::InvalidInput`].
pub fn read(path: &Path) -> Result<Picture, Error> {
    decoded(BufReader::new(File::open(path)?))
}

/// Reads a picture from bytes, like [`read`].
pub fn read_bytes(bytes: &[u8]) -> Result<Picture, Error> {
    decoded(Cursor::new(bytes))
}

fn decoded(file: impl BufRead + Seek) -> Result<Picture, Error> {
    let mut reader = ImageReader::new(file).with_guessed_format()?;
    let name = match reader.format() {
        Some(ImageFormat::Png) => "PNG",
        Some(ImageFormat::Jpeg) => "JPEG",
        Some(ImageFormat::WebP) => "WebP",
        Some(ImageFormat::Gif) => "GIF",
        Some(other) => {
            return Err(Error::InvalidInput(format!(
                "the picture is a {} file; supported types are PNG, JPEG, WebP and GIF",
                other
                    .extensions_str()
                    .first()
                    .unwrap_or(&"foreign")
                    .to_uppercase()
            )));
        }
        None => {
            return Err(Error::InvalidInput(
                "the file is not a supported picture; supported types are PNG, JPEG, WebP and GIF".into(),
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
        "the {name} picture cannot be read: {why}; save a new copy of it with an image program"
    ))
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use image::{ImageBuffer, Luma, Rgb, Rgba};

    use super::*;

    fn read_bytes(bytes: &[u8]) -> Result<Picture, Error> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        read(file.path())
    }

    fn refusal(bytes: &[u8]) -> String {
        match read_bytes(bytes) {
            Err(Error::InvalidInput(message)) => message,
            other => panic!("not refused as input: {other:?}"),
        }
    }

    fn sample() -> DynamicImage {
        DynamicImage::ImageRgb8(ImageBuffer::from_fn(6, 4, |x, y| {
            if (x, y) == (0, 0) {
                Rgb([250, 10, 10])
            } else {
                Rgb([20, (40 * x) as u8, (60 * y) as u8])
            }
        }))
    }

    fn bytes(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
        let mut out = Cursor::new(Vec::new());
        image.write_to(&mut out, format).unwrap();
        out.into_inner()
    }

    /// A JPEG's bytes with an EXIF segment that says how to rotate it.
    fn turned(jpeg: &[u8], orientation: u8) -> Vec<u8> {
        let mut exif = b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0".to_vec();
        exif.extend([orientation, 0, 0, 0, 0, 0, 0, 0]);
        let mut out = jpeg[..2].to_vec();
        out.extend([0xff, 0xe1]);
        out.extend(u16::try_from(exif.len() + 2).unwrap().to_be_bytes());
        out.extend(exif);
        out.extend(&jpeg[2..]);
        out
    }

    #[test]
    fn the_four_formats_are_read() {
        for format in [ImageFormat::Png, ImageFormat::WebP, ImageFormat::Jpeg] {
            let picture = read_bytes(&bytes(&sample(), format)).unwrap();
            assert_eq!((picture.width, picture.height), (6, 4), "{format:?}");
            assert!(picture.is_opaque());
        }
        let gif = bytes(&DynamicImage::ImageRgba8(sample().to_rgba8()), ImageFormat::Gif);
        assert_eq!(read_bytes(&gif).unwrap().width, 6);
        assert_eq!(
            read_bytes(&bytes(&sample(), ImageFormat::Png))
                .unwrap()
                .pixel(0, 0),
            [250, 10, 10, 255]
        );
    }

    #[test]
    fn a_picture_lying_on_its_side_is_put_upright() {
        let mut wide = ImageBuffer::from_pixel(32, 16, Rgb([0_u8, 0, 0]));
        for y in 0..16 {
            for x in 0..16 {
                wide.put_pixel(x, y, Rgb([255, 255, 255]));
            }
        }
        let jpeg = bytes(&DynamicImage::ImageRgb8(wide), ImageFormat::Jpeg);
        let upright = read_bytes(&turned(&jpeg, 6)).unwrap();
        assert_eq!((upright.width, upright.height), (16, 32));
        assert!(upright.pixel(8, 4)[0] > 200 && upright.pixel(8, 28)[0] < 50);
        let mirrored = read_bytes(&turned(&jpeg, 2)).unwrap();
        assert!(mirrored.pixel(4, 8)[0] < 50 && mirrored.pixel(28, 8)[0] > 200);
    }

    #[test]
    fn alpha_is_kept_and_sixteen_bits_become_eight() {
        let clear = ImageBuffer::from_pixel(3, 2, Rgba([10_u8, 20, 30, 40]));
        let picture = read_bytes(&bytes(&DynamicImage::ImageRgba8(clear), ImageFormat::Png)).unwrap();
        assert_eq!(picture.pixel(2, 1), [10, 20, 30, 40]);
        let deep = ImageBuffer::from_pixel(3, 2, Luma([0x8000_u16]));
        let picture = read_bytes(&bytes(&DynamicImage::ImageLuma16(deep), ImageFormat::Png)).unwrap();
        assert_eq!(picture.pixel(0, 0), [128, 128, 128, 255]);
    }

    #[test]
    fn the_colour_profile_goes_through_to_the_file_written() {
        let mut profile = vec![7_u8; 200];
        profile[16..20].copy_from_slice(b"RGB ");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("picture.png");
        let picture = Picture {
            icc: Some(profile.clone()),
            ..Picture::filled(4, 3, [9, 8, 7, 255])
        };
        let provenance = crate::encode::Provenance {
            tool: "test",
            source: crate::encode::SourceType::Composite,
        };
        crate::encode::write_png(&path, &picture, provenance).unwrap();
        assert_eq!(read(&path).unwrap(), picture);
        let written = std::fs::read(&path).unwrap();
        let text = String::from_utf8_lossy(&written);
        assert!(text.contains("digitalsourcetype/composite") && text.contains(atelier_protocol::ENGINE));
    }

    /// The head of a PNG that claims a size, and nothing after it.
    fn claiming(width: u32, height: u32) -> Vec<u8> {
        let mut head = b"IHDR".to_vec();
        head.extend(width.to_be_bytes());
        head.extend(height.to_be_bytes());
        head.extend([8, 6, 0, 0, 0]);
        let mut crc = u32::MAX;
        for byte in &head {
            crc ^= u32::from(*byte);
            for _ in 0..8 {
                crc = if crc & 1 == 1 {
                    (crc >> 1) ^ 0xedb8_8320
                } else {
                    crc >> 1
                };
            }
        }
        let mut out = b"\x89PNG\r\n\x1a\n\0\0\0\x0d".to_vec();
        out.extend(head);
        out.extend((!crc).to_be_bytes());
        out.extend([0, 0, 0, 0, b'I', b'D', b'A', b'T', 0x35, 0xaf, 0x06, 0x1e]);
        out
    }

    #[test]
    fn a_claim_of_too_many_pixels_is_refused_by_the_header_alone() {
        let message = refusal(&claiming(30_000, 30_000));
        assert!(
            message.contains("900.0 megapixels") && message.contains("64 megapixels"),
            "{message}"
        );
        assert!(refusal(&claiming(60_000, 2)).contains("32768"), "too long a side");
    }

    #[test]
    fn what_is_broken_or_foreign_is_refused_with_words() {
        let png = bytes(&sample(), ImageFormat::Png);
        assert!(refusal(&png[..png.len() / 2]).contains("PNG picture cannot be read"));
        assert!(refusal(b"not a picture at all").contains("PNG, JPEG, WebP and GIF"));
        assert!(refusal(b"II*\0\x08\0\0\0\0\0\0\0").contains("TIFF"));
        assert!(refusal(b"").contains("not a supported picture"));
    }

    #[test]
    fn damaged_files_never_do_more_than_be_refused() {
        for format in [
            ImageFormat::Png,
            ImageFormat::Jpeg,
            ImageFormat::WebP,
            ImageFormat::Gif,
        ] {
            let image = if format == ImageFormat::Jpeg {
                sample()
            } else {
                DynamicImage::ImageRgba8(sample().to_rgba8())
            };
            let whole = bytes(&image, format);
            for i in 0..whole.len() {
                let mut damaged = whole.clone();
                damaged[i] ^= 0x55;
                match read_bytes(&damaged) {
                    Ok(picture) => assert_eq!(picture.rgba.len(), 4 * picture.width * picture.height),
                    Err(error) => assert!(matches!(error, Error::InvalidInput(_)), "{error}"),
                }
            }
        }
    }
}

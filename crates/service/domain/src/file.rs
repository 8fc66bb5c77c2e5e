//! Stored files: their names, their types, and the facts known about them.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// The kind of media in a file: `image`, `video` or `audio`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MediaKind {
    Image,
    Video,
    Audio,
}

impl MediaKind {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Image => "image",
            Self::Video => "video",
            Self::Audio => "audio",
        }
    }
}

impl fmt::Display for MediaKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for MediaKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "image" => Ok(Self::Image),
            "video" => Ok(Self::Video),
            "audio" => Ok(Self::Audio),
            _ => Err(format!(
                "unknown media kind `{text}`; allowed: image, video, audio"
            )),
        }
    }
}

macro_rules! media_types {
    ($($variant:ident $mime:literal $extension:literal $kind:ident),* $(,)?) => {
        /// The media types the service stores. Uploads have one of the first thirteen; JSON is for an output's
        /// side files (word times of speech).
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum MediaType { $($variant),*, Json }

        impl MediaType {
            /// All types that an upload may have.
            pub const UPLOADABLE: &'static [Self] = &[$(Self::$variant),*];

            /// The registered media type: `image/png`.
            pub const fn mime(self) -> &'static str {
                match self { $(Self::$variant => $mime),*, Self::Json => "application/json" }
            }

            /// The extension of the file name, without the dot.
            pub const fn extension(self) -> &'static str {
                match self { $(Self::$variant => $extension),*, Self::Json => "json" }
            }

            /// The kind of media; `None` for JSON.
            pub const fn kind(self) -> Option<MediaKind> {
                match self { $(Self::$variant => Some(MediaKind::$kind)),*, Self::Json => None }
            }
        }
    };
}

media_types! {
    Png "image/png" "png" Image,
    Jpeg "image/jpeg" "jpg" Image,
    Webp "image/webp" "webp" Image,
    Gif "image/gif" "gif" Image,
    Mp4 "video/mp4" "mp4" Video,
    Mov "video/quicktime" "mov" Video,
    Webm "video/webm" "webm" Video,
    Mp3 "audio/mpeg" "mp3" Audio,
    Wav "audio/wav" "wav" Audio,
    Flac "audio/flac" "flac" Audio,
    Ogg "audio/ogg" "ogg" Audio,
    M4a "audio/mp4" "m4a" Audio,
    Aac "audio/aac" "aac" Audio,
}

impl MediaType {
    pub fn from_mime(mime: &str) -> Option<Self> {
        Self::UPLOADABLE
            .iter()
            .copied()
            .chain([Self::Json])
            .find(|media_type| media_type.mime() == mime)
    }

    pub fn from_extension(extension: &str) -> Option<Self> {
        Self::UPLOADABLE
            .iter()
            .copied()
            .chain([Self::Json])
            .find(|media_type| media_type.extension() == extension)
    }
}

impl fmt::Display for MediaType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.mime())
    }
}

impl Serialize for MediaType {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.mime())
    }
}

impl<'de> Deserialize<'de> for MediaType {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mime = <std::borrow::Cow<'_, str>>::deserialize(deserializer)?;
        Self::from_mime(&mime)
            .ok_or_else(|| serde::de::Error::custom(format!("unknown stored media type `{mime}`")))
    }
}

/// A stored file's name: the SHA-256 of its bytes in lower-case hex, a dot, the extension of its type.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct FileName(String);

impl FileName {
    pub fn new(sha256: &[u8; 32], media_type: MediaType) -> Self {
        use fmt::Write as _;
        let mut name = String::with_capacity(70);
        for byte in sha256 {
            let _ = write!(name, "{byte:02x}");
        }
        name.push('.');
        name.push_str(media_type.extension());
        Self(name)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The hex digits of the SHA-256 of the file's bytes.
    pub fn sha256(&self) -> &str {
        &self.0[..64]
    }

    pub fn media_type(&self) -> MediaType {
        MediaType::from_extension(&self.0[65..]).unwrap_or(MediaType::Json)
    }
}

impl fmt::Display for FileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for FileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for FileName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let valid = text.split_once('.').is_some_and(|(hash, extension)| {
            hash.len() == 64
                && hash.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
                && MediaType::from_extension(extension).is_some()
        });
        if valid {
            Ok(Self(text.to_owned()))
        } else {
            Err(format!("`{text}` is not the name of a stored file"))
        }
    }
}

impl TryFrom<String> for FileName {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<FileName> for String {
    fn from(name: FileName) -> Self {
        name.0
    }
}

/// The facts that probing found about a file; `None` if it does not apply or could not be read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FileFacts {
    pub media_type: MediaType,
    /// Bytes.
    pub size: u64,
    /// Pixels as displayed, after the rotation that the file asks for.
    pub width: Option<u32>,
    pub height: Option<u32>,
    /// Seconds; for video and audio.
    pub duration: Option<f64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_name_is_a_hash_and_a_known_extension() {
        let name = FileName::new(&[0xab; 32], MediaType::Jpeg);
        assert_eq!(name.as_str(), format!("{}.jpg", "ab".repeat(32)));
        assert_eq!(name.media_type(), MediaType::Jpeg);
        assert_eq!(name.as_str().parse::<FileName>().unwrap(), name);
        for wrong in [
            "",
            "x.png",
            &format!("{}.exe", "ab".repeat(32)),
            &format!("{}.png", "AB".repeat(32)),
        ] {
            assert!(wrong.parse::<FileName>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn thirteen_types_can_be_uploaded_and_each_reads_back() {
        assert_eq!(MediaType::UPLOADABLE.len(), 13);
        for &media_type in MediaType::UPLOADABLE {
            assert_eq!(MediaType::from_mime(media_type.mime()), Some(media_type));
            assert_eq!(
                MediaType::from_extension(media_type.extension()),
                Some(media_type)
            );
        }
    }
}

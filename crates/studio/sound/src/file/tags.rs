//! The metadata of a file.

/// IPTC's names for media made by rules, without trained models, and by trained models.
const RULES: &str = "http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicMedia";
const TRAINED: &str = "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia";

/// Tags of a sound file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tags {
    pub title: Option<String>,
    pub artist: String,
    pub comment: String,
    /// Names and values beyond the common ones.
    pub extra: Vec<(String, String)>,
}

impl Tags {
    /// Tags that say that a program made the sound.
    pub fn generated(title: Option<String>) -> Self {
        Self {
            title,
            artist: "atelier draft".to_owned(),
            comment: "AI-generated".to_owned(),
            extra: vec![
                ("AI_GENERATED".to_owned(), "true".to_owned()),
                ("DIGITAL_SOURCE_TYPE".to_owned(), RULES.to_owned()),
            ],
        }
    }

    /// Tags that say which trained weights made the sound, and their licence.
    pub fn trained(title: Option<String>, weights: &str, license: Option<&str>) -> Self {
        let license = license.map(|license| ("WEIGHTS_LICENSE".to_owned(), license.to_owned()));
        Self {
            title,
            artist: weights.to_owned(),
            comment: "AI-generated".to_owned(),
            extra: [
                ("AI_GENERATED".to_owned(), "true".to_owned()),
                ("DIGITAL_SOURCE_TYPE".to_owned(), TRAINED.to_owned()),
                ("WEIGHTS".to_owned(), weights.to_owned()),
            ]
            .into_iter()
            .chain(license)
            .collect(),
        }
    }

    /// An ID3 tag, version 2.4, in UTF-8.
    #[cfg(feature = "mp3")]
    pub(super) fn id3(&self) -> Vec<u8> {
        let mut frames = Vec::new();
        if let Some(title) = &self.title {
            put(&mut frames, "TIT2", title);
        }
        put(&mut frames, "TPE1", &self.artist);
        put(&mut frames, "COMM", &format!("eng\0{}", self.comment));
        for (name, value) in &self.extra {
            put(&mut frames, "TXXX", &format!("{name}\0{value}"));
        }
        let mut tag = b"ID3\x04\x00\x00".to_vec();
        tag.extend(synchsafe(frames.len()));
        tag.extend(frames);
        tag
    }
}

/// A frame whose text is UTF-8, which encoding number 3 means.
#[cfg(feature = "mp3")]
fn put(frames: &mut Vec<u8>, id: &str, text: &str) {
    frames.extend(id.as_bytes());
    frames.extend(synchsafe(text.len() + 1));
    frames.extend([0, 0, 3]);
    frames.extend(text.as_bytes());
}

/// A length in four bytes of seven bits, so that no byte looks like the start of an audio frame.
#[cfg(feature = "mp3")]
fn synchsafe(length: usize) -> [u8; 4] {
    [21, 14, 7, 0].map(|shift| (length >> shift & 0x7f) as u8)
}

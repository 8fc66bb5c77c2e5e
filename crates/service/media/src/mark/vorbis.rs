//! Vorbis comments, as FLAC and Ogg hold them: a vendor, then names and values.

use super::Mark;

pub(super) fn comments(vendor: &[u8], mark: &Mark) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut put = |text: &[u8]| {
        bytes.extend((text.len() as u32).to_le_bytes());
        bytes.extend(text);
    };
    put(vendor);
    let tags = mark.tags();
    let texts: Vec<_> = tags
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let mut list = (texts.len() as u32).to_le_bytes().to_vec();
    for text in texts {
        list.extend((text.len() as u32).to_le_bytes());
        list.extend(text.into_bytes());
    }
    bytes.extend(list);
    bytes
}

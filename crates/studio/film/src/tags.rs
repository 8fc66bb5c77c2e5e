//! The statements of a film about itself.

/// Metadata of a film.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tags {
    pub title: String,
    /// The program that made it.
    pub encoder: String,
    pub comment: String,
    /// A whole XMP packet, for marks that archives read, such as IPTC's digital source type.
    pub xmp: Option<String>,
}

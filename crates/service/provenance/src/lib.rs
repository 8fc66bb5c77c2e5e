//! Statements of a file's origin: XMP with the IPTC's digital source type, which picture programs and archives read.
//! Pure text: the crate that writes the file decides where to put it.

/// The origin of media, in the terms of the IPTC's digital source type vocabulary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceType {
    /// A picture whose own content was improved by rules, without trained models of content.
    AlgorithmicallyEnhanced,
    /// A picture composed of several parts, or of its own parts in another arrangement.
    Composite,
    /// Media made by an algorithm that was not trained on other media.
    Algorithmic,
    /// Media made by a trained model.
    Trained,
    /// Existing media with parts made by a trained model.
    CompositeTrained,
    /// Existing media combined with parts that an algorithm drew.
    CompositeSynthetic,
}

impl SourceType {
    pub const ALL: [Self; 6] = [
        Self::AlgorithmicallyEnhanced,
        Self::Composite,
        Self::Algorithmic,
        Self::Trained,
        Self::CompositeTrained,
        Self::CompositeSynthetic,
    ];

    /// The type whose URI ends with this name.
    pub fn named(name: &str) -> Option<Self> {
        let is_named = |source: &Self| source.uri().rsplit('/').next() == Some(name);
        Self::ALL.into_iter().find(is_named)
    }

    pub const fn uri(self) -> &'static str {
        match self {
            Self::AlgorithmicallyEnhanced => {
                "http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicallyEnhanced"
            }
            Self::Composite => "http://cv.iptc.org/newscodes/digitalsourcetype/composite",
            Self::Algorithmic => "http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicMedia",
            Self::Trained => "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia",
            Self::CompositeTrained => {
                "http://cv.iptc.org/newscodes/digitalsourcetype/compositeWithTrainedAlgorithmicMedia"
            }
            Self::CompositeSynthetic => "http://cv.iptc.org/newscodes/digitalsourcetype/compositeSynthetic",
        }
    }
}

/// The statement about one file.
#[derive(Debug, Clone, Copy)]
pub struct Provenance<'a> {
    /// The program that wrote it.
    pub program: &'a str,
    pub source: SourceType,
    /// The system that made the content.
    pub system: Option<&'a str>,
    /// The prompt it was made from. The first [`PROMPT`] characters are included.
    pub prompt: Option<&'a str>,
    /// One line for readers.
    pub description: Option<&'a str>,
}

/// Characters of a prompt that are included.
pub const PROMPT: usize = 2_000;

impl Provenance<'_> {
    /// An XMP packet (ISO 16684-1), in UTF-8.
    pub fn xmp(&self) -> String {
        let attributes = format!(
            "xmp:CreatorTool=\"{}\" Iptc4xmpExt:DigitalSourceType=\"{}\"",
            escaped(self.program),
            self.source.uri()
        );
        let element = |name: &str, value: Option<&str>| {
            let value = value.map(escaped)?;
            Some(format!("<Iptc4xmpExt:{name}>{value}</Iptc4xmpExt:{name}>"))
        };
        let described = self.description.map(|description| {
            let description = escaped(description);
            format!(
                "<dc:description><rdf:Alt>\
                 <rdf:li xml:lang=\"x-default\">{description}</rdf:li></rdf:Alt></dc:description>"
            )
        });
        let parts = [
            element("AISystemUsed", self.system),
            element("AIPromptInformation", self.prompt),
            described,
        ];
        let parts: String = parts.into_iter().flatten().collect();
        format!(
            "<?xpacket begin=\"\u{feff}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\
             <x:xmpmeta xmlns:x=\"adobe:ns:meta/\">\
             <rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\
             <rdf:Description rdf:about=\"\" xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\" \
             xmlns:dc=\"http://purl.org/dc/elements/1.1/\" \
             xmlns:Iptc4xmpExt=\"http://iptc.org/std/Iptc4xmpExt/2008-02-29/\" {attributes}>{parts}</rdf:Description>\
             </rdf:RDF></x:xmpmeta><?xpacket end=\"w\"?>"
        )
    }
}

/// How files name trained weights: with the licence of the weights, an SPDX id or a name, if it is known.
pub fn weights(title: &str, license: Option<&str>) -> String {
    match license {
        Some(license) => format!("{title} (license of the weights: {license})"),
        None => title.to_owned(),
    }
}

/// Escapes a text for XML and drops what XML forbids: control characters and two noncharacters.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let is_told = |c: &char| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}');
    for c in text.chars().filter(is_told).take(PROMPT) {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_source_type_is_found_by_the_name_in_its_uri() {
        for source in SourceType::ALL {
            let name = source.uri().rsplit('/').next().unwrap();
            assert_eq!(SourceType::named(name), Some(source));
        }
        assert_eq!(SourceType::named("digitalArt"), None);
    }

    #[test]
    fn a_packet_names_program_system_source_and_prompt() {
        let packet = Provenance {
            program: "atelier 1.0",
            source: SourceType::Trained,
            system: Some("flux-1-dev"),
            prompt: Some("a \"boat\" & <sea>\n\u{0}"),
            description: Some("AI-generated picture"),
        }
        .xmp();
        for expected in [
            "xmp:CreatorTool=\"atelier 1.0\"",
            "Iptc4xmpExt:DigitalSourceType=\"http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia\"",
            "<Iptc4xmpExt:AISystemUsed>flux-1-dev</Iptc4xmpExt:AISystemUsed>",
            "<Iptc4xmpExt:AIPromptInformation>a &quot;boat&quot; &amp; &lt;sea&gt;</Iptc4xmpExt:AIPromptInformation>",
            "<rdf:li xml:lang=\"x-default\">AI-generated picture</rdf:li>",
        ] {
            assert!(packet.contains(expected), "{packet}");
        }
    }

    #[test]
    fn weights_are_named_with_their_licence() {
        assert_eq!(
            weights("U-2-Net", Some("Apache-2.0")),
            "U-2-Net (license of the weights: Apache-2.0)"
        );
        assert_eq!(weights("U-2-Net", None), "U-2-Net");
    }

    #[test]
    fn what_is_not_known_is_not_said_and_long_prompts_end() {
        let bare = Provenance {
            program: "p",
            source: SourceType::Composite,
            system: None,
            prompt: None,
            description: None,
        };
        assert!(!bare.xmp().contains("AISystemUsed") && !bare.xmp().contains("description"));
        let long = "ä".repeat(5_000);
        let packet = Provenance {
            prompt: Some(&long),
            ..bare
        }
        .xmp();
        assert_eq!(packet.matches('ä').count(), PROMPT);
    }
}

//! Quoted text is set in letters on the film.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::edit) enum Kind {
    /// Large, in the centre.
    Title,
    /// Small, at the bottom.
    Subtitle,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::edit) struct Lettering {
    pub(in crate::edit) text: String,
    pub(in crate::edit) kind: Kind,
}

/// The text without what is in double quotes, and the texts to set.
pub(super) fn lettering(text: &str) -> (String, Vec<Lettering>) {
    let mut rest = String::with_capacity(text.len());
    let mut all = Vec::new();
    let mut parts = text.split(['"', '“', '”', '„', '«', '»']).peekable();
    let mut quoted = false;
    while let Some(part) = parts.next() {
        // A quote that never closes is an inch mark.
        if !quoted || parts.peek().is_none() {
            rest.push_str(part);
            rest.push(' ');
            quoted = true;
            continue;
        }
        quoted = false;
        let line: String = part.chars().filter(|c| !c.is_control()).take(120).collect();
        let line = line.trim();
        if line.is_empty() || all.len() >= 4 {
            continue;
        }
        let before = rest.to_lowercase();
        let last = |word: &str| before.rfind(word);
        let subtitle = last("subtitle").max(last("caption")).max(last("lower third"));
        // "Title" is also the end of "subtitle".
        let title = last(" title").max(last("headline"));
        let kind = if subtitle.is_some() && subtitle >= title {
            Kind::Subtitle
        } else {
            Kind::Title
        };
        all.push(Lettering {
            text: line.to_owned(),
            kind,
        });
    }
    (rest, all)
}

//! Times on pages. They are in UTC and say so; scripts show them in the reader's time zone.

use std::fmt;

use askama::filters::HtmlSafe;
use atelier_domain::Timestamp;

use crate::text;

/// A time as HTML.
#[derive(Debug, Clone)]
pub(crate) struct Moment {
    rfc3339: String,
    text: String,
    shown_as: &'static str,
}

impl Moment {
    /// `21 Nov 2026, 09:30:05 UTC`.
    pub(crate) fn new(at: Timestamp) -> Self {
        Self::parse(&at.rfc3339())
    }

    /// The same for a time in RFC 3339.
    pub(crate) fn parse(rfc3339: &str) -> Self {
        Self {
            rfc3339: rfc3339.to_owned(),
            text: text::moment_text(rfc3339),
            shown_as: "moment",
        }
    }

    /// `21 Nov 2026`.
    pub(crate) fn date(at: Timestamp) -> Self {
        Self {
            text: text::date(at),
            shown_as: "date",
            ..Self::new(at)
        }
    }

    /// `5 min ago`, and the date after a week.
    pub(crate) fn ago(at: Timestamp, now: Timestamp) -> Self {
        Self {
            text: text::ago(at, now),
            shown_as: "ago",
            ..Self::new(at)
        }
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (at, shown_as) = (text::escaped(&self.rfc3339), self.shown_as);
        let text = text::escaped(&self.text);
        write!(f, r#"<time datetime="{at}" data-as="{shown_as}">{text}</time>"#)
    }
}

impl HtmlSafe for Moment {}

/// A value of a list of facts: a text or a time.
#[derive(Debug, Clone)]
pub(crate) enum Shown {
    Text(String),
    Moment(Moment),
}

impl From<String> for Shown {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(shown) => f.write_str(&text::escaped(shown)),
            Self::Moment(moment) => moment.fmt(f),
        }
    }
}

impl HtmlSafe for Shown {}

#[cfg(test)]
mod tests {
    use askama::Template;

    use super::*;

    #[derive(Template)]
    #[template(source = "{{ at }} {{ text }}", ext = "html")]
    struct Page {
        at: Moment,
        text: Shown,
    }

    #[test]
    fn a_time_is_markup_for_scripts_and_a_text_in_utc_and_other_texts_are_escaped() {
        let page = Page {
            at: Moment::new(Timestamp(1_795_253_405_000_000)),
            text: "<b>".to_owned().into(),
        };
        assert_eq!(
            page.render().unwrap(),
            "<time datetime=\"2026-11-21T09:30:05.000Z\" data-as=\"moment\">21 Nov 2026, 09:30:05 UTC</time> \
             &lt;b&gt;"
        );
    }
}

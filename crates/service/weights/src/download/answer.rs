//! The answers of servers, and their consequences.

use std::{sync::Mutex, time::Duration};

use base64::Engine as _;
use reqwest::{
    StatusCode,
    header::{CONTENT_LENGTH, CONTENT_RANGE, ETAG, HeaderMap},
};
use url::Url;

use crate::{entry::Pin, error::Error, source::Source};

/// Why a request brought nothing.
#[derive(Debug)]
pub(super) enum Fault {
    /// The same request may succeed later; `wait` is what the server asks for.
    Temporary {
        url: String,
        reason: String,
        wait: Option<Duration>,
    },
    /// The address behind a redirect no longer works; the first one may lead to another.
    Stale { url: String, status: u16 },
    /// The server sends whole files only.
    NoRanges,
    /// This source cannot help.
    Source(Error),
    /// No source can help.
    Local(Error),
}

impl Fault {
    pub(super) fn into_error(self) -> Error {
        match self {
            Self::Temporary { url, reason, .. } => Error::Unreachable { url, reason },
            Self::Stale { url, status } => Error::Source {
                url,
                reason: format!("the server answers with status {status}"),
            },
            Self::NoRanges => Error::Invalid("the server sends whole files only".to_owned()),
            Self::Source(error) | Self::Local(error) => error,
        }
    }
}

/// A URL without its query, which holds signatures.
pub(super) fn shown(url: &Url) -> String {
    let mut url = url.clone();
    url.set_query(None);
    url.into()
}

/// A source whose server has answered.
#[derive(Debug)]
pub(super) struct Remote {
    pub(super) source: Source,
    /// The entry, for messages.
    pub(super) name: String,
    pub(super) pin: Pin,
    /// The address that it begins with.
    pub(super) first: Url,
    /// The address that its redirects led to, while that works.
    pub(super) resolved: Mutex<Option<Url>>,
    /// A strong entity tag: a later range is of the same file only with the same tag.
    pub(super) etag: Option<String>,
}

/// The facts about a file in the answers on the way to it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Facts {
    pub(super) size: Option<u64>,
    pub(super) sha256: Option<String>,
    pub(super) etag: Option<String>,
}

impl Facts {
    /// Reads the headers of one answer on the way. The last one's own length and tag count.
    pub(super) fn read(&mut self, headers: &HeaderMap, status: StatusCode) {
        let text = |name: &str| headers.get(name)?.to_str().ok();
        if let Some(digest) = digest(headers) {
            self.sha256 = Some(digest);
        }
        if let Some(size) = text("x-linked-size").and_then(|size| size.parse().ok()) {
            self.size = Some(size);
        }
        match status {
            StatusCode::OK => {
                let length = text(CONTENT_LENGTH.as_str()).and_then(|length| length.parse().ok());
                self.size = length.or(self.size);
            }
            StatusCode::PARTIAL_CONTENT => {
                let range = text(CONTENT_RANGE.as_str()).and_then(content_range);
                self.size = range.and_then(|range| range.total).or(self.size);
            }
            _ => return,
        }
        self.etag = text(ETAG.as_str())
            .filter(|tag| tag.starts_with('"'))
            .map(str::to_owned);
    }

    /// Whether this can be the file, or why not.
    pub(super) fn compare(&self, pin: &Pin) -> Result<(), String> {
        if let Some(size) = self.size.filter(|size| *size != pin.size) {
            return Err(format!(
                "the file has {size} bytes, but the index says {}",
                pin.size
            ));
        }
        if let Some(found) = self.sha256.as_ref().filter(|found| **found != pin.sha256) {
            return Err(format!(
                "the server says that the file has the SHA-256 {found}, but the index says {}",
                pin.sha256
            ));
        }
        Ok(())
    }
}

/// The SHA-256 that a server announces for the whole file, in one of the ways that are in use.
fn digest(headers: &HeaderMap) -> Option<String> {
    let text = |name: &str| headers.get(name)?.to_str().ok();
    for name in ["x-linked-etag", "x-checksum-sha256"] {
        let value = text(name).map(|value| value.trim_start_matches("W/").trim_matches('"'));
        if let Some(digest) = value.filter(|value| crate::is_digest(value)) {
            return Some(digest.to_owned());
        }
    }
    let fields = text("repr-digest").or_else(|| text("digest"))?;
    let value = fields.split(',').find_map(|field| {
        let (algorithm, value) = field.trim().split_once('=')?;
        algorithm
            .eq_ignore_ascii_case("sha-256")
            .then(|| value.trim_matches(':'))
    })?;
    let bytes = base64::engine::general_purpose::STANDARD.decode(value).ok()?;
    (bytes.len() == 32).then(|| hex::encode(bytes))
}

/// `Content-Range: bytes FROM-LAST/TOTAL`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ContentRange {
    pub(super) from: u64,
    pub(super) total: Option<u64>,
}

pub(super) fn content_range(text: &str) -> Option<ContentRange> {
    let (range, total) = text.strip_prefix("bytes ")?.split_once('/')?;
    Some(ContentRange {
        from: range.split_once('-')?.0.trim().parse().ok()?,
        total: total.trim().parse().ok(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIGEST: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    fn facts(answers: &[(u16, &[(&'static str, &str)])]) -> Facts {
        let mut facts = Facts::default();
        for (status, fields) in answers {
            let headers = fields
                .iter()
                .map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()))
                .collect();
            facts.read(&headers, StatusCode::from_u16(*status).unwrap());
        }
        facts
    }

    #[test]
    fn the_digest_of_the_hub_is_on_its_redirect() {
        let linked = format!("\"{DIGEST}\"");
        let hops: &[(u16, &[(&str, &str)])] = &[
            (
                302,
                &[
                    ("x-linked-etag", &linked),
                    ("x-linked-size", "3"),
                    ("content-length", "900"),
                ],
            ),
            (200, &[("content-length", "3"), ("etag", "\"abc\"")]),
        ];
        let facts = facts(hops);
        assert_eq!(facts.sha256.as_deref(), Some(DIGEST));
        assert_eq!((facts.size, facts.etag.as_deref()), (Some(3), Some("\"abc\"")));
    }

    #[test]
    fn digests_in_base64_are_understood_and_other_tags_are_not_digests() {
        let base64 = "sha-256=:ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=:";
        assert_eq!(
            facts(&[(200, &[("repr-digest", base64)])]).sha256.as_deref(),
            Some(DIGEST)
        );
        let git = "\"440dea96dd4a3b06bbbf5abec3e26569dd7ec49f\"";
        let other = facts(&[(200, &[("x-linked-etag", git), ("etag", "W/\"weak\"")])]);
        assert_eq!((other.sha256, other.etag), (None, None));
    }

    #[test]
    fn a_range_says_where_it_begins_and_how_long_the_file_is() {
        let range = |from, total| Some(ContentRange { from, total });
        assert_eq!(content_range("bytes 5-9/10"), range(5, Some(10)));
        assert_eq!(content_range("bytes 5-9/*"), range(5, None));
        assert_eq!(content_range("bytes */10"), None);
    }
}

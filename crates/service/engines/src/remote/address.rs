//! Addresses: which ones belong to the server, and how they are shown.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use url::Url;

/// Whether a URL carries a user name or a password.
pub(crate) fn has_credentials(url: &Url) -> bool {
    !url.username().is_empty() || url.password().is_some()
}

/// A URL as it may be shown: `***` replaces the user name and the password. Works on text that is not a valid URL, too.
pub(crate) fn masked(text: &str) -> String {
    let Some((scheme, rest)) = text.split_once("://") else {
        return text.to_owned();
    };
    let end = rest.find(['/', '\\', '?', '#']).unwrap_or(rest.len());
    match rest[..end].rfind('@') {
        Some(at) => format!("{scheme}://***{}", &rest[at..]),
        None => text.to_owned(),
    }
}

/// Whether a URL leads to one of these hosts. `host` means the scheme's own port; `host:port` names another.
pub(crate) fn is_at_one_of(url: &Url, hosts: &[String]) -> bool {
    let Some(host) = url.host_str() else { return false };
    let full = match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    };
    hosts.iter().any(|known| known.eq_ignore_ascii_case(&full))
}

/// The characters that stay as they are in a segment. `:` and `,` are common in ids and have no meaning there.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b':')
    .remove(b',');

/// A value as one segment of a path or one value of a query: it cannot add segments, parameters or a host.
pub(crate) fn path_segment(value: &str) -> String {
    utf8_percent_encode(value, SEGMENT).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_in_a_url_are_masked() {
        let table = [
            ("https://user:pass@host/a", "https://***@host/a"),
            ("https://token@host", "https://***@host"),
            ("http://a:b@c@host:8188?x=@", "http://***@host:8188?x=@"),
            ("https://host/a@b", "https://host/a@b"),
            ("not a url", "not a url"),
            ("ftp://u:p@not a host", "ftp://***@not a host"),
        ];
        for (text, expected) in table {
            assert_eq!(masked(text), expected);
        }
    }

    #[test]
    fn a_host_counts_with_its_port() {
        let hosts = ["queue.example".to_owned(), "other.example:8443".to_owned()];
        let table = [
            ("https://queue.example/x", true),
            ("https://QUEUE.example:443/x", true),
            ("https://queue.example:8443/x", false),
            ("https://other.example:8443/x", true),
            ("https://other.example/x", false),
            ("https://evil.queue.example/x", false),
            ("https://queue.example.evil/x", false),
        ];
        for (url, expected) in table {
            assert_eq!(is_at_one_of(&url.parse().unwrap(), &hosts), expected, "{url}");
        }
    }

    #[test]
    fn a_value_stays_within_its_segment() {
        assert_eq!(path_segment("a1-b_c.d~e"), "a1-b_c.d~e");
        assert_eq!(path_segment("../x?y=1#z"), "..%2Fx%3Fy%3D1%23z");
        assert_eq!(path_segment("http://evil/"), "http:%2F%2Fevil%2F");
        assert_eq!(path_segment("é"), "%C3%A9");
    }
}

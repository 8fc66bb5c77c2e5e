//! Answers of several parts (RFC 2046).

/// The boundary that a content type of `multipart/…` names.
pub(super) fn boundary(content_type: &str) -> Option<String> {
    let (kind, parameters) = content_type.split_once(';')?;
    let is_multipart = kind.trim().to_ascii_lowercase().starts_with("multipart/");
    let named = parameters.split(';').find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        let is_boundary = name.trim().eq_ignore_ascii_case("boundary");
        is_boundary.then(|| value.trim().trim_matches('"').to_owned())
    });
    named.filter(|text| is_multipart && !text.is_empty())
}

/// The contents of the parts; `None` if the end is missing or a part has no header.
pub(super) fn parts<'a>(body: &'a [u8], boundary: &str) -> Option<Vec<&'a [u8]>> {
    let delimiter = format!("--{boundary}");
    let between = format!("\r\n--{boundary}");
    let mut rest = body.strip_prefix(delimiter.as_bytes())?;
    let mut parts = Vec::new();
    while !rest.starts_with(b"--") {
        let (part, after) = split(rest, between.as_bytes())?;
        let (_, content) = split(part, b"\r\n\r\n")?;
        parts.push(content);
        rest = after;
    }
    Some(parts)
}

/// Splits bytes at the first place of a text into the parts before and after it.
fn split<'a>(bytes: &'a [u8], text: &[u8]) -> Option<(&'a [u8], &'a [u8])> {
    let at = bytes.windows(text.len()).position(|window| window == text)?;
    Some((&bytes[..at], &bytes[at + text.len()..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_content_type_names_the_boundary_of_its_parts() {
        let table = [
            (
                "multipart/mixed; boundary=ace-batch-boundary",
                Some("ace-batch-boundary"),
            ),
            ("Multipart/Form-Data; charset=x; Boundary=\"a b\"", Some("a b")),
            ("audio/wav; boundary=x", None),
            ("multipart/mixed", None),
        ];
        for (text, expected) in table {
            assert_eq!(boundary(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn parts_are_what_is_between_the_boundaries_whatever_bytes_they_have() {
        let body =
            b"--x\r\nContent-Type: a/b\r\n\r\n\r\n--y\r\n\x00\r\n--x\r\nA: 1\r\nB: 2\r\n\r\n\r\n--x--\r\n";
        let expected: [&[u8]; 2] = [b"\r\n--y\r\n\x00", b""];
        assert_eq!(parts(body, "x"), Some(expected.to_vec()));
        assert_eq!(parts(&body[..body.len() - 8], "x"), None, "its end is missing");
        assert_eq!(parts(b"--x\r\nno header\r\n--x--", "x"), None);
    }
}

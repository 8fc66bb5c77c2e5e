//! Reads a tool's parameters. They are validated and have their defaults; missing ones get the default named here.
//! Numbers may be numbers or, from a list of choices, text.

use serde_json::Value;

use atelier_protocol::{Error, Request};

/// A number in a range.
pub fn number(request: &Request, name: &str, default: f32, from: f32, to: f32) -> Result<f32, Error> {
    let value = match request.params.get(name) {
        None | Some(Value::Null) => return Ok(default),
        Some(Value::String(text)) => text.trim().parse().ok(),
        Some(other) => other.as_f64(),
    };
    match value {
        Some(value) if (f64::from(from)..=f64::from(to)).contains(&value) => Ok(value as f32),
        _ => Err(refused(request, name, &format!("a number from {from} to {to}"))),
    }
}

/// Yes or no.
pub fn flag(request: &Request, name: &str, default: bool) -> Result<bool, Error> {
    match request.params.get(name) {
        None | Some(Value::Null) => Ok(default),
        Some(Value::Bool(value)) => Ok(*value),
        Some(_) => Err(refused(request, name, "true or false")),
    }
}

/// One of a few words; the first is the default.
pub fn choice(request: &Request, name: &str, words: &[&'static str]) -> Result<&'static str, Error> {
    match request.params.get(name) {
        None | Some(Value::Null) => Ok(words[0]),
        Some(value) => words
            .iter()
            .find(|word| value.as_str() == Some(word))
            .copied()
            .ok_or_else(|| refused(request, name, &format!("one of {}", words.join(", ")))),
    }
}

/// Free text without surrounding blanks; nothing if it is empty.
pub fn text<'a>(request: &'a Request, name: &str) -> Option<&'a str> {
    request
        .params
        .get(name)
        .and_then(Value::as_str)
        .map(str::trim)
        .filter(|text| !text.is_empty())
}

/// A colour such as `#ffcc00` or `fc0`, its channels from 0 to 1.
pub fn color(request: &Request, name: &str, default: [f32; 3]) -> Result<[f32; 3], Error> {
    let Some(text) = text(request, name) else {
        return Ok(default);
    };
    hex(text).ok_or_else(|| refused(request, name, "a colour such as #ffcc00"))
}

fn hex(text: &str) -> Option<[f32; 3]> {
    let digits: Vec<u32> = text
        .strip_prefix('#')
        .unwrap_or(text)
        .chars()
        .map(|c| c.to_digit(16))
        .collect::<Option<_>>()?;
    let channel = |high: u32, low: u32| (16 * high + low) as f32 / 255.0;
    match digits[..] {
        [r, g, b] => Some([channel(r, r), channel(g, g), channel(b, b)]),
        [r, s, g, h, b, c] => Some([channel(r, s), channel(g, h), channel(b, c)]),
        _ => None,
    }
}

fn refused(request: &Request, name: &str, expected: &str) -> Error {
    let found = request
        .params
        .get(name)
        .map_or_else(|| "nothing".to_owned(), ToString::to_string);
    Error::InvalidInput(format!("`{name}` must be {expected} (got {found})"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_read_in_both_lengths() {
        assert_eq!(hex("#ff0000"), Some([1.0, 0.0, 0.0]));
        assert_eq!(hex("0f0"), Some([0.0, 1.0, 0.0]));
        assert_eq!(hex("#12345"), None);
        assert_eq!(hex("red"), None);
    }
}

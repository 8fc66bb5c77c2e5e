//! Reads one value of a request: strict types, bounds, lengths, options, the shape of URLs. A valid value is
//! returned in normal form (5.0 as 5, a colour as `#rrggbb`).

use serde_json::{Number, Value};
use url::Url;

use crate::{
    language,
    parameter::{Format, Parameter, ParameterType, number},
    sentence,
};

/// The longest URL that a request may contain.
pub(crate) const MAX_URL_LENGTH: usize = 2_048;

/// The result of reading a value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Reading {
    Value(Value),
    /// An empty text, or an empty list if the list may be absent.
    Empty,
    /// The value is invalid: whole sentences that name the field as the request did.
    Wrong(Vec<String>),
}

impl Reading {
    fn wrong(message: String) -> Self {
        Self::Wrong(vec![message])
    }
}

/// Reads the value that a request gives under `name`, which may be a common name of the parameter.
pub(crate) fn read(parameter: &Parameter, name: &str, value: &Value) -> Reading {
    match parameter.kind {
        ParameterType::Select => read_option(parameter, name, value),
        ParameterType::Number => read_number(parameter, name, value),
        ParameterType::Text | ParameterType::Textarea => read_text(parameter, name, value),
        ParameterType::Boolean => match value {
            Value::Bool(_) => Reading::Value(value.clone()),
            _ => Reading::wrong(format!("`{name}` must be true or false (got {})", shown(value))),
        },
        ParameterType::MultiSelect => read_list(parameter, name, value),
        ParameterType::Url => match read_url(&name, value) {
            Ok(url) => Reading::Value(url),
            Err(message) => Reading::wrong(message),
        },
    }
}

fn read_option(parameter: &Parameter, name: &str, value: &Value) -> Reading {
    let options = parameter.options.as_deref().unwrap_or_default();
    match options.iter().find(|option| same(option, value)) {
        Some(option) => Reading::Value(option.clone()),
        None => Reading::wrong(format!(
            "`{name}` must be one of {} (got {})",
            sentence::list(options.iter().map(sentence::plain)),
            shown(value)
        )),
    }
}

fn read_number(parameter: &Parameter, name: &str, value: &Value) -> Reading {
    let expected = || sentence::number_bounds(parameter);
    let Value::Number(given) = value else {
        return Reading::wrong(format!("`{name}` must be {} (got {})", expected(), shown(value)));
    };
    let amount = given.as_f64().unwrap_or(f64::NAN);
    let below = parameter.min.is_some_and(|min| amount < min);
    let above = parameter.max.is_some_and(|max| amount > max);
    if below || above || !amount.is_finite() || (parameter.integer && amount.fract() != 0.0) {
        return Reading::wrong(format!("`{name}` must be {} (got {})", expected(), shown(value)));
    }
    // A whole number in floating form, such as 5.0 or 5e0, is the integer it equals.
    let whole = given
        .as_i64()
        .map(Number::from)
        .or_else(|| given.as_u64().map(Number::from));
    Reading::Value(Value::Number(whole.unwrap_or_else(|| number(amount))))
}

fn read_text(parameter: &Parameter, name: &str, value: &Value) -> Reading {
    let Value::String(text) = value else {
        return Reading::wrong(format!("`{name}` must be a string (got {})", shown(value)));
    };
    if text.is_empty() {
        return Reading::Empty;
    }
    if parameter.min_length.is_some() || parameter.max_length.is_some() {
        let length = text.chars().count();
        let short = parameter.min_length.is_some_and(|min| length < min);
        let long = parameter.max_length.is_some_and(|max| length > max);
        if short || long {
            return Reading::wrong(format!(
                "`{name}` must have {} (got {})",
                sentence::length_bounds(parameter),
                sentence::grouped(length as u64)
            ));
        }
    }
    match parameter.format {
        None => Reading::Value(value.clone()),
        Some(Format::Language) => match (language::code(text), &parameter.options) {
            (Some(code), None) => Reading::Value(Value::from(code)),
            (Some(code), Some(options)) if options.iter().any(|option| option == code) => {
                Reading::Value(Value::from(code))
            }
            (_, Some(options)) => Reading::wrong(format!(
                "`{name}` must be an ISO 639-1 language code, one of {} (got {})",
                sentence::list(options.iter().map(sentence::plain)),
                shown(value)
            )),
            (None, None) => Reading::wrong(format!(
                "`{name}` must be an ISO 639-1 language code such as en, de or zh (got {})",
                shown(value)
            )),
        },
        Some(Format::Color) => match color(text) {
            Some(color) => Reading::Value(Value::from(color)),
            None => Reading::wrong(format!(
                "`{name}` must be a hex colour such as #ff8800 (got {})",
                shown(value)
            )),
        },
    }
}

fn read_list(parameter: &Parameter, name: &str, value: &Value) -> Reading {
    let Value::Array(items) = value else {
        let what = if parameter.is_file() {
            "a list of URLs"
        } else {
            "a list"
        };
        return Reading::wrong(format!("`{name}` must be {what} (got {})", shown(value)));
    };
    if items.is_empty() && parameter.min_items.unwrap_or(0) == 0 {
        return Reading::Empty;
    }
    let few = parameter.min_items.is_some_and(|min| items.len() < min);
    let many = parameter.max_items.is_some_and(|max| items.len() > max);
    if few || many {
        return Reading::wrong(format!(
            "`{name}` must have {} (got {})",
            sentence::item_bounds(parameter),
            if items.is_empty() {
                "none".to_owned()
            } else {
                items.len().to_string()
            }
        ));
    }
    let mut read = Vec::with_capacity(items.len());
    let mut wrong = Vec::new();
    for (index, item) in items.iter().enumerate() {
        if parameter.is_file() {
            match read_url(&format_args!("{name}[{index}]"), item) {
                Ok(url) => read.push(url),
                Err(message) => wrong.push(message),
            }
            continue;
        }
        match read_option(parameter, &format!("{name}[{index}]"), item) {
            Reading::Value(option) => read.push(option),
            Reading::Empty => {}
            Reading::Wrong(messages) => wrong.extend(messages),
        }
    }
    if wrong.is_empty() {
        Reading::Value(Value::Array(read))
    } else {
        Reading::Wrong(wrong)
    }
}

pub(crate) fn read_url(name: &dyn std::fmt::Display, value: &Value) -> Result<Value, String> {
    let Value::String(text) = value else {
        return Err(format!("`{name}` must be a URL string (got {})", shown(value)));
    };
    if text.chars().count() > MAX_URL_LENGTH {
        return Err(format!(
            "`{name}` must be a URL of at most {} characters (got {})",
            sentence::grouped(MAX_URL_LENGTH as u64),
            sentence::grouped(text.chars().count() as u64)
        ));
    }
    if is_web_url(text) {
        return Ok(value.clone());
    }
    Err(format!(
        "`{name}` must be an absolute http or https URL (got {})",
        shown(value)
    ))
}

/// Checks the shape before parsing: the URL parser is more lenient than a contract should be (it repairs
/// blanks and missing slashes).
fn is_web_url(text: &str) -> bool {
    let has = |prefix: &str| {
        text.get(..prefix.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(prefix))
    };
    (has("http://") || has("https://"))
        && !text.contains(|letter: char| letter.is_whitespace() || letter.is_control() || letter == '\\')
        && !text[text.find("//").map_or(0, |at| at + 2)..].starts_with(['/', '?', '#'])
        && Url::parse(text).is_ok()
}

/// Normalises `#abc`, `abc`, `#aabbcc` or `aabbcc` to `#aabbcc`.
fn color(text: &str) -> Option<String> {
    let digits = text.strip_prefix('#').unwrap_or(text);
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let lower = digits.to_ascii_lowercase();
    match lower.len() {
        6 => Some(format!("#{lower}")),
        3 => Some(lower.chars().fold(String::from("#"), |color, digit| {
            color + &String::from_iter([digit, digit])
        })),
        _ => None,
    }
}

/// Whether two values are equal, with 2 and 2.0 as the same number.
pub(crate) fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left == right || left.as_f64() == right.as_f64(),
        _ => left == right,
    }
}

/// A value as a message shows it: a long one is cut.
pub(crate) fn shown(value: &Value) -> String {
    const ENOUGH: usize = 60;
    let text = match value {
        Value::Array(items) if items.len() > 3 => return format!("a list of {}", items.len()),
        // Escaping a long text in full would be wasted.
        Value::String(text) if text.len() > 8 * ENOUGH => {
            Value::from(text.chars().take(2 * ENOUGH).collect::<String>()).to_string()
        }
        _ => value.to_string(),
    };
    if text.chars().count() <= ENOUGH {
        text
    } else {
        format!("{}…", text.chars().take(ENOUGH).collect::<String>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_absolute_and_http_or_https() {
        for good in [
            "http://a",
            "https://media.example/x.png?y=1#z",
            "HTTPS://EXAMPLE.COM/",
            "http://[::1]:80/a",
        ] {
            assert!(is_web_url(good), "{good}");
        }
        let wrong = [
            "",
            "a",
            "/a",
            "ftp://a/b",
            "http:a",
            "http:/a",
            "http://",
            "https:///a",
            "http://a b",
            " http://a",
            "http://a\n",
            "data:image/png;base64,AA",
            "http://[::1",
            "//a/b",
            "http:\\\\a",
            "http://a:99999/",
        ];
        for text in wrong {
            assert!(!is_web_url(text), "{text}");
        }
    }

    #[test]
    fn a_color_is_three_or_six_hex_digits() {
        assert_eq!(color("#FA0").as_deref(), Some("#ffaa00"));
        assert_eq!(color("00ff7F").as_deref(), Some("#00ff7f"));
        for wrong in ["", "#", "#ff", "#ffff", "#ggg", "##fff", "red", "#ffaa00ff"] {
            assert_eq!(color(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn long_values_are_cut_in_messages() {
        assert_eq!(shown(&Value::from("x")), "\"x\"");
        assert_eq!(shown(&Value::from("é".repeat(1_000))).chars().count(), 61);
        assert_eq!(shown(&Value::from(vec![1, 2, 3, 4])), "a list of 4");
    }
}

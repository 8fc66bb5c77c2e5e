//! Reads the JSON object of a request, without duplicate keys: parsers disagree about which of two duplicates counts.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Reads a body: a JSON object, in which no object has the same key twice.
pub fn parse_body(bytes: &[u8]) -> Result<Map<String, Value>, String> {
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let value = Strict
        .deserialize(&mut deserializer)
        .and_then(|value| deserializer.end().map(|()| value))
        .map_err(|error| format!("the body is not valid JSON: {error}"))?;
    match value {
        Value::Object(fields) => Ok(fields),
        _ => Err("the body must be a JSON object".to_owned()),
    }
}

/// Reads a JSON value in which no object has the same key twice.
struct Strict;

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = items.next_element_seed(Strict)? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            if map.contains_key(&key) {
                return Err(A::Error::custom(format_args!(
                    "the key {key:?} appears twice in one object"
                )));
            }
            let value = entries.next_value_seed(Strict)?;
            map.insert(key, value);
        }
        Ok(Value::Object(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_is_read_as_serde_json_reads_it() {
        let text = br#" {"a": [1, -2, 0.5, "x", null, true], "b": {"c": 18446744073709551615}} "#;
        let expected: Value = serde_json::from_slice(text).unwrap();
        assert_eq!(Value::Object(parse_body(text).unwrap()), expected);
    }

    #[test]
    fn the_error_says_why_a_body_is_not_an_object() {
        for (body, message) in [
            (r#"{"a": 1, "a": 1}"#, "twice"),
            (r#"{"p": {"a": 1, "a": 2}}"#, "twice"),
            ("[]", "must be a JSON object"),
            ("", "not valid JSON"),
            ("{", "not valid JSON"),
            ("{} x", "not valid JSON"),
            (&"[".repeat(100_000), "recursion"),
        ] {
            let error = parse_body(body.as_bytes()).unwrap_err();
            assert!(error.contains(message), "{error}");
        }
        assert!(parse_body(b"{\"a\": \"\xff\"}").is_err());
    }
}

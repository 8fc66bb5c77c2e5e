//! Reads a JSON object of limited size, with the right content type and without duplicate keys. Parsers disagree
//! about which of two duplicates counts.

use std::fmt;

use atelier_app::Error;
use axum::{
    body::{Body, Bytes},
    extract::{FromRequest, Request},
    http::{HeaderMap, header},
};
use bytes::BytesMut;
use futures::StreamExt as _;
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use crate::error::ApiError;

const MAX_BYTES: usize = 1 << 20;
/// A body that is too large is still read up to this limit, so that the client sees the answer instead of a broken
/// connection.
pub(crate) const MAX_DRAINED: usize = 64 << 20;

/// A JSON object and the bytes it was read from.
#[derive(Debug)]
pub(crate) struct JsonObject {
    pub(crate) fields: Map<String, Value>,
    pub(crate) bytes: Bytes,
}

impl<S: Sync> FromRequest<S> for JsonObject {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Self, Self::Rejection> {
        let is_json = is_json(request.headers());
        let bytes = read(request.into_body()).await?;
        if !is_json {
            return Err(
                Error::invalid("the body must be JSON, sent with `Content-Type: application/json`").into(),
            );
        }
        let fields = parse(&bytes).map_err(Error::invalid)?;
        Ok(Self { fields, bytes })
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let Some(Ok(content_type)) = headers.get(header::CONTENT_TYPE).map(|value| value.to_str()) else {
        return false;
    };
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("application/json")
}

async fn read(body: Body) -> Result<Bytes, ApiError> {
    let mut stream = body.into_data_stream();
    let mut bytes = BytesMut::new();
    let mut seen = 0;
    while let Some(chunk) = stream.next().await {
        let chunk =
            chunk.map_err(|error| ApiError::broken_body(&error, "the body ended before it was complete"))?;
        seen += chunk.len();
        if seen <= MAX_BYTES {
            bytes.extend_from_slice(&chunk);
        } else if seen > MAX_DRAINED {
            break;
        }
    }
    if seen > MAX_BYTES {
        return Err(Error::TooLarge(format!("the body is larger than {MAX_BYTES} bytes (1 MiB)")).into());
    }
    Ok(bytes.freeze())
}

fn parse(bytes: &[u8]) -> Result<Map<String, Value>, String> {
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
        assert_eq!(Value::Object(parse(text).unwrap()), expected);
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
            let error = parse(body.as_bytes()).unwrap_err();
            assert!(error.contains(message), "{error}");
        }
        assert!(parse(b"{\"a\": \"\xff\"}").is_err());
    }
}

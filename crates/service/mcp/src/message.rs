//! JSON-RPC 2.0: messages as they come, and answers.

use serde_json::{Map, Value, json};

pub const PARSE_ERROR: i64 = -32700;
pub const INVALID_REQUEST: i64 = -32600;
pub(crate) const METHOD_NOT_FOUND: i64 = -32601;
pub(crate) const INVALID_PARAMS: i64 = -32602;
pub(crate) const RESOURCE_NOT_FOUND: i64 = -32002;
pub(crate) const HEADER_MISMATCH: i64 = -32020;
pub(crate) const UNSUPPORTED_VERSION: i64 = -32022;

/// A message from a client.
#[derive(Debug, Clone)]
pub enum Message {
    Request {
        id: Value,
        method: String,
        params: Map<String, Value>,
    },
    Notification {
        method: String,
        params: Map<String, Value>,
    },
    /// An answer, which nothing here has asked for.
    Answer,
}

impl Message {
    /// Reads a message. `Err` is the answer to one that cannot be read.
    pub fn parse(bytes: &[u8]) -> Result<Self, Value> {
        let value: Value = serde_json::from_slice(bytes).map_err(|error| {
            failure(
                &Value::Null,
                &Failed::new(PARSE_ERROR, format!("not JSON: {error}")),
            )
        })?;
        let invalid =
            |id: &Value, message: &str| failure(id, &Failed::new(INVALID_REQUEST, message.to_owned()));
        let Value::Object(mut fields) = value else {
            return Err(invalid(
                &Value::Null,
                "a message must be one object; batches are not supported",
            ));
        };
        let id = fields.remove("id");
        if id.is_some() && (fields.contains_key("result") || fields.contains_key("error")) {
            return Ok(Self::Answer);
        }
        let named = match &id {
            Some(id @ (Value::String(_) | Value::Number(_))) => id.clone(),
            _ => Value::Null,
        };
        if fields.get("jsonrpc") != Some(&Value::from("2.0")) {
            return Err(invalid(&named, "`jsonrpc` must be \"2.0\""));
        }
        let Some(Value::String(method)) = fields.remove("method") else {
            return Err(invalid(&named, "`method` must be a string"));
        };
        let params = match fields.remove("params") {
            None => Map::new(),
            Some(Value::Object(params)) => params,
            Some(_) => return Err(invalid(&named, "`params` must be an object")),
        };
        match id {
            None => Ok(Self::Notification { method, params }),
            Some(_) if named.is_null() => Err(invalid(&named, "`id` must be a string or a number")),
            Some(id) => Ok(Self::Request { id, method, params }),
        }
    }

    /// The request that a notification cancels.
    pub fn cancels(&self) -> Option<&Value> {
        match self {
            Self::Notification { method, params } if method == "notifications/cancelled" => {
                params.get("requestId")
            }
            _ => None,
        }
    }
}

/// An error of the protocol. The refusal of a tool is a result instead, because models read results.
#[derive(Debug, Clone)]
pub struct Failed {
    pub code: i64,
    pub message: String,
    pub data: Option<Value>,
}

impl Failed {
    pub fn new(code: i64, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            data: None,
        }
    }

    /// The status of an answer that is only this, in the versions without sessions.
    pub const fn status(&self) -> u16 {
        match self.code {
            METHOD_NOT_FOUND => 404,
            PARSE_ERROR | INVALID_REQUEST | INVALID_PARAMS | HEADER_MISMATCH | UNSUPPORTED_VERSION => 400,
            _ => 200,
        }
    }
}

/// An error as an answer.
pub fn failure(id: &Value, failed: &Failed) -> Value {
    let mut error = json!({ "code": failed.code, "message": failed.message });
    if let Some(data) = &failed.data {
        error["data"] = data.clone();
    }
    json!({ "jsonrpc": "2.0", "id": id, "error": error })
}

pub(crate) fn success(id: &Value, result: Value) -> Value {
    let mut answer = json!({ "jsonrpc": "2.0", "id": id });
    answer["result"] = result;
    answer
}

pub(crate) fn notification(method: &str, params: Value) -> Value {
    let mut message = json!({ "jsonrpc": "2.0", "method": method });
    message["params"] = params;
    message
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_told_apart() {
        let parse = |text: &str| Message::parse(text.as_bytes());
        assert!(matches!(
            parse(r#"{"jsonrpc":"2.0","id":"a","method":"ping"}"#),
            Ok(Message::Request { id, method, .. }) if id == "a" && method == "ping"
        ));
        let cancelled =
            parse(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}"#);
        assert_eq!(cancelled.unwrap().cancels(), Some(&json!(3)));
        assert!(matches!(
            parse(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#),
            Ok(Message::Answer)
        ));
    }

    #[test]
    fn what_cannot_be_read_is_answered_with_its_id() {
        for (text, code, id) in [
            ("{", PARSE_ERROR, Value::Null),
            ("[]", INVALID_REQUEST, Value::Null),
            (r#"{"jsonrpc":"2.0","id":4}"#, INVALID_REQUEST, json!(4)),
            (r#"{"id":4,"method":"ping"}"#, INVALID_REQUEST, json!(4)),
            (
                r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
                INVALID_REQUEST,
                Value::Null,
            ),
            (
                r#"{"jsonrpc":"2.0","id":4,"method":"ping","params":[]}"#,
                INVALID_REQUEST,
                json!(4),
            ),
        ] {
            let answer = Message::parse(text.as_bytes()).unwrap_err();
            assert_eq!(
                (&answer["error"]["code"], &answer["id"]),
                (&json!(code), &id),
                "{text}"
            );
        }
    }
}

//! The versions of the protocol, and the methods.
//!
//! Until 2025-11-25 a connection begins with `initialize`. Since 2026-07-28 every request says its version in `_meta`,
//! and its results say how long they may be kept.

use serde_json::{Map, Value, json};

use crate::{
    Exchange, Refused, Service, generate,
    message::{
        Failed, HEADER_MISMATCH, INVALID_PARAMS, METHOD_NOT_FOUND, RESOURCE_NOT_FOUND, UNSUPPORTED_VERSION,
        failure, success,
    },
    resources, tools,
};

/// Every supported version, oldest first.
pub const VERSIONS: [&str; 5] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", MODERN];
/// The version whose requests stand alone.
const MODERN: &str = "2026-07-28";
/// The newest version that begins with `initialize`.
const NEWEST_WITH_HANDSHAKE: &str = "2025-11-25";

const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES_KEY: &str = "io.modelcontextprotocol/clientCapabilities";

const INSTRUCTIONS: &str = "Makes pictures, videos, speech, music and sounds. Find a model with list_models, read its \
    fields and price with describe_model, then call generate. Inputs are URLs: upload stores files and returns theirs. \
    Every job costs credits; balance shows how many are left.";

/// A request whose envelope is in order.
#[derive(Debug, Clone)]
pub struct Request {
    id: Value,
    method: String,
    params: Map<String, Value>,
    modern: bool,
}

impl Request {
    /// Checks what comes with a request. `Err` is the answer.
    pub fn new(id: Value, method: String, params: Map<String, Value>) -> Result<Self, (Failed, Value)> {
        let request = Self {
            modern: false,
            id,
            method,
            params,
        };
        let refused = |failed: Failed| {
            let answer = failure(&request.id, &failed);
            (failed, answer)
        };
        let meta = request.params.get("_meta");
        let version = meta.and_then(|meta| meta.get(VERSION_KEY));
        let modern = match version {
            None if request.method == "server/discover" => {
                let message = format!("`params._meta` must have `{VERSION_KEY}`");
                return Err(refused(Failed::new(INVALID_PARAMS, message)));
            }
            None => false,
            Some(Value::String(version)) if version == MODERN => true,
            Some(Value::String(version)) => {
                let failed = Failed {
                    data: Some(json!({ "supported": [MODERN], "requested": version })),
                    ..Failed::new(UNSUPPORTED_VERSION, "unsupported protocol version")
                };
                return Err(refused(failed));
            }
            Some(_) => {
                let message = format!("`{VERSION_KEY}` must be a string");
                return Err(refused(Failed::new(INVALID_PARAMS, message)));
            }
        };
        if modern && !meta.is_some_and(|meta| meta[CAPABILITIES_KEY].is_object()) {
            let message = format!("`params._meta` must have `{CAPABILITIES_KEY}`");
            return Err(refused(Failed::new(INVALID_PARAMS, message)));
        }
        Ok(Self { modern, ..request })
    }

    pub const fn id(&self) -> &Value {
        &self.id
    }

    /// Whether the request stands alone, so that its end is the end of the connection that carries it.
    pub const fn stands_alone(&self) -> bool {
        self.modern
    }

    pub fn is_initialize(&self) -> bool {
        self.method == "initialize"
    }

    /// Whether the answer may take long, or notifications come before it.
    pub fn takes_time(&self) -> bool {
        self.method == "tools/call" && tools::takes_time(&self.params)
    }

    /// Whether the answer is about a job that the request creates.
    pub fn creates_a_job(&self) -> bool {
        self.method == "tools/call" && tools::creates_a_job(&self.params)
    }

    /// Compares the headers that repeat what the message says. `Err` is the answer.
    pub fn check_headers(
        &self,
        version: Option<&str>,
        method: Option<&str>,
        name: Option<&str>,
    ) -> Result<(), (Failed, Value)> {
        let refused = |message: &str| {
            let failed = Failed::new(HEADER_MISMATCH, message.to_owned());
            let answer = failure(&self.id, &failed);
            Err((failed, answer))
        };
        if !self.modern {
            return match version {
                Some(version) if !VERSIONS.contains(&version) => {
                    let failed = Failed {
                        data: Some(json!({ "supported": VERSIONS, "requested": version })),
                        ..Failed::new(UNSUPPORTED_VERSION, "unsupported `MCP-Protocol-Version`")
                    };
                    let answer = failure(&self.id, &failed);
                    Err((failed, answer))
                }
                _ => Ok(()),
            };
        }
        if version != Some(MODERN) {
            return refused("the header `MCP-Protocol-Version` does not match the message");
        }
        if method != Some(&self.method) {
            return refused("the header `Mcp-Method` does not match the message");
        }
        let named = match self.method.as_str() {
            "tools/call" => self.params.get("name"),
            "resources/read" => self.params.get("uri"),
            _ => None,
        };
        match named.and_then(Value::as_str) {
            Some(named) if name.map(decoded).as_deref() != Some(named) => {
                refused("the header `Mcp-Name` does not match the message")
            }
            _ => Ok(()),
        }
    }

    /// Answers the request: with a result or an error of the protocol. `None` if the client gave up.
    pub async fn answer(
        self,
        service: &dyn Service,
        exchange: Exchange,
    ) -> Option<Result<Value, (Failed, Value)>> {
        let result = match self.method.as_str() {
            "initialize" if !self.modern => Ok(initialize(&self.params)),
            "server/discover" if self.modern => Ok(self.kept(discover(), 3_600_000, "public")),
            "ping" if !self.modern => Ok(json!({})),
            "tools/list" => self.list_tools(service).await,
            "tools/call" => match tools::call(service, &self.params, &exchange).await {
                Ok(Some(result)) => Ok(self.complete(result)),
                Ok(None) => return None,
                Err(failed) => Err(failed),
            },
            "resources/list" => match resources::list(service, &self.params).await {
                Ok(result) => Ok(self.kept(result, 0, "private")),
                Err(refused) => Err(protocol_error(&refused)),
            },
            "resources/templates/list" => Ok(self.kept(resources::templates(), 3_600_000, "public")),
            "resources/read" => match resources::read(service, &self.params).await {
                Ok(Some(result)) => Ok(self.kept(result, 0, "private")),
                Ok(None) => Err(self.no_resource()),
                Err(refused) => Err(protocol_error(&refused)),
            },
            _ => {
                let message = format!("unknown method `{}`", generate::clip(&self.method, 100));
                Err(Failed::new(METHOD_NOT_FOUND, message))
            }
        };
        Some(match result {
            Ok(result) => Ok(success(&self.id, result)),
            Err(failed) => {
                let answer = failure(&self.id, &failed);
                Err((failed, answer))
            }
        })
    }

    async fn list_tools(&self, service: &dyn Service) -> Result<Value, Failed> {
        let models = service
            .models()
            .await
            .map_err(|refused| protocol_error(&refused))?;
        let tools = json!({ "tools": tools::all(&models, service.reads_paths()) });
        // The operator may add models at any time.
        Ok(self.kept(tools, 60_000, "private"))
    }

    fn no_resource(&self) -> Failed {
        let code = if self.modern {
            INVALID_PARAMS
        } else {
            RESOURCE_NOT_FOUND
        };
        Failed {
            data: self.params.get("uri").map(|uri| json!({ "uri": uri })),
            ..Failed::new(code, "unknown resource")
        }
    }

    /// Adds what results have since requests stand alone.
    fn complete(&self, mut result: Value) -> Value {
        if self.modern {
            result["resultType"] = "complete".into();
        }
        result
    }

    fn kept(&self, result: Value, milliseconds: u32, scope: &str) -> Value {
        let mut result = self.complete(result);
        if self.modern {
            result["ttlMs"] = milliseconds.into();
            result["cacheScope"] = scope.into();
        }
        result
    }
}

fn protocol_error(refused: &Refused) -> Failed {
    const INTERNAL: i64 = -32603;
    let code = match refused.code.as_str() {
        "invalid_request" | "not_found" => INVALID_PARAMS,
        _ => INTERNAL,
    };
    Failed {
        data: Some(json!({ "code": refused.code })),
        ..Failed::new(code, refused.message.clone())
    }
}

fn server() -> Value {
    json!({ "name": "atelier", "title": "atelier", "version": env!("CARGO_PKG_VERSION") })
}

fn capabilities() -> Value {
    json!({ "tools": {}, "resources": {} })
}

fn initialize(params: &Map<String, Value>) -> Value {
    let asked = params.get("protocolVersion").and_then(Value::as_str);
    let known = VERSIONS.iter().filter(|version| **version != MODERN);
    let version = known.copied().find(|version| asked == Some(*version));
    json!({
        "protocolVersion": version.unwrap_or(NEWEST_WITH_HANDSHAKE),
        "capabilities": capabilities(),
        "serverInfo": server(),
        "instructions": INSTRUCTIONS,
    })
}

fn discover() -> Value {
    json!({
        "supportedVersions": [MODERN],
        "capabilities": capabilities(),
        "instructions": INSTRUCTIONS,
        "_meta": { "io.modelcontextprotocol/serverInfo": server() },
    })
}

/// A header's value, which is `=?base64?…?=` if it has other characters than visible ASCII.
fn decoded(value: &str) -> String {
    use base64::{Engine as _, engine::general_purpose::STANDARD};
    let inner = value
        .strip_prefix("=?base64?")
        .and_then(|rest| rest.strip_suffix("?="));
    let Some(inner) = inner else {
        return value.to_owned();
    };
    let bytes = STANDARD.decode(inner).unwrap_or_default();
    String::from_utf8(bytes).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(method: &str, params: &Value) -> Result<Request, (Failed, Value)> {
        Request::new(json!(1), method.to_owned(), params.as_object().unwrap().clone())
    }

    fn meta(version: &str) -> Value {
        json!({ "_meta": { VERSION_KEY: version, CAPABILITIES_KEY: {} }, "name": "balance" })
    }

    #[test]
    fn a_version_that_is_not_known_is_answered_with_one_that_is() {
        let version = |asked: &str| {
            let params = json!({ "protocolVersion": asked });
            initialize(params.as_object().unwrap())["protocolVersion"].clone()
        };
        assert_eq!(version("2025-06-18"), "2025-06-18");
        assert_eq!(version("2031-01-01"), NEWEST_WITH_HANDSHAKE);
        assert_eq!(version(MODERN), NEWEST_WITH_HANDSHAKE);
        let (failed, answer) = request("tools/list", &meta("2031-01-01")).unwrap_err();
        assert_eq!((failed.code, failed.status()), (UNSUPPORTED_VERSION, 400));
        assert_eq!(
            answer["error"]["data"],
            json!({ "supported": [MODERN], "requested": "2031-01-01" })
        );
    }

    #[test]
    fn headers_must_say_what_the_message_says() {
        let call = request("tools/call", &meta(MODERN)).unwrap();
        let code = |version, method, name| {
            call.check_headers(version, method, name)
                .err()
                .map(|(failed, _)| failed.code)
        };
        let version = Some(MODERN);
        assert_eq!(code(version, Some("tools/call"), Some("balance")), None);
        assert_eq!(
            code(version, Some("tools/call"), Some("=?base64?YmFsYW5jZQ==?=")),
            None
        );
        for (version, method, name) in [
            (None, Some("tools/call"), Some("balance")),
            (Some("2025-11-25"), Some("tools/call"), Some("balance")),
            (version, Some("tools/list"), Some("balance")),
            (version, Some("tools/call"), Some("generate")),
            (version, Some("tools/call"), None),
        ] {
            assert_eq!(
                code(version, method, name),
                Some(HEADER_MISMATCH),
                "{version:?} {method:?} {name:?}"
            );
        }
        let older = request("tools/list", &json!({})).unwrap();
        assert!(older.check_headers(None, None, None).is_ok());
        assert!(older.check_headers(Some("1999-01-01"), None, None).is_err());
    }
}

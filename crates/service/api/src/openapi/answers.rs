//! The common parts of all operations: the answers to requests that fail, the headers of every answer, examples, and
//! references in place of copies.

use serde_json::{Map, Value, json};

use super::models::reference;

/// By operation: `request` and `response`, as they are on the wire.
const EXAMPLES: &str = include_str!("examples.json");

/// The codes of refused requests, each with a message. The error table is [`crate::error`].
const REFUSALS: [(&str, &str); 7] = [
    (
        "invalid_api_key",
        "the API key is missing, malformed, unknown or revoked",
    ),
    ("api_disabled", "the account has no active plan: ask the operator"),
    ("invalid_request", "`n` must be between 1 and 15 (got 20)"),
    (
        "insufficient_credits",
        "the job is estimated at 12 credits and the account has 4 left",
    ),
    (
        "not_found",
        "unknown model or tool `image-gen-9`; did you mean `image-gen-4`? GET /models lists all",
    ),
    (
        "rate_limit",
        "too many requests: wait 3 s and try again, with exponential backoff",
    ),
    (
        "queue_full",
        "the queue of the account is full: its limit `max_queued` is 20 jobs; wait until some of them have started, \
         or ask the operator for a higher limit",
    ),
];
const FAULTS: [(&str, &str); 2] = [
    (
        "internal_error",
        "an internal error occurred; try again, and report the request id if it happens again",
    ),
    ("unavailable", "the service is busy: try again shortly"),
];

pub(super) fn complete(document: &mut Value) {
    let examples: Value = serde_json::from_str(EXAMPLES).expect("examples.json is valid");
    document["components"]["examples"] = [&REFUSALS[..], &FAULTS]
        .concat()
        .into_iter()
        .map(|(code, message)| (code.to_owned(), failure(code, message)))
        .collect::<Map<_, _>>()
        .into();
    document["components"]["headers"] = json!({
        "X-Request-Id": {
            "description": "The id of the request, as the log of the service has it.",
            "schema": { "type": "string" }
        },
        "RateLimit": {
            "description": "What is left of the rate limit: `r` requests, all of them again in `t` seconds.",
            "schema": { "type": "string" },
            "example": "\"generations\";r=19;t=3"
        },
        "Retry-After": {
            "description": "Seconds to wait, with 429 and 503.",
            "schema": { "type": "integer" },
            "example": 3
        }
    });
    let paths = document["paths"].as_object_mut();
    let operations = paths
        .into_iter()
        .flat_map(Map::values_mut)
        .filter_map(Value::as_object_mut)
        .flat_map(Map::values_mut);
    for operation in operations {
        let given = examples[operation["operationId"].as_str().unwrap_or_default()].clone();
        answer(operation, &given);
    }
    unfold_envelopes(document);
}

/// Completes the answers of one operation.
fn answer(operation: &mut Value, examples: &Value) {
    if let Some(example) = examples.get("request") {
        operation["requestBody"]["content"]["application/json"]["example"] = example.clone();
    }
    let header = |name: &str| json!({ "$ref": format!("#/components/headers/{name}") });
    for answer in operation["responses"]
        .as_object_mut()
        .into_iter()
        .flat_map(Map::values_mut)
    {
        answer["headers"]["X-Request-Id"] = header("X-Request-Id");
        answer["headers"]["RateLimit"] = header("RateLimit");
        if let Some(content) = answer.pointer_mut("/content/application~1json")
            && let Some(example) = examples.get("response")
        {
            content["example"] = example.clone();
        }
    }
    let refusal = |description: &str, codes: &[(&str, &str)]| {
        let named = codes
            .iter()
            .map(|(code, _)| {
                (
                    (*code).to_owned(),
                    json!({ "$ref": format!("#/components/examples/{code}") }),
                )
            })
            .collect::<Map<_, _>>();
        json!({
            "description": description,
            "headers": { "X-Request-Id": header("X-Request-Id"), "Retry-After": header("Retry-After") },
            "content": { "application/json": { "schema": { "$ref": reference("ErrorBody") }, "examples": named } }
        })
    };
    operation["responses"]["4XX"] = refusal("The request was refused; `error.code` says why.", &REFUSALS);
    operation["responses"]["5XX"] = refusal("The service failed or is busy; see `error.code`.", &FAULTS);
}

fn failure(code: &str, message: &str) -> Value {
    json!({
        "summary": code,
        "value": { "success": false, "error": { "code": code, "message": message } }
    })
}

/// The envelopes `Data_…` and `List_…` have copies of their contents; clients want one type for each resource.
fn unfold_envelopes(document: &mut Value) {
    let Some(schemas) = document["components"]["schemas"].as_object_mut() else {
        return;
    };
    let names: Vec<String> = schemas.keys().cloned().collect();
    for name in names {
        if let Some(inner) = name
            .strip_prefix("Data_")
            .filter(|inner| schemas.contains_key(*inner))
        {
            schemas[&name]["properties"]["data"] = json!({ "$ref": reference(inner) });
        }
        if let Some(inner) = name
            .strip_prefix("List_")
            .filter(|inner| schemas.contains_key(*inner))
        {
            schemas[&name]["properties"]["data"]["items"] = json!({ "$ref": reference(inner) });
        }
    }
}

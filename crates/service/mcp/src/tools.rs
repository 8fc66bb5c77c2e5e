//! The tools: what they are called, which arguments they take, and what they answer.

use std::time::Duration;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Map, Value, json};

use crate::{
    Exchange, Refused, Result, Service, Upload, generate,
    message::{Failed, INVALID_PARAMS},
};

/// How long `generate` waits if nothing is said: common clients give up after a minute, which cancels the job.
const WAIT_SECONDS: u64 = 50;
const LONGEST_WAIT_SECONDS: u64 = 600;

/// Every tool, as `tools/list` shows it. `models` are those that are served.
pub(crate) fn all(models: &[Value], reads_paths: bool) -> Vec<Value> {
    let read_only = json!({ "readOnlyHint": true, "openWorldHint": false });
    let making = json!({ "readOnlyHint": false, "destructiveHint": false, "openWorldHint": false });
    vec![
        json!({
            "name": "list_models",
            "title": "List models",
            "description": "Lists the models and tools that are served, with a line on each. `draft` marks those \
                whose results are sketches, made without a trained model.",
            "inputSchema": object(&json!({
                "type": {
                    "type": "string",
                    "enum": ["image", "video", "audio", "tool"],
                    "description": "Only models of this type.",
                },
                "query": { "type": "string", "description": "Words to find in the name or description." },
            }), &[]),
            "annotations": read_only,
        }),
        json!({
            "name": "describe_model",
            "title": "Describe a model",
            "description": "Shows what a model takes: the JSON Schema of its `params`, the rules between them, and \
                the price.",
            "inputSchema": object(&json!({ "model": slug(models) }), &["model"]),
            "annotations": read_only,
        }),
        json!({
            "name": "generate",
            "title": "Generate media",
            "description": format!("Makes pictures, a video or sound, and costs credits. Answers with links to the \
                files and a small preview. If the job takes longer than `wait_seconds`, the answer has its `id` and \
                the status `processing`: call get_generation then."),
            "inputSchema": fields_of_generate(models),
            "annotations": making,
        }),
        json!({
            "name": "get_generation",
            "title": "Get a generation",
            "description": "Shows a job that `generate` began: its status, progress, files and cost.",
            "inputSchema": object(&json!({
                "id": { "type": "string", "description": "The job's id." },
                "wait_seconds": wait(0),
            }), &["id"]),
            "annotations": read_only,
        }),
        upload(&making, reads_paths),
        json!({
            "name": "balance",
            "title": "Show the balance",
            "description": "Shows the credits that the account can still spend.",
            "inputSchema": object(&json!({}), &[]),
            "annotations": read_only,
        }),
    ]
}

fn upload(making: &Value, reads_paths: bool) -> Value {
    let data = json!({ "type": "string", "contentEncoding": "base64", "description": "The file in base64." });
    let (description, schema) = if reads_paths {
        let fields = json!({
            "path": { "type": "string", "description": "The path of a file on this machine." },
            "data": data,
        });
        let description = "Stores a picture, video or sound, and returns the URL that names it in other calls. Takes \
            a path or the file itself.";
        (description, object(&fields, &[]))
    } else {
        let description = "Stores a picture, video or sound, and returns the URL that names it in other calls. For \
            files of a few megabytes; public URLs need no upload.";
        (description, object(&json!({ "data": data }), &["data"]))
    };
    json!({
        "name": "upload",
        "title": "Upload a file",
        "description": description,
        "inputSchema": schema,
        "annotations": making,
    })
}

fn fields_of_generate(models: &[Value]) -> Value {
    let url = |description: &str| json!({ "type": "string", "format": "uri", "description": description });
    let text = |description: &str| json!({ "type": "string", "description": description });
    let mut schema = object(
        &json!({
            "model": slug(models),
            "prompt": text("What to make. For speech, the text to read."),
            "image_urls": {
                "type": "array",
                "items": { "type": "string", "format": "uri" },
                "description": "References, or the picture to edit.",
            },
            "start_frame_url": url("The first frame of a video."),
            "end_frame_url": url("The last frame of a video."),
            "audio_url": url("Sound that drives the result, such as lip-sync."),
            "aspect_ratio": text("The shape, such as `16:9`."),
            "duration_seconds": { "type": "number", "description": "The length of the result." },
            "resolution": text("One of the resolutions that the model lists, such as `2K` or `720p`."),
            "quality": text("One of the qualities that the model lists."),
            "n": { "type": "integer", "minimum": 1, "description": "The number of results." },
            "params": {
                "type": "object",
                "additionalProperties": true,
                "description": "Any other field of the model; describe_model shows their schema.",
            },
            "wait_seconds": wait(WAIT_SECONDS),
        }),
        &["model"],
    );
    schema["additionalProperties"] = false.into();
    schema
}

fn object(properties: &Value, required: &[&str]) -> Value {
    let mut schema = json!({ "type": "object", "properties": properties });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}

fn slug(models: &[Value]) -> Value {
    let slugs: Vec<&Value> = models.iter().filter_map(|model| model.get("slug")).collect();
    json!({ "type": "string", "enum": slugs, "description": "The model's slug; list_models describes them." })
}

fn wait(default: u64) -> Value {
    json!({
        "type": "integer",
        "minimum": 0,
        "maximum": LONGEST_WAIT_SECONDS,
        "default": default,
        "description": "How long to wait for the job to end, in seconds.",
    })
}

pub(crate) fn takes_time(params: &Map<String, Value>) -> bool {
    let name = params.get("name").and_then(Value::as_str);
    matches!(name, Some("generate" | "get_generation"))
}

pub(crate) fn creates_a_job(params: &Map<String, Value>) -> bool {
    params.get("name").and_then(Value::as_str) == Some("generate")
}

/// Calls a tool. `Ok(None)`: the client gave up. A refusal of the service is a result that says so.
pub(crate) async fn call(
    service: &dyn Service,
    params: &Map<String, Value>,
    exchange: &Exchange,
) -> Result<Option<Value>, Failed> {
    let invalid = |message: String| Failed::new(INVALID_PARAMS, message);
    let name = params
        .get("name")
        .and_then(Value::as_str)
        .ok_or_else(|| invalid("`params.name` must be a string".to_owned()))?;
    let arguments = match params.get("arguments") {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(arguments)) => arguments.clone(),
        Some(_) => return Err(invalid("`params.arguments` must be an object".to_owned())),
    };
    let token = params.get("_meta").and_then(|meta| meta.get("progressToken"));
    let done = match name {
        "list_models" => list_models(service, &arguments).await.map(Some),
        "describe_model" => describe_model(service, &arguments).await.map(Some),
        "generate" => generate(service, arguments, exchange, token).await,
        "get_generation" => get_generation(service, &arguments, exchange, token).await,
        "upload" => store(service, &arguments).await.map(Some),
        "balance" => service
            .balance()
            .await
            .map(|credits| Some(said(json!({ "credits": credits })))),
        _ => return Err(invalid(format!("unknown tool `{}`", generate::clip(name, 100)))),
    };
    Ok(done.unwrap_or_else(|refused| Some(refusal(&refused))))
}

/// A result of data alone: as text for models, and as it is for programs.
fn said(value: Value) -> Value {
    let mut result = json!({ "content": [{ "type": "text", "text": value.to_string() }] });
    result["structuredContent"] = value;
    result
}

fn refusal(refused: &Refused) -> Value {
    let mut error = json!({ "code": refused.code, "message": refused.message });
    if !refused.details.is_empty() {
        let detail = |(parameter, message)| json!({ "parameter": parameter, "message": message });
        error["details"] = refused.details.iter().map(|(p, m)| (p, m)).map(detail).collect();
    }
    let mut result = said(json!({ "error": error }));
    result["isError"] = true.into();
    result
}

async fn list_models(service: &dyn Service, arguments: &Map<String, Value>) -> Result<Value> {
    let kind = optional_text(arguments, "type")?;
    let query = optional_text(arguments, "query")?
        .unwrap_or_default()
        .to_lowercase();
    let mut models = service.models().await?;
    models.retain(|model| {
        let field = |name: &str| model[name].as_str().unwrap_or_default();
        let text = format!("{} {} {}", field("slug"), field("name"), field("description")).to_lowercase();
        kind.is_none_or(|kind| field("type") == kind)
            && query.split_whitespace().all(|word| text.contains(word))
    });
    let models: Vec<Value> = models.iter().map(brief).collect();
    Ok(said(json!({ "models": models })))
}

/// Returns the fields that help to choose a model.
fn brief(model: &Value) -> Value {
    let mut brief = Map::new();
    for name in ["slug", "name", "type", "category", "description"] {
        brief.insert(name.to_owned(), model[name].clone());
    }
    if model["draft"] == true {
        brief.insert("draft".to_owned(), true.into());
    }
    Value::Object(brief)
}

async fn describe_model(service: &dyn Service, arguments: &Map<String, Value>) -> Result<Value> {
    let mut model = service.model(required_text(arguments, "model")?).await?;
    if let Value::Object(fields) = &mut model {
        // The schema says the same again.
        fields.remove("parameters");
        fields.remove("available_weights");
    }
    Ok(said(model))
}

async fn store(service: &dyn Service, arguments: &Map<String, Value>) -> Result<Value> {
    let path = optional_text(arguments, "path")?.filter(|_| service.reads_paths());
    let file = match (path, optional_text(arguments, "data")?) {
        (Some(path), None) => Upload::Path(path.to_owned()),
        (None, Some(data)) => {
            // Some clients pass on the whole URL that they were given.
            let data = data.split_once(";base64,").map_or(data, |(_, data)| data);
            let bytes = STANDARD
                .decode(data.trim())
                .map_err(|error| Refused::argument("data", format!("`data` must be base64: {error}")))?;
            Upload::Bytes(bytes)
        }
        _ if service.reads_paths() => {
            return Err(Refused::argument("path", "either `path` or `data` is required"));
        }
        _ => {
            return Err(Refused::argument(
                "data",
                "`data` is required: the file in base64",
            ));
        }
    };
    Ok(said(service.upload(file).await?))
}

async fn generate(
    service: &dyn Service,
    mut arguments: Map<String, Value>,
    exchange: &Exchange,
    token: Option<&Value>,
) -> Result<Option<Value>> {
    let longest = seconds(&arguments, WAIT_SECONDS)?;
    arguments.remove("wait_seconds");
    let id = service.create(arguments, exchange.key.clone()).await?;
    generate::follow(service, &id, longest, exchange, token, true).await
}

async fn get_generation(
    service: &dyn Service,
    arguments: &Map<String, Value>,
    exchange: &Exchange,
    token: Option<&Value>,
) -> Result<Option<Value>> {
    let id = required_text(arguments, "id")?;
    let longest = seconds(arguments, 0)?;
    generate::follow(service, id, longest, exchange, token, false).await
}

fn seconds(arguments: &Map<String, Value>, default: u64) -> Result<Duration> {
    let seconds = match arguments.get("wait_seconds") {
        None | Some(Value::Null) => Some(default),
        Some(value) => value.as_u64().filter(|seconds| *seconds <= LONGEST_WAIT_SECONDS),
    };
    seconds.map(Duration::from_secs).ok_or_else(|| {
        let message = format!("`wait_seconds` must be an integer between 0 and {LONGEST_WAIT_SECONDS}");
        Refused::argument("wait_seconds", message)
    })
}

fn optional_text<'a>(arguments: &'a Map<String, Value>, name: &str) -> Result<Option<&'a str>> {
    match arguments.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(Refused::argument(name, format!("`{name}` must be a string"))),
    }
}

fn required_text<'a>(arguments: &'a Map<String, Value>, name: &str) -> Result<&'a str> {
    optional_text(arguments, name)?.ok_or_else(|| Refused::argument(name, format!("`{name}` is required")))
}

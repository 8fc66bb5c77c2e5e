//! What a server's words about a request mean for the job: its files, or how it failed.

use std::time::Duration;

use atelier_domain::{Failure, FailureCode, MediaKind};
use serde_json::Value;

use super::graph::Graph;
use crate::http::exchange::misread;

/// How long the next attempt waits where there is no other route.
pub(super) const PAUSE: Duration = Duration::from_secs(2);
/// The longest text of a server that is passed on, in characters.
const MAX_TEXT: usize = 300;

/// Where the files of an ended request are, as paths below the server's address, in the order of their nodes.
pub(super) fn outputs(entry: &Value, kind: MediaKind) -> Result<Vec<String>, Failure> {
    if let Some(failure) = failure(entry) {
        return Err(failure);
    }
    let nodes = entry.get("outputs").and_then(Value::as_object);
    let lists = nodes
        .into_iter()
        .flat_map(|nodes| nodes.values())
        .filter_map(Value::as_object)
        .flat_map(|lists| lists.values());
    let text = |file: &Value, name: &str| file.get(name).and_then(Value::as_str).map(str::to_owned);
    let files: Vec<(String, String)> = lists
        .filter_map(Value::as_array)
        .flatten()
        // What a graph only shows, such as previews, is temporary.
        .filter(|file| text(file, "type").as_deref() == Some("output"))
        .filter_map(|file| {
            Some((
                text(file, "filename")?,
                text(file, "subfolder").unwrap_or_default(),
            ))
        })
        .collect();
    if files.is_empty() {
        return Err(misread("the workflow ended without a file"));
    }
    // A graph may keep more than what it was asked for, such as a picture beside a film.
    let wanted: Vec<_> = files
        .iter()
        .filter(|(name, _)| kind_of(name) == Some(kind))
        .collect();
    let wanted = if wanted.is_empty() {
        files.iter().collect()
    } else {
        wanted
    };
    Ok(wanted
        .into_iter()
        .map(|(name, folder)| view(name, folder))
        .collect())
}

fn view(name: &str, folder: &str) -> String {
    let query = [("filename", name), ("subfolder", folder), ("type", "output")];
    let query = url::form_urlencoded::Serializer::new(String::new())
        .extend_pairs(query)
        .finish();
    format!("/view?{query}")
}

fn kind_of(name: &str) -> Option<MediaKind> {
    let (_, extension) = name.rsplit_once('.')?;
    match extension.to_ascii_lowercase().as_str() {
        "png" | "jpg" | "jpeg" | "webp" | "gif" => Some(MediaKind::Image),
        "mp4" | "webm" | "mov" => Some(MediaKind::Video),
        "mp3" | "wav" | "flac" | "ogg" | "opus" | "m4a" | "aac" => Some(MediaKind::Audio),
        _ => None,
    }
}

/// How an ended request failed, where it did.
fn failure(entry: &Value) -> Option<Failure> {
    if entry.pointer("/status/status_str").and_then(Value::as_str) != Some("error") {
        return None;
    }
    let messages = entry.pointer("/status/messages").and_then(Value::as_array);
    let found = |kind: &str| {
        let mut messages = messages.into_iter().flatten();
        messages
            .find(|message| message[0] == kind)
            .map(|message| &message[1])
    };
    let retry = |message: String| Some(Failure::retry(FailureCode::GenerationFailed, message, PAUSE));
    if found("execution_interrupted").is_some() {
        return retry("the engine was told to stop the request".to_owned());
    }
    let Some(error) = found("execution_error") else {
        return retry("the engine failed".to_owned());
    };
    let text = |name: &str| error.get(name).and_then(Value::as_str).unwrap_or_default();
    let (node, class) = (text("node_id"), text("node_type"));
    tracing::warn!(
        node,
        class,
        kind = text("exception_type"),
        error = text("exception_message"),
        "a workflow failed"
    );
    if text("exception_type").contains("OutOfMemory") {
        return retry(format!(
            "the engine failed: {class} (node {node}) ran out of memory"
        ));
    }
    retry(format!(
        "the engine failed: {class} (node {node}): {}",
        brief(text("exception_message"))
    ))
}

/// What it means that the server does not take a graph.
pub(super) fn invalid(said: &Value, graph: &Graph) -> Failure {
    let mut of_job = Vec::new();
    let mut of_graph = Vec::new();
    for (id, node) in said
        .get("node_errors")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
    {
        let class = node.get("class_type").and_then(Value::as_str).unwrap_or_default();
        for error in node.get("errors").and_then(Value::as_array).into_iter().flatten() {
            let text = |at: &str| error.pointer(at).and_then(Value::as_str).unwrap_or_default();
            let input = text("/extra_info/input_name");
            // Details may list all files of the server: they go into the log alone.
            let told = format!("{class} (node {id}), `{input}`: {}", brief(text("/message")));
            tracing::warn!(
                node = id,
                class,
                input,
                error = text("/message"),
                details = text("/details"),
                "a workflow is refused"
            );
            let is_value = text("/type").starts_with("value_") || text("/type") == "invalid_input_type";
            if is_value && graph.is_hole(id, input) {
                of_job.push(told);
            } else {
                of_graph.push(told);
            }
        }
    }
    if of_graph.is_empty() && !of_job.is_empty() {
        return Failure::invalid_input(format!("the engine refuses the request: {}", of_job.join("; ")));
    }
    if of_graph.is_empty() {
        let text = |at: &str| said.pointer(at).and_then(Value::as_str).unwrap_or_default();
        let (class, node) = (
            text("/error/extra_info/class_type"),
            text("/error/extra_info/node_id"),
        );
        tracing::warn!(said = %said, "a workflow is refused");
        of_graph.push(match class {
            "" => brief(text("/error/message")),
            class => format!("{class} (node {node}): {}", brief(text("/error/message"))),
        });
    }
    // Models and nodes that are not there are nothing that the client could mend: another engine may have them.
    let message = format!("the workflow does not fit the engine: {}", of_graph.join("; "));
    Failure::retry(FailureCode::GenerationFailed, message, PAUSE)
}

fn brief(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.is_empty() {
        return "it says no reason".to_owned();
    }
    line.chars().take(MAX_TEXT).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn ended(status: &str, messages: &Value, outputs: &Value) -> Value {
        json!({"outputs": outputs, "status": {"status_str": status, "completed": status == "success", "messages": messages}})
    }

    fn file(name: &str, kind: &str) -> Value {
        json!({"filename": name, "subfolder": "atelier", "type": kind})
    }

    #[test]
    fn the_files_of_the_kind_asked_for_are_the_outputs() {
        let outputs_of =
            |outputs_value: &Value, kind| outputs(&ended("success", &json!([]), outputs_value), kind);
        let both = json!({
            "a": {"images": [file("x 1.png", "output"), file("y.png", "temp")]},
            "b": {"images": [file("z.mp4", "output")], "animated": [true]},
        });
        let view = |name: &str| format!("/view?filename={name}&subfolder=atelier&type=output");
        assert_eq!(outputs_of(&both, MediaKind::Image).unwrap(), [view("x+1.png")]);
        assert_eq!(outputs_of(&both, MediaKind::Video).unwrap(), [view("z.mp4")]);
        // Nothing of that kind: the look at the files themselves decides.
        assert_eq!(outputs_of(&both, MediaKind::Audio).unwrap().len(), 2);
        let none = outputs_of(
            &json!({"a": {"images": [file("y.png", "temp")]}}),
            MediaKind::Image,
        );
        assert!(none.unwrap_err().message.contains("without a file"));
    }

    #[test]
    fn an_error_names_the_node_and_an_interruption_is_one() {
        let of = |message: Value| {
            outputs(
                &ended("error", &json!([["execution_start", {}], message]), &json!({})),
                MediaKind::Image,
            )
            .unwrap_err()
        };
        let error = |kind: &str| {
            json!(["execution_error", {
                "node_id": "k", "node_type": "KSampler", "exception_type": kind,
                "exception_message": "sizes of tensors\n  must match\n", "traceback": ["secret.py"],
            }])
        };
        let failure = of(error("RuntimeError"));
        assert_eq!(
            failure.message,
            "the engine failed: KSampler (node k): sizes of tensors must match"
        );
        assert!(failure.is_retryable());
        assert_eq!(
            of(error("torch.OutOfMemoryError")).message,
            "the engine failed: KSampler (node k) ran out of memory"
        );
        assert_eq!(
            of(json!(["execution_interrupted", {"node_id": "k"}])).message,
            "the engine was told to stop the request"
        );
    }

    #[test]
    fn a_value_of_the_job_is_the_jobs_fault_and_a_missing_model_is_not() {
        let graph = r#"{
            "size": {"class_type": "Empty", "inputs": {"width": {"from": "$width"}}},
            "model": {"class_type": "Loader", "inputs": {"name": "x.safetensors"}}
        }"#;
        let graph = Graph::parse("g", graph).unwrap();
        let error = |kind: &str, message: &str, input: &str| json!([{"type": kind, "message": message, "details": "all the files", "extra_info": {"input_name": input}}]);
        let wide = json!({"class_type": "Empty", "errors": error("value_bigger_than_max", "Value 99999 bigger than max of 16384", "width")});
        let missing = json!({"class_type": "Loader", "errors": error("value_not_in_list", "Value not in list", "name")});
        let failure = invalid(&json!({"node_errors": {"size": wide}}), &graph);
        assert_eq!(failure.code, FailureCode::InvalidInput);
        assert_eq!(
            failure.message,
            "the engine refuses the request: Empty (node size), `width`: Value 99999 bigger than max of 16384"
        );
        let failure = invalid(&json!({"node_errors": {"model": missing, "size": wide}}), &graph);
        assert!(failure.is_retryable());
        assert_eq!(
            failure.message,
            "the workflow does not fit the engine: Loader (node model), `name`: Value not in list"
        );
        let unknown = json!({"error": {"type": "missing_node_type", "message": "Node 'x' not found.", "extra_info": {"node_id": "up", "class_type": "Nope"}}, "node_errors": {}});
        assert_eq!(
            invalid(&unknown, &graph).message,
            "the workflow does not fit the engine: Nope (node up): Node 'x' not found."
        );
    }
}

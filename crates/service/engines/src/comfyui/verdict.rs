//! The verdict on a job from a server's history and errors: its output files, or its failure.

use std::time::Duration;

use atelier_domain::{Failure, FailureCode, MediaKind};
use serde_json::Value;

use super::graph::Graph;
use crate::remote::unusable_answer;

/// The delay before the next attempt if there is no other route.
pub(super) const DELAY: Duration = Duration::from_secs(2);
/// The longest error text of a server that is passed on, in characters.
const MAX_TEXT: usize = 300;

/// The output files of an ended request, as paths below the server's URL, in the order of their nodes.
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
        // Previews are of the type `temp`.
        .filter(|file| text(file, "type").as_deref() == Some("output"))
        .filter_map(|file| {
            Some((
                text(file, "filename")?,
                text(file, "subfolder").unwrap_or_default(),
            ))
        })
        .collect();
    if files.is_empty() {
        return Err(unusable_answer("the workflow ended without an output file"));
    }
    // A graph may save other files, too, such as a picture beside a video.
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

/// The failure of an ended request; `None` if it succeeded.
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
    let retry = |message: String| Some(Failure::retry(FailureCode::GenerationFailed, message, DELAY));
    if found("execution_interrupted").is_some() {
        return retry("the request was interrupted at the engine".to_owned());
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

/// The failure of a graph that the server rejects.
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
            // The details may list all files of the server, so they are only logged.
            let problem = format!("{class} (node {id}), `{input}`: {}", brief(text("/message")));
            tracing::warn!(
                node = id,
                class,
                input,
                error = text("/message"),
                details = text("/details"),
                "a server rejected a workflow"
            );
            let is_value = text("/type").starts_with("value_") || text("/type") == "invalid_input_type";
            if is_value && graph.is_hole(id, input) {
                of_job.push(problem);
            } else {
                of_graph.push(problem);
            }
        }
    }
    if of_graph.is_empty() && !of_job.is_empty() {
        return Failure::invalid_input(format!("the engine rejected the request: {}", of_job.join("; ")));
    }
    if of_graph.is_empty() {
        let text = |at: &str| said.pointer(at).and_then(Value::as_str).unwrap_or_default();
        let (class, node) = (
            text("/error/extra_info/class_type"),
            text("/error/extra_info/node_id"),
        );
        tracing::warn!(said = %said, "a server rejected a workflow");
        of_graph.push(match class {
            "" => brief(text("/error/message")),
            class => format!("{class} (node {node}): {}", brief(text("/error/message"))),
        });
    }
    // The client cannot supply missing models and nodes, but another engine may have them.
    let message = format!(
        "the workflow does not work on the engine: {}",
        of_graph.join("; ")
    );
    Failure::retry(FailureCode::GenerationFailed, message, DELAY)
}

fn brief(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.is_empty() {
        return "no reason given".to_owned();
    }
    line.chars().take(MAX_TEXT).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn ended(status: &str, messages: &Value, outputs: &Value) -> Value {
        let completed = status == "success";
        let status = json!({"status_str": status, "completed": completed, "messages": messages});
        json!({"outputs": outputs, "status": status})
    }

    fn file(name: &str, kind: &str) -> Value {
        json!({"filename": name, "subfolder": "atelier", "type": kind})
    }

    #[test]
    fn the_files_of_the_requested_kind_are_the_outputs() {
        let outputs_of =
            |outputs_value: &Value, kind| outputs(&ended("success", &json!([]), outputs_value), kind);
        let both = json!({
            "a": {"images": [file("x 1.png", "output"), file("y.png", "temp")]},
            "b": {"images": [file("z.mp4", "output")], "animated": [true]},
        });
        let view = |name: &str| format!("/view?filename={name}&subfolder=atelier&type=output");
        assert_eq!(outputs_of(&both, MediaKind::Image).unwrap(), [view("x+1.png")]);
        assert_eq!(outputs_of(&both, MediaKind::Video).unwrap(), [view("z.mp4")]);
        // No file name has that kind: the files' contents decide.
        assert_eq!(outputs_of(&both, MediaKind::Audio).unwrap().len(), 2);
        let none = outputs_of(
            &json!({"a": {"images": [file("y.png", "temp")]}}),
            MediaKind::Image,
        );
        assert!(none.unwrap_err().message.contains("without an output file"));
    }

    #[test]
    fn an_error_names_the_node_and_an_interruption_is_an_error() {
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
            "the request was interrupted at the engine"
        );
    }

    #[test]
    fn a_rejected_value_is_invalid_input_and_a_missing_model_is_not() {
        let graph = r#"{
            "size": {"class_type": "Empty", "inputs": {"width": {"from": "$width"}}},
            "model": {"class_type": "Loader", "inputs": {"name": "x.safetensors"}}
        }"#;
        let graph = Graph::parse("g", graph).unwrap();
        let error = |kind: &str, message: &str, input: &str| {
            let input = json!({"input_name": input});
            json!([{"type": kind, "message": message, "details": "all the files", "extra_info": input}])
        };
        let too_wide = "Value 99999 bigger than max of 16384";
        let wide =
            json!({"class_type": "Empty", "errors": error("value_bigger_than_max", too_wide, "width")});
        let unknown = error("value_not_in_list", "Value not in list", "name");
        let missing = json!({"class_type": "Loader", "errors": unknown});
        let failure = invalid(&json!({"node_errors": {"size": wide}}), &graph);
        assert_eq!(failure.code, FailureCode::InvalidInput);
        assert_eq!(
            failure.message,
            "the engine rejected the request: Empty (node size), `width`: Value 99999 bigger than max of 16384"
        );
        let failure = invalid(&json!({"node_errors": {"model": missing, "size": wide}}), &graph);
        assert!(failure.is_retryable());
        assert_eq!(
            failure.message,
            "the workflow does not work on the engine: Loader (node model), `name`: Value not in list"
        );
        let node = json!({"node_id": "up", "class_type": "Nope"});
        let error =
            json!({"type": "missing_node_type", "message": "Node 'x' not found.", "extra_info": node});
        let unknown = json!({"error": error, "node_errors": {}});
        assert_eq!(
            invalid(&unknown, &graph).message,
            "the workflow does not work on the engine: Nope (node up): Node 'x' not found."
        );
    }
}

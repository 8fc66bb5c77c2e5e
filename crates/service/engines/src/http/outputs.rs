//! The files that a provider's JSON answer names or contains.

use std::path::PathBuf;

use atelier_domain::Failure;
use serde_json::{Map, Value, json};

use super::{
    answer,
    profile::{Outputs, Words},
};
use crate::{
    Context, DraftEngine, Job, Made, MadeFile,
    remote::{OutputFiles, unusable_answer},
};

/// The files of an answer in order, followed by the word times if there are any.
pub(super) async fn collect(
    mut files: OutputFiles<'_>,
    answer: &Value,
    outputs: &Outputs,
) -> Result<Vec<MadeFile>, Failure> {
    let parsed: Value;
    let place = match &outputs.parse {
        None => answer,
        Some(at) => {
            let text = answer.pointer(at).and_then(Value::as_str).unwrap_or_default();
            parsed = serde_json::from_str(text).map_err(|_| unusable_answer("its result is not JSON"))?;
            &parsed
        }
    };
    let found = outputs
        .at
        .iter()
        .map(|at| answer::find(place, at))
        .find(|found| !found.is_empty())
        .ok_or_else(|| unusable_answer("it names no files"))?;
    files.expect(found.len())?;
    let mut made = Vec::new();
    for value in found {
        let text = value
            .as_str()
            .ok_or_else(|| unusable_answer("a file in it is not a string"))?;
        // A file that will be rewritten is of another type until then.
        made.push(MadeFile::Path(match outputs.rewrite {
            Some(_) => files.add_any(text).await?,
            None => files.add(text).await?,
        }));
    }
    if let Some(words) = &outputs.words
        && let Some(times) = word_times(words, place)
    {
        let path = files.add_side_file("words.json", times.to_string()).await?;
        made.push(MadeFile::Path(path));
    }
    Ok(made)
}

/// Lets the embedded engines turn a film in Motion JPEG into MP4, with its size and length as metadata.
pub(super) async fn rewritten(
    rewriter: &DraftEngine,
    job: &Job,
    context: &Context,
    path: PathBuf,
) -> Result<Made, Failure> {
    let request = atelier_protocol::Request {
        task: "rewrite-film".to_owned(),
        params: Map::new(),
        inputs: vec![atelier_protocol::Input {
            parameter: "file".to_owned(),
            path,
            media_type: "video/x-msvideo".to_owned(),
            seconds: None,
        }],
        seed: job.seed,
        out: job.scratch.path().to_owned(),
    };
    // Its progress is that of a short last part.
    let context = Context::new(context.cancel.clone(), |_| {});
    rewriter.make(job, request, &context).await
}

/// Turns character times into word times, with the position of each word in the text, in characters.
fn word_times(words: &Words, answer: &Value) -> Option<Value> {
    let list = |at: &str| answer.pointer(at).and_then(Value::as_array);
    let (Some(characters), Some(starts), Some(ends)) =
        (list(&words.characters), list(&words.starts), list(&words.ends))
    else {
        return None;
    };
    let text: Vec<&str> = characters.iter().filter_map(Value::as_str).collect();
    let seconds = |list: &[Value], index: usize| list.get(index).and_then(Value::as_f64).unwrap_or_default();
    let mut found = Vec::new();
    let mut from = 0;
    for (index, part) in text.iter().chain([&" "]).enumerate() {
        if !part.trim().is_empty() {
            continue;
        }
        if from < index {
            let word = text[from..index].concat();
            let (start, end) = (seconds(starts, from), seconds(ends, index - 1));
            found.push(json!({"word": word, "start": start, "end": end, "from": from, "to": index}));
        }
        from = index + 1;
    }
    Some(json!({"words": found}))
}

//! The engine against a stand-in that behaves like a real server (ComfyUI 0.25) and is as strict.

use std::sync::Arc;

use atelier_domain::{FailureCode, MediaKind};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::*;
use crate::testing::{Case, PNG, bytes, case, endpoint};

mod standin;

use standin::{Comfy, Then};

/// Enlarges a picture.
const GRAPH: &str = r#"{
    "picture": {"class_type": "LoadImage", "inputs": {"image": {"from": "image_urls", "at": 0, "as": "upload"}}},
    "model": {"class_type": "UpscaleModelLoader", "inputs": {"model_name": "tiny.safetensors"}},
    "larger": {
        "class_type": "ImageUpscaleWithModel",
        "inputs": {"upscale_model": ["model", 0], "image": ["picture", 0]}
    },
    "save": {
        "class_type": "SaveImage",
        "inputs": {"images": ["larger", 0], "filename_prefix": {"format": "atelier/{$job}"}}
    }
}"#;
/// Makes a picture of one colour.
const PLAIN: &str = r#"{
    "picture": {"class_type": "EmptyImage", "inputs": {"width": {"from": "$width"}, "color": {"from": "$seed"}}},
    "save": {"class_type": "SaveImage", "inputs": {"images": ["picture", 0], "filename_prefix": "x"}}
}"#;
/// Our id of the job's first request.
const ID: &str = "00000000-0000-0000-0000-000000000007";

fn engine(url: &str) -> ComfyEngine {
    let graphs = [("enlarge.json", GRAPH), ("plain.json", PLAIN)]
        .map(|(name, text)| (name.to_owned(), Arc::new(Graph::parse(name, text).unwrap())));
    ComfyEngine::new(ComfyOptions {
        endpoint: endpoint("gpu1", url),
        graphs: graphs.into(),
    })
    .unwrap()
}

fn job(workflow: &str, params: Value) -> Case {
    let mut case = case(MediaKind::Image, "", params);
    case.job.options = RouteOptions {
        workflow: Some(workflow.to_owned()),
        ..RouteOptions::default()
    };
    case
}

fn plain() -> Case {
    job("plain.json", json!({"width": 64, "height": 64}))
}

fn enlarge() -> Case {
    job("enlarge.json", json!({"image_urls": ["u"]})).with_input("image_urls", PNG)
}

fn remembered() -> String {
    json!({"prompt_id": ID}).to_string()
}

#[tokio::test]
async fn a_graph_is_filled_queued_and_its_pictures_fetched() {
    let server = Comfy::start(Then::Succeeds { files: 2 }).await;
    let case = plain();
    let made = case.run(&engine(&server.url)).await.unwrap();
    assert_eq!(bytes(&made), [PNG, PNG]);
    assert_eq!(
        (&made.metadata["engine"], &made.metadata["provider_id"]),
        (&json!("gpu1"), &json!(ID))
    );
    let prompts = server.prompts();
    assert_eq!(
        prompts[0]["prompt"]["picture"]["inputs"],
        json!({"width": 64, "color": 42})
    );
    assert_eq!(
        (&prompts[0]["prompt_id"], &prompts[0]["client_id"]),
        (&json!(ID), &json!(ID))
    );
    assert_eq!(*case.remembered.lock().unwrap(), [remembered()]);
}

#[tokio::test]
async fn progress_is_reported_before_the_request_is_answered() {
    // The stand-in answers only after the test has received progress.
    let server = Comfy::start(Then::SucceedsAfterProgress).await;
    let mut case = plain();
    let (seen, heard) = (Arc::clone(&case.progress), Arc::clone(&server.heard));
    case.context = Context::new(CancellationToken::new(), move |done| {
        seen.lock().unwrap().push(done);
        heard.notify_one();
    });
    assert_eq!(bytes(&case.run(&engine(&server.url)).await.unwrap()), [PNG]);
    assert_eq!(case.progress.lock().unwrap().first(), Some(&0.25));
}

#[tokio::test]
async fn files_are_uploaded_under_a_name_from_their_content() {
    let server = Comfy::start(Then::Succeeds { files: 1 }).await;
    for attempt in 1..=2 {
        let mut case = enlarge();
        case.job.attempt = attempt;
        case.run(&engine(&server.url)).await.unwrap();
    }
    let uploads = server.uploads();
    assert_eq!(uploads.len(), 1, "the same file has the same name: {uploads:?}");
    let (name, content) = uploads.iter().next().unwrap();
    assert_eq!(content, PNG);
    let stem = name
        .strip_prefix("atelier/")
        .and_then(|name| name.strip_suffix(".png"));
    assert_eq!(stem.map(str::len), Some(32), "{name}");
    let prompts = server.prompts();
    assert_eq!(prompts[0]["prompt"]["picture"]["inputs"]["image"], json!(name));
    assert_eq!(
        prompts[0]["prompt"]["save"]["inputs"]["filename_prefix"],
        json!(format!("atelier/{ID}"))
    );
    assert_ne!(
        prompts[0]["prompt_id"], prompts[1]["prompt_id"],
        "each attempt is a new request"
    );
}

#[tokio::test]
async fn a_job_that_does_not_fit_the_workflow_is_refused_before_a_request() {
    let server = Comfy::start(Then::Succeeds { files: 1 }).await;
    let engine = engine(&server.url);
    let lacking = job("enlarge.json", json!({})).run(&engine).await.unwrap_err();
    assert_eq!(
        (lacking.code, lacking.message.as_str()),
        (
            FailureCode::InvalidInput,
            "the workflow of this model requires `image_urls`"
        )
    );
    let unused = plain()
        .with_input("mask_url", PNG)
        .run(&engine)
        .await
        .unwrap_err();
    assert_eq!(
        unused.message,
        "the workflow of this model does not use `mask_url`"
    );
    assert!(server.prompts().is_empty());
}

#[tokio::test]
async fn a_rejected_value_is_invalid_input_and_a_missing_model_is_not() {
    let server = Comfy::start(Then::Succeeds { files: 1 }).await;
    let wide = job("plain.json", json!({"width": 99_999, "height": 1}));
    let failure = wide.run(&engine(&server.url)).await.unwrap_err();
    assert_eq!(
        (failure.code, failure.message.as_str()),
        (
            FailureCode::InvalidInput,
            "the engine rejected the request: EmptyImage (node picture), `width`: Value 99999 bigger than max of 16384"
        )
    );
    let mut case = enlarge();
    case.job.options.body = Some(json!({"model": {"inputs": {"model_name": "other.pth"}}}));
    let failure = case.run(&engine(&server.url)).await.unwrap_err();
    assert!(failure.is_retryable());
    assert_eq!(
        failure.message,
        "the workflow does not work on the engine: UpscaleModelLoader (node model), `model_name`: Value not in list"
    );
}

#[tokio::test]
async fn an_error_in_a_node_is_reported_with_the_nodes_name() {
    let server = Comfy::start(Then::Fails).await;
    let failure = plain().run(&engine(&server.url)).await.unwrap_err();
    assert!(failure.is_retryable());
    assert_eq!(
        failure.message,
        "the engine failed: SaveImage (node save): the disk is full"
    );
}

#[tokio::test]
async fn a_request_without_an_output_file_fails() {
    let server = Comfy::start(Then::Succeeds { files: 0 }).await;
    let failure = plain().run(&engine(&server.url)).await.unwrap_err();
    assert_eq!(
        failure.message,
        "the engine's answer cannot be used: the workflow ended without an output file"
    );
}

#[tokio::test]
async fn more_output_files_than_a_job_may_have_are_refused() {
    let server = Comfy::start(Then::Succeeds { files: 257 }).await;
    let failure = plain().run(&engine(&server.url)).await.unwrap_err();
    assert_eq!(
        failure.message,
        "the engine's answer cannot be used: it has 257 files; a job may have 256"
    );
}

#[tokio::test]
async fn without_a_socket_the_server_is_polled_until_the_end() {
    for then in [Then::DropsSocket, Then::HasNoSocket] {
        let server = Comfy::start(then).await;
        assert_eq!(bytes(&plain().run(&engine(&server.url)).await.unwrap()), [PNG]);
    }
}

#[tokio::test]
async fn a_request_that_was_accepted_without_an_answer_is_not_sent_again() {
    let server = Comfy::start(Then::BreaksOff).await;
    assert_eq!(bytes(&plain().run(&engine(&server.url)).await.unwrap()), [PNG]);
    assert_eq!(server.prompts().len(), 1);
}

#[tokio::test]
async fn a_remembered_request_is_resumed_and_an_unknown_one_is_sent() {
    let server = Comfy::start(Then::Succeeds { files: 1 }).await;
    let mut case = plain();
    case.job.attempt = 2;
    case.job.resume = Some(remembered());
    // The server does not know it, so the second attempt sends a new request.
    let made = case.run(&engine(&server.url)).await.unwrap();
    assert_eq!(
        made.metadata["provider_id"],
        "00000000-0000-0000-0000-000000000006"
    );
    // The server knows this one, and it has already ended.
    case.job.attempt = 3;
    case.job.resume = Some(json!({"prompt_id": made.metadata["provider_id"]}).to_string());
    let again = case.run(&engine(&server.url)).await.unwrap();
    assert_eq!(
        (&again.metadata, bytes(&again)),
        (&made.metadata, vec![PNG.to_vec()])
    );
    assert_eq!(server.prompts().len(), 1);
}

#[tokio::test]
async fn a_request_that_the_server_has_lost_can_be_retried() {
    let server = Comfy::start(Then::Forgets).await;
    let failure = plain().run(&engine(&server.url)).await.unwrap_err();
    assert!(
        failure.is_retryable() && failure.message.contains("lost the request"),
        "{failure}"
    );
}

#[tokio::test]
async fn an_unreachable_server_is_a_retryable_failure() {
    let server = Comfy::start(Then::Waits).await;
    let mut engine = engine(&server.url);
    engine.patience = Duration::ZERO;
    let case = plain();
    let run = async {
        let run = case.run(&engine);
        tokio::pin!(run);
        tokio::select! {
            ended = &mut run => panic!("{ended:?}"),
            () = server.taken.notified() => {}
        }
        server.stop();
        run.await
    };
    let failure = run.await.unwrap_err();
    assert!(
        failure.is_retryable() && failure.message.contains("the engine"),
        "{failure}"
    );
}

#[tokio::test]
async fn a_server_that_is_gone_is_not_waited_for_if_there_is_another_engine() {
    // Nothing listens there.
    let engine = engine("http://127.0.0.1:9");
    let alone = plain().context;
    let mut watch = Watch::open(&engine.server, ID, std::iter::empty(), &alone).await;
    let accompanied = alone.clone().with_alternative(true);
    let waiting = engine.wait(ID, &mut watch, &accompanied);
    // A server that does not answer is given twice this time.
    let ended = tokio::time::timeout(Duration::from_secs(30), waiting).await;
    let failure = ended.unwrap().unwrap_err();
    assert!(failure.is_retryable(), "{failure}");
    let waiting = engine.wait(ID, &mut watch, &alone);
    let ended = tokio::time::timeout(Duration::from_secs(2), waiting).await;
    assert!(
        ended.is_err(),
        "without an alternative, the engine waits for the server"
    );
}

#[tokio::test]
async fn cancelling_removes_a_request_from_the_queue_or_interrupts_it() {
    let server = Comfy::start(Then::Waits).await;
    let engine = engine(&server.url);
    server.put("queue_pending", ID);
    server.put("queue_running", "another");
    engine.abandon(&remembered()).await;
    assert_eq!(
        server.log(),
        [
            json!({"delete": [ID]}).to_string(),
            "another keeps running".to_owned()
        ]
    );
    server.put("queue_running", ID);
    engine.abandon(&remembered()).await;
    assert_eq!(
        server.log()[2..],
        [
            json!({"delete": [ID]}).to_string(),
            format!("{ID} is interrupted")
        ]
    );
}

#[tokio::test]
async fn a_check_reports_what_the_server_lacks_and_its_health_its_version() {
    let server = Comfy::start(Then::Waits).await;
    let engine = engine(&server.url);
    let said = engine.health().await.unwrap();
    assert!(said.contains("is ComfyUI 0.25.0 on cpu"), "{said}");
    let options = |workflow: &str, body: Value| RouteOptions {
        workflow: Some(workflow.to_owned()),
        body: Some(body),
        ..RouteOptions::default()
    };
    assert_eq!(engine.check(&options("enlarge.json", json!({}))).await, [""; 0]);
    let other = json!({"model": {"inputs": {"model_name": "other.pth"}}});
    assert_eq!(
        engine.check(&options("enlarge.json", other)).await,
        [
            "node `model` (UpscaleModelLoader): `model_name`: the server does not have `other.pth`; \
             it has tiny.safetensors"
        ]
    );
    assert_eq!(
        engine.check(&options("unknown.json", json!({}))).await,
        ["unknown workflow `unknown.json`"]
    );
}

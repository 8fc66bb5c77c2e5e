//! Tests of repeated idempotency keys.

use serde_json::{Value, json};

use super::{World, takedown::upload};
use crate::{
    Caller, Error,
    generations::create::{CreateGeneration, CreatedGeneration},
};

async fn submit(world: &World, caller: &Caller, body: &Value) -> crate::Result<CreatedGeneration> {
    let fields = body.as_object().unwrap().clone();
    let text = body.to_string();
    let request = CreateGeneration::new(fields, text.as_bytes(), Some("order-1".to_owned()));
    world.app.create_generation(caller, request).await
}

#[tokio::test]
async fn a_repeated_key_gets_its_first_answer_after_its_input_was_taken_down() {
    let world = World::new();
    let operator = world.operator().await;
    let by = world.app.operator(&operator).unwrap();
    let url = upload(&world, &operator.caller).await.unwrap();
    let body = json!({ "model": "upscale", "image_urls": [url] });
    let first = submit(&world, &operator.caller, &body).await.unwrap();
    assert!(!first.replayed);
    world.app.take_down(&by, &url, "asked for").await.unwrap();
    let again = submit(&world, &operator.caller, &body).await.unwrap();
    assert!(again.replayed);
    assert_eq!(again.generation.id, first.generation.id);
}

#[tokio::test]
async fn a_reused_key_is_refused_before_its_body_is_validated() {
    let world = World::new();
    let operator = world.operator().await;
    let body = json!({ "model": "image-gen-4", "prompt": "a lighthouse" });
    submit(&world, &operator.caller, &body).await.unwrap();
    let other = json!({ "model": "not-served-any-more", "prompt": "a lighthouse" });
    match submit(&world, &operator.caller, &other).await {
        Err(Error::InvalidRequest { message, .. }) => {
            assert!(message.contains("Idempotency-Key"), "{message}");
        }
        other => panic!("{other:?}"),
    }
}

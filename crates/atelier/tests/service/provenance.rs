//! Pictures of trained models carry an invisible mark, which leads back to their generation.

use serde_json::{Value, json};

use crate::{marks::StandIn, setup::World};

const PICTURE: &[u8] = include_bytes!("../../../../docs/images/lighthouse.jpg");

#[tokio::test]
async fn a_picture_of_a_trained_model_carries_a_mark_that_leads_back_to_its_generation() {
    let server = StandIn::comfy(PICTURE.to_vec()).await;
    let world = World::start(&format!(
        "[metrics]\nlisten = \"\"\n[engines.cellar]\nkind = \"comfyui\"\nurl = \"{}\"\n\
         [[routes]]\nmodel = \"sdxl-1-0\"\nengine = \"cellar\"\nworkflow = \"checkpoint.json\"\n",
        server.url
    ));
    let account = world.account(1_000);
    let prompt = "a boat that nobody must know of";
    let id = account
        .http
        .create(&json!({"model": "sdxl-1-0", "prompt": prompt}))
        .await;
    let job = account.http.wait(&id).await;
    assert_eq!(
        job["output"]["metadata"]["watermark"],
        json!(["written"]),
        "{job}"
    );
    let url = job["output"]["assets"][0]["url"].as_str().unwrap();
    let path = url.strip_prefix(&world.server.origin()).unwrap();
    let file = world.anonymous().get(&format!("/{path}")).await.bytes;
    // Still a JPEG, with the statement in its metadata.
    assert!(file.starts_with(b"\xff\xd8\xff") && file.ends_with(b"\xff\xd9"));
    let told = b"digitalsourcetype/trainedAlgorithmicMedia";
    assert!(file.windows(told.len()).any(|found| found == told));
    let _: Value = job;
}

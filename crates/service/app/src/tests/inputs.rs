//! Tests of the addresses that a request names as inputs.

use serde_json::json;

use super::World;
use crate::{Error, generations::create::CreateGeneration};

async fn refusals(world: &World, url: &str) -> Vec<String> {
    let grace = world.member("grace").await;
    let fields = json!({ "model": "image-gen-4", "prompt": "a boat", "image_urls": [url] });
    let body = fields.to_string();
    let fields = fields.as_object().unwrap().clone();
    let request = CreateGeneration::new(fields, body.as_bytes(), None);
    match world.app.create_generation(&grace.caller, request).await {
        Err(Error::InvalidRequest { details, .. }) => {
            details.into_iter().map(|problem| problem.parameter).collect()
        }
        Ok(_) => Vec::new(),
        Err(other) => panic!("{url}: {other}"),
    }
}

#[tokio::test]
async fn private_addresses_and_credentials_are_refused_with_the_request() {
    for url in [
        "http://127.0.0.1/a.png",
        "http://2130706433/a.png",
        "http://[::1]:8080/a.png",
        "http://169.254.169.254/latest/meta-data",
        "http://10.0.0.5/a.png",
        "https://localhost/a.png",
        "https://printer.local/a.png",
        "https://user:secret@example.com/a.png",
        "https://user@example.com/a.png",
    ] {
        assert_eq!(refusals(&World::new(), url).await, ["image_urls"], "{url}");
    }
}

#[tokio::test]
async fn a_name_is_not_resolved_before_the_job_runs() {
    let url = "https://there-is-no-such-name.example/a.png";
    assert_eq!(refusals(&World::new(), url).await, Vec::<String>::new());
}

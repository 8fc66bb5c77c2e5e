//! The request that most rows send.

/// The body of a request for a small picture.
pub(super) fn generation(webhook_url: Option<&str>) -> String {
    let mut body = serde_json::json!({
        "model": "image-gen-4",
        "prompt": "a lighthouse on a cliff at dusk, watercolor",
        "params": { "resolution": "1K" },
    });
    if let Some(url) = webhook_url {
        body["webhook_url"] = url.into();
    }
    body.to_string()
}

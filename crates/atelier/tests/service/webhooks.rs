//! Webhooks as a receiver gets them: signed, with the same bytes every time, and retried.

mod again;
mod looked_at;
mod signed;
mod targets;

use atelier_testkit::Receiver;
use serde_json::{Value, json};

pub(crate) use self::targets::GUARDED;
use crate::setup::cheap;

/// A job with a webhook to this receiver.
fn told(receiver: &Receiver) -> Value {
    with_hook(&receiver.url("/hook"))
}

fn with_hook(url: &str) -> Value {
    let mut body = cheap();
    body["webhook_url"] = json!(url);
    body
}

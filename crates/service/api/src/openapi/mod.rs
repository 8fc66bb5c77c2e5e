//! `/openapi.json`: OpenAPI 3.1 from the types of this crate, completed with the catalog's schemas.

mod answers;
mod models;

use std::sync::Arc;

use atelier_app::App;
use axum::{
    Extension,
    http::header,
    response::{IntoResponse, Response},
};
use serde_json::{Value, json};
use utoipa::{
    Modify, OpenApi,
    openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme},
};

use crate::{
    balance, base_path::BASE_PATH, collections, deletion, direct_uploads, endpoints, error::ErrorBody,
    events, generations, models as catalog_models, requests, uploads, verify, webhooks,
};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "atelier",
        description = "Images, videos, audio and post-production behind one asynchronous API. Create a job, then poll \
                       it or wait for the signed webhook.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")
    ),
    paths(
        generations::create,
        generations::list,
        generations::get,
        generations::request,
        generations::cancel,
        deletion::generation,
        collections::list,
        collections::create,
        collections::get,
        collections::rename,
        collections::delete,
        collections::add,
        collections::remove,
        catalog_models::list,
        catalog_models::get,
        uploads::create,
        direct_uploads::begin,
        direct_uploads::complete,
        deletion::upload,
        events::follow,
        webhooks::list,
        webhooks::get,
        webhooks::redeliver,
        webhooks::redeliver_failed,
        webhooks::test,
        balance::balance,
        endpoints::list,
        endpoints::create,
        endpoints::get,
        endpoints::change,
        endpoints::delete,
        endpoints::rotate,
        endpoints::test,
        endpoints::alert,
        endpoints::set_alert,
        requests::list,
        verify::verify
    ),
    components(schemas(atelier_app::webhooks::event::WebhookEvent, ErrorBody)),
    modifiers(&Key),
    security(("api_key" = [])),
    tags(
        (name = "Generations", description = "Create jobs and follow them."),
        (name = "Collections", description = "Sort results into named collections."),
        (name = "Catalog", description = "Models and tools with their fields and prices."),
        (name = "Uploads", description = "Files for use in generations."),
        (name = "Webhooks", description = "List what was sent to your URLs, and send it again."),
        (name = "Provenance", description = "Find out whether a file was made here."),
        (name = "Account", description = "See your remaining credits.")
    )
)]
struct Document;

struct Key;

impl Modify for Key {
    fn modify(&self, openapi: &mut utoipa::openapi::OpenApi) {
        let scheme = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .description(Some("An API key of the account: `Authorization: Bearer atl_…`."))
            .build();
        let components = openapi.components.get_or_insert_with(Default::default);
        components.add_security_scheme("api_key", SecurityScheme::Http(scheme));
    }
}

/// Returns the document of a service at this origin.
pub fn document(app: &App, public_url: &str) -> Value {
    let mut document = serde_json::to_value(Document::openapi()).expect("the document has string keys only");
    document["info"]["version"] = json!(env!("CARGO_PKG_VERSION"));
    document["servers"] = json!([{ "url": format!("{public_url}{BASE_PATH}") }]);
    models::add(&mut document, app);
    add_webhook(&mut document);
    answers::complete(&mut document);
    document
}

fn add_webhook(document: &mut Value) {
    let header = |name: &str, description: &str| {
        json!({
            "in": "header",
            "required": true,
            "schema": { "type": "string" },
            "name": name,
            "description": description
        })
    };
    document["webhooks"] = json!({
        "generation": { "post": {
            "operationId": "receive_webhook",
            "summary": "Sent to `webhook_url` when the job ends. Answer 2xx quickly.",
            "security": [],
            "parameters": [
                header("X-Service-Event", "`generation.completed`, `generation.failed` or `webhook.test`."),
                header(
                    "X-Service-Signature",
                    "`sha256=<hex>`: the HMAC-SHA256 of the raw body, keyed with the whole signing secret."
                ),
                header("X-Service-Delivery", "The same on every attempt of one delivery."),
                header("webhook-id", "Standard Webhooks: the delivery's id."),
                header("webhook-timestamp", "Standard Webhooks: seconds since 1970."),
                header(
                    "webhook-signature",
                    "Standard Webhooks: `v1,<base64>`. For 24 hours after a rotation of the secret there are two, \
                     separated by a space."
                )
            ],
            "requestBody": {
                "content": { "application/json": { "schema": { "$ref": "#/components/schemas/WebhookEvent" } } }
            },
            "responses": {
                "2XX": {
                    "description": "Received. Network errors, 429 and 5xx are retried; any other answer ends the \
                                    delivery."
                }
            }
        } }
    });
}

/// The document's text, rendered once at start.
#[derive(Debug, Clone)]
pub(crate) struct Served(Arc<str>);

impl Served {
    pub(crate) fn new(app: &App, public_url: &str) -> Self {
        Self(document(app, public_url).to_string().into())
    }
}

pub(crate) async fn get(Extension(document): Extension<Served>) -> Response {
    (
        [(header::CONTENT_TYPE, "application/json")],
        document.0.to_string(),
    )
        .into_response()
}

//! `/openapi.json`: OpenAPI 3.1 from the types of this crate, completed with the catalog's schemas.

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

use crate::{balance, events, generations, models, routes::BASE_PATH, uploads, webhooks};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "atelier",
        description = "Images, videos and audio, and post-production, behind one asynchronous API. Create a job, then \
                       poll it or wait for the signed webhook.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")
    ),
    paths(
        generations::create,
        generations::list,
        generations::get,
        generations::cancel,
        models::list,
        models::get,
        uploads::create,
        events::follow,
        webhooks::list,
        webhooks::get,
        webhooks::redeliver,
        webhooks::redeliver_failed,
        webhooks::test,
        balance::balance
    ),
    components(schemas(atelier_app::webhooks::event::WebhookEvent)),
    modifiers(&Key),
    security(("api_key" = [])),
    tags(
        (name = "Generations", description = "Create jobs and follow them."),
        (name = "Catalog", description = "What can be made, with which fields, at what price."),
        (name = "Uploads", description = "Files for use in generations."),
        (name = "Webhooks", description = "What was sent to your URLs, and sending it again."),
        (name = "Account", description = "What is left to spend.")
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

/// The document of a service that serves these models at this origin.
pub fn document(app: &App, public_url: &str) -> Value {
    let mut document = serde_json::to_value(Document::openapi()).expect("the document has string keys only");
    document["info"]["version"] = json!(env!("CARGO_PKG_VERSION"));
    document["servers"] = json!([{ "url": format!("{public_url}{BASE_PATH}") }]);
    add_models(&mut document, app);
    add_webhook(&mut document);
    document
}

/// One schema per served model, so that what validates here is accepted there.
fn add_models(document: &mut Value, app: &App) {
    let mut requests = Vec::new();
    for model in app
        .catalog()
        .iter()
        .filter(|model| !app.targets(&model.slug).is_empty())
    {
        let name = format!("Params.{}", model.slug);
        let mut schema = model.json_schema();
        if let Some(object) = schema.as_object_mut() {
            object.remove("$schema");
            object.remove("$id");
        }
        document["components"]["schemas"][&name] = schema;
        requests.push(json!({
            "title": model.slug,
            "type": "object",
            "required": ["model", "params"],
            "properties": {
                "model": { "const": model.slug },
                "params": { "$ref": format!("#/components/schemas/{name}") },
                "webhook_url": { "type": ["string", "null"], "format": "uri" }
            },
            "additionalProperties": false
        }));
    }
    // The form in which every field stands in `params` is the one that can be described exactly; the
    // contract's first-class fields are the other.
    let general = document["components"]["schemas"]["GenerationRequest"].take();
    document["components"]["schemas"]["FirstClassRequest"] = general;
    document["components"]["schemas"]["GenerationRequest"] = json!({
        "description": "A model and its fields: all in `params` (one schema per model), or first-class beside `model`.",
        "anyOf": requests.into_iter().chain([json!({ "$ref": "#/components/schemas/FirstClassRequest" })]).collect::<Vec<_>>()
    });
}

fn add_webhook(document: &mut Value) {
    let header = |description: &str| json!({ "in": "header", "required": true, "schema": { "type": "string" }, "description": description });
    let named = |name: &str, description: &str| {
        let mut parameter = header(description);
        parameter["name"] = json!(name);
        parameter
    };
    document["webhooks"] = json!({
        "generation": { "post": {
            "summary": "Sent to `webhook_url` when the job ends; answer 2xx quickly.",
            "security": [],
            "parameters": [
                named("X-Service-Event", "`generation.completed` or `generation.failed`; `webhook.test` for tests."),
                named("X-Service-Signature", "`sha256=<hex>`: the HMAC-SHA256 of the raw body, keyed with the whole signing secret."),
                named("X-Service-Delivery", "The same on every attempt of one delivery."),
                named("webhook-id", "Standard Webhooks: the delivery's id."),
                named("webhook-timestamp", "Standard Webhooks: seconds since 1970."),
                named("webhook-signature", "Standard Webhooks: `v1,<base64>`; two, separated by a space, for 24 hours after the secret was rotated.")
            ],
            "requestBody": { "content": { "application/json": { "schema": { "$ref": "#/components/schemas/WebhookEvent" } } } },
            "responses": { "2XX": { "description": "Received. Anything else but a network error, 429 and 5xx ends the delivery." } }
        } }
    });
}

/// The document's text, made once at start.
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

//! `/healthz`: the process is up. `/readyz`: store and media storage answer, and it is not on its way out.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use atelier_app::{App, admin::overview::Position};
use axum::{
    Extension, Json,
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde_json::{Value, json};

/// Whether new requests are welcome; shared with whoever shuts the service down.
#[derive(Debug, Clone, Default)]
pub struct Readiness {
    draining: Arc<AtomicBool>,
}

impl Readiness {
    /// From now on `/readyz` answers 503, so that load balancers send nothing more.
    pub fn drain(&self) {
        self.draining.store(true, Ordering::Release);
    }
}

pub(crate) async fn healthz() -> Response {
    Json(json!({ "data": { "status": "ok" } })).into_response()
}

pub(crate) async fn readyz(State(app): State<App>, Extension(readiness): Extension<Readiness>) -> Response {
    let draining = readiness.draining.load(Ordering::Acquire);
    let health = app.health().await;
    let word = |ok: bool| if ok { "ok" } else { "failing" };
    if !draining && health.is_ready() {
        let mut ready = json!({ "status": "ready", "store": "ok", "media": "ok" });
        if !health.engines.is_empty() {
            let position = |(name, position): (String, Position)| (name, position.as_str().into());
            ready["engines"] = Value::Object(health.engines.into_iter().map(position).collect());
        }
        return Json(json!({ "data": ready })).into_response();
    }
    let message = if draining {
        "the service is shutting down".to_owned()
    } else {
        format!("store: {}, media: {}", word(health.store), word(health.media))
    };
    let body = json!({ "success": false, "error": { "code": "unavailable", "message": message } });
    (
        StatusCode::SERVICE_UNAVAILABLE,
        [("retry-after", "1")],
        Json(body),
    )
        .into_response()
}

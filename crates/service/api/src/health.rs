//! `/healthz`: the process is up. `/readyz`: store and media storage answer, and it is not on its way out.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use atelier_app::App;
use axum::{
    Extension, Json,
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde_json::{Map, Value, json};

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
    let (store, media) = (app.store().check().await, app.blobs().check().await);
    if let Err(error) = &store {
        tracing::warn!(%error, "the store is not ready");
    }
    if let Err(error) = &media {
        tracing::warn!(%error, "the media storage is not ready");
    }
    let word = |ok: bool| if ok { "ok" } else { "failing" };
    if !draining && store.is_ok() && media.is_ok() {
        let mut ready = json!({ "status": "ready", "store": "ok", "media": "ok" });
        let engines = engines(&app);
        // The service is ready whatever engines of others are: their jobs go to the next route, or wait.
        if !engines.is_empty() {
            ready["engines"] = Value::Object(engines);
        }
        return Json(json!({ "data": ready })).into_response();
    }
    let message = if draining {
        "the service is shutting down".to_owned()
    } else {
        format!("store: {}, media: {}", word(store.is_ok()), word(media.is_ok()))
    };
    let body = json!({ "success": false, "error": { "code": "unavailable", "message": message } });
    (
        StatusCode::SERVICE_UNAVAILABLE,
        [("retry-after", "1")],
        Json(body),
    )
        .into_response()
}

/// The engines that others run, each with the position of its breaker in this process.
fn engines(app: &App) -> Map<String, Value> {
    let now = app.now();
    let engines = app.routes().engines().iter();
    engines
        .filter_map(|engine| {
            let breaker = app.routes().breaker(engine.name())?;
            Some((engine.name().to_owned(), breaker.position(now).as_str().into()))
        })
        .collect()
}

//! The list of routes.

use atelier_app::App;
use axum::{
    Extension, Router,
    extract::{DefaultBodyLimit, OriginalUri},
    middleware,
    routing::{any, get, post},
};
use tower_http::catch_panic::CatchPanicLayer;

use crate::{
    balance, callbacks, error::ApiError, events, gate, generations, health, hear_out, media, models, openapi,
    request_id, uploads, webhooks,
};

/// The path of `{base_url}`.
pub const BASE_PATH: &str = "/dev/v1";

/// What the surface needs beyond the use cases.
#[derive(Debug, Clone, Default)]
pub struct Surface {
    pub readiness: health::Readiness,
    /// The origin in the OpenAPI document, without a slash at its end.
    pub public_url: String,
}

/// Everything that is served over HTTP.
pub fn router(app: &App, surface: Surface) -> Router {
    let gate = middleware::from_fn_with_state(app.clone(), gate::gate);
    let api = Router::new()
        .route("/generations", post(generations::create).get(generations::list))
        .route("/generations/{id}", get(generations::get))
        .route("/generations/{id}/cancel", post(generations::cancel))
        .route("/generations/{id}/events", get(events::follow))
        .route("/webhooks/deliveries", get(webhooks::list))
        .route(
            "/webhooks/deliveries/redeliver-failed",
            post(webhooks::redeliver_failed),
        )
        .route("/webhooks/deliveries/{id}", get(webhooks::get))
        .route("/webhooks/deliveries/{id}/redeliver", post(webhooks::redeliver))
        .route("/webhooks/test", post(webhooks::test))
        .route("/models", get(models::list))
        .route("/models/{slug}", get(models::get))
        .route(
            "/uploads",
            post(uploads::create).layer(DefaultBodyLimit::disable()),
        )
        .route("/balance", get(balance::balance))
        .fallback(unknown_path)
        .method_not_allowed_fallback(wrong_method)
        .layer(gate.clone());

    Router::new()
        .nest(BASE_PATH, api)
        // The router takes this one spelling for a path beside the nest.
        .route(&format!("{BASE_PATH}/"), any(unknown_path).layer(gate))
        .route("/media/{name}", get(media::get).options(media::preflight))
        .route(
            "/media/{name}/preview",
            get(media::preview).options(media::preflight),
        )
        .route("/callbacks/{token}", post(callbacks::tell))
        .route("/openapi.json", get(openapi::get))
        .route("/healthz", get(health::healthz))
        .route("/readyz", get(health::readyz))
        .fallback(unknown_path)
        .method_not_allowed_fallback(wrong_method)
        .layer(middleware::from_fn(hear_out::hear_out))
        .layer(CatchPanicLayer::custom(request_id::panicked))
        .layer(middleware::from_fn_with_state(app.clone(), request_id::trace))
        .layer(Extension(openapi::Served::new(app, &surface.public_url)))
        .layer(Extension(surface.readiness))
        .with_state(app.clone())
}

async fn unknown_path(OriginalUri(uri): OriginalUri) -> ApiError {
    let path: String = uri.path().chars().take(200).collect();
    ApiError::not_found(format!("there is nothing at `{path}`"))
}

async fn wrong_method() -> ApiError {
    ApiError::method_not_allowed()
}

//! The list of routes.

use atelier_app::App;
use axum::{
    Extension, Router,
    extract::DefaultBodyLimit,
    middleware,
    routing::{any, delete, get, post},
};
use tower_http::catch_panic::CatchPanicLayer;

use crate::{
    balance, base_path::BASE_PATH, callbacks, client_address::TrustedProxies, collections, counts, deletion,
    direct_uploads, drain_body, endpoints, error::ApiError, events, gate, generations, health, mcp, media,
    models, openai, openapi, request_id, requests, unknown_path::unknown_path, uploads, verify, webhooks,
};

/// The settings of the routes, besides the use cases.
#[derive(Debug, Clone, Default)]
pub struct Surface {
    pub readiness: health::Readiness,
    /// The origin in the OpenAPI document, without a trailing slash.
    pub public_url: String,
    /// The proxies that are trusted to name the address of a client.
    pub trusted_proxies: Vec<ipnet::IpNet>,
}

/// Every route of the API.
pub fn router(app: &App, surface: Surface) -> Router {
    let gate = middleware::from_fn_with_state(app.clone(), gate::gate);
    let api = Router::new()
        .route("/generations", post(generations::create).get(generations::list))
        .route(
            "/generations/{id}",
            get(generations::get).delete(deletion::generation),
        )
        .route("/generations/{id}/request", get(generations::request))
        .route("/generations/{id}/cancel", post(generations::cancel))
        .route("/generations/{id}/events", get(events::follow))
        .route("/collections", get(collections::list).post(collections::create))
        .route(
            "/collections/{id}",
            get(collections::get)
                .patch(collections::rename)
                .delete(collections::delete),
        )
        .route("/collections/{id}/add", post(collections::add))
        .route("/collections/{id}/remove", post(collections::remove))
        .route("/webhooks/deliveries", get(webhooks::list))
        .route(
            "/webhooks/deliveries/redeliver-failed",
            post(webhooks::redeliver_failed),
        )
        .route("/webhooks/deliveries/{id}", get(webhooks::get))
        .route("/webhooks/deliveries/{id}/redeliver", post(webhooks::redeliver))
        .route("/webhooks/test", post(webhooks::test))
        .route("/webhook-endpoints", get(endpoints::list).post(endpoints::create))
        .route(
            "/webhook-endpoints/{id}",
            get(endpoints::get)
                .patch(endpoints::change)
                .delete(endpoints::delete),
        )
        .route("/webhook-endpoints/{id}/rotate-secret", post(endpoints::rotate))
        .route("/webhook-endpoints/{id}/test", post(endpoints::test))
        .route("/models", get(models::list))
        .route("/models/{slug}", get(models::get))
        .route(
            "/uploads",
            post(uploads::create).layer(DefaultBodyLimit::disable()),
        )
        .route("/uploads/{name}", delete(deletion::upload))
        .route("/uploads/direct", post(direct_uploads::begin))
        .route("/uploads/direct/{id}/complete", post(direct_uploads::complete))
        .route("/balance", get(balance::balance))
        .route("/balance/alert", get(endpoints::alert).put(endpoints::set_alert))
        .route("/requests", get(requests::list))
        .fallback(unknown_path)
        .method_not_allowed_fallback(wrong_method)
        .layer(gate.clone());

    let document = openapi::Served::new(app, &surface.public_url);
    // From the outside in. As one layer: each of its own would be boxed and cloned for every request.
    let around = (
        Extension(TrustedProxies(surface.trusted_proxies.into())),
        middleware::from_fn_with_state(app.clone(), request_id::trace),
        CatchPanicLayer::custom(counts::panicked),
        middleware::from_fn(drain_body::drain_body),
    );
    Router::new()
        .nest(BASE_PATH, api)
        .nest(openai::PATH, openai::router(app))
        .merge(mcp::router(app, &surface.public_url))
        // The router treats this one spelling as a path outside the nest.
        .route(&format!("{BASE_PATH}/"), any(unknown_path).layer(gate))
        // Anybody may ask, with or without a key.
        .route(
            &format!("{BASE_PATH}/verify"),
            post(verify::verify).layer(DefaultBodyLimit::disable()),
        )
        .route("/media/{name}", get(media::get).options(media::preflight))
        .route(
            "/media/{name}/preview",
            get(media::preview).options(media::preflight),
        )
        .route("/callbacks/{token}", post(callbacks::tell))
        .route("/openapi.json", get(openapi::get).layer(Extension(document)))
        .route("/healthz", get(health::healthz))
        .route("/readyz", get(health::readyz).layer(Extension(surface.readiness)))
        .fallback(unknown_path)
        .method_not_allowed_fallback(wrong_method)
        .layer(around)
        .with_state(app.clone())
}

async fn wrong_method() -> ApiError {
    ApiError::method_not_allowed()
}

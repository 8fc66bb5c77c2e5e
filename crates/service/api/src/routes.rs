//! The list of routes.

use atelier_app::App;
use axum::{
    Extension, Router,
    extract::DefaultBodyLimit,
    middleware,
    routing::{any, delete, get, post},
};

use crate::{
    around::{Around, around},
    balance,
    base_path::BASE_PATH,
    callbacks, collections, deletion, direct_uploads, endpoints,
    error::ApiError,
    events, gate, generations, health, mcp, media, models, openai, openapi, requests,
    slow_body::SlowBodyTimeout,
    unknown_path::unknown_path,
    uploads, verify, webhooks,
};

/// The settings of the routes, besides the use cases.
#[derive(Debug, Clone)]
pub struct Surface {
    pub readiness: health::Readiness,
    /// The origin in the OpenAPI document, without a trailing slash.
    pub public_url: String,
    /// The proxies that are trusted to name the address of a client.
    pub trusted_proxies: Vec<ipnet::IpNet>,
    pub slow_body: SlowBodyTimeout,
}

/// Every route of the API.
pub fn router(app: &App, surface: Surface) -> Router {
    let document = openapi::Served::new(app, &surface.public_url);
    let surroundings = Around::new(app, surface.trusted_proxies.into(), surface.slow_body);
    Router::new()
        .merge(behind_the_gate(app))
        .nest(openai::PATH, openai::router(app))
        .merge(mcp::router(app, &surface.public_url))
        // Anybody may ask, with or without a key.
        .route(
            &at("/verify"),
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
        .layer(middleware::from_fn_with_state(surroundings, around))
        .with_state(app.clone())
}

/// The path of a route of the API. They are not nested: that would box and clone every request once more, and rewrite
/// its URI.
fn at(path: &str) -> String {
    format!("{BASE_PATH}{path}")
}

/// The routes below the base path that need a key.
fn behind_the_gate(app: &App) -> Router<App> {
    Router::new()
        .route(
            &at("/generations"),
            post(generations::create).get(generations::list),
        )
        .route(
            &at("/generations/{id}"),
            get(generations::get).delete(deletion::generation),
        )
        .route(&at("/generations/{id}/request"), get(generations::request))
        .route(&at("/generations/{id}/cancel"), post(generations::cancel))
        .route(&at("/generations/{id}/events"), get(events::follow))
        .route(
            &at("/collections"),
            get(collections::list).post(collections::create),
        )
        .route(
            &at("/collections/{id}"),
            get(collections::get)
                .patch(collections::rename)
                .delete(collections::delete),
        )
        .route(&at("/collections/{id}/add"), post(collections::add))
        .route(&at("/collections/{id}/remove"), post(collections::remove))
        .route(&at("/webhooks/deliveries"), get(webhooks::list))
        .route(
            &at("/webhooks/deliveries/redeliver-failed"),
            post(webhooks::redeliver_failed),
        )
        .route(&at("/webhooks/deliveries/{id}"), get(webhooks::get))
        .route(
            &at("/webhooks/deliveries/{id}/redeliver"),
            post(webhooks::redeliver),
        )
        .route(&at("/webhooks/test"), post(webhooks::test))
        .route(
            &at("/webhook-endpoints"),
            get(endpoints::list).post(endpoints::create),
        )
        .route(
            &at("/webhook-endpoints/{id}"),
            get(endpoints::get)
                .patch(endpoints::change)
                .delete(endpoints::delete),
        )
        .route(
            &at("/webhook-endpoints/{id}/rotate-secret"),
            post(endpoints::rotate),
        )
        .route(&at("/webhook-endpoints/{id}/test"), post(endpoints::test))
        .route(&at("/models"), get(models::list))
        .route(&at("/models/{slug}"), get(models::get))
        .route(
            &at("/uploads"),
            post(uploads::create).layer(DefaultBodyLimit::disable()),
        )
        .route(&at("/uploads/{name}"), delete(deletion::upload))
        .route(&at("/uploads/direct"), post(direct_uploads::begin))
        .route(
            &at("/uploads/direct/{id}/complete"),
            post(direct_uploads::complete),
        )
        .route(&at("/balance"), get(balance::balance))
        .route(
            &at("/balance/alert"),
            get(endpoints::alert).put(endpoints::set_alert),
        )
        .route(&at("/requests"), get(requests::list))
        .route(&at(""), any(unknown_path))
        .route(&at("/"), any(unknown_path))
        .route(&at("/{*rest}"), any(unknown_path))
        .method_not_allowed_fallback(wrong_method)
        .layer(middleware::from_fn_with_state(app.clone(), gate::gate))
}

async fn wrong_method() -> ApiError {
    ApiError::method_not_allowed()
}

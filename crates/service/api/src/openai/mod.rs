//! OpenAI's interface at `/v1`, for programs that know only that one. Requests are translated to those of the API and
//! take its way: the same use cases accept, price and store the jobs. The answers wait for the jobs to end.

mod answer;
mod error;
mod form;
mod images;
mod jobs;
mod models;
mod multipart;
mod speech;
mod translate;
mod videos;
mod voices;

use atelier_app::App;
use axum::{
    Router,
    extract::DefaultBodyLimit,
    middleware,
    routing::{get, post},
};

use crate::{error::ApiError, gate, unknown_path::unknown_path};

pub(crate) use jobs::GENERATION_ID;

/// The path of the interface. Clients have it at the end of their `base_url`.
pub(crate) const PATH: &str = "/v1";

pub(crate) fn router(app: &App) -> Router<App> {
    Router::new()
        .route("/models", get(models::list))
        .route("/models/{id}", get(models::get))
        .route("/images/generations", post(images::generate))
        .route(
            "/images/edits",
            post(images::edit).layer(DefaultBodyLimit::disable()),
        )
        .route("/audio/speech", post(speech::speak))
        .route(
            "/videos",
            post(videos::create)
                .get(videos::list)
                .layer(DefaultBodyLimit::disable()),
        )
        .route("/videos/{id}", get(videos::get).delete(videos::delete))
        .route("/videos/{id}/content", get(videos::content))
        .fallback(unknown_path)
        .method_not_allowed_fallback(wrong_method)
        .layer(middleware::from_fn_with_state(app.clone(), gate::gate))
        // Open WebUI asks without a key. The catalog is public.
        .route("/audio/voices", get(voices::list))
        .layer(middleware::map_response(error::in_their_form))
}

async fn wrong_method() -> ApiError {
    ApiError::method_not_allowed()
}

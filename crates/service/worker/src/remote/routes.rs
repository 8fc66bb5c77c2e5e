//! The paths of the endpoints for remote workers.

use axum::{
    Router,
    extract::DefaultBodyLimit,
    routing::{get, post, put},
};

use super::{
    server::{self, Server},
    upload,
};

/// The path of all endpoints.
pub const BASE_PATH: &str = "/workers/v1";

/// The most bytes of a body: names of models, metadata, a piece of a file.
const BODY: usize = 4 << 20;

impl Server {
    pub fn router(&self) -> Router {
        let attempts = "/attempts/{id}/{epoch}";
        let routes = Router::new()
            .route("/hello", post(server::hello))
            .route("/claim", post(server::claim))
            .route("/renew", post(server::renew))
            .route("/give-back", post(server::give_back))
            .route(&format!("{attempts}/inputs"), get(upload::inputs))
            .route(&format!("{attempts}/inputs/{{number}}"), get(upload::input))
            .route(
                &format!("{attempts}/outputs/{{number}}"),
                get(upload::have).put(upload::piece),
            )
            .route(&format!("{attempts}/partial-image"), put(upload::partial_image))
            .route(&format!("{attempts}/store"), post(upload::store))
            .route(&format!("{attempts}/finish"), post(upload::finish))
            .route(&format!("{attempts}/note"), post(upload::note))
            .layer(DefaultBodyLimit::max(BODY))
            .with_state(self.clone());
        Router::new().nest(BASE_PATH, routes)
    }
}

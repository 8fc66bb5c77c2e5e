//! Callbacks of engines: where they report progress to this process.

use std::{
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
};

use atelier_domain::Entropy as _;
use atelier_engines::{Routes, http::Callbacks};
use axum::{
    Json, Router,
    extract::{DefaultBodyLimit, Path, State},
    http::StatusCode,
    routing::post,
};
use serde_json::Value;

use crate::{
    config::CallbackPlace,
    entropy::SystemEntropy,
    failure::Failure,
    http::{self, Http},
};

/// The most bytes of a message: logs, and a partial image.
const MOST: usize = 4 << 20;

/// Opens the callbacks of these engines: at the place that the operator chose, at the public address of the service,
/// which takes them, or for programs on this machine.
pub(crate) async fn open(
    routes: &Routes,
    place: Option<&CallbackPlace>,
    public_url: Option<&str>,
) -> Result<(), Failure> {
    let callbacks = routes.callbacks();
    if let Some(place) = place {
        let bound = listen(callbacks, place.listen).await?;
        callbacks.open(below(&place.url(bound)), new_token);
    } else if let Some(public_url) = public_url {
        callbacks.open(below(public_url), new_token);
    } else {
        let bound = listen(callbacks, (Ipv4Addr::LOCALHOST, 0).into()).await?;
        callbacks.open_locally(below(&format!("http://{bound}")), new_token);
    }
    Ok(())
}

/// Where callbacks are at an address.
fn below(url: &str) -> String {
    format!("{url}/callbacks/")
}

/// Takes callbacks at this address until the process ends.
async fn listen(callbacks: &Arc<Callbacks>, address: SocketAddr) -> Result<SocketAddr, Failure> {
    let router = Router::new()
        .route("/callbacks/{token}", post(tell))
        .layer(DefaultBodyLimit::max(MOST))
        .with_state(Arc::clone(callbacks));
    Ok(Http::serve(http::bind(address).await?, router)?.address())
}

/// A secret name of one request.
fn new_token() -> String {
    let mut token = [0; 24];
    SystemEntropy.fill(&mut token);
    hex::encode(token)
}

async fn tell(
    State(callbacks): State<Arc<Callbacks>>,
    Path(token): Path<String>,
    Json(message): Json<Value>,
) -> StatusCode {
    if callbacks.deliver(&token, message) {
        StatusCode::NO_CONTENT
    } else {
        StatusCode::NOT_FOUND
    }
}

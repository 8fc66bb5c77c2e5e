//! Callbacks of engines. A process that has no address for others, such as a worker, takes those of programs on its own
//! machine.

use std::{net::Ipv4Addr, sync::Arc};

use atelier_domain::Entropy as _;
use atelier_engines::{Routes, http::Callbacks};
use axum::{
    Json, Router,
    extract::{DefaultBodyLimit, Path, State},
    http::StatusCode,
    routing::post,
};
use serde_json::Value;
use tokio::net::TcpListener;

use crate::{entropy::SystemEntropy, failure::Failure};

/// The most bytes of a message: logs, and a partial image.
const MOST: usize = 4 << 20;

/// Opens the callbacks of these engines at the public address of the service, which takes them, or on this machine.
pub(crate) async fn open(routes: &Routes, public_url: Option<&str>) -> Result<(), Failure> {
    let Some(public_url) = public_url else {
        return listen(routes).await;
    };
    routes
        .callbacks()
        .open(format!("{public_url}/callbacks/"), new_token);
    Ok(())
}

/// Opens the callbacks of these engines for programs on this machine. They are taken until the process ends.
async fn listen(routes: &Routes) -> Result<(), Failure> {
    let cannot = |error| Failure::new(format!("cannot listen for the progress of engines: {error}"));
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
        .await
        .map_err(cannot)?;
    let address = listener.local_addr().map_err(cannot)?;
    let callbacks = routes.callbacks();
    callbacks.open_locally(format!("http://{address}/callbacks/"), new_token);
    let router = Router::new()
        .route("/callbacks/{token}", post(tell))
        .layer(DefaultBodyLimit::max(MOST))
        .with_state(Arc::clone(callbacks));
    tokio::spawn(async move {
        // It ends with the process.
        let _ = axum::serve(listener, router).await;
    });
    Ok(())
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

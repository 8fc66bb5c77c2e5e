//! Each shipped profile against a stand-in that checks its requests strictly.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicU32, Ordering},
};

use atelier_domain::{FailureCode, GenerationId, MediaKind};
use atelier_outbound::{Guard, Outbound, Timeouts};
use axum::{
    Json, Router,
    extract::{Multipart, Path, Request, State},
    http::{HeaderMap, StatusCode},
    response::IntoResponse,
    routing::{any, get, post, put},
};
use base64::{Engine as _, engine::general_purpose::STANDARD};

use super::*;
use crate::testing::{MP4, PNG, StandIn, WAV, bytes, case, endpoint};

mod behaviour;
mod control;
mod hosted;
mod limits;
mod own;

/// An engine with a shipped profile that polls quickly.
fn engine(profile: &str, url: &str) -> HttpEngine {
    let mut profile = Profile::shipped(profile).unwrap().unwrap();
    if let Some(poll) = &mut profile.poll {
        (poll.first_ms, poll.most_ms) = (5, 20);
    }
    of(profile, url, Arc::default())
}

fn of(profile: Profile, url: &str, callbacks: Arc<Callbacks>) -> HttpEngine {
    HttpEngine::new(HttpOptions {
        endpoint: endpoint("provider", url),
        profile,
        callbacks,
        rewriter: None,
    })
    .unwrap()
}

fn asserts_key(headers: &HeaderMap, name: &str, expected: &str) {
    assert_eq!(headers.get(name).unwrap(), expected);
}

async fn unexpected(request: Request) -> StatusCode {
    panic!("unexpected request to {}", request.uri())
}

/// Our id of the job's first request.
fn our_id() -> String {
    format!("{}-1", GenerationId(uuid::Uuid::from_u128(7)))
}

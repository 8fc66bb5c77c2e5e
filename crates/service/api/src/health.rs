//! `/healthz`: the process is up. `/readyz`: the store and the media storage work, and the service is not shutting
//! down. A full media or scratch folder is shown, but the service is ready with it.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use atelier_app::{App, admin::overview::Position, health::Health};
use axum::{
    Extension, Json,
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde_json::{Value, json};
use tokio::{
    sync::Mutex,
    time::{Instant, timeout_at},
};

use crate::{client_address::Client, gate};

/// How long the result of a check is reused, so that requests without a key cannot load the store.
const REUSED: Duration = Duration::from_secs(1);
/// The longest wait for an answer: common probes give up after a second.
const ANSWER: Duration = Duration::from_millis(900);

/// Whether the service accepts new requests. The code that shuts the service down shares it.
#[derive(Debug, Clone, Default)]
pub struct Readiness {
    draining: Arc<AtomicBool>,
    latest: Arc<Mutex<Option<Checked>>>,
}

/// The result of a check, and when it ended.
type Checked = (Instant, Arc<Health>);

impl Readiness {
    /// From now on `/readyz` answers 503, so that load balancers send no more requests.
    pub fn drain(&self) {
        self.draining.store(true, Ordering::Release);
    }

    /// The latest result, or a new one if it is too old. Concurrent requests share one check.
    async fn health(&self, check: impl Future<Output = Health>) -> Arc<Health> {
        let mut latest = self.latest.lock().await;
        if let Some((at, health)) = &*latest
            && at.elapsed() < REUSED
        {
            return Arc::clone(health);
        }
        let health = Arc::new(check.await);
        *latest = Some((Instant::now(), Arc::clone(&health)));
        health
    }
}

pub(crate) async fn healthz() -> Response {
    Json(json!({ "data": { "status": "ok" } })).into_response()
}

pub(crate) async fn readyz(
    State(app): State<App>,
    Extension(readiness): Extension<Readiness>,
    client: Client,
    headers: HeaderMap,
) -> Response {
    let begun = Instant::now();
    if readiness.draining.load(Ordering::Acquire) {
        return unavailable("the service is shutting down");
    }
    let health = readiness.health(app.health()).await;
    if !health.is_ready() {
        let word = |works: bool| if works { "ok" } else { "failing" };
        let (store, media) = (word(health.store), word(health.media));
        return unavailable(&format!("store: {store}, media: {media}"));
    }
    let word = |has_room: bool| if has_room { "ok" } else { "full" };
    let (media, scratch) = (word(health.room.media), word(health.room.scratch));
    let mut ready = json!({ "status": "ready", "store": "ok", "media": media, "scratch": scratch });
    if !health.engines.is_empty() && has_key(&app, (&headers, &client), begun + ANSWER).await {
        let position = |(name, position): &(String, Position)| (name.clone(), position.as_str().into());
        ready["engines"] = Value::Object(health.engines.iter().map(position).collect());
    }
    Json(json!({ "data": ready })).into_response()
}

fn unavailable(message: &str) -> Response {
    let body = json!({ "success": false, "error": { "code": "unavailable", "message": message } });
    let retry = [(header::RETRY_AFTER, "1")];
    (StatusCode::SERVICE_UNAVAILABLE, retry, Json(body)).into_response()
}

/// Whether the request comes from an account, as far as that is known by then. Only accounts learn the names of
/// engines.
async fn has_key(app: &App, (headers, client): (&HeaderMap, &Client), until: Instant) -> bool {
    if !headers.contains_key(header::AUTHORIZATION) {
        return false;
    }
    // The result of the check may be older than the store's last answer.
    let caller = timeout_at(until, gate::caller(app, headers, client, &mut None)).await;
    caller.is_ok_and(|caller| caller.is_ok())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use atelier_app::health::Room;
    use tokio::time::{advance, sleep};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn many_requests_in_one_second_share_one_check() {
        let readiness = Readiness::default();
        let checked = AtomicUsize::new(0);
        let check = || async {
            let number = checked.fetch_add(1, Ordering::Relaxed) + 1;
            sleep(Duration::from_millis(100)).await;
            Health {
                store: true,
                media: number > 1,
                room: Room {
                    media: true,
                    scratch: true,
                },
                engines: Vec::new(),
            }
        };
        let concurrent = (0..50).map(|_| readiness.health(check()));
        let results = futures::future::join_all(concurrent).await;
        assert!(results.iter().all(|health| health.store && !health.media));
        assert_eq!(checked.load(Ordering::Relaxed), 1);
        advance(Duration::from_millis(900)).await;
        assert!(!readiness.health(check()).await.media);
        advance(Duration::from_millis(100)).await;
        assert!(
            readiness.health(check()).await.media,
            "checked again after a second"
        );
        assert_eq!(checked.load(Ordering::Relaxed), 2);
    }
}

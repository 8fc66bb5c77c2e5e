//! The answers of the service to remote workers, and its refusals.

use std::time::Duration;

use atelier_testkit::{Answer, Http};
use reqwest::Method;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::{OWN, REMOTE, Worker, token};
use crate::setup::{World, cheap};

/// A worker that says only what a test wants.
pub(super) struct Hand {
    http: Http,
    worker: String,
}

impl Hand {
    pub(super) async fn join(world: &World, token: &str) -> Self {
        let http = world.server.http(token);
        // A service ignores what it does not know, as from a newer worker.
        let hello = json!({ "protocol": 7, "name": "hand", "version": "9.9.9", "surprise": [1, 2] });
        let welcome = http.post("//workers/v1/hello", &hello).await.json();
        assert_eq!(welcome["protocol"], 1);
        assert_eq!(welcome["lease_ms"], 5_000);
        let worker = welcome["worker"].as_str().unwrap().to_owned();
        Self { http, worker }
    }

    pub(super) async fn post(&self, path: &str, body: &Value) -> Answer {
        let headers = [("atelier-worker", self.worker.as_str())];
        let path = format!("//workers/v1/{path}");
        self.http.post_with(&path, body, &headers).await
    }

    /// Claims one job of these models.
    pub(super) async fn claim(&self, models: &[&str]) -> Value {
        let claim = json!({ "models": models, "max": 1, "wait_ms": 0 });
        let answer = self.post("claim", &claim).await;
        assert_eq!(answer.status, 200, "{:?}", answer.bytes);
        answer.json()["jobs"].clone()
    }

    pub(super) async fn put(&self, path: &str, bytes: impl Into<reqwest::Body>, digest: &str) -> Answer {
        let request = self.http.request(Method::PUT, &format!("//workers/v1/{path}"));
        let request = request.header("atelier-worker", &self.worker);
        self.http
            .send(request.header("atelier-sha256", digest).body(bytes))
            .await
    }
}

pub(super) fn code(answer: &Answer) -> (u16, String) {
    let code = answer.json()["error"]["code"].as_str().unwrap().to_owned();
    (answer.status.as_u16(), code)
}

#[tokio::test]
async fn only_the_worker_that_holds_an_attempt_can_write_to_it() {
    let world = World::start(REMOTE);
    let account = world.account(100);
    let (token, _) = token(&world, &[]);
    let (holder, other) = (Hand::join(&world, &token).await, Hand::join(&world, &token).await);
    let id = account.http.create(&cheap()).await;
    let jobs = holder.claim(&["image-gen-4"]).await;
    assert_eq!(jobs[0]["id"], id.as_str());
    let told = jobs[0].to_string();
    assert!(
        !told.contains(&account.name) && !told.contains("account"),
        "{told}"
    );
    let of = |epoch: i64, rest: &str| format!("attempts/{id}/{epoch}/{rest}");
    let epoch = jobs[0]["epoch"].as_i64().unwrap();
    let digest = hex::encode(Sha256::digest(b"piece"));
    let lost = (410, "lost".to_owned());
    let stale = holder
        .put(&of(epoch - 1, "outputs/0?at=0"), &b"piece"[..], &digest)
        .await;
    assert_eq!(code(&stale), lost);
    let foreign = other
        .put(&of(epoch, "outputs/0?at=0"), &b"piece"[..], &digest)
        .await;
    assert_eq!(code(&foreign), lost);
    let failure = json!({ "failure": { "code": "generation_failed", "message": "no" } });
    for (hand, epoch) in [(&holder, epoch - 1), (&holder, epoch + 1), (&other, epoch)] {
        assert_eq!(code(&hand.post(&of(epoch, "finish"), &failure).await), lost);
        assert_eq!(
            code(&hand.post(&of(epoch, "note"), &json!({ "request": "r" })).await),
            lost
        );
    }
    let torn = holder
        .put(&of(epoch, "outputs/0?at=0"), &b"piecf"[..], &digest)
        .await;
    assert_eq!(code(&torn), (400, "invalid".to_owned()));
    let whole = holder
        .put(&of(epoch, "outputs/0?at=0"), &b"piece"[..], &digest)
        .await;
    assert_eq!((whole.status.as_u16(), whole.json()), (200, json!({ "have": 5 })));
    let again = holder
        .put(&of(epoch, "outputs/0?at=0"), &b"piece"[..], &digest)
        .await;
    assert_eq!((again.status.as_u16(), again.json()), (409, json!({ "have": 5 })));
    let unsent = json!({ "files": [{ "size": 9, "sha256": "0" }] });
    let unsent = holder.post(&of(epoch, "store"), &unsent).await;
    assert_eq!(code(&unsent), (409, "conflict".to_owned()));
    let ended = holder.post(&of(epoch, "finish"), &failure).await;
    assert_eq!(ended.json()["outcome"], "generation_failed");
    assert_eq!(
        code(&holder.post(&of(epoch, "finish"), &failure).await),
        lost,
        "once"
    );
    assert_eq!(account.credits().await, 100);
    assert_eq!(world.scratch(), Vec::<String>::new());
}

#[tokio::test]
async fn a_token_claims_nothing_beyond_its_limits() {
    let world = World::start(REMOTE);
    let account = world.account(100);
    let (elsewhere, _) = token(&world, &["--engine", "other"]);
    let (flux, _) = token(&world, &["--engine", "gpu", "--model", "flux-*"]);
    account.http.create(&cheap()).await;
    let all = ["image-gen-4", "flux-1-dev"];
    assert_eq!(Hand::join(&world, &elsewhere).await.claim(&all).await, json!([]));
    let flux = Hand::join(&world, &flux).await;
    assert_eq!(flux.claim(&all).await, json!([]));
    let request = json!({ "model": "flux-1-dev", "prompt": "a fox" });
    let id = account.http.create(&request).await;
    assert_eq!(
        flux.claim(&["image-gen-4"]).await,
        json!([]),
        "it does not serve the model"
    );
    assert_eq!(flux.claim(&all).await[0]["id"], id.as_str());
    let (stranger, known) = (world.server.http("atw_unknown"), world.server.http(&account.key));
    for http in [stranger, known] {
        let hello = json!({ "protocol": 1, "name": "n", "version": "1" });
        let refused = http.post("//workers/v1/hello", &hello).await;
        assert_eq!(code(&refused), (401, "token_refused".to_owned()));
    }
    let nobody = flux
        .http
        .post("//workers/v1/claim", &json!({ "models": [], "max": 1 }))
        .await;
    assert_eq!(code(&nobody), (404, "unknown_worker".to_owned()));
}

#[tokio::test]
async fn a_revoked_token_ends_at_once_and_its_jobs_are_run_by_others() {
    let world = World::start(REMOTE);
    let account = world.account(100);
    let (first, id) = token(&world, &[]);
    let hand = Hand::join(&world, &first).await;
    let mut joined = Worker::join(&world.server.origin(), &first, "joined", OWN);
    let job = account.http.create(&cheap()).await;
    // The worker may have been quicker.
    assert_eq!(account.http.wait(&job).await["status"], "completed");
    let revoked = world.server.json(&["workers", "revoke-token", &id]);
    assert_eq!(revoked["name"], "box");
    let claim = hand
        .post("claim", &json!({ "models": ["image-gen-4"], "max": 1 }))
        .await;
    assert_eq!(code(&claim), (401, "token_refused".to_owned()));
    let renewed = hand.post("renew", &json!({ "held": [] })).await;
    assert_eq!(code(&renewed), (401, "token_refused".to_owned()));
    let until = std::time::Instant::now() + Duration::from_secs(15);
    let status = loop {
        if let Some(status) = joined.child.as_mut().unwrap().try_wait().unwrap() {
            break status;
        }
        assert!(std::time::Instant::now() < until, "{}", joined.log());
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    assert_eq!(status.code(), Some(1), "{}", joined.log());
    assert!(
        joined.log().contains("the service refuses the token"),
        "{}",
        joined.log()
    );
    // The jobs of a worker go to others when its lease ends.
    let (second, id) = token(&world, &[]);
    let hand = Hand::join(&world, &second).await;
    let job = account.http.create(&cheap()).await;
    assert_eq!(hand.claim(&["image-gen-4"]).await[0]["id"], job.as_str());
    world.server.json(&["workers", "revoke-token", &id]);
    let (third, _) = token(&world, &[]);
    let _worker = Worker::join(&world.server.origin(), &third, "third", OWN);
    assert_eq!(account.http.wait(&job).await["status"], "completed");
    assert_eq!(account.credits().await, 92);
}

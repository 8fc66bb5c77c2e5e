//! Webhook deliveries: claimed like jobs, signed over their stored bytes, sent through the guard, recorded.
//! A host that is slow fills its own places only.

use std::{sync::Arc, time::Duration};

use atelier_app::{
    App,
    webhooks::{event, schedule::Met, sign},
};
use atelier_domain::{Attempt, Delivery, SigningSecrets, Timestamp};
use atelier_outbound::{Outbound, Refused};
use atelier_store::{ClaimDeliveries, ClaimedDelivery, RecordAttempt};
use futures::StreamExt as _;
use reqwest::{Response, header};
use tokio::time::Instant;
use url::Url;

use crate::{
    Worker,
    places::{Permit, Places},
};

const USER_AGENT: &str = concat!("atelier/", env!("CARGO_PKG_VERSION"));
/// How much of an answer is kept.
const RESPONSE_BYTES: usize = 1_024;
/// What is left of a lease after an attempt, to write it down.
const TO_RECORD: Duration = Duration::from_secs(5);

/// Who sends, and how much at a time.
#[derive(Debug)]
pub(crate) struct Sender {
    outbound: Outbound,
    places: Places,
}

impl Sender {
    pub(crate) fn new(outbound: Outbound, max: u32, per_host: u32) -> Self {
        Self {
            outbound,
            places: Places::new(max, per_host),
        }
    }

    /// A place for a delivery to this URL, if there is one right now.
    pub(crate) fn reserve(&self, url: &str) -> Option<Permit> {
        self.places.reserve(event::host(url))
    }
}

impl Worker {
    /// How long a delivery is leased for: waiting for its turn, its timeout, and time to write it down.
    pub(crate) fn webhook_lease(&self) -> Duration {
        self.options.webhook_timeout * 2 + Duration::from_secs(20)
    }

    /// Attempts a delivery that has been leased at `leased_at`, in the background and in its turn.
    pub(crate) fn deliver(
        self: &Arc<Self>,
        claimed: ClaimedDelivery,
        mut permit: Permit,
        leased_at: Instant,
    ) {
        permit.tell(self.app.clone());
        let worker = Arc::clone(self);
        self.running.spawn(async move {
            let turn = worker.webhooks.places.turn(&permit).await;
            let needed = worker.options.webhook_timeout + TO_RECORD;
            if leased_at.elapsed() + needed < worker.webhook_lease() {
                attempt(&worker, claimed).await;
            } else {
                tracing::debug!(id = %claimed.delivery.id, "a delivery had no turn in time: its lease will run out");
            }
            drop(turn);
            drop(permit);
        });
    }
}

/// Looks for due deliveries until the worker closes.
pub(crate) async fn run(worker: Arc<Worker>) {
    let app = worker.app.clone();
    loop {
        let (max, in_flight) = worker.webhooks.places.room();
        let leased_at = Instant::now();
        let claimed = if max == 0 {
            Vec::new()
        } else {
            let claim = ClaimDeliveries {
                worker: worker.id,
                max,
                per_host: worker.webhooks.places.per_host(),
                in_flight,
                now: app.now(),
                lease_until: app.now().plus(worker.webhook_lease()),
            };
            app.store().claim_deliveries(claim).await.unwrap_or_else(|error| {
                tracing::warn!(%error, "no deliveries could be claimed");
                Vec::new()
            })
        };
        let found = !claimed.is_empty();
        for delivery in claimed {
            let permit = worker.webhooks.places.reserve_claimed(delivery.host.clone());
            worker.deliver(delivery, permit, leased_at);
        }
        if found && !worker.closing.is_cancelled() {
            continue;
        }
        let pause = next_due(&app, worker.options.poll).await;
        tokio::select! {
            () = worker.closing.cancelled() => return,
            () = app.hints().delivery_due() => {}
            () = tokio::time::sleep(pause) => {}
        }
    }
}

/// How long nothing is due, `longest` at most.
async fn next_due(app: &App, longest: Duration) -> Duration {
    match app.store().next_delivery_due().await {
        Ok(Some(at)) => at.since(app.now()).clamp(Duration::from_millis(20), longest),
        Ok(None) => longest,
        Err(error) => {
            tracing::warn!(%error, "due deliveries could not be looked for");
            longest
        }
    }
}

async fn attempt(worker: &Worker, claimed: ClaimedDelivery) {
    let ClaimedDelivery {
        delivery,
        epoch,
        secrets,
        ..
    } = claimed;
    let app = &worker.app;
    let (at, begun) = (app.now(), Instant::now());
    let sent = send(worker, &delivery, &secrets, at).await;
    let latency_ms = begun.elapsed().as_millis() as u32;
    let made = delivery.attempts.saturating_sub(delivery.attempts_before) + 1;
    let next = app
        .settings()
        .webhook_schedule
        .next(made, sent.met, app.now(), app.entropy());
    let outcome = match next {
        atelier_store::NextAttempt::Delivered => "delivered",
        atelier_store::NextAttempt::GivenUp => "given_up",
        atelier_store::NextAttempt::At(_) => "retried",
    };
    metrics::counter!("atelier_webhook_attempts_total", "outcome" => outcome).increment(1);
    let attempt = Attempt {
        at,
        latency_ms,
        status: sent.status,
        error: sent.error,
        response: sent.response,
    };
    let record = RecordAttempt {
        id: delivery.id,
        epoch,
        attempt,
        next,
    };
    match app.store().record_attempt(record).await {
        Ok(true) => {}
        Ok(false) => {
            tracing::debug!(id = %delivery.id, "a delivery was somebody else's by the time it was sent");
        }
        // Its lease runs out and it is sent again: receivers know the delivery by its id.
        Err(error) => tracing::warn!(id = %delivery.id, %error, "an attempt could not be recorded"),
    }
}

/// What an attempt met.
struct Sent {
    met: Met,
    status: Option<u16>,
    error: Option<String>,
    response: Option<String>,
}

impl Sent {
    fn failed(met: Met, error: String) -> Self {
        Self {
            met,
            status: None,
            error: Some(error),
            response: None,
        }
    }
}

async fn send(worker: &Worker, delivery: &Delivery, secrets: &SigningSecrets, at: Timestamp) -> Sent {
    let Ok(url) = delivery.url.parse::<Url>() else {
        return Sent::failed(Met::Refused, "the URL cannot be read".to_owned());
    };
    let mut request = match worker.webhooks.outbound.post(&url) {
        Ok(request) => request,
        Err(refused) => return Sent::failed(Met::Refused, refused.to_string()),
    };
    request = request
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::USER_AGENT, USER_AGENT)
        .header("x-service-event", delivery.event.as_str())
        .header("x-service-delivery", delivery.id.to_string());
    for (name, value) in sign::headers(secrets, delivery.id, at, &delivery.body) {
        request = request.header(name, value);
    }
    match request.body(delivery.body.clone()).send().await {
        Ok(response) => answered(response).await,
        Err(error) => match Refused::within(&error) {
            Some(refused) => Sent::failed(Met::Refused, refused.to_string()),
            None if error.is_timeout() => {
                Sent::failed(Met::Nothing, "no answer within the time limit".to_owned())
            }
            None if error.is_connect() => {
                Sent::failed(Met::Nothing, "no connection could be made".to_owned())
            }
            None => Sent::failed(
                Met::Nothing,
                "the connection broke before an answer came".to_owned(),
            ),
        },
    }
}

async fn answered(response: Response) -> Sent {
    let status = response.status();
    let retry_after = atelier_outbound::retry_after(response.headers()).map(|wait| wait.as_secs());
    let error = (!status.is_success()).then(|| match status.as_u16() {
        300..=399 => format!("it answered {status}: redirects are not followed"),
        _ => format!("it answered {status}"),
    });
    let met = Met::Answer {
        status: status.as_u16(),
        retry_after,
    };
    let mut kept = Vec::new();
    let mut body = response.bytes_stream();
    while let Some(Ok(chunk)) = body.next().await {
        kept.extend_from_slice(&chunk[..chunk.len().min(RESPONSE_BYTES - kept.len())]);
        if kept.len() == RESPONSE_BYTES {
            break;
        }
    }
    let response = (!kept.is_empty()).then(|| String::from_utf8_lossy(&kept).into_owned());
    Sent {
        met,
        status: Some(status.as_u16()),
        error,
        response,
    }
}

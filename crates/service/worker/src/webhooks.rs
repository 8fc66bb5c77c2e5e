//! Webhook deliveries: claimed like jobs, signed over their stored bytes, sent through the guard, recorded.
//! A slow host fills only its own places.

use std::{sync::Arc, time::Duration};

use atelier_app::{
    System,
    webhooks::{
        event,
        schedule::Met,
        sending::{DueDelivery, Room},
        sign,
    },
};
use atelier_domain::{Attempt, Delivery, SigningSecrets, Timestamp};
use atelier_outbound::{Outbound, Refused};
use futures::StreamExt as _;
use reqwest::{Response, header};
use tokio::time::Instant;
use url::Url;

use crate::{
    Node,
    places::{Permit, Places},
};

const USER_AGENT: &str = concat!("atelier/", env!("CARGO_PKG_VERSION"));
/// How much of an answer is kept.
const RESPONSE_BYTES: usize = 1_024;
/// The part of a lease that is kept for recording the attempt.
const TO_RECORD: Duration = Duration::from_secs(5);

/// The client that sends, and how much it may send at a time.
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

impl Node {
    /// How long a delivery is leased for: its wait for a turn, its timeout, and time to record it.
    pub(crate) fn webhook_lease(&self) -> Duration {
        self.options.webhook_timeout * 2 + Duration::from_secs(20)
    }

    /// Attempts a delivery that was leased at `leased_at`, in the background and in its turn.
    pub(crate) fn deliver(self: &Arc<Self>, due: DueDelivery, mut permit: Permit, leased_at: Instant) {
        permit.hint(self.system.clone());
        let node = Arc::clone(self);
        self.running.spawn(async move {
            let turn = node.webhooks.places.turn(&permit).await;
            let needed = node.options.webhook_timeout + TO_RECORD;
            if leased_at.elapsed() + needed < node.webhook_lease() {
                let (attempt, met) = attempt(&node, &due).await;
                // While it waits to be recorded, the next one is sent.
                drop(turn);
                record(&node, &due, attempt, met).await;
            } else {
                tracing::debug!(id = %due.delivery.id, "a delivery had no turn in time: its lease will end");
            }
        });
    }
}

/// Looks for due deliveries until the worker closes.
pub(crate) async fn run(node: Arc<Node>) {
    let system = node.system.clone();
    loop {
        if let Err(error) = system.tell_endpoints().await {
            tracing::warn!(%error, "endpoints could not be told of events");
        }
        let (max, in_flight) = node.webhooks.places.room();
        let leased_at = Instant::now();
        let claimed = if max == 0 {
            Vec::new()
        } else {
            let room = Room {
                max,
                per_host: node.webhooks.places.per_host(),
                in_flight,
            };
            let claimed = system.claim_deliveries(node.id, room, node.webhook_lease());
            claimed.await.unwrap_or_else(|error| {
                tracing::warn!(%error, "no deliveries could be claimed");
                Vec::new()
            })
        };
        let found = !claimed.is_empty();
        for delivery in claimed {
            let permit = node.webhooks.places.reserve_claimed(delivery.host.clone());
            node.deliver(delivery, permit, leased_at);
        }
        if found && !node.closing.is_cancelled() {
            continue;
        }
        let pause = next_due(&system, node.options.poll).await;
        tokio::select! {
            () = node.closing.cancelled() => return,
            () = system.delivery_hint() => {}
            () = tokio::time::sleep(pause) => {}
        }
    }
}

/// How long until the next delivery is due, at most `longest`.
async fn next_due(system: &System, longest: Duration) -> Duration {
    match system.next_delivery_due(longest).await {
        Ok(Some(at)) => at
            .since(system.app().now())
            .clamp(Duration::from_millis(20), longest),
        Ok(None) => longest,
        Err(error) => {
            tracing::warn!(%error, "due deliveries could not be looked for");
            longest
        }
    }
}

async fn attempt(node: &Node, due: &DueDelivery) -> (Attempt, Met) {
    let (at, begun) = (node.system.app().now(), Instant::now());
    let sent = send(node, &due.delivery, &due.secrets, at).await;
    let attempt = Attempt {
        at,
        latency_ms: begun.elapsed().as_millis() as u32,
        status: sent.status,
        error: sent.error,
        response: sent.response,
    };
    (attempt, sent.met)
}

async fn record(node: &Node, due: &DueDelivery, attempt: Attempt, met: Met) {
    let (system, id) = (&node.system, due.delivery.id);
    let follows = system.follows(due, met);
    metrics::counter!("atelier_webhook_attempts_total", "outcome" => follows.label()).increment(1);
    match system.record_attempt(due, attempt, follows).await {
        Ok(true) => {}
        Ok(false) => {
            tracing::debug!(%id, "a delivery was held by somebody else by the time it was sent");
        }
        // Its lease ends and it is sent again: receivers recognise the delivery by its id.
        Err(error) => tracing::warn!(%id, %error, "an attempt could not be recorded"),
    }
}

/// The outcome of an attempt.
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

async fn send(node: &Node, delivery: &Delivery, secrets: &SigningSecrets, at: Timestamp) -> Sent {
    let Ok(url) = delivery.url.parse::<Url>() else {
        return Sent::failed(Met::Refused, "the URL is invalid".to_owned());
    };
    let mut request = match node.webhooks.outbound.post(&url) {
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
                Sent::failed(Met::Nothing, "the connection could not be made".to_owned())
            }
            None => Sent::failed(Met::Nothing, "the connection broke before the answer".to_owned()),
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

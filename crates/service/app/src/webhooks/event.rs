//! The bytes of a delivery: built once, at the end of the generation, and never changed.

use atelier_domain::{DeliveryId, Event, Generation, State, Timestamp};
use atelier_store::NewDelivery;
use serde::Serialize;
use url::Url;
use utoipa::ToSchema;

use crate::{App, generations::view::GenerationView, private::Links};

/// The body that a webhook receives.
#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookEvent {
    /// `generation.completed` or `generation.failed`; for registered endpoints also `generation.cancelled`.
    #[schema(value_type = String, example = "generation.completed")]
    pub event: Event,
    /// When the generation ended.
    pub created_at: String,
    /// The generation as `GET /generations/{id}` shows it.
    pub data: GenerationView,
}

/// The delivery of an ended generation; `None` if no webhook was asked for.
pub(crate) fn delivery(app: &App, ended: &Generation, links: &Links, now: Timestamp) -> Option<NewDelivery> {
    let url = ended.webhook_url.clone()?;
    let event = if ended.state == State::Completed {
        Event::Completed
    } else {
        Event::Failed
    };
    let body = WebhookEvent {
        event,
        created_at: now.rfc3339(),
        data: app.view(ended, links),
    };
    let body = serde_json::to_vec(&body).expect("a view has string keys only and serialises");
    let id = DeliveryId(app.entropy().uuid(now));
    Some(NewDelivery {
        id,
        event,
        host: host(&url),
        url,
        endpoint: None,
        body,
    })
}

/// The host and port of a URL, which deliveries are limited by.
pub fn host(url: &str) -> String {
    Url::parse(url).ok().map_or_else(String::new, |url| {
        format!(
            "{}:{}",
            url.host_str().unwrap_or_default(),
            url.port_or_known_default().unwrap_or_default()
        )
    })
}

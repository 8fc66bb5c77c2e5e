//! Turns what happened in accounts into deliveries to their endpoints, each event once.

use std::collections::{HashMap, hash_map};

use atelier_domain::{AccountId, DeliveryId, Endpoint, Event, Generation, State};
use atelier_store::{Happening, NewDelivery, OpenEvent, Told};
use serde::Serialize;
use serde_json::json;

use super::event::{WebhookEvent, host};
use crate::{App, Result, System};

/// Events turned into deliveries in one transaction.
const PIECE: u32 = 50;

impl System {
    /// Creates the deliveries of everything that happened and was not told yet. Returns how many there are.
    pub async fn tell_endpoints(&self) -> Result<u32> {
        let app = &self.app;
        let mut made = 0;
        loop {
            let open = app.store().open_events(PIECE).await?;
            let is_last = open.len() < PIECE as usize;
            if open.is_empty() {
                return Ok(made);
            }
            let mut endpoints: HashMap<AccountId, Vec<Endpoint>> = HashMap::new();
            let mut told = Vec::with_capacity(open.len());
            for event in open {
                let of_account = match endpoints.entry(event.account) {
                    hash_map::Entry::Occupied(known) => known.into_mut(),
                    hash_map::Entry::Vacant(new) => new.insert(app.store().endpoints(event.account).await?),
                };
                told.push(app.told(event, of_account).await?);
            }
            made += app.store().tell(told, app.now()).await?;
            if is_last {
                return Ok(made);
            }
        }
    }
}

impl App {
    /// The deliveries of one event. A generation that was deleted in the meantime has none.
    async fn told(&self, open: OpenEvent, endpoints: &[Endpoint]) -> Result<Told> {
        let (about, deliveries) = match open.what {
            Happening::End(id) => {
                let ended = self.store().generation(open.account, id).await?;
                let links = self.links_of(open.account).await?;
                let deliveries = ended.map(|ended| {
                    let body = WebhookEvent {
                        event: ending(&ended),
                        created_at: open.at.rfc3339(),
                        data: self.view(&ended, &links),
                    };
                    self.to_each(endpoints, body.event, &body)
                });
                (Some(id), deliveries.unwrap_or_default())
            }
            Happening::LowBalance { available, threshold } => {
                let event = Event::LowBalance;
                let body = json!({
                    "event": event,
                    "created_at": open.at.rfc3339(),
                    "data": { "object": "balance", "credits": available, "threshold": threshold },
                });
                (None, self.to_each(endpoints, event, &body))
            }
        };
        Ok(Told {
            event: open.id,
            account: open.account,
            about,
            deliveries,
        })
    }

    fn to_each(&self, endpoints: &[Endpoint], event: Event, body: &impl Serialize) -> Vec<NewDelivery> {
        let body = serde_json::to_vec(body).expect("a body has string keys only and serialises");
        let new = |endpoint: &Endpoint| NewDelivery {
            id: DeliveryId(self.entropy().uuid(self.now())),
            event,
            host: host(&endpoint.url),
            url: endpoint.url.clone(),
            endpoint: Some(endpoint.id),
            body: body.clone(),
        };
        endpoints.iter().filter(|one| one.wants(event)).map(new).collect()
    }
}

/// Returns the event that tells endpoints of the end of a generation.
fn ending(ended: &Generation) -> Event {
    match &ended.failure {
        _ if ended.state == State::Completed => Event::Completed,
        Some(failure) if failure.is_cancelled() => Event::Cancelled,
        _ => Event::Failed,
    }
}

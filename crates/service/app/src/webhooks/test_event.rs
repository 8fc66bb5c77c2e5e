//! A test event to a URL: through the same outbox, guard and signatures as every other.

use atelier_domain::{AccountId, AuditRecord, Clock, DeliveryId, Entropy, Event};
use atelier_outbound::Guard;
use atelier_store::{NewDelivery, Store};
use serde_json::json;

use super::{deliveries::DeliveryDetail, event::host};
use crate::{App, Caller, Error, Result};

impl App {
    /// Sends a test event of the account to a URL; its delivery tells what came of it.
    pub async fn test_webhook(&self, caller: &Caller, url: &str) -> Result<DeliveryDetail> {
        caller.may_make()?;
        let record = self.delivery_record(caller, "webhook.test", url);
        let (store, clock, entropy) = (self.store(), self.clock(), self.entropy());
        let id = send(
            store,
            clock,
            entropy,
            self.guard(),
            caller.account.id,
            url,
            record,
        )
        .await?;
        self.hints().delivery();
        self.delivery(caller, &id.to_string()).await
    }
}

/// Puts a test event into the outbox.
pub async fn send(
    store: &dyn Store,
    clock: &dyn Clock,
    entropy: &dyn Entropy,
    guard: &Guard,
    account: AccountId,
    url: &str,
    record: Option<AuditRecord>,
) -> Result<DeliveryId> {
    guard
        .check_webhook_url(url)
        .map_err(|why| Error::parameter("url", format!("`url`: {why}")))?;
    let now = clock.now();
    let id = DeliveryId(entropy.uuid(now));
    let body = json!({
        "event": Event::Test,
        "created_at": now.rfc3339(),
        "data": {
            "id": id,
            "object": "test",
            "message": "A test event: your endpoint is reached. Check the signature before you trust a body.",
        },
    });
    let new = NewDelivery {
        id,
        event: Event::Test,
        url: url.to_owned(),
        host: host(url),
        body: body.to_string().into_bytes(),
    };
    store.deliver_test(account, new, now, record).await?;
    Ok(id)
}

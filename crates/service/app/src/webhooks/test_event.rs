//! Test events: sent through the same outbox, guard and signatures as all others.

use atelier_domain::{AccountId, AuditRecord, DeliveryId, EndpointId, Event, Scope};
use atelier_store::NewDelivery;
use serde_json::json;

use super::{deliveries::DeliveryDetail, event::host};
use crate::{Admin, App, Caller, Error, Result};

impl App {
    /// Sends a test event of the account to a URL; the delivery shows the outcome.
    pub async fn test_webhook(&self, caller: &Caller, url: &str) -> Result<DeliveryDetail> {
        let account = caller.may_make(Scope::Webhooks)?.id;
        let record = self.delivery_record(caller, account, "webhook.test", url);
        let admin = self.acting(caller.actor());
        let id = admin.enqueue_test(account, (url, None), record).await?;
        self.hints().delivery();
        self.delivery(caller, &id.to_string()).await
    }
}

impl Admin {
    /// Sends a test event of the account of this name to a URL.
    pub async fn test_webhook(&self, account: &str, url: &str) -> Result<DeliveryDetail> {
        let account = self.account(account).await?;
        let record = self.delivery_record(&account, "webhook.test", url);
        let id = self.enqueue_test(account.id, (url, None), Some(record)).await?;
        self.delivery_of(&account, &id.to_string()).await
    }

    /// Puts a test event into the outbox, to a URL that may be that of an endpoint.
    pub(super) async fn enqueue_test(
        &self,
        account: AccountId,
        (url, endpoint): (&str, Option<EndpointId>),
        record: Option<AuditRecord>,
    ) -> Result<DeliveryId> {
        self.guard
            .check_webhook_url(url)
            .map_err(|why| Error::parameter("url", format!("`url`: {why}")))?;
        let now = self.now();
        let id = DeliveryId(self.entropy.uuid(now));
        let body = json!({
            "event": Event::Test,
            "created_at": now.rfc3339(),
            "data": {
                "id": id,
                "object": "test",
                "message": "A test event: your endpoint was reached. Check the signature before you trust a body.",
            },
        });
        let new = NewDelivery {
            id,
            event: Event::Test,
            url: url.to_owned(),
            host: host(url),
            endpoint,
            body: body.to_string().into_bytes(),
        };
        self.store.deliver_test(account, new, now, record).await?;
        Ok(id)
    }
}

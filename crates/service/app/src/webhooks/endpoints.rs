//! Webhook endpoints that an account registers, and the threshold of its balance.

use atelier_domain::{
    Account, AuditRecord, DeliveryId, Endpoint, EndpointId, Event, Scope, SigningSecrets, Timestamp,
};
use atelier_store::EndpointChange;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use super::deliveries::DeliveryDetail;
use crate::{App, Caller, Error, Result, accounts::secret::OVERLAP, audit, secrets};

/// The most endpoints of an account.
pub const MOST: u32 = 10;

/// A URL that is told of some events of the account.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct EndpointView {
    /// The endpoint's id.
    #[schema(example = "0190c7e0-7a1f-7a11-8b3c-5a6b7c8d9e0f")]
    pub id: String,
    /// Always `webhook_endpoint`.
    #[schema(example = "webhook_endpoint")]
    pub object: &'static str,
    /// The address to which events are sent.
    #[schema(example = "https://example.com/hooks")]
    pub url: String,
    /// The events that it is told of.
    #[schema(example = json!(["generation.completed", "account.low_balance"]))]
    pub events: Vec<&'static str>,
    /// A disabled one is told of nothing new.
    #[schema(example = true)]
    pub enabled: bool,
    /// RFC 3339, UTC, milliseconds.
    pub created_at: String,
    /// The secret that signs its deliveries. Shown only when it is new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
    /// Until when the secret before the last rotation signs beside this one in `webhook-signature`.
    pub previous_secret_until: Option<String>,
}

/// The changes to an endpoint; `None` leaves a value as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EndpointUpdate {
    pub url: Option<String>,
    /// The names of events.
    pub events: Option<Vec<String>>,
    pub enabled: Option<bool>,
}

/// When the balance counts as low.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct LowBalanceView {
    /// Always `balance_alert`.
    #[schema(example = "balance_alert")]
    pub object: &'static str,
    /// The balance is low below so many available credits; null: it never is.
    #[schema(example = 500)]
    pub threshold: Option<i64>,
    /// Since when the balance is low; null while it is not.
    pub low_since: Option<String>,
}

impl App {
    /// The account's endpoints, oldest first.
    pub async fn endpoints(&self, caller: &Caller) -> Result<Vec<EndpointView>> {
        let account = caller.account_for(&[Scope::Read, Scope::Webhooks])?.id;
        Ok(self.store().endpoints(account).await?.iter().map(view).collect())
    }

    pub async fn endpoint(&self, caller: &Caller, id: &str) -> Result<EndpointView> {
        let endpoints = self.endpoints(caller).await?;
        let found = endpoints.into_iter().find(|endpoint| endpoint.id == id);
        found.ok_or_else(|| missing(id))
    }

    /// Registers an endpoint; its secret is in the answer.
    pub async fn create_endpoint(&self, caller: &Caller, new: EndpointUpdate) -> Result<EndpointView> {
        let account = caller.account(Scope::Webhooks)?.id;
        let url = new
            .url
            .ok_or_else(|| Error::parameter("url", "`url` is required: where to send the events"))?;
        let now = self.now();
        let endpoint = Endpoint {
            id: EndpointId(self.entropy().uuid(now)),
            account,
            url: self.checked_endpoint_url(&url)?,
            events: match new.events {
                Some(names) => events(&names)?,
                None => Event::SUBSCRIBED.to_vec(),
            },
            enabled: new.enabled.unwrap_or(true),
            secrets: SigningSecrets::new(secrets::new_signing_secret(self.entropy())),
            created_at: now,
        };
        let record = self.endpoint_record(caller, "endpoint.create", &endpoint.url)?;
        let record = audit::with(record, &[("endpoint", json!(endpoint.id))]);
        if !self
            .store()
            .create_endpoint(endpoint.clone(), MOST, record)
            .await?
        {
            return Err(Error::invalid(format!(
                "the account has {MOST} webhook endpoints already, which is the most: delete one first"
            )));
        }
        Ok(with_secret(&endpoint))
    }

    pub async fn update_endpoint(
        &self,
        caller: &Caller,
        id: &str,
        update: EndpointUpdate,
    ) -> Result<EndpointView> {
        let change = EndpointChange {
            url: update
                .url
                .map(|url| self.checked_endpoint_url(&url))
                .transpose()?,
            events: update.events.map(|names| events(&names)).transpose()?,
            enabled: update.enabled,
            secret: None,
        };
        let record = self.endpoint_record(caller, "endpoint.update", id)?;
        let details = [
            ("url", json!(change.url)),
            ("enabled", json!(change.enabled)),
            (
                "events",
                json!(change.events.as_ref().map(|events| names(events))),
            ),
        ];
        let changed = self.change_endpoint(caller, id, change, audit::with(record, &details));
        Ok(view(&changed.await?))
    }

    /// Gives the endpoint another secret, which is in the answer. The one before also signs for [`OVERLAP`], in the
    /// Standard Webhooks header.
    pub async fn rotate_endpoint_secret(&self, caller: &Caller, id: &str) -> Result<EndpointView> {
        let secret = secrets::new_signing_secret(self.entropy());
        let change = EndpointChange {
            secret: Some((secret, self.now().plus(OVERLAP))),
            ..EndpointChange::default()
        };
        let record = self.endpoint_record(caller, "endpoint.rotate", id)?;
        Ok(with_secret(
            &self.change_endpoint(caller, id, change, record).await?,
        ))
    }

    async fn change_endpoint(
        &self,
        caller: &Caller,
        id: &str,
        change: EndpointChange,
        record: AuditRecord,
    ) -> Result<Endpoint> {
        let account = caller.account(Scope::Webhooks)?.id;
        let parsed = id.parse().map_err(|_| missing(id))?;
        let changed = self.store().update_endpoint(account, parsed, change, record);
        changed.await?.ok_or_else(|| missing(id))
    }

    /// Deletes an endpoint. Its undelivered events are dropped.
    pub async fn delete_endpoint(&self, caller: &Caller, id: &str) -> Result<()> {
        let account = caller.account(Scope::Webhooks)?.id;
        let parsed = id.parse().map_err(|_| missing(id))?;
        let record = self.endpoint_record(caller, "endpoint.delete", id)?;
        let deleted = self
            .store()
            .delete_endpoint(account, parsed, self.now(), record)
            .await?;
        if deleted { Ok(()) } else { Err(missing(id)) }
    }

    /// Sends a test event to the endpoint, signed with its secret; the delivery shows the outcome.
    pub async fn test_endpoint(&self, caller: &Caller, id: &str) -> Result<DeliveryDetail> {
        let account = caller.may_make(Scope::Webhooks)?.id;
        let endpoints = self.store().endpoints(account).await?;
        let endpoint = endpoints
            .into_iter()
            .find(|endpoint| endpoint.id.to_string() == id);
        let endpoint = endpoint.ok_or_else(|| missing(id))?;
        let record = self.endpoint_record(caller, "webhook.test", &endpoint.url)?;
        let to = (endpoint.url.as_str(), Some(endpoint.id));
        let admin = self.acting(caller.actor());
        let sent: DeliveryId = admin.enqueue_test(account, to, Some(record)).await?;
        self.hints().delivery();
        self.delivery(caller, &sent.to_string()).await
    }

    /// When the account's balance counts as low, and since when it is.
    pub fn low_balance(&self, caller: &Caller) -> Result<LowBalanceView> {
        Ok(low_balance(caller.account_for(&[Scope::Read, Scope::Webhooks])?))
    }

    /// Sets the credits below which the balance is low; `None`: it never is.
    pub async fn set_low_balance(&self, caller: &Caller, threshold: Option<i64>) -> Result<LowBalanceView> {
        let account = caller.account(Scope::Webhooks)?;
        if let Some(threshold @ ..0) = threshold {
            let message = format!("`threshold` must be at least 0 (got {threshold})");
            return Err(Error::parameter("threshold", message));
        }
        let record = self.endpoint_record(caller, "balance.alert", &account.name)?;
        let record = audit::with(record, &[("threshold", json!(threshold))]);
        let changed = self
            .store()
            .set_low_balance(account.id, threshold, self.now(), record)
            .await?;
        let changed = changed.ok_or_else(|| Error::NotFound("the account no longer exists".to_owned()))?;
        Ok(low_balance(&changed))
    }

    fn checked_endpoint_url(&self, url: &str) -> Result<String> {
        let checked = self.guard().check_webhook_url(url);
        checked.map_err(|why| Error::parameter("url", format!("`url`: {why}")))?;
        Ok(url.to_owned())
    }

    fn endpoint_record(&self, caller: &Caller, action: &'static str, object: &str) -> Result<AuditRecord> {
        let account = caller.account(Scope::Webhooks)?.id;
        Ok(audit::record(
            self.now(),
            &caller.actor(),
            action,
            Some(account),
            object,
        ))
    }
}

fn low_balance(account: &Account) -> LowBalanceView {
    LowBalanceView {
        object: "balance_alert",
        threshold: account.low_balance.threshold,
        low_since: account.low_balance.since.map(Timestamp::rfc3339),
    }
}

/// The events of these names, each once.
fn events(names: &[String]) -> Result<Vec<Event>> {
    let wrong = |message: String| Error::parameter("events", message);
    for name in names {
        if !Event::SUBSCRIBED.iter().any(|event| event.as_str() == name) {
            let allowed = Event::SUBSCRIBED.map(Event::as_str).join(", ");
            return Err(wrong(format!("unknown event `{name}`; allowed: {allowed}")));
        }
    }
    let asked = |event: &Event| names.iter().any(|name| name == event.as_str());
    let events: Vec<_> = Event::SUBSCRIBED.into_iter().filter(asked).collect();
    if events.is_empty() {
        return Err(wrong("`events` must name at least one event".to_owned()));
    }
    Ok(events)
}

fn names(events: &[Event]) -> Vec<&'static str> {
    events.iter().map(|event| event.as_str()).collect()
}

fn view(endpoint: &Endpoint) -> EndpointView {
    EndpointView {
        id: endpoint.id.to_string(),
        object: "webhook_endpoint",
        url: endpoint.url.clone(),
        events: names(&endpoint.events),
        enabled: endpoint.enabled,
        created_at: endpoint.created_at.rfc3339(),
        secret: None,
        previous_secret_until: endpoint
            .secrets
            .previous
            .as_ref()
            .map(|(_, until)| until.rfc3339()),
    }
}

fn with_secret(endpoint: &Endpoint) -> EndpointView {
    EndpointView {
        secret: Some(endpoint.secrets.current.clone()),
        ..view(endpoint)
    }
}

fn missing(id: &str) -> Error {
    let id: String = id.chars().take(64).collect();
    Error::NotFound(format!("there is no webhook endpoint with the id `{id}`"))
}

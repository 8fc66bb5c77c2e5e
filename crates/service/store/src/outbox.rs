//! Webhook deliveries as clients see and manage them.

use async_trait::async_trait;
use atelier_domain::{
    AccountId, Attempt, AuditRecord, Delivery, DeliveryId, DeliveryState, Event, GenerationId, Timestamp,
};

use crate::{NewDelivery, Result};

/// Reads deliveries, redelivers them, and sends tests. Changes are durable; `record` is the record of a change that a
/// user makes.
#[async_trait]
pub trait Outbox: Send + Sync + std::fmt::Debug {
    /// The account's deliveries, newest first.
    async fn list_deliveries(
        &self,
        account: AccountId,
        filter: DeliveryFilter,
        before: Option<DeliveryId>,
        limit: u32,
    ) -> Result<DeliveryPage>;
    /// A delivery of this account with its attempts, oldest first. A point read.
    async fn delivery(&self, account: AccountId, id: DeliveryId) -> Result<Option<(Delivery, Vec<Attempt>)>>;
    /// Makes an ended delivery due again, with the same id and bytes; its schedule starts again.
    async fn redeliver(
        &self,
        account: AccountId,
        id: DeliveryId,
        now: Timestamp,
        record: Option<AuditRecord>,
    ) -> Result<Redelivered>;
    /// Does the same for up to `limit` failed deliveries of the account, newest first; returns how many.
    async fn redeliver_failed(
        &self,
        account: AccountId,
        limit: u32,
        now: Timestamp,
        record: Option<AuditRecord>,
    ) -> Result<u32>;
    /// Creates a delivery without a generation.
    async fn deliver_test(
        &self,
        account: AccountId,
        new: NewDelivery,
        now: Timestamp,
        record: Option<AuditRecord>,
    ) -> Result<()>;
}

#[derive(Debug, Clone, Default)]
pub struct DeliveryFilter {
    pub state: Option<DeliveryState>,
    pub event: Option<Event>,
    pub generation: Option<GenerationId>,
}

/// Newest first.
#[derive(Debug, Clone)]
pub struct DeliveryPage {
    /// Each with its last attempt, if there was one.
    pub items: Vec<(Delivery, Option<Attempt>)>,
    /// The number of matches on all pages.
    pub total: u64,
    pub more: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Redelivered {
    Due,
    /// It has not ended; nothing was written.
    NotEnded,
    /// Its body is not kept any more; nothing was written.
    Emptied,
    NotFound,
}

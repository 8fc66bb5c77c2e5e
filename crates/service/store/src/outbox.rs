//! What clients see and do about their webhook deliveries.

use async_trait::async_trait;
use atelier_domain::{
    AccountId, Attempt, AuditRecord, Delivery, DeliveryId, DeliveryState, Event, GenerationId, Timestamp,
};

use crate::{NewDelivery, Result};

/// Reading deliveries, sending them again, and sending tests. Changes are durable; `record` is what is written
/// down of one, where a user makes it.
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
    /// One delivery with its attempts, oldest first, if it is this account's. A point read.
    async fn delivery(&self, account: AccountId, id: DeliveryId) -> Result<Option<(Delivery, Vec<Attempt>)>>;
    /// Makes an ended delivery due again: same id, same bytes, the schedule from its beginning.
    async fn redeliver(
        &self,
        account: AccountId,
        id: DeliveryId,
        now: Timestamp,
        record: Option<AuditRecord>,
    ) -> Result<Redelivered>;
    /// The same for up to `limit` of the account's failed deliveries, newest first; how many.
    async fn redeliver_failed(
        &self,
        account: AccountId,
        limit: u32,
        now: Timestamp,
        record: Option<AuditRecord>,
    ) -> Result<u32>;
    /// Puts a delivery that belongs to no generation into the outbox.
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
    /// Each with its last attempt, where one was made.
    pub items: Vec<(Delivery, Option<Attempt>)>,
    /// How many match the filter on all pages.
    pub total: u64,
    pub more: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Redelivered {
    Due,
    /// It is still on its way: nothing was written.
    NotEnded,
    NotFound,
}

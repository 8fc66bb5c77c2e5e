//! [`People`] on the connections.

use async_trait::async_trait;
use atelier_domain::{AccountId, AuditEntry, AuditRecord, Session, Timestamp, User, UserId};

use super::{
    PostgresStore, changes, people,
    write::{durable, fleeting, read, write},
};
use crate::{NewSession, People, Result, SessionUse, SignedIn, UserChange, Which};

#[async_trait]
impl People for PostgresStore {
    async fn has_operator(&self) -> Result<bool> {
        read!(self, |db| people::has_operator(db))
    }

    async fn user_by_login(&self, login: &str) -> Result<Option<(User, String)>> {
        read!(self, |db| people::user_by_login(db, login))
    }

    async fn users(&self, account: Option<AccountId>) -> Result<Vec<User>> {
        read!(self, |db| people::users(db, account))
    }

    async fn update_user(
        &self,
        id: UserId,
        change: UserChange,
        now: Timestamp,
        record: AuditRecord,
    ) -> Result<Option<User>> {
        write!(self, durable!("update_user"), |db| {
            people::update_user(db, id, &change, now, &record)
        })
    }

    async fn start_session(&self, new: NewSession, record: AuditRecord) -> Result<()> {
        write!(self, durable!("start_session"), |db| {
            people::start_session(db, &new, &record)
        })
    }

    async fn signed_in(&self, hash: &[u8; 32], now: Timestamp) -> Result<Option<SignedIn>> {
        read!(self, |db| people::signed_in(db, hash, now, self.rate_clock))
    }

    async fn touch_sessions(&self, used: Vec<SessionUse>) -> Result<()> {
        write!(self, fleeting!("touch_sessions"), |db| {
            people::touch_sessions(db, &used)
        })
    }

    async fn sessions(&self, user: UserId, now: Timestamp) -> Result<Vec<Session>> {
        read!(self, |db| people::sessions(db, user, now))
    }

    async fn end_sessions(
        &self,
        user: UserId,
        which: Which,
        now: Timestamp,
        record: AuditRecord,
    ) -> Result<u32> {
        write!(self, durable!("end_sessions"), |db| {
            people::end_sessions(db, user, which, now, &record)
        })
    }

    async fn changes(
        &self,
        account: Option<AccountId>,
        before: Option<i64>,
        limit: u32,
    ) -> Result<Vec<AuditEntry>> {
        read!(self, |db| changes::list(db, account, before, limit))
    }

    async fn changes_of_kind(
        &self,
        kind: &str,
        account: Option<AccountId>,
        before: Option<i64>,
        limit: u32,
    ) -> Result<Vec<AuditEntry>> {
        read!(self, |db| changes::of_kind(db, kind, account, before, limit))
    }
}

//! [`People`] on the writer and the readers.

use async_trait::async_trait;
use atelier_domain::{AccountId, AuditEntry, AuditRecord, Session, Timestamp, User, UserId};

use super::{
    SqliteStore, changes, people,
    writer::{durable, fleeting},
};
use crate::{NewSession, People, Result, SessionUse, SignedIn, UserChange, Which};

#[async_trait]
impl People for SqliteStore {
    async fn has_operator(&self) -> Result<bool> {
        self.readers.read(people::has_operator)
    }

    async fn user_by_login(&self, login: &str) -> Result<Option<(User, String)>> {
        self.readers.read(|db| people::user_by_login(db, login))
    }

    async fn users(&self, account: Option<AccountId>) -> Result<Vec<User>> {
        self.scan(move |db| people::users(db, account)).await
    }

    async fn update_user(
        &self,
        id: UserId,
        change: UserChange,
        now: Timestamp,
        record: AuditRecord,
    ) -> Result<Option<User>> {
        self.writer
            .write(durable!("update_user"), move |db| {
                people::update_user(db, id, &change, now, &record)
            })
            .await
    }

    async fn start_session(&self, new: NewSession, record: AuditRecord) -> Result<()> {
        self.writer
            .write(durable!("start_session"), move |db| {
                people::start_session(db, &new, &record)
            })
            .await
    }

    async fn signed_in(&self, hash: &[u8; 32], now: Timestamp) -> Result<Option<SignedIn>> {
        self.readers.read(|db| people::signed_in(db, hash, now))
    }

    async fn touch_sessions(&self, used: Vec<SessionUse>) -> Result<()> {
        self.writer
            .write(fleeting!("touch_sessions"), move |db| {
                people::touch_sessions(db, &used)
            })
            .await
    }

    async fn sessions(&self, user: UserId, now: Timestamp) -> Result<Vec<Session>> {
        self.readers.read(|db| people::sessions(db, user, now))
    }

    async fn end_sessions(
        &self,
        user: UserId,
        which: Which,
        now: Timestamp,
        record: AuditRecord,
    ) -> Result<u32> {
        self.writer
            .write(durable!("end_sessions"), move |db| {
                people::end_sessions(db, user, which, now, &record)
            })
            .await
    }

    async fn changes(
        &self,
        account: Option<AccountId>,
        before: Option<i64>,
        limit: u32,
    ) -> Result<Vec<AuditEntry>> {
        self.readers.read(|db| changes::list(db, account, before, limit))
    }

    async fn changes_of_kind(
        &self,
        kind: &str,
        account: Option<AccountId>,
        before: Option<i64>,
        limit: u32,
    ) -> Result<Vec<AuditEntry>> {
        self.readers
            .read(|db| changes::of_kind(db, kind, account, before, limit))
    }
}

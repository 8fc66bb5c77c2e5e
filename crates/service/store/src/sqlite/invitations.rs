//! Finds invitations, for those who answer them.

use atelier_domain::Invitation;
use rusqlite::Connection;

use super::row::{self, one};
use crate::Result;

pub(super) fn invitation(db: &Connection, hash: &[u8; 32]) -> Result<Option<Invitation>> {
    one(db
        .prepare_cached(
            "SELECT id, role, account, inviter, created_at, expires_at, used_at, revoked_at, account_role
             FROM invitations WHERE hash = ?1",
        )?
        .query_and_then([hash], row::invitation)?)
}

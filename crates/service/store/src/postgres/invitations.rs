//! Finds invitations, for those who answer them.

use atelier_domain::{Invitation, Timestamp};

use super::{
    error::Result,
    write::{Db, execute, row},
};
use crate::values;

const FIND_INVITATION: &str =
    "SELECT id, role, account, inviter, created_at, expires_at, used_at, revoked_at,
                                      account_role
                               FROM invitations WHERE hash = $1";

pub(super) async fn invitation(db: &Db, hash: &[u8; 32]) -> Result<Option<Invitation>> {
    let found = row(db, FIND_INVITATION, &[&hash.as_slice()]).await?;
    found.as_ref().map(values::invitation).transpose()
}

/// The same, locked until the transaction ends.
pub(super) async fn locked_invitation(db: &Db, hash: &[u8; 32]) -> Result<Option<Invitation>> {
    let sql = format!("{FIND_INVITATION} FOR NO KEY UPDATE");
    let found = row(db, &sql, &[&hash.as_slice()]).await?;
    found.as_ref().map(values::invitation).transpose()
}

pub(super) async fn use_invitation(db: &Db, hash: &[u8; 32], now: Timestamp) -> Result<()> {
    execute(
        db,
        "UPDATE invitations SET used_at = $2 WHERE hash = $1",
        &[&hash.as_slice(), &now.0],
    )
    .await?;
    Ok(())
}

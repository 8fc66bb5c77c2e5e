//! The erasure of accounts: everything about people and their work goes, a few rows at a time, and the bookkeeping
//! stays without a name. A step that was done stays done, so an erasure that was interrupted goes on where it was.
//!
//! Both databases run the statements of this file; `?1` is the account, `?2` the time or the number of rows.

use async_trait::async_trait;
use atelier_domain::{AccountId, AuditRecord, Failure, FileName, GenerationId, Timestamp};

use crate::Result;

/// How an erasure began.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ErasureBegun {
    /// Nobody can use the account any more.
    Begun,
    /// These operators belong to no other account, and would lose their access to the service.
    Operators(Vec<String>),
    /// There is no such account.
    Missing,
}

/// One step of an erasure: bounded, so that other writes wait only this long.
#[derive(Debug, Clone)]
pub struct Erase {
    pub account: AccountId,
    pub now: Timestamp,
    /// Until when the caller removes the bytes of files. Later, anybody may.
    pub lease_until: Timestamp,
    /// Jobs and files of one step, and a twentieth of the smaller rows.
    pub limit: u32,
    /// How generations end that have not ended yet.
    pub cancel: Failure,
    /// Written with the last step.
    pub record: AuditRecord,
}

/// The result of a step of an erasure.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ErasedStep {
    pub generations: u32,
    /// Those of them that had not ended.
    pub cancelled: Vec<GenerationId>,
    pub uploads: u32,
    /// Files that nobody uses any more.
    pub files: Vec<FileName>,
    pub users: u32,
    /// Nothing is left.
    pub is_done: bool,
}

#[async_trait]
pub trait Erasure: Send + Sync + std::fmt::Debug {
    /// Shuts everybody out of an account that is to be erased: revokes keys and invitations, removes members, ends the
    /// sessions of those who belong to no other account. An erasure that was begun before goes on, and is not recorded
    /// again. Durable.
    async fn begin_erasure(
        &self,
        account: AccountId,
        now: Timestamp,
        record: AuditRecord,
    ) -> Result<ErasureBegun>;
    /// Removes a part of what is left of an account whose erasure was begun. Durable.
    async fn erase(&self, step: Erase) -> Result<ErasedStep>;
}

/// How many small rows count as one of a step.
pub(crate) const SMALL_ROWS_AT_ONCE: u32 = 20;

/// The memberships of a user `u` elsewhere.
macro_rules! elsewhere {
    ($user:literal) => {
        concat!(
            "FROM members m JOIN accounts o ON o.id = m.account
             WHERE m.",
            $user,
            " = u.id AND m.account <> ?1 AND m.role <> 'none' AND o.erasing_at IS NULL"
        )
    };
}

/// The statements whose names of columns differ between the databases: `user` is a keyword in one of them.
macro_rules! people {
    ($user:literal) => {
        People {
            operators: concat!(
                "SELECT u.login FROM users u WHERE u.account = ?1 AND u.role = 'operator' AND NOT EXISTS (SELECT 1 ",
                elsewhere!($user),
                ") ORDER BY u.login"
            ),
            shut_out: &[
                concat!(
                    "UPDATE users AS u SET account = (SELECT m.account ",
                    elsewhere!($user),
                    " ORDER BY m.since, m.account LIMIT 1) WHERE u.account = ?1 AND EXISTS (SELECT 1 ",
                    elsewhere!($user),
                    ")"
                ),
                "DELETE FROM members WHERE account = ?1",
                "UPDATE sessions SET account = NULL WHERE account = ?1",
                concat!(
                    "DELETE FROM sessions WHERE ",
                    $user,
                    " IN (SELECT id FROM users WHERE account = ?1)"
                ),
                concat!(
                    "DELETE FROM identities WHERE ",
                    $user,
                    " IN (SELECT id FROM users WHERE account = ?1)"
                ),
                concat!(
                    "DELETE FROM password_resets WHERE ",
                    $user,
                    " IN (SELECT id FROM users WHERE account = ?1)"
                ),
                "DELETE FROM invitations WHERE account = ?1",
                "DELETE FROM old_keys WHERE key IN (SELECT id FROM keys WHERE account = ?1)",
            ],
            unnamed: concat!(
                "UPDATE changes AS c SET object = 'erased', details = '{}',
                     actor = CASE WHEN EXISTS (SELECT 1 FROM users u WHERE u.id = c.",
                $user,
                " AND u.account = ?1) THEN 'erased' ELSE actor END,
                     ",
                $user,
                " = CASE WHEN EXISTS (SELECT 1 FROM users u WHERE u.id = c.",
                $user,
                " AND u.account = ?1) THEN NULL ELSE ",
                $user,
                " END
                 WHERE c.id IN (SELECT id FROM changes WHERE account = ?1 AND (object <> 'erased' OR details <> '{}')
                                LIMIT ?2)"
            ),
            unsigned: concat!(
                "UPDATE changes AS c SET actor = 'erased', ",
                $user,
                " = NULL,
                     object = CASE WHEN c.object = c.actor THEN 'erased' ELSE c.object END
                 WHERE c.id IN (SELECT d.id FROM users u JOIN changes d ON d.",
                $user,
                " = u.id WHERE u.account = ?1 LIMIT ?2)"
            ),
            removed: &[
                "UPDATE invitations SET inviter = NULL WHERE inviter IN (SELECT id FROM users WHERE account = ?1)",
                "UPDATE password_resets SET issuer = NULL WHERE issuer IN (SELECT id FROM users WHERE account = ?1)",
                concat!(
                    "DELETE FROM members WHERE ",
                    $user,
                    " IN (SELECT id FROM users WHERE account = ?1)"
                ),
                "DELETE FROM spent WHERE owner = ?1 OR owner IN (SELECT id FROM keys WHERE account = ?1)",
                "DELETE FROM old_keys WHERE key IN (SELECT id FROM keys WHERE account = ?1)",
                "DELETE FROM keys WHERE account = ?1",
                "DELETE FROM webhook_endpoints WHERE account = ?1",
            ],
        }
    };
}
pub(crate) use {elsewhere, people};

/// Statements about people.
pub(crate) struct People {
    /// The operators who would lose their access. Takes the account.
    pub(crate) operators: &'static str,
    /// Run first, in this order, each with the account.
    pub(crate) shut_out: &'static [&'static str],
    /// Takes names out of the record of changes of the account. Takes the account and the number of rows.
    pub(crate) unnamed: &'static str,
    /// Does the same for what users of the account changed elsewhere.
    pub(crate) unsigned: &'static str,
    /// Run last, in this order, each with the account. The users follow.
    pub(crate) removed: &'static [&'static str],
}

/// Also run first, each with the account and the time.
pub(crate) const SHUT_OUT_AT: &[&str] = &[
    "UPDATE users SET disabled_at = coalesce(disabled_at, ?2), password = '' WHERE account = ?1",
    "UPDATE keys SET revoked_at = coalesce(revoked_at, ?2) WHERE account = ?1",
    "UPDATE webhook_endpoints SET deleted_at = coalesce(deleted_at, ?2) WHERE account = ?1",
];

/// Removes small rows, each with the account and the number of rows. A key of an answer must never lead to a generation
/// that is gone, so those keys go first.
pub(crate) const SMALL_ROWS: &[&str] = &[
    "DELETE FROM idempotency WHERE account = ?1 AND key IN (SELECT key FROM idempotency WHERE account = ?1 LIMIT ?2)",
    "DELETE FROM requests WHERE id IN (SELECT id FROM requests WHERE account = ?1 LIMIT ?2)",
    "DELETE FROM policy_decisions WHERE id IN (SELECT id FROM policy_decisions WHERE account = ?1 LIMIT ?2)",
    "DELETE FROM webhook_events WHERE id IN (SELECT id FROM webhook_events WHERE account = ?1 LIMIT ?2)",
    "DELETE FROM collected WHERE (collection, generation) IN (
         SELECT i.collection, i.generation FROM collections c JOIN collected i ON i.collection = c.id
         WHERE c.account = ?1 LIMIT ?2)",
    "DELETE FROM collections WHERE id IN (
         SELECT c.id FROM collections c WHERE c.account = ?1
             AND NOT EXISTS (SELECT 1 FROM collected i WHERE i.collection = c.id) LIMIT ?2)",
];

/// Takes the words out of the ledger.
pub(crate) const REASONS: &str = "UPDATE entries SET reason = NULL WHERE id IN (
    SELECT id FROM entries WHERE account = ?1 AND reason IS NOT NULL LIMIT ?2)";

/// Unfinished generations.
pub(crate) const UNFINISHED: &str =
    "SELECT id FROM generations WHERE account = ?1 AND ended_at IS NULL ORDER BY id LIMIT ?2";

/// Generations that have ended. One part for each index.
pub(crate) const ENDED: &[&str] = &[
    "SELECT id FROM generations WHERE account = ?1 AND state = 'completed' ORDER BY id LIMIT ?2",
    "SELECT id FROM generations WHERE account = ?1 AND state = 'failed' ORDER BY id LIMIT ?2",
    "SELECT id FROM deleted_generations WHERE account = ?1 ORDER BY id LIMIT ?2",
];

/// Removes uploads and returns their files.
pub(crate) const UPLOADS: &str = "DELETE FROM file_uses WHERE holder = ?1 AND file IN (
    SELECT file FROM file_uses WHERE holder = ?1 ORDER BY file LIMIT ?2) RETURNING file";

/// Deliveries that belong to no generation.
pub(crate) const DELIVERIES: &str = "SELECT id FROM deliveries WHERE account = ?1 ORDER BY id LIMIT ?2";

/// The statement that reduces an account to an empty shell. `?2` is the time, `?3` the new name.
pub(crate) const SHELL: &str =
    "UPDATE accounts SET name = ?3, erased_at = ?2, signing_secret = '', previous_secret = NULL,
    previous_secret_until = NULL, generations_per_minute = NULL, max_queued = NULL, max_running = NULL,
    monthly_budget = NULL, retention_days = NULL, private_media = (1 = 0),
    prompt_in_files = 'metadata' WHERE id = ?1";

/// Why the rest of the credits goes.
pub(crate) const REASON: &str = "account erased";

/// The name of an account that was erased.
pub(crate) fn shell_name(account: AccountId) -> String {
    format!("erased-{account}")
}

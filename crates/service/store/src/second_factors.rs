//! Second factors: the authenticator app of a user, and codes for the day on which it is lost.

use async_trait::async_trait;
use atelier_domain::{AuditRecord, Timestamp, UserId};

use crate::Result;

/// Second factors. Every change is durable; those that users should know of are recorded in its transaction.
#[async_trait]
pub trait SecondFactors: Send + Sync + std::fmt::Debug {
    /// A point read.
    async fn second_factor(&self, user: UserId) -> Result<Option<SecondFactor>>;
    /// Turns the second factor on. Returns false, and writes nothing, if it is on.
    async fn add_second_factor(&self, new: NewSecondFactor, record: AuditRecord) -> Result<bool>;
    /// Replaces all recovery codes. Returns false, and writes nothing, if the second factor is not on.
    async fn replace_recovery_codes(
        &self,
        user: UserId,
        codes: Vec<[u8; 32]>,
        record: AuditRecord,
    ) -> Result<bool>;
    /// Uses the code of a period. Returns false, and writes nothing, if it or a later one was used, or the secret is
    /// another one by now.
    async fn use_step(&self, user: UserId, secret: [u8; SECRET], step: i64) -> Result<bool>;
    /// Uses a recovery code. Returns false, and writes nothing, if there is no such unused code.
    async fn use_recovery_code(
        &self,
        user: UserId,
        hash: [u8; 32],
        now: Timestamp,
        record: AuditRecord,
    ) -> Result<bool>;
    /// Turns the second factor off and removes the recovery codes. Returns false, and writes nothing, if it is not on.
    async fn remove_second_factor(&self, user: UserId, record: AuditRecord) -> Result<bool>;
}

/// The bytes of a secret: as many as SHA-1 has, as RFC 4226 recommends.
pub const SECRET: usize = 20;

/// The second factor of a user, as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecondFactor {
    pub secret: [u8; SECRET],
    pub since: Timestamp,
    /// The period of the last code that was used.
    pub last_step: i64,
    /// The recovery codes that are left.
    pub codes_left: i64,
}

#[derive(Debug, Clone)]
pub struct NewSecondFactor {
    pub user: UserId,
    pub secret: [u8; SECRET],
    /// The period of the code that confirmed it.
    pub step: i64,
    /// SHA-256 of the recovery codes.
    pub codes: Vec<[u8; 32]>,
    pub at: Timestamp,
}

//! Keys with limits: changes, rotation, and the credits that each key has spent.
//!
//! The credits of a generation count on the day of its acceptance, first its hold, and then what it was charged. The
//! rows of `spent` are kept only for keys and accounts with a limit on credits. A generation that counts has the day in
//! `spent_day`; a trigger gives back what its end releases, whichever version of the program ends it.

use async_trait::async_trait;
use atelier_domain::{AccountId, AuditRecord, CreditLimit, KeyChange, KeyId, KeyRecord, Timestamp};

use crate::{Accepted, KeyUse, Result};

#[async_trait]
pub trait Keys: Send + Sync + std::fmt::Debug {
    /// Changes the name and the limits of a key that is not revoked, if `account` is set only one of this account;
    /// `None` if there is no such key. Credits that the account spent this month count at once. Durable.
    async fn update_key(
        &self,
        account: Option<AccountId>,
        id: KeyId,
        change: KeyChange,
        record: AuditRecord,
    ) -> Result<Option<KeyRecord>>;
    /// Gives a key that is not revoked another text, if `account` is set only one of this account; the present one
    /// works until `new.previous_until`, and those before it no longer than that. `None` if there is no such key.
    /// Durable.
    async fn rotate_key(
        &self,
        account: Option<AccountId>,
        id: KeyId,
        new: NewKeyText,
        record: AuditRecord,
    ) -> Result<Option<KeyRecord>>;
    /// Returns the credits that the account's keys have accepted and spent on this day and in its month.
    async fn key_spending(&self, account: AccountId, now: Timestamp) -> Result<Vec<KeySpending>>;
}

/// Another text of a key.
#[derive(Debug, Clone)]
pub struct NewKeyText {
    /// SHA-256 of the text.
    pub hash: [u8; 32],
    pub prefix: String,
    /// When it begins to work.
    pub now: Timestamp,
    pub previous_until: Timestamp,
}

/// The accepted credits of one key. Unfinished generations count with their holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeySpending {
    /// `None`: sessions, and generations from before keys were noted.
    pub key: Option<KeyId>,
    pub generations_of_month: u64,
    pub credits_of_day: i64,
    pub credits_of_month: i64,
}

/// The limits on the credits of a generation, and what counts against them.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Budgets {
    pub(crate) key_day: Budget,
    pub(crate) key_month: Budget,
    pub(crate) account_month: Budget,
}

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Budget {
    pub(crate) allowed: Option<i64>,
    pub(crate) spent: i64,
}

impl Budgets {
    /// The limits of a key and of an account, with nothing spent.
    pub(crate) fn new(key: Option<&KeyUse>, account: Option<i64>) -> Self {
        let of = |allowed| Budget { allowed, spent: 0 };
        Self {
            key_day: of(key.and_then(|key| key.credits_per_day)),
            key_month: of(key.and_then(|key| key.credits_per_month)),
            account_month: of(account),
        }
    }

    /// The refusal of a hold that the first exceeded limit does not cover.
    pub(crate) fn refuse(&self, hold: i64) -> Option<Accepted> {
        let (limit, allowed, spent) = self.exceeded(hold)?;
        Some(Accepted::Exceeded {
            limit,
            allowed,
            spent,
        })
    }

    fn exceeded(&self, hold: i64) -> Option<(CreditLimit, i64, i64)> {
        [
            (CreditLimit::KeyDay, self.key_day),
            (CreditLimit::KeyMonth, self.key_month),
            (CreditLimit::AccountMonth, self.account_month),
        ]
        .into_iter()
        .find_map(|(limit, budget)| {
            let allowed = budget.allowed?;
            let exceeds = hold > 0 && budget.spent.saturating_add(hold) > allowed;
            exceeds.then_some((limit, allowed, budget.spent))
        })
    }
}

/// The least id of a generation that was accepted at this moment or later.
pub(crate) fn first_id(at: Timestamp) -> uuid::Uuid {
    let millis = u64::try_from(at.millis()).unwrap_or(0);
    let mut bytes = [0; 16];
    bytes[..6].copy_from_slice(&millis.to_be_bytes()[2..]);
    uuid::Uuid::from_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_id_of_a_moment_is_below_all_ids_made_then() {
        let at = Timestamp(1_795_253_747_123_999);
        let made =
            uuid::Builder::from_unix_timestamp_millis(at.millis().unsigned_abs(), &[0; 10]).into_uuid();
        assert!(first_id(at) < made);
        assert!(first_id(at.plus(std::time::Duration::from_millis(1))) > made);
    }

    #[test]
    fn the_narrowest_limit_of_a_key_is_named_before_the_accounts() {
        let key = KeyUse {
            id: KeyId(uuid::Uuid::nil()),
            credits_per_day: Some(10),
            credits_per_month: Some(10),
        };
        let mut budgets = Budgets::new(Some(&key), Some(5));
        budgets.key_day.spent = 4;
        assert_eq!(budgets.exceeded(7), Some((CreditLimit::KeyDay, 10, 4)));
        assert_eq!(budgets.exceeded(6), Some((CreditLimit::AccountMonth, 5, 0)));
        assert_eq!(budgets.exceeded(5), None);
        assert_eq!(budgets.exceeded(0), None);
    }
}

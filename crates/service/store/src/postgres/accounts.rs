//! Accounts, keys, grants, and the switch of the whole API.

use std::collections::{HashMap, HashSet};

use atelier_domain::{Account, AccountId, AuditRecord, KeyId, KeyRecord, RateLimit, Timestamp};
use tokio_postgres::Row;
use uuid::Uuid;

use super::{
    changes,
    clock::{RateClock, now},
    error::Result,
    keys,
    row::{get, moment, optional_text, text, unreadable},
    write::{Db, execute, row, rows, the_row},
};
use crate::{
    AccountChange, Caller, Created, Entry, EntryKind, Grant, Granted, NewAccount, NewKey, StoreError,
    TokenTaken,
    plans::own_or_plan,
    values::{self, ACCOUNT_COLUMNS, Fields as _, account_columns, entry_columns, key_columns},
};

pub(super) async fn create(db: &Db, new: &NewAccount, record: &AuditRecord) -> Result<Created> {
    let created = insert(db, &new.account).await?;
    if created == Created::Created {
        insert_key(db, &new.key).await?;
        changes::record(db, record).await?;
    }
    Ok(created)
}

/// Creates an account without a key, with its opening credits.
pub(super) async fn insert(db: &Db, account: &Account) -> Result<Created> {
    if account.held != 0 || account.available < 0 {
        let why = "a new account must have no holds and no negative balance";
        return Err(StoreError::Internal(why.to_owned()).into());
    }
    let made = execute(
        db,
        "INSERT INTO accounts (id, name, beta, plan_name, plan_active, available, held, signing_secret,
                               generations_per_minute, generation_tat, created_at, private_media)
         VALUES ($1, $2, $3, $4, $5, $6, 0, $7, $8, 0, $9, $10)
         ON CONFLICT (name) DO NOTHING",
        &[
            &account.id.0,
            &text(&account.name),
            &account.beta,
            &optional_text(account.plan.as_ref().map(|plan| &plan.name)),
            &account.plan.as_ref().map(|plan| plan.active),
            &account.available,
            &account.signing.current,
            &account.generations_per_minute.map(i64::from),
            &account.created_at.0,
            &account.private_media,
        ],
    )
    .await?;
    if made == 0 {
        return Ok(Created::NameTaken);
    }
    if account.available > 0 {
        let at = account.created_at;
        book_grant(db, account.id, account.available, "opening credits", at).await?;
    }
    Ok(Created::Created)
}

pub(super) async fn by_id(db: &Db, id: AccountId) -> Result<Option<Account>> {
    Ok(by_ids(db, &[id]).await?.remove(&id))
}

/// The accounts with these ids.
pub(super) async fn by_ids(db: &Db, ids: &[AccountId]) -> Result<HashMap<AccountId, Account>> {
    const SQL: &str = concat!(
        "SELECT ",
        account_columns!(),
        " FROM accounts a WHERE a.id = ANY($1)"
    );
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    let account = |found| values::account(found).map(|account| (account.id, account));
    rows(db, SQL, &[&ids]).await?.iter().map(account).collect()
}

pub(super) async fn by_name(db: &Db, name: &str) -> Result<Option<Account>> {
    const SQL: &str = concat!(
        "SELECT ",
        account_columns!(),
        " FROM accounts a WHERE a.name = $1 AND a.erased_at IS NULL"
    );
    let found = row(db, SQL, &[&text(name)]).await?;
    found.as_ref().map(values::account).transpose()
}

pub(super) async fn all(db: &Db) -> Result<Vec<Account>> {
    const SQL: &str = concat!(
        "SELECT ",
        account_columns!(),
        " FROM accounts a WHERE a.erased_at IS NULL ORDER BY a.name"
    );
    rows(db, SQL, &[]).await?.iter().map(values::account).collect()
}

/// The account, locked until the transaction ends.
async fn locked(db: &Db, id: AccountId) -> Result<Option<Account>> {
    const SQL: &str = concat!(
        "SELECT ",
        account_columns!(),
        " FROM accounts a WHERE a.id = $1 FOR NO KEY UPDATE"
    );
    row(db, SQL, &[&id.0])
        .await?
        .as_ref()
        .map(values::account)
        .transpose()
}

pub(super) async fn update(
    db: &Db,
    id: AccountId,
    change: &AccountChange,
    record: &AuditRecord,
) -> Result<Option<Account>> {
    let Some(mut account) = locked(db, id).await? else {
        return Ok(None);
    };
    change.apply(&mut account);
    write(db, &account).await?;
    if change.monthly_budget.flatten().is_some() {
        keys::recount(db, id, record.at).await?;
    }
    changes::record(db, record).await?;
    Ok(Some(account))
}

pub(super) async fn rotate_secret(
    db: &Db,
    id: AccountId,
    secret: &str,
    previous_until: Timestamp,
    record: &AuditRecord,
) -> Result<Option<Account>> {
    let Some(mut account) = locked(db, id).await? else {
        return Ok(None);
    };
    account.signing = account.signing.rotated(secret, previous_until);
    write(db, &account).await?;
    changes::record(db, record).await?;
    Ok(Some(account))
}

/// Writes everything that operators and users change of an account.
async fn write(db: &Db, account: &Account) -> Result<()> {
    execute(
        db,
        "UPDATE accounts SET beta = $2, plan_name = $3, plan_active = $4, generations_per_minute = $5,
                             signing_secret = $6, previous_secret = $7, previous_secret_until = $8, max_queued = $9,
                             max_running = $10, monthly_budget = $11, retention_days = $12,
                             private_media = $13, prompt_in_files = $14
         WHERE id = $1",
        &[
            &account.id.0,
            &account.beta,
            &optional_text(account.plan.as_ref().map(|plan| &plan.name)),
            &account.plan.as_ref().map(|plan| plan.active),
            &account.generations_per_minute.map(i64::from),
            &account.signing.current,
            &account.signing.previous.as_ref().map(|(secret, _)| secret),
            &account.signing.previous.as_ref().map(|(_, until)| until.0),
            &account.queue.max_queued.map(i64::from),
            &account.queue.max_running.map(i64::from),
            &account.monthly_budget,
            &account.retention_days.map(i64::from),
            &account.private_media,
            &account.prompt_in_files.as_str(),
        ],
    )
    .await?;
    Ok(())
}

pub(super) async fn grant(db: &Db, id: AccountId, grant: &Grant) -> Result<Granted> {
    let sql = "SELECT available FROM accounts WHERE id = $1 FOR NO KEY UPDATE";
    let found = row(db, sql, &[&id.0]).await?;
    let available = found.map(|found| get(&found, 0)).transpose()?;
    let granted = grant.to(available);
    if let Granted::Done { available } = granted {
        let sql = "UPDATE accounts SET available = $2 WHERE id = $1";
        execute(db, sql, &[&id.0, &available]).await?;
        book_grant(db, id, grant.credits, &grant.reason, grant.at).await?;
        changes::record(db, &grant.record).await?;
    }
    Ok(granted)
}

pub(super) async fn grant_and_update(
    db: &Db,
    id: AccountId,
    grant: &Grant,
    change: &AccountChange,
    record: &AuditRecord,
) -> Result<Granted> {
    let granted = self::grant(db, id, grant).await?;
    if let Granted::Done { .. } = granted {
        update(db, id, change, record).await?;
    }
    Ok(granted)
}

/// Takes all credits that can be spent. The account is locked.
pub(super) async fn take_all(db: &Db, id: AccountId, reason: &str, now: Timestamp) -> Result<()> {
    let found = the_row(db, "SELECT available FROM accounts WHERE id = $1", &[&id.0]).await?;
    let available: i64 = get(&found, 0)?;
    if available > 0 {
        execute(db, "UPDATE accounts SET available = 0 WHERE id = $1", &[&id.0]).await?;
        book_grant(db, id, -available, reason, now).await?;
    }
    Ok(())
}

async fn book_grant(db: &Db, id: AccountId, credits: i64, reason: &str, at: Timestamp) -> Result<()> {
    execute(
        db,
        "INSERT INTO entries (account, kind, issued, available, held, spent, reason, at)
         VALUES ($1, $2, -$3::bigint, $3, 0, 0, $4, $5)",
        &[&id.0, &EntryKind::Grant.as_str(), &credits, &text(reason), &at.0],
    )
    .await?;
    Ok(())
}

pub(super) async fn create_key(db: &Db, key: &NewKey, record: &AuditRecord) -> Result<()> {
    insert_key(db, key).await?;
    changes::record(db, record).await
}

async fn insert_key(db: &Db, key: &NewKey) -> Result<()> {
    let record = &key.record;
    execute(
        db,
        "INSERT INTO keys (hash, id, account, name, prefix, created_at, last_used_at, revoked_at, limits)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        &[
            &key.hash.as_slice(),
            &record.id.0,
            &record.account.0,
            &text(&record.name),
            &record.prefix,
            &record.created_at.0,
            &record.last_used_at.map(|at| at.0),
            &record.revoked_at.map(|at| at.0),
            &keys::stored(&record.limits)?,
        ],
    )
    .await?;
    Ok(())
}

pub(super) async fn keys(db: &Db, account: AccountId) -> Result<Vec<KeyRecord>> {
    const SQL: &str = concat!(
        "SELECT ",
        key_columns!(),
        " FROM keys k WHERE k.account = $1 ORDER BY k.id"
    );
    rows(db, SQL, &[&account.0])
        .await?
        .iter()
        .map(values::key)
        .collect()
}

pub(super) async fn revoke_key(
    db: &Db,
    account: Option<AccountId>,
    id: KeyId,
    now: Timestamp,
    record: &AuditRecord,
) -> Result<Option<KeyRecord>> {
    const FIND: &str = concat!(
        "SELECT ",
        key_columns!(),
        " FROM keys k WHERE k.id = $1 AND ($2::uuid IS NULL OR k.account = $2) FOR NO KEY UPDATE"
    );
    let found = row(db, FIND, &[&id.0, &account.map(|account| account.0)]).await?;
    let Some(mut key) = found.as_ref().map(values::key).transpose()? else {
        return Ok(None);
    };
    if key.revoked_at.is_none() {
        key.revoked_at = Some(now);
        execute(
            db,
            "UPDATE keys SET revoked_at = $2 WHERE id = $1",
            &[&id.0, &now.0],
        )
        .await?;
        changes::record(db, &record.about(Some(key.account))).await?;
    }
    Ok(Some(key))
}

pub(super) async fn touch_keys(db: &Db, used: &[(KeyId, Timestamp)]) -> Result<()> {
    let (ids, moments): (Vec<Uuid>, Vec<i64>) = used.iter().map(|(id, at)| (id.0, at.0)).unzip();
    execute(
        db,
        "WITH used AS (SELECT k.id, max(u.at) AS at FROM keys k JOIN unnest($1::uuid[], $2::bigint[]) AS u (id, at)
                           ON u.id = k.id
                       WHERE k.last_used_at IS NULL OR k.last_used_at < u.at GROUP BY k.id),
              locked AS (SELECT k.id FROM keys k WHERE k.id IN (SELECT id FROM used) ORDER BY k.id FOR NO KEY UPDATE)
         UPDATE keys k SET last_used_at = greatest(k.last_used_at, used.at)
         FROM used JOIN locked USING (id) WHERE k.id = used.id",
        &[&ids, &moments],
    )
    .await?;
    Ok(())
}

pub(super) async fn set_api_enabled(db: &Db, enabled: bool, record: &AuditRecord) -> Result<()> {
    execute(db, "UPDATE settings SET api_enabled = $1", &[&enabled]).await?;
    changes::record(db, record).await
}

pub(super) async fn api_enabled(db: &Db) -> Result<bool> {
    get(&the_row(db, "SELECT api_enabled FROM settings", &[]).await?, 0)
}

/// Proves that reads and writes work.
pub(super) async fn check(db: &Db) -> Result<()> {
    execute(db, "UPDATE checks SET checks = checks + 1", &[]).await?;
    Ok(())
}

/// The callers with these keys, by the hash of the key.
pub(super) async fn callers(
    db: &Db,
    hashes: &[&[u8]],
    clock: RateClock,
) -> Result<HashMap<[u8; 32], Caller>> {
    macro_rules! caller {
        ($until:literal, $hash:literal, $from:literal) => {
            concat!(
                "SELECT ",
                account_columns!(),
                ", k.id, k.last_used_at, a.generation_tat, (SELECT api_enabled FROM settings WHERE id = 1), ",
                now!(),
                ", k.limits, ",
                $until,
                ", ",
                $hash,
                " FROM ",
                $from,
                " WHERE ",
                $hash,
                " = ANY($1) AND k.revoked_at IS NULL"
            )
        };
    }
    const CURRENT: &str = caller!(
        "NULL::bigint",
        "k.hash",
        "keys k JOIN accounts a ON a.id = k.account"
    );
    const ROTATED: &str = caller!(
        "o.until",
        "o.hash",
        "old_keys o JOIN keys k ON k.id = o.key JOIN accounts a ON a.id = k.account"
    );
    let mut found = rows(db, CURRENT, &[&hashes]).await?;
    if found.len() < hashes.len() {
        // Only texts that are wrong or rotated get here.
        found.splice(0..0, rows(db, ROTATED, &[&hashes]).await?);
    }
    let mut callers = HashMap::new();
    for found in found {
        let caller = Caller {
            account: values::account(&found)?,
            key: KeyId(get(&found, ACCOUNT_COLUMNS)?),
            key_last_used_at: moment(&found, ACCOUNT_COLUMNS + 1)?,
            generation_tat: Timestamp(get(&found, ACCOUNT_COLUMNS + 2)?),
            api_enabled: get(&found, ACCOUNT_COLUMNS + 3)?,
            database_now: clock.database(Timestamp(get(&found, ACCOUNT_COLUMNS + 4)?)),
            limits: found.optional_json(ACCOUNT_COLUMNS + 5)?.unwrap_or_default(),
            until: moment(&found, ACCOUNT_COLUMNS + 6)?,
        };
        let hash: &[u8] = get(&found, ACCOUNT_COLUMNS + 7)?;
        let hash = hash.try_into().map_err(|error| unreadable(&error))?;
        // The current ones come last, and win.
        callers.insert(hash, caller);
    }
    Ok(callers)
}

pub(super) async fn take_token(
    db: &Db,
    id: AccountId,
    default_per_minute: u32,
    now: Timestamp,
    clock: RateClock,
) -> Result<TokenTaken> {
    const FIND: &str = concat!(
        "SELECT ",
        own_or_plan!("generations_per_minute"),
        ", a.generation_tat, ",
        now!(),
        " FROM accounts a WHERE a.id = $1 FOR NO KEY UPDATE OF a"
    );
    let found = the_row(db, FIND, &[&id.0]).await?;
    let now = clock.decide(now, Timestamp(get(&found, 2)?));
    let rate = RateLimit::own_or(found.optional_number(0)?, default_per_minute);
    match rate.take(Timestamp(get(&found, 1)?), now) {
        Ok((tat, state)) => {
            let sql = "UPDATE accounts SET generation_tat = $2 WHERE id = $1";
            execute(db, sql, &[&id.0, &tat.0]).await?;
            Ok(TokenTaken::Taken(state))
        }
        Err(limited) => Ok(TokenTaken::Limited(limited)),
    }
}

pub(super) async fn ledger(db: &Db, account: AccountId, limit: u32) -> Result<Vec<Entry>> {
    const SQL: &str = concat!(
        "SELECT ",
        entry_columns!(),
        " FROM entries e WHERE e.account = $1 ORDER BY e.id DESC LIMIT $2"
    );
    let found = rows(db, SQL, &[&account.0, &i64::from(limit)]).await?;
    found.iter().map(values::entry).collect()
}

/// The accounts among these that exist and were not found.
pub(super) async fn others(db: &Db, accounts: &[Uuid], found: &[Row]) -> Result<HashSet<AccountId>> {
    if found.len() == accounts.len() {
        return Ok(HashSet::new());
    }
    let found: Vec<Uuid> = found.iter().map(|found| get(found, 0)).collect::<Result<_>>()?;
    let others = rows(
        db,
        "SELECT id FROM accounts WHERE id = ANY($1) AND id <> ALL($2)",
        &[&accounts, &found],
    )
    .await?;
    others.iter().map(|other| Ok(AccountId(get(other, 0)?))).collect()
}

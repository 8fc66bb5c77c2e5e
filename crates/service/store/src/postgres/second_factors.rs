//! [`SecondFactors`] over the pool.

use async_trait::async_trait;
use atelier_domain::{AuditRecord, Timestamp, UserId};

use super::{
    PostgresStore, changes,
    error::Result,
    row::{get, unreadable},
    write::{Db, durable, execute, read, row, write},
};
use crate::{NewSecondFactor, SecondFactor, SecondFactors, second_factors::SECRET};

#[async_trait]
impl SecondFactors for PostgresStore {
    async fn second_factor(&self, user: UserId) -> crate::Result<Option<SecondFactor>> {
        read!(self, |db| find(db, user))
    }

    async fn add_second_factor(&self, new: NewSecondFactor, record: AuditRecord) -> crate::Result<bool> {
        write!(self, durable!("add_second_factor"), |db| add(db, &new, &record))
    }

    async fn replace_recovery_codes(
        &self,
        user: UserId,
        codes: Vec<[u8; 32]>,
        record: AuditRecord,
    ) -> crate::Result<bool> {
        write!(self, durable!("replace_recovery_codes"), |db| replace(
            db, user, &codes, &record
        ))
    }

    async fn use_step(&self, user: UserId, secret: [u8; SECRET], step: i64) -> crate::Result<bool> {
        write!(self, durable!("use_step"), |db| use_step(db, user, secret, step))
    }

    async fn use_recovery_code(
        &self,
        user: UserId,
        hash: [u8; 32],
        now: Timestamp,
        record: AuditRecord,
    ) -> crate::Result<bool> {
        write!(self, durable!("use_recovery_code"), |db| use_code(
            db, user, hash, now, &record
        ))
    }

    async fn remove_second_factor(&self, user: UserId, record: AuditRecord) -> crate::Result<bool> {
        write!(self, durable!("remove_second_factor"), |db| remove(
            db, user, &record
        ))
    }
}

async fn find(db: &Db, user: UserId) -> Result<Option<SecondFactor>> {
    let found = row(
        db,
        "SELECT secret, at, last_step,
                (SELECT count(*) FROM recovery_codes c WHERE c.user_id = f.user_id AND c.used_at IS NULL)
         FROM second_factors f WHERE f.user_id = $1",
        &[&user.0],
    )
    .await?;
    let Some(found) = found else {
        return Ok(None);
    };
    let secret: &[u8] = get(&found, 0)?;
    Ok(Some(SecondFactor {
        secret: secret.try_into().map_err(|error| unreadable(&error))?,
        since: Timestamp(get(&found, 1)?),
        last_step: get(&found, 2)?,
        codes_left: get(&found, 3)?,
    }))
}

async fn add(db: &Db, new: &NewSecondFactor, record: &AuditRecord) -> Result<bool> {
    let added = execute(
        db,
        "INSERT INTO second_factors (user_id, secret, last_step, at) VALUES ($1, $2, $3, $4)
         ON CONFLICT DO NOTHING",
        &[&new.user.0, &new.secret.as_slice(), &new.step, &new.at.0],
    )
    .await?;
    if added == 0 {
        return Ok(false);
    }
    insert_codes(db, new.user, &new.codes).await?;
    changes::record(db, record).await?;
    Ok(true)
}

async fn replace(db: &Db, user: UserId, codes: &[[u8; 32]], record: &AuditRecord) -> Result<bool> {
    // The lock keeps two replacements from leaving the codes of both.
    let sql = "SELECT 1 FROM second_factors WHERE user_id = $1 FOR NO KEY UPDATE";
    if row(db, sql, &[&user.0]).await?.is_none() {
        return Ok(false);
    }
    remove_codes(db, user).await?;
    insert_codes(db, user, codes).await?;
    changes::record(db, record).await?;
    Ok(true)
}

async fn use_step(db: &Db, user: UserId, secret: [u8; SECRET], step: i64) -> Result<bool> {
    let used = execute(
        db,
        "UPDATE second_factors SET last_step = $3 WHERE user_id = $1 AND secret = $2 AND last_step < $3",
        &[&user.0, &secret.as_slice(), &step],
    )
    .await?;
    Ok(used == 1)
}

async fn use_code(
    db: &Db,
    user: UserId,
    hash: [u8; 32],
    now: Timestamp,
    record: &AuditRecord,
) -> Result<bool> {
    let used = execute(
        db,
        "UPDATE recovery_codes SET used_at = $3 WHERE user_id = $1 AND hash = $2 AND used_at IS NULL",
        &[&user.0, &hash.as_slice(), &now.0],
    )
    .await?;
    if used == 1 {
        changes::record(db, record).await?;
    }
    Ok(used == 1)
}

async fn remove(db: &Db, user: UserId, record: &AuditRecord) -> Result<bool> {
    let removed = execute(db, "DELETE FROM second_factors WHERE user_id = $1", &[&user.0]).await?;
    if removed == 0 {
        return Ok(false);
    }
    remove_codes(db, user).await?;
    changes::record(db, record).await?;
    Ok(true)
}

async fn insert_codes(db: &Db, user: UserId, codes: &[[u8; 32]]) -> Result<()> {
    for code in codes {
        let sql = "INSERT INTO recovery_codes (user_id, hash) VALUES ($1, $2)";
        execute(db, sql, &[&user.0, &code.as_slice()]).await?;
    }
    Ok(())
}

async fn remove_codes(db: &Db, user: UserId) -> Result<()> {
    execute(db, "DELETE FROM recovery_codes WHERE user_id = $1", &[&user.0]).await?;
    Ok(())
}

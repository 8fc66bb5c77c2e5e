//! [`SecondFactors`] on the writer and the readers.

use async_trait::async_trait;
use atelier_domain::{AuditRecord, Timestamp, UserId};
use rusqlite::{Connection, OptionalExtension as _, params};

use super::{SqliteStore, changes, writer::durable};
use crate::{NewSecondFactor, Result, SecondFactor, SecondFactors, second_factors::SECRET};

#[async_trait]
impl SecondFactors for SqliteStore {
    async fn second_factor(&self, user: UserId) -> Result<Option<SecondFactor>> {
        self.readers.read(|db| find(db, user))
    }

    async fn add_second_factor(&self, new: NewSecondFactor, record: AuditRecord) -> Result<bool> {
        self.writer
            .write(durable!("add_second_factor"), move |db| add(db, &new, &record))
            .await
    }

    async fn replace_recovery_codes(
        &self,
        user: UserId,
        codes: Vec<[u8; 32]>,
        record: AuditRecord,
    ) -> Result<bool> {
        self.writer
            .write(durable!("replace_recovery_codes"), move |db| {
                if find(db, user)?.is_none() {
                    return Ok(false);
                }
                remove_codes(db, user)?;
                insert_codes(db, user, &codes)?;
                changes::record(db, &record)?;
                Ok(true)
            })
            .await
    }

    async fn use_step(&self, user: UserId, secret: [u8; SECRET], step: i64) -> Result<bool> {
        self.writer
            .write(durable!("use_step"), move |db| {
                let sql = "UPDATE second_factors SET last_step = ?3
                           WHERE user = ?1 AND secret = ?2 AND last_step < ?3";
                let used = db.prepare_cached(sql)?.execute(params![user.0, secret, step])?;
                Ok(used == 1)
            })
            .await
    }

    async fn use_recovery_code(
        &self,
        user: UserId,
        hash: [u8; 32],
        now: Timestamp,
        record: AuditRecord,
    ) -> Result<bool> {
        self.writer
            .write(durable!("use_recovery_code"), move |db| {
                let sql =
                    "UPDATE recovery_codes SET used_at = ?3 WHERE user = ?1 AND hash = ?2 AND used_at IS NULL";
                let used = db.prepare_cached(sql)?.execute(params![user.0, hash, now.0])? == 1;
                if used {
                    changes::record(db, &record)?;
                }
                Ok(used)
            })
            .await
    }

    async fn remove_second_factor(&self, user: UserId, record: AuditRecord) -> Result<bool> {
        self.writer
            .write(durable!("remove_second_factor"), move |db| {
                let sql = "DELETE FROM second_factors WHERE user = ?1";
                if db.prepare_cached(sql)?.execute([user.0])? == 0 {
                    return Ok(false);
                }
                remove_codes(db, user)?;
                changes::record(db, &record)?;
                Ok(true)
            })
            .await
    }
}

fn find(db: &Connection, user: UserId) -> Result<Option<SecondFactor>> {
    let found = db
        .prepare_cached(
            "SELECT secret, at, last_step,
                    (SELECT count(*) FROM recovery_codes c WHERE c.user = f.user AND c.used_at IS NULL)
             FROM second_factors f WHERE f.user = ?1",
        )?
        .query_row([user.0], |row| {
            Ok(SecondFactor {
                secret: row.get(0)?,
                since: Timestamp(row.get(1)?),
                last_step: row.get(2)?,
                codes_left: row.get(3)?,
            })
        })
        .optional()?;
    Ok(found)
}

fn add(db: &Connection, new: &NewSecondFactor, record: &AuditRecord) -> Result<bool> {
    let added = db
        .prepare_cached(
            "INSERT INTO second_factors (user, secret, last_step, at) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT DO NOTHING",
        )?
        .execute(params![new.user.0, new.secret, new.step, new.at.0])?;
    if added == 0 {
        return Ok(false);
    }
    insert_codes(db, new.user, &new.codes)?;
    changes::record(db, record)?;
    Ok(true)
}

fn insert_codes(db: &Connection, user: UserId, codes: &[[u8; 32]]) -> Result<()> {
    let mut insert = db.prepare_cached("INSERT INTO recovery_codes (user, hash) VALUES (?1, ?2)")?;
    for code in codes {
        insert.execute(params![user.0, code])?;
    }
    Ok(())
}

fn remove_codes(db: &Connection, user: UserId) -> Result<()> {
    db.prepare_cached("DELETE FROM recovery_codes WHERE user = ?1")?
        .execute([user.0])?;
    Ok(())
}

//! Deletion: the uses of stored files, what accounts delete, and what gets too old.

use async_trait::async_trait;
use atelier_domain::{AccountId, FileFacts, FileName, GenerationId, MediaType, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::{
    SqliteStore, changes, expiry, private,
    removal::{release, remove},
    row::{self, one},
    writer::{durable, fleeting},
};
use crate::{
    DeletedGeneration, Deletion, Expire, ExpiredStep, Gone, History, Holder, Recorded, Removal, Result,
    UploadedFile,
    values::{deleted_generation_columns, unreadable},
};

#[async_trait]
impl History for SqliteStore {
    async fn record_file(
        &self,
        name: &FileName,
        facts: &FileFacts,
        holder: Holder,
        now: Timestamp,
    ) -> Result<Recorded> {
        let (name, facts) = (name.clone(), facts.clone());
        self.writer
            .write(durable!("record_file"), move |db| {
                record_file(db, &name, &facts, holder, now)
            })
            .await
    }

    async fn gone(&self, name: &FileName) -> Result<Option<Gone>> {
        self.readers.read(|db| gone(db, name))
    }

    async fn is_private(&self, name: &FileName) -> Result<bool> {
        self.readers.read(|db| private::is_private(db, name))
    }

    async fn is_file_of(&self, name: &FileName, account: AccountId) -> Result<bool> {
        self.readers.read(|db| private::is_file_of(db, name, account))
    }

    async fn uploads(
        &self,
        account: AccountId,
        after: Option<FileName>,
        limit: u32,
    ) -> Result<Vec<UploadedFile>> {
        self.scan_of(account, move |db| uploads(db, account, after.as_ref(), limit))
            .await
    }

    async fn delete_generation(
        &self,
        account: AccountId,
        id: GenerationId,
        deletion: Deletion,
    ) -> Result<Removal> {
        self.writer
            .write(durable!("delete_generation"), move |db| {
                delete_generation(db, account, id, &deletion)
            })
            .await
    }

    async fn deleted_generation(
        &self,
        account: AccountId,
        id: GenerationId,
    ) -> Result<Option<DeletedGeneration>> {
        self.readers.read(|db| deleted(db, account, id))
    }

    async fn delete_upload(
        &self,
        account: AccountId,
        name: &FileName,
        deletion: Deletion,
    ) -> Result<Removal> {
        let name = name.clone();
        self.writer
            .write(durable!("delete_upload"), move |db| {
                delete_upload(db, account, &name, &deletion)
            })
            .await
    }

    async fn claim_deleted_files(
        &self,
        now: Timestamp,
        lease_until: Timestamp,
        limit: u32,
    ) -> Result<Vec<FileName>> {
        self.writer
            .write(durable!("claim_deleted_files"), move |db| {
                claim_deleted_files(db, now, lease_until, limit)
            })
            .await
    }

    async fn files_removed(&self, names: &[FileName]) -> Result<()> {
        let names = names.to_vec();
        self.writer
            .write(fleeting!("files_removed"), move |db| files_removed(db, &names))
            .await
    }

    async fn expire(&self, step: Expire) -> Result<ExpiredStep> {
        self.writer
            .write(durable!("expire"), move |db| expiry::expire(db, &step))
            .await
    }
}

fn record_file(
    db: &Connection,
    name: &FileName,
    facts: &FileFacts,
    holder: Holder,
    now: Timestamp,
) -> Result<Recorded> {
    let deleted: Option<Option<i64>> = db
        .prepare_cached("SELECT due_at FROM deleted_files WHERE name = ?1")?
        .query_row([name.as_str()], |row| row.get(0))
        .optional()?;
    if gone(db, name)? == Some(Gone::TakenDown) {
        return Ok(Recorded::TakenDown);
    }
    match deleted {
        Some(Some(_)) => return Ok(Recorded::Leaving),
        Some(None) => {
            db.prepare_cached("DELETE FROM deleted_files WHERE name = ?1")?
                .execute([name.as_str()])?;
        }
        None => {}
    }
    let new = db
        .prepare_cached(
            "INSERT INTO files (name, media_type, size, width, height, duration, recorded_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (name) DO NOTHING",
        )?
        .execute(params![
            name.as_str(),
            facts.media_type.mime(),
            i64::try_from(facts.size).unwrap_or(i64::MAX),
            facts.width,
            facts.height,
            facts.duration,
            now.0,
        ])?;
    // An upload that comes again is as young as a new one.
    db.prepare_cached(
        "INSERT INTO file_uses (holder, file, kind, at) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (holder, file) DO UPDATE SET at = excluded.at WHERE kind = 'upload'",
    )?
    .execute(params![holder.id(), name.as_str(), holder.kind(), now.0])?;
    if let Some(sql) = holder.is_gone() {
        let is_gone: bool = db
            .prepare_cached(sql)?
            .query_row([holder.id()], |row| row.get(0))?;
        if is_gone {
            db.prepare_cached("DELETE FROM file_uses WHERE holder = ?1 AND file = ?2")?
                .execute(params![holder.id(), name.as_str()])?;
            release(db, vec![name.as_str().to_owned()], now, now)?;
            return Ok(Recorded::Known);
        }
    }
    Ok(if new == 1 && deleted.is_none() {
        Recorded::New
    } else {
        Recorded::Known
    })
}

fn gone(db: &Connection, name: &FileName) -> Result<Option<Gone>> {
    let found: (bool, bool) = db
        .prepare_cached(
            "SELECT EXISTS (SELECT 1 FROM takedowns WHERE sha256 = ?1),
                    EXISTS (SELECT 1 FROM deleted_files WHERE name = ?2)",
        )?
        .query_row([name.sha256(), name.as_str()], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?;
    Ok(match found {
        (true, _) => Some(Gone::TakenDown),
        (false, true) => Some(Gone::Deleted),
        (false, false) => None,
    })
}

fn uploads(
    db: &Connection,
    account: AccountId,
    after: Option<&FileName>,
    limit: u32,
) -> Result<Vec<UploadedFile>> {
    let after = after.map_or("", FileName::as_str);
    db.prepare_cached(
        "SELECT u.file, f.media_type, f.size, f.width, f.height, f.duration, u.at
         FROM file_uses u JOIN files f ON f.name = u.file
         WHERE u.holder = ?1 AND u.file > ?2 AND u.kind = 'upload' ORDER BY u.file LIMIT ?3",
    )?
    .query_and_then(params![account.0, after, limit], |row: &Row<'_>| {
        let mime: String = row.get(1)?;
        let media_type =
            MediaType::from_mime(&mime).ok_or_else(|| unreadable(format!("unknown media type `{mime}`")))?;
        Ok(UploadedFile {
            name: row.get::<_, String>(0)?.parse().map_err(unreadable)?,
            facts: FileFacts {
                media_type,
                size: row.get::<_, i64>(2)?.unsigned_abs(),
                width: row.get(3)?,
                height: row.get(4)?,
                duration: row.get(5)?,
            },
            at: Timestamp(row.get(6)?),
        })
    })?
    .collect()
}

/// The first of these files that is not stored.
pub(super) fn missing(db: &Connection, files: &[FileName]) -> Result<Option<FileName>> {
    for file in files {
        let there: bool = db
            .prepare_cached("SELECT EXISTS (SELECT 1 FROM files WHERE name = ?1)")?
            .query_row([file.as_str()], |row| row.get(0))?;
        if !there {
            return Ok(Some(file.clone()));
        }
    }
    Ok(None)
}

pub(super) fn use_inputs(
    db: &Connection,
    generation: GenerationId,
    files: &[FileName],
    now: Timestamp,
) -> Result<()> {
    for file in files {
        db.prepare_cached(
            "INSERT INTO file_uses (holder, file, kind, at) VALUES (?1, ?2, 'input', ?3) ON CONFLICT DO NOTHING",
        )?
        .execute(params![generation.0, file.as_str(), now.0])?;
    }
    Ok(())
}

pub(super) fn deleted(
    db: &Connection,
    account: AccountId,
    id: GenerationId,
) -> Result<Option<DeletedGeneration>> {
    const SQL: &str = concat!(
        "SELECT ",
        deleted_generation_columns!(),
        " FROM deleted_generations d WHERE d.id = ?1 AND d.account = ?2"
    );
    one(db
        .prepare_cached(SQL)?
        .query_and_then(params![id.0, account.0], row::deleted_generation)?)
}

fn delete_generation(
    db: &Connection,
    account: AccountId,
    id: GenerationId,
    deletion: &Deletion,
) -> Result<Removal> {
    let ended: Option<bool> = db
        .prepare_cached("SELECT ended_at IS NOT NULL FROM generations WHERE id = ?1 AND account = ?2")?
        .query_row(params![id.0, account.0], |row| row.get(0))
        .optional()?;
    match ended {
        None if deleted(db, account, id)?.is_some() => return Ok(Removal::Before),
        None => return Ok(Removal::Missing),
        Some(false) => return Ok(Removal::Unfinished),
        Some(true) => {}
    }
    db.prepare_cached(
        "INSERT INTO deleted_generations (id, account, model, kind, state, hold, charged, created_at, ended_at,
                                          deleted_at)
         SELECT id, account, model, kind, state, hold, charged, created_at, ended_at, ?2
         FROM generations WHERE id = ?1",
    )?
    .execute(params![id.0, deletion.now.0])?;
    let files = remove(db, id.0, deletion.now, deletion.lease_until)?;
    if let Some(record) = &deletion.record {
        changes::record(db, record)?;
    }
    Ok(Removal::Removed(files))
}

fn delete_upload(
    db: &Connection,
    account: AccountId,
    name: &FileName,
    deletion: &Deletion,
) -> Result<Removal> {
    let removed = db
        .prepare_cached("DELETE FROM file_uses WHERE holder = ?1 AND file = ?2 AND kind = 'upload'")?
        .execute(params![account.0, name.as_str()])?;
    if removed == 0 {
        return Ok(Removal::Missing);
    }
    if let Some(record) = &deletion.record {
        changes::record(db, record)?;
    }
    let files = vec![name.as_str().to_owned()];
    Ok(Removal::Removed(release(
        db,
        files,
        deletion.now,
        deletion.lease_until,
    )?))
}

fn claim_deleted_files(
    db: &Connection,
    now: Timestamp,
    lease_until: Timestamp,
    limit: u32,
) -> Result<Vec<FileName>> {
    db.prepare_cached(
        "UPDATE deleted_files SET due_at = ?2 WHERE name IN (
             SELECT name FROM deleted_files WHERE due_at <= ?1 ORDER BY due_at LIMIT ?3) RETURNING name",
    )?
    .query_and_then(params![now.0, lease_until.0, limit], |row: &Row<'_>| {
        row.get::<_, String>(0)?.parse().map_err(unreadable)
    })?
    .collect()
}

fn files_removed(db: &Connection, names: &[FileName]) -> Result<()> {
    for name in names {
        db.prepare_cached("UPDATE deleted_files SET due_at = NULL WHERE name = ?1")?
            .execute([name.as_str()])?;
        db.prepare_cached("DELETE FROM previews WHERE file = ?1")?
            .execute([name.as_str()])?;
    }
    Ok(())
}

//! Deletion: the uses of stored files, what accounts delete, and what gets too old.
//!
//! Locks are taken in the order of everything else: accounts, generations, files, each in their own order. A file is
//! locked by whoever records it, uses it as an input or removes its last use.

use std::collections::HashSet;

use async_trait::async_trait;
use atelier_domain::{AccountId, FileFacts, FileName, GenerationId, MediaType, Timestamp};
use tokio_postgres::Row;
use uuid::Uuid;

use super::{
    PostgresStore, admin, changes,
    error::Result,
    expiry, private,
    removal::{file_name, lock_accounts, release, remove},
    row::{get, unreadable},
    write::{Db, durable, execute, fenced, fleeting, read, row, rows, snapshot, the_row, write},
};
use crate::{
    DeletedGeneration, Deletion, Expire, ExpiredStep, Gone, History, Holder, Recorded, Removal, UploadedFile,
    values::{self, Fields as _, deleted_generation_columns},
};

#[async_trait]
impl History for PostgresStore {
    async fn record_file(
        &self,
        name: &FileName,
        facts: &FileFacts,
        holder: Holder,
        now: Timestamp,
    ) -> crate::Result<Recorded> {
        let (name, facts) = (name.clone(), facts.clone());
        write!(self, fenced!("record_file"), |db| record_file(
            db, &name, &facts, holder, now
        ))
    }

    async fn gone(&self, name: &FileName) -> crate::Result<Option<Gone>> {
        read!(self, |db| gone(db, name))
    }

    async fn is_private(&self, name: &FileName) -> crate::Result<bool> {
        read!(self, |db| private::is_private(db, name))
    }

    async fn is_file_of(&self, name: &FileName, account: AccountId) -> crate::Result<bool> {
        read!(self, |db| private::is_file_of(db, name, account))
    }

    async fn uploads(
        &self,
        account: AccountId,
        after: Option<FileName>,
        limit: u32,
    ) -> crate::Result<Vec<UploadedFile>> {
        snapshot!(self, of account, |db| uploads(db, account, after.as_ref(), limit))
    }

    async fn delete_generation(
        &self,
        account: AccountId,
        id: GenerationId,
        deletion: Deletion,
    ) -> crate::Result<Removal> {
        write!(self, durable!("delete_generation"), |db| delete_generation(
            db, account, id, &deletion
        ))
    }

    async fn deleted_generation(
        &self,
        account: AccountId,
        id: GenerationId,
    ) -> crate::Result<Option<DeletedGeneration>> {
        read!(self, |db| deleted(db, account, id))
    }

    async fn delete_upload(
        &self,
        account: AccountId,
        name: &FileName,
        deletion: Deletion,
    ) -> crate::Result<Removal> {
        let name = name.clone();
        write!(self, durable!("delete_upload"), |db| delete_upload(
            db, account, &name, &deletion
        ))
    }

    async fn claim_deleted_files(
        &self,
        now: Timestamp,
        lease_until: Timestamp,
        limit: u32,
    ) -> crate::Result<Vec<FileName>> {
        write!(self, durable!("claim_deleted_files"), |db| {
            claim_deleted_files(db, now, lease_until, limit)
        })
    }

    async fn files_removed(&self, names: &[FileName]) -> crate::Result<()> {
        let names = names.to_vec();
        write!(self, fleeting!("files_removed"), |db| files_removed(db, &names))
    }

    async fn expire(&self, step: Expire) -> crate::Result<ExpiredStep> {
        write!(self, fenced!("expire"), |db| expiry::expire(db, &step))
    }
}

async fn record_file(
    db: &Db,
    name: &FileName,
    facts: &FileFacts,
    holder: Holder,
    now: Timestamp,
) -> Result<Recorded> {
    admin::lock_file(db, name).await?;
    let found = the_row(
        db,
        "SELECT EXISTS (SELECT 1 FROM takedowns WHERE sha256 = $1),
                EXISTS (SELECT 1 FROM deleted_files WHERE name = $2),
                EXISTS (SELECT 1 FROM deleted_files WHERE name = $2 AND due_at IS NOT NULL)",
        &[&name.sha256(), &name.as_str()],
    )
    .await?;
    let deleted = get(&found, 1)?;
    if get(&found, 0)? {
        return Ok(Recorded::TakenDown);
    }
    if get(&found, 2)? {
        return Ok(Recorded::Leaving);
    }
    if deleted {
        execute(db, "DELETE FROM deleted_files WHERE name = $1", &[&name.as_str()]).await?;
    }
    let new = execute(
        db,
        "INSERT INTO files (name, media_type, size, width, height, duration, recorded_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (name) DO NOTHING",
        &[
            &name.as_str(),
            &facts.media_type.mime(),
            &i64::try_from(facts.size).unwrap_or(i64::MAX),
            &facts.width.map(i64::from),
            &facts.height.map(i64::from),
            &facts.duration,
            &now.0,
        ],
    )
    .await?;
    // An upload that comes again is as young as a new one.
    execute(
        db,
        "INSERT INTO file_uses AS u (holder, file, kind, at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (holder, file) DO UPDATE SET at = excluded.at WHERE u.kind = 'upload'",
        &[&holder.id(), &name.as_str(), &holder.kind(), &now.0],
    )
    .await?;
    if let Some(sql) = holder.is_gone()
        && get(&the_row(db, &sql.replace('?', "$"), &[&holder.id()]).await?, 0)?
    {
        let sql = "DELETE FROM file_uses WHERE holder = $1 AND file = $2";
        execute(db, sql, &[&holder.id(), &name.as_str()]).await?;
        release(db, vec![name.as_str().to_owned()], now, now).await?;
        return Ok(Recorded::Known);
    }
    Ok(if new == 1 && !deleted {
        Recorded::New
    } else {
        Recorded::Known
    })
}

async fn gone(db: &Db, name: &FileName) -> Result<Option<Gone>> {
    let found = the_row(
        db,
        "SELECT EXISTS (SELECT 1 FROM takedowns WHERE sha256 = $1),
                EXISTS (SELECT 1 FROM deleted_files WHERE name = $2)",
        &[&name.sha256(), &name.as_str()],
    )
    .await?;
    Ok(if get(&found, 0)? {
        Some(Gone::TakenDown)
    } else if get(&found, 1)? {
        Some(Gone::Deleted)
    } else {
        None
    })
}

async fn uploads(
    db: &Db,
    account: AccountId,
    after: Option<&FileName>,
    limit: u32,
) -> Result<Vec<UploadedFile>> {
    let after = after.map_or("", FileName::as_str);
    let found = rows(
        db,
        "SELECT u.file, f.media_type, f.size, f.width, f.height, f.duration, u.at
         FROM file_uses u JOIN files f ON f.name = u.file
         WHERE u.holder = $1 AND u.file > $2 AND u.kind = 'upload' ORDER BY u.file LIMIT $3",
        &[&account.0, &after, &i64::from(limit)],
    )
    .await?;
    found.iter().map(upload).collect()
}

fn upload(found: &Row) -> Result<UploadedFile> {
    let mime: &str = get(found, 1)?;
    let media_type =
        MediaType::from_mime(mime).ok_or_else(|| unreadable(&format!("unknown media type `{mime}`")))?;
    Ok(UploadedFile {
        name: file_name(found)?,
        facts: FileFacts {
            media_type,
            size: get::<i64>(found, 2)?.unsigned_abs(),
            width: found.optional_number(3)?,
            height: found.optional_number(4)?,
            duration: get(found, 5)?,
        },
        at: Timestamp(get(found, 6)?),
    })
}

/// Locks the inputs that are stored, so that they cannot go before the transaction ends, and returns them.
pub(super) async fn lock_inputs(db: &Db, files: impl Iterator<Item = &FileName>) -> Result<HashSet<String>> {
    let names: Vec<&str> = files.map(FileName::as_str).collect();
    if names.is_empty() {
        return Ok(HashSet::new());
    }
    let sql = "SELECT name FROM files WHERE name = ANY($1) ORDER BY name FOR KEY SHARE";
    let found = rows(db, sql, &[&names]).await?;
    found.iter().map(|found| get(found, 0)).collect()
}

/// Records the inputs of generations: each with the file and the time.
pub(super) async fn use_inputs(db: &Db, uses: &[(Uuid, &str, i64)]) -> Result<()> {
    if uses.is_empty() {
        return Ok(());
    }
    let holders: Vec<Uuid> = uses.iter().map(|used| used.0).collect();
    let files: Vec<&str> = uses.iter().map(|used| used.1).collect();
    let times: Vec<i64> = uses.iter().map(|used| used.2).collect();
    execute(
        db,
        "INSERT INTO file_uses (holder, file, kind, at)
         SELECT holder, file, 'input', at FROM unnest($1::uuid[], $2::text[], $3::bigint[]) AS t (holder, file, at)
         ON CONFLICT DO NOTHING",
        &[&holders, &files, &times],
    )
    .await?;
    Ok(())
}

pub(super) async fn deleted(
    db: &Db,
    account: AccountId,
    id: GenerationId,
) -> Result<Option<DeletedGeneration>> {
    let found = deleted_of(db, &[id.0]).await?;
    Ok(found.into_iter().find(|deleted| deleted.account == account))
}

/// Returns the records of those of these generations that their owners deleted.
pub(super) async fn deleted_of(db: &Db, ids: &[Uuid]) -> Result<Vec<DeletedGeneration>> {
    const SQL: &str = concat!(
        "SELECT ",
        deleted_generation_columns!(),
        " FROM deleted_generations d WHERE d.id = ANY($1)"
    );
    rows(db, SQL, &[&ids])
        .await?
        .iter()
        .map(values::deleted_generation)
        .collect()
}

async fn delete_generation(
    db: &Db,
    account: AccountId,
    id: GenerationId,
    deletion: &Deletion,
) -> Result<Removal> {
    lock_accounts(db, &[account.0]).await?;
    let sql = "SELECT ended_at IS NOT NULL FROM generations WHERE id = $1 AND account = $2";
    let found = row(db, sql, &[&id.0, &account.0]).await?;
    match found.map(|found| get::<bool>(&found, 0)).transpose()? {
        None if deleted(db, account, id).await?.is_some() => return Ok(Removal::Before),
        None => return Ok(Removal::Missing),
        Some(false) => return Ok(Removal::Unfinished),
        Some(true) => {}
    }
    // Only those that have ended are locked after their account.
    let sql = "SELECT id FROM generations WHERE id = $1 FOR UPDATE";
    rows(db, sql, &[&id.0]).await?;
    execute(
        db,
        "INSERT INTO deleted_generations (id, account, model, kind, state, hold, charged, created_at, ended_at,
                                          deleted_at)
         SELECT id, account, model, kind, state, hold, charged, created_at, ended_at, $2
         FROM generations WHERE id = $1",
        &[&id.0, &deletion.now.0],
    )
    .await?;
    let uses = remove(db, &[id.0]).await?;
    let files = release(db, uses, deletion.now, deletion.lease_until).await?;
    if let Some(record) = &deletion.record {
        changes::record(db, record).await?;
    }
    Ok(Removal::Removed(files))
}

async fn delete_upload(db: &Db, account: AccountId, name: &FileName, deletion: &Deletion) -> Result<Removal> {
    admin::lock_file(db, name).await?;
    let removed = execute(
        db,
        "DELETE FROM file_uses WHERE holder = $1 AND file = $2 AND kind = 'upload'",
        &[&account.0, &name.as_str()],
    )
    .await?;
    if removed == 0 {
        return Ok(Removal::Missing);
    }
    if let Some(record) = &deletion.record {
        changes::record(db, record).await?;
    }
    let uses = vec![name.as_str().to_owned()];
    let files = release(db, uses, deletion.now, deletion.lease_until).await?;
    Ok(Removal::Removed(files))
}

async fn claim_deleted_files(
    db: &Db,
    now: Timestamp,
    lease_until: Timestamp,
    limit: u32,
) -> Result<Vec<FileName>> {
    let found = rows(
        db,
        "UPDATE deleted_files SET due_at = $2 WHERE name IN (
             SELECT name FROM deleted_files WHERE due_at <= $1 ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
         RETURNING name",
        &[&now.0, &lease_until.0, &i64::from(limit)],
    )
    .await?;
    found.iter().map(file_name).collect()
}

async fn files_removed(db: &Db, names: &[FileName]) -> Result<()> {
    let names: Vec<&str> = names.iter().map(FileName::as_str).collect();
    let sql = "UPDATE deleted_files SET due_at = NULL WHERE name = ANY($1)";
    execute(db, sql, &[&names]).await?;
    execute(db, "DELETE FROM previews WHERE file = ANY($1)", &[&names]).await?;
    Ok(())
}

//! Reading generations, files and counts.

use std::collections::HashMap;

use atelier_domain::{
    AccountId, FileFacts, FileName, Generation, GenerationId, MediaType, State, Status, Timestamp,
};
use rusqlite::{Connection, OptionalExtension as _, params};

use super::{
    accounts::one,
    row::{self, generation_columns, unreadable},
};
use crate::{GenerationFilter, Overdue, Page, PageRequest, Result, Stats};

pub(super) fn generation(
    db: &Connection,
    account: AccountId,
    id: GenerationId,
) -> Result<Option<Generation>> {
    const SQL: &str = concat!(
        "SELECT ",
        generation_columns!(),
        " FROM generations g WHERE g.id = ?1 AND g.account = ?2"
    );
    one(db
        .prepare_cached(SQL)?
        .query_and_then(params![id.0, account.0], row::generation)?)
}

pub(super) fn generations(
    db: &Connection,
    account: AccountId,
    filter: &GenerationFilter,
    page: &PageRequest,
) -> Result<Page> {
    const MATCHES: &str = "g.account = ?1 AND (?2 IS NULL OR g.state IN (?2, ?3)) AND (?4 IS NULL OR g.model = ?4) \
                           AND (?5 IS NULL OR g.kind = ?5)";
    let [first, second] = match filter.status {
        None => [None, None],
        Some(Status::Processing) => [Some(State::Queued.as_str()), Some(State::Running.as_str())],
        Some(Status::Completed) => [Some(State::Completed.as_str()); 2],
        Some(Status::Failed) => [Some(State::Failed.as_str()); 2],
    };
    let kind = filter.kind.map(atelier_domain::MediaKind::as_str);
    // Without a filter the index alone answers; the rows are long.
    let total: i64 = if filter.status.is_none() && filter.model.is_none() && kind.is_none() {
        db.prepare_cached("SELECT count(*) FROM generations WHERE account = ?1")?
            .query_row([account.0], |row| row.get(0))?
    } else {
        db.prepare_cached(&format!("SELECT count(*) FROM generations g WHERE {MATCHES}"))?
            .query_row(params![account.0, first, second, filter.model, kind], |row| {
                row.get(0)
            })?
    };
    // No id is greater than one of all ones.
    let before = page.before.map_or(uuid::Uuid::max(), |id| id.0);
    let mut items: Vec<Generation> = db
        .prepare_cached(&format!(
            "SELECT {} FROM generations g WHERE {MATCHES} AND g.id < ?6 ORDER BY g.id DESC LIMIT ?7",
            generation_columns!()
        ))?
        .query_and_then(
            params![
                account.0,
                first,
                second,
                filter.model,
                kind,
                before,
                i64::from(page.limit) + 1
            ],
            row::generation,
        )?
        .collect::<Result<_>>()?;
    let more = items.len() > page.limit as usize;
    items.truncate(page.limit as usize);
    Ok(Page {
        items,
        total: total.unsigned_abs(),
        more,
    })
}

pub(super) fn overdue(
    db: &Connection,
    now: Timestamp,
    max_attempts: u32,
    limit: u32,
) -> Result<Vec<Overdue>> {
    const LATE: &str = concat!(
        "SELECT ",
        generation_columns!(),
        " FROM generations g WHERE g.ended_at IS NULL AND g.deadline <= ?1 ORDER BY g.deadline LIMIT ?2"
    );
    const LOST: &str = concat!(
        "SELECT ",
        generation_columns!(),
        " FROM generations g WHERE g.state = 'running' AND g.lease_until <= ?1 AND g.attempt >= ?2
          AND g.deadline > ?1 ORDER BY g.lease_until LIMIT ?3"
    );
    let mut overdue: Vec<Overdue> = db
        .prepare_cached(LATE)?
        .query_and_then(params![now.0, limit], |found| {
            Ok(Overdue {
                generation: row::generation(found)?,
                timed_out: true,
            })
        })?
        .collect::<Result<_>>()?;
    let room = limit.saturating_sub(u32::try_from(overdue.len()).unwrap_or(u32::MAX));
    let mut lost = db.prepare_cached(LOST)?;
    for found in lost.query_and_then(params![now.0, max_attempts, room], row::generation)? {
        overdue.push(Overdue {
            generation: found?,
            timed_out: false,
        });
    }
    Ok(overdue)
}

pub(super) fn record_file(db: &Connection, name: &FileName, facts: &FileFacts, now: Timestamp) -> Result<()> {
    db.prepare_cached(
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
    Ok(())
}

pub(super) fn files(db: &Connection, names: &[FileName]) -> Result<Vec<Option<FileFacts>>> {
    let mut find =
        db.prepare_cached("SELECT media_type, size, width, height, duration FROM files WHERE name = ?1")?;
    names
        .iter()
        .map(|name| {
            one(find.query_and_then([name.as_str()], |row| {
                let mime: String = row.get(0)?;
                let media_type = MediaType::from_mime(&mime)
                    .ok_or_else(|| unreadable(format!("`{mime}` is no media type of ours")))?;
                Ok(FileFacts {
                    media_type,
                    size: row.get::<_, i64>(1)?.unsigned_abs(),
                    width: row.get(2)?,
                    height: row.get(3)?,
                    duration: row.get(4)?,
                })
            })?)
        })
        .collect()
}

pub(super) fn stats(db: &Connection) -> Result<Stats> {
    let count = |sql: &str| -> Result<u64> {
        Ok(db
            .prepare_cached(sql)?
            .query_row([], |row| row.get::<_, i64>(0))?
            .unsigned_abs())
    };
    let mut queued = HashMap::new();
    let mut oldest: Option<uuid::Uuid> = None;
    let mut lanes = db.prepare_cached(
        "SELECT lane, count(*), min(id) FROM generations WHERE state = 'queued' GROUP BY lane",
    )?;
    let mut rows = lanes.query([])?;
    while let Some(row) = rows.next()? {
        queued.insert(row.get(0)?, row.get::<_, i64>(1)?.unsigned_abs());
        let first = row.get(2)?;
        oldest = Some(oldest.map_or(first, |oldest| oldest.min(first)));
    }
    let oldest_queued = db
        .prepare_cached("SELECT created_at FROM generations WHERE id = ?1")?
        .query_row([oldest], |row| row.get(0))
        .optional()?
        .map(Timestamp);
    Ok(Stats {
        queued,
        running: count("SELECT count(*) FROM generations WHERE state = 'running'")?,
        deliveries_pending: count("SELECT count(*) FROM deliveries WHERE ended_at IS NULL")?,
        oldest_queued,
    })
}

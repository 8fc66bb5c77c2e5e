//! Reads of generations, files and counts.

use std::collections::HashMap;

use atelier_domain::{
    AccountId, FileFacts, FileName, Generation, GenerationId, MediaType, Status, Timestamp,
};
use rusqlite::{Connection, OptionalExtension as _, params};

use super::{
    collections,
    row::{self, one},
};
use crate::{
    GenerationFilter, Overdue, Page, PageRequest, REVIEW_LANE, Result, Stats,
    lists::{Part, first, may_have_completed, order, parts, start},
    values::{generation_columns, unreadable},
};

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
    if let Some(collection) = filter.collection {
        return if may_have_completed(filter) {
            collections::listed(db, account, collection, filter, page)
        } else {
            Ok(Page::default())
        };
    }
    let total = count(db, account, filter)?;
    let mut found = Vec::new();
    // All of a model may be of another kind than the one that is asked for. Then no part is read.
    let is_empty = total == 0 && filter.model.is_some() && filter.kind.is_some();
    for part in parts(filter).into_iter().filter(|_| !is_empty) {
        let kind = filter.kind.map(atelier_domain::MediaKind::as_str);
        let start = start(filter, page);
        let mut list = db.prepare_cached(&list(part, filter))?;
        let one_more = i64::from(page.limit) + 1;
        let rows = list.query_and_then(
            params![account.0, filter.model, kind, start, one_more],
            row::generation,
        )?;
        for generation in rows {
            found.push(generation?);
        }
    }
    let (items, more) = first(found, filter, page.limit);
    Ok(Page { items, total, more })
}

/// The statement for one part of a list. The status is part of the text, because its indexes are partial.
pub(super) fn list(part: Part, filter: &GenerationFilter) -> String {
    let by = match (&filter.model, filter.kind) {
        (Some(_), _) => "g.model = ?2 AND (?3 IS NULL OR g.kind = ?3)",
        (None, Some(_)) => "?2 IS NULL AND g.kind = ?3",
        (None, None) => "?2 IS NULL AND ?3 IS NULL",
    };
    let Part { condition, index } = part;
    let (past, direction) = order(filter);
    format!(
        "SELECT {} FROM generations g INDEXED BY {index}
         WHERE g.account = ?1 AND {by} AND {condition} AND g.id {past} ?4 ORDER BY g.id {direction} LIMIT ?5",
        generation_columns!()
    )
}

/// The number of matches. Generations are counted when they end, so their rows need not be read.
fn count(db: &Connection, account: AccountId, filter: &GenerationFilter) -> Result<u64> {
    if filter.favourite {
        return count_favourites(db, account, filter);
    }
    let outcome = match filter.status {
        None => Some("TRUE"),
        Some(Status::Processing) => None,
        Some(Status::Completed) => Some("outcome = 'completed'"),
        Some(Status::Failed) => Some("outcome <> 'completed'"),
    };
    let kind = filter.kind.map(atelier_domain::MediaKind::as_str);
    let mut total = 0;
    let mut add = |sql: &str| -> Result<()> {
        let counted: i64 = db
            .prepare_cached(sql)?
            .query_row(params![account.0, filter.model, kind], |row| row.get(0))?;
        total += counted.unsigned_abs();
        Ok(())
    };
    if let Some(outcome) = outcome {
        add(&format!(
            "SELECT coalesce(sum(generations), 0) FROM usage_totals
             WHERE account = ?1 AND (?2 IS NULL OR model = ?2) AND (?3 IS NULL OR kind = ?3) AND {outcome}"
        ))?;
    }
    if matches!(filter.status, None | Some(Status::Processing)) {
        add("SELECT count(*) FROM generations INDEXED BY generations_unfinished_by_account
             WHERE ended_at IS NULL AND account = ?1 AND (?2 IS NULL OR model = ?2) AND (?3 IS NULL OR kind = ?3)")?;
    }
    Ok(total)
}

fn count_favourites(db: &Connection, account: AccountId, filter: &GenerationFilter) -> Result<u64> {
    if parts(filter).is_empty() {
        return Ok(0);
    }
    let kind = filter.kind.map(atelier_domain::MediaKind::as_str);
    let counted: i64 = db
        .prepare_cached(
            "SELECT count(*) FROM generations INDEXED BY generations_favourite
             WHERE account = ?1 AND favourite_at IS NOT NULL AND (?2 IS NULL OR model = ?2)
                 AND (?3 IS NULL OR kind = ?3)",
        )?
        .query_row(params![account.0, filter.model, kind], |row| row.get(0))?;
    Ok(counted.unsigned_abs())
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

pub(super) fn files(db: &Connection, names: &[FileName]) -> Result<Vec<Option<FileFacts>>> {
    let mut find =
        db.prepare_cached("SELECT media_type, size, width, height, duration FROM files WHERE name = ?1")?;
    names
        .iter()
        .map(|name| {
            one(find.query_and_then([name.as_str()], |row| {
                let mime: String = row.get(0)?;
                let media_type = MediaType::from_mime(&mime)
                    .ok_or_else(|| unreadable(format!("unknown media type `{mime}`")))?;
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
        let lane: String = row.get(0)?;
        let waits_for_people = lane == REVIEW_LANE;
        queued.insert(lane, row.get::<_, i64>(1)?.unsigned_abs());
        if waits_for_people {
            continue;
        }
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

//! Reads of generations, files and counts.

use std::collections::HashMap;

use atelier_domain::{
    AccountId, FileFacts, FileName, Generation, GenerationId, MediaType, Status, Timestamp,
};
use tokio_postgres::types::ToSql;

use super::{
    collections,
    error::Result,
    history,
    row::{get, moment, text, unreadable},
    write::{BY_ENTRY, Db, and, is_open, row, rows, the_row},
};
use crate::{
    Accepted, GenerationFilter, Idempotency, Overdue, Page, PageRequest, REVIEW_LANE, Stats, StoreError,
    lists::{Part, first, may_have_completed, order, parts, start},
    values::{self, Fields as _, generation_columns},
};

pub(super) async fn generation(db: &Db, account: AccountId, id: GenerationId) -> Result<Option<Generation>> {
    const SQL: &str = concat!(
        "SELECT ",
        generation_columns!(),
        " FROM generations g WHERE g.id = $1 AND g.account = $2"
    );
    let found = row(db, SQL, &[&id.0, &account.0]).await?;
    found.as_ref().map(values::generation).transpose()
}

pub(super) async fn earlier_use(db: &Db, account: AccountId, key: &Idempotency) -> Result<Option<Accepted>> {
    const SQL: &str = "SELECT generation, body_hash FROM idempotency
         WHERE account = $1 AND key = $2 AND used_at >= $3";
    let used = text(&key.key);
    let Some(found) = row(db, SQL, &[&account.0, &used, &key.valid_since.0]).await? else {
        return Ok(None);
    };
    if get::<Vec<u8>>(&found, 1)? != key.body_hash {
        return Ok(Some(Accepted::KeyReused));
    }
    let id = GenerationId(get(&found, 0)?);
    let first = match generation(db, account, id).await? {
        Some(first) => Some(first),
        None => history::deleted(db, account, id)
            .await?
            .map(|deleted| deleted.shell()),
    };
    let missing = || StoreError::Internal(format!("generation {id} of an idempotency key is missing"));
    Ok(Some(Accepted::Replayed(Box::new(first.ok_or_else(missing)?))))
}

pub(super) async fn generations(
    db: &Db,
    account: AccountId,
    filter: &GenerationFilter,
    page: &PageRequest,
) -> Result<Page> {
    if let Some(collection) = filter.collection {
        return if may_have_completed(filter) {
            collections::listed(db, account, collection, filter, page).await
        } else {
            Ok(Page::default())
        };
    }
    let total = count(db, account, filter).await?;
    let start = start(filter, page);
    let one_more = i64::from(page.limit) + 1;
    let model = filter.model.as_deref().map(text);
    let kind = filter.kind.map(atelier_domain::MediaKind::as_str);
    let mut parameters: Vec<&(dyn ToSql + Sync)> = vec![&account.0, &start, &one_more];
    parameters.extend(model.as_ref().map(|model| model as &(dyn ToSql + Sync)));
    parameters.extend(kind.as_ref().map(|kind| kind as &(dyn ToSql + Sync)));
    let mut items = Vec::new();
    // All of a model may be of another kind than the one that is asked for. Then no part is read.
    let is_empty = total == 0 && filter.model.is_some() && filter.kind.is_some();
    for part in parts(filter).into_iter().filter(|_| !is_empty) {
        for found in rows(db, &list(part, filter), &parameters).await? {
            items.push(values::generation(&found)?);
        }
    }
    let (items, more) = first(items, filter, page.limit);
    Ok(Page { items, total, more })
}

/// The statement for one part of a list. The status is part of the text, because its indexes are partial.
pub(super) fn list(part: Part, filter: &GenerationFilter) -> String {
    let mut by = String::new();
    if filter.model.is_some() {
        and(&mut by, "g.model", 4);
    }
    if filter.kind.is_some() {
        and(&mut by, "g.kind", 4 + usize::from(filter.model.is_some()));
    }
    let condition = part.condition;
    let (past, direction) = order(filter);
    format!(
        "SELECT {} FROM generations g WHERE g.account = $1 AND g.id {past} $2{by} AND {condition}
         ORDER BY g.id {direction} LIMIT $3",
        generation_columns!()
    )
}

/// The number of matches. Ended generations are counted per day, so their rows need not be read.
async fn count(db: &Db, account: AccountId, filter: &GenerationFilter) -> Result<u64> {
    if filter.favourite {
        return count_favourites(db, account, filter).await;
    }
    let outcome = match filter.status {
        None => Some(""),
        Some(Status::Processing) => None,
        Some(Status::Completed) => Some(" AND outcome = 'completed'"),
        Some(Status::Failed) => Some(" AND outcome <> 'completed'"),
    };
    let model = filter.model.as_deref().map(text);
    let kind = filter.kind.map(atelier_domain::MediaKind::as_str);
    let mut total: i64 = 0;
    if let Some(outcome) = outcome {
        let sql = format!(
            "SELECT coalesce(sum(generations), 0)::bigint FROM usage_totals
             WHERE account = $1 AND ($2::text IS NULL OR model = $2) AND ($3::text IS NULL OR kind = $3){outcome}"
        );
        total += get::<i64>(&the_row(db, &sql, &[&account.0, &model, &kind]).await?, 0)?;
    }
    if matches!(filter.status, None | Some(Status::Processing)) {
        let found = the_row(
            db,
            "SELECT count(*) FROM generations WHERE ended_at IS NULL AND account = $1
             AND ($2::text IS NULL OR model = $2) AND ($3::text IS NULL OR kind = $3)",
            &[&account.0, &model, &kind],
        )
        .await?;
        total += get::<i64>(&found, 0)?;
    }
    Ok(total.unsigned_abs())
}

async fn count_favourites(db: &Db, account: AccountId, filter: &GenerationFilter) -> Result<u64> {
    if parts(filter).is_empty() {
        return Ok(0);
    }
    let model = filter.model.as_deref().map(text);
    let kind = filter.kind.map(atelier_domain::MediaKind::as_str);
    let found = the_row(
        db,
        "SELECT count(*) FROM generations WHERE account = $1 AND favourite_at IS NOT NULL
             AND ($2::text IS NULL OR model = $2) AND ($3::text IS NULL OR kind = $3)",
        &[&account.0, &model, &kind],
    )
    .await?;
    Ok(get::<i64>(&found, 0)?.unsigned_abs())
}

pub(super) const LATE: &str = concat!(
    "SELECT ",
    generation_columns!(),
    " FROM generations g WHERE g.ended_at IS NULL AND g.deadline <= $1 ORDER BY g.deadline LIMIT $2"
);

pub(super) const LOST: &str = concat!(
    "SELECT ",
    generation_columns!(),
    " FROM generations g WHERE ",
    is_open!(),
    " AND g.state = 'running' AND g.lease_until <= $1
      AND g.attempt >= $2 AND g.deadline > $1 ORDER BY g.lease_until LIMIT $3"
);

pub(super) async fn overdue(db: &Db, now: Timestamp, max_attempts: u32, limit: u32) -> Result<Vec<Overdue>> {
    db.batch_execute(BY_ENTRY).await?;
    let mut overdue = Vec::new();
    for found in rows(db, LATE, &[&now.0, &i64::from(limit)]).await? {
        overdue.push(Overdue {
            generation: values::generation(&found)?,
            timed_out: true,
        });
    }
    let room = i64::from(limit) - overdue.len() as i64;
    for found in rows(db, LOST, &[&now.0, &i64::from(max_attempts), &room]).await? {
        overdue.push(Overdue {
            generation: values::generation(&found)?,
            timed_out: false,
        });
    }
    Ok(overdue)
}

pub(super) async fn files(db: &Db, names: &[FileName]) -> Result<Vec<Option<FileFacts>>> {
    let asked: Vec<&str> = names.iter().map(FileName::as_str).collect();
    let found = rows(
        db,
        "SELECT name, media_type, size, width, height, duration FROM files WHERE name = ANY($1)",
        &[&asked],
    )
    .await?;
    let known: HashMap<&str, FileFacts> = found
        .iter()
        .map(|found| {
            let mime: &str = get(found, 1)?;
            let media_type = MediaType::from_mime(mime)
                .ok_or_else(|| unreadable(&format!("unknown media type `{mime}`")))?;
            let facts = FileFacts {
                media_type,
                size: get::<i64>(found, 2)?.unsigned_abs(),
                width: found.optional_number(3)?,
                height: found.optional_number(4)?,
                duration: get(found, 5)?,
            };
            Ok((get(found, 0)?, facts))
        })
        .collect::<Result<_>>()?;
    Ok(asked.iter().map(|name| known.get(name).cloned()).collect())
}

pub(super) async fn stats(db: &Db) -> Result<Stats> {
    let mut stats = Stats::default();
    let lanes = rows(
        db,
        "SELECT lane, count(*), min(created_at) FROM generations WHERE state = 'queued' GROUP BY lane",
        &[],
    )
    .await?;
    for found in &lanes {
        let lane: String = get(found, 0)?;
        let waits_for_people = lane == REVIEW_LANE;
        stats.queued.insert(lane, get::<i64>(found, 1)?.unsigned_abs());
        if waits_for_people {
            continue;
        }
        let oldest = moment(found, 2)?;
        stats.oldest_queued = stats.oldest_queued.into_iter().chain(oldest).min();
    }
    let found = the_row(
        db,
        concat!(
            "SELECT (SELECT count(*) FROM generations WHERE ",
            is_open!(),
            " AND state = 'running'), (SELECT count(*) FROM deliveries WHERE ended_at IS NULL)"
        ),
        &[],
    )
    .await?;
    stats.running = get::<i64>(&found, 0)?.unsigned_abs();
    stats.deliveries_pending = get::<i64>(&found, 1)?.unsigned_abs();
    Ok(stats)
}

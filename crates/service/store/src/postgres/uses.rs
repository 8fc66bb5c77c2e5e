//! Earlier uses of idempotency keys, which answer repeated requests.

use std::collections::HashMap;

use atelier_domain::{AccountId, Generation, GenerationId, Timestamp};
use uuid::Uuid;

use super::{
    error::Result,
    history,
    row::{get, text},
    write::{Db, rows},
};
use crate::{
    Accept,
    values::{self, generation_columns},
};

/// The use of a key.
pub(super) struct Use {
    pub(super) generation: GenerationId,
    pub(super) body_hash: Vec<u8>,
    pub(super) used_at: Timestamp,
}

/// The uses of the keys of these acceptances, by account and key. Their accounts are locked.
pub(super) async fn earlier_uses<'a>(
    db: &Db,
    accepts: impl Iterator<Item = &'a Accept>,
) -> Result<HashMap<(AccountId, String), Use>> {
    let used: Vec<(Uuid, String)> = accepts
        .filter_map(|accept| {
            let used = accept.idempotency.as_ref()?;
            Some((accept.generation.account.0, text(&used.key).into_owned()))
        })
        .collect();
    if used.is_empty() {
        return Ok(HashMap::new());
    }
    let (owners, keys): (Vec<Uuid>, Vec<String>) = used.into_iter().unzip();
    let found = rows(
        db,
        "SELECT i.account, i.key, i.generation, i.body_hash, i.used_at
         FROM (SELECT DISTINCT * FROM unnest($1::uuid[], $2::text[]) AS t (account, key)) t
         JOIN idempotency i ON i.account = t.account AND i.key = t.key",
        &[&owners, &keys],
    )
    .await?;
    found
        .iter()
        .map(|found| {
            let earlier = Use {
                generation: GenerationId(get(found, 2)?),
                body_hash: get(found, 3)?,
                used_at: Timestamp(get(found, 4)?),
            };
            Ok(((AccountId(get(found, 0)?), get(found, 1)?), earlier))
        })
        .collect()
}

/// The generations with these ids as they are now, or what is left of them.
pub(super) async fn replayed(
    db: &Db,
    ids: &[Uuid],
) -> Result<HashMap<(AccountId, GenerationId), Generation>> {
    const FIND: &str = concat!(
        "SELECT ",
        generation_columns!(),
        " FROM generations g WHERE g.id = ANY($1)"
    );
    let mut generations = HashMap::new();
    for found in rows(db, FIND, &[&ids]).await? {
        let generation = values::generation(&found)?;
        generations.insert((generation.account, generation.id), generation);
    }
    for deleted in history::deleted_of(db, ids).await? {
        generations.insert((deleted.account, deleted.id), deleted.shell());
    }
    Ok(generations)
}

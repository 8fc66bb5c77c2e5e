//! Results that people of an account marked as favourites.

use std::collections::HashSet;

use async_trait::async_trait;
use atelier_domain::{AccountId, GenerationId, Timestamp};
use uuid::Uuid;

use super::{
    PostgresStore,
    error::Result,
    row::get,
    write::{Db, execute, fenced, read, rows, the_row, write},
};
use crate::{Favourites, MOST_FAVOURITES, Marked};

#[async_trait]
impl Favourites for PostgresStore {
    async fn set_favourite(
        &self,
        account: AccountId,
        id: GenerationId,
        since: Option<Timestamp>,
    ) -> crate::Result<Marked> {
        write!(self, fenced!("set_favourite"), |db| set_favourite(
            db, account, id, since
        ))
    }

    async fn favourites(
        &self,
        account: AccountId,
        ids: &[GenerationId],
    ) -> crate::Result<HashSet<GenerationId>> {
        read!(self, |db| favourites(db, account, ids))
    }
}

async fn set_favourite(
    db: &Db,
    account: AccountId,
    id: GenerationId,
    since: Option<Timestamp>,
) -> Result<Marked> {
    if since.is_some() {
        let found = the_row(
            db,
            "SELECT count(*) FROM generations WHERE account = $1 AND favourite_at IS NOT NULL AND id <> $2",
            &[&account.0, &id.0],
        )
        .await?;
        if get::<i64>(&found, 0)? >= i64::from(MOST_FAVOURITES) {
            return Ok(Marked::Full);
        }
    }
    let changed = execute(
        db,
        "UPDATE generations
         SET favourite_at = CASE WHEN $3::bigint IS NOT NULL THEN coalesce(favourite_at, $3::bigint) END
         WHERE id = $1 AND account = $2 AND state = 'completed'",
        &[&id.0, &account.0, &since.map(|since| since.0)],
    )
    .await?;
    Ok(if changed > 0 {
        Marked::Marked
    } else {
        Marked::Missing
    })
}

async fn favourites(db: &Db, account: AccountId, ids: &[GenerationId]) -> Result<HashSet<GenerationId>> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    let found = rows(
        db,
        "SELECT id FROM generations WHERE account = $1 AND id = ANY($2) AND favourite_at IS NOT NULL",
        &[&account.0, &ids],
    )
    .await?;
    found
        .iter()
        .map(|found| Ok(GenerationId(get(found, 0)?)))
        .collect()
}

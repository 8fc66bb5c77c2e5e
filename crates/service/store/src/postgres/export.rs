//! The export of accounts.

use async_trait::async_trait;
use atelier_domain::AccountId;
use tokio_postgres::types::ToSql;

use super::{
    PostgresStore,
    error::Result,
    write::{Db, rows, snapshot},
};
use crate::{Export, ExportKey, ExportPage, ExportPart};

#[async_trait]
impl Export for PostgresStore {
    async fn export(
        &self,
        account: AccountId,
        part: &'static ExportPart,
        after: &[ExportKey],
        limit: u32,
    ) -> crate::Result<ExportPage> {
        snapshot!(self, long, |db| page(db, account, part, after, limit))
    }
}

async fn page(
    db: &Db,
    account: AccountId,
    part: &ExportPart,
    after: &[ExportKey],
    limit: u32,
) -> Result<ExportPage> {
    // A part may walk through files of others. It holds no lock that anybody waits for.
    db.batch_execute("SET LOCAL statement_timeout = 0").await?;
    let mut parameters: Vec<&(dyn ToSql + Sync)> = vec![&account.0];
    parameters.extend(after.iter().map(|key| -> &(dyn ToSql + Sync) {
        match key {
            ExportKey::Id(id) => id,
            ExportKey::Integer(number) => number,
            ExportKey::Text(text) => text,
        }
    }));
    let sql = part.sql("user_id", after, limit).replace('?', "$");
    part.page(&rows(db, &sql, &parameters).await?, limit)
}

//! The export of accounts.

use async_trait::async_trait;
use atelier_domain::AccountId;
use rusqlite::{Connection, ToSql};

use super::SqliteStore;
use crate::{Export, ExportKey, ExportPage, ExportPart, Result};

#[async_trait]
impl Export for SqliteStore {
    async fn export(
        &self,
        account: AccountId,
        part: &'static ExportPart,
        after: &[ExportKey],
        limit: u32,
    ) -> Result<ExportPage> {
        let after = after.to_vec();
        self.scan_long(move |db| page(db, account, part, &after, limit))
            .await
    }
}

fn page(
    db: &Connection,
    account: AccountId,
    part: &ExportPart,
    after: &[ExportKey],
    limit: u32,
) -> Result<ExportPage> {
    let mut parameters: Vec<&dyn ToSql> = vec![&account.0];
    parameters.extend(after.iter().map(|key| -> &dyn ToSql {
        match key {
            ExportKey::Id(id) => id,
            ExportKey::Integer(number) => number,
            ExportKey::Text(text) => text,
        }
    }));
    let mut statement = db.prepare_cached(&part.sql("user", after, limit))?;
    let mut found = statement.query(parameters.as_slice())?;
    // A row lives only until the next one.
    let mut page = ExportPage::default();
    while let Some(row) = found.next()? {
        page.rows.push(part.row(row)?);
        if page.rows.len() >= limit as usize {
            page.next = Some(part.key_of(row)?);
        }
    }
    Ok(page)
}

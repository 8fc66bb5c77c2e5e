//! Identities at an OpenID provider.

use async_trait::async_trait;
use atelier_domain::{AccountId, AccountRole, AuditRecord, Timestamp, User};
use rusqlite::{Connection, params};

use super::{
    SqliteStore, changes, members, people,
    row::{self, one},
    writer::durable,
};
use crate::{
    Identified, Identities, IdentityCreated, NewIdentity, Result,
    identities::NO_PASSWORD,
    members::{shown_account, shown_role},
    values::{self, ACCOUNT_COLUMNS, Fields as _, USER_COLUMNS, account_columns, user_columns},
};

#[async_trait]
impl Identities for SqliteStore {
    async fn user_by_identity(&self, issuer: &str, subject: &str) -> Result<Option<User>> {
        self.readers.read(|db| user_by_identity(db, issuer, subject))
    }

    async fn member_by_identity(&self, issuer: &str, subject: &str) -> Result<Option<Identified>> {
        self.readers.read(|db| member_by_identity(db, issuer, subject))
    }

    async fn connect_identity(&self, new: NewIdentity, record: AuditRecord) -> Result<bool> {
        self.writer
            .write(durable!("connect_identity"), move |db| connect(db, &new, &record))
            .await
    }

    async fn create_by_identity(
        &self,
        user: User,
        roles: Vec<(AccountId, AccountRole)>,
        new: NewIdentity,
        record: AuditRecord,
    ) -> Result<IdentityCreated> {
        self.writer
            .write(durable!("create_by_identity"), move |db| {
                create(db, &user, &roles, &new, &record)
            })
            .await
    }
}

fn user_by_identity(db: &Connection, issuer: &str, subject: &str) -> Result<Option<User>> {
    const SQL: &str = concat!(
        "SELECT ",
        user_columns!(),
        " FROM identities i JOIN users u ON u.id = i.user WHERE i.issuer = ?1 AND i.subject = ?2"
    );
    one(db
        .prepare_cached(SQL)?
        .query_and_then([issuer, subject], row::user)?)
}

fn member_by_identity(db: &Connection, issuer: &str, subject: &str) -> Result<Option<Identified>> {
    const SQL: &str = concat!(
        "SELECT ",
        account_columns!(),
        ", a.generation_tat, (SELECT api_enabled FROM settings WHERE id = 1), ",
        user_columns!(),
        ", ",
        shown_role!("user"),
        " FROM identities i JOIN users u ON u.id = i.user
         CROSS JOIN (SELECT NULL AS account) s JOIN accounts a ON a.id = ",
        shown_account!("user"),
        " WHERE i.issuer = ?1 AND i.subject = ?2 AND u.disabled_at IS NULL"
    );
    const REST: usize = ACCOUNT_COLUMNS;
    let mut found = db.prepare_cached(SQL)?;
    one(found.query_and_then([issuer, subject], |found| {
        Ok(Identified {
            account: row::account(found)?,
            generation_tat: Timestamp(found.get(REST)?),
            api_enabled: found.get(REST + 1)?,
            user: values::user(found, REST + 2)?,
            role: found.named(REST + 2 + USER_COLUMNS)?,
            database_now: None,
        })
    })?)
}

fn insert(db: &Connection, new: &NewIdentity) -> Result<()> {
    db.prepare_cached("INSERT INTO identities (issuer, subject, user, at) VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![new.issuer, new.subject, new.user.0, new.at.0])?;
    Ok(())
}

fn connect(db: &Connection, new: &NewIdentity, record: &AuditRecord) -> Result<bool> {
    if let Some(user) = user_by_identity(db, &new.issuer, &new.subject)? {
        return Ok(user.id == new.user);
    }
    insert(db, new)?;
    changes::record(db, record)?;
    Ok(true)
}

fn create(
    db: &Connection,
    user: &User,
    roles: &[(AccountId, AccountRole)],
    new: &NewIdentity,
    record: &AuditRecord,
) -> Result<IdentityCreated> {
    if people::user_by_login(db, &user.login)?.is_some() {
        return Ok(IdentityCreated::LoginTaken);
    }
    people::insert(db, user, NO_PASSWORD)?;
    for (account, role) in roles {
        members::put(db, user.id, *account, Some(*role), new.at)?;
    }
    insert(db, new)?;
    changes::record(db, record)?;
    Ok(IdentityCreated::Created)
}

//! Identities at an OpenID provider.

use async_trait::async_trait;
use atelier_domain::{AccountId, AccountRole, AuditRecord, Timestamp, User};

use super::{
    PostgresStore, changes,
    clock::{RateClock, now},
    error::Result,
    members, people,
    row::{get, text},
    write::{Db, durable, execute, read, row, write},
};
use crate::{
    Identified, Identities, IdentityCreated, NewIdentity,
    identities::NO_PASSWORD,
    members::{shown_account, shown_role},
    values::{self, ACCOUNT_COLUMNS, Fields as _, USER_COLUMNS, account_columns, user_columns},
};

#[async_trait]
impl Identities for PostgresStore {
    async fn user_by_identity(&self, issuer: &str, subject: &str) -> crate::Result<Option<User>> {
        read!(self, |db| user_by_identity(db, issuer, subject))
    }

    async fn member_by_identity(&self, issuer: &str, subject: &str) -> crate::Result<Option<Identified>> {
        read!(self, |db| member_by_identity(
            db,
            issuer,
            subject,
            self.rate_clock
        ))
    }

    async fn connect_identity(&self, new: NewIdentity, record: AuditRecord) -> crate::Result<bool> {
        write!(self, durable!("connect_identity"), |db| connect(
            db, &new, &record
        ))
    }

    async fn create_by_identity(
        &self,
        user: User,
        roles: Vec<(AccountId, AccountRole)>,
        new: NewIdentity,
        record: AuditRecord,
    ) -> crate::Result<IdentityCreated> {
        write!(self, durable!("create_by_identity"), |db| {
            create(db, &user, &roles, &new, &record)
        })
    }
}

async fn user_by_identity(db: &Db, issuer: &str, subject: &str) -> Result<Option<User>> {
    const SQL: &str = concat!(
        "SELECT ",
        user_columns!(),
        " FROM identities i JOIN users u ON u.id = i.user_id WHERE i.issuer = $1 AND i.subject = $2"
    );
    let found = row(db, SQL, &[&text(issuer), &text(subject)]).await?;
    found.map(|found| values::user(&found, 0)).transpose()
}

async fn member_by_identity(
    db: &Db,
    issuer: &str,
    subject: &str,
    clock: RateClock,
) -> Result<Option<Identified>> {
    const SQL: &str = concat!(
        "SELECT ",
        account_columns!(),
        ", a.generation_tat, (SELECT api_enabled FROM settings WHERE id = 1), ",
        user_columns!(),
        ", ",
        shown_role!("user_id"),
        ", ",
        now!(),
        " FROM identities i JOIN users u ON u.id = i.user_id
         CROSS JOIN (SELECT NULL::uuid AS account) s JOIN accounts a ON a.id = ",
        shown_account!("user_id"),
        " WHERE i.issuer = $1 AND i.subject = $2 AND u.disabled_at IS NULL"
    );
    const REST: usize = ACCOUNT_COLUMNS;
    const ROLE: usize = REST + 2 + USER_COLUMNS;
    let Some(found) = row(db, SQL, &[&text(issuer), &text(subject)]).await? else {
        return Ok(None);
    };
    Ok(Some(Identified {
        account: values::account(&found)?,
        generation_tat: Timestamp(get(&found, REST)?),
        api_enabled: get(&found, REST + 1)?,
        user: values::user(&found, REST + 2)?,
        role: found.named(ROLE)?,
        database_now: clock.database(Timestamp(get(&found, ROLE + 2)?)),
    }))
}

async fn insert(db: &Db, new: &NewIdentity) -> Result<()> {
    execute(
        db,
        "INSERT INTO identities (issuer, subject, user_id, at) VALUES ($1, $2, $3, $4)",
        &[&text(&new.issuer), &text(&new.subject), &new.user.0, &new.at.0],
    )
    .await?;
    Ok(())
}

async fn connect(db: &Db, new: &NewIdentity, record: &AuditRecord) -> Result<bool> {
    people::alone(db).await?;
    if let Some(user) = user_by_identity(db, &new.issuer, &new.subject).await? {
        return Ok(user.id == new.user);
    }
    insert(db, new).await?;
    changes::record(db, record).await?;
    Ok(true)
}

async fn create(
    db: &Db,
    user: &User,
    roles: &[(AccountId, AccountRole)],
    new: &NewIdentity,
    record: &AuditRecord,
) -> Result<IdentityCreated> {
    people::alone(db).await?;
    if people::user_by_login(db, &user.login).await?.is_some() {
        return Ok(IdentityCreated::LoginTaken);
    }
    people::insert(db, user, NO_PASSWORD).await?;
    for (account, role) in roles {
        members::put(db, user.id, *account, Some(*role), new.at).await?;
    }
    insert(db, new).await?;
    changes::record(db, record).await?;
    Ok(IdentityCreated::Created)
}

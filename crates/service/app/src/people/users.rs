//! Users: who belongs to an account, and what operators may change of them.

use atelier_domain::{Actor, Clock, Role, User};
use atelier_store::{Store, UserChange};
use serde_json::json;

use super::{join::check_login, session::SignedIn};
use crate::{App, Error, Operator, Result, audit};

impl App {
    /// The users of the signed-in user's account.
    pub async fn members(&self, signed_in: &SignedIn) -> Result<Vec<User>> {
        Ok(self.store().users(Some(signed_in.account().id)).await?)
    }

    /// All users.
    pub async fn users(&self, _: &Operator) -> Result<Vec<User>> {
        Ok(self.store().users(None).await?)
    }

    /// Changes another user's role, or shuts him out and lets him in again.
    pub async fn update_user(
        &self,
        operator: &Operator,
        login: &str,
        role: Option<Role>,
        disabled: Option<bool>,
    ) -> Result<User> {
        if login == operator.login() {
            return Err(Error::invalid(
                "nobody can change his own role or shut himself out",
            ));
        }
        update(
            self.store(),
            self.clock(),
            &operator.actor(),
            login,
            role,
            disabled,
        )
        .await
    }
}

/// Changes a user's role, or shuts him out and lets him in again. Being shut out ends his sessions.
pub async fn update(
    store: &dyn Store,
    clock: &dyn Clock,
    by: &Actor,
    login: &str,
    role: Option<Role>,
    disabled: Option<bool>,
) -> Result<User> {
    let missing = || Error::NotFound(format!("nobody signs in as `{login}`"));
    let login = check_login(login).map_err(|_| missing())?;
    let (user, _) = store.user_by_login(&login).await?.ok_or_else(missing)?;
    let now = clock.now();
    let record = audit::record(now, by, "user.update", Some(user.account), &login);
    let details = [
        ("role", json!(role.map(Role::as_str))),
        ("disabled", json!(disabled)),
    ];
    let change = UserChange {
        role,
        disabled,
        ..UserChange::default()
    };
    store
        .update_user(user.id, change, now, audit::with(record, &details))
        .await?
        .ok_or_else(missing)
}

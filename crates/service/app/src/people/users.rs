//! Users, and what operators may change about them.

use atelier_domain::{Account, Role, User};
use atelier_store::UserChange;
use serde_json::json;

use super::join::check_login;
use crate::{Admin, Error, Result, audit};

impl Admin {
    /// All users.
    pub async fn users(&self) -> Result<Vec<User>> {
        Ok(self.store.users(None).await?)
    }

    /// The account that a user joined first.
    pub async fn account_of(&self, user: &User) -> Result<Account> {
        let account = self.store.account(user.account).await?;
        account.ok_or_else(|| Error::NotFound(format!("`{}` has no account", user.login)))
    }

    /// Changes a user's role, or disables them or enables them again; `None` leaves it. Disabling ends their
    /// sessions. Nobody can do this to themselves.
    pub async fn update_user(&self, login: &str, role: Option<Role>, disabled: Option<bool>) -> Result<User> {
        let missing = || Error::NotFound(format!("there is no user with the login `{login}`"));
        let stored_login = check_login(login).map_err(|_| missing())?;
        let found = self.store.user_by_login(&stored_login).await?;
        let (user, _) = found.ok_or_else(missing)?;
        if self.by.user() == Some(user.id) {
            return Err(Error::invalid(
                "you cannot change your own role or disable yourself",
            ));
        }
        let now = self.now();
        let record = audit::record(now, &self.by, "user.update", Some(user.account), &user.login);
        let details = [
            ("role", json!(role.map(Role::as_str))),
            ("disabled", json!(disabled)),
        ];
        let change = UserChange {
            role,
            disabled,
            ..UserChange::default()
        };
        let record = audit::with(record, &details);
        let changed = self.store.update_user(user.id, change, now, record).await?;
        changed.ok_or_else(missing)
    }
}

//! A way back for a forgotten password: a link from an operator that changes it once, before it expires.

use std::time::Duration;

use atelier_domain::{PasswordReset, PasswordResetId, Timestamp, User};
use atelier_store::{NewPasswordReset, ResetPassword};

use super::{
    join::check_login,
    passwords,
    session::{Browser, actor_of},
    throttle::network,
    two_step::Entry,
};
use crate::{Admin, App, Error, Result, audit, secrets};

/// How long a link works.
pub const LASTS: Duration = Duration::from_hours(24);

/// A link's text, shown only once, and when it expires. The page is `{origin}/account/reset/{token}`.
#[derive(Debug, Clone)]
pub struct ResetLink {
    pub token: String,
    pub user: User,
    pub expires_at: Timestamp,
}

/// The page of a reset link, below the origin.
pub fn reset_path(token: &str) -> String {
    format!("/account/reset/{token}")
}

impl Admin {
    /// Creates a one-time link with which the user chooses a new password. Earlier links of theirs stop working.
    pub async fn reset_password(&self, login: &str) -> Result<ResetLink> {
        let missing = || Error::NotFound(format!("there is no user with the login `{login}`"));
        let stored_login = check_login(login).map_err(|_| missing())?;
        let found = self.store.user_by_login(&stored_login).await?;
        let (user, _) = found.ok_or_else(missing)?;
        self.reset_link(user, LASTS).await
    }

    /// The same for a user who was found, with a link that works so long.
    pub(super) async fn reset_link(&self, user: User, lasts: Duration) -> Result<ResetLink> {
        let now = self.now();
        let token = secrets::new_token(&*self.entropy);
        let reset = PasswordReset {
            id: PasswordResetId(self.entropy.uuid(now)),
            user: user.id,
            issuer: self.by.user(),
            created_at: now,
            expires_at: now.plus(lasts),
            used_at: None,
            revoked_at: None,
        };
        let expires_at = reset.expires_at;
        let record = audit::record(now, &self.by, "password.link", Some(user.account), &user.login);
        let new = NewPasswordReset {
            reset,
            hash: secrets::key_hash(&token),
        };
        if !self.store.start_password_reset(new, record).await? {
            return Err(Error::invalid(format!(
                "`{}` cannot get a reset link: enable the user first",
                user.login
            )));
        }
        Ok(ResetLink {
            token,
            user,
            expires_at,
        })
    }
}

impl App {
    /// The login that an open reset link belongs to; `NotFound` if it is unknown, used, replaced or expired.
    pub async fn open_reset(&self, token: &str) -> Result<String> {
        if !secrets::is_token(token) {
            return Err(closed());
        }
        let found = self.store().password_reset(&secrets::key_hash(token)).await?;
        let open = found.filter(|(reset, user)| reset.is_open(self.now()) && user.disabled_at.is_none());
        open.map(|(_, user)| user.login).ok_or_else(closed)
    }

    /// Changes the password by a reset link, ends all sessions of the user, and signs them in here, after a code if
    /// they have two-step sign-in.
    pub async fn reset_password(&self, token: &str, password: &str, browser: &Browser) -> Result<Entry> {
        let login = self.open_reset(token).await?;
        passwords::check(password, &login)?;
        let hashing = &self.0.hashing;
        let place = hashing.place(&network(&browser.address))?;
        let password = hashing.hash(&place, password, self.entropy()).await?;
        drop(place);
        let now = self.now();
        // The link proves who it is; the record names the user who used it.
        let found = self.store().user_by_login(&login).await?;
        let (user, _) = found.ok_or_else(closed)?;
        let by = actor_of(&user);
        let record = audit::record(now, &by, "password.reset", Some(user.account), &login);
        let reset = ResetPassword {
            hash: secrets::key_hash(token),
            password,
            now,
        };
        let user = self.store().reset_password(reset, record).await?;
        self.enter(user.ok_or_else(closed)?, browser).await
    }
}

fn closed() -> Error {
    Error::NotFound("this link was used, replaced or has expired: ask an operator for a new one".to_owned())
}

//! Signing in with login and password, and changing the password.

use atelier_domain::User;
use atelier_store::UserChange;

use super::{
    join::check_login,
    passwords,
    session::{Browser, SignedIn},
    throttle::network,
    two_step::Entry,
};
use crate::{App, Error, Result, audit};

impl App {
    /// Begins a session if login and password match and the user belongs to an account, or asks for a code. Wrong
    /// guesses are counted; see `throttle.rs`.
    pub async fn sign_in(&self, login: &str, password: &str, browser: &Browser) -> Result<Entry> {
        let user = self.proved(login, password, browser).await?;
        self.enter(user, browser).await
    }

    /// Accepts an invitation for a user who exists, and begins a session that shows its account. If a code is asked
    /// for, the invitation is accepted after it.
    pub async fn join_with_login(
        &self,
        token: &str,
        login: &str,
        password: &str,
        browser: &Browser,
    ) -> Result<Entry> {
        self.open_invitation(token).await?;
        let user = self.proved(login, password, browser).await?;
        if let Some(pending) = self.pending(&user).await? {
            return Ok(Entry::Code(pending));
        }
        let account = self.accept_for(&user, token).await?;
        let (session, id) = self.new_session(user, browser).await?;
        self.store().show_account(id, account).await?;
        Ok(Entry::SignedIn(session))
    }

    /// The user with this login and password.
    async fn proved(&self, login: &str, password: &str, browser: &Browser) -> Result<User> {
        let wrong = || Error::invalid("the login or the password is wrong");
        let login = check_login(login).map_err(|_| wrong())?;
        if password.chars().count() > passwords::MAX_LENGTH {
            return Err(wrong());
        }
        // A request without a place in the queue does not count as a guess: a flood must not fill the counters.
        let hashing = &self.0.hashing;
        let place = hashing.place(&network(&browser.address))?;
        let guess = self.0.guesses.take(&login, &browser.address, self.now())?;
        let found = self.store().user_by_login(&login).await?;
        let (user, stored) = found.filter(|(user, _)| user.disabled_at.is_none()).unzip();
        let verified = hashing.verify(&place, guess.slow_down, password, stored);
        let right = verified.await?;
        let user = user.filter(|_| right).ok_or_else(wrong)?;
        self.0.guesses.right(guess);
        Ok(user)
    }

    /// Changes the user's password and ends their other sessions.
    pub async fn change_password(&self, signed_in: &SignedIn, current: &str, new: &str) -> Result<()> {
        let login = &signed_in.user.login;
        passwords::check(new, login)?;
        let address = &signed_in.session.address;
        let hashing = &self.0.hashing;
        let place = hashing.place(&network(address))?;
        let guess = self.0.guesses.take(login, address, self.now())?;
        let stored = self.store().user_by_login(login).await?.map(|(_, stored)| stored);
        let verified = hashing.verify(&place, guess.slow_down, current, stored);
        if !verified.await? {
            return Err(Error::parameter(
                "current_password",
                "the current password is wrong".to_owned(),
            ));
        }
        let password = hashing.hash(&place, new, self.entropy()).await?;
        self.0.guesses.right(guess);
        let now = self.now();
        let account = Some(signed_in.account().id);
        let record = audit::record(now, &signed_in.actor(), "password.change", account, login);
        let change = UserChange {
            password: Some(password),
            keep: Some(signed_in.session.id),
            ..UserChange::default()
        };
        self.store()
            .update_user(signed_in.user.id, change, now, record)
            .await?;
        Ok(())
    }
}

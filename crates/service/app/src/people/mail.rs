//! Mail that people ask for: links for forgotten passwords, and invitations. Sending takes place aside, so that a slow
//! mail server holds up no page. A mail that is lost can be asked for again, so nothing is kept of it.

use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

use atelier_domain::{Actor, Entropy, Role, Timestamp};
use atelier_outbound::smtp::{Mail, SmtpServer, is_address};
use tokio::sync::Semaphore;

use super::{
    invite::{Invited, join_path},
    join::check_login,
    reset::reset_path,
    session::{Browser, SignedIn},
};
use crate::{Admin, App, Error, Result};

/// How long a link in a mail works: shorter than one that an operator hands over.
pub const LINK_LASTS: Duration = Duration::from_hours(1);
/// How many mails are sent or wait for their next try at the same time.
const AT_ONCE: usize = 50;
/// The pauses before further tries.
const PAUSES: [Duration; 2] = [Duration::from_secs(5), Duration::from_mins(1)];

/// The subject of an invitation.
const INVITED: &str = "You are invited";

/// The mails that are on their way.
#[derive(Debug, Clone)]
pub(crate) struct Outbox(Arc<Semaphore>);

impl Default for Outbox {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(AT_ONCE)))
    }
}

impl App {
    /// Whether the service can send mail.
    pub fn has_mail(&self) -> bool {
        self.settings().mail.is_some()
    }

    /// Mails somebody a link with which they choose a new password, if there is a user with this address as their login
    /// who has a password. The answer is the same if there is none. `origin` begins the link.
    pub fn mail_reset(&self, login: &str, browser: &Browser, origin: &str) -> Result<()> {
        if !self.has_mail() {
            return Err(Error::NotFound("there is no page at this address".to_owned()));
        }
        let now = self.now();
        self.0.guesses.take_mail_from(&browser.address, now)?;
        let Some(login) = check_login(login).ok().filter(|login| is_address(login)) else {
            return Ok(());
        };
        // A refusal here would tell nothing about the user either, but somebody else could cause it.
        if self.0.guesses.take_mail_to(&login, now).is_err() {
            return Ok(());
        }
        let (app, origin) = (self.clone(), origin.to_owned());
        tokio::spawn(async move {
            if let Err(error) = app.mail_reset_to(&login, &origin).await {
                tracing::error!(%error, "no link for a forgotten password was made");
            }
        });
        Ok(())
    }

    async fn mail_reset_to(&self, login: &str, origin: &str) -> Result<()> {
        let found = self.store().user_by_login(login).await?;
        // Users who sign in only at the OpenID provider must not get a password this way.
        let user = found.filter(|(user, password)| user.disabled_at.is_none() && !password.is_empty());
        let Some((user, _)) = user else {
            return Ok(());
        };
        let link = self.acting(Actor::Service).reset_link(user, LINK_LASTS).await?;
        let text = format!(
            "Somebody, probably you, asked for a new password for {login} at {origin}.\n\nChoose it here within one \
             hour:\n\n{origin}{}\n\nIf it was not you, there is nothing to do: your password still works.\n",
            reset_path(&link.token)
        );
        self.post(login, "Your new password", text).await;
        Ok(())
    }

    /// Checks that the signed-in user may mail an invitation to this address now.
    pub fn may_mail_invitation(&self, signed_in: &SignedIn, to: &str) -> Result<()> {
        if !self.has_mail() {
            return Err(Error::invalid(
                "this service sends no mail: hand the link over yourself",
            ));
        }
        check_address(to)?;
        self.0.guesses.take_mail_by(&signed_in.user.login, self.now())?;
        Ok(())
    }

    /// Mails an invitation that was just made. `origin` begins the link.
    pub fn mail_invitation(&self, signed_in: &SignedIn, invited: &Invited, to: &str, origin: &str) {
        let text = invitation(&format!("{} invites you", signed_in.user.login), invited, origin);
        let (app, to) = (self.clone(), to.to_owned());
        tokio::spawn(async move { app.post(&to, INVITED, text).await });
    }

    /// Sends a mail, with further tries if the server cannot take it now.
    async fn post(&self, to: &str, subject: &str, text: String) {
        let Some(server) = &self.settings().mail else {
            return;
        };
        let Ok(_place) = self.0.outbox.0.try_acquire() else {
            tracing::error!("a mail was not sent: {AT_ONCE} others wait for the mail server");
            return;
        };
        let mail = mail(to, subject, text, self.entropy(), self.now());
        let mut pauses = PAUSES.into_iter();
        loop {
            let Err(error) = server.send(&mail).await else {
                return;
            };
            let pause = pauses.next().filter(|_| error.is_transient());
            let Some(pause) = pause else {
                tracing::error!(%error, "a mail was not sent");
                return;
            };
            tracing::warn!(%error, seconds = pause.as_secs(), "a mail was not sent, and will be tried again");
            tokio::time::sleep(pause).await;
        }
    }
}

impl Admin {
    /// Mails an invitation that was just made, once. It is sent when this returns. `origin` begins the link.
    pub async fn mail_invitation(
        &self,
        server: &SmtpServer,
        invited: &Invited,
        to: &str,
        origin: &str,
    ) -> Result<()> {
        check_address(to)?;
        let text = invitation("You are invited", invited, origin);
        let mail = mail(to, INVITED, text, &*self.entropy, self.now());
        let sent = server.send(&mail).await;
        sent.map_err(|error| Error::invalid(error.to_string()))
    }
}

/// Checks that mail can be sent to an address.
fn check_address(to: &str) -> Result<()> {
    if is_address(to) {
        return Ok(());
    }
    Err(Error::parameter(
        "email",
        format!("`email` must be one address, such as grace@example.com (got {to:?})"),
    ))
}

/// The text of an invitation, which begins with who invites.
fn invitation(beginning: &str, invited: &Invited, origin: &str) -> String {
    let account = invited.account.as_ref();
    let account = account.map_or_else(String::new, |account| {
        format!(" to the account \"{}\"", account.name)
    });
    let role = match invited.role {
        Role::Operator => "operator",
        Role::Member => invited.account_role.as_str(),
    };
    format!(
        "{beginning}{account} at {origin}, as {role}.\n\nJoin here; the link works once, until {}:\n\n{origin}{}\n",
        invited.expires_at,
        join_path(&invited.token)
    )
}

fn mail(to: &str, subject: &str, text: String, entropy: &dyn Entropy, now: Timestamp) -> Mail {
    Mail {
        to: to.to_owned(),
        subject: subject.to_owned(),
        text,
        id: entropy.uuid(now).to_string(),
        date: SystemTime::UNIX_EPOCH + Duration::from_micros(now.0.unsigned_abs()),
    }
}

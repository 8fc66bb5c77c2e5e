//! Sessions: what a cookie proves, how it is listed and ended.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use atelier_domain::{AccountRole, Actor, Session, SessionId, Timestamp, User};
use atelier_store::{SessionUse, Which};

use crate::{App, Caller, Error, Result, audit, secrets};

/// A session ends after this long, however much it is used.
pub const LONGEST: Duration = Duration::from_hours(2160);
/// And after this long without any use.
pub const IDLE: Duration = Duration::from_hours(336);
/// A session's last use is noted this often at most.
const NOTE_USE_EVERY: Duration = Duration::from_mins(1);

/// The origin of a browser's request.
#[derive(Debug, Clone, Default)]
pub struct Browser {
    /// The address of the other end.
    pub address: String,
    /// As it names itself.
    pub user_agent: String,
}

/// A session just begun. The token is the cookie's text; it is kept nowhere else.
#[derive(Debug, Clone)]
pub struct NewSession {
    pub token: String,
    pub user: User,
    pub expires_at: Timestamp,
}

/// The proof that a request comes from a signed-in user. Its caller is the scope of every use case of an account.
#[derive(Debug, Clone)]
pub struct SignedIn {
    pub user: User,
    pub session: Session,
    /// The role in the account that the session shows.
    pub role: AccountRole,
    pub has_other_accounts: bool,
    pub caller: Caller,
    csrf: String,
}

impl SignedIn {
    /// Returns the token that the forms of this session carry, so that no other site can send them.
    pub fn csrf(&self) -> &str {
        &self.csrf
    }

    /// Whether a form carries this session's token; compared in constant time.
    pub fn csrf_matches(&self, given: &str) -> bool {
        secrets::equal(self.csrf.as_bytes(), given.as_bytes())
    }

    /// Returns the author of changes in this session.
    pub fn actor(&self) -> Actor {
        actor_of(&self.user)
    }
}

/// A user as who changes something.
pub(super) fn actor_of(user: &User) -> Actor {
    Actor::User {
        id: user.id,
        login: user.login.clone(),
    }
}

/// Uses of sessions that are not written down yet.
#[derive(Debug, Default)]
pub(crate) struct SessionsUsed(Mutex<HashMap<SessionId, SessionUse>>);

impl App {
    /// The user that this cookie belongs to; `None` if the session is unknown or has ended.
    pub async fn signed_in(&self, token: &str, browser: &Browser) -> Result<Option<SignedIn>> {
        if !secrets::is_token(token) {
            return Ok(None);
        }
        let now = self.now();
        let Some(found) = self.store().signed_in(&secrets::key_hash(token), now).await? else {
            return Ok(None);
        };
        let unseen = now.since(found.session.last_seen_at);
        if unseen > IDLE {
            return Ok(None);
        }
        if unseen > NOTE_USE_EVERY || found.session.address != browser.address {
            let used = SessionUse {
                id: found.session.id,
                at: now,
                address: clip(&browser.address),
            };
            self.0
                .sessions_used
                .0
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .insert(found.session.id, used);
        }
        Ok(Some(SignedIn {
            csrf: secrets::csrf_token(token),
            role: found.role,
            has_other_accounts: found.has_other_accounts,
            caller: Caller::of_session(&found),
            user: found.user,
            session: found.session,
        }))
    }

    /// Begins a session for a user who has proved their identity, if they belong to an account.
    pub(super) async fn start_session(&self, user: User, browser: &Browser) -> Result<NewSession> {
        if self.store().memberships(user.id).await?.is_empty() {
            return Err(Error::invalid(
                "you no longer belong to an account: ask an owner or an operator for an invitation",
            ));
        }
        Ok(self.new_session(user, browser).await?.0)
    }

    /// Begins a session for a member of an account. Returns its id too.
    pub(super) async fn new_session(&self, user: User, browser: &Browser) -> Result<(NewSession, SessionId)> {
        let now = self.now();
        let token = secrets::new_token(self.entropy());
        let session = Session {
            id: SessionId(self.entropy().uuid(now)),
            user: user.id,
            created_at: now,
            last_seen_at: now,
            expires_at: now.plus(LONGEST),
            user_agent: clip(&browser.user_agent),
            address: clip(&browser.address),
        };
        let record = audit::record(
            now,
            &actor_of(&user),
            "session.start",
            Some(user.account),
            session.id,
        );
        let record = audit::with(record, &[("address", session.address.clone().into())]);
        let (id, expires_at) = (session.id, session.expires_at);
        let new = atelier_store::NewSession {
            session,
            hash: secrets::key_hash(&token),
        };
        self.store().start_session(new, record).await?;
        let started = NewSession {
            token,
            user,
            expires_at,
        };
        Ok((started, id))
    }

    /// The user's open sessions, newest first; the current one is `signed_in.session`.
    pub async fn sessions(&self, signed_in: &SignedIn) -> Result<Vec<Session>> {
        let now = self.now();
        let mut sessions = self.store().sessions(signed_in.user.id, now).await?;
        sessions.retain(|session| now.since(session.last_seen_at) <= IDLE);
        Ok(sessions)
    }

    /// Ends this session.
    pub async fn sign_out(&self, signed_in: &SignedIn) -> Result<()> {
        self.end_sessions_of(signed_in, Which::One(signed_in.session.id))
            .await?;
        Ok(())
    }

    /// Ends one of the user's sessions.
    pub async fn end_session(&self, signed_in: &SignedIn, id: &str) -> Result<()> {
        let missing = || Error::NotFound("there is no open session with this id".to_owned());
        let id: SessionId = id.parse().map_err(|_| missing())?;
        match self.end_sessions_of(signed_in, Which::One(id)).await? {
            0 => Err(missing()),
            _ => Ok(()),
        }
    }

    /// Ends all of the user's sessions except this one. Returns how many.
    pub async fn end_other_sessions(&self, signed_in: &SignedIn) -> Result<u32> {
        self.end_sessions_of(signed_in, Which::AllBut(signed_in.session.id))
            .await
    }

    async fn end_sessions_of(&self, signed_in: &SignedIn, which: Which) -> Result<u32> {
        let now = self.now();
        let object = match which {
            Which::One(id) => id.to_string(),
            Which::AllBut(_) => "all others".to_owned(),
            Which::All => "all".to_owned(),
        };
        let account = Some(signed_in.account().id);
        let record = audit::record(now, &signed_in.actor(), "session.end", account, object);
        Ok(self
            .store()
            .end_sessions(signed_in.user.id, which, now, record)
            .await?)
    }

    /// Writes down when sessions were last used.
    pub(crate) async fn note_sessions_used(&self) -> Result<()> {
        let used = std::mem::take(
            &mut *self
                .0
                .sessions_used
                .0
                .lock()
                .unwrap_or_else(PoisonError::into_inner),
        );
        if !used.is_empty() {
            self.store().touch_sessions(used.into_values().collect()).await?;
        }
        Ok(())
    }
}

/// Shortens a text from a browser to the part that is kept.
fn clip(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(300).collect()
}

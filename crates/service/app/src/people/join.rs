//! Becoming a user by the link of an invitation.

use atelier_domain::{
    Account, AccountId, AccountRole, Actor, LowBalance, Plan, QueueLimits, Role, SigningSecrets, UserId,
};
use atelier_store::{AcceptInvitation, InvitationAccepted};

use super::{
    passwords,
    session::{Browser, NewSession},
    throttle::network,
};
use crate::{App, Error, Result, audit, secrets};

/// The plan of the first operator's account.
const FIRST_PLAN: &str = "operator";

/// The offer of an open link.
#[derive(Debug, Clone)]
pub struct OpenInvitation {
    pub role: Role,
    /// The role in the account.
    pub account_role: AccountRole,
    /// `None`: the first operator gets an account of their own.
    pub account: Option<Account>,
}

impl App {
    /// Returns the offer of a link; `NotFound` if it is unknown, used, revoked or expired.
    pub async fn open_invitation(&self, token: &str) -> Result<OpenInvitation> {
        if !secrets::is_token(token) {
            return Err(closed());
        }
        let invitation = self.store().invitation(&secrets::key_hash(token)).await?;
        let invitation = invitation
            .filter(|invitation| invitation.is_open(self.now()))
            .ok_or_else(closed)?;
        let account = match invitation.account {
            Some(id) => Some(self.store().account(id).await?.ok_or_else(closed)?),
            None => None,
        };
        Ok(OpenInvitation {
            role: invitation.role,
            account_role: invitation.account_role,
            account,
        })
    }

    /// Creates the user that the link promises, and signs them in.
    pub async fn join(
        &self,
        token: &str,
        login: &str,
        password: &str,
        browser: &Browser,
    ) -> Result<NewSession> {
        self.open_invitation(token).await?;
        let login = check_login(login)?;
        passwords::check(password, &login)?;
        let hashing = &self.0.hashing;
        let place = hashing.place(&network(&browser.address))?;
        let password = hashing.hash(&place, password, self.entropy()).await?;
        drop(place);
        let now = self.now();
        let user = UserId(self.entropy().uuid(now));
        let accept = AcceptInvitation {
            hash: secrets::key_hash(token),
            user,
            login: login.clone(),
            password,
            now,
            account: self.first_account(&login),
        };
        let by = Actor::User {
            id: user,
            login: login.clone(),
        };
        let record = audit::record(now, &by, "user.join", None, &login);
        match self.store().accept_invitation(accept, record).await? {
            InvitationAccepted::Accepted(user) => self.start_session(user, browser).await,
            InvitationAccepted::Closed => Err(closed()),
            InvitationAccepted::LoginTaken => Err(Error::parameter(
                "login",
                format!("the login `{login}` is taken: choose another one"),
            )),
            InvitationAccepted::NameTaken => Err(Error::parameter(
                "login",
                format!("an account named `{login}` already exists: choose another login"),
            )),
        }
    }

    /// The account of the first operator, created only if the link names none.
    fn first_account(&self, login: &str) -> Account {
        let now = self.now();
        Account {
            id: AccountId(self.entropy().uuid(now)),
            name: login.to_owned(),
            beta: true,
            plan: Some(Plan {
                name: FIRST_PLAN.to_owned(),
                active: true,
            }),
            available: self.settings().first_operator_credits,
            held: 0,
            signing: SigningSecrets::new(secrets::new_signing_secret(self.entropy())),
            generations_per_minute: None,
            plan_per_minute: None,
            queue: QueueLimits::default(),
            monthly_budget: None,
            retention_days: None,
            private_media: false,
            prompt_in_files: atelier_domain::PromptInFiles::default(),
            low_balance: LowBalance::default(),
            created_at: now,
        }
    }
}

/// A login is a name or an e-mail address: 2 to 100 visible characters without space, kept in lower case.
pub(crate) fn check_login(login: &str) -> Result<String> {
    let login = login.trim().to_lowercase();
    let length = login.chars().count();
    let visible = |c: char| !c.is_whitespace() && !c.is_control();
    if !(2..=100).contains(&length) || !login.chars().all(visible) {
        return Err(Error::parameter(
            "login",
            "the login must be a name or an e-mail address of 2 to 100 characters without spaces".to_owned(),
        ));
    }
    Ok(login)
}

pub(super) fn closed() -> Error {
    Error::NotFound(
        "this link was used or revoked, has expired, or never existed: ask for a new one".to_owned(),
    )
}

//! Invitations: a link that makes one user, once, within its time.

use std::time::Duration;

use atelier_domain::{Account, Actor, Clock, Entropy, Invitation, InvitationId, Role, Timestamp};
use atelier_store::{NewInvitation, Store};

use super::session::SignedIn;
use crate::{App, Error, Operator, Result, accounts::update::find, audit, secrets};

/// How long a link works.
pub const LASTS: Duration = Duration::from_secs(7 * 86_400);

/// A link's text, shown this once, and until when it works. The page is `{origin}/account/join/{token}`.
#[derive(Debug, Clone)]
pub struct Invited {
    pub token: String,
    pub account: Option<Account>,
    pub role: Role,
    pub expires_at: Timestamp,
}

/// Below the origin: the page of an invitation.
pub fn join_path(token: &str) -> String {
    format!("/account/join/{token}")
}

/// Invites somebody to the account of this name.
pub async fn invite(
    store: &dyn Store,
    clock: &dyn Clock,
    entropy: &dyn Entropy,
    by: &Actor,
    account: &str,
    role: Role,
) -> Result<Invited> {
    let account = find(store, account).await?;
    invite_to(store, clock.now(), entropy, by, account, role).await
}

/// A link for the first operator, where there is none yet. Links made before stop working.
pub async fn invite_first_operator(
    store: &dyn Store,
    clock: &dyn Clock,
    entropy: &dyn Entropy,
) -> Result<Option<Invited>> {
    if store.has_operator().await? {
        return Ok(None);
    }
    let now = clock.now();
    let (token, new) = new_invitation(now, entropy, &Actor::Service, None, Role::Operator);
    let (id, expires_at) = (new.invitation.id, new.invitation.expires_at);
    let record = audit::record(now, &Actor::Service, "user.invite", None, id);
    let record = audit::with(record, &[("role", Role::Operator.as_str().into())]);
    let made = store.invite_first_operator(new, record).await?;
    Ok(made.then_some(Invited {
        token,
        account: None,
        role: Role::Operator,
        expires_at,
    }))
}

impl App {
    /// Invites a member to the signed-in user's own account.
    pub async fn invite_member(&self, signed_in: &SignedIn) -> Result<Invited> {
        let account = signed_in.account().clone();
        let (by, now) = (signed_in.actor(), self.now());
        invite_to(self.store(), now, self.entropy(), &by, account, Role::Member).await
    }

    /// Invites somebody to any account, as a member or an operator.
    pub async fn invite_to_account(&self, operator: &Operator, account: &str, role: Role) -> Result<Invited> {
        let account = find(self.store(), account).await?;
        let (by, now) = (operator.actor(), self.now());
        invite_to(self.store(), now, self.entropy(), &by, account, role).await
    }
}

async fn invite_to(
    store: &dyn Store,
    now: Timestamp,
    entropy: &dyn Entropy,
    by: &Actor,
    account: Account,
    role: Role,
) -> Result<Invited> {
    let (token, new) = new_invitation(now, entropy, by, Some(&account), role);
    let (id, expires_at) = (new.invitation.id, new.invitation.expires_at);
    let record = audit::record(now, by, "user.invite", Some(account.id), id);
    let details = [
        ("account", account.name.clone().into()),
        ("role", role.as_str().into()),
    ];
    if !store.invite(new, audit::with(record, &details)).await? {
        return Err(Error::invalid(format!(
            "you may not invite an {role} to this account"
        )));
    }
    Ok(Invited {
        token,
        account: Some(account),
        role,
        expires_at,
    })
}

fn new_invitation(
    now: Timestamp,
    entropy: &dyn Entropy,
    by: &Actor,
    account: Option<&Account>,
    role: Role,
) -> (String, NewInvitation) {
    let token = secrets::new_token(entropy);
    let invitation = Invitation {
        id: InvitationId(entropy.uuid(now)),
        role,
        account: account.map(|account| account.id),
        inviter: by.user(),
        created_at: now,
        expires_at: now.plus(LASTS),
        used_at: None,
        revoked_at: None,
    };
    let hash = secrets::key_hash(&token);
    (token, NewInvitation { invitation, hash })
}

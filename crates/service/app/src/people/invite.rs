//! Invitations: a link that creates one user, once, before it expires.

use std::time::Duration;

use atelier_domain::{
    Account, AccountId, AccountRole, Actor, Invitation, InvitationId, ListedInvitation, Role, Timestamp,
};
use atelier_store::NewInvitation;

use super::session::SignedIn;
use crate::{Admin, App, Error, Result, System, audit, secrets};

/// How long a link works.
pub const LASTS: Duration = Duration::from_hours(168);

/// A link's text, shown only once, and when it expires. The page is `{origin}/account/join/{token}`.
#[derive(Debug, Clone)]
pub struct Invited {
    pub id: InvitationId,
    pub token: String,
    pub account: Option<Account>,
    pub role: Role,
    /// The role in the account.
    pub account_role: AccountRole,
    pub expires_at: Timestamp,
}

/// The page of an invitation, below the origin.
pub fn join_path(token: &str) -> String {
    format!("/account/join/{token}")
}

impl Admin {
    /// Invites somebody to the account of this name, with this role in the service and in the account.
    pub async fn invite(&self, account: &str, role: Role, account_role: AccountRole) -> Result<Invited> {
        let account = self.account(account).await?;
        self.invite_to(account, role, account_role).await
    }

    /// The open invitations to the account of this name, or all, newest first.
    pub async fn invitations(&self, account: Option<&str>) -> Result<Vec<ListedInvitation>> {
        let account = match account {
            Some(name) => Some(self.account(name).await?.id),
            None => None,
        };
        Ok(self.store.open_invitations(account, self.now()).await?)
    }

    /// Revokes an open invitation: its link stops working immediately.
    pub async fn revoke_invitation(&self, id: &str) -> Result<Invitation> {
        self.revoke_invitation_to(None, id).await
    }

    async fn revoke_invitation_to(&self, account: Option<AccountId>, id: &str) -> Result<Invitation> {
        let missing = || Error::NotFound(format!("there is no open invitation with the id `{id}`"));
        let id: InvitationId = id.parse().map_err(|_| missing())?;
        let now = self.now();
        let record = audit::record(now, &self.by, "invitation.revoke", account, id);
        let revoked = self.store.revoke_invitation(account, id, now, record).await?;
        revoked.ok_or_else(missing)
    }

    async fn invite_to(&self, account: Account, role: Role, account_role: AccountRole) -> Result<Invited> {
        let (token, new) = self.new_invitation(Some(&account), role, account_role);
        let (id, expires_at) = (new.invitation.id, new.invitation.expires_at);
        let record = audit::record(self.now(), &self.by, "user.invite", Some(account.id), id);
        let details = [
            ("account", account.name.clone().into()),
            ("role", role.as_str().into()),
            ("account_role", account_role.as_str().into()),
        ];
        if !self.store.invite(new, audit::with(record, &details)).await? {
            return Err(Error::invalid(format!(
                "you may not invite somebody as {role} to `{}`",
                account.name
            )));
        }
        Ok(Invited {
            id,
            token,
            account: Some(account),
            role,
            account_role,
            expires_at,
        })
    }

    fn new_invitation(
        &self,
        account: Option<&Account>,
        role: Role,
        account_role: AccountRole,
    ) -> (String, NewInvitation) {
        let now = self.now();
        let token = secrets::new_token(&*self.entropy);
        let invitation = Invitation {
            id: InvitationId(self.entropy.uuid(now)),
            role,
            account_role,
            account: account.map(|account| account.id),
            inviter: self.by.user(),
            created_at: now,
            expires_at: now.plus(LASTS),
            used_at: None,
            revoked_at: None,
        };
        let hash = secrets::key_hash(&token);
        (token, NewInvitation { invitation, hash })
    }
}

impl System {
    /// A link for the first operator, if there is none yet. Earlier links stop working.
    pub async fn invite_first_operator(&self) -> Result<Option<Invited>> {
        let admin = self.admin(Actor::Service);
        if admin.store.has_operator().await? {
            return Ok(None);
        }
        let role = Role::Operator;
        let (token, new) = admin.new_invitation(None, role, AccountRole::Owner);
        let (id, expires_at) = (new.invitation.id, new.invitation.expires_at);
        let record = audit::record(admin.now(), &admin.by, "user.invite", None, id);
        let record = audit::with(record, &[("role", role.as_str().into())]);
        let created = admin.store.invite_first_operator(new, record).await?;
        Ok(created.then_some(Invited {
            id,
            token,
            account: None,
            role,
            account_role: AccountRole::Owner,
            expires_at,
        }))
    }
}

impl App {
    /// The open invitations to the signed-in user's account, newest first, for those who manage its members.
    pub async fn invitations(&self, signed_in: &SignedIn) -> Result<Vec<ListedInvitation>> {
        let account = Some(signed_in.may_manage_members()?.id);
        Ok(self.store().open_invitations(account, self.now()).await?)
    }

    /// Revokes an open invitation to the signed-in user's account: its link stops working immediately.
    pub async fn revoke_invitation(&self, signed_in: &SignedIn, id: &str) -> Result<Invitation> {
        let account = Some(signed_in.may_manage_members()?.id);
        let admin = self.acting(signed_in.actor());
        admin.revoke_invitation_to(account, id).await
    }

    /// Invites somebody to the signed-in user's account.
    pub async fn invite_member(&self, signed_in: &SignedIn, role: AccountRole) -> Result<Invited> {
        let account = signed_in.may_manage_members()?.clone();
        self.acting(signed_in.actor())
            .invite_to(account, Role::Member, role)
            .await
    }
}

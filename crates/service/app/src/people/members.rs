//! Members of an account: who they are, their roles, joining another account, and which one a session shows.

use atelier_domain::{AccountId, AccountRole, Member, Membership, User};
use atelier_store::{ChangeMember, JoinAccount, Joined, MemberChanged};
use serde_json::json;

use super::{
    join::{check_login, closed},
    session::{SignedIn, actor_of},
};
use crate::{Admin, App, Error, Result, audit, secrets};

impl Admin {
    /// The members of the account of this name, oldest first.
    pub async fn members(&self, account: &str) -> Result<Vec<Member>> {
        let account = self.account(account).await?;
        Ok(self.store.members(account.id).await?)
    }

    /// Makes a user a member of the account of this name, changes their role in it, or removes them (`None`).
    pub async fn change_member(&self, account: &str, login: &str, role: Option<AccountRole>) -> Result<()> {
        let account = self.account(account).await?;
        self.change_member_of(account.id, login, role, true).await
    }

    async fn change_member_of(
        &self,
        account: AccountId,
        login: &str,
        role: Option<AccountRole>,
        add: bool,
    ) -> Result<()> {
        let missing = || Error::NotFound(format!("there is no member with the login `{login}`"));
        let stored_login = check_login(login).map_err(|_| missing())?;
        let found = self.store.user_by_login(&stored_login).await?;
        let (user, _) = found.ok_or_else(missing)?;
        match self.set_member(&user, account, role, add).await? {
            MemberChanged::Changed => Ok(()),
            MemberChanged::NotAMember => Err(missing()),
            MemberChanged::LastOwner => Err(Error::Conflict(format!(
                "`{}` is the last owner of the account: make somebody else an owner first",
                user.login
            ))),
        }
    }

    /// Gives a user this role in an account, or removes them (`None`). `add`: also if they are not a member yet.
    pub(super) async fn set_member(
        &self,
        user: &User,
        account: AccountId,
        role: Option<AccountRole>,
        add: bool,
    ) -> Result<MemberChanged> {
        let now = self.now();
        let action = if role.is_some() {
            "member.update"
        } else {
            "member.remove"
        };
        let record = audit::record(now, &self.by, action, Some(account), &user.login);
        let record = audit::with(record, &[("account_role", json!(role.map(AccountRole::as_str)))]);
        let change = ChangeMember {
            user: user.id,
            account,
            role,
            add,
            now,
        };
        Ok(self.store.change_member(change, record).await?)
    }
}

impl App {
    /// The members of the signed-in user's account, oldest first.
    pub async fn members(&self, signed_in: &SignedIn) -> Result<Vec<Member>> {
        Ok(self.store().members(signed_in.account().id).await?)
    }

    /// Changes the role of another member of the signed-in user's account, or removes them (`None`).
    pub async fn change_member(
        &self,
        signed_in: &SignedIn,
        login: &str,
        role: Option<AccountRole>,
    ) -> Result<()> {
        let account = signed_in.may_manage_members()?.id;
        let admin = self.acting(signed_in.actor());
        admin.change_member_of(account, login, role, false).await
    }

    /// The accounts that the signed-in user belongs to, by name.
    pub async fn accounts_of(&self, signed_in: &SignedIn) -> Result<Vec<Membership>> {
        Ok(self.store().memberships(signed_in.user.id).await?)
    }

    /// Shows another account of the user in this session.
    pub async fn show_account(&self, signed_in: &SignedIn, account: &str) -> Result<()> {
        let missing = || Error::NotFound("you do not belong to this account".to_owned());
        let account: AccountId = account.parse().map_err(|_| missing())?;
        let shown = self.store().show_account(signed_in.session.id, account).await?;
        shown.then_some(()).ok_or_else(missing)
    }

    /// Accepts an invitation for the signed-in user, and shows its account in this session.
    pub async fn join_account(&self, signed_in: &SignedIn, token: &str) -> Result<()> {
        let account = self.accept_for(&signed_in.user, token).await?;
        self.store().show_account(signed_in.session.id, account).await?;
        Ok(())
    }

    /// Accepts an invitation for a user who has proved their identity. Returns its account.
    pub(super) async fn accept_for(&self, user: &User, token: &str) -> Result<AccountId> {
        if !secrets::is_token(token) {
            return Err(closed());
        }
        let now = self.now();
        let record = audit::record(now, &actor_of(user), "user.join", None, &user.login);
        let join = JoinAccount {
            hash: secrets::key_hash(token),
            user: user.id,
            now,
        };
        match self.store().join_account(join, record).await? {
            Joined::Joined(invitation) => invitation.account.ok_or_else(closed),
            Joined::Closed => Err(closed()),
            Joined::AlreadyAMember => Err(Error::Conflict("you already belong to this account".to_owned())),
        }
    }
}

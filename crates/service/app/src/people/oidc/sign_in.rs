//! The use cases: going to the provider, coming back, and connecting an identity to an existing user.

use atelier_domain::{AccountId, AccountRole, Actor, User, UserId};
use atelier_store::{IdentityCreated, MemberChanged, NewIdentity};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::{Identity, OidcSettings, Provider, Visit};
use crate::{
    App, Error, Result, audit,
    people::{Browser, Entry, SignedIn, join::check_login, session::actor_of},
    secrets,
};

/// The address for the browser, and the cookie that it keeps meanwhile.
#[derive(Debug, Clone)]
pub struct Begun {
    pub url: String,
    pub visit: Visit,
}

/// The query that the provider added to the address of the return.
#[derive(Debug, Clone, Default)]
pub struct CallbackQuery {
    pub state: String,
    pub code: Option<String>,
    pub error: Option<String>,
}

/// The outcome of a return.
#[derive(Debug)]
pub enum Arrived {
    Proved(Entry),
    /// The identity now belongs to the signed-in user.
    Connected,
}

/// The challenge of a verifier, for the provider (RFC 7636, `S256`).
pub(super) fn challenge(verifier: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()))
}

impl App {
    /// The provider's name for the button; `None` without a provider.
    pub fn oidc_name(&self) -> Option<&str> {
        self.0
            .oidc
            .as_ref()
            .map(|provider| provider.settings.name.as_str())
    }

    /// Begins a sign-in, or the connection of an identity to the signed-in user.
    pub async fn begin_oidc(&self, redirect: &str, next: &str, connect: bool) -> Result<Begun> {
        let provider = self.oidc()?;
        let token = || secrets::new_token(self.entropy());
        let visit = Visit {
            state: token(),
            nonce: token(),
            verifier: token(),
            next: next.to_owned(),
            connect,
        };
        let url = provider.departure(&visit, redirect, self.now()).await?;
        Ok(Begun {
            url: url.into(),
            visit,
        })
    }

    /// Ends a sign-in with what the provider sent back.
    pub async fn finish_oidc(
        &self,
        visit: &Visit,
        query: CallbackQuery,
        redirect: &str,
        browser: &Browser,
        signed_in: Option<&SignedIn>,
    ) -> Result<Arrived> {
        let provider = self.oidc()?;
        let now = self.now();
        let foreign = || {
            Error::invalid("the sign-in was refused: it began elsewhere, or was already used: start again")
        };
        if !secrets::equal(visit.state.as_bytes(), query.state.as_bytes())
            || !provider.use_state(&visit.state, now)
        {
            return Err(foreign());
        }
        if let Some(error) = query.error {
            let error: String = error.chars().filter(|c| !c.is_control()).take(100).collect();
            return Err(Error::invalid(format!(
                "the sign-in was refused: the provider answered `{error}`"
            )));
        }
        let code = query.code.filter(|code| !code.is_empty()).ok_or_else(foreign)?;
        let claims = provider.claims(visit, &code, redirect, now).await?;
        let identity = Identity::of(&claims, &provider.settings);
        if visit.connect {
            let signed_in = signed_in.ok_or_else(foreign)?;
            self.connect(signed_in, provider, &identity).await?;
            return Ok(Arrived::Connected);
        }
        let issuer = &provider.settings.issuer;
        let found = self.store().user_by_identity(issuer, &identity.subject).await?;
        let user = match found {
            Some(user) if user.disabled_at.is_some() => {
                return Err(Error::invalid("the sign-in was refused: the user is disabled"));
            }
            Some(user) => {
                self.follow_groups(provider, &user, &identity).await?;
                user
            }
            None => self.create(provider, &identity).await?,
        };
        Ok(Arrived::Proved(self.enter(user, browser).await?))
    }

    fn oidc(&self) -> Result<&Provider> {
        let provider = self.0.oidc.as_ref();
        provider.ok_or_else(|| Error::NotFound("there is no page at this address".to_owned()))
    }

    async fn connect(&self, signed_in: &SignedIn, provider: &Provider, identity: &Identity) -> Result<()> {
        let issuer = &provider.settings.issuer;
        let (by, account) = (signed_in.actor(), Some(signed_in.user.account));
        let record = audit::record(
            self.now(),
            &by,
            "identity.connect",
            account,
            &signed_in.user.login,
        );
        let record = audit::with(record, &[("subject", json!(identity.subject))]);
        let new = NewIdentity {
            issuer: issuer.clone(),
            subject: identity.subject.clone(),
            user: signed_in.user.id,
            at: self.now(),
        };
        if self.store().connect_identity(new, record).await? {
            return Ok(());
        }
        Err(Error::Conflict(
            "this identity already belongs to another user".to_owned(),
        ))
    }

    /// Creates a user for an unknown identity.
    async fn create(&self, provider: &Provider, identity: &Identity) -> Result<User> {
        let settings = &provider.settings;
        if !settings.create {
            return Err(Error::invalid(format!(
                "nobody here has this identity: ask for an invitation, or sign in with your password and connect {} \
                 in Settings",
                settings.name
            )));
        }
        let login = identity.login.as_deref().ok_or_else(|| {
            Error::invalid(format!(
                "the sign-in was refused: the provider sent no claim `{}`, which becomes the login",
                settings.login_claim
            ))
        })?;
        let login = check_login(login)?;
        let mut roles = self.roles_by_groups(settings, identity).await?;
        roles.retain(|(_, role)| role.is_some());
        if let (true, Some((name, role))) = (roles.is_empty(), &settings.account)
            && let Some(account) = self.store().account_by_name(name).await?
        {
            roles.push((account.id, Some(*role)));
        }
        let roles: Vec<(AccountId, AccountRole)> = roles
            .into_iter()
            .filter_map(|(account, role)| Some((account, role?)))
            .collect();
        let Some((first, _)) = roles.first() else {
            return Err(Error::invalid(no_account(settings, identity)));
        };
        let now = self.now();
        let user = User {
            id: UserId(self.entropy().uuid(now)),
            login,
            role: atelier_domain::Role::Member,
            account: *first,
            created_at: now,
            disabled_at: None,
        };
        let by = actor_of(&user);
        let record = audit::record(now, &by, "user.join", Some(*first), &user.login);
        let record = audit::with(record, &[("provider", json!(settings.name))]);
        let new = NewIdentity {
            issuer: settings.issuer.clone(),
            subject: identity.subject.clone(),
            user: user.id,
            at: now,
        };
        match self
            .store()
            .create_by_identity(user.clone(), roles, new, record)
            .await?
        {
            IdentityCreated::Created => Ok(user),
            IdentityCreated::LoginTaken => Err(Error::invalid(format!(
                "the login `{}` already exists: sign in with its password and connect {} in Settings",
                user.login, settings.name
            ))),
        }
    }

    /// Sets the user's roles in the accounts that groups are mapped to.
    async fn follow_groups(&self, provider: &Provider, user: &User, identity: &Identity) -> Result<()> {
        let memberships = self.store().memberships(user.id).await?;
        for (account, role) in self.roles_by_groups(&provider.settings, identity).await? {
            let present = memberships.iter().find(|one| one.account == account);
            if present.map(|one| one.role) == role {
                continue;
            }
            let admin = self.acting(Actor::Service);
            if admin.set_member(user, account, role, true).await? == MemberChanged::LastOwner {
                tracing::warn!(
                    login = user.login,
                    "the last owner of an account stays, although the groups say otherwise"
                );
            }
        }
        Ok(())
    }

    /// The role of a user in each account that groups are mapped to; `None` if they are in none of its groups.
    async fn roles_by_groups(
        &self,
        settings: &OidcSettings,
        identity: &Identity,
    ) -> Result<Vec<(AccountId, Option<AccountRole>)>> {
        let mut roles: Vec<(AccountId, Option<AccountRole>)> = Vec::new();
        for mapped in &settings.groups {
            let Some(account) = self.store().account_by_name(&mapped.account).await? else {
                tracing::warn!(
                    account = mapped.account,
                    "a group is mapped to an unknown account"
                );
                continue;
            };
            let groups = identity.groups.as_deref().unwrap_or_default();
            let given = groups.contains(&mapped.group).then_some(mapped.role);
            match roles.iter_mut().find(|(known, _)| *known == account.id) {
                // The first group decides.
                Some((_, role)) => *role = role.or(given),
                None => roles.push((account.id, given)),
            }
        }
        Ok(roles)
    }
}

/// The reason why a new user gets no account.
fn no_account(settings: &OidcSettings, identity: &Identity) -> String {
    if identity.groups.is_some() || settings.groups.is_empty() {
        return "the sign-in was refused: none of your groups has an account here".to_owned();
    }
    format!(
        "the sign-in was refused: the provider does not say your groups, in the claim `{}`; an operator may have to \
         ask for them with a scope of their own (`sign_in.oidc.scopes`)",
        settings.groups_claim
    )
}

impl Identity {
    fn of(claims: &Map<String, Value>, settings: &OidcSettings) -> Self {
        let text = |name: &str| claims.get(name).and_then(Value::as_str).map(str::to_owned);
        // An unverified address may belong to somebody else.
        let unverified =
            settings.login_claim == "email" && claims.get("email_verified") == Some(&Value::Bool(false));
        let groups = match claims.get(&settings.groups_claim) {
            Some(Value::Array(groups)) => Some(
                groups
                    .iter()
                    .filter_map(Value::as_str)
                    .map(str::to_owned)
                    .collect(),
            ),
            Some(Value::String(group)) => Some(vec![group.clone()]),
            _ => None,
        };
        Self {
            subject: text("sub").unwrap_or_default(),
            login: text(&settings.login_claim).filter(|_| !unverified),
            groups,
        }
    }
}

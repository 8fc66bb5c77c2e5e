//! The permissions of people in an account: the roles of its members, and the rights that use cases ask for.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::{AccountId, Scope, Timestamp, User};

/// The role of a member in one account. It says nothing about the service, which [`Role`](crate::Role) does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AccountRole {
    /// Everything, the members too.
    Owner,
    /// Looks, generates, uploads, and manages keys and webhooks.
    Developer,
    /// Looks at everything and changes nothing.
    Viewer,
    /// Sees the balance, the usage and the ledger, and no content.
    Billing,
}

/// The right that a use case needs in an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Right {
    /// See jobs, their files, deliveries, and which keys there are.
    Look,
    /// See the balance, the usage and the ledger.
    Spending,
    /// Create, cancel and delete jobs.
    Generate,
    /// Upload files and delete them.
    Upload,
    /// Create, change and revoke keys.
    Keys,
    /// Send webhooks again, test them, see and change the signing secret.
    Webhooks,
    /// Invite people, remove them, change their roles.
    Members,
}

impl AccountRole {
    /// All roles, in the order in which people see them.
    pub const ALL: [Self; 4] = [Self::Owner, Self::Developer, Self::Viewer, Self::Billing];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Developer => "developer",
            Self::Viewer => "viewer",
            Self::Billing => "billing",
        }
    }

    /// Returns the permissions of the role, in a few words.
    pub const fn hint(self) -> &'static str {
        match self {
            Self::Owner => "everything, members too",
            Self::Developer => "generate, upload, keys, webhooks",
            Self::Viewer => "look at everything, change nothing",
            Self::Billing => "balance, usage and ledger only",
        }
    }

    pub const fn allows(self, right: Right) -> bool {
        match self {
            Self::Owner => true,
            Self::Developer => !matches!(right, Right::Members),
            Self::Viewer => matches!(right, Right::Look | Right::Spending),
            Self::Billing => matches!(right, Right::Spending),
        }
    }
}

impl Right {
    /// All rights, in the order in which people see them.
    pub const ALL: [Self; 7] = [
        Self::Look,
        Self::Spending,
        Self::Generate,
        Self::Upload,
        Self::Keys,
        Self::Webhooks,
        Self::Members,
    ];

    /// The scope that a key needs; `None` if no key may do it.
    pub const fn scope(self) -> Option<Scope> {
        match self {
            Self::Look | Self::Spending => Some(Scope::Read),
            Self::Generate => Some(Scope::Generate),
            Self::Upload => Some(Scope::Upload),
            Self::Webhooks => Some(Scope::Webhooks),
            Self::Keys | Self::Members => None,
        }
    }

    /// The roles that have it.
    pub fn roles(self) -> impl Iterator<Item = AccountRole> {
        AccountRole::ALL.into_iter().filter(move |role| role.allows(self))
    }
}

impl From<Scope> for Right {
    fn from(scope: Scope) -> Self {
        match scope {
            Scope::Read => Self::Look,
            Scope::Generate => Self::Generate,
            Scope::Upload => Self::Upload,
            Scope::Webhooks => Self::Webhooks,
        }
    }
}

impl fmt::Display for AccountRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for AccountRole {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|role| role.as_str() == text)
            .ok_or_else(|| {
                format!(
                    "unknown role `{text}`; the roles in an account are owner, developer, viewer and billing"
                )
            })
    }
}

/// A user as a member of one account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    pub user: User,
    pub role: AccountRole,
    pub since: Timestamp,
}

/// An account as one of its members sees it in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Membership {
    pub account: AccountId,
    /// The account's name.
    pub name: String,
    pub role: AccountRole,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_role_has_the_rights_that_its_name_promises() {
        let rights = |role: AccountRole| Right::ALL.map(|right| role.allows(right));
        //                                     Look  Spending Generate Upload Keys  Webhooks Members
        assert_eq!(
            rights(AccountRole::Owner),
            [true, true, true, true, true, true, true]
        );
        assert_eq!(
            rights(AccountRole::Developer),
            [true, true, true, true, true, true, false]
        );
        assert_eq!(
            rights(AccountRole::Viewer),
            [true, true, false, false, false, false, false]
        );
        assert_eq!(
            rights(AccountRole::Billing),
            [false, true, false, false, false, false, false]
        );
    }

    #[test]
    fn roles_are_read_as_they_are_written_and_no_key_manages_keys_or_members() {
        for role in AccountRole::ALL {
            assert_eq!(role.to_string().parse(), Ok(role));
        }
        assert!("operator".parse::<AccountRole>().is_err());
        let without = Right::ALL.into_iter().filter(|right| right.scope().is_none());
        assert_eq!(without.collect::<Vec<_>>(), [Right::Keys, Right::Members]);
    }
}

//! Open invitations as rows of a table.

use atelier_domain::{ListedInvitation, Role};

use crate::moment::Moment;

/// An open invitation.
pub(crate) struct InvitationView {
    /// The role in the service and in the account.
    pub role: String,
    pub inviter: String,
    pub created: Moment,
    pub expires: Moment,
    /// The address of the form that revokes the invitation, if the user may do so.
    pub revoke: Option<String>,
}

impl InvitationView {
    /// `path` is the path of the page that lists the invitation.
    pub(super) fn new(listed: ListedInvitation, path: &str, revocable: bool) -> Self {
        let invitation = listed.invitation;
        Self {
            role: match invitation.role {
                Role::Operator => "operator".to_owned(),
                Role::Member => invitation.account_role.to_string(),
            },
            inviter: listed.inviter.unwrap_or_else(|| "command line".to_owned()),
            created: Moment::date(invitation.created_at),
            expires: Moment::new(invitation.expires_at),
            revoke: revocable.then(|| format!("{path}/invitations/{}/revoke", invitation.id)),
        }
    }
}

/// A new link and its expiry, as they came to the page that shows them once.
pub(super) fn new_link(link: Option<&str>, until: Option<&str>) -> Option<(String, Moment)> {
    Some((link?.to_owned(), Moment::parse(until?)))
}

//! One-time links: invitations and password resets.

use atelier_domain::{
    AccountId, Invitation, InvitationId, PasswordReset, PasswordResetId, Role, Timestamp, User, UserId,
};

use super::{
    people::{acceptance, invitation, member, session},
    world::{START, Shared, World, account, at, change, id, key},
};
use crate::{InvitationAccepted, NewAccount, NewInvitation, NewPasswordReset, ResetPassword, UserChange};

/// An invitation by a user.
pub(super) fn invitation_by(byte: u8, inviter: &User, account: AccountId, role: Role) -> NewInvitation {
    let new = invitation(byte, Some(account), role);
    NewInvitation {
        invitation: Invitation {
            inviter: Some(inviter.id),
            ..new.invitation
        },
        hash: [byte; 32],
    }
}

/// An operator of the world's account.
pub(super) async fn operator(world: &World, byte: u8, login: &str) -> User {
    let user = member(world, byte, login).await;
    let change = UserChange {
        role: Some(Role::Operator),
        ..UserChange::default()
    };
    update(world, &user, change).await
}

async fn update(world: &World, user: &User, new: UserChange) -> User {
    let updated = world.store.update_user(user.id, new, at(5), change()).await;
    updated.unwrap().unwrap()
}

pub(super) fn disabled(disabled: bool) -> UserChange {
    UserChange {
        disabled: Some(disabled),
        ..UserChange::default()
    }
}

fn demoted() -> UserChange {
    UserChange {
        role: Some(Role::Member),
        ..UserChange::default()
    }
}

pub(super) fn reset_link(byte: u8, user: &User, issuer: Option<&User>) -> NewPasswordReset {
    NewPasswordReset {
        reset: PasswordReset {
            id: PasswordResetId(id()),
            user: user.id,
            issuer: issuer.map(|issuer| issuer.id),
            created_at: START,
            expires_at: at(100),
            used_at: None,
            revoked_at: None,
        },
        hash: [byte; 32],
    }
}

pub(super) fn new_password(byte: u8, now: Timestamp) -> ResetPassword {
    ResetPassword {
        hash: [byte; 32],
        password: format!("$argon2id$new{byte}"),
        now,
    }
}

async fn open_ids(world: &World, account: Option<AccountId>, now: Timestamp) -> Vec<InvitationId> {
    let open = world.store.open_invitations(account, now).await.unwrap();
    open.iter().map(|listed| listed.invitation.id).collect()
}

async fn another_account(world: &World, name: &str) -> AccountId {
    let account = account(name, 1);
    let (id, key) = (account.id, key(account.id));
    let new = NewAccount { account, key };
    world.store.create_account(new, change()).await.unwrap();
    id
}

pub async fn open_invitations_are_listed_newest_first_with_their_inviter(store: &Shared) {
    let world = World::new(store, 10).await;
    let elsewhere = another_account(&world, "elsewhere").await;
    let ada = operator(&world, 1, "ada").await;
    let first = invitation_by(10, &ada, world.account, Role::Member);
    let second = invitation_by(11, &ada, elsewhere, Role::Operator);
    let by_hand = invitation(12, Some(world.account), Role::Member);
    for new in [&first, &second, &by_hand] {
        assert!(store.invite(new.clone(), change()).await.unwrap());
    }
    let listed = store.open_invitations(None, at(6)).await.unwrap();
    let found: Vec<_> = listed
        .iter()
        .map(|one| (&one.invitation, one.inviter.as_deref(), one.account.as_deref()))
        .collect();
    assert_eq!(
        found,
        [
            (&by_hand.invitation, None, Some("ada")),
            (&second.invitation, Some("ada"), Some("elsewhere")),
            (&first.invitation, Some("ada"), Some("ada")),
        ]
    );
    let own = open_ids(&world, Some(world.account), at(6)).await;
    assert_eq!(own, [by_hand.invitation.id, first.invitation.id]);
    let grace = store
        .accept_invitation(acceptance(10, "grace", at(7)), change())
        .await;
    assert!(matches!(grace.unwrap(), InvitationAccepted::Accepted(_)));
    assert_eq!(
        open_ids(&world, Some(world.account), at(8)).await,
        [by_hand.invitation.id],
        "a used one is not open"
    );
    assert_eq!(open_ids(&world, None, at(100)).await, [], "nor is an expired one");
}

pub async fn a_revoked_invitation_creates_nobody(store: &Shared) {
    let world = World::new(store, 10).await;
    let new = invitation(1, Some(world.account), Role::Member);
    let invited = new.invitation.id;
    store.invite(new, change()).await.unwrap();
    let before = store.changes(Some(world.account), None, 9).await.unwrap().len();
    let revoked = store.revoke_invitation(None, invited, at(2), change()).await;
    assert_eq!(revoked.unwrap().unwrap().revoked_at, Some(at(2)));
    let again = store.revoke_invitation(None, invited, at(3), change()).await;
    assert_eq!(again.unwrap(), None, "revoking twice changes nothing");
    let recorded = store.changes(Some(world.account), None, 9).await.unwrap().len();
    assert_eq!(recorded, before + 1, "one record, with the invitation's account");
    let answer = store
        .accept_invitation(acceptance(1, "grace", at(4)), change())
        .await;
    assert_eq!(answer.unwrap(), InvitationAccepted::Closed);
    assert_eq!(store.users(None).await.unwrap(), []);
    assert!(!store.invitation(&[1; 32]).await.unwrap().unwrap().is_open(at(4)));
    assert_eq!(open_ids(&world, None, at(4)).await, []);
}

pub async fn an_invitation_is_revoked_only_by_its_own_account(store: &Shared) {
    let world = World::new(store, 10).await;
    let elsewhere = another_account(&world, "elsewhere").await;
    let new = invitation(1, Some(world.account), Role::Member);
    let invited = new.invitation.id;
    store.invite(new, change()).await.unwrap();
    let revoke = async |account| {
        let revoked = store.revoke_invitation(account, invited, at(2), change()).await;
        revoked.unwrap().is_some()
    };
    assert!(!revoke(Some(elsewhere)).await);
    assert_eq!(open_ids(&world, None, at(2)).await, [invited]);
    assert!(revoke(Some(world.account)).await);
}

pub async fn invitations_end_when_their_inviter_is_disabled_or_demoted(store: &Shared) {
    let world = World::new(store, 10).await;
    let ada = operator(&world, 1, "ada").await;
    let grace = operator(&world, 2, "grace").await;
    let invite = async |byte, by: &User| {
        let new = invitation_by(byte, by, world.account, Role::Member);
        let invited = new.invitation.id;
        assert!(store.invite(new, change()).await.unwrap());
        invited
    };
    invite(10, &ada).await;
    let by_grace = invite(11, &grace).await;
    update(&world, &ada, disabled(true)).await;
    assert_eq!(open_ids(&world, None, at(6)).await, [by_grace]);
    update(&world, &ada, disabled(false)).await;
    assert_eq!(
        open_ids(&world, None, at(6)).await,
        [by_grace],
        "enabling the inviter again does not open it"
    );
    let closed = store
        .accept_invitation(acceptance(10, "mary", at(6)), change())
        .await;
    assert_eq!(closed.unwrap(), InvitationAccepted::Closed);
    update(&world, &grace, demoted()).await;
    assert_eq!(open_ids(&world, None, at(6)).await, []);
    let by_member = invite(12, &grace).await;
    update(&world, &grace, demoted()).await;
    assert_eq!(
        open_ids(&world, None, at(6)).await,
        [by_member],
        "a member who stays a member keeps theirs"
    );
}

pub async fn nobody_invites_beyond_their_role_or_once_disabled(store: &Shared) {
    let world = World::new(store, 10).await;
    let elsewhere = another_account(&world, "elsewhere").await;
    let ada = operator(&world, 1, "ada").await;
    let grace = member(&world, 2, "grace").await;
    let may = async |byte, by: &User, account, role| {
        let new = invitation_by(byte, by, account, role);
        store.invite(new, change()).await.unwrap()
    };
    assert!(may(10, &ada, elsewhere, Role::Operator).await);
    assert!(may(11, &grace, world.account, Role::Member).await);
    assert!(!may(12, &grace, world.account, Role::Operator).await);
    assert!(!may(13, &grace, elsewhere, Role::Member).await);
    update(&world, &ada, disabled(true)).await;
    assert!(!may(14, &ada, world.account, Role::Member).await);
    let unknown = User {
        id: UserId(id()),
        ..ada
    };
    assert!(!may(15, &unknown, world.account, Role::Member).await);
    for byte in 12..16 {
        assert!(store.invitation(&[byte; 32]).await.unwrap().is_none());
    }
}

pub async fn a_reset_link_sets_a_new_password_once_and_ends_sessions(store: &Shared) {
    let world = World::new(store, 10).await;
    let ada = operator(&world, 1, "ada").await;
    let grace = member(&world, 2, "grace").await;
    store
        .start_session(session(20, grace.id, at(1)), change())
        .await
        .unwrap();
    let new = reset_link(10, &grace, Some(&ada));
    assert!(store.start_password_reset(new.clone(), change()).await.unwrap());
    let found = store.password_reset(&[10; 32]).await.unwrap();
    assert_eq!(found, Some((new.reset, grace.clone())));
    let late = store.reset_password(new_password(10, at(100)), change()).await;
    assert_eq!(late.unwrap(), None, "an expired link does nothing");
    let done = store.reset_password(new_password(10, at(3)), change()).await;
    assert_eq!(done.unwrap(), Some(grace.clone()));
    let (_, password) = store.user_by_login("grace").await.unwrap().unwrap();
    assert_eq!(password, "$argon2id$new10");
    assert!(store.signed_in(&[20; 32], at(4)).await.unwrap().is_none());
    let again = store.reset_password(new_password(10, at(4)), change()).await;
    assert_eq!(again.unwrap(), None, "a link works once");
    let (used, _) = store.password_reset(&[10; 32]).await.unwrap().unwrap();
    assert_eq!(used.used_at, Some(at(3)));
    let last = store.changes(Some(world.account), None, 1).await.unwrap();
    assert_eq!(last.len(), 1, "the record has the user's account");
    let unknown = store.reset_password(new_password(99, at(4)), change()).await;
    assert_eq!(unknown.unwrap(), None);
}

pub async fn a_newer_reset_link_and_a_new_password_end_the_older_link(store: &Shared) {
    let world = World::new(store, 10).await;
    let grace = member(&world, 1, "grace").await;
    for byte in [10, 11] {
        let new = reset_link(byte, &grace, None);
        assert!(store.start_password_reset(new, change()).await.unwrap());
    }
    let older = store.reset_password(new_password(10, at(1)), change()).await;
    assert_eq!(older.unwrap(), None);
    let remembered = UserChange {
        password: Some("$argon2id$remembered".to_owned()),
        ..UserChange::default()
    };
    update(&world, &grace, remembered).await;
    let newer = store.reset_password(new_password(11, at(6)), change()).await;
    assert_eq!(newer.unwrap(), None);
    let (_, password) = store.user_by_login("grace").await.unwrap().unwrap();
    assert_eq!(password, "$argon2id$remembered");
}

pub async fn reset_links_end_with_their_user_and_their_issuer(store: &Shared) {
    let world = World::new(store, 10).await;
    let ada = operator(&world, 1, "ada").await;
    let grace = member(&world, 2, "grace").await;
    let ends = [
        (&grace, disabled(true), disabled(false)),
        (&ada, disabled(true), disabled(false)),
        (
            &ada,
            demoted(),
            UserChange {
                role: Some(Role::Operator),
                ..UserChange::default()
            },
        ),
    ];
    for (byte, (changed, end, back)) in (10..).zip(ends) {
        let new = reset_link(byte, &grace, Some(&ada));
        assert!(store.start_password_reset(new, change()).await.unwrap());
        update(&world, changed, end).await;
        update(&world, changed, back).await;
        let closed = store.reset_password(new_password(byte, at(6)), change()).await;
        assert_eq!(closed.unwrap(), None, "link {byte}");
    }
}

pub async fn only_an_operator_or_the_command_line_creates_a_reset_link(store: &Shared) {
    let world = World::new(store, 10).await;
    let ada = operator(&world, 1, "ada").await;
    let grace = member(&world, 2, "grace").await;
    let may = async |byte, user: &User, issuer: Option<&User>| {
        let new = reset_link(byte, user, issuer);
        store.start_password_reset(new, change()).await.unwrap()
    };
    assert!(may(10, &grace, Some(&ada)).await);
    assert!(may(11, &grace, None).await);
    assert!(may(12, &ada, Some(&ada)).await);
    assert!(!may(13, &ada, Some(&grace)).await);
    let unknown = User {
        id: UserId(id()),
        ..grace.clone()
    };
    assert!(!may(14, &unknown, None).await);
    update(&world, &grace, disabled(true)).await;
    assert!(!may(15, &grace, Some(&ada)).await);
    update(&world, &ada, disabled(true)).await;
    update(&world, &grace, disabled(false)).await;
    assert!(!may(16, &grace, Some(&ada)).await);
    for byte in 13..17 {
        assert!(store.password_reset(&[byte; 32]).await.unwrap().is_none());
    }
}

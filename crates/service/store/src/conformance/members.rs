//! Members of accounts: roles, removal, several accounts of one user, and what sessions show.

use atelier_domain::{AccountId, AccountRole, Invitation, Role, User, UserId};

use super::{
    links::{disabled, invitation_by, operator},
    people::{acceptance, invitation, member, session},
    world::{Shared, World, account, at, change, id, key},
};
use crate::{
    ChangeMember, InvitationAccepted, JoinAccount, Joined, MemberChanged, NewAccount, NewInvitation,
};

pub(super) async fn another_account(world: &World, name: &str) -> AccountId {
    let account = account(name, 1);
    let (id, key) = (account.id, key(account.id));
    let new = NewAccount { account, key };
    world.store.create_account(new, change()).await.unwrap();
    id
}

pub(super) fn invitation_as(byte: u8, account: AccountId, role: AccountRole) -> NewInvitation {
    let new = invitation(byte, Some(account), Role::Member);
    NewInvitation {
        invitation: Invitation {
            account_role: role,
            ..new.invitation
        },
        hash: [byte; 32],
    }
}

pub(super) async fn join_as(world: &World, byte: u8, login: &str, role: AccountRole) -> User {
    let new = invitation_as(byte, world.account, role);
    world.store.invite(new, change()).await.unwrap();
    let accept = acceptance(byte, login, at(1));
    match world.store.accept_invitation(accept, change()).await.unwrap() {
        InvitationAccepted::Accepted(user) => user,
        other => panic!("{other:?}"),
    }
}

pub(super) async fn make(
    world: &World,
    user: &User,
    account: AccountId,
    role: Option<AccountRole>,
) -> MemberChanged {
    let new = ChangeMember {
        user: user.id,
        account,
        role,
        add: false,
        now: at(9),
    };
    world.store.change_member(new, change()).await.unwrap()
}

async fn roles(world: &World, account: AccountId) -> Vec<(String, AccountRole)> {
    let members = world.store.members(account).await.unwrap();
    members
        .into_iter()
        .map(|member| (member.user.login, member.role))
        .collect()
}

fn listed(login: &str, role: AccountRole) -> (String, AccountRole) {
    (login.to_owned(), role)
}

pub async fn an_invitation_names_the_role_in_the_account(store: &Shared) {
    let world = World::new(store, 10).await;
    member(&world, 1, "ada").await;
    for (byte, role) in (2..).zip(AccountRole::ALL) {
        let user = join_as(&world, byte, role.as_str(), role).await;
        assert_eq!(
            store.invitation(&[byte; 32]).await.unwrap().unwrap().account_role,
            role
        );
        store
            .start_session(session(byte, user.id, at(2)), change())
            .await
            .unwrap();
        let found = store.signed_in(&[byte; 32], at(3)).await.unwrap().unwrap();
        assert_eq!((found.role, found.has_other_accounts), (role, false));
    }
    let mut expected = vec![listed("ada", AccountRole::Owner)];
    expected.extend(AccountRole::ALL.map(|role| listed(role.as_str(), role)));
    assert_eq!(roles(&world, world.account).await, expected);
}

pub async fn an_account_keeps_an_owner_who_may_sign_in(store: &Shared) {
    let world = World::new(store, 10).await;
    let ada = member(&world, 1, "ada").await;
    let last = make(&world, &ada, world.account, Some(AccountRole::Viewer)).await;
    assert_eq!(last, MemberChanged::LastOwner);
    assert_eq!(
        make(&world, &ada, world.account, None).await,
        MemberChanged::LastOwner
    );
    let grace = member(&world, 2, "grace").await;
    store
        .update_user(grace.id, disabled(true), at(4), change())
        .await
        .unwrap();
    let last = make(&world, &ada, world.account, Some(AccountRole::Viewer)).await;
    assert_eq!(last, MemberChanged::LastOwner, "the other owner is disabled");
    store
        .update_user(grace.id, disabled(false), at(5), change())
        .await
        .unwrap();
    let changed = make(&world, &ada, world.account, Some(AccountRole::Viewer)).await;
    assert_eq!(changed, MemberChanged::Changed);
    assert_eq!(
        roles(&world, world.account).await,
        [
            listed("ada", AccountRole::Viewer),
            listed("grace", AccountRole::Owner)
        ]
    );
    let stranger = User {
        id: UserId(id()),
        ..ada
    };
    let nobody = make(&world, &stranger, world.account, Some(AccountRole::Owner)).await;
    assert_eq!(nobody, MemberChanged::NotAMember);
}

pub async fn who_owns_an_account_no_more_invites_nobody_to_it(store: &Shared) {
    let world = World::new(store, 10).await;
    let ada = member(&world, 1, "ada").await;
    let grace = member(&world, 2, "grace").await;
    let new = invitation_by(10, &grace, world.account, Role::Member);
    assert!(store.invite(new, change()).await.unwrap());
    let demoted = make(&world, &grace, world.account, Some(AccountRole::Developer)).await;
    assert_eq!(demoted, MemberChanged::Changed);
    let closed = store
        .accept_invitation(acceptance(10, "mary", at(10)), change())
        .await;
    assert_eq!(
        closed.unwrap(),
        InvitationAccepted::Closed,
        "the open one has ended"
    );
    let new = invitation_by(11, &grace, world.account, Role::Member);
    assert!(!store.invite(new, change()).await.unwrap());
    let new = invitation_by(12, &ada, world.account, Role::Member);
    assert!(store.invite(new, change()).await.unwrap());
}

pub async fn a_user_belongs_to_several_accounts_and_a_session_shows_one(store: &Shared) {
    let world = World::new(store, 10).await;
    let ada = member(&world, 1, "ada").await;
    member(&world, 2, "grace").await;
    let elsewhere = another_account(&world, "elsewhere").await;
    store
        .start_session(session(20, ada.id, at(2)), change())
        .await
        .unwrap();
    let shown = async || {
        let found = store.signed_in(&[20; 32], at(6)).await.unwrap();
        found.map(|found| (found.account.id, found.role, found.has_other_accounts))
    };
    let own = session(20, ada.id, at(2)).session;
    let own = store.sessions(own.user, at(3)).await.unwrap()[0].id;
    assert!(
        !store.show_account(own, elsewhere).await.unwrap(),
        "not a member yet"
    );

    let new = invitation_as(10, elsewhere, AccountRole::Billing);
    store.invite(new, change()).await.unwrap();
    let join = JoinAccount {
        hash: [10; 32],
        user: ada.id,
        now: at(4),
    };
    let joined = store.join_account(join.clone(), change()).await.unwrap();
    assert!(matches!(joined, Joined::Joined(_)), "{joined:?}");
    let again = store.join_account(join, change()).await.unwrap();
    assert_eq!(again, Joined::Closed, "a link works once");
    assert_eq!(
        shown().await,
        Some((world.account, AccountRole::Owner, true)),
        "nothing changes before somebody chooses"
    );
    assert!(store.show_account(own, elsewhere).await.unwrap());
    assert_eq!(shown().await, Some((elsewhere, AccountRole::Billing, true)));
    let memberships = store.memberships(ada.id).await.unwrap();
    let found: Vec<_> = memberships.iter().map(|one| (one.account, one.role)).collect();
    assert_eq!(
        found,
        [
            (world.account, AccountRole::Owner),
            (elsewhere, AccountRole::Billing)
        ]
    );

    assert_eq!(make(&world, &ada, elsewhere, None).await, MemberChanged::Changed);
    assert_eq!(shown().await, Some((world.account, AccountRole::Owner, false)));
    assert_eq!(
        make(&world, &ada, world.account, None).await,
        MemberChanged::Changed
    );
    assert_eq!(shown().await, None, "a user without accounts has no session");
    assert_eq!(
        roles(&world, world.account).await,
        [listed("grace", AccountRole::Owner)]
    );
    assert_eq!(store.memberships(ada.id).await.unwrap(), []);
}

pub async fn a_member_joins_an_account_once_and_an_operator_by_their_link(store: &Shared) {
    let world = World::new(store, 10).await;
    operator(&world, 1, "ada").await;
    let grace = member(&world, 2, "grace").await;
    let join = |byte: u8| JoinAccount {
        hash: [byte; 32],
        user: grace.id,
        now: at(4),
    };
    let new = invitation_as(10, world.account, AccountRole::Viewer);
    store.invite(new, change()).await.unwrap();
    let twice = store.join_account(join(10), change()).await.unwrap();
    assert_eq!(twice, Joined::AlreadyAMember);
    assert!(store.invitation(&[10; 32]).await.unwrap().unwrap().is_open(at(5)));
    let first = invitation(11, None, Role::Operator);
    store.invite(first, change()).await.unwrap();
    assert_eq!(
        store.join_account(join(11), change()).await.unwrap(),
        Joined::Closed
    );
    let elsewhere = another_account(&world, "elsewhere").await;
    let new = invitation(12, Some(elsewhere), Role::Operator);
    store.invite(new, change()).await.unwrap();
    let joined = store.join_account(join(12), change()).await.unwrap();
    assert!(matches!(joined, Joined::Joined(_)), "{joined:?}");
    let (user, _) = store.user_by_login("grace").await.unwrap().unwrap();
    assert_eq!(user.role, Role::Operator);
    let by_hand = ChangeMember {
        user: grace.id,
        account: another_account(&world, "third").await,
        role: Some(AccountRole::Viewer),
        add: true,
        now: at(5),
    };
    let added = store.change_member(by_hand, change()).await.unwrap();
    assert_eq!(added, MemberChanged::Changed);
    assert_eq!(store.memberships(grace.id).await.unwrap().len(), 3);
}

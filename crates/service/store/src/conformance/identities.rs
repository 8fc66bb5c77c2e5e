//! Identities at an OpenID provider.

use atelier_domain::{AccountRole, Role, User, UserId};

use super::{
    members::{another_account, make},
    people::member,
    world::{Shared, World, at, change, id},
};
use crate::{IdentityCreated, NewIdentity, UserChange};

pub(super) fn identity(subject: &str, user: &User) -> NewIdentity {
    NewIdentity {
        issuer: "https://id.example".to_owned(),
        subject: subject.to_owned(),
        user: user.id,
        at: at(1),
    }
}

pub async fn an_identity_creates_a_user_with_roles_and_no_password(store: &Shared) {
    let world = World::new(store, 10).await;
    member(&world, 1, "ada").await;
    let grace = User {
        id: UserId(id()),
        login: "grace".to_owned(),
        role: Role::Member,
        account: world.account,
        created_at: at(1),
        disabled_at: None,
    };
    let roles = vec![(world.account, AccountRole::Viewer)];
    let created = store
        .create_by_identity(grace.clone(), roles.clone(), identity("1", &grace), change())
        .await;
    assert_eq!(created.unwrap(), IdentityCreated::Created);
    let found = store.user_by_identity("https://id.example", "1").await.unwrap();
    assert_eq!(found, Some(grace.clone()));
    for (issuer, subject) in [("https://id.example", "2"), ("https://other.example", "1")] {
        assert_eq!(store.user_by_identity(issuer, subject).await.unwrap(), None);
    }
    let (_, password) = store.user_by_login("grace").await.unwrap().unwrap();
    assert_eq!(password, "");
    let memberships = store.memberships(grace.id).await.unwrap();
    assert_eq!(memberships[0].role, AccountRole::Viewer);
    let taken = User {
        id: UserId(id()),
        login: "ada".to_owned(),
        ..grace
    };
    let refused = store
        .create_by_identity(taken.clone(), roles, identity("3", &taken), change())
        .await;
    assert_eq!(refused.unwrap(), IdentityCreated::LoginTaken);
    assert_eq!(
        store.user_by_identity("https://id.example", "3").await.unwrap(),
        None
    );
}

pub async fn an_identity_belongs_to_one_user(store: &Shared) {
    let world = World::new(store, 10).await;
    let (ada, grace) = (member(&world, 1, "ada").await, member(&world, 2, "grace").await);
    let connect = async |user| {
        store
            .connect_identity(identity("1", user), change())
            .await
            .unwrap()
    };
    assert!(connect(&ada).await);
    assert!(connect(&ada).await, "again changes nothing");
    assert!(!connect(&grace).await);
    let found = store.user_by_identity("https://id.example", "1").await.unwrap();
    assert_eq!(found, Some(ada));
}

pub async fn an_identity_stands_for_a_member_of_the_account_joined_first(store: &Shared) {
    let world = World::new(store, 10).await;
    let second = another_account(&world, "second").await;
    let user = User {
        id: UserId(id()),
        login: "grace".to_owned(),
        role: Role::Member,
        account: world.account,
        created_at: at(1),
        disabled_at: None,
    };
    let roles = vec![
        (world.account, AccountRole::Viewer),
        (second, AccountRole::Developer),
    ];
    let new = identity("1", &user);
    let created = store.create_by_identity(user.clone(), roles, new, change()).await;
    assert_eq!(created.unwrap(), IdentityCreated::Created);
    let found = async || {
        let found = store.member_by_identity("https://id.example", "1").await.unwrap();
        found.map(|found| (found.user.id, found.account.id, found.role, found.api_enabled))
    };
    let viewer = (user.id, world.account, AccountRole::Viewer, true);
    assert_eq!(found().await, Some(viewer));
    let unknown = store.member_by_identity("https://id.example", "2").await.unwrap();
    assert!(unknown.is_none());

    make(&world, &user, world.account, None).await;
    let developer = (user.id, second, AccountRole::Developer, true);
    assert_eq!(found().await, Some(developer), "the one that is left");

    let disable = |disabled| UserChange {
        disabled: Some(disabled),
        ..UserChange::default()
    };
    store
        .update_user(user.id, disable(true), at(3), change())
        .await
        .unwrap();
    assert_eq!(found().await, None, "a disabled user");
    store
        .update_user(user.id, disable(false), at(4), change())
        .await
        .unwrap();
    make(&world, &user, second, None).await;
    assert_eq!(found().await, None, "a user of no account");
}

//! Users, sessions, the acceptance of invitations, and the record of changes.

use std::time::Duration;

use atelier_domain::{
    AccountRole, Actor, AuditRecord, Invitation, InvitationId, Role, Session, SessionId, Timestamp, User,
    UserId,
};

use super::world::{START, Shared, World, account, at, change, id};
use crate::{
    AcceptInvitation, AccountChange, InvitationAccepted, NewInvitation, NewSession, SessionUse, UserChange,
    Which,
};

pub(super) fn invitation(byte: u8, account: Option<atelier_domain::AccountId>, role: Role) -> NewInvitation {
    NewInvitation {
        invitation: Invitation {
            id: InvitationId(id()),
            role,
            account_role: AccountRole::Owner,
            account,
            inviter: None,
            created_at: START,
            expires_at: at(100),
            used_at: None,
            revoked_at: None,
        },
        hash: [byte; 32],
    }
}

pub(super) fn acceptance(byte: u8, login: &str, now: Timestamp) -> AcceptInvitation {
    AcceptInvitation {
        hash: [byte; 32],
        user: UserId(id()),
        login: login.to_owned(),
        password: format!("$argon2id${login}"),
        now,
        account: account(login, 50),
    }
}

pub(super) fn session(byte: u8, user: UserId, now: Timestamp) -> NewSession {
    NewSession {
        session: Session {
            id: SessionId(id()),
            user,
            created_at: now,
            last_seen_at: now,
            expires_at: now.plus(Duration::from_secs(1_000)),
            user_agent: "a browser".to_owned(),
            address: "192.0.2.1".to_owned(),
        },
        hash: [byte; 32],
    }
}

pub(super) async fn member(world: &World, byte: u8, login: &str) -> User {
    let new = invitation(byte, Some(world.account), Role::Member);
    world.store.invite(new, change()).await.unwrap();
    let accept = acceptance(byte, login, at(1));
    match world.store.accept_invitation(accept, change()).await.unwrap() {
        InvitationAccepted::Accepted(user) => user,
        other => panic!("{other:?}"),
    }
}

pub async fn an_invitation_makes_one_user_of_its_account(store: &Shared) {
    let world = World::new(store, 10).await;
    let user = member(&world, 1, "grace").await;
    assert_eq!((user.account, user.role), (world.account, Role::Member));
    let (found, password) = store.user_by_login("grace").await.unwrap().unwrap();
    assert_eq!((found, password.as_str()), (user.clone(), "$argon2id$grace"));
    assert_eq!(store.users(Some(world.account)).await.unwrap(), [user]);
    let again = store
        .accept_invitation(acceptance(1, "mary", at(2)), change())
        .await
        .unwrap();
    assert_eq!(again, InvitationAccepted::Closed, "a link works once");
    let used = store.invitation(&[1; 32]).await.unwrap().unwrap();
    assert_eq!(used.used_at, Some(at(1)));
    assert_eq!(store.accounts().await.unwrap().len(), 1, "it named an account");
}

pub async fn a_late_or_unknown_link_makes_nobody(store: &Shared) {
    let world = World::new(store, 10).await;
    let new = invitation(1, Some(world.account), Role::Member);
    store.invite(new, change()).await.unwrap();
    for accept in [acceptance(1, "late", at(100)), acceptance(9, "nobody", at(1))] {
        let answer = store.accept_invitation(accept, change()).await.unwrap();
        assert_eq!(answer, InvitationAccepted::Closed);
    }
    assert_eq!(store.users(None).await.unwrap(), []);
    assert!(store.invitation(&[9; 32]).await.unwrap().is_none());
}

pub async fn a_taken_login_leaves_the_link_open(store: &Shared) {
    let world = World::new(store, 10).await;
    member(&world, 1, "grace").await;
    let new = invitation(2, Some(world.account), Role::Member);
    store.invite(new, change()).await.unwrap();
    let taken = store
        .accept_invitation(acceptance(2, "grace", at(2)), change())
        .await
        .unwrap();
    assert_eq!(taken, InvitationAccepted::LoginTaken);
    assert_eq!(store.invitation(&[2; 32]).await.unwrap().unwrap().used_at, None);
}

pub async fn the_first_operator_gets_an_account_of_their_own_and_is_created_once(store: &Shared) {
    assert!(!store.has_operator().await.unwrap());
    for byte in [1, 2] {
        let new = invitation(byte, None, Role::Operator);
        assert!(store.invite_first_operator(new, change()).await.unwrap());
    }
    let old = store
        .accept_invitation(acceptance(1, "ada", at(1)), change())
        .await
        .unwrap();
    assert_eq!(old, InvitationAccepted::Closed, "a newer link closes the older");
    let accept = acceptance(2, "ada", at(1));
    let InvitationAccepted::Accepted(user) = store.accept_invitation(accept.clone(), change()).await.unwrap()
    else {
        panic!("the newer link is open")
    };
    assert_eq!((user.role, user.account), (Role::Operator, accept.account.id));
    let own = store.account(user.account).await.unwrap().unwrap();
    assert_eq!((own.name.as_str(), own.available), ("ada", 50));
    assert!(store.has_operator().await.unwrap());
    let third = invitation(3, None, Role::Operator);
    assert!(!store.invite_first_operator(third, change()).await.unwrap());
    assert!(store.invitation(&[3; 32]).await.unwrap().is_none());
    assert_eq!(store.audit().await.unwrap().violations, Vec::<String>::new());
}

pub async fn a_session_leads_to_its_user_until_it_ends_or_expires(store: &Shared) {
    let world = World::new(store, 10).await;
    let user = member(&world, 1, "grace").await;
    let first = session(5, user.id, at(10));
    store.start_session(first.clone(), change()).await.unwrap();
    let found = store.signed_in(&[5; 32], at(11)).await.unwrap().unwrap();
    assert_eq!((found.user, found.session), (user.clone(), first.session.clone()));
    assert_eq!((found.account.available, found.api_enabled), (10, true));
    assert!(store.signed_in(&[6; 32], at(11)).await.unwrap().is_none());
    assert!(store.signed_in(&[5; 32], at(1_010)).await.unwrap().is_none());
    let which = Which::One(first.session.id);
    let stranger = UserId(id());
    assert_eq!(
        store
            .end_sessions(stranger, which, at(12), change())
            .await
            .unwrap(),
        0
    );
    assert_eq!(
        store
            .end_sessions(user.id, which, at(12), change())
            .await
            .unwrap(),
        1
    );
    assert_eq!(
        store
            .end_sessions(user.id, which, at(13), change())
            .await
            .unwrap(),
        0
    );
    assert!(store.signed_in(&[5; 32], at(13)).await.unwrap().is_none());
}

pub async fn sessions_are_listed_newest_first_and_all_others_are_ended(store: &Shared) {
    let world = World::new(store, 10).await;
    let user = member(&world, 1, "grace").await;
    let sessions: Vec<_> = (10..13).map(|byte| session(byte, user.id, at(10))).collect();
    for session in &sessions {
        store.start_session(session.clone(), change()).await.unwrap();
    }
    let used = SessionUse {
        id: sessions[1].session.id,
        at: at(20),
        address: "192.0.2.9".to_owned(),
    };
    store.touch_sessions(vec![used]).await.unwrap();
    let listed = store.sessions(user.id, at(21)).await.unwrap();
    let ids: Vec<_> = listed.iter().map(|session| session.id).collect();
    let newest_first: Vec<_> = sessions.iter().rev().map(|new| new.session.id).collect();
    assert_eq!(ids, newest_first);
    assert_eq!(
        (listed[1].last_seen_at, listed[1].address.as_str()),
        (at(20), "192.0.2.9")
    );
    let which = Which::AllBut(ids[0]);
    assert_eq!(
        store
            .end_sessions(user.id, which, at(22), change())
            .await
            .unwrap(),
        2
    );
    assert_eq!(store.sessions(user.id, at(23)).await.unwrap().len(), 1);
}

pub async fn a_new_password_and_disabling_a_user_end_sessions(store: &Shared) {
    let world = World::new(store, 10).await;
    let user = member(&world, 1, "grace").await;
    let kept = session(10, user.id, at(10));
    let other = session(11, user.id, at(10));
    for session in [&kept, &other] {
        store.start_session(session.clone(), change()).await.unwrap();
    }
    let password = UserChange {
        password: Some("$argon2id$new".to_owned()),
        keep: Some(kept.session.id),
        ..UserChange::default()
    };
    store
        .update_user(user.id, password, at(11), change())
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        store.user_by_login("grace").await.unwrap().unwrap().1,
        "$argon2id$new"
    );
    assert!(store.signed_in(&[11; 32], at(12)).await.unwrap().is_none());
    assert!(store.signed_in(&[10; 32], at(12)).await.unwrap().is_some());

    let disabled = UserChange {
        disabled: Some(true),
        ..UserChange::default()
    };
    let changed = store
        .update_user(user.id, disabled, at(13), change())
        .await
        .unwrap();
    assert_eq!(changed.unwrap().disabled_at, Some(at(13)));
    assert!(store.signed_in(&[10; 32], at(14)).await.unwrap().is_none());
    let nobody = store
        .update_user(UserId(id()), UserChange::default(), at(14), change())
        .await
        .unwrap();
    assert_eq!(nobody, None);
}

pub async fn a_key_is_revoked_only_by_its_own_account(store: &Shared) {
    let world = World::new(store, 10).await;
    let stranger = Some(atelier_domain::AccountId(id()));
    let key = world.key.record.id;
    assert_eq!(
        store.revoke_key(stranger, key, at(1), change()).await.unwrap(),
        None
    );
    assert!(store.caller(&world.key.hash).await.unwrap().is_some());
    let own = store
        .revoke_key(Some(world.account), key, at(2), change())
        .await
        .unwrap();
    assert_eq!(own.unwrap().revoked_at, Some(at(2)));
}

pub async fn every_change_is_written_down_and_what_changes_nothing_is_not(store: &Shared) {
    let world = World::new(store, 10).await;
    let user = member(&world, 1, "grace").await;
    let by = Actor::User {
        id: user.id,
        login: user.login.clone(),
    };
    let record = |action| AuditRecord {
        actor: by.clone(),
        action,
        account: Some(world.account),
        ..change()
    };
    let before = store.changes(None, None, 100).await.unwrap().len();
    store
        .grant(world.account, 5, "a gift", at(1), record("credits.grant"))
        .await
        .unwrap();
    store
        .grant(world.account, -99, "too much", at(1), record("refused"))
        .await
        .unwrap();
    store
        .update_account(world.account, AccountChange::default(), record("account.update"))
        .await
        .unwrap();
    store.set_api_enabled(true, change()).await.unwrap();
    store.record(change()).await.unwrap();
    let all = store.changes(None, None, 100).await.unwrap();
    assert_eq!(all.len(), before + 4, "{all:?}");
    let own = store.changes(Some(world.account), None, 2).await.unwrap();
    let actions: Vec<_> = own.iter().map(|entry| entry.action.as_str()).collect();
    assert_eq!(actions, ["account.update", "credits.grant"], "newest first");
    assert_eq!((own[0].actor.as_str(), own[0].user), ("grace", Some(user.id)));
    let older = store
        .changes(Some(world.account), Some(own[0].id), 1)
        .await
        .unwrap();
    assert_eq!(older[0].action, "credits.grant");
}

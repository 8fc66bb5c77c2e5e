//! Tests of invitations, sessions, and what each user may see.

use std::time::Duration;

use atelier_domain::{KeyLimits, Role};

use super::{PASSWORD, World, browser};
use crate::{Error, changes::ChangeFilter, people::invite};

#[tokio::test]
async fn the_first_operator_is_made_once_with_an_account_of_their_own() {
    let world = World::new();
    let operator = world.operator().await;
    assert_eq!(operator.user.role, Role::Operator);
    let account = operator.account();
    assert_eq!((account.name.as_str(), account.available), ("ada", 500));
    assert!(account.may_use_api() && operator.caller.barred().is_none());
    world.app.operator(&operator).unwrap();
    let again = world.system.invite_first_operator().await;
    assert!(again.unwrap().is_none());
}

#[tokio::test]
async fn a_link_works_once_and_within_its_time() {
    let world = World::new();
    world.account("house").await;
    let (once, late) = (
        world.link("house", Role::Member).await,
        world.link("house", Role::Member).await,
    );
    let open = world.app.open_invitation(&once).await.unwrap();
    assert_eq!(
        (open.role, open.account.unwrap().name.as_str()),
        (Role::Member, "house")
    );
    world
        .app
        .join(&once, "grace", PASSWORD, &browser())
        .await
        .unwrap();
    world.clock.advance(invite::LASTS);
    for token in [once.as_str(), late.as_str(), "nonsense", &"A".repeat(43)] {
        let answer = world.app.join(token, "mary", PASSWORD, &browser()).await;
        assert!(matches!(answer, Err(Error::NotFound(_))), "{answer:?}");
    }
}

#[tokio::test]
async fn login_and_password_begin_a_session_and_wrong_ones_reveal_nothing() {
    let world = World::new();
    world.member("grace").await;
    let session = world.session(" GRACE ", PASSWORD).await;
    assert_eq!(session.user.login, "grace");
    let mut messages = Vec::new();
    for (login, password) in [("grace", "another word"), ("nobody", PASSWORD), ("", "")] {
        match world.app.sign_in(login, password, &browser()).await {
            Err(error @ Error::InvalidRequest { .. }) => messages.push(error.to_string()),
            other => panic!("{other:?}"),
        }
    }
    messages.dedup();
    assert_eq!(messages.len(), 1, "{messages:?}");
}

#[tokio::test]
async fn after_ten_wrong_guesses_the_right_one_waits_too() {
    let world = World::new();
    world.member("grace").await;
    for _ in 0..10 {
        assert!(
            world
                .app
                .sign_in("grace", "a wrong guess", &browser())
                .await
                .is_err()
        );
    }
    let limited = world.app.sign_in("grace", PASSWORD, &browser()).await;
    assert!(matches!(limited, Err(Error::RateLimited(_))), "{limited:?}");
    world.clock.advance(Duration::from_secs(61));
    world.app.sign_in("grace", PASSWORD, &browser()).await.unwrap();
}

#[tokio::test]
async fn a_session_ends_by_expiry_by_its_user_and_by_a_new_password() {
    let world = World::new();
    let grace = world.member("grace").await;
    let second = world.session("grace", PASSWORD).await;
    assert_eq!(world.app.sessions(&grace).await.unwrap().len(), 2);
    let other = world.signed_in(&second).await.unwrap();
    world
        .app
        .end_session(&grace, &other.session.id.to_string())
        .await
        .unwrap();
    assert!(world.signed_in(&second).await.is_none());

    let third = world.session("grace", PASSWORD).await;
    let wrong = world
        .app
        .change_password(&grace, "not my password", "an even longer word")
        .await;
    assert!(matches!(wrong, Err(Error::InvalidRequest { .. })), "{wrong:?}");
    world
        .app
        .change_password(&grace, PASSWORD, "an even longer word")
        .await
        .unwrap();
    assert!(world.signed_in(&third).await.is_none());
    assert_eq!(
        world.app.sessions(&grace).await.unwrap().len(),
        1,
        "their own session goes on"
    );

    let fourth = world.session("grace", "an even longer word").await;
    world
        .clock
        .advance(crate::people::session::IDLE + Duration::from_secs(1));
    assert!(world.signed_in(&fourth).await.is_none(), "unused for too long");
}

#[tokio::test]
async fn strangers_neither_see_nor_touch_each_others_keys_and_sessions() {
    let world = World::new();
    let (grace, mary) = (world.member("grace").await, world.member("mary").await);
    let key = world
        .app
        .create_key(&grace, "mine", KeyLimits::default())
        .await
        .unwrap();
    let answer = world.app.revoke_key(&mary, &key.record.id.to_string()).await;
    assert!(matches!(answer, Err(Error::NotFound(_))), "{answer:?}");
    world.app.authenticate(&key.text, || None).await.unwrap();
    let session = grace.session.id.to_string();
    assert!(matches!(
        world.app.end_session(&mary, &session).await,
        Err(Error::NotFound(_))
    ));
    assert!(world.app.operator(&mary).is_err());
    let hers = world.app.own_changes(&mary, None, 100).await.unwrap();
    assert!(
        hers.items
            .iter()
            .all(|change| change.account == Some(mary.account().id))
    );
    assert!(!grace.csrf_matches(mary.csrf()) && grace.csrf_matches(grace.csrf()));
}

#[tokio::test]
async fn a_disabled_user_is_signed_out_immediately_and_nobody_disables_themselves() {
    let world = World::new();
    let operator = world.operator().await;
    let operator = world.app.operator(&operator).unwrap();
    world.member("grace").await;
    let session = world.session("grace", PASSWORD).await;
    world
        .app
        .admin(&operator)
        .update_user("grace", None, Some(true))
        .await
        .unwrap();
    assert!(world.signed_in(&session).await.is_none());
    assert!(world.app.sign_in("grace", PASSWORD, &browser()).await.is_err());
    let admin = world.app.admin(&operator);
    for login in ["ada", "ADA", " Ada "] {
        let own = admin.update_user(login, Some(Role::Member), None).await;
        assert!(
            matches!(own, Err(Error::InvalidRequest { .. })),
            "{login}: {own:?}"
        );
    }
    let changes = world
        .app
        .changes(&operator, &ChangeFilter::default(), None, 3)
        .await
        .unwrap();
    let newest = &changes.items[0];
    assert_eq!(
        (
            newest.actor.as_str(),
            newest.action.as_str(),
            newest.object.as_str()
        ),
        ("ada", "user.update", "grace")
    );
}

#[tokio::test]
async fn users_can_browse_even_if_their_account_cannot_create_anything() {
    let world = World::new();
    let operator = world.operator().await;
    let operator = world.app.operator(&operator).unwrap();
    world.app.admin(&operator).set_api_enabled(false).await.unwrap();
    let grace = world.member("grace").await;
    assert!(grace.caller.barred().is_some());
    assert!(world.app.keys(&grace).await.is_ok());
    let refused = world
        .app
        .test_webhook(&grace.caller, "https://example.com/")
        .await;
    assert!(matches!(refused, Err(Error::ApiDisabled(_))), "{refused:?}");
}

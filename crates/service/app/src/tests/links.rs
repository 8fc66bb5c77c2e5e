//! Tests of one-time links: invitations and password resets.

use std::time::Duration;

use atelier_domain::{AccountRole, Plan, Role};

use super::{PASSWORD, World, browser, entered};
use crate::{
    Error,
    accounts::update::{AccountUpdate, Credits},
    people::reset,
};

const NEW_PASSWORD: &str = "an even longer word";

#[tokio::test]
async fn an_invitation_ends_with_its_inviter_and_can_be_revoked() {
    let world = World::new();
    world.operator().await;
    let grace = world.member("grace").await;
    let ended = world
        .app
        .invite_member(&grace, AccountRole::Viewer)
        .await
        .unwrap();
    let revoked = world
        .app
        .invite_member(&grace, AccountRole::Viewer)
        .await
        .unwrap();
    let listed = world.app.invitations(&grace).await.unwrap();
    let inviters: Vec<_> = listed.iter().map(|listed| listed.inviter.as_deref()).collect();
    assert_eq!(inviters, [Some("grace"), Some("grace")]);

    let newest = listed[0].invitation.id.to_string();
    world.app.revoke_invitation(&grace, &newest).await.unwrap();
    assert!(world.app.open_invitation(&revoked.token).await.is_err());
    world.app.open_invitation(&ended.token).await.unwrap();
    world.cli().update_user("grace", None, Some(true)).await.unwrap();
    let joined = world.app.join(&ended.token, "mary", PASSWORD, &browser()).await;
    assert!(matches!(joined, Err(Error::NotFound(_))), "{joined:?}");
    assert!(world.cli().invitations(None).await.unwrap().is_empty());
}

#[tokio::test]
async fn owners_revoke_every_invitation_to_their_account_and_none_to_others() {
    let world = World::new();
    world.operator().await;
    let (grace, mary) = (world.member("grace").await, world.member("mary").await);
    let token = world.link("grace's", Role::Member).await;
    let by_hand = world.app.invitations(&grace).await.unwrap().remove(0);
    let id = by_hand.invitation.id.to_string();
    let refused = world.app.revoke_invitation(&mary, &id).await;
    assert!(matches!(refused, Err(Error::NotFound(_))), "{refused:?}");
    world.app.open_invitation(&token).await.unwrap();
    world.app.revoke_invitation(&grace, &id).await.unwrap();
    assert!(world.app.open_invitation(&token).await.is_err());
}

#[tokio::test]
async fn a_reset_link_changes_the_password_once_and_ends_all_sessions() {
    let world = World::new();
    let grace = world.member("grace").await;
    let link = world.cli().reset_password("GRACE").await.unwrap();
    assert_eq!(world.app.open_reset(&link.token).await.unwrap(), "grace");
    let weak = world
        .app
        .reset_password(&link.token, "1234567890", &browser())
        .await;
    assert!(matches!(weak, Err(Error::InvalidRequest { .. })), "{weak:?}");

    let session = world
        .app
        .reset_password(&link.token, NEW_PASSWORD, &browser())
        .await;
    assert!(world.signed_in(&entered(session.unwrap())).await.is_some());
    assert_eq!(world.app.sessions(&grace).await.unwrap().len(), 1, "the new one");
    assert!(world.app.sign_in("grace", PASSWORD, &browser()).await.is_err());
    world
        .app
        .sign_in("grace", NEW_PASSWORD, &browser())
        .await
        .unwrap();
    let again = world
        .app
        .reset_password(&link.token, NEW_PASSWORD, &browser())
        .await;
    assert!(matches!(again, Err(Error::NotFound(_))), "{again:?}");
}

#[tokio::test]
async fn a_reset_link_expires_and_a_newer_one_replaces_it() {
    let world = World::new();
    world.member("grace").await;
    let old = world.cli().reset_password("grace").await.unwrap();
    let new = world.cli().reset_password("grace").await.unwrap();
    assert!(world.app.open_reset(&old.token).await.is_err());
    world.app.open_reset(&new.token).await.unwrap();
    world.clock.advance(reset::LASTS + Duration::from_secs(1));
    assert!(world.app.open_reset(&new.token).await.is_err());
    let unknown = world.cli().reset_password("nobody").await;
    assert!(matches!(unknown, Err(Error::NotFound(_))), "{unknown:?}");
}

#[tokio::test]
async fn credits_and_a_plan_change_together_or_not_at_all() {
    let world = World::new();
    world.account("house").await;
    let update = || AccountUpdate {
        plan: Some(Some(Plan {
            name: "large".to_owned(),
            active: true,
        })),
        ..AccountUpdate::default()
    };
    let credits = |amount| Some(Credits { amount, reason: None });
    let refused = world.cli().update_account("house", update(), credits(-101)).await;
    assert!(
        matches!(refused, Err(Error::InvalidRequest { .. })),
        "{refused:?}"
    );
    let account = world.cli().account("house").await.unwrap();
    assert_eq!(
        (account.available, account.plan.unwrap().name.as_str()),
        (100, "standard")
    );
    let account = world
        .cli()
        .update_account("house", update(), credits(-100))
        .await
        .unwrap();
    assert_eq!(
        (account.available, account.plan.unwrap().name.as_str()),
        (0, "large")
    );
}

//! Retention over a real store, with days that pass at once.

use std::time::Duration;

use super::{World, takedown::upload};
use crate::{Error, accounts::update::AccountUpdate};

const DAY: Duration = Duration::from_hours(24);

#[tokio::test]
async fn uploads_older_than_the_operator_keeps_them_are_gone() {
    let world = World::new();
    let operator = world.operator().await;
    let url = upload(&world, &operator.caller).await.unwrap();
    let name = world.app.stored_file(&url).unwrap().unwrap();
    world.clock.advance(DAY * 9);
    world.system.retain().await.unwrap();
    world.app.still_up(&name).await.unwrap();
    world.clock.advance(DAY * 2);
    world.system.retain().await.unwrap();
    assert!(matches!(world.app.still_up(&name).await, Err(Error::Gone(_))));
    assert_eq!(world.app.media_size(&name).await.unwrap(), None);
    let by = world.app.operator(&operator).unwrap();
    let (_, removed) = world.app.retention(&by);
    assert_eq!((removed.uploads, removed.files), (1, 1));
}

#[tokio::test]
async fn bytes_that_were_not_removed_with_their_file_are_removed_later() {
    let world = World::new();
    let operator = world.operator().await;
    let url = upload(&world, &operator.caller).await.unwrap();
    let name = world.app.stored_file(&url).unwrap().unwrap();
    // As if the process had died between the two.
    let deletion = world.app.deletion(None);
    let account = operator.account().id;
    let removal = world.app.store().delete_upload(account, &name, deletion).await;
    assert_eq!(
        removal.unwrap(),
        atelier_store::Removal::Removed(vec![name.clone()])
    );
    world.system.remove_deleted_files().await.unwrap();
    assert!(
        world.app.media_size(&name).await.unwrap().is_some(),
        "it is leased"
    );
    world.clock.advance(Duration::from_mins(11));
    world.system.remove_deleted_files().await.unwrap();
    assert_eq!(world.app.media_size(&name).await.unwrap(), None);
    assert_eq!(upload(&world, &operator.caller).await.unwrap(), url);
    assert!(world.app.media_size(&name).await.unwrap().is_some());
}

#[tokio::test]
async fn an_account_keeps_its_uploads_for_a_time_of_its_own() {
    let world = World::new();
    let mut left = Vec::new();
    world.operator().await;
    for (login, days) in [("short", Some(3)), ("usual", None), ("long", Some(20))] {
        let member = world.member(login).await;
        let update = AccountUpdate {
            retention_days: Some(days),
            ..AccountUpdate::default()
        };
        let name = format!("{login}'s");
        world.cli().update_account(&name, update, None).await.unwrap();
        upload(&world, &member.caller).await.unwrap();
        left.push(member.caller);
    }
    let kept = async |days: u32| {
        world.clock.advance(DAY * days);
        world.system.retain().await.unwrap();
        let mut kept = Vec::new();
        for caller in &left {
            kept.push(world.app.uploads(caller, None, 10).await.unwrap().len());
        }
        kept
    };
    assert_eq!(kept(2).await, [1, 1, 1]);
    assert_eq!(kept(2).await, [0, 1, 1]);
    assert_eq!(kept(7).await, [0, 0, 1]);
    assert_eq!(kept(10).await, [0, 0, 0]);
    let one = AccountUpdate {
        retention_days: Some(Some(1)),
        ..AccountUpdate::default()
    };
    let refused = world
        .cli()
        .update_account("usual's", one, None)
        .await
        .unwrap_err();
    assert_eq!(
        refused.to_string(),
        "jobs are kept for at least 2 days (got 1): idempotency keys lead to them"
    );
}

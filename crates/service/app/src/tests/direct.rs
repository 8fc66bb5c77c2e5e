//! Uploads that go to the bucket, with hours that pass at once.

use std::time::Duration;

use super::World;
use crate::{Caller, Error, uploads::direct::Announced};

async fn begin(world: &World, caller: &Caller) -> crate::uploads::direct::DirectUpload {
    let announced = Announced {
        content_type: "image/png".to_owned(),
        size: 48_213,
        sha256: None,
    };
    world.app.begin_direct_upload(caller, &announced).await.unwrap()
}

#[tokio::test]
async fn a_form_is_valid_for_a_quarter_of_an_hour_and_an_upload_open_for_an_hour() {
    let world = World::new();
    let member = world.member("grace").await;
    let begun = world.app.now();
    let upload = begin(&world, &member.caller).await;
    assert_eq!(upload.url, "https://bucket.example.com");
    assert_eq!(upload.expires_at, begun.plus(Duration::from_mins(15)));
    assert_eq!(upload.complete_before, begun.plus(Duration::from_hours(1)));
    world.clock.advance(Duration::from_mins(59));
    let early = world.app.complete_direct_upload(&member.caller, &upload.id).await;
    assert!(matches!(early, Err(Error::Conflict(_))), "{early:?}");
    world.clock.advance(Duration::from_mins(1));
    let late = world.app.complete_direct_upload(&member.caller, &upload.id).await;
    let expected = format!(
        "this upload expired at {}: begin another one with `POST /uploads/direct`",
        upload.complete_before
    );
    match late {
        Err(Error::Gone(message)) => assert_eq!(message, expected),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn only_the_account_that_began_an_upload_can_complete_it() {
    let world = World::new();
    let (grace, ada) = (world.member("grace").await, world.member("ada").await);
    let upload = begin(&world, &grace.caller).await;
    let refused = world.app.complete_direct_upload(&ada.caller, &upload.id).await;
    assert!(matches!(refused, Err(Error::NotFound(_))), "{refused:?}");
    let again = begin(&world, &grace.caller).await;
    assert_ne!(
        (again.id, &again.fields["key"]),
        (upload.id, &upload.fields["key"])
    );
}

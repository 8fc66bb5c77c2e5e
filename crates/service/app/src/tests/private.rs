//! Private media over a real store, with links whose time passes at once.

use std::time::Duration;

use atelier_domain::WorkerId;
use serde_json::{Value, json};

use super::{World, takedown::upload};
use crate::{
    Caller, Error,
    generations::create::CreateGeneration,
    private::{Access, query_of},
};

#[tokio::test]
async fn a_signed_link_opens_one_file_until_it_expires() {
    let world = World::new();
    world.operator().await;
    world.member("grace").await;
    let session = world.session("grace", super::PASSWORD).await;
    let caller = world.signed_in(&session).await.unwrap().caller;
    world.app.set_private_media(&caller, true).await.unwrap();
    // A caller knows the account as it was.
    let caller = world.signed_in(&session).await.unwrap().caller;
    let url = upload(&world, &caller).await.unwrap();
    let name = world.app.stored_file(&url).unwrap().unwrap();
    assert!(
        url.starts_with(&format!("http://localhost/media/{name}?expires=")),
        "{url}"
    );
    let query = query_of(&url).unwrap();
    let read = async |query: Option<&str>| world.app.may_read(&name, query).await;
    let left = match read(Some(query)).await.unwrap() {
        Access::Signed(left) => left,
        Access::Public => panic!("the file is private"),
    };
    assert!(
        left >= Duration::from_hours(24) && left <= Duration::from_hours(25),
        "{left:?}"
    );
    let longer = query.replacen("expires=", "expires=9", 1);
    for wrong in [
        None,
        Some(""),
        Some("expires=1&signature="),
        Some(longer.as_str()),
    ] {
        let refused = read(wrong).await;
        assert!(
            matches!(refused, Err(Error::NotFound(_))),
            "{wrong:?}: {refused:?}"
        );
    }
    world.clock.advance(Duration::from_hours(26));
    let expired = read(Some(query)).await.unwrap_err();
    assert_eq!(
        expired.to_string(),
        "this link has expired: fetch the job again to get a new one"
    );
    assert!(matches!(expired, Error::Gone(_)));

    // The same bytes in a public account have a permanent address.
    let other = world.member("mary").await;
    let public = upload(&world, &other.caller).await.unwrap();
    assert_eq!(public, format!("http://localhost/media/{name}"));
    assert_eq!(read(None).await.unwrap(), Access::Public);
    assert_eq!(read(Some(query)).await.unwrap(), Access::Public);
}

/// The input of a claimed job, as it is stored and as its engine gets it.
async fn claimed_input(world: &World, caller: &Caller, url: &str) -> (Value, String) {
    let body = json!({ "model": "upscale", "image_urls": [url] });
    let (fields, text) = (body.as_object().unwrap().clone(), body.to_string());
    let request = CreateGeneration::new(fields, text.as_bytes(), None);
    world.app.create_generation(caller, request).await.unwrap();
    let worker = WorkerId(world.app.entropy().uuid(world.app.now()));
    let claimed = world
        .system
        .claim(worker, "echo", 1, Duration::from_secs(30))
        .await;
    let claimed = claimed.unwrap().remove(0);
    let params = world.system.engine_params(&claimed).await.unwrap();
    let given = params["image_urls"][0].as_str().unwrap().to_owned();
    (claimed.params["image_urls"].clone(), given)
}

#[tokio::test]
async fn an_engine_gets_links_to_private_inputs_that_work_and_no_others_are_signed() {
    let world = World::new();
    let grace = world.member("grace").await.caller;
    let url = upload(&world, &grace).await.unwrap();
    assert_eq!(
        claimed_input(&world, &grace, &url).await,
        (json!([url]), url.clone())
    );

    world.app.set_private_media(&grace, true).await.unwrap();
    let session = world.session("grace", super::PASSWORD).await;
    let grace = world.signed_in(&session).await.unwrap().caller;
    let (kept, given) = claimed_input(&world, &grace, &url).await;
    assert_eq!(kept, json!([url]));
    let (address, query) = given.split_once('?').unwrap();
    assert_eq!(address, url);
    let name = world.app.stored_file(&given).unwrap().unwrap();
    world.app.may_read(&name, None).await.unwrap_err();
    assert!(matches!(
        world.app.may_read(&name, Some(query)).await.unwrap(),
        Access::Signed(left) if left >= Duration::from_hours(24)
    ));
}

//! Tests of takedowns.

use super::World;
use crate::{Caller, Error};

const PNG: &[u8] = include_bytes!("../../../engines/assets/echo.png");

pub(super) async fn upload(world: &World, caller: &Caller) -> crate::Result<String> {
    let mut intake = world.app.begin_upload(caller).await?;
    intake.write(PNG).await.map_err(Error::from)?;
    let received = intake.finish().await.map_err(Error::from)?;
    Ok(world.app.finish_upload(caller, &received).await?.url)
}

#[tokio::test]
async fn a_file_taken_down_is_gone_and_cannot_come_back() {
    let world = World::new();
    let operator = world.operator().await;
    let url = upload(&world, &operator.caller).await.unwrap();
    let name = world.app.stored_file(&url).unwrap().unwrap();
    world.app.still_up(&name).await.unwrap();
    let stored = |app: &crate::App| {
        let (app, name) = (app.clone(), name.clone());
        async move { app.blobs().head(&name).await.unwrap() }
    };
    assert!(stored(&world.app).await.is_some());

    let by = world.app.operator(&operator).unwrap();
    assert_eq!(world.app.storage(&by).await.unwrap()[0].files, 1);
    assert!(
        world.app.take_down(&by, &url, " ").await.is_err(),
        "without a reason"
    );
    world
        .app
        .take_down(&by, &url, "asked for by its owner")
        .await
        .unwrap();
    assert!(matches!(world.app.still_up(&name).await, Err(Error::Gone(_))));
    assert!(matches!(world.app.preview(&name).await, Err(Error::Gone(_))));
    assert_eq!(stored(&world.app).await, None);
    assert_eq!(world.app.storage(&by).await.unwrap(), []);
    let again = upload(&world, &operator.caller).await;
    assert!(matches!(again, Err(Error::InvalidRequest { .. })), "{again:?}");
    assert_eq!(stored(&world.app).await, None);
    let twice = world.app.take_down(&by, &url, "again").await;
    assert!(matches!(twice, Err(Error::InvalidRequest { .. })), "{twice:?}");
    let down = world.app.admin(&by).takedowns().await.unwrap();
    assert_eq!(
        (down.len(), down[0].reason.as_str()),
        (1, "asked for by its owner")
    );
}

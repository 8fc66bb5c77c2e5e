//! A scratch folder without room: uploads are refused and leave nothing behind.

use std::{fs, time::Duration};

use crate::{
    files,
    setup::{ECHO, World},
};

/// Fills a scratch folder, or frees it again, and waits until the server has noticed.
pub(crate) async fn fill(world: &World, bytes: usize) {
    let path = world.server.data().join("scratch/left-behind");
    if bytes == 0 {
        fs::remove_file(path).unwrap();
    } else {
        fs::write(path, vec![0; bytes]).unwrap();
    }
    // A measurement of the folder counts for a quarter of a second.
    tokio::time::sleep(Duration::from_millis(400)).await;
}

#[tokio::test]
async fn an_upload_without_room_is_refused_and_leaves_nothing_behind() {
    let world = World::start(&format!("{ECHO}[workers]\nscratch_mib = 4\n"));
    let account = world.account(100);
    fill(&world, 3 << 20).await;
    let refused = account.http.upload(files::png_of(2 << 20), "a.png").await;
    assert_eq!(
        (refused.status.as_u16(), refused.code().as_str()),
        (503, "unavailable")
    );
    assert!(
        refused.message().contains("no disk space left"),
        "{}",
        refused.message()
    );
    assert!(refused.header("retry-after").is_some());
    assert_eq!(world.scratch(), ["left-behind"]);
    assert_eq!(world.stored(), Vec::<String>::new());
    // An upload that has room is stored.
    assert_eq!(
        account.http.upload(files::png_of(500_000), "a.png").await.status,
        201
    );
    fill(&world, 0).await;
    assert_eq!(
        account.http.upload(files::png_of(2 << 20), "a.png").await.status,
        201
    );
}

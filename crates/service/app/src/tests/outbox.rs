//! Tests of webhooks, the ledger with its balance, and its export.

use super::World;
use crate::{Error, webhooks::deliveries::ListDeliveries};

#[tokio::test]
async fn a_test_event_stands_in_the_outbox_with_its_bytes_and_headers() {
    let world = World::new();
    let grace = world.member("grace").await;
    let sent = world
        .app
        .test_webhook(&grace.caller, "https://example.com/hooks")
        .await
        .unwrap();
    assert_eq!(
        (sent.delivery.event, sent.delivery.state),
        ("webhook.test", "pending")
    );
    assert_eq!(sent.delivery.generation, None);
    assert!(sent.body.contains(&sent.delivery.id), "{}", sent.body);
    let names: Vec<_> = sent.headers.iter().map(|header| header.name.as_str()).collect();
    assert!(names.contains(&"x-service-signature") && names.contains(&"webhook-signature"));
    let listed = world
        .app
        .list_deliveries(&grace.caller, ListDeliveries::default())
        .await
        .unwrap();
    assert_eq!(
        (listed.total, listed.items[0].id.as_str()),
        (1, sent.delivery.id.as_str())
    );
    let early = world.app.redeliver(&grace.caller, &sent.delivery.id).await;
    assert!(
        matches!(early, Err(Error::InvalidRequest { .. })),
        "still on its way"
    );

    let mary = world.member("mary").await;
    let theirs = world.app.delivery(&mary.caller, &sent.delivery.id).await;
    assert!(matches!(theirs, Err(Error::NotFound(_))), "{theirs:?}");
}

#[tokio::test]
async fn a_test_event_goes_through_the_guard() {
    let world = World::new();
    let grace = world.member("grace").await;
    for url in ["http://example.com/", "https://127.0.0.1/", "ftp://x", ""] {
        match world.app.test_webhook(&grace.caller, url).await {
            Err(Error::InvalidRequest { details, .. }) => assert_eq!(details[0].parameter, "url"),
            other => panic!("{url}: {other:?}"),
        }
    }
}

#[tokio::test]
async fn every_page_of_the_ledger_says_what_was_left_after_each_entry() {
    let world = World::new();
    let operator = world.operator().await;
    let operator = world.app.operator(&operator).unwrap();
    let grace = world.member("grace").await;
    for credits in [10, -30, 5, 7, -1] {
        let account = &grace.account().name;
        let reason = "=a, \"reason\"";
        world
            .app
            .admin(&operator)
            .grant_credits(account, credits, reason)
            .await
            .unwrap();
    }
    let (mut balances, mut cursor) = (Vec::new(), None);
    loop {
        let page = world
            .app
            .ledger(&grace.caller, cursor.as_deref(), 2)
            .await
            .unwrap();
        balances.extend(page.items.iter().map(|(_, balance)| *balance));
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(balances, [91, 92, 85, 80, 110, 100]);
    assert!(world.app.ledger(&grace.caller, Some("x"), 2).await.is_err());

    let mut csv = String::new();
    let mut export = world.app.ledger_csv(&grace.caller).unwrap();
    while let Some(piece) = export.next().await {
        csv.push_str(&piece.unwrap());
    }
    let lines: Vec<_> = csv.split("\r\n").collect();
    assert_eq!(lines.len(), 8, "{csv}");
    assert!(lines[1].ends_with(",grant,,100,0,0,100,opening credits"), "{csv}");
    assert!(
        lines[6].ends_with(",grant,,-1,0,0,91,\"'=a, \"\"reason\"\"\""),
        "{csv}"
    );
}

#[tokio::test]
async fn a_rotated_secret_goes_on_beside_the_new_one_for_a_day() {
    let world = World::new();
    let grace = world.member("grace").await;
    let old = world.app.reveal_secret(&grace).await.unwrap();
    let new = world.app.rotate_secret(&grace).await.unwrap();
    assert_ne!(new.current, old.current);
    let now = world.app.now();
    assert_eq!(new.at(now).collect::<Vec<_>>(), [&new.current, &old.current]);
    let later = now.plus(crate::accounts::secret::OVERLAP);
    assert_eq!(new.at(later).collect::<Vec<_>>(), [&new.current]);
}

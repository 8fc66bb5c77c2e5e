//! Plans: limits and weights that the commands set for all accounts of a plan.

use serde_json::json;

use crate::setup::{ECHO, World, cheap};

#[tokio::test]
async fn the_accounts_of_a_plan_have_its_limits_until_it_is_removed() {
    let world = World::without_workers(ECHO);
    let account = world.account_with(100, &["--plan", "small"]);
    let other = world.account(100);
    let limits = [
        "--max-queued",
        "2",
        "--generations-per-minute",
        "600",
        "--weight",
        "3",
    ];
    let set = world
        .server
        .json(&[&["plan", "set", "small"], &limits[..]].concat());
    let expected = json!({
        "name": "small",
        "generations_per_minute": 600,
        "max_queued": 2,
        "max_running": null,
        "weight": 3,
    });
    assert_eq!(set, expected);
    assert_eq!(world.server.json(&["plan", "list"]), json!([expected]));

    for _ in 0..2 {
        account.http.create(&cheap()).await;
        other.http.create(&cheap()).await;
    }
    account.queue_is_full(2).await;
    assert_eq!(account.credits().await, 92, "nothing was held for it");
    other.http.create(&cheap()).await;

    // Its own limit goes before that of the plan.
    world
        .server
        .json(&["account", "update", &account.name, "--max-queued", "3"]);
    let shown = world.shown(&account);
    assert_eq!(
        shown["limits"],
        json!({
            "generations_per_minute": { "value": 600, "from": "plan" },
            "max_queued": { "value": 3, "from": "account" },
            "max_running": { "value": null, "from": "service" },
            "weight": { "value": 3, "from": "plan" },
        })
    );
    account.http.create(&cheap()).await;
    assert_eq!(account.http.post("/generations", &cheap()).await.status, 429);

    world
        .server
        .json(&["account", "update", &account.name, "--max-queued", "none"]);
    assert_eq!(account.http.post("/generations", &cheap()).await.status, 429);
    world.server.json(&["plan", "remove", "small"]);
    account.http.create(&cheap()).await;
    assert_eq!(world.server.json(&["plan", "list"]), json!([]));
    assert_eq!(world.shown(&account)["plan"]["name"], "small");
    let (code, _, complaint) = world.server.command(&["plan", "remove", "small"]);
    assert_eq!(
        (code, complaint.contains("`small` has no limits")),
        (1, true),
        "{complaint}"
    );
}

#[tokio::test]
async fn a_limit_that_a_plan_cannot_have_is_named_with_what_is_allowed() {
    let world = World::prepare(ECHO);
    for (arguments, complaint) in [
        (&["set", "small", "--max-queued", "0"][..], "--max-queued"),
        (&["set", "small", "--weight", "0"], "0 is not in 1..=100"),
        (&["set", "small", "--weight", "101"], "101 is not in 1..=100"),
        (&["set", "small", "--generations-per-minute", "-1"], "-1"),
        (&["set", "small"], "--weight"),
    ] {
        let (code, _, said) = world.server.command(&[&["plan"], arguments].concat());
        assert_eq!(
            (code, said.contains(complaint)),
            (2, true),
            "{arguments:?}: {said}"
        );
    }
    let (code, _, said) = world.server.command(&["plan", "set", "none", "--weight", "2"]);
    assert_eq!((code, said.contains("not be `none`")), (1, true), "{said}");
    assert_eq!(world.server.json(&["plan", "list"]), json!([]));
}

//! Killed servers: every accepted job ends, is paid for once, and is reported.

pub(crate) mod load;
mod shutdown;

use std::time::Duration;

use self::load::{Books, Chance, Hanging};
use crate::{
    planned::{self, Plan},
    setup::{ECHO, World},
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_killed_at_random_moments_loses_and_repeats_nothing() {
    const KILLS: u32 = 16;
    let mut world = World::prepare(ECHO);
    world.server.start();
    let account = world.account(1_000_000);
    let books = Books::new(&account).await;
    let mut chance = Chance::new(0x00a7_e11e);
    for _ in 0..KILLS {
        let clients = books.clients(4, 40);
        tokio::time::sleep(Duration::from_millis(chance.below(120))).await;
        world.server.kill();
        books.wait_for_clients(clients).await;
        world.server.start();
    }
    books.balance(&world, &account).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_dies_at_any_step_of_its_work_loses_and_repeats_nothing() {
    let mut world = World::prepare(&format!("{ECHO}[server]\nshutdown_grace_seconds = 0\n"));
    planned::start(&mut world.server, &Plan::calm());
    let account = world.account(1_000_000);
    let books = Books::new(&account).await;
    let mut chance = Chance::new(0x0057_e950);
    for step in [
        "accept",
        "claim",
        "finish",
        "record_file",
        "claim_deliveries",
        "record_attempt",
        "retry",
        "end",
        "heartbeat",
        "requeue_lost",
        "give_back",
    ] {
        for moment in ["before_commit", "after_commit"] {
            world.server.kill();
            // Some steps happen only once per process.
            let rare = ["record_file", "give_back", "end", "retry"].contains(&step);
            let time = if rare { 1 } else { 1 + chance.below(3) as u32 };
            let plan = Plan {
                abort_at: format!("{step}.{moment}"),
                time,
                ..Plan::calm()
            };
            planned::start(&mut world.server, &plan);
            let clients = books.clients(4, 10);
            let hanging = Hanging::new().await;
            let special = books.special_requests(&hanging, step == "end");
            if step == "give_back" {
                hanging.until_asked().await;
                world.server.ask_to_end();
            }
            let status = world.server.wait_until_ended(Duration::from_secs(30));
            assert!(!status.success(), "{step}.{moment} ended in good order");
            books.wait_for_clients(clients).await;
            books.wait_for_clients(vec![special]).await;
        }
    }
    world.server.start();
    books.balance(&world, &account).await;
}

//! What has ended leaves entries in the indexes of what waits and runs, until a vacuum. Nobody reads them again and
//! again.

use std::{
    fmt::Display,
    time::{Duration, Instant},
};

use uuid::Uuid;

use super::{
    super::{
        claims,
        gaps::{Found, Gaps, Spans},
        read, work, write,
    },
    fresh, raw, with,
};
use crate::conformance::world::{LANE, START, World, at};

/// Adds generations that wait, one for each of these microseconds after the start.
fn add(url: &str, world: &World, from: u64, to: u64) {
    let (account, start) = (world.account, START.0);
    raw(
        url,
        &format!(
            "INSERT INTO generations (id, account, state, epoch, attempt, lane, run_at, deadline, hold, progress,
                                      created_at, model, kind, params)
             SELECT gen_random_uuid(), '{account}', 'queued', 0, 0, '{LANE}', {start} + n, {start} + 3600000000, 0, 0,
                    {start} + n, 'm', 'image', '{{}}' FROM generate_series({from}, {to}) n"
        ),
    );
}

/// What waits has run and ended, and no vacuum has been there.
fn end_all(url: &str) {
    raw(
        url,
        "ALTER TABLE generations SET (autovacuum_enabled = false);
         UPDATE generations SET state = 'running', lease_until = 1;
         UPDATE generations SET state = 'completed', lease_until = NULL, ended_at = 1",
    );
}

fn array(list: &[impl Display], of: &str) -> String {
    let list: Vec<String> = list.iter().map(|one| format!("'{one}'")).collect();
    format!("ARRAY[{}]::{of}[]", list.join(", "))
}

/// The pages that a look at these spans reads.
fn pages(url: &str, spans: &Spans) -> u64 {
    let parameters = [
        format!("'{LANE}'"),
        at(60).0.to_string(),
        array(&spans.after.0, "uuid"),
        "12".to_owned(),
        "1000".to_owned(),
        array(&spans.after.1, "bigint"),
        array(&spans.before, "uuid"),
    ];
    let parameters: Vec<&str> = parameters.iter().map(String::as_str).collect();
    let sql = with(claims::TURN, &parameters);
    let plan = raw(url, &format!("EXPLAIN (ANALYZE, BUFFERS, TIMING off) {sql}"));
    let line = plan
        .lines()
        .find(|line| line.contains("Buffers: shared"))
        .unwrap();
    let number = |word: &str| word.split_once('=')?.1.parse::<u64>().ok();
    line.split(' ')
        .filter(|word| word.starts_with("hit=") || word.starts_with("read="))
        .filter_map(number)
        .sum()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_look_jumps_over_what_an_account_had() {
    let Some((store, url)) = fresh().await else { return };
    let world = World::new(&store, 0).await;
    add(&url, &world, 1, 20_000);
    end_all(&url);
    add(&url, &world, 20_000, 20_000);
    let gaps = Gaps::default();
    let look = |found: &Found| {
        let spans = gaps.spans(LANE, Uuid::nil());
        gaps.looked(LANE, &spans, (Instant::now(), at(60)), found);
        spans
    };
    let mut found = Found::default();
    found
        .first
        .insert(world.account.0, START.plus(Duration::from_millis(20)));
    gaps.took(LANE, world.account.0, 20_000);
    let all = look(&found);
    let rest = look(&found);
    let (all, rest) = (pages(&url, &all), pages(&url, &rest));
    assert!(all > 100, "{all}");
    assert!(rest < 20, "{rest}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_comes_late_or_returns_to_its_place_is_claimed_although_many_were_claimed_after_it() {
    let Some((store, url)) = fresh().await else { return };
    let world = World::new(&store, 0).await;
    add(&url, &world, 1_000, 3_999);
    let mut claimed = 0;
    loop {
        let more = world.claim(256, at(60)).await.len();
        claimed += more;
        if more == 0 {
            break;
        }
    }
    assert_eq!(claimed, 3_000);
    // Committed a moment after its time.
    add(&url, &world, 59_900_000, 59_900_000);
    assert_eq!(world.claim(256, at(60)).await.len(), 1);
    add(&url, &world, 1, 1);
    let begun = Instant::now();
    while world.claim(256, at(60)).await.is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(10), "it is not claimed");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_search_for_lost_and_late_generations_passes_over_what_has_ended() {
    let Some((store, url)) = fresh().await else { return };
    let world = World::new(&store, 0).await;
    add(&url, &world, 1, 20_000);
    end_all(&url);
    let searches = [
        (work::REQUEUE, "generations_open", vec!["1", "'lost'", "3", "100"]),
        (read::LATE, "generations_unfinished", vec!["1", "100"]),
        (read::LOST, "generations_open", vec!["1", "3", "100"]),
    ];
    for (sql, index, parameters) in searches {
        let sql = with(sql, &parameters);
        let plan = raw(
            &url,
            &format!("BEGIN; {}; EXPLAIN {sql}; COMMIT", write::BY_ENTRY),
        );
        assert!(plan.contains(&format!("Index Scan using {index} ")), "{plan}");
        assert!(!plan.contains("Bitmap") && !plan.contains("Seq Scan"), "{plan}");
    }
}

//! No hot statement walks through the store, however full it is. SQLite counts the steps itself.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use atelier_domain::{GenerationId, State, Status};
use rusqlite::{
    Connection, StatementStatus, params,
    trace::{TraceEvent, TraceEventCodes},
};

use super::{
    super::{
        accept, accounts, changes, collections, connection::Readers, deliveries, favourites, finish, places,
        private, read, work,
    },
    fresh, raw,
};
use crate::{
    Finished, GenerationFilter, NextAttempt, PageRequest, StoreError,
    conformance::world::{self, START, World, at, claim_deliveries, completed, generation, record},
    lists::{parts, tests::filters},
    turns::Turns,
};

/// Rows of each kind: ended generations, queued ones, due deliveries of one host.
const ROWS: u32 = 5_000;
/// The most steps of SQLite's virtual machine for a statement: far below one for each row.
const STEPS: i32 = 1_500;
/// The same for a statement that reads some hundred rows at most: below three for each row.
const BOUNDED_STEPS: i32 = 12_000;

/// The statements of this work that are over the limit.
fn too_long<T>(db: &mut Connection, work: impl FnOnce(&Connection) -> T) -> (T, Vec<String>) {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let found = Arc::clone(&seen);
    db.flush_prepared_statement_cache();
    db.trace_v2(
        TraceEventCodes::SQLITE_TRACE_PROFILE,
        Some(move |event: TraceEvent<'_>| {
            if let TraceEvent::Profile(statement, _) = event {
                let steps = statement.get_status(StatementStatus::VmStep);
                if steps > STEPS {
                    found
                        .lock()
                        .unwrap()
                        .push(format!("{steps} steps: {}", statement.sql()));
                }
            }
        }),
    )
    .unwrap();
    let result = work(db);
    db.trace_v2(TraceEventCodes::empty(), None::<fn(TraceEvent<'_>)>)
        .unwrap();
    let seen = seen.lock().unwrap().clone();
    (result, seen)
}

/// Fills the store directly, which is much faster than through its methods.
fn fill(db: &Connection, world: &World) {
    let account = world.account.0;
    db.execute_batch("BEGIN").unwrap();
    let mut generation = db
        .prepare(
            "INSERT INTO generations (id, account, state, epoch, attempt, lane, run_at, deadline, hold, progress,
                                      created_at, model, kind, params, lease_until, worker, ended_at)
             VALUES (?1, ?2, ?3, 1, 1, 'echo', ?4, ?5, 0, 0, ?4, 'm', 'image', '{}',
                     iif(?3 = 'running', ?6, NULL), iif(?3 = 'running', ?2, NULL), iif(?3 = 'completed', ?4, NULL))",
        )
        .unwrap();
    let mut delivery = db
        .prepare(
            "INSERT INTO deliveries (id, generation, account, state, epoch, attempts, due_at, created_at, event, host,
                                     url, body)
             VALUES (?1, ?2, ?3, 'pending', 0, 0, ?4, ?4, 'generation.completed', 'slow:443', 'u', zeroblob(9))",
        )
        .unwrap();
    let mut key = db
        .prepare("INSERT INTO idempotency VALUES (?1, ?2, zeroblob(32), ?3, ?4)")
        .unwrap();
    // The completed ones are the oldest.
    for state in ["completed", "queued", "running"] {
        for number in 0..ROWS {
            let id = world::id();
            generation
                .execute(params![id, account, state, START.0, at(99_999).0, at(90_000).0])
                .unwrap();
            if state == "completed" {
                delivery
                    .execute(params![world::id(), id, account, START.0])
                    .unwrap();
                key.execute(params![account, number.to_string(), id, START.0])
                    .unwrap();
            }
        }
    }
    // A row that was not ended by an update has not been counted.
    db.execute(
        "INSERT INTO usage VALUES (?1, 0, 'm', 'completed', 'image', ?2, 0, 0, 0)",
        params![account, ROWS],
    )
    .unwrap();
    db.execute_batch("COMMIT").unwrap();
}

#[tokio::test]
async fn no_hot_statement_grows_with_the_store() {
    let (store, folder) = fresh();
    let world = World::new(&store, 100).await;
    let db = &mut raw(folder.path());
    fill(db, &world);
    // More plans than one of the account.
    db.execute_batch(
        "INSERT INTO plans (name, generations_per_minute, weight) VALUES ('studio', 60000, 3);
         WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 5000)
         INSERT INTO plans (name, max_running) SELECT 'plan-' || n, n FROM n",
    )
    .unwrap();
    let turns = Turns::default();
    let mut long = Vec::new();
    macro_rules! hot {
        ($work:expr) => {{
            let (result, found) = too_long(db, $work);
            long.extend(found);
            result.unwrap()
        }};
    }

    let mut request = world::accept(generation(world.account, 1));
    request.generation.webhook_url = Some("https://hooks.example.com".to_owned());
    request.lane = "mine".to_owned();
    request.idempotency = Some(crate::Idempotency {
        key: "k".to_owned(),
        body_hash: [1; 32],
        valid_since: START,
    });
    let prepared = accept::Prepared::new(request).unwrap();
    hot!(|db| accept::accept(db, &prepared));
    hot!(|db| accept::accept(db, &prepared));
    hot!(|db| accounts::caller(db, &world.key.hash));
    let many = hot!(|db| work::claim(db, &world::claim(world.worker, 8, at(1)), &turns));
    assert_eq!(many.len(), 8);
    let mine = crate::Claim {
        lane: "mine".to_owned(),
        ..world::claim(world.worker, 8, at(1))
    };
    let mine = hot!(|db| work::claim(db, &mine, &turns)).remove(0);
    assert_eq!(mine.state, State::Running);
    let beats: Vec<_> = many
        .iter()
        .map(|held| crate::Beat {
            id: held.id,
            epoch: held.epoch,
            progress: 0.5,
        })
        .collect();
    assert_eq!(hot!(|db| work::heartbeat(db, &beats, at(90_001))).lost, []);
    hot!(|db| work::give_back(db, &[(many[0].id, many[0].epoch)], at(2)));
    let retry = crate::Retry {
        id: many[1].id,
        epoch: many[1].epoch,
        now: at(2),
        run_at: at(2),
        failure: world::failure(),
        lane: None,
    };
    assert!(hot!(|db| work::retry(db, &retry)));
    assert!(hot!(|db| work::note_request(db, many[2].id, many[2].epoch, "r")));
    assert_eq!(hot!(|db| work::requeue_lost(db, at(2), 3, 8)), 0);
    assert_eq!(hot!(|db| read::overdue(db, at(2), 3, 8)).len(), 0);
    let ending = world::finish(&mine, completed(&mine, 1), at(3));
    assert!(matches!(
        hot!(|db| finish::finish(db, &ending)),
        Finished::Ended { .. }
    ));
    hot!(|db| finish::end(db, &world::end(&many[2], at(3))));
    assert!(hot!(|db| read::generation(db, world.account, mine.id)).is_some());
    assert!(hot!(|db| read::generation(db, world.account, GenerationId(world::id()))).is_none());
    let claimed = hot!(|db| deliveries::claim(db, &claim_deliveries(world.worker, 8, 4, at(9))));
    assert_eq!(claimed.len(), 5, "four of the slow host and the other host's");
    let more = hot!(|db| deliveries::claim(db, &claim_deliveries(world.worker, 2_000, 4, at(9))));
    assert_eq!(more.len(), 4, "however many are asked for");
    assert!(hot!(|db| deliveries::record_attempt(
        db,
        &record(&claimed[0], NextAttempt::Delivered, at(9))
    )));
    hot!(|db| deliveries::next_due(db, at(9)));
    hot!(|db| deliveries::of_generation(db, mine.id));
    hot!(|db| accounts::ledger(db, world.account, 8));
    assert!(long.is_empty(), "{long:#?}");
}

#[tokio::test]
async fn what_pages_show_of_a_long_queue_and_a_long_history_is_read_directly() {
    let (store, folder) = fresh();
    let world = World::new(&store, 100).await;
    let db = &mut raw(folder.path());
    fill(db, &world);
    let id = |state: &str| {
        let sql = "SELECT id FROM generations WHERE state = ?1 ORDER BY id DESC LIMIT 1";
        db.query_row(sql, [state], |row| row.get(0).map(GenerationId))
            .unwrap()
    };
    let (queued, made) = (id("queued"), id("completed"));
    let mut change = db
        .prepare(
            "INSERT INTO changes (at, actor, action, account, object, details) VALUES (0, 'cli', ?1, ?2, 'o', '{}')",
        )
        .unwrap();
    for (action, times) in [("user.join", 3), ("key.update", ROWS)] {
        for _ in 0..times {
            change.execute(params![action, world.account.0]).unwrap();
        }
    }
    drop(change);
    let mut long = Vec::new();
    macro_rules! hot {
        ($work:expr) => {{
            let (result, found) = too_long(db, $work);
            long.extend(found);
            result.unwrap()
        }};
    }
    let place = hot!(|db| places::queue_place(db, world.account, queued)).unwrap();
    assert_eq!((place.ahead, place.more), (100, true));
    hot!(places::recent_runs);
    let mark = Some(at(3));
    assert_eq!(
        hot!(|db| favourites::set_favourite(db, world.account, made, mark)),
        crate::Marked::Marked
    );
    let known = hot!(|db| favourites::favourites(db, world.account, &[made, queued]));
    assert_eq!(known, [made].into());
    let page = PageRequest {
        limit: 8,
        before: None,
    };
    let filter = GenerationFilter {
        favourite: true,
        ..GenerationFilter::default()
    };
    let listed = hot!(|db| read::generations(db, world.account, &filter, &page));
    assert_eq!((listed.items.len(), listed.total), (1, 1));
    for account in [None, Some(world.account)] {
        let found = hot!(|db| changes::of_kind(db, "user", account, None, 8));
        assert_eq!(found.len(), 3);
    }
    let steps = |said: &String| said.split(' ').next().unwrap().parse::<i32>().unwrap();
    assert!(long.iter().all(|said| steps(said) < BOUNDED_STEPS), "{long:#?}");
}

#[tokio::test]
async fn every_list_goes_to_its_page_directly() {
    let (store, folder) = fresh();
    let world = World::new(&store, 100).await;
    let db = &mut raw(folder.path());
    fill(db, &world);
    let page = PageRequest {
        limit: 8,
        before: None,
    };
    for filter in filters() {
        let (found, long) = too_long(db, |db| read::generations(db, world.account, &filter, &page));
        let has_some = filter.status != Some(Status::Failed);
        assert_eq!(
            found.unwrap().items.len(),
            if has_some { 8 } else { 0 },
            "{filter:?}"
        );
        // Only the count of what has not ended walks through an account's own generations, in its index alone.
        let counts = |statement: &String| statement.contains("count(*)");
        assert!(long.iter().all(counts), "{filter:?}: {long:#?}");
        for part in parts(&filter) {
            let plan = plan(db, &read::list(part, &filter));
            let by = match (filter.status, &filter.model, filter.kind) {
                (Some(Status::Processing), ..) | (_, None, None) => "",
                (None, ..) if part.condition == "g.ended_at IS NULL" => "",
                (_, Some(_), _) => " AND model=?",
                (_, None, Some(_)) => " AND kind=?",
            };
            let past = if filter.oldest_first { ">" } else { "<" };
            let wanted = format!(
                "SEARCH g USING INDEX {} (account=?{by} AND id{past}?)",
                part.index
            );
            assert_eq!(plan, [wanted], "{filter:?}");
        }
    }
    assert_eq!(
        plan(
            db,
            "SELECT count(*) FROM generations INDEXED BY generations_unfinished_by_account
             WHERE ended_at IS NULL AND account = ?1 AND (?2 IS NULL OR model = ?2) AND (?3 IS NULL OR kind = ?3)"
        ),
        ["SEARCH generations USING COVERING INDEX generations_unfinished_by_account (account=?)"]
    );
}

#[tokio::test]
async fn the_owners_of_a_file_are_found_without_a_walk_through_other_files() {
    let (store, folder) = fresh();
    let world = World::new(&store, 100).await;
    let db = &mut raw(folder.path());
    fill(db, &world);
    db.execute_batch(
        "UPDATE accounts SET private_media = 1;
         INSERT INTO file_uses (holder, file, kind, at)
         SELECT id, printf('%064d.png', row_number() OVER ()), 'output', 0 FROM generations;
         INSERT INTO file_uses (holder, file, kind, at)
         SELECT account, printf('%064d.png', 1000000 + row_number() OVER ()), 'upload', 0 FROM generations;",
    )
    .unwrap();
    for number in [7, 1_000_007] {
        let file = format!("{number:064}.png").parse().unwrap();
        let (is_private, long) = too_long(db, |db| private::is_private(db, &file));
        assert_eq!((is_private.unwrap(), long), (true, Vec::new()));
        let (is_own, long) = too_long(db, |db| private::is_file_of(db, &file, world.account));
        assert_eq!((is_own.unwrap(), long), (true, Vec::new()));
    }
}

#[tokio::test]
async fn the_total_of_a_list_does_not_grow_with_the_days_that_it_covers() {
    let (store, folder) = fresh();
    let world = World::new(&store, 100).await;
    let db = &mut raw(folder.path());
    db.execute(
        "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 29999)
         INSERT INTO usage SELECT ?1, i / 90, 'model ' || (i % 90), 'completed', 'image', 2, 0, 1, 0 FROM n",
        [world.account.0],
    )
    .unwrap();
    for (model, total) in [(None, 30_000), (Some("model 7"), 334)] {
        let filter = GenerationFilter {
            model: model.map(str::to_owned),
            ..GenerationFilter::default()
        };
        let page = PageRequest {
            limit: 20,
            before: None,
        };
        let (listed, long) = too_long(db, |db| read::generations(db, world.account, &filter, &page));
        assert_eq!((listed.unwrap().total, long), (total, Vec::new()), "{model:?}");
    }
    let count = plan(db, collections::COUNT);
    assert!(
        !count.iter().any(|step| step.contains("generations")),
        "{count:?}"
    );
}

/// The steps of SQLite's plan for a statement.
fn plan(db: &Connection, sql: &str) -> Vec<String> {
    let mut explain = db.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
    let steps = explain
        .raw_query()
        .mapped(|row| row.get(3))
        .collect::<rusqlite::Result<_>>();
    steps.unwrap()
}

#[test]
fn a_read_that_takes_too_long_is_given_up_and_its_connection_reads_on() {
    const ENDLESS: &str =
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n";
    let (_store, folder) = fresh();
    let readers = Readers::new(folder.path().join("store.db"), 1, 1).unwrap();
    let one =
        |sql: &'static str| move |db: &Connection| Ok(db.query_row(sql, [], |row| row.get::<_, i64>(0))?);
    let endless = readers.limited(Duration::from_millis(20), one(ENDLESS));
    assert!(matches!(endless, Err(StoreError::Busy)), "{endless:?}");
    assert_eq!(readers.read(one("SELECT count(*) FROM accounts")).unwrap(), 0);
}

#[tokio::test]
async fn no_statement_is_prepared_again_for_other_values() {
    let (store, folder) = fresh();
    let world = World::new(&store, 100).await;
    let db = &mut raw(folder.path());
    let turns = Turns::default();
    let again = Arc::new(Mutex::new(Vec::new()));
    let found = Arc::clone(&again);
    db.trace_v2(
        TraceEventCodes::SQLITE_TRACE_PROFILE,
        Some(move |event: TraceEvent<'_>| {
            if let TraceEvent::Profile(statement, _) = event
                && statement.get_status(StatementStatus::RePrepare) > 0
            {
                found.lock().unwrap().push(statement.sql().into_owned());
            }
        }),
    )
    .unwrap();
    for round in 1..4 {
        let mut request = world::accept(generation(world.account, 1));
        request.generation.webhook_url = Some("https://hooks.example.com".to_owned());
        request.idempotency = Some(crate::Idempotency {
            key: round.to_string(),
            body_hash: [1; 32],
            valid_since: START,
        });
        accept::accept(db, &accept::Prepared::new(request).unwrap()).unwrap();
        accounts::caller(db, &world.key.hash).unwrap().unwrap();
        accounts::caller(db, &[0; 32]).unwrap();
        let held = work::claim(db, &world::claim(world.worker, 8, at(round)), &turns)
            .unwrap()
            .remove(0);
        work::heartbeat(
            db,
            &[crate::Beat {
                id: held.id,
                epoch: held.epoch,
                progress: 0.5,
            }],
            at(90),
        )
        .unwrap();
        read::overdue(db, at(round), 3, 8).unwrap();
        work::requeue_lost(db, at(round), 3, 8).unwrap();
        finish::finish(db, &world::finish(&held, completed(&held, 1), at(round))).unwrap();
        read::generation(db, world.account, held.id).unwrap().unwrap();
        let claimed = deliveries::claim(db, &claim_deliveries(world.worker, 8, 4, at(round)))
            .unwrap()
            .remove(0);
        deliveries::record_attempt(db, &record(&claimed, NextAttempt::Delivered, at(round))).unwrap();
        deliveries::next_due(db, at(round)).unwrap();
    }
    let again = again.lock().unwrap();
    assert!(again.is_empty(), "{again:#?}");
}

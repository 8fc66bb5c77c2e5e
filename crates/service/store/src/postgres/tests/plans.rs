//! Lists and claims read their indexes, however full the store is. The server says so itself.

use std::sync::Arc;

use super::{
    super::{
        Options, PostgresStore, changes, claims, collections, limits, places, read, recording, write::fenced,
    },
    fresh, raw, with,
};
use crate::{
    GenerationFilter, Store,
    conformance::world::World,
    lists::{FAVOURITES, parts, tests::filters},
};

/// Mostly completed generations, and some of every other kind: half of them of one account, the others of 400.
async fn full() -> Option<(World, String)> {
    let (store, url) = fresh().await?;
    let world = World::new(&store, 100).await;
    let owner = world.account;
    raw(
        &url,
        &format!("INSERT INTO accounts (id, name, beta, available, held, signing_secret, generation_tat, created_at)
         SELECT gen_random_uuid(), n, false, 0, 0, 's', 0, 0 FROM generate_series(1, 400) n;
         INSERT INTO generations (id, account, state, epoch, attempt, lane, run_at, deadline, hold, progress,
                                  created_at, model, kind, params, ended_at)
         SELECT gen_random_uuid(), CASE WHEN n <= 20000 THEN '{owner}' ELSE a.ids[1 + n % 401] END,
                s.state, 1, 1, 'echo', n, n, 0, 0, n,
                CASE WHEN n % 3 = 0 THEN 'm' ELSE 'other' END, CASE WHEN n % 2 = 0 THEN 'image' ELSE 'audio' END,
                '{{}}', CASE WHEN s.state <> 'queued' THEN n END
         FROM generate_series(1, 40000) n, (SELECT array_agg(id) AS ids FROM accounts) a,
              LATERAL (SELECT CASE WHEN n % 10 = 0 THEN 'failed' WHEN n % 10 = 1 THEN 'queued'
                                   ELSE 'completed' END AS state) s;
         ANALYZE generations"),
    );
    Some((world, url))
}

/// The plan for a statement, whose parameters become these texts.
fn plan(url: &str, sql: &str, parameters: &[&str]) -> String {
    raw(url, &format!("EXPLAIN {}", with(sql, parameters)))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_list_goes_to_its_page_directly() {
    let Some((world, url)) = full().await else { return };
    let account = format!("'{}'", world.account);
    for filter in filters() {
        let mut by = Vec::new();
        by.extend(filter.model.is_some().then_some("'m'"));
        by.extend(filter.kind.is_some().then_some("'image'"));
        let (start, scan) = if filter.oldest_first {
            ("'00000000-0000-0000-0000-000000000000'", "Index Scan")
        } else {
            ("'ffffffff-ffff-ffff-ffff-ffffffffffff'", "Index Scan Backward")
        };
        let mut parameters = vec![account.as_str(), start, "21"];
        parameters.extend(by);
        for part in parts(&filter) {
            let plan = plan(&url, &read::list(part, &filter), &parameters);
            let directly = format!("{scan} using {} ", part.index);
            assert!(plan.contains(&directly), "{filter:?}: {plan}");
            assert!(!plan.contains("Sort"), "{filter:?}: {plan}");
            assert!(!plan.contains("Seq Scan"), "{filter:?}: {plan}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_claim_seeks_the_accounts_whose_turn_it_is() {
    let Some((_world, url)) = full().await else { return };
    let some = "'00000000-0000-0000-0000-000000000001'::uuid";
    let (ids, times) = (format!("ARRAY[{some}, {some}]"), "ARRAY[0::bigint, 40000]");
    let parameters = ["'echo'", "50000", &ids, "12", "1000", times, &ids];
    let turn = plan(&url, claims::TURN, &parameters);
    for (index, times) in [
        ("generations_queued_by_account", 1),
        ("generations_open", 1),
        ("accounts_pkey", 1),
        ("plans_pkey", 1),
    ] {
        assert_eq!(turn.matches(&format!("using {index}")).count(), times, "{turn}");
    }
    let parameters = ["'echo'", "50000", "8", some, "60000", &ids, "ARRAY[4, 4]", times];
    let take = plan(&url, claims::TAKE, &parameters);
    assert!(take.contains("using generations_queued_by_account"), "{take}");
    for plan in [turn, take] {
        assert!(!plan.contains("Seq Scan"), "{plan}");
    }
}

/// The plan that a connection makes of a statement of each job, and uses for as long as it lives.
fn kept_plan(url: &str, sql: &str, parameters: usize) -> String {
    raw(
        url,
        &format!(
            "{}; PREPARE kept AS {sql}; EXPLAIN EXECUTE kept({})",
            fenced!("plan").begin_hot(),
            vec!["NULL"; parameters].join(", ")
        ),
    )
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_record_of_attempts_finds_deliveries_by_their_ids_although_there_are_none_yet() {
    let Some((_store, url)) = fresh().await else {
        return;
    };
    let plan = kept_plan(&url, recording::RECORD, 10);
    assert!(plan.contains("Index Scan using deliveries_pkey"), "{plan}");
    assert!(!plan.contains("deliveries_by_account"), "{plan}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_waits_and_runs_of_an_account_is_counted_alone_although_few_did_when_that_was_planned() {
    let Some((_world, url)) = full().await else { return };
    raw(
        &url,
        "DELETE FROM generations WHERE state = 'queued' AND created_at % 1000 <> 1; ANALYZE generations",
    );
    let by_state_and_account = |plan: &str| {
        let entries = plan.split_once("Scan using generations_open").expect(plan).1;
        let condition = entries.lines().find(|line| line.contains("Cond:")).unwrap();
        assert!(
            condition.contains("state = ") && condition.contains("account = "),
            "{plan}"
        );
    };
    by_state_and_account(&kept_plan(&url, limits::COUNT, 2));
    by_state_and_account(&kept_plan(&url, claims::TURN, 7));
    // If nearly all has ended, every index of what has not looks empty.
    raw(
        &url,
        "UPDATE generations SET state = 'failed', ended_at = 1; ANALYZE generations",
    );
    by_state_and_account(&kept_plan(&url, limits::COUNT, 2));
    by_state_and_account(&kept_plan(&url, claims::TURN, 7));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_pages_show_of_a_long_queue_and_a_long_history_is_read_directly() {
    let Some((world, url)) = full().await else { return };
    let account = format!("'{}'::uuid", world.account);
    raw(
        &url,
        &format!(
            "UPDATE generations SET favourite_at = 1
         WHERE account = {account} AND state = 'completed' AND created_at < 900;
         INSERT INTO changes (at, actor, action, account, object, details)
         SELECT 0, 'cli', CASE WHEN n % 100 = 0 THEN 'user.join' ELSE 'key.update' END, {account}, 'o', '{{}}'
         FROM generate_series(1, 20000) n;
         ANALYZE generations; ANALYZE changes"
        ),
    );
    let direct = |sql: &str, parameters: &[&str], index: &str, times: usize| {
        let plan = plan(&url, sql, parameters);
        assert_eq!(plan.matches(index).count(), times, "{plan}");
        assert!(!plan.contains("Seq Scan"), "{plan}");
        plan
    };
    let (queued, one) = (
        "generations_queued_by_account",
        "'00000000-0000-0000-0000-000000000001'::uuid",
    );
    direct(places::OWN, &[one, &account, "101", "200"], queued, 1);
    direct(
        places::OTHERS,
        &["'echo'", "7", "900", one, &account, "100", "100", "7"],
        queued,
        2,
    );
    let count = plan(&url, collections::COUNT, &[one, &account]);
    assert!(!count.contains("generations"), "{count}");
    let last = "'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid";
    let newest = direct(places::NEWEST, &[last, "300"], "generations_pkey", 1);
    assert!(!newest.contains("Sort"), "{newest}");
    let filter = GenerationFilter {
        favourite: true,
        ..GenerationFilter::default()
    };
    let list = read::list(FAVOURITES, &filter);
    direct(
        &list,
        &[&account, last, "21"],
        "Index Scan Backward using generations_favourite",
        1,
    );
    for (sql, index) in changes::BY_KIND
        .into_iter()
        .zip(["changes_by_kind", "changes_by_account_and_kind"])
    {
        let plan = direct(sql, &["'user'", "9000", "51", &account], index, 1);
        assert!(!plan.contains("Sort"), "{plan}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_each_request_reads_first_is_planned_once_for_each_connection() {
    let Some(server) = atelier_testkit::postgres() else {
        return;
    };
    let options = Options {
        connections: 1,
        ..Options::new(server.schema().parse().unwrap())
    };
    let store = Arc::new(PostgresStore::open(options).await.unwrap());
    let shared: Arc<dyn Store> = store.clone();
    let world = World::new(&shared, 0).await;
    for _ in 0..10 {
        assert!(store.caller(&world.key.hash).await.unwrap().is_some());
        assert!(store.account(world.account).await.unwrap().is_some());
    }
    let connection = store.inner.connection().await.unwrap();
    let counts = "SELECT generic_plans, custom_plans FROM pg_prepared_statements
                  WHERE statement LIKE 'SELECT a.id%' AND statement LIKE '%= ANY($1)%'";
    let counts = connection.db().query(counts, &[]).await.unwrap();
    let counts: Vec<(i64, i64)> = counts.iter().map(|row| (row.get(0), row.get(1))).collect();
    // When a statement is prepared, it is sent after the end of its transaction.
    assert_eq!(counts, [(9, 1), (9, 1)]);
}

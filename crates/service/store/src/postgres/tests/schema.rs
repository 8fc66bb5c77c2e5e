//! The schema and what it forbids; and texts that PostgreSQL does not store.

use std::time::Duration;

use super::{
    super::{Options, PostgresStore, schema},
    fresh, open, raw,
};
use crate::{
    AccountChange, NextAttempt, StoreError,
    conformance::world::{World, account, at, change, key, record},
    sqlite,
};

#[test]
fn migrations_have_the_same_numbers_in_both_stores() {
    let numbers: Vec<i64> = schema::MIGRATIONS.iter().map(|(number, _)| *number).collect();
    assert!(numbers.is_sorted_by(|one, next| one + 1 == *next), "{numbers:?}");
    assert_eq!(schema::known(), sqlite::known_schema());
}

#[tokio::test]
async fn a_newer_database_is_refused_and_left_alone() {
    let Some((store, url)) = fresh().await else {
        return;
    };
    store.close().await.unwrap();
    raw(&url, "UPDATE atelier_schema SET version = version + 1");
    let error = PostgresStore::open(Options::new(url.parse().unwrap()))
        .await
        .unwrap_err();
    assert!(
        matches!(error, StoreError::TooNew { found, known } if found == known + 1),
        "{error}"
    );
    assert_eq!(
        raw(&url, "SELECT version FROM atelier_schema").trim(),
        (schema::known() + 1).to_string()
    );
}

#[tokio::test]
async fn an_older_database_gets_the_migrations_it_lacks() {
    let Some(postgres) = atelier_testkit::postgres() else {
        return;
    };
    let url = postgres.schema();
    let (oldest, sql) = schema::MIGRATIONS[0];
    let account = "00000000-0000-7000-8000-000000000001";
    let invitation = "00000000-0000-7000-8000-000000000002";
    raw(&url, sql);
    raw(
        &url,
        &format!(
            "UPDATE atelier_schema SET version = {oldest};
             INSERT INTO accounts VALUES ('{account}', 'ada', true, NULL, NULL, 0, 0, 's', NULL, NULL, NULL, 0, 0);
             INSERT INTO invitations VALUES (decode(repeat('07', 32), 'hex'), '{invitation}', 'member', '{account}', 0,
             99,
                                             NULL);"
        ),
    );
    let store = open(&url).await;
    let found = store.invitation(&[7; 32]).await.unwrap().unwrap();
    assert_eq!((found.id.to_string().as_str(), found.inviter), (invitation, None));
    assert!(found.is_open(atelier_domain::Timestamp(98)));
    assert!(store.password_reset(&[7; 32]).await.unwrap().is_none());
    let version = raw(&url, "SELECT version FROM atelier_schema");
    assert_eq!(version.trim(), schema::known().to_string());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_schema_waits_for_its_own_migrations_and_for_those_of_no_other() {
    let Some(postgres) = atelier_testkit::postgres() else {
        return;
    };
    let (migrating, other) = (postgres.schema(), postgres.schema());
    let lock = format!(
        "SELECT pg_advisory_xact_lock({}, hashtext(current_schema()))",
        schema::locks::MIGRATE
    );
    // Until a schema with this name is there, a minute at most.
    let held = format!(
        "BEGIN; {lock}; DO $$ BEGIN FOR n IN 1..1200 LOOP
             EXIT WHEN EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = current_schema() || '_go');
             PERFORM pg_sleep(0.05); END LOOP; END $$; COMMIT"
    );
    let locked = std::thread::spawn({
        let url = migrating.clone();
        move || raw(&url, &held)
    });
    let taken = format!(
        "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid = {}
         AND objid::bigint = hashtext(current_schema())::bigint & 4294967295",
        schema::locks::MIGRATE
    );
    while raw(&migrating, &taken).trim() == "0" {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    open(&other).await.close().await.unwrap();
    assert!(!locked.is_finished(), "it waited for another schema");
    let opened = open(&migrating);
    tokio::pin!(opened);
    let early = tokio::time::timeout(Duration::from_secs(1), &mut opened).await;
    assert!(early.is_err(), "it did not wait");
    raw(
        &migrating,
        "DO $$ BEGIN EXECUTE format('CREATE SCHEMA %I', current_schema() || '_go'); END $$",
    );
    opened.await.close().await.unwrap();
    locked.join().unwrap();
}

#[tokio::test]
async fn another_programs_database_is_refused() {
    let Some(postgres) = atelier_testkit::postgres() else {
        return;
    };
    let url = postgres.schema();
    raw(&url, "CREATE TABLE theirs (x integer)");
    let error = PostgresStore::open(Options::new(url.parse().unwrap()))
        .await
        .unwrap_err();
    assert!(error.to_string().contains("tables of another program"), "{error}");
}

#[tokio::test]
async fn the_ledger_and_the_record_of_changes_can_neither_be_changed_nor_deleted_from() {
    let Some((store, url)) = fresh().await else {
        return;
    };
    World::new(&store, 5).await;
    for (table, said) in [("entries", "the ledger"), ("changes", "the record of changes")] {
        for sql in [
            format!("UPDATE {table} SET at = 0"),
            format!("DELETE FROM {table}"),
            format!("TRUNCATE {table} CASCADE"),
        ] {
            let block = format!(
                "DO $$ BEGIN {sql}; RAISE 'it was done'; EXCEPTION WHEN raise_exception THEN
                     CREATE TEMP TABLE IF NOT EXISTS said (text text); INSERT INTO said VALUES (sqlerrm); END $$;
                 SELECT text FROM said"
            );
            assert_eq!(
                raw(&url, &block).trim(),
                format!("{said} is append-only"),
                "{sql}"
            );
        }
    }
}

#[tokio::test]
async fn a_zero_character_in_a_text_is_kept_as_another_and_stops_nothing() {
    let Some((store, _)) = fresh().await else {
        return;
    };
    let world = World::new(&store, 100).await;
    let mut odd = account("grace", 1);
    odd.name = "zero\0name".to_owned();
    let new = crate::NewAccount {
        key: key(odd.id),
        account: odd.clone(),
    };
    store.create_account(new, change()).await.unwrap();
    let found = store.account(odd.id).await.unwrap().unwrap();
    assert_eq!(found.name, "zero\u{FFFD}name");
    assert_eq!(store.account_by_name("no\0body").await.unwrap(), None);
    // A prompt is JSON, which escapes it.
    let mut sent = crate::conformance::world::generation(world.account, 1);
    sent.params.insert("prompt".to_owned(), serde_json::json!("a\0b"));
    sent.webhook_url = Some("https://hooks.example.com/in".to_owned());
    world.accept(sent.clone()).await;
    assert_eq!(world.get(sent.id).await.params, sent.params);
    let claimed = world.claimed(at(1)).await;
    world.fail(&claimed, at(2)).await;
    // A webhook's receiver may answer anything.
    let sending = world.claim_deliveries(1, 1, at(2)).await.remove(0);
    let mut attempt = record(&sending, NextAttempt::GivenUp, at(3));
    attempt.attempt.response = Some("\0\0".to_owned());
    assert!(store.record_attempt(attempt).await.unwrap());
    let made = store.deliveries(sent.id).await.unwrap().remove(0).1.remove(0);
    assert_eq!(made.response.as_deref(), Some("\u{FFFD}\u{FFFD}"));
    world.audited().await;
}

#[tokio::test]
async fn a_change_that_names_nothing_changes_nothing_and_a_second_store_sees_what_the_first_wrote() {
    let Some((store, url)) = fresh().await else {
        return;
    };
    let world = World::new(&store, 7).await;
    let same = store
        .update_account(world.account, AccountChange::default(), change())
        .await
        .unwrap();
    let other = open(&url).await;
    assert_eq!(other.account(world.account).await.unwrap(), same);
    other.close().await.unwrap();
}

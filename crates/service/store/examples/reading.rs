//! Measures the reads of the account area with 100,000 generations in the store: fills a store and prints
//! milliseconds per read. `cargo run --release -p atelier-store --example reading [GENERATIONS]`.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "an example that measures"
)]

use std::{sync::Arc, time::Instant};

use atelier_domain::{AccountId, DeliveryState, GenerationId, MediaKind, Status};
use atelier_store::{
    Created, DeliveryFilter, GenerationFilter, NewAccount, PageRequest, Store,
    conformance::world::{START, account, change, id, key},
    sqlite::{Options, SqliteStore},
};
use rusqlite::{Connection, params};

const DAY: i64 = 86_400_000_000;

#[tokio::main]
async fn main() {
    let rows: u32 = std::env::args()
        .nth(1)
        .map_or(100_000, |text| text.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("db");
    let store: Arc<dyn Store> = Arc::new(SqliteStore::open(Options::new(&path)).unwrap());
    let owner = account("ada", 1_000_000_000);
    let owner_id = owner.id;
    let new = NewAccount {
        key: key(owner.id),
        account: owner,
    };
    assert_eq!(
        store.create_account(new, change()).await.unwrap(),
        Created::Created
    );
    let some = fill(&Connection::open(&path).unwrap(), owner_id, rows);
    println!(
        "{rows} generations, {} ledger entries, {} deliveries",
        2 * rows + 1,
        rows / 2
    );
    reads(&*store, owner_id, some).await;
    store.close().await.unwrap();
}

/// Fills the store directly, which is much faster than through its methods; returns the id of a generation.
fn fill(db: &Connection, account: AccountId, rows: u32) -> GenerationId {
    let mut some = id();
    db.execute_batch("PRAGMA foreign_keys = OFF; BEGIN").unwrap();
    for number in 0..rows {
        let id = id();
        if number == rows / 2 {
            some = id;
        }
        let at = START.0 + i64::from(number) * 365 * DAY / i64::from(rows);
        let (state, failure) = match number % 50 {
            0 => ("failed", Some(r#"{"code":"invalid_input","message":"no"}"#)),
            _ => ("completed", None),
        };
        let charge = failure.is_none().then_some(4);
        let kind = if number % 1_000 == 0 { "video" } else { "image" };
        let model = format!("{kind}-model-{}", number % 20);
        db.prepare_cached(
            "INSERT INTO generations (id, account, state, epoch, attempt, lane, run_at, deadline, hold, progress,
                                      created_at, started_at, model, kind, params, output, failure, charged, worker,
                                      lease_until)
             VALUES (?1, ?2, 'running', 1, 1, 'echo', ?3, ?3, 4, 1, ?3, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?2, ?3)",
        )
        .unwrap()
        .execute(params![
            id,
            account.0,
            at,
            model,
            kind,
            r#"{"prompt":"a lighthouse on a cliff at dusk, watercolor","resolution":"1K","n":1}"#,
            failure.is_none().then_some(r#"{"assets":[]}"#),
            failure,
            charge,
        ])
        .unwrap();
        // By an update, as in a real store, so that the day is counted.
        db.prepare_cached(
            "UPDATE generations SET state = ?2, ended_at = ?3, worker = NULL, lease_until = NULL WHERE id = ?1",
        )
        .unwrap()
        .execute(params![id, state, at])
        .unwrap();
        let mut entry = db
            .prepare_cached(
                "INSERT INTO entries (account, generation, kind, issued, available, held, spent, at)
                 VALUES (?1, ?2, ?3, 0, ?4, ?5, ?6, ?7)",
            )
            .unwrap();
        entry
            .execute(params![account.0, id, "hold", -4, 4, 0, at])
            .unwrap();
        let end = if failure.is_none() {
            ("settle", 0, 4)
        } else {
            ("release", 4, 0)
        };
        entry
            .execute(params![account.0, id, end.0, end.1, -4, end.2, at])
            .unwrap();
        if number % 2 == 0 {
            db.prepare_cached(
                "INSERT INTO deliveries (id, generation, account, state, epoch, attempts, due_at, created_at,
                                         ended_at, event, host, url, body)
                 VALUES (?1, ?2, ?3, ?4, 1, 1, ?5, ?5, ?5, 'generation.' || ?6, 'h:443', 'https://h/', zeroblob(900))",
            )
            .unwrap()
            .execute(params![
                crate::id(),
                id,
                account.0,
                if number % 100 == 0 { "failed" } else { "delivered" },
                at,
                state
            ])
            .unwrap();
        }
    }
    db.execute_batch("COMMIT").unwrap();
    GenerationId(some)
}

async fn reads(store: &dyn Store, owner: AccountId, some: GenerationId) {
    let today = (START.0 + 365 * DAY) / DAY;
    macro_rules! time {
        ($what:literal, $read:expr) => {{
            let mut best = f64::INFINITY;
            let mut worst = 0.0_f64;
            for _ in 0..5 {
                let begun = Instant::now();
                std::hint::black_box($read.await.unwrap());
                let took = begun.elapsed().as_secs_f64() * 1_000.0;
                (best, worst) = (best.min(took), worst.max(took));
            }
            println!("{:44} {best:8.2} to {worst:8.2} ms", $what);
        }};
    }
    let page = || PageRequest {
        limit: 24,
        before: None,
    };
    let every = GenerationFilter::default;
    let failed = || GenerationFilter {
        status: Some(Status::Failed),
        ..every()
    };
    let video = || GenerationFilter {
        kind: Some(MediaKind::Video),
        ..every()
    };
    let model = || GenerationFilter {
        model: Some("image-model-7".to_owned()),
        status: Some(Status::Completed),
        ..every()
    };
    let deep = || PageRequest {
        limit: 24,
        before: Some(some),
    };
    time!("generations", store.generations(owner, every(), page()));
    time!(
        "generations, from the middle",
        store.generations(owner, every(), deep())
    );
    time!(
        "generations that failed",
        store.generations(owner, failed(), page())
    );
    time!(
        "generations of a rare kind",
        store.generations(owner, video(), page())
    );
    time!(
        "generations of one model, completed",
        store.generations(owner, model(), page())
    );
    time!(
        "one generation with everything",
        store.generation_detail(owner, some)
    );
    time!("usage of 30 days", store.usage(Some(owner), (today - 30, today)));
    time!(
        "usage of 366 days",
        store.usage(Some(owner), (today - 366, today))
    );
    time!(
        "usage of 30 days, all accounts",
        store.usage(None, (today - 30, today))
    );
    time!("ledger, first page", store.ledger_page(owner, None, 50));
    let first = store.ledger_page(owner, None, 50).await.unwrap().next;
    time!("ledger, next page", store.ledger_page(owner, first, 50));
    let deliveries = DeliveryFilter::default;
    let failed = || DeliveryFilter {
        state: Some(DeliveryState::Failed),
        ..deliveries()
    };
    time!("deliveries", store.list_deliveries(owner, deliveries(), None, 20));
    time!(
        "deliveries that failed",
        store.list_deliveries(owner, failed(), None, 20)
    );
    time!("queue by model", store.queue());
    time!("storage", store.storage());
    time!("record of changes", store.changes(None, None, 50));
}

//! PgBouncer between a node and its server.

use std::sync::Arc;

use atelier_testkit::{Pooler, own_postgres};

use super::super::{Options, PostgresStore};
use crate::{Result, Store, conformance::world::World};

async fn opened(url: &str) -> Result<PostgresStore> {
    PostgresStore::open(Options::new(url.parse().unwrap())).await
}

#[tokio::test]
async fn a_pooler_of_sessions_works() {
    let Some(postgres) = own_postgres() else { return };
    let Some(pooler) = Pooler::start(&postgres, "session") else {
        return;
    };
    let store: Arc<dyn Store> = Arc::new(opened(&pooler.url()).await.unwrap());
    let world = World::new(&store, 10).await;
    let found = store.account(world.account).await.unwrap().unwrap();
    assert_eq!((found.name.as_str(), found.available), ("ada", 10));
    store.close().await.unwrap();
}

#[tokio::test]
async fn a_pooler_of_transactions_is_refused_with_what_to_do() {
    let Some(postgres) = own_postgres() else { return };
    let Some(pooler) = Pooler::start(&postgres, "transaction") else {
        return;
    };
    let refused = opened(&pooler.url()).await.unwrap_err().to_string();
    let why = "a pooler in between does not keep sessions: set its `pool_mode` to `session`, or connect to PostgreSQL \
               itself";
    assert!(refused.ends_with(why), "{refused}");
    // Nothing was written.
    assert_eq!(
        postgres
            .run("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
            .trim(),
        "0"
    );
}

//! The store of several nodes against the suite, and the tests of this store alone.

mod audit;
mod ended;
mod locked;
mod lost_claim;
mod nodes;
mod plans;
mod pooler;
mod rates;
mod schema;
mod silence;

use std::sync::Arc;

use atelier_testkit::Postgres;

use super::{Options, PostgresStore, RateClock};
use crate::{Store, model::Ground};

/// An empty store in a schema of its own.
async fn fresh() -> Option<(Arc<dyn Store>, String)> {
    let url = atelier_testkit::postgres()?.schema();
    Some((open(&url).await, url))
}

/// Runs the statements at this URL.
fn raw(url: &str, sql: &str) -> String {
    let schema = url.rsplit("%3D").next().unwrap();
    let server = atelier_testkit::postgres().unwrap();
    server.run(&format!("SET search_path = {schema}; {sql}"))
}

/// The statement with these texts in place of its parameters.
fn with(sql: &str, parameters: &[&str]) -> String {
    let numbered = parameters.iter().enumerate().rev();
    numbered.fold(sql.to_owned(), |sql, (index, parameter)| {
        sql.replace(&format!("${}", index + 1), parameter)
    })
}

async fn open(url: &str) -> Arc<dyn Store> {
    open_with(url, RateClock::Caller).await
}

async fn open_with(url: &str, rate_clock: RateClock) -> Arc<dyn Store> {
    let options = Options {
        rate_clock,
        ..Options::new(url.parse().unwrap())
    };
    Arc::new(PostgresStore::open(options).await.unwrap())
}

/// A schema of the server; a crash ends every connection to it, whatever it is doing.
struct Schema {
    server: &'static Postgres,
    url: String,
}

impl Ground for Schema {
    async fn new() -> Self {
        let server = atelier_testkit::postgres().unwrap();
        let place = server.schema();
        // A crash finds its connections by this name.
        let name = place.rsplit("%3D").next().unwrap();
        let url = format!("{place}&application_name={name}");
        Self { server, url }
    }

    async fn open(&self) -> Arc<dyn Store> {
        open(&self.url).await
    }

    async fn crash(&mut self) {
        let name = self.url.rsplit('=').next().unwrap();
        self.server.run(&format!(
            "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE application_name = '{name}'"
        ));
    }
}

#[test]
fn every_life_of_a_store_keeps_its_books() {
    if atelier_testkit::postgres().is_some() {
        crate::model::every_life_of_a_store_keeps_its_books::<Schema>(10);
    }
}

mod conformance {
    use super::fresh;

    crate::conformance_tests!(match fresh().await {
        Some(fresh) => fresh,
        None => return,
    });
}

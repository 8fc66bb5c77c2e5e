//! A primary that dies and a standby that takes its place: what was accepted is there, and is made and charged once.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use atelier_testkit::{Http, own_postgres};
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use crate::setup::{ECHO, World, cheap, until};

/// The price of one job.
const PRICE: i64 = 4;
/// How long acceptance may fail after the promotion.
const RETURNS: Duration = Duration::from_mins(1);

/// Sends jobs one after another until `enough`. Returns the ids of those that were accepted, and the number of the
/// refused ones.
async fn send_jobs(http: &Http, enough: &AtomicBool) -> (Vec<String>, usize) {
    let (mut accepted, mut refused) = (Vec::new(), 0);
    while !enough.load(Ordering::Relaxed) {
        let answer = http.post("/generations", &cheap()).await;
        match answer.status.as_u16() {
            200..=299 => accepted.push(answer.json()["data"]["id"].as_str().unwrap().to_owned()),
            status => {
                let code = answer.code();
                assert_eq!((status, code.as_str()), (503, "unavailable"));
                refused += 1;
                sleep(Duration::from_millis(50)).await;
            }
        }
    }
    (accepted, refused)
}

async fn is_accepted(http: &Http) -> bool {
    http.post("/generations", &cheap()).await.status.is_success()
}

/// The number of jobs with each status.
async fn ends(http: &Http, ids: &[String]) -> (usize, Vec<Value>) {
    let mut completed = 0;
    let mut others = Vec::new();
    for id in ids {
        let job = http.wait(id).await;
        if job["status"] == "completed" && job["credits_charged"] == PRICE {
            completed += 1;
        } else {
            others.push(job);
        }
    }
    (completed, others)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_promoted_standby_has_every_job_that_was_accepted() {
    let Some(primary) = own_postgres() else { return };
    let standby = primary.standby();
    let hosts = format!("{},{}", primary.folder().display(), standby.folder().display());
    let url = format!("postgres:///postgres?host={hosts}&user=atelier&target_session_attrs=read-write");
    let world = World::start(&format!("{ECHO}[store]\nurl = \"{url}\"\nconnections = 8\n"));
    let account = world.account(1_000_000);

    let enough = AtomicBool::new(false);
    let sending = send_jobs(&account.http, &enough);
    let failing_over = async {
        sleep(Duration::from_secs(1)).await;
        primary.kill();
        sleep(Duration::from_millis(500)).await;
        standby.promote();
        let returned = until("jobs are accepted", async || is_accepted(&account.http).await);
        timeout(RETURNS, returned).await.unwrap();
        enough.store(true, Ordering::Relaxed);
    };
    let ((accepted, refused), ()) = tokio::join!(sending, failing_over);

    assert!(accepted.len() > 10 && refused > 0, "{} {refused}", accepted.len());
    let (completed, others) = ends(&account.http, &accepted).await;
    assert_eq!((completed, others), (accepted.len(), Vec::new()));
    let jobs = account.http.get("/generations?limit=1").await.json()["meta"]["total"].clone();
    until("every hold is settled", async || {
        json!(1_000_000 - account.credits().await) == json!(PRICE * jobs.as_i64().unwrap())
    })
    .await;
    world.audit();
    // The commands of the audit need the database, which ends with this test.
    drop(world);
    drop((primary, standby));
}

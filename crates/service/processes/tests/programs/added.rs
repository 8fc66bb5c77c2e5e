//! Programs that come after the others, and what programs write.

use std::time::Duration;

use async_trait::async_trait;
use atelier_processes::{Device, Probe, Refusal, Ticket, scheduler::Residence};
use tokio::time::timeout;

use crate::{
    fixture::{MIB, Test, toy as a_toy, until},
    toy,
};

pub(crate) async fn a_program_that_is_added_later_shares_the_memory_of_the_others() {
    let test = Test::new(|_| vec![a_toy("a", &[])]);
    let a = test.program("a");
    drop(a.admit(true).await.unwrap());
    let device = |name: &str| Device {
        name: name.to_owned(),
        budget: 99 * MIB,
    };
    assert_eq!(
        test.programs.device(device("cpu")),
        0,
        "it is known, with its budget"
    );
    assert_eq!(test.programs.devices()[0].budget, 16 * MIB);
    assert_eq!(test.programs.device(device("gpu")), 1);
    let b = test.programs.add(a_toy("b", &[]));
    assert_eq!(b.state().residence, Residence::Absent);
    let ticket = timeout(Duration::from_secs(10), b.admit(true))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(toy::ask(ticket.port(), "ready").as_deref(), Some("ok"));
    until("the first one has made room", || {
        a.state().residence == Residence::Absent
    })
    .await;
    let names: Vec<_> = test
        .programs
        .states()
        .into_iter()
        .map(|state| state.name)
        .collect();
    assert_eq!(names, ["a", "b"]);
    drop(ticket);
    test.programs.close().await;
}

pub(crate) async fn another_version_of_a_program_serves_the_job_that_waits_for_the_earlier_one() {
    let test = Test::new(|_| vec![a_toy("a", &[])]);
    let a = test.program("a");
    let variable = |ticket: &Ticket| toy::ask(ticket.port(), "environment").unwrap();
    let ticket = a.admit(true).await.unwrap();
    assert!(!variable(&ticket).contains("VERSION"));
    let second = a.admit(true);
    tokio::pin!(second);
    assert!(timeout(Duration::from_millis(50), &mut second).await.is_err());
    let mut newer = a_toy("a", &[]);
    newer.environment.insert("VERSION".to_owned(), "2".to_owned());
    test.programs.renew(newer);
    assert_eq!(
        toy::ask(ticket.port(), "ready").as_deref(),
        Some("ok"),
        "the running job goes on"
    );
    ticket.made();
    let ticket = timeout(Duration::from_secs(10), second).await.unwrap().unwrap();
    assert!(variable(&ticket).contains("VERSION"));
    assert_eq!((a.state().counts.loads, a.state().counts.failures), (2, 0));
    drop(ticket);
    test.programs.close().await;
}

pub(crate) async fn a_job_hears_what_its_program_writes_from_now_on() {
    let test = Test::new(|_| vec![a_toy("a", &[])]);
    let ticket = test.program("a").admit(true).await.unwrap();
    let hears = |text: &str| text.contains("step ");
    let mut earlier = ticket.output();
    toy::ask(ticket.port(), "say").unwrap();
    let heard = timeout(Duration::from_secs(5), earlier.more())
        .await
        .unwrap()
        .unwrap();
    assert!(hears(&heard), "{heard}");
    let mut later = ticket.output();
    let silent = timeout(Duration::from_millis(300), later.more()).await;
    assert!(silent.is_err(), "what was written before is not heard again");
    drop(ticket);
    test.programs.close().await;
}

/// Every program is ready at once, but must not write certain words.
#[derive(Debug)]
struct Dislikes(&'static str);

#[async_trait]
impl Probe for Dislikes {
    async fn ready(&self, port: u16) -> Result<(), String> {
        let answer = tokio::task::spawn_blocking(move || toy::ask(port, "ready")).await;
        answer.unwrap().map(drop).ok_or_else(|| "no answer".to_owned())
    }

    fn unfit(&self, output: &str) -> Option<String> {
        output.contains(self.0).then(|| format!("it said `{}`", self.0))
    }
}

pub(crate) async fn a_program_that_writes_why_it_must_not_serve_is_stopped_before_its_first_job() {
    for loads in ["0", "60000"] {
        let test = Test::new(|_| {
            let mut toy = a_toy("a", &["writes", "10", "loads", loads]);
            toy.probe = Box::new(Dislikes("the last words"));
            vec![toy]
        });
        let a = test.program("a");
        let refused = timeout(Duration::from_secs(10), a.admit(false)).await.unwrap();
        assert_eq!(refused.unwrap_err(), Refusal::NotLoaded);
        let why = a.state().last_failure.unwrap();
        assert!(why.starts_with("it said `the last words`"), "{why}");
        until("it is gone", || a.state().residence == Residence::Absent).await;
        test.programs.close().await;
    }
}

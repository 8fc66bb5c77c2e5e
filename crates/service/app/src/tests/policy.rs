//! Tests of the operator's own check.

use std::time::Duration;

use atelier_domain::{Asset, Failure, FailureCode, FileName, MediaKind, MediaType, Output};
use atelier_testkit::{Receiver, Reply};
use serde_json::json;

use super::{World, ending};
use crate::policy::{Decisions, Policy};

/// Returns the outcome of a job whose check answers like this, and the decisions that are written down about it.
async fn decided(away: &str, reply: Reply) -> (Result<(), Failure>, Vec<(String, String, String)>) {
    let receiver = Receiver::start().await;
    // Only an answer that is to be late may be too late.
    let deadline = if reply.after.is_zero() { 8.0 } else { 0.1 };
    receiver.always(reply);
    let url = receiver.url("/check");
    let rules = format!(
        "[check]\nname = \"own\"\nurl = \"{url}\"\ndeadline_seconds = {deadline:.1}\naway = \"{away}\""
    );
    let policy = Policy::default().with_file("policy.toml", &rules).unwrap();
    let world = World::with_policy(policy.with_check_secret(Some("whsec_c2VjcmV0")).unwrap());
    let operator = world.operator().await;
    let job = ending::job(&world, &operator.caller).await;
    let allowed = world.system.policy_allows(&job).await;
    let decisions = world
        .cli()
        .policy_decisions(Decisions::default(), 10)
        .await
        .unwrap();
    let decisions = decisions.into_iter();
    let decisions = decisions.map(|one| (one.rule, one.stage, one.decision));
    (allowed, decisions.collect())
}

fn written(decision: &str) -> Vec<(String, String, String)> {
    vec![("own".to_owned(), "check".to_owned(), decision.to_owned())]
}

#[tokio::test]
async fn a_check_allows_and_refuses_jobs() {
    let allowed = decided("closed", Reply::json(&json!({ "decision": "allow" }))).await;
    assert_eq!(allowed, (Ok(()), vec![]));
    let refused = |reason: &str| {
        let message = format!("this service's content policy does not allow this job (rule `own`){reason}");
        let failure = Failure::fail(FailureCode::ContentPolicyViolation, message);
        (Err(failure), written("refused"))
    };
    let reply = json!({ "decision": "refuse", "reason": "no castles" });
    assert_eq!(
        decided("open", Reply::json(&reply)).await,
        refused(": no castles")
    );
    let reply = json!({ "decision": "refuse" });
    assert_eq!(decided("open", Reply::json(&reply)).await, refused(""));
}

#[tokio::test]
async fn a_check_that_is_away_is_open_or_closed() {
    let late = Reply::json(&json!({ "decision": "allow" })).after(Duration::from_secs(9));
    for reply in [late, Reply::status(500), Reply::json(&json!("yes"))] {
        let open = decided("open", reply.clone()).await;
        assert_eq!(open, (Ok(()), written("unchecked")), "{reply:?}");
        let (closed, decisions) = decided("closed", reply.clone()).await;
        let closed = closed.unwrap_err();
        assert_eq!(closed.code, FailureCode::GenerationFailed, "{reply:?}");
        assert_eq!(closed.message, "the content policy could not be applied");
        assert!(closed.is_retryable(), "{closed:?}");
        assert_eq!(decisions, [], "{reply:?}");
    }
}

#[tokio::test]
async fn a_check_is_asked_about_results_if_the_file_says_so() {
    let refusal = json!({ "decision": "refuse", "reason": "no boats" });
    for (settings, reply, expected, decisions) in [
        ("", Reply::json(&refusal), Ok(()), vec![]),
        (
            "after = true",
            Reply::json(&json!({ "decision": "allow" })),
            Ok(()),
            vec![],
        ),
        (
            "after = true",
            Reply::json(&refusal),
            Err(Failure::fail(
                FailureCode::ContentPolicyViolation,
                "this service's content policy does not allow the result (rule `own`): no boats",
            )),
            vec!["refused"],
        ),
        (
            "after = true",
            Reply::status(500),
            Err(Failure::retry(
                FailureCode::GenerationFailed,
                "the content policy could not be applied",
                Duration::from_secs(5),
            )
            .resuming()),
            vec![],
        ),
    ] {
        let receiver = Receiver::start().await;
        receiver.always(reply);
        let url = receiver.url("/check");
        let rules = format!("[check]\nname = \"own\"\nurl = \"{url}\"\naway = \"closed\"\n{settings}");
        let policy = Policy::default().with_file("policy.toml", &rules).unwrap();
        let world = World::with_policy(policy.with_check_secret(Some("whsec_c2VjcmV0")).unwrap());
        let operator = world.operator().await;
        let job = ending::job(&world, &operator.caller).await;
        let file = FileName::new(&[7; 32], MediaType::Png);
        let output = Output {
            assets: vec![Asset {
                file: file.clone(),
                kind: MediaKind::Image,
            }],
            ..Output::default()
        };
        assert_eq!(
            world.system.result_is_checked(&job, &output).await,
            expected,
            "{settings}"
        );
        let listed = world
            .cli()
            .policy_decisions(Decisions::default(), 10)
            .await
            .unwrap();
        let listed: Vec<_> = listed.iter().map(|one| (&*one.stage, &*one.decision)).collect();
        assert_eq!(
            listed,
            decisions.iter().map(|one| ("result", *one)).collect::<Vec<_>>()
        );
        let asked = receiver.received();
        assert_eq!(asked.is_empty(), settings.is_empty());
        if let Some(asked) = asked.first() {
            let question = asked.json();
            let asset = json!({ "url": format!("http://localhost/media/{file}"), "type": "image" });
            assert_eq!(question["type"], "policy.check_result");
            assert_eq!(question["result"], json!({ "assets": [asset] }));
        }
    }
}

#[test]
fn a_check_requires_a_secret() {
    let rules = "[check]\nname = \"own\"\nurl = \"https://check.example\"\naway = \"open\"";
    let policy = Policy::default().with_file("policy.toml", rules).unwrap();
    assert_eq!(
        policy.with_check_secret(None).unwrap_err(),
        "the check `own` requires a secret for its signatures; set `[policy] check_secret`"
    );
    Policy::default().with_check_secret(None).unwrap();
}

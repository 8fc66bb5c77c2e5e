//! The content policy of a running service: its file, what it refuses and to whom, and its commands.

use std::{path::Path, time::Duration};

use atelier_testkit::{Http, Receiver, Reply};
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    planned::{self, Plan},
    setup::{Account, ECHO, World},
};

const RULES: &str = r#"
[[rules]]
name = "weapons"
[rules.terms]
en = ["machine gun*"]
de = ["*gewehr*"]
[rules.except]
any = ["machine gun museum"]

[[rules]]
name = "names"
plans = ["trial"]
[rules.terms]
any = ["acmecola"]

[[access]]
name = "pictures-only"
plans = ["trial"]
allow_tasks = ["text-to-image"]

[check]
name = "own-check"
url = "CHECK"
away = "closed"
plans = ["checked"]
"#;

const SECRET: &str = "whsec_b3duIGNoZWNr";

fn picture(prompt: &str) -> Value {
    json!({ "model": "image-gen-4", "prompt": prompt, "resolution": "1K" })
}

/// How a job for this prompt ends: status, code and message.
async fn ended(http: &Http, prompt: &str) -> (Value, Value, Value) {
    let mut job = http.wait(&http.create(&picture(prompt)).await).await;
    let error = job["error"].take();
    (
        job["status"].take(),
        error["code"].clone(),
        error["message"].clone(),
    )
}

fn passed() -> (Value, Value, Value) {
    (json!("completed"), Value::Null, Value::Null)
}

fn refused(words: &str, rule: &str) -> (Value, Value, Value) {
    let message = format!(
        "`prompt` asks for something that this service's content policy does not allow: \"{words}\" (rule `{rule}`)"
    );
    (json!("failed"), json!("content_policy_violation"), json!(message))
}

#[tokio::test]
async fn a_policy_file_refuses_words_and_models_and_says_which_rule_did() {
    let receiver = Receiver::start().await;
    let check = receiver.url("/check");
    let mut world = World::prepare(&format!("{ECHO}\n[policy]\ncheck_secret = \"{SECRET}\""));
    let file = world.server.data().join("policy.toml");
    std::fs::create_dir_all(world.server.data()).unwrap();
    std::fs::write(&file, RULES.replace("CHECK", &check)).unwrap();
    world.server.start();
    let (pro, trial) = (
        world.account(1_000),
        world.account_with(1_000, &["--plan", "trial"]),
    );
    let found = ended(&pro.http, "two M4chine Guns at dawn").await;
    assert_eq!(found, refused("M4chine Guns", "weapons"));
    assert_eq!(
        ended(&pro.http, "a fox at the machine gun museum").await,
        passed()
    );
    assert_eq!(ended(&pro.http, "a can of acmecola").await, passed());
    assert_eq!(
        ended(&trial.http, "a can of a c m e c o l a").await,
        refused("a c m e c o l a", "names")
    );
    assert_eq!(ended(&trial.http, "a fox").await, passed());
    assert_eq!(
        (pro.credits().await, trial.credits().await),
        (992, 996),
        "refusals cost nothing"
    );

    // A model that the plan does not cover makes no job.
    let upscale = json!({ "model": "upscale", "image_urls": ["https://example.com/a.png"] });
    let barred = trial.http.post("/generations", &upscale).await;
    assert_eq!(
        (barred.status.as_u16(), barred.code().as_str()),
        (403, "api_disabled")
    );
    assert_eq!(
        barred.message(),
        "this account may not use the model `upscale`: the policy's rule `pictures-only` allows models for \
         `text-to-image`"
    );

    let checked = the_own_check_decides(&world, &receiver).await;
    decisions_and_report_name_rules(&world, &[&checked.name, &trial.name, &trial.name, &pro.name]);
    the_commands_read_the_same_file(&world, &file);
}

/// The operator's own check is asked about the jobs of the accounts that it names.
async fn the_own_check_decides(world: &World, receiver: &Receiver) -> Account {
    let checked = world.account_with(1_000, &["--plan", "checked"]);
    receiver.reply([
        Reply::json(&json!({ "decision": "allow" })),
        Reply::json(&json!({ "decision": "refuse", "reason": "no castles" })),
    ]);
    assert_eq!(ended(&checked.http, "a fox").await, passed());
    let message = "this service's content policy does not allow this job (rule `own-check`): no castles";
    let refusal = (json!("failed"), json!("content_policy_violation"), json!(message));
    assert_eq!(ended(&checked.http, "a castle").await, refusal);
    let asked = receiver.received();
    assert_eq!(asked.len(), 2, "of all jobs, two were to be checked");
    let question = asked[1].json();
    assert_eq!(question["type"], "policy.check");
    assert_eq!(question["account"], checked.name.as_str());
    assert_eq!(
        (&question["plan"], &question["model"]),
        (&json!("checked"), &json!("image-gen-4"))
    );
    assert_eq!(question["params"]["prompt"], "a castle");
    let webhook = standardwebhooks::Webhook::new(SECRET).unwrap();
    webhook.verify(&asked[1].body, &asked[1].headers).unwrap();
    checked
}

/// Checks that all refusals are written down, newest first, and that the report of the month has all of them.
fn decisions_and_report_name_rules(world: &World, accounts: &[&str]) {
    let decisions = world.server.json(&["policy", "decisions"]);
    let rules: Vec<_> = decisions
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["rule"])
        .collect();
    assert_eq!(rules, ["own-check", "pictures-only", "names", "weapons"]);
    let of: Vec<_> = decisions
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["account"])
        .collect();
    assert_eq!(of, accounts);
    let parts = ["stage", "decision", "model"];
    let of = |at: usize| parts.map(|name| decisions[at][name].as_str().unwrap());
    assert_eq!(of(3), ["prompt", "refused", "image-gen-4"]);
    assert_eq!(of(1), ["request", "barred", "upscale"]);
    assert!(!decisions.to_string().contains("Guns"), "{decisions}");
    let of_rule = world.server.json(&["policy", "decisions", "--rule", "weapons"]);
    assert_eq!(of_rule, json!([decisions[3]]));

    let month = &decisions[0]["at"].as_str().unwrap()[.."2026-11".len()];
    let report = world.server.json(&["report", "--month", month]);
    let ended =
        |outcome: &str, count: u64| json!({ "model": "image-gen-4", "outcome": outcome, "count": count });
    assert_eq!(
        report["ended"],
        json!([ended("completed", 4), ended("content_policy_violation", 3)])
    );
    assert_eq!(
        report["marked"],
        json!([{ "model": "image-gen-4", "engine": "echo", "watermark": "none", "signature": "none", "count": 4 }])
    );
    let rows = [
        ["names", "prompt", "refused"],
        ["own-check", "check", "refused"],
        ["pictures-only", "request", "barred"],
        ["weapons", "prompt", "refused"],
    ];
    let rows = rows.map(|[rule, stage, decision]| {
        let (count, overturned) = (1, 0);
        json!({ "rule": rule, "stage": stage, "decision": decision, "count": count, "overturned": overturned })
    });
    assert_eq!(report["refused"], json!(rows));
    let (_, csv, _) = world.server.command(&["report", "--month", month, "--csv"]);
    assert!(
        csv.contains("ended,image-gen-4,,content_policy_violation,,3\r\n"),
        "{csv}"
    );
}

fn the_commands_read_the_same_file(world: &World, file: &Path) {
    let tested = world
        .server
        .json(&["policy", "test", "Schusswaffe und Sturmgewehre", "--plan", "pro"]);
    let words = json!({ "allowed": false, "action": "refuse", "rule": "weapons", "words": "Sturmgewehre" });
    assert_eq!(tested, words);
    let checked = world.server.json(&["policy", "check"]);
    assert_eq!(checked, json!({ "rules": 3, "terms": 9, "access_rules": 1 }));
    std::fs::write(file, "[[rules]]\nname = \"a\"\nterm = []\n").unwrap();
    let (status, _, said) = world.server.command(&["policy", "check"]);
    assert_eq!(status, 1);
    assert!(
        said.contains("policy.toml:3: `term`: unknown field `term`"),
        "{said}"
    );
}

const REVIEWS: &str = r#"
[review]
hours = 24.0

[[rules]]
name = "look"
action = "review"
[rules.terms]
en = ["castle"]

[[rules]]
name = "never"
[rules.terms]
en = ["dragon"]
"#;

/// A server whose policy has these rules.
fn with_rules(rules: &str) -> World {
    let world = World::prepare(ECHO);
    std::fs::create_dir_all(world.server.data()).unwrap();
    std::fs::write(world.server.data().join("policy.toml"), rules).unwrap();
    world
}

/// Waits until a job says this about its review.
pub(crate) async fn until_waiting(http: &Http, id: &str) -> Value {
    for _ in 0..400 {
        let job = http.get(&format!("/generations/{id}")).await.json()["data"].take();
        assert_eq!(job["status"], "processing", "{job}");
        if job["review"]["state"] == "waiting" {
            return job;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the job {id} does not wait for a review");
}

#[tokio::test]
async fn a_job_waits_for_a_review_through_crashes_and_runs_or_fails_as_it_is_decided() {
    let mut world = with_rules(REVIEWS);
    // The process dies just before and just after it takes the job out of the queue.
    planned::start(&mut world.server, &Plan::calm());
    let account = world.account(1_000);
    for moment in ["before_commit", "after_commit"] {
        world.server.kill();
        let plan = Plan {
            abort_at: format!("hold_for_review.{moment}"),
            time: 1,
            ..Plan::calm()
        };
        planned::start(&mut world.server, &plan);
        // The process may die before it answers.
        for _ in 0..20 {
            let request = account.http.request(Method::POST, "/generations");
            let request = request.header("content-type", "application/json");
            let request = request.header("idempotency-key", moment);
            if request.body(picture("a castle").to_string()).send().await.is_ok() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        let status = world.server.wait_until_ended(Duration::from_secs(30));
        assert!(!status.success(), "{moment} was not reached");
    }
    world.server.start();
    client_notices().await;
    let listed = account.http.get("/generations").await.json();
    let ids = listed["data"].as_array().unwrap().iter().rev();
    let jobs: Vec<_> = ids.map(|job| job["id"].as_str().unwrap().to_owned()).collect();
    assert_eq!(jobs.len(), 2, "{listed}");
    for id in &jobs {
        let job = until_waiting(&account.http, id).await;
        assert!(job["review"]["until"].is_string(), "{job}");
        assert!(job.get("queue").is_none(), "{job}");
    }
    assert_eq!(account.credits().await, 992, "the credits stay held");
    // A job that waits keeps no other from running.
    assert_eq!(ended(&account.http, "a fox").await, passed());
    assert_eq!(
        ended(&account.http, "a dragon in a castle").await,
        refused("dragon", "never")
    );

    decisions_survive_the_end_of_the_process(&mut world, &account, &jobs).await;
    a_cancelled_job_waits_no_more_and_a_mistake_is_told(&world, &account, &jobs[1]).await;
}

/// The client sees that its connections to a server that died are gone.
async fn client_notices() {
    tokio::time::sleep(Duration::from_millis(300)).await;
}

/// Approves the first job and refuses the second one.
async fn decisions_survive_the_end_of_the_process(world: &mut World, account: &Account, jobs: &[String]) {
    let waiting = world.server.json(&["policy", "decisions", "--waiting"]);
    let waiting: Vec<_> = waiting.as_array().unwrap().iter().collect();
    assert_eq!(waiting.len(), 2);
    assert_eq!(
        (&waiting[0]["rule"], &waiting[0]["outcome"]),
        (&json!("look"), &json!("waiting"))
    );
    // Decided is decided, also if the process dies before it carries it out.
    world.server.kill();
    let plan = Plan {
        abort_at: "release_review.before_commit".to_owned(),
        time: 1,
        ..Plan::calm()
    };
    planned::start(&mut world.server, &plan);
    client_notices().await;
    assert_eq!(ended(&account.http, "two foxes").await, passed());
    let approved = world.server.json(&["policy", "review", &jobs[0], "--approve"]);
    assert_eq!(approved["outcome"], "approved");
    let status = world.server.wait_until_ended(Duration::from_secs(30));
    assert!(!status.success(), "no approval was carried out");
    let (status, _, said) = world.server.command(&["policy", "review", &jobs[0], "--refuse"]);
    assert_eq!(status, 1, "{said}");
    let refusal = [
        "policy",
        "review",
        &jobs[1],
        "--refuse",
        "--note",
        "no castles here",
    ];
    assert_eq!(world.server.json(&refusal)["outcome"], "refused");
    world.server.start();
    client_notices().await;
    assert_eq!(account.http.wait(&jobs[0]).await["status"], "completed");
    let job = account.http.wait(&jobs[1]).await;
    assert_eq!(job["error"]["code"], "content_policy_violation");
    assert_eq!(
        job["error"]["message"],
        "`prompt` was reviewed and is not allowed by this service's content policy (rule `look`): no castles here"
    );
    assert_eq!(
        account.credits().await,
        988,
        "three jobs ran, and nothing else was paid"
    );
}

async fn a_cancelled_job_waits_no_more_and_a_mistake_is_told(
    world: &World,
    account: &Account,
    refused: &str,
) {
    // A cancelled job waits no more.
    let id = account.http.create(&picture("a castle at night")).await;
    until_waiting(&account.http, &id).await;
    let cancelled = account
        .http
        .post(&format!("/generations/{id}/cancel"), &json!({}))
        .await;
    assert_eq!(cancelled.json()["data"]["status"], "failed");
    assert_eq!(
        world.server.json(&["policy", "decisions", "--waiting"]),
        json!([])
    );
    assert_eq!(account.credits().await, 988);

    // The owner of a job that was refused by mistake is told.
    let overturned = world
        .server
        .json(&["policy", "overturn", refused, "--note", "castles are fine"]);
    assert_eq!(overturned["outcome"], "overturned");
    let job = account.http.get(&format!("/generations/{refused}")).await.json()["data"].take();
    assert_eq!(
        (&job["status"], &job["review"]["state"], &job["review"]["note"]),
        (&json!("failed"), &json!("overturned"), &json!("castles are fine"))
    );
    let (status, _, said) = world.server.command(&["policy", "overturn", refused]);
    assert_eq!((status, said.contains("only a refusal")), (1, true), "{said}");
    let month = &job["created_at"].as_str().unwrap()[.."2026-11".len()];
    let report = world.server.json(&["report", "--month", month]);
    let look = report["refused"]
        .as_array()
        .unwrap()
        .iter()
        .find(|row| row["rule"] == "look")
        .unwrap();
    assert_eq!((&look["count"], &look["overturned"]), (&json!(3), &json!(1)));
}

#[tokio::test]
async fn a_review_that_nobody_makes_ends_as_the_file_says() {
    for (after, status, credits) in [("approve", "completed", 996), ("refuse", "failed", 1_000)] {
        let rules = REVIEWS.replace("hours = 24.0", &format!("hours = 0.001\nafter = \"{after}\""));
        let mut world = with_rules(&rules);
        world.server.start();
        let account = world.account(1_000);
        let id = account.http.create(&picture("a castle")).await;
        until_waiting(&account.http, &id).await;
        let job = account.http.wait(&id).await;
        assert_eq!(job["status"], status, "{job}");
        assert_eq!(account.credits().await, credits);
        let decisions = world.server.json(&["policy", "decisions"]);
        let outcome = if after == "approve" { "approved" } else { "refused" };
        assert_eq!(decisions[0]["outcome"], outcome, "{decisions}");
    }
}

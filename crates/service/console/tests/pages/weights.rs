//! The operator's page about trained weights.

use std::{path::Path, sync::Arc, time::Duration};

use async_trait::async_trait;
use atelier_domain::Failure;
use atelier_engines::{Context, EchoEngine, Engine, Job, Made};
use atelier_testkit::{
    WeightsServer,
    weights::{OWN_TERMS, PERMISSIVE},
};
use atelier_weights::{Downloader, Index, NoPreparation, Options, Policy, Puller, Pulls, Store, parse};
use axum::http::{StatusCode, header};

use crate::visit::Visit;

const PAGE: &str = "/account/operator/models";

/// Pulls of the entries `tiny` and `owned`, whose licence must be accepted.
fn pulls(folder: &Path, server: &WeightsServer) -> Pulls {
    let mut index = Index::default();
    for (name, licence) in [("tiny", PERMISSIVE), ("owned", OWN_TERMS)] {
        index.add(parse(&format!("{name}.toml"), &server.entry(name, licence)).unwrap());
    }
    let foreign = server
        .entry("foreign", PERMISSIVE)
        .replace("\"onnx\"", "\"sd-server\"");
    index.add(parse("foreign.toml", &foreign).unwrap());
    let this = format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH);
    for (name, target) in [("runner", this.as_str()), ("elsewhere", "plan9-mips")] {
        let text = server.entry(name, PERMISSIVE).replace(".onnx", ".so");
        let kept = text.lines().filter(|line| {
            let begins = ["serves", "runtime", "graph", "needs"];
            !begins.iter().any(|key| line.starts_with(key))
        });
        let facts = format!("kind = \"runtime\"\ntarget = \"{target}\"");
        let text = kept.collect::<Vec<_>>().join("\n");
        let text = text
            .replace("kind = \"model\"", &facts)
            .replace("\"graph\"", "\"runtime\"");
        index.add(parse(&format!("{name}.toml"), &text).unwrap());
    }
    let store = Store::new(folder.join("models"));
    let options = Options {
        allow_http: true,
        ..Options::default()
    };
    Pulls::start(Puller {
        downloader: Downloader::new(store.clone(), options).unwrap(),
        store,
        index: Arc::new(index),
        prepare: Arc::new(NoPreparation),
        policy: Policy::default(),
        runtimes: &["onnx"],
        programs: &[],
        depot: None,
        max_bytes: None,
    })
    .unwrap()
}

/// An operator of a service that pulls weights.
async fn visitor(pulls: &Pulls) -> Visit {
    let mut visit = Visit::with(
        "https://atelier.example",
        Arc::new(EchoEngine),
        Some(pulls.clone()),
    );
    visit.join().await;
    visit
}

/// The part of the page about one entry.
async fn card(visit: &mut Visit, name: &str) -> String {
    let page = visit.get(PAGE).await.text;
    let after = page.split(&format!("id=\"weights-{name}\"")).nth(1);
    let after = after.unwrap_or_else(|| panic!("no card of {name} in {page}"));
    after.split("</article>").next().unwrap().to_owned()
}

/// Requests the fragment of one entry until it is in this state.
async fn until(visit: &mut Visit, name: &str, state: &str) -> String {
    for _ in 0..1_000 {
        let part = visit.get(&format!("{PAGE}/{name}/state")).await;
        assert_eq!(part.status, StatusCode::OK, "{}", part.text);
        if part.text.contains(&format!("data-state=\"{state}\"")) {
            return part.text;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("{name} is not {state}: {}", card(visit, name).await);
}

#[tokio::test]
async fn an_operator_pulls_weights_sees_the_progress_and_removes_them() {
    let (server, folder) = (WeightsServer::start().await, tempfile::tempdir().unwrap());
    let pulls = pulls(folder.path(), &server);
    let mut visit = visitor(&pulls).await;
    let before = card(&mut visit, "tiny").await;
    for part in [
        "Pull 50.0 kB",
        "400.0 MB",
        "https://example.com/mit",
        "/account/playground/upscale",
    ] {
        assert!(before.contains(part), "{part}: {before}");
    }
    assert!(
        !before.contains("hx-get") && !before.contains("name=\"accept\""),
        "{before}"
    );

    server.hold();
    let csrf = visit.get(PAGE).await.csrf();
    let form = [("csrf", csrf.as_str())];
    let answer = visit.post(&format!("{PAGE}/tiny/pull"), &form).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text);
    assert_eq!(answer.header(header::LOCATION), format!("{PAGE}#weights-tiny"));
    let pulling = until(&mut visit, "tiny", "pulling").await;
    assert!(
        pulling.contains(&format!("hx-get=\"{PAGE}/tiny/state\"")),
        "it asks again: {pulling}"
    );
    assert!(
        pulling.contains("hx-trigger=\"every 1s\"") && pulling.contains("<progress"),
        "{pulling}"
    );
    assert!(
        visit.get(PAGE).await.text.contains("http-equiv=\"refresh\""),
        "without scripts"
    );
    server.release();
    let here = until(&mut visit, "tiny", "here").await;
    assert!(!here.contains("hx-get") && here.contains("Remove"), "{here}");
    assert!(!visit.get(PAGE).await.text.contains("http-equiv=\"refresh\""));

    let answer = visit.post(&format!("{PAGE}/tiny/remove"), &form).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text);
    assert!(card(&mut visit, "tiny").await.contains("Pull 50.0 kB"));
    let audit = visit.get("/account/operator/audit").await.text;
    assert!(
        audit.contains("weights.pull") && audit.contains("weights.remove"),
        "{audit}"
    );
    pulls.stop();
}

#[tokio::test]
async fn a_licence_is_shown_and_must_be_ticked() {
    let (server, folder) = (WeightsServer::start().await, tempfile::tempdir().unwrap());
    let pulls = pulls(folder.path(), &server);
    let mut visit = visitor(&pulls).await;
    let shown = card(&mut visit, "owned").await;
    for part in [
        "Own terms",
        "https://example.com/own",
        "Below a revenue.",
        "name=\"accept\" value=\"true\" required",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let csrf = visit.get(PAGE).await.csrf();
    let pull = format!("{PAGE}/owned/pull");
    let refused = visit.post(&pull, &[("csrf", &csrf)]).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    assert!(
        refused.text.contains("must be accepted first: Own terms"),
        "{}",
        refused.text
    );
    assert_eq!(pulls.list(), []);
    let answer = visit.post(&pull, &[("csrf", &csrf), ("accept", "true")]).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text);
    until(&mut visit, "owned", "here").await;
    assert!(
        visit
            .get("/account/operator/audit")
            .await
            .text
            .contains("licence.accept")
    );
    pulls.stop();
}

#[tokio::test]
async fn a_pull_can_be_cancelled_and_unknown_weights_do_not_exist() {
    let (server, folder) = (WeightsServer::start().await, tempfile::tempdir().unwrap());
    let pulls = pulls(folder.path(), &server);
    let mut visit = visitor(&pulls).await;
    server.hold();
    let csrf = visit.get(PAGE).await.csrf();
    let form = [("csrf", csrf.as_str())];
    visit.post(&format!("{PAGE}/tiny/pull"), &form).await;
    assert!(card(&mut visit, "tiny").await.contains("data-state=\"pulling\""));
    let answer = visit.post(&format!("{PAGE}/tiny/cancel"), &form).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text);
    assert!(card(&mut visit, "tiny").await.contains("data-state=\"absent\""));
    assert_eq!(
        visit.post(&format!("{PAGE}/nothing/pull"), &form).await.status,
        StatusCode::NOT_FOUND
    );
    assert_eq!(
        visit.get(&format!("{PAGE}/nothing/state")).await.status,
        StatusCode::NOT_FOUND
    );
    pulls.stop();
}

/// An engine with the name of the embedded one.
#[derive(Debug)]
struct Draft;

#[async_trait]
impl Engine for Draft {
    fn name(&self) -> &'static str {
        "draft"
    }

    fn concurrency(&self) -> usize {
        1
    }

    async fn run(&self, job: Job, context: Context) -> Result<Made, Failure> {
        EchoEngine.run(job, context).await
    }
}

#[tokio::test]
async fn the_page_of_a_draft_names_the_weights_that_can_serve_it() {
    let (server, folder) = (WeightsServer::start().await, tempfile::tempdir().unwrap());
    let pulls = pulls(folder.path(), &server);
    let said = "Trained weights can serve this model";
    let mut visit = Visit::with("https://atelier.example", Arc::new(Draft), Some(pulls.clone()));
    visit.join().await;
    let page = visit.get("/account/playground/upscale").await.text;
    assert!(page.contains(said), "{page}");
    for part in [
        &format!("{PAGE}#weights-tiny"),
        "(50.0 kB, MIT)",
        "(50.0 kB, Own terms)",
        "<code>atelier models pull tiny</code></li>",
        "<code>atelier models pull foreign</code>. atelier does not run them by itself yet",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let not_run = "atelier does not run these weights by itself yet";
    assert!(card(&mut visit, "foreign").await.contains(not_run));
    assert!(!card(&mut visit, "tiny").await.contains(not_run));
    let page = visit.get("/account/playground/inpaint").await.text;
    assert!(!page.contains(said), "no entry serves it");

    let mut visit = visitor(&pulls).await;
    let page = visit.get("/account/playground/upscale").await.text;
    assert!(!page.contains(said), "another engine serves it");
    pulls.stop();
}

#[tokio::test]
async fn a_program_for_this_machine_can_be_pulled_and_those_for_others_are_not_shown() {
    let (server, folder) = (WeightsServer::start().await, tempfile::tempdir().unwrap());
    let pulls = pulls(folder.path(), &server);
    let mut visit = visitor(&pulls).await;
    let runner = card(&mut visit, "runner").await;
    assert!(
        runner.contains(&format!("action=\"{PAGE}/runner/pull\"")) && runner.contains("Pull 50.0 kB"),
        "{runner}"
    );
    let page = visit.get(PAGE).await.text;
    assert!(!page.contains("weights-elsewhere"), "{page}");
    pulls.stop();
}

//! The operator's page about programs that the node starts.

use std::{
    collections::BTreeMap, fs, os::unix::fs::PermissionsExt as _, path::Path, sync::Arc, time::Duration,
};

use async_trait::async_trait;
use atelier_engines::EchoEngine;
use atelier_processes::{Description, Device, Limits, Needs, Network, Probe, Programs, Rules, Setup};
use axum::http::{StatusCode, header};

use crate::visit::Visit;

const PAGE: &str = "/account/operator/programs";
const MIB: u64 = 1 << 20;

#[derive(Debug)]
struct Ready;

#[async_trait]
impl Probe for Ready {
    async fn ready(&self, _: u16) -> Result<(), String> {
        Ok(())
    }
}

/// Programs that need this many MiB of a device with 1000. Instead of the guard, a script runs, which says something
/// and fails if its program is called `broken`.
fn programs(folder: &Path, needs: &[(&str, u64)]) -> Programs {
    let guard = folder.join("guard");
    let script = "#!/bin/sh\ncase \"$*\" in *broken*) echo 'no <weights>' >&2; exit 3;; esac\nexec cat\n";
    fs::write(&guard, script).unwrap();
    fs::set_permissions(&guard, fs::Permissions::from_mode(0o755)).unwrap();
    let description = |&(name, mib): &(&str, u64)| Description {
        name: name.to_owned(),
        command: vec![name.to_owned()],
        folder: None,
        environment: BTreeMap::from([("PATH".to_owned(), "/usr/bin:/bin".to_owned())]),
        device: "gpu".to_owned(),
        needs: Needs {
            memory: vec![(0, mib * MIB)],
            jobs: 1,
            alone: true,
            idle: None,
        },
        start_deadline: Duration::from_secs(20),
        limits: Limits::default(),
        network: Network::Host,
        probe: Box::new(Ready),
    };
    Programs::new(Setup {
        guard,
        devices: vec![Device {
            name: "gpu".to_owned(),
            budget: 1_000 * MIB,
        }],
        programs: needs.iter().map(description).collect(),
        rules: Rules::default(),
        history: None,
        sockets: folder.join("sockets"),
    })
}

async fn visit(programs: Option<Programs>) -> Visit {
    let mut visit = Visit::with_all("https://atelier.example", Arc::new(EchoEngine), None, programs);
    visit.join().await;
    visit
}

/// The part of the page about one program, once it is in this state.
async fn card(visit: &mut Visit, name: &str, residence: &str) -> String {
    let mut shown = String::new();
    for _ in 0..500 {
        let part = visit.get(&format!("{PAGE}/state")).await;
        assert_eq!(part.status, StatusCode::OK, "{}", part.text);
        let after = part.text.split(&format!("id=\"program-{name}\"")).nth(1);
        shown = after.unwrap().split("</article>").next().unwrap().to_owned();
        if shown.contains(&format!("data-residence=\"{residence}\"")) {
            return shown;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("{name} is not {residence}: {shown}");
}

#[tokio::test]
async fn programs_are_loaded_pinned_and_unloaded_and_the_audit_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let all = programs(folder.path(), &[("one", 600), ("two", 600)]);
    let mut visit = visit(Some(all.clone())).await;
    let page = visit.get(PAGE).await.text;
    for part in [
        "0 of 1,000 MiB",
        "600 MiB on gpu",
        "hx-trigger=\"every 2s\"",
        "http-equiv=\"refresh\"",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let csrf = visit.get(PAGE).await.csrf();
    let form = [("csrf", csrf.as_str())];
    let answer = visit.post(&format!("{PAGE}/one/load"), &form).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text);
    assert_eq!(answer.header(header::LOCATION), format!("{PAGE}#program-one"));
    let one = card(&mut visit, "one", "in memory").await;
    assert!(
        one.contains("1 load, 0 evictions, 0 failures") && one.contains("/one/unload"),
        "{one}"
    );
    assert!(visit.get(PAGE).await.text.contains("600 of 1,000 MiB"));

    visit.post(&format!("{PAGE}/one/pin"), &form).await;
    let two = card(&mut visit, "two", "does not fit").await;
    assert!(!two.contains("/two/load"), "{two}");
    let refused = visit.post(&format!("{PAGE}/two/load"), &form).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    let why = "It requires 600 MiB on the device <code>gpu</code>, which has 400 MiB beside pinned programs";
    assert!(refused.text.contains(why), "{}", refused.text);

    visit.post(&format!("{PAGE}/one/unpin"), &form).await;
    visit.post(&format!("{PAGE}/one/unload"), &form).await;
    card(&mut visit, "one", "not loaded").await;
    let audit = visit.get("/account/operator/audit").await.text;
    for action in ["load", "pin", "unpin", "unload"] {
        assert!(audit.contains(&format!("program.{action}")), "{action}: {audit}");
    }
    all.close().await;
}

#[tokio::test]
async fn a_failed_program_shows_the_end_of_its_output_as_text() {
    let folder = tempfile::tempdir().unwrap();
    let all = programs(folder.path(), &[("broken", 600)]);
    let mut visit = visit(Some(all.clone())).await;
    let csrf = visit.get(PAGE).await.csrf();
    let form = [("csrf", csrf.as_str())];
    visit.post(&format!("{PAGE}/broken/load"), &form).await;
    let shown = card(&mut visit, "broken", "failed").await;
    for part in ["It ended while it was loading.", "1 failure", "at the earliest"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert!(
        shown.contains("weights&") && !shown.contains("<weights>"),
        "{shown}"
    );
    all.close().await;
}

#[tokio::test]
async fn a_node_without_programs_says_so_and_unknown_ones_do_not_exist() {
    let mut visit = visit(None).await;
    let page = visit.get(PAGE).await.text;
    assert!(
        page.contains("This node starts no programs") && !page.contains("hx-get"),
        "{page}"
    );
    let csrf = visit.get("/account/settings").await.csrf();
    let form = [("csrf", csrf.as_str())];
    for path in ["one/load", "one/explode"] {
        let answer = visit.post(&format!("{PAGE}/{path}"), &form).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
    }
}

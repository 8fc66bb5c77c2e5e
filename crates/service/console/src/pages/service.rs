//! The operator's view of the service: the API switch, nodes and engines, the queue, failures, storage, takedowns and
//! the current configuration.

use std::{collections::BTreeMap, time::Duration};

use askama::Template;
use atelier_app::{
    Error,
    admin::overview::{EngineState, NodeState, Position},
    remote::SILENT,
    usage::UsageReport,
};
use atelier_domain::{Timestamp, WorkerSeen};
use axum::{
    extract::State,
    http::StatusCode,
    response::{IntoResponse as _, Redirect},
};

use super::programs;
use crate::{
    error::{PageError, Result, capital},
    frame::{Frame, page, page_with},
    moment::Moment,
    session::{PostedByOperator, SignedOperator},
    state::Console,
    text,
};

/// A remote worker that was silent for longer than this is not shown.
const FORGOTTEN: Duration = Duration::from_hours(1);
/// The number of days over which failures are counted.
const DAYS: u32 = 30;

#[derive(Template)]
#[template(path = "operator/service.html")]
struct ServicePage {
    frame: Frame,
    enabled: bool,
    queue: Vec<QueueView>,
    nodes: Vec<NodeView>,
    workers: Vec<WorkerView>,
    external: Vec<ExternalView>,
    /// Whether an external engine starts a program.
    has_programs: bool,
    failures: Vec<(String, String, String)>,
    storage: Vec<(String, String, String)>,
    takedowns: Vec<(Moment, String, String)>,
    /// The rules of retention, in a sentence each.
    retention: Vec<String>,
    configuration: Vec<(String, String, String)>,
    /// This month, such as `2026-11`.
    month: String,
    file: String,
    problem: String,
}

struct QueueView {
    model: String,
    lane: String,
    queued: String,
    running: String,
    oldest: Option<Moment>,
}

struct NodeView {
    name: String,
    since: Moment,
    version: String,
    health: String,
    tone: &'static str,
    engines: String,
}

impl NodeView {
    fn new(state: NodeState) -> Self {
        let is_full = state.node.engines.iter().any(|engine| engine.without_room);
        let (health, tone) = if !state.healthy {
            (
                format!("no report since {}", text::moment(state.node.seen_at)),
                "bad",
            )
        } else if is_full {
            ("disk full: it takes no jobs".to_owned(), "bad")
        } else {
            ("healthy".to_owned(), "good")
        };
        Self {
            name: format!("process {}", state.node.pid),
            since: Moment::new(state.node.started_at),
            version: state.node.version,
            health,
            tone,
            engines: engines(&state.node.engines),
        }
    }
}

/// A remote worker.
struct WorkerView {
    name: String,
    token: String,
    version: String,
    health: String,
    tone: &'static str,
    engines: String,
    running: String,
}

impl WorkerView {
    /// `None` for one that has been silent for long.
    fn new(console: &Console, seen: WorkerSeen, now: Timestamp) -> Option<Self> {
        let silent = now.since(seen.worker.seen_at);
        let (health, tone) = match silent {
            silent if silent >= FORGOTTEN => return None,
            silent if silent >= SILENT => (
                format!("no report since {}", text::moment(seen.worker.seen_at)),
                "bad",
            ),
            _ => ("healthy".to_owned(), "good"),
        };
        let engines = seen.worker.offer.engines.iter();
        let engines = engines.map(|engine| format!("{} ({} models)", engine.name, engine.models));
        let mut running: BTreeMap<String, usize> = BTreeMap::new();
        for model in &seen.running {
            *running.entry(console.model_name(model)).or_default() += 1;
        }
        let running = running
            .into_iter()
            .map(|(model, jobs)| format!("{model}: {jobs}"));
        Some(Self {
            name: seen.worker.name,
            token: seen.token,
            version: seen.worker.version,
            health,
            tone,
            engines: engines.collect::<Vec<_>>().join(", "),
            running: running.collect::<Vec<_>>().join(", "),
        })
    }
}

/// An external engine.
struct ExternalView {
    name: String,
    health: String,
    tone: &'static str,
    program: Option<EngineProgram>,
}

/// The program of an external engine.
struct EngineProgram {
    residence: &'static str,
    tone: &'static str,
    page: String,
}

impl ExternalView {
    fn new(engine: EngineState, now: Timestamp) -> Self {
        let (health, tone) = match engine.breaker {
            Position::Closed => ("healthy".to_owned(), "good"),
            Position::HalfOpen => ("failing; one job is testing it".to_owned(), "bad"),
            Position::Open { until } => {
                let seconds = until.since(now).as_secs().max(1);
                (format!("failing; the next test is in {seconds} s"), "bad")
            }
        };
        Self {
            program: engine.program.map(|program| {
                let (residence, tone) = programs::residence(&program);
                let page = programs::anchor(&program.name);
                EngineProgram {
                    residence,
                    tone,
                    page,
                }
            }),
            name: engine.name,
            health,
            tone,
        }
    }
}

pub(crate) async fn service(State(console): State<Console>, by: SignedOperator) -> Result {
    Ok(page(&view(&console, &by).await?))
}

pub(crate) async fn switch(State(console): State<Console>, posted: PostedByOperator) -> Result {
    let (by, form) = posted.split();
    console
        .app
        .admin(&by.operator)
        .set_api_enabled(form.get("enabled") == "true")
        .await?;
    Ok(Redirect::to("/account/operator").into_response())
}

pub(crate) async fn take_down(State(console): State<Console>, posted: PostedByOperator) -> Result {
    let (by, form) = posted.split();
    let file = form.get("file").trim();
    match console
        .app
        .take_down(&by.operator, file, form.get("reason"))
        .await
    {
        Ok(_) => Ok(Redirect::to("/account/operator#takedown").into_response()),
        Err(Error::InvalidRequest { message, .. }) => {
            let mut shown = view(&console, &by).await?;
            file.clone_into(&mut shown.file);
            shown.problem = capital(&message);
            Ok(page_with(StatusCode::BAD_REQUEST, &shown))
        }
        Err(other) => Err(other.into()),
    }
}

async fn view(console: &Console, by: &SignedOperator) -> std::result::Result<ServicePage, PageError> {
    let (app, operator) = (&console.app, &by.operator);
    let now = app.now();
    let usage = app.service_usage(operator, DAYS).await?;
    let queue = app.queue(operator).await?.into_iter().map(|row| QueueView {
        model: console.model_name(&row.model),
        lane: row.lane,
        queued: text::count(row.queued),
        running: text::count(row.running),
        oldest: row.oldest_queued.map(|at| Moment::ago(at, now)),
    });
    let nodes = app.nodes(operator).await?.into_iter().map(NodeView::new);
    let workers = app.admin(operator).remote_workers().await?.into_iter();
    let storage = app.storage(operator).await?.into_iter();
    let takedowns = app.admin(operator).takedowns().await?.into_iter();
    let configuration = app.configuration(operator).iter();
    let external = app.remote_engines(operator).into_iter();
    let external: Vec<_> = external.map(|engine| ExternalView::new(engine, now)).collect();
    Ok(ServicePage {
        frame: by.signed.frame("Service", "/account/operator"),
        enabled: app.admin(operator).api_enabled().await?,
        queue: queue.collect(),
        nodes: nodes.collect(),
        has_programs: external.iter().any(|engine| engine.program.is_some()),
        workers: workers
            .filter_map(|seen| WorkerView::new(console, seen, now))
            .collect(),
        external,
        failures: failures(console, &usage),
        storage: storage
            .map(|row| (row.media_type, text::count(row.files), text::size(row.bytes)))
            .collect(),
        takedowns: takedowns
            .map(|one| (Moment::new(one.at), one.name, one.reason))
            .collect(),
        retention: retention(console, operator),
        configuration: configuration
            .map(|setting| (setting.key.clone(), setting.value.clone(), setting.from.clone()))
            .collect(),
        month: app.now().rfc3339().chars().take("2026-11".len()).collect(),
        file: String::new(),
        problem: String::new(),
    })
}

/// After what time things are removed, and what this node has removed.
fn retention(console: &Console, operator: &atelier_app::Operator) -> Vec<String> {
    let (retention, removed) = console.app.retention(operator);
    let after = |what: &str, age: Option<Duration>| match age {
        Some(age) => format!("{what}: removed after {} days", age.as_secs() / 86_400),
        None => format!("{what}: kept"),
    };
    let mut lines = vec![
        after("Jobs", retention.jobs),
        after("Files of jobs", retention.media),
        after("Uploads", retention.uploads),
        after("Bodies of deliveries", retention.deliveries),
        after("The log of requests", retention.requests),
        after("Decisions of the content policy", retention.decisions),
    ];
    if let Some(last) = removed.last {
        lines.push(format!(
            "Removed by this node since it started: {} jobs, {} uploads, {} bodies of deliveries, {} files. Last \
             pass: {}",
            text::count(removed.jobs),
            text::count(removed.uploads),
            text::count(removed.deliveries),
            text::count(removed.files),
            text::moment(last)
        ));
    }
    lines
}

fn engines(engines: &[atelier_domain::NodeEngine]) -> String {
    if engines.is_empty() {
        return "none (API only)".to_owned();
    }
    let engine = |one: &atelier_domain::NodeEngine| format!("{} {} of {}", one.name, one.running, one.slots);
    engines.iter().map(engine).collect::<Vec<_>>().join(", ")
}

/// Failed jobs by code and model, the most frequent first.
fn failures(console: &Console, report: &UsageReport) -> Vec<(String, String, String)> {
    let row = |(code, model, count): (&str, &str, u64)| {
        (code.to_owned(), console.model_name(model), text::count(count))
    };
    report.failures().into_iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use atelier_domain::{Node, NodeEngine};

    use super::*;

    #[test]
    fn a_node_whose_scratch_folder_is_full_says_so() {
        let shown = |healthy, without_room| {
            let engine = NodeEngine {
                name: "draft".to_owned(),
                slots: 2,
                running: 0,
                without_room,
            };
            let node = Node {
                id: "00000000-0000-7000-8000-000000000000".parse().unwrap(),
                pid: 7,
                version: "1".to_owned(),
                started_at: Timestamp(0),
                seen_at: Timestamp(0),
                engines: vec![engine],
            };
            let view = NodeView::new(NodeState { node, healthy });
            (view.health, view.tone)
        };
        assert_eq!(shown(true, false), ("healthy".to_owned(), "good"));
        assert_eq!(
            shown(true, true),
            ("disk full: it takes no jobs".to_owned(), "bad")
        );
        assert!(shown(false, true).0.starts_with("no report since"));
    }

    #[test]
    fn an_external_engine_shows_whether_it_is_healthy_and_when_it_is_tested_again() {
        let now = Timestamp(0).plus(Duration::from_secs(100));
        let shown = |breaker| {
            let name = "gpu1".to_owned();
            let program = None;
            let engine = EngineState {
                name,
                breaker,
                program,
            };
            ExternalView::new(engine, now)
        };
        assert_eq!(shown(Position::Closed).tone, "good");
        let until = now.plus(Duration::from_secs(15));
        let open = shown(Position::Open { until });
        assert_eq!(
            (open.tone, open.health.as_str()),
            ("bad", "failing; the next test is in 15 s")
        );
        assert_eq!(shown(Position::HalfOpen).tone, "bad");
    }
}

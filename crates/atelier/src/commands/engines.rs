//! `atelier engines`: lists engines with their models, checks that they answer and fit their routes, and tries one.

use serde_json::{Value, json};

mod attempt;

use super::Session;
use crate::{cli, config::EngineKind, engines, failure::Failure, output::table, service};

/// One engine in the list.
struct Row {
    name: String,
    kind: &'static str,
    /// The models whose jobs it gets first.
    serves: Vec<String>,
    /// The models for which it is a fallback.
    stands_by_for: Vec<String>,
    /// The result of the check, if it was checked.
    answer: Option<Result<String, String>>,
    /// Why it cannot serve its routes, each with the route's model.
    problems: Vec<String>,
}

pub(super) fn run(session: &Session, asked: &cli::Engines) -> Result<(), Failure> {
    if let cli::Engines::Try(asked) = asked {
        return attempt::run(session, asked);
    }
    let catalog = service::catalog(&session.config)?;
    let routes = engines::routes(&session.config, Default::default())?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let mut rows = Vec::new();
    for engine in routes.engines() {
        let (mut serves, mut stands_by_for) = (Vec::new(), Vec::new());
        for model in catalog.iter() {
            let targets = atelier_app::targets(&routes, model);
            match targets
                .iter()
                .position(|target| target.engine.name() == engine.name())
            {
                Some(0) => serves.push(model.slug.clone()),
                Some(_) => stands_by_for.push(model.slug.clone()),
                None => {}
            }
        }
        let answer = matches!(asked, cli::Engines::Check).then(|| runtime.block_on(engine.health()));
        let mut problems = Vec::new();
        if matches!(answer, Some(Ok(_))) {
            let routes = session.config.routes.iter();
            for route in routes.filter(|route| route.engine == engine.name()) {
                let found = runtime.block_on(engine.check(&route.options()));
                let named = |problem| {
                    let workflow = route.workflow.as_ref();
                    let through = workflow.map_or_else(String::new, |name| format!(" by {name}"));
                    format!("{}{through}: {problem}", route.model)
                };
                problems.extend(found.into_iter().map(named));
            }
        }
        let configured = session.config.engines.iter();
        let configured = configured.filter(|configured| configured.name == engine.name());
        let kind = configured
            .map(|configured| match configured.kind {
                EngineKind::Http(_) => "http",
                EngineKind::Comfy(_) => "comfyui",
                EngineKind::Onnx(_) => "onnx",
                EngineKind::Process(_) => "process",
                EngineKind::Remote => "remote",
            })
            .next()
            // Pulled weights that a program runs have an engine each.
            .unwrap_or(if engine.is_remote() { "process" } else { "embedded" });
        rows.push(Row {
            name: engine.name().to_owned(),
            kind,
            serves,
            stands_by_for,
            answer,
            problems,
        });
    }
    let value: Value = rows.iter().map(as_json).collect();
    session.output.result(&value, || {
        let header = ["engine", "kind", "serves", "fallback for", "answer"];
        let table = table(&header, rows.iter().map(as_text).collect());
        let problems = rows.iter().flat_map(|row| {
            let named = |problem| format!("\n{}: {problem}", row.name);
            row.problems.iter().map(named)
        });
        table + &problems.collect::<String>()
    })?;
    let silent: Vec<_> = rows
        .iter()
        .filter(|row| matches!(row.answer, Some(Err(_))))
        .map(|row| row.name.as_str())
        .collect();
    if !silent.is_empty() {
        return Err(Failure::new(format!("no answer from {}", silent.join(", "))));
    }
    let unfit: Vec<_> = rows
        .iter()
        .filter(|row| !row.problems.is_empty())
        .map(|row| row.name.as_str())
        .collect();
    if unfit.is_empty() {
        return Ok(());
    }
    Err(Failure::new(format!(
        "some routes cannot be served by {}",
        unfit.join(", ")
    )))
}

fn as_json(row: &Row) -> Value {
    json!({
        "name": row.name,
        "kind": row.kind,
        "serves": row.serves,
        "stands_by_for": row.stands_by_for,
        "answers": row.answer.as_ref().map(Result::is_ok),
        "problems": row.answer.as_ref().map(|_| &row.problems),
        "answer": row.answer.as_ref().map(|answer| match answer { Ok(text) | Err(text) => text }),
    })
}

fn as_text(row: &Row) -> Vec<String> {
    let count = |models: &[String]| match models {
        [] => "-".to_owned(),
        [one] => one.clone(),
        many => format!("{} models", many.len()),
    };
    let answer = row.answer.as_ref().map(|answer| match answer {
        Ok(text) | Err(text) => text.clone(),
    });
    vec![
        row.name.clone(),
        row.kind.to_owned(),
        count(&row.serves),
        count(&row.stands_by_for),
        answer.unwrap_or_else(|| "-".to_owned()),
    ]
}

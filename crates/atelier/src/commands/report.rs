//! `atelier report`: what a month's jobs made, how it was marked, what was refused and taken down.

use std::sync::Arc;

use atelier_app::admin::report::Report;
use serde_json::{Value, json};

use super::OnStore;
use crate::{
    cli,
    failure::Failure,
    output::{print, table},
};

pub(super) async fn run(session: Arc<OnStore>, asked: cli::Report) -> Result<(), Failure> {
    let report = session.admin.report(&asked.month).await?;
    if asked.csv {
        return Ok(print(&report.csv())?);
    }
    Ok(session.output.result(&as_json(&report), || as_text(&report))?)
}

fn as_json(report: &Report) -> Value {
    let ended = report.ended.iter();
    let marked = report.marked.iter();
    let refused = report.refused.iter();
    let takedowns = report.takedowns.iter();
    json!({
        "month": report.month,
        "ended": ended
            .map(|(model, outcome, count)| json!({ "model": model, "outcome": outcome, "count": count }))
            .collect::<Vec<_>>(),
        "marked": marked
            .map(|(marks, count)| {
                json!({ "model": marks.model, "engine": marks.engine, "watermark": marks.watermark,
                    "signature": marks.signature, "count": count })
            })
            .collect::<Vec<_>>(),
        "refused": refused
            .map(|one| {
                json!({ "rule": one.rule, "stage": one.stage, "decision": one.decision, "count": one.count,
                    "overturned": one.overturned })
            })
            .collect::<Vec<_>>(),
        "taken_down": takedowns
            .map(|one| json!({ "file": one.name, "at": one.at.rfc3339(), "reason": one.reason }))
            .collect::<Vec<_>>(),
    })
}

fn as_text(report: &Report) -> String {
    let part = |title: &str, header: &[&str], rows: Vec<Vec<String>>| {
        if rows.is_empty() {
            format!("{title}: none\n\n")
        } else {
            format!("{title}\n{}\n", table(header, rows))
        }
    };
    let ended = report.ended.iter();
    let ended = ended.map(|(model, outcome, count)| vec![model.clone(), outcome.clone(), count.to_string()]);
    let marked = report.marked.iter().map(|(marks, count)| {
        let cells = [&marks.model, &marks.engine, &marks.watermark, &marks.signature];
        let cells = cells.map(String::clone).into_iter();
        cells.chain([count.to_string()]).collect()
    });
    let refused = report.refused.iter();
    let refused = refused.map(|one| {
        let cells = [&one.rule, &one.stage, &one.decision].map(String::clone);
        let counts = [one.count.to_string(), one.overturned.to_string()];
        cells.into_iter().chain(counts).collect()
    });
    let takedowns = report.takedowns.iter();
    let takedowns = takedowns.map(|one| vec![one.at.rfc3339(), one.name.clone(), one.reason.clone()]);
    [
        part("Jobs that ended", &["model", "outcome", "jobs"], ended.collect()),
        part(
            "Marks",
            &["model", "engine", "watermark", "signature", "count"],
            marked.collect(),
        ),
        part(
            "Decisions of the policy",
            &["rule", "stage", "decision", "jobs", "overturned"],
            refused.collect(),
        ),
        part("Taken down", &["at", "file", "reason"], takedowns.collect()),
    ]
    .concat()
}

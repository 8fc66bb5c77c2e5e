//! `atelier policy`: checks a file of rules, tries texts, and lists decisions.

use std::{path::Path, sync::Arc};

use atelier_app::policy::{Action, DecisionView, Decisions, Policy, Subject};
use serde_json::{Value, json};

use super::{OnStore, Session};
use crate::{
    cli,
    failure::Failure,
    output::{Output, fields, table},
    policy,
};

pub(super) fn run(session: &Session, asked: &cli::Policy) -> Result<(), Failure> {
    match asked {
        cli::Policy::Check { file } => check(session.output, &read(session, file.as_deref())?),
        cli::Policy::Test {
            text,
            file,
            account,
            plan,
        } => {
            let subject = Subject {
                account: account.as_deref().unwrap_or_default(),
                plan: plan.as_deref(),
            };
            let subject = (account.is_some() || plan.is_some()).then_some(subject);
            test(session.output, &read(session, file.as_deref())?, subject, text)
        }
        // They work on the store.
        cli::Policy::Decisions(_)
        | cli::Policy::Review(_)
        | cli::Policy::Overturn { .. }
        | cli::Policy::Hashes(_) => Ok(()),
    }
}

fn read(session: &Session, file: Option<&Path>) -> Result<Policy, Failure> {
    match file {
        Some(file) => policy::read_file(Policy::new(&session.config.blocked_terms), file),
        None => policy::read(&session.config),
    }
}

fn check(output: Output, policy: &Policy) -> Result<(), Failure> {
    let (rules, terms, access) = policy.size();
    let value = json!({ "rules": rules, "terms": terms, "access_rules": access });
    output.result(&value, || {
        format!("The policy is valid: {rules} rules with {terms} terms, and {access} rules about models.")
    })?;
    Ok(())
}

fn test(output: Output, policy: &Policy, subject: Option<Subject<'_>>, text: &str) -> Result<(), Failure> {
    let found = policy.check_text(subject, text);
    let value = json!({
        "allowed": found.is_none(),
        "action": found.as_ref().map(|found| word(found.action)),
        "rule": found.as_ref().map(|found| &found.rule),
        "words": found.as_ref().map(|found| &found.words),
    });
    output.result(&value, || match &found {
        None => "allowed".to_owned(),
        Some(found) => format!(
            "{}\n{}",
            match found.action {
                Action::Refuse => "refused",
                Action::Review => "waits for a review",
            },
            fields(&[("rule", found.rule.clone()), ("words", found.words.clone())])
        ),
    })?;
    Ok(())
}

fn word(action: Action) -> &'static str {
    match action {
        Action::Refuse => "refuse",
        Action::Review => "review",
    }
}

/// The commands that work on the store.
pub(super) async fn on_store(session: Arc<OnStore>, asked: cli::Policy) -> Result<(), Failure> {
    match asked {
        cli::Policy::Decisions(list) => decisions(&session, &list).await,
        cli::Policy::Review(review) => {
            let id = session.admin.decision_about(&review.id).await?;
            let decided = session
                .admin
                .decide_review(id, review.approve, &review.note)
                .await?;
            said(&session, &decided)
        }
        cli::Policy::Overturn { id, note } => {
            let id = session.admin.decision_about(&id).await?;
            let overturned = session.admin.overturn_decision(id, &note).await?;
            said(&session, &overturned)
        }
        cli::Policy::Check { .. } | cli::Policy::Test { .. } | cli::Policy::Hashes(_) => Ok(()),
    }
}

fn said(session: &OnStore, view: &DecisionView) -> Result<(), Failure> {
    let mut value = as_json(view);
    if let Some(value) = value.as_object_mut() {
        value.remove("account");
    }
    let line = format!("{}: {}", view.generation, view.outcome());
    Ok(session.output.result(&value, || line)?)
}

async fn decisions(session: &OnStore, list: &cli::ListDecisions) -> Result<(), Failure> {
    let asked = Decisions {
        account: list.account.as_deref(),
        rule: list.rule.as_deref(),
        waiting: list.waiting,
        ..Decisions::default()
    };
    let found = session.admin.policy_decisions(asked, list.limit).await?;
    let value: Vec<_> = found.iter().map(as_json).collect();
    Ok(session.output.result(&value, || {
        if found.is_empty() {
            return "No decisions found.".to_owned();
        }
        let header = ["at", "rule", "stage", "outcome", "account", "model", "generation"];
        table(&header, found.iter().map(as_row).collect())
    })?)
}

fn as_json(one: &DecisionView) -> Value {
    json!({
        "id": one.id.to_string(),
        "at": one.at.rfc3339(),
        "rule": one.rule,
        "stage": one.stage,
        "decision": one.decision,
        "outcome": one.outcome(),
        "note": one.note,
        "review_until": one.review.as_ref().map(|review| review.until.rfc3339()),
        "account": one.account,
        "model": one.model,
        "generation": one.generation.to_string(),
    })
}

fn as_row(one: &DecisionView) -> Vec<String> {
    vec![
        one.at.rfc3339(),
        one.rule.clone(),
        one.stage.clone(),
        one.outcome().to_owned(),
        one.account.clone().unwrap_or_else(|| "-".to_owned()),
        one.model.clone(),
        one.generation.to_string(),
    ]
}

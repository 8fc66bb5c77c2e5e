//! The decisions of the content policy, for operators: jobs that wait for a review, and all decisions.

use std::collections::HashMap;

use askama::Template;
use atelier_app::{
    Error,
    policy::{DecisionView, Decisions, ReviewJob},
};
use axum::{
    extract::{Path, Query, State},
    http::StatusCode,
    response::{IntoResponse as _, Redirect},
};
use serde_json::Value;

use crate::{
    error::{PageError, Result, capital},
    frame::{Frame, page, page_with},
    moment::Moment,
    session::{PostedByOperator, SignedOperator},
    state::Console,
};

/// Decisions on a page, and the most jobs that wait.
const PAGE: u32 = 50;
/// The outcomes to choose from, and their names for people.
const OUTCOMES: [(&str, &str); 8] = [
    ("", "Everything"),
    ("refused", "Refused"),
    ("barred", "Model not allowed"),
    ("unchecked", "Unchecked"),
    ("approved", "Approved after a review"),
    ("refused-by-review", "Refused after a review"),
    ("withdrawn", "Ended while it waited"),
    ("overturned", "Overturned"),
];

#[derive(Template)]
#[template(path = "operator/policy.html")]
struct PolicyPage {
    frame: Frame,
    waiting: Vec<WaitingRow>,
    rows: Vec<DecisionRow>,
    accounts: Vec<String>,
    outcomes: &'static [(&'static str, &'static str)],
    account: String,
    rule: String,
    outcome: String,
    more: Option<String>,
    problem: String,
}

/// A job that waits.
struct WaitingRow {
    id: String,
    rule: String,
    account: String,
    model: String,
    generation: String,
    since: Moment,
    until: Moment,
    /// The consequence at that time.
    then: &'static str,
    /// The parameter that the rule is about; empty: the whole job.
    part: String,
    texts: Pairs,
    links: Pairs,
}

struct DecisionRow {
    id: String,
    at: Moment,
    rule: String,
    stage: String,
    outcome: String,
    tone: &'static str,
    account: String,
    model: String,
    /// Empty if there is no job: an upload or a request was refused.
    generation: String,
    note: String,
    can_overturn: bool,
}

impl WaitingRow {
    fn new(job: ReviewJob) -> Option<Self> {
        let (texts, links) = parts(&job.params);
        let decision = job.view;
        let review = decision.review?;
        Some(Self {
            id: decision.id.to_string(),
            rule: decision.rule,
            account: decision.account.unwrap_or_else(|| "erased".to_owned()),
            model: decision.model,
            generation: decision.generation.to_string(),
            since: Moment::new(decision.at),
            until: Moment::new(review.until),
            then: if review.approves { "runs" } else { "is refused" },
            part: review.part,
            texts,
            links,
        })
    }
}

/// Names and values of parameters.
type Pairs = Vec<(String, String)>;

/// The texts and the links among the parameters.
fn parts(params: &serde_json::Map<String, Value>) -> (Pairs, Pairs) {
    let (mut texts, mut links) = (Vec::new(), Vec::new());
    let mut left: Vec<(&String, &Value)> = params.iter().collect();
    left.reverse();
    while let Some((name, value)) = left.pop() {
        match value {
            Value::String(text) if text.starts_with("https://") || text.starts_with("http://") => {
                links.push((name.clone(), text.clone()));
            }
            Value::String(text) => texts.push((name.clone(), text.clone())),
            Value::Array(items) => left.extend(items.iter().rev().map(|item| (name, item))),
            Value::Object(members) => left.extend(members.iter().rev()),
            _ => {}
        }
    }
    (texts, links)
}

impl From<DecisionView> for DecisionRow {
    fn from(decision: DecisionView) -> Self {
        let outcome = decision.outcome().to_owned();
        let has_job = decision.has_job();
        let settled = decision.review.as_ref().is_none_or(|review| review.is_over);
        Self {
            id: decision.id.to_string(),
            at: Moment::new(decision.at),
            rule: decision.rule,
            stage: decision.stage,
            tone: match &*outcome {
                "refused" => "bad",
                "approved" => "good",
                "waiting" => "busy",
                _ => "",
            },
            can_overturn: outcome == "refused" && settled,
            outcome,
            account: decision.account.unwrap_or_else(|| "erased".to_owned()),
            model: decision.model,
            generation: if has_job {
                decision.generation.to_string()
            } else {
                String::new()
            },
            note: decision.note.unwrap_or_default(),
        }
    }
}

pub(crate) async fn policy(
    State(console): State<Console>,
    by: SignedOperator,
    Query(query): Query<HashMap<String, String>>,
) -> Result {
    Ok(page(&view(&console, &by, &query).await?))
}

pub(crate) async fn review(
    State(console): State<Console>,
    Path(id): Path<String>,
    posted: PostedByOperator,
) -> Result {
    let (by, form) = posted.split();
    let approve = match form.get("verdict") {
        "approve" => true,
        "refuse" => false,
        _ => return refused(&console, &by, "Choose whether the job runs or is refused.").await,
    };
    let id = console.app.admin(&by.operator).decision_about(&id).await?;
    let decided = console
        .app
        .decide_review(&by.operator, id, approve, form.get("note"))
        .await;
    changed(&console, &by, decided, "#reviews").await
}

pub(crate) async fn overturn(
    State(console): State<Console>,
    Path(id): Path<String>,
    posted: PostedByOperator,
) -> Result {
    let (by, form) = posted.split();
    let admin = console.app.admin(&by.operator);
    let id = admin.decision_about(&id).await?;
    let overturned = admin.overturn_decision(id, form.get("note")).await;
    changed(&console, &by, overturned.map(|_| ()), "#decisions").await
}

/// Back to the page, or the page with what is wrong.
async fn changed(
    console: &Console,
    by: &SignedOperator,
    done: std::result::Result<(), Error>,
    part: &str,
) -> Result {
    match done {
        Ok(()) => Ok(Redirect::to(&format!("/account/operator/policy{part}")).into_response()),
        Err(Error::Conflict(message) | Error::InvalidRequest { message, .. }) => {
            refused(console, by, &capital(&message)).await
        }
        Err(other) => Err(PageError::from(other)),
    }
}

async fn refused(console: &Console, by: &SignedOperator, problem: &str) -> Result {
    let mut shown = view(console, by, &HashMap::new()).await?;
    problem.clone_into(&mut shown.problem);
    Ok(page_with(StatusCode::BAD_REQUEST, &shown))
}

async fn view(
    console: &Console,
    by: &SignedOperator,
    query: &HashMap<String, String>,
) -> std::result::Result<PolicyPage, PageError> {
    let get = |name: &str| {
        query
            .get(name)
            .map(|text| text.trim().to_owned())
            .unwrap_or_default()
    };
    let (account, rule, outcome) = (get("account"), get("rule"), get("outcome"));
    let given = |text: &'_ String| (!text.is_empty()).then(|| text.clone());
    let (decision, verdict) = match &*outcome {
        "refused" | "barred" | "unchecked" => (Some(&*outcome), None),
        "refused-by-review" => (Some("review"), Some("refused")),
        "approved" | "withdrawn" | "overturned" => (None, Some(&*outcome)),
        _ => (None, None),
    };
    let (of_account, of_rule) = (given(&account), given(&rule));
    let asked = Decisions {
        account: of_account.as_deref(),
        rule: of_rule.as_deref(),
        decision,
        verdict,
        before: query.get("before").map(String::as_str),
        ..Decisions::default()
    };
    let admin = console.app.admin(&by.operator);
    let mut found = admin.policy_decisions(asked, PAGE + 1).await?;
    let has_more = found.len() > PAGE as usize;
    found.truncate(PAGE as usize);
    let last = found.last().filter(|_| has_more);
    let more = last.map(|last| {
        let query = form_urlencoded::Serializer::new(String::new())
            .append_pair("account", &account)
            .append_pair("rule", &rule)
            .append_pair("outcome", &outcome)
            .append_pair("before", &last.id.to_string())
            .finish();
        format!("/account/operator/policy?{query}#decisions")
    });
    let waiting = console.app.review_jobs(&by.operator, PAGE).await?.into_iter();
    Ok(PolicyPage {
        frame: by.signed.frame("Policy", "/account/operator/policy"),
        waiting: waiting.filter_map(WaitingRow::new).collect(),
        rows: found.into_iter().map(DecisionRow::from).collect(),
        accounts: admin
            .accounts()
            .await?
            .into_iter()
            .map(|account| account.name)
            .collect(),
        outcomes: &OUTCOMES,
        account,
        rule,
        outcome,
        more,
        problem: String::new(),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_reviewer_sees_every_text_and_link_of_a_job_in_its_order() {
        let params = json!({
            "prompt": "a castle", "n": 2, "image_urls": ["https://a.example/1.png", "https://a.example/2.png"],
            "lines": [{ "text": "hello" }],
        });
        let pair = |name: &str, text: &str| (name.to_owned(), text.to_owned());
        let (mut texts, links) = parts(params.as_object().unwrap());
        texts.sort();
        assert_eq!(texts, [pair("prompt", "a castle"), pair("text", "hello")]);
        assert_eq!(
            links,
            [
                pair("image_urls", "https://a.example/1.png"),
                pair("image_urls", "https://a.example/2.png")
            ]
        );
    }
}

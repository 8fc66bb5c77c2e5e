//! The record of changes, for operators: all of it, or that of one account or of one kind.

use std::collections::HashMap;

use askama::Template;
use atelier_app::changes::ChangeFilter;
use axum::extract::{Query, State};

use super::settings::ChangeView;
use crate::{
    error::Result,
    frame::{Frame, page},
    session::SignedOperator,
    state::Console,
};

/// Changes on a page.
const PAGE: u32 = 50;
/// The part of actions before the dot, and its name for people.
const KINDS: [(&str, &str); 25] = [
    ("account", "accounts"),
    ("api", "the API switch"),
    ("balance", "balance alerts"),
    ("credits", "credits"),
    ("delivery", "deliveries"),
    ("endpoint", "webhook endpoints"),
    ("generation", "jobs"),
    ("identity", "identities"),
    ("invitation", "invitations"),
    ("key", "API keys"),
    ("licence", "licences"),
    ("media", "takedowns"),
    ("member", "members"),
    ("password", "passwords"),
    ("plan", "plans"),
    ("policy", "content policy"),
    ("program", "programs"),
    ("secret", "signing secrets"),
    ("session", "sessions"),
    ("two_step", "two-step sign-in"),
    ("upload", "uploads"),
    ("user", "users"),
    ("webhook", "webhook tests"),
    ("weights", "trained models"),
    ("worker_token", "worker tokens"),
];

#[derive(Template)]
#[template(path = "operator/audit.html")]
struct AuditPage {
    frame: Frame,
    changes: Vec<ChangeView>,
    accounts: Vec<String>,
    kinds: &'static [(&'static str, &'static str)],
    account: String,
    kind: String,
    more: Option<String>,
}

pub(crate) async fn audit(
    State(console): State<Console>,
    by: SignedOperator,
    Query(query): Query<HashMap<String, String>>,
) -> Result {
    let get = |name: &str| query.get(name).cloned().unwrap_or_default();
    let (account, kind) = (get("account"), get("kind"));
    let given = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
    let filter = ChangeFilter {
        account: given(&account),
        kind: given(&kind),
    };
    let before = query.get("before").and_then(|text| text.parse().ok());
    let app = &console.app;
    let changes = app.changes(&by.operator, &filter, before, PAGE).await?;
    let accounts = app.admin(&by.operator).accounts().await?;
    let more = changes.next.map(|before| {
        let query = form_urlencoded::Serializer::new(String::new())
            .append_pair("account", &account)
            .append_pair("kind", &kind)
            .append_pair("before", &before.to_string())
            .finish();
        format!("/account/operator/audit?{query}")
    });
    Ok(page(&AuditPage {
        frame: by.signed.frame("Audit", "/account/operator/audit"),
        changes: changes.items.into_iter().map(ChangeView::from).collect(),
        accounts: accounts.into_iter().map(|account| account.name).collect(),
        kinds: &KINDS,
        account,
        kind,
        more,
    }))
}

//! `atelier webhook`: lists deliveries, sends them again, sends a test.

use std::sync::Arc;

use atelier_app::webhooks::deliveries::{AttemptView, DeliveryDetail, DeliveryView, ListDeliveries, filter};
use serde_json::json;

use super::OnStore;
use crate::{
    cli,
    failure::Failure,
    output::{fields, table},
};

pub(super) async fn run(session: Arc<OnStore>, command: cli::Webhook) -> Result<(), Failure> {
    match command {
        cli::Webhook::List(list) => show_list(&session, list).await,
        cli::Webhook::Show { account, id } => show(&session, &account, &id).await,
        cli::Webhook::Redeliver { account, id, .. } => match id {
            Some(id) => send_again(&session, &account, &id).await,
            None => send_failed(&session, &account).await,
        },
        cli::Webhook::Test { account, url } => test(&session, &account, &url).await,
    }
}

async fn show_list(session: &OnStore, list: cli::ListDeliveries) -> Result<(), Failure> {
    let words = (&list.state, &list.event, &list.generation);
    let filter = filter(words.0.as_deref(), words.1.as_deref(), words.2.as_deref())?;
    let account = list.account;
    let list = ListDeliveries {
        filter,
        limit: Some(list.limit),
        cursor: None,
    };
    let listed = session.admin.deliveries(&account, list).await?;
    let row = |delivery: &DeliveryView| {
        vec![
            delivery.id.clone(),
            delivery.event.to_owned(),
            delivery.state.to_owned(),
            delivery.attempt_count.to_string(),
            delivery.last_attempt.as_ref().map_or_else(|| "-".to_owned(), met),
            delivery.url.clone(),
        ]
    };
    Ok(session.output.result(&listed.items, || {
        if listed.items.is_empty() {
            return "No deliveries found.".to_owned();
        }
        let header = ["delivery", "event", "state", "attempts", "last", "url"];
        let shown = table(&header, listed.items.iter().map(row).collect());
        format!("{shown}{} of {}.\n", listed.items.len(), listed.total)
    })?)
}

async fn show(session: &OnStore, account: &str, id: &str) -> Result<(), Failure> {
    show_delivery(session, &session.admin.delivery(account, id).await?)
}

async fn send_again(session: &OnStore, account: &str, id: &str) -> Result<(), Failure> {
    show_delivery(session, &session.admin.redeliver(account, id).await?)
}

async fn send_failed(session: &OnStore, account: &str) -> Result<(), Failure> {
    let sent = session.admin.redeliver_failed(account).await?;
    Ok(session.output.result(&json!({ "redelivered": sent }), || {
        format!("{sent} failed deliveries are pending again. A running server or worker sends them.")
    })?)
}

async fn test(session: &OnStore, account: &str, url: &str) -> Result<(), Failure> {
    show_delivery(session, &session.admin.test_webhook(account, url).await?)
}

fn show_delivery(session: &OnStore, detail: &DeliveryDetail) -> Result<(), Failure> {
    Ok(session.output.result(detail, || described(detail))?)
}

fn described(detail: &DeliveryDetail) -> String {
    let DeliveryDetail {
        delivery,
        attempts,
        body,
        headers,
    } = detail;
    let shown = [
        ("id", delivery.id.clone()),
        ("event", delivery.event.to_owned()),
        (
            "generation",
            delivery.generation.clone().unwrap_or_else(|| "-".to_owned()),
        ),
        ("url", delivery.url.clone()),
        ("state", delivery.state.to_owned()),
        ("created", delivery.created_at.clone()),
    ];
    let rows = attempts.iter().map(|attempt| {
        vec![
            attempt.number.to_string(),
            attempt.at.clone(),
            format!("{} ms", attempt.latency_ms),
            met(attempt),
            attempt.response.clone().unwrap_or_default(),
        ]
    });
    let made = table(&["attempt", "time", "took", "result", "response"], rows.collect());
    let sent: Vec<_> = headers
        .iter()
        .map(|header| format!("{}: {}\n", header.name, header.value))
        .collect();
    format!("{}\n{made}\n{}\n{body}\n", fields(&shown), sent.concat())
}

fn met(attempt: &AttemptView) -> String {
    match (attempt.status, &attempt.error) {
        (Some(status), _) => status.to_string(),
        (None, Some(error)) => error.clone(),
        (None, None) => "-".to_owned(),
    }
}

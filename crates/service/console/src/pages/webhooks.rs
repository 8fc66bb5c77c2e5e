//! Webhooks: deliveries, the answers to them, and sending them again.

use std::collections::HashMap;

use askama::Template;
use atelier_app::{
    Error,
    webhooks::deliveries::{AttemptView, DeliveryDetail, DeliveryView, ListDeliveries, filter},
};
use atelier_domain::FileName;
use axum::{
    extract::{Path, Query, State},
    http::StatusCode,
    response::{IntoResponse as _, Redirect},
};

use super::endpoints::EndpointRow;
use crate::{
    error::{PageError, Result, capital},
    frame::{Frame, page, page_with},
    moment::Moment,
    session::{Posted, Signed},
    state::Console,
    text,
};

const PAGE: u32 = 25;

#[derive(Template)]
#[template(path = "webhooks/index.html")]
struct WebhooksPage {
    frame: Frame,
    endpoints: Vec<EndpointRow>,
    deliveries: Vec<DeliveryRow>,
    more: Option<String>,
    /// The number of failed deliveries on all pages; empty if there are none.
    failed: String,
    state: String,
    url: String,
    problem: String,
}

#[derive(Template)]
#[template(path = "webhooks/delivery.html")]
struct DeliveryPage {
    frame: Frame,
    delivery: DeliveryRow,
    generation: Option<String>,
    next_attempt: Option<Moment>,
    can_redeliver: bool,
    attempts: Vec<AttemptRow>,
    headers: String,
    body: String,
    /// Files in the body that are no longer served, and the reasons.
    gone: Vec<(String, &'static str)>,
}

pub(crate) struct DeliveryRow {
    pub id: String,
    pub when: Moment,
    pub event: &'static str,
    pub state: &'static str,
    pub tone: &'static str,
    pub answer: String,
    pub url: String,
}

pub(crate) struct AttemptRow {
    pub number: u32,
    pub when: Moment,
    pub took: String,
    pub outcome: String,
    pub tone: &'static str,
    pub error: String,
    pub response: String,
}

impl DeliveryRow {
    /// Whether another attempt may change what the page shows.
    fn is_pending(&self) -> bool {
        !["delivered", "failed"].contains(&self.state)
    }
}

impl From<&DeliveryView> for DeliveryRow {
    fn from(view: &DeliveryView) -> Self {
        let answer = view.last_attempt.as_ref().map_or_else(
            || "\u{2013}".to_owned(),
            |attempt| format!("{} in {} ms", outcome(attempt), attempt.latency_ms),
        );
        Self {
            id: view.id.clone(),
            when: Moment::parse(&view.created_at),
            event: view.event,
            state: view.state,
            tone: match view.state {
                "delivered" => "good",
                "failed" => "bad",
                _ => "busy",
            },
            answer,
            url: view.url.clone(),
        }
    }
}

impl From<AttemptView> for AttemptRow {
    fn from(attempt: AttemptView) -> Self {
        Self {
            number: attempt.number,
            when: Moment::parse(&attempt.at),
            took: format!("{} ms", text::count(attempt.latency_ms)),
            outcome: outcome(&attempt),
            tone: match attempt.status {
                Some(200..300) => "good",
                _ => "bad",
            },
            error: attempt.error.unwrap_or_default(),
            response: attempt.response.unwrap_or_default(),
        }
    }
}

/// The attempts of a delivery, for the page of its generation.
pub(crate) fn rows(detail: DeliveryDetail) -> (DeliveryRow, Vec<AttemptRow>) {
    let row = DeliveryRow::from(&detail.delivery);
    (row, detail.attempts.into_iter().map(AttemptRow::from).collect())
}

fn outcome(attempt: &AttemptView) -> String {
    attempt
        .status
        .map_or_else(|| "no answer".to_owned(), |status| status.to_string())
}

pub(crate) async fn index(
    State(console): State<Console>,
    signed: Signed,
    Query(query): Query<HashMap<String, String>>,
) -> Result {
    Ok(page(&view(&console, &signed, &query).await?))
}

pub(crate) async fn delivery(
    State(console): State<Console>,
    signed: Signed,
    Path(id): Path<String>,
) -> Result {
    let detail = console.app.delivery(&signed.signed_in.caller, &id).await?;
    let headers = detail
        .headers
        .iter()
        .map(|header| format!("{}: {}\n", header.name, header.value));
    let gone = files_gone(&console, &detail.body).await?;
    Ok(page(&DeliveryPage {
        gone,
        frame: signed.frame("Delivery", "/account/webhooks"),
        headers: headers.collect(),
        body: detail.body.clone(),
        generation: detail.delivery.generation.clone(),
        next_attempt: detail.delivery.next_attempt_at.as_deref().map(Moment::parse),
        can_redeliver: matches!(detail.delivery.state, "delivered" | "failed"),
        delivery: DeliveryRow::from(&detail.delivery),
        attempts: detail.attempts.into_iter().map(AttemptRow::from).collect(),
    }))
}

/// The files of a delivery that are no longer served, and the reasons.
async fn files_gone(
    console: &Console,
    body: &str,
) -> std::result::Result<Vec<(String, &'static str)>, PageError> {
    let body: serde_json::Value = serde_json::from_str(body).unwrap_or_default();
    let assets = body
        .pointer("/data/output/assets")
        .and_then(serde_json::Value::as_array);
    let urls = assets
        .into_iter()
        .flatten()
        .filter_map(|asset| asset["url"].as_str());
    let stored = urls.filter_map(|url| Some((url, console.app.stored_file(url)?.ok()?)));
    let (urls, files): (Vec<&str>, Vec<FileName>) = stored.unzip();
    let gone = console.app.files_gone(&files).await?;
    let of = |(url, file)| Some((String::from(url), *gone.get(file)?));
    Ok(urls.into_iter().zip(&files).filter_map(of).collect())
}

pub(crate) async fn redeliver(
    State(console): State<Console>,
    Path(id): Path<String>,
    posted: Posted,
) -> Result {
    let detail = console
        .app
        .redeliver(&posted.signed.signed_in.caller, &id)
        .await?;
    Ok(Redirect::to(&format!("/account/webhooks/{}", detail.delivery.id)).into_response())
}

pub(crate) async fn redeliver_failed(State(console): State<Console>, posted: Posted) -> Result {
    console
        .app
        .redeliver_failed(&posted.signed.signed_in.caller)
        .await?;
    Ok(Redirect::to("/account/webhooks").into_response())
}

pub(crate) async fn test(State(console): State<Console>, posted: Posted) -> Result {
    let url = posted.form.get("url").trim().to_owned();
    match console
        .app
        .test_webhook(&posted.signed.signed_in.caller, &url)
        .await
    {
        Ok(detail) => Ok(Redirect::to(&format!("/account/webhooks/{}", detail.delivery.id)).into_response()),
        Err(error @ (Error::InvalidRequest { .. } | Error::ApiDisabled(_))) => {
            let mut shown = view(&console, &posted.signed, &HashMap::new()).await?;
            shown.problem = capital(error.to_string().trim_start_matches("`url`: "));
            shown.url = url;
            Ok(page_with(StatusCode::BAD_REQUEST, &shown))
        }
        Err(other) => Err(other.into()),
    }
}

async fn view(
    console: &Console,
    signed: &Signed,
    query: &HashMap<String, String>,
) -> std::result::Result<WebhooksPage, PageError> {
    let caller = &signed.signed_in.caller;
    let state = query.get("state").cloned().unwrap_or_default();
    let listed = console
        .app
        .list_deliveries(
            caller,
            ListDeliveries {
                filter: filter(Some(state.as_str()).filter(|state| !state.is_empty()), None, None)?,
                limit: Some(PAGE),
                cursor: query.get("cursor").cloned(),
            },
        )
        .await?;
    let failed = console
        .app
        .list_deliveries(
            caller,
            ListDeliveries {
                filter: filter(Some("failed"), None, None)?,
                limit: Some(1),
                cursor: None,
            },
        )
        .await?;
    let endpoints = console.app.endpoints(caller).await?;
    let more = listed.next_cursor.map(|cursor| {
        let query = form_urlencoded::Serializer::new(String::new())
            .append_pair("state", &state)
            .append_pair("cursor", &cursor)
            .finish();
        format!("/account/webhooks?{query}")
    });
    Ok(WebhooksPage {
        frame: signed.frame("Webhooks", "/account/webhooks"),
        endpoints: endpoints.into_iter().map(EndpointRow::from).collect(),
        deliveries: listed.items.iter().map(DeliveryRow::from).collect(),
        more,
        failed: match failed.total {
            0 => String::new(),
            total => text::count(total),
        },
        state,
        url: String::new(),
        problem: String::new(),
    })
}

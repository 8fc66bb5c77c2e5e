//! The log of API requests.

use std::{collections::HashMap, time::Duration};

use askama::Template;
use atelier_app::requests::{ListRequests, RequestEntry, filter};
use axum::extract::{Query, State};

use crate::{
    error::Result,
    frame::{Frame, page},
    moment::Moment,
    session::Signed,
    state::Console,
    text,
};

const PAGE: u32 = 50;
/// The periods that can be chosen: hours, and what people read.
pub(crate) const PERIODS: [(&str, &str); 4] = [
    ("", "All days"),
    ("1", "Last hour"),
    ("24", "Last 24 hours"),
    ("72", "Last 3 days"),
];

#[derive(Template)]
#[template(path = "requests.html")]
struct RequestsPage {
    frame: Frame,
    rows: Vec<Row>,
    total: String,
    more: Option<String>,
    /// Ids and names.
    keys: Vec<(String, String)>,
    status: String,
    key: String,
    hours: String,
    /// For how many days requests are kept, if not for ever.
    days: Option<u64>,
}

struct Row {
    when: Moment,
    method: String,
    path: String,
    status: u16,
    tone: &'static str,
    code: Option<String>,
    key: Option<String>,
    latency: String,
    request_id: String,
    generation: Option<String>,
    /// Empty for one.
    count: String,
}

impl From<RequestEntry> for Row {
    fn from(entry: RequestEntry) -> Self {
        Self {
            when: Moment::parse(&entry.created_at),
            tone: match entry.status {
                200..300 => "good",
                300..400 => "",
                _ => "bad",
            },
            latency: text::count(entry.latency_ms),
            count: match entry.count {
                0 | 1 => String::new(),
                more => text::count(more),
            },
            key: entry.key.map(|key| format!("{} ({}…)", key.name, key.prefix)),
            method: entry.method,
            path: entry.path,
            status: entry.status,
            code: entry.code,
            request_id: entry.request_id,
            generation: entry.generation,
        }
    }
}

pub(crate) async fn index(
    State(console): State<Console>,
    signed: Signed,
    Query(query): Query<HashMap<String, String>>,
) -> Result {
    let caller = &signed.signed_in.caller;
    let chosen = |name: &str| query.get(name).filter(|value| !value.is_empty()).cloned();
    let (status, key, hours) = (chosen("status"), chosen("key"), chosen("hours"));
    let mut matching = filter(status.as_deref(), key.as_deref(), None, None)?;
    let period = hours.as_deref().and_then(|hours| hours.parse::<u64>().ok());
    matching.from = period.map(|hours| console.app.now().minus(Duration::from_hours(hours.min(24 * 366))));
    let listed = console
        .app
        .list_requests(
            caller,
            ListRequests {
                filter: matching,
                limit: Some(PAGE),
                cursor: chosen("cursor"),
            },
        )
        .await?;
    let [status, key, hours] = [status, key, hours].map(Option::unwrap_or_default);
    let more = listed.next_cursor.map(|cursor| {
        let query = form_urlencoded::Serializer::new(String::new())
            .append_pair("status", &status)
            .append_pair("key", &key)
            .append_pair("hours", &hours)
            .append_pair("cursor", &cursor)
            .finish();
        format!("/account/requests?{query}")
    });
    let keys = console.app.keys(&signed.signed_in).await?;
    Ok(page(&RequestsPage {
        frame: signed.frame("Requests", "/account/requests"),
        rows: listed.items.into_iter().map(Row::from).collect(),
        total: text::count(listed.total),
        more,
        keys: keys
            .into_iter()
            .map(|key| (key.id.to_string(), format!("{} ({}…)", key.name, key.prefix)))
            .collect(),
        status,
        key,
        hours,
        days: console.app.keeps_requests().map(|age| age.as_secs() / 86_400),
    }))
}

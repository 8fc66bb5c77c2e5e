//! The report of a month, for operators, as CSV.

use std::collections::HashMap;

use axum::{
    extract::{Query, State},
    http::header,
    response::IntoResponse as _,
};

use crate::{error::Result, session::SignedOperator, state::Console};

pub(crate) async fn csv(
    State(console): State<Console>,
    by: SignedOperator,
    Query(query): Query<HashMap<String, String>>,
) -> Result {
    let this_month = || {
        console
            .app
            .now()
            .rfc3339()
            .chars()
            .take("2026-11".len())
            .collect()
    };
    let month: String = query.get("month").cloned().unwrap_or_else(this_month);
    let report = console.app.admin(&by.operator).report(&month).await?;
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()),
        (
            header::CONTENT_DISPOSITION,
            // A month that was read has digits only.
            format!("attachment; filename=\"report-{month}.csv\""),
        ),
    ];
    Ok((headers, report.csv()).into_response())
}

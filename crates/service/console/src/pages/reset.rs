//! Choosing a new password with a link from an operator.

use askama::Template;
use atelier_app::Error;
use atelier_catalog::Problem;
use axum::{
    extract::{Path, Request, State},
    http::{HeaderMap, StatusCode},
};

use super::{
    two_step::proceed,
    visitor::{Visitor, insecure, visiting_form},
};
use crate::{
    error::{Result, problem_of},
    frame::{Frame, page_with},
    session::browser,
    state::Console,
};

#[derive(Template)]
#[template(path = "reset.html")]
struct ResetPage {
    frame: Frame,
    token: String,
    login: String,
    problems: Vec<Problem>,
}

impl ResetPage {
    fn problem(&self, name: &str) -> String {
        problem_of(&self.problems, name)
    }
}

pub(crate) async fn reset_page(
    State(console): State<Console>,
    Path(token): Path<String>,
    headers: HeaderMap,
) -> Result {
    let Some(visitor) = Visitor::of(&console, &headers) else {
        return Ok(insecure(&headers));
    };
    let page = ResetPage {
        frame: visitor.frame(&headers, "New password"),
        login: console.app.open_reset(&token).await?,
        token,
        problems: Vec::new(),
    };
    Ok(visitor.answer(page_with(StatusCode::OK, &page)))
}

pub(crate) async fn reset(
    State(console): State<Console>,
    Path(token): Path<String>,
    request: Request,
) -> Result {
    let (visitor, parts, form) = match visiting_form(&console, request).await {
        Ok(visit) => visit,
        Err(response) => return Ok(response),
    };
    let login = console.app.open_reset(&token).await?;
    let password = form.get("password");
    let changed = if password == form.get("again") {
        console
            .app
            .reset_password(&token, password, &browser(&console, &parts))
            .await
    } else {
        Err(Error::parameter("again", "the two passwords differ"))
    };
    match changed {
        Ok(entry) => Ok(proceed(&visitor, &parts.headers, entry, "/account", None)),
        Err(Error::InvalidRequest { details, .. }) => {
            let page = ResetPage {
                frame: visitor.frame(&parts.headers, "New password"),
                token,
                login,
                problems: details,
            };
            Ok(page_with(StatusCode::BAD_REQUEST, &page))
        }
        Err(other) => Err(other.into()),
    }
}

//! Choosing a new password with a link, which an operator hands over or the service mails.

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
    error::{PageError, Result, capital, problem_of},
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

#[derive(Template)]
#[template(path = "forgot.html")]
struct ForgotPage {
    frame: Frame,
    asked: bool,
    problem: Option<String>,
}

pub(crate) async fn forgot_page(State(console): State<Console>, headers: HeaderMap) -> Result {
    if !console.app.has_mail() {
        return Err(PageError::missing());
    }
    let Some(visitor) = Visitor::of(&console, &headers) else {
        return Ok(insecure(&headers));
    };
    let page = ForgotPage {
        frame: visitor.frame(&headers, "Forgot your password?"),
        asked: false,
        problem: None,
    };
    Ok(visitor.answer(page_with(StatusCode::OK, &page)))
}

/// Mails a link. The answer does not tell whether the login exists.
pub(crate) async fn forgot(State(console): State<Console>, request: Request) -> Result {
    let (visitor, parts, form) = match visiting_form(&console, request).await {
        Ok(visit) => visit,
        Err(response) => return Ok(response),
    };
    let browser = browser(&console, &parts);
    let asked = console
        .app
        .mail_reset(form.get("login"), &browser, &console.options.public_url);
    let mut page = ForgotPage {
        frame: visitor.frame(&parts.headers, "Forgot your password?"),
        asked: asked.is_ok(),
        problem: None,
    };
    match asked {
        Ok(()) => Ok(page_with(StatusCode::OK, &page)),
        Err(error @ Error::RateLimited(_)) => {
            page.problem = Some(capital(&error.to_string()));
            Ok(page_with(StatusCode::TOO_MANY_REQUESTS, &page))
        }
        Err(other) => Err(other.into()),
    }
}

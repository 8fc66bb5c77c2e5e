//! Signing in, joining by an invitation, signing out.

use std::collections::HashMap;

use askama::Template;
use atelier_app::Error;
use atelier_catalog::Problem;
use axum::{
    extract::{Path, Query, Request, State},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse as _, Redirect},
};

use super::{
    two_step::proceed,
    visitor::{Visitor, enter, insecure, refusal, safe_next, visiting_form},
};
use crate::{
    cookie::Secret,
    error::{PageError, Result, problem_of, wait_before_retry},
    frame::{Frame, page_with},
    origin,
    session::{self, Posted, browser},
    state::Console,
};

#[derive(Template)]
#[template(path = "sign_in.html")]
struct SignInPage {
    frame: Frame,
    /// The OpenID provider, if there is one.
    provider: Option<String>,
    /// Whether the service can mail a link for a new password.
    mail: bool,
    next: String,
    login: String,
    problem: Option<String>,
}

#[derive(Template)]
#[template(path = "join.html")]
struct JoinPage {
    frame: Frame,
    token: String,
    login: String,
    /// `None` for the first operator, whose account is created together with the login.
    account: Option<String>,
    operator: bool,
    /// The role in the account, and what it allows.
    role: (&'static str, &'static str),
    /// The user who is signed in, and the token of their forms.
    me: Option<(String, String)>,
    problems: Vec<Problem>,
    /// Why an existing login could not join.
    refused: Option<String>,
}

impl JoinPage {
    fn problem(&self, name: &str) -> String {
        problem_of(&self.problems, name)
    }
}

pub(crate) async fn sign_in_page(
    State(console): State<Console>,
    Query(query): Query<HashMap<String, String>>,
    request: Request,
) -> Result {
    let (parts, _) = request.into_parts();
    let next = safe_next(query.get("next").map_or("", String::as_str));
    if session::find(&console, &parts).await?.is_some() {
        return Ok(Redirect::to(&next).into_response());
    }
    let Some(visitor) = Visitor::of(&console, &parts.headers) else {
        return Ok(insecure(&parts.headers));
    };
    let page = SignInPage {
        frame: visitor.frame(&parts.headers, "Sign in"),
        provider: console.app.oidc_name().map(str::to_owned),
        mail: console.app.has_mail(),
        next,
        login: String::new(),
        problem: None,
    };
    Ok(visitor.answer(page_with(StatusCode::OK, &page)))
}

pub(crate) async fn sign_in(State(console): State<Console>, request: Request) -> Result {
    let (visitor, parts, form) = match visiting_form(&console, request).await {
        Ok(visit) => visit,
        Err(response) => return Ok(response),
    };
    let next = safe_next(form.get("next"));
    let login = form.get("login").trim().to_owned();
    match console
        .app
        .sign_in(&login, form.get("password"), &browser(&console, &parts))
        .await
    {
        Ok(entry) => Ok(proceed(&visitor, &parts.headers, entry, &next, None)),
        Err(error @ (Error::InvalidRequest { .. } | Error::RateLimited(_))) => {
            let (status, problem) = refusal(&error);
            let page = SignInPage {
                frame: visitor.frame(&parts.headers, "Sign in"),
                provider: console.app.oidc_name().map(str::to_owned),
                mail: console.app.has_mail(),
                next,
                login,
                problem: Some(problem),
            };
            let mut page = page_with(status, &page);
            if let Error::RateLimited(limited) = &error {
                wait_before_retry(&mut page, limited.retry_after_seconds);
            }
            Ok(page)
        }
        Err(other) => Err(other.into()),
    }
}

pub(crate) async fn join_page(
    State(console): State<Console>,
    Path(token): Path<String>,
    request: Request,
) -> Result {
    let (parts, _) = request.into_parts();
    let headers = &parts.headers;
    let Some(visitor) = Visitor::of(&console, headers) else {
        return Ok(insecure(headers));
    };
    let mut page = join_form(&console, &visitor, headers, token).await?;
    let signed = session::find(&console, &parts).await?;
    page.me = signed.map(|signed| {
        let signed_in = signed.signed_in;
        (signed_in.user.login.clone(), signed_in.csrf().to_owned())
    });
    Ok(visitor.answer(page_with(StatusCode::OK, &page)))
}

pub(crate) async fn join(
    State(console): State<Console>,
    Path(token): Path<String>,
    request: Request,
) -> Result {
    let (visitor, parts, form) = match visiting_form(&console, request).await {
        Ok(visit) => visit,
        Err(response) => return Ok(response),
    };
    let login = form.get("login").trim().to_owned();
    let mut page = join_form(&console, &visitor, &parts.headers, token.clone()).await?;
    page.login.clone_from(&login);
    if form.get("password") != form.get("again") {
        page.problems = vec![Problem {
            parameter: "again".to_owned(),
            message: "the two passwords differ".to_owned(),
        }];
        return Ok(page_with(StatusCode::BAD_REQUEST, &page));
    }
    let joined = console
        .app
        .join(&token, &login, form.get("password"), &browser(&console, &parts))
        .await;
    match joined {
        Ok(session) => Ok(enter(visitor.transport, &session, "/account")),
        Err(Error::InvalidRequest { message, details }) => {
            page.problems = details;
            if page.problems.is_empty() {
                page.problems.push(Problem {
                    parameter: "login".to_owned(),
                    message,
                });
            }
            Ok(page_with(StatusCode::BAD_REQUEST, &page))
        }
        Err(other) => Err(other.into()),
    }
}

/// Accepts an invitation for somebody who has a login.
pub(crate) async fn join_with_login(
    State(console): State<Console>,
    Path(token): Path<String>,
    request: Request,
) -> Result {
    let (visitor, parts, form) = match visiting_form(&console, request).await {
        Ok(visit) => visit,
        Err(response) => return Ok(response),
    };
    let (login, password) = (form.get("known_login").trim(), form.get("known_password"));
    let browser = browser(&console, &parts);
    match console
        .app
        .join_with_login(&token, login, password, &browser)
        .await
    {
        Ok(entry) => Ok(proceed(&visitor, &parts.headers, entry, "/account", Some(token))),
        Err(error @ (Error::InvalidRequest { .. } | Error::RateLimited(_) | Error::Conflict(_))) => {
            let (status, problem) = refusal(&error);
            let mut page = join_form(&console, &visitor, &parts.headers, token).await?;
            page.refused = Some(problem);
            Ok(page_with(status, &page))
        }
        Err(other) => Err(other.into()),
    }
}

pub(crate) async fn sign_out(State(console): State<Console>, headers: HeaderMap, posted: Posted) -> Result {
    console.app.sign_out(&posted.signed.signed_in).await?;
    let mut response = Redirect::to("/account/sign-in").into_response();
    if let Some(transport) = origin::transport(&console.options.public_url, &headers) {
        let cookie = Secret::Session.set(transport, "", 0);
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

async fn join_form(
    console: &Console,
    visitor: &Visitor,
    headers: &HeaderMap,
    token: String,
) -> std::result::Result<JoinPage, PageError> {
    let open = console.app.open_invitation(&token).await?;
    Ok(JoinPage {
        frame: visitor.frame(headers, "Join"),
        token,
        login: String::new(),
        account: open.account.map(|account| account.name),
        operator: open.role == atelier_domain::Role::Operator,
        role: (open.account_role.as_str(), open.account_role.hint()),
        me: None,
        problems: Vec::new(),
        refused: None,
    })
}

//! Signing in, joining by an invitation, signing out.

use std::collections::HashMap;

use askama::Template;
use atelier_app::{Error, people::NewSession};
use atelier_catalog::Problem;
use axum::{
    extract::{FromRequest as _, Path, Query, Request, State},
    http::{HeaderMap, StatusCode, header, request::Parts},
    response::{IntoResponse, Redirect, Response},
};

use crate::{
    cookie::Secret,
    csrf,
    error::{PageError, Result, capital},
    form::Form,
    frame::{Frame, Theme, page_with},
    origin::{self, Transport},
    session::{self, Posted, browser},
    state::Console,
};

/// How long the sign-in form may stay open, in seconds.
const VISIT: u64 = 86_400;
/// Sessions expire on the server before this time; the cookie only has to last as long.
const SESSION: u64 = 90 * 86_400;

#[derive(Template)]
#[template(path = "sign_in.html")]
struct SignInPage {
    frame: Frame,
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
    problems: Vec<Problem>,
}

impl JoinPage {
    fn problem(&self, name: &str) -> String {
        let found = self.problems.iter().find(|problem| problem.parameter == name);
        found.map_or_else(String::new, |problem| capital(&problem.message))
    }
}

#[derive(Template)]
#[template(path = "insecure.html")]
struct InsecurePage {
    frame: Frame,
}

/// A browser before signing in: the secret that its forms are tied to, and whether it still has to receive it.
struct Visitor {
    secret: String,
    new: bool,
    transport: Transport,
}

impl Visitor {
    fn of(console: &Console, headers: &HeaderMap) -> Option<Self> {
        let transport = origin::transport(&console.options.public_url, headers)?;
        let known = Secret::Visitor
            .read(transport, headers)
            .filter(|secret| secret.len() == 32);
        let new = known.is_none();
        let secret = known.map_or_else(
            || {
                let mut random = [0; 16];
                console.app.entropy().fill(&mut random);
                hex::encode(random)
            },
            str::to_owned,
        );
        Some(Self {
            secret,
            new,
            transport,
        })
    }

    fn frame(&self, headers: &HeaderMap, title: &str) -> Frame {
        Frame {
            title: title.to_owned(),
            theme: Theme::read(headers),
            csrf: csrf::token(&self.secret),
            ..Frame::default()
        }
    }

    fn answer(&self, mut response: Response) -> Response {
        if self.new {
            let cookie = Secret::Visitor.set(self.transport, &self.secret, VISIT);
            response.headers_mut().append(header::SET_COOKIE, cookie);
        }
        response
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
        .sign_in(&login, form.get("password"), &browser(&parts))
        .await
    {
        Ok(session) => Ok(enter(visitor.transport, &session, &next)),
        Err(error @ (Error::InvalidRequest { .. } | Error::RateLimited(_))) => {
            let (status, problem) = match &error {
                Error::RateLimited(limited) => (
                    StatusCode::TOO_MANY_REQUESTS,
                    format!(
                        "Too many failed attempts. Wait {} s, then try again.",
                        limited.retry_after_seconds
                    ),
                ),
                other => (StatusCode::BAD_REQUEST, capital(&other.to_string())),
            };
            let page = SignInPage {
                frame: visitor.frame(&parts.headers, "Sign in"),
                next,
                login,
                problem: Some(problem),
            };
            Ok(page_with(status, &page))
        }
        Err(other) => Err(other.into()),
    }
}

pub(crate) async fn join_page(
    State(console): State<Console>,
    Path(token): Path<String>,
    headers: HeaderMap,
) -> Result {
    let Some(visitor) = Visitor::of(&console, &headers) else {
        return Ok(insecure(&headers));
    };
    let page = join_form(&console, &visitor, &headers, token).await?;
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
        .join(&token, &login, form.get("password"), &browser(&parts))
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
        problems: Vec::new(),
    })
}

/// Reads a form of a visitor who has not signed in. It must come from our own page and be tied to this browser.
async fn visiting_form(
    console: &Console,
    request: Request,
) -> std::result::Result<(Visitor, Parts, Form), Response> {
    let (parts, body) = request.into_parts();
    let Some(visitor) = Visitor::of(console, &parts.headers) else {
        return Err(insecure(&parts.headers));
    };
    if visitor.new || !origin::is_own(&console.options.public_url, &parts.headers) {
        return Err(PageError::Forged.into_response());
    }
    let form = Form::from_request(Request::from_parts(parts.clone(), body), console).await?;
    if !csrf::is_valid(&visitor.secret, form.get(csrf::FIELD)) {
        return Err(PageError::Forged.into_response());
    }
    Ok((visitor, parts, form))
}

fn enter(transport: Transport, session: &NewSession, next: &str) -> Response {
    let mut response = Redirect::to(next).into_response();
    let headers = response.headers_mut();
    headers.append(
        header::SET_COOKIE,
        Secret::Session.set(transport, &session.token, SESSION),
    );
    // The next visitor who uses this browser gets a new secret.
    headers.append(header::SET_COOKIE, Secret::Visitor.set(transport, "", 0));
    response
}

fn insecure(headers: &HeaderMap) -> Response {
    let frame = Frame {
        title: "HTTPS required".to_owned(),
        theme: Theme::read(headers),
        ..Frame::default()
    };
    page_with(StatusCode::FORBIDDEN, &InsecurePage { frame })
}

/// Where to go after signing in: only our own pages are allowed.
fn safe_next(next: &str) -> String {
    let own = next == "/account"
        || ["/account/", "/account?", "/docs"]
            .iter()
            .any(|start| next.starts_with(start));
    let plain = next.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    let next = if own && plain { next } else { "/account" };
    next.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signing_in_leads_to_our_own_pages_only() {
        assert_eq!(
            safe_next("/account/gallery?type=image"),
            "/account/gallery?type=image"
        );
        for other in [
            "",
            "https://evil.example",
            "//evil.example",
            "/accountant",
            "/account/\\evil",
            "/account/\r\nx",
        ] {
            assert_eq!(safe_next(other), "/account", "{other}");
        }
    }
}

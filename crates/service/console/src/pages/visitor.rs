//! The common parts of the pages before signing in: the visitor's secret, which their forms are tied to, refusals, the
//! page to go to afterwards, and the session cookie.

use askama::Template;
use atelier_app::{Error, people::NewSession};
use axum::{
    extract::{FromRequest as _, Request},
    http::{HeaderMap, StatusCode, header, request::Parts},
    response::{IntoResponse as _, Redirect, Response},
};

use crate::{
    cookie::Secret,
    csrf,
    error::{PageError, capital},
    form::Form,
    frame::{Frame, Theme, page_with},
    origin::{self, Transport},
    state::Console,
};

/// How long the sign-in form may stay open, in seconds.
const VISIT: u64 = 86_400;
/// Sessions expire on the server before this time; the cookie only has to last as long.
const SESSION: u64 = 90 * 86_400;

#[derive(Template)]
#[template(path = "insecure.html")]
struct InsecurePage {
    frame: Frame,
}

/// A browser before signing in: the secret that its forms are tied to, and whether it still has to receive it.
pub(super) struct Visitor {
    secret: String,
    new: bool,
    pub(super) transport: Transport,
}

impl Visitor {
    pub(super) fn of(console: &Console, headers: &HeaderMap) -> Option<Self> {
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

    pub(super) fn frame(&self, headers: &HeaderMap, title: &str) -> Frame {
        Frame {
            title: title.to_owned(),
            theme: Theme::read(headers),
            csrf: csrf::token(&self.secret),
            ..Frame::default()
        }
    }

    pub(super) fn answer(&self, mut response: Response) -> Response {
        if self.new {
            let cookie = Secret::Visitor.set(self.transport, &self.secret, VISIT);
            response.headers_mut().append(header::SET_COOKIE, cookie);
        }
        response
    }
}

/// Reads a form of a visitor who has not signed in. It must come from our own page and be tied to this browser.
pub(super) async fn visiting_form(
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

pub(super) fn enter(transport: Transport, session: &NewSession, next: &str) -> Response {
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

pub(super) fn insecure(headers: &HeaderMap) -> Response {
    let frame = Frame {
        title: "HTTPS required".to_owned(),
        theme: Theme::read(headers),
        ..Frame::default()
    };
    page_with(StatusCode::FORBIDDEN, &InsecurePage { frame })
}

/// How a page says why a sign-in was refused.
pub(super) fn refusal(error: &Error) -> (StatusCode, String) {
    match error {
        Error::RateLimited(limited) => (
            StatusCode::TOO_MANY_REQUESTS,
            format!(
                "Too many failed attempts. Wait {} s, then try again.",
                limited.retry_after_seconds
            ),
        ),
        Error::Conflict(_) => (StatusCode::CONFLICT, capital(&error.to_string())),
        other => (StatusCode::BAD_REQUEST, capital(&other.to_string())),
    }
}

/// Returns the page to open after signing in: only our own pages are allowed.
pub(super) fn safe_next(next: &str) -> String {
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

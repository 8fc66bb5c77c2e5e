//! The page that is shown when a request fails.

use std::any::Any;

use askama::Template;
use atelier_app::Error;
use atelier_catalog::Problem;
use axum::{
    http::{StatusCode, header::RETRY_AFTER},
    response::{IntoResponse, Redirect, Response},
};

use crate::frame::{Frame, page_with};

#[derive(Debug)]
pub(crate) enum PageError {
    /// There is no session. The browser goes to the sign-in page and from there to `next`, which that page checks. A
    /// script is told to load the sign-in page.
    SignIn {
        next: Option<String>,
        by_script: bool,
    },
    /// The form does not come from one of our pages, or its page is too old.
    Forged,
    /// Also the answer to members who open the operator's pages.
    NotFound(String),
    /// It was deleted or taken down.
    Gone(String),
    App(Error),
}

pub(crate) type Result<T = Response> = std::result::Result<T, PageError>;

impl PageError {
    /// No page has the address.
    pub(crate) fn missing() -> Self {
        Self::NotFound("there is no page at this address".to_owned())
    }
}

impl From<Error> for PageError {
    fn from(error: Error) -> Self {
        match error {
            Error::NotFound(what) => Self::NotFound(what),
            Error::Gone(what) => Self::Gone(what),
            other => Self::App(other),
        }
    }
}

#[derive(Template)]
#[template(path = "error.html")]
struct ErrorPage {
    frame: Frame,
    heading: &'static str,
    message: String,
}

impl IntoResponse for PageError {
    fn into_response(self) -> Response {
        let wait = match &self {
            Self::App(Error::RateLimited(limited)) => Some(limited.retry_after_seconds),
            _ => None,
        };
        let (status, heading, message) = match self {
            Self::SignIn { next, by_script } => return to_sign_in(next.as_deref(), by_script),
            Self::Forged => (
                StatusCode::FORBIDDEN,
                "This form has expired",
                "The form was not sent from this page, or the page was open for too long. Go back, reload the page and \
                 try again."
                    .to_owned(),
            ),
            Self::NotFound(message) => (StatusCode::NOT_FOUND, "Page not found", capital(&message)),
            Self::Gone(message) => (StatusCode::GONE, "Deleted", capital(&message)),
            Self::App(error) => of_app(error),
        };
        let mut page = error_page(status, heading, message);
        if let Some(seconds) = wait {
            wait_before_retry(&mut page, seconds);
        }
        page
    }
}

/// Says when the next request can pass.
pub(crate) fn wait_before_retry(response: &mut Response, seconds: u64) {
    response.headers_mut().insert(RETRY_AFTER, seconds.into());
}

fn to_sign_in(next: Option<&str>, by_script: bool) -> Response {
    let mut path = "/account/sign-in".to_owned();
    if let Some(next) = next.filter(|next| *next != "/account") {
        path.push_str("?next=");
        path.extend(form_urlencoded::byte_serialize(next.as_bytes()));
    }
    if by_script {
        return (StatusCode::UNAUTHORIZED, [("hx-redirect", path)]).into_response();
    }
    Redirect::to(&path).into_response()
}

/// The page for a request whose handler panicked. It does not reveal the cause.
pub(crate) fn panicked(cause: Box<dyn Any + Send>) -> Response {
    atelier_api::count_panic(cause);
    let (status, heading, message) = internal();
    error_page(status, heading, message)
}

fn error_page(status: StatusCode, heading: &'static str, message: String) -> Response {
    let frame = Frame {
        title: heading.to_owned(),
        ..Frame::default()
    };
    page_with(
        status,
        &ErrorPage {
            frame,
            heading,
            message,
        },
    )
}

/// The answer to a method that an address does not have.
pub(crate) fn wrong_method() -> Response {
    let message = "This address does not take requests of this kind.".to_owned();
    error_page(StatusCode::METHOD_NOT_ALLOWED, "Not possible", message)
}

fn internal() -> (StatusCode, &'static str, String) {
    let message =
        "This is an error in the service. Try again. If it happens again, tell the operator at what time.";
    (
        StatusCode::INTERNAL_SERVER_ERROR,
        "Something went wrong",
        message.to_owned(),
    )
}

fn of_app(error: Error) -> (StatusCode, &'static str, String) {
    let message = capital(&error.to_string());
    match error {
        Error::RateLimited(_) | Error::QueueFull { .. } => {
            (StatusCode::TOO_MANY_REQUESTS, "Too many requests", message)
        }
        Error::Conflict(_) => (StatusCode::CONFLICT, "Not possible now", message),
        Error::Unavailable(_) => (StatusCode::SERVICE_UNAVAILABLE, "The service is busy", message),
        Error::NoSpace(_) => (StatusCode::SERVICE_UNAVAILABLE, "The disk is full", message),
        Error::Internal(cause) => {
            tracing::error!(%cause, "a page failed");
            internal()
        }
        Error::Role { .. } => (StatusCode::FORBIDDEN, "Not allowed", message),
        Error::ApiDisabled(_) => (StatusCode::FORBIDDEN, "Not available now", message),
        _ => (StatusCode::BAD_REQUEST, "The request failed", message),
    }
}

/// Returns the problem of a form's field, as a sentence; empty if there is none.
pub(crate) fn problem_of(problems: &[Problem], name: &str) -> String {
    let found = problems.iter().find(|problem| problem.parameter == name);
    found.map_or_else(String::new, |problem| capital(&problem.message))
}

/// A message as a sentence, with a capital letter and a full stop.
pub(crate) fn capital(message: &str) -> String {
    let mut letters = message.chars();
    let mut text: String = letters
        .next()
        .map(|first| first.to_uppercase().collect())
        .unwrap_or_default();
    text.extend(letters);
    if !text.ends_with(['.', '!', '?']) {
        text.push('.');
    }
    text
}

//! What a page answers when it cannot do what was asked: a page too.

use askama::Template;
use atelier_app::Error;
use axum::{
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
};

use crate::frame::{Frame, page_with};

#[derive(Debug)]
pub(crate) enum PageError {
    /// Nobody is signed in: to the door, and from there to `next`. A script is told to load the door as a page.
    SignIn {
        next: Option<String>,
        by_script: bool,
    },
    /// The form is not from one of our pages, or from one that is too old.
    Forged,
    /// Operators only; said as if there were nothing.
    NotFound(String),
    App(Error),
}

pub(crate) type Result<T = Response> = std::result::Result<T, PageError>;

impl From<Error> for PageError {
    fn from(error: Error) -> Self {
        match error {
            Error::NotFound(what) | Error::Gone(what) => Self::NotFound(what),
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
        let (status, heading, message) = match self {
            Self::SignIn { next, by_script } => return to_the_door(next.as_deref(), by_script),
            Self::Forged => (
                StatusCode::FORBIDDEN,
                "This form is too old",
                "It was not sent from this page, or the page was open for too long. Go back, load it again and \
                 repeat what you did."
                    .to_owned(),
            ),
            Self::NotFound(message) => (StatusCode::NOT_FOUND, "There is nothing here", capital(&message)),
            Self::App(error) => of_app(error),
        };
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
}

fn to_the_door(next: Option<&str>, by_script: bool) -> Response {
    let mut door = "/account/sign-in".to_owned();
    if let Some(next) = next.filter(|next| *next != "/account" && !by_script) {
        door.push_str("?next=");
        door.extend(form_urlencoded::byte_serialize(next.as_bytes()));
    }
    if by_script {
        return (StatusCode::UNAUTHORIZED, [("hx-redirect", door)]).into_response();
    }
    Redirect::to(&door).into_response()
}

fn of_app(error: Error) -> (StatusCode, &'static str, String) {
    let message = capital(&error.to_string());
    match error {
        Error::RateLimited(_) => (StatusCode::TOO_MANY_REQUESTS, "One moment", message),
        Error::Unavailable(_) => (StatusCode::SERVICE_UNAVAILABLE, "The service is busy", message),
        Error::Internal(cause) => {
            tracing::error!(%cause, "a page failed");
            (
                StatusCode::INTERNAL_SERVER_ERROR,
                "Something went wrong",
                "It is our fault. Try again; if it happens again, tell the operator when it was.".to_owned(),
            )
        }
        Error::ApiDisabled(_) => (StatusCode::FORBIDDEN, "That is not possible now", message),
        _ => (StatusCode::BAD_REQUEST, "That cannot be done", message),
    }
}

/// With a capital letter and a full stop.
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

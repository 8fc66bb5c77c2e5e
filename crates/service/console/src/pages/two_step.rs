//! Two-step sign-in: the page that asks for a code, and the pages on which users turn it on and off.

use askama::Template;
use atelier_app::{
    Error,
    people::{
        Entry,
        two_step::{NewSecret, two_step_secret},
    },
};
use atelier_catalog::Problem;
use axum::{
    extract::{Request, State},
    http::{HeaderMap, StatusCode},
    response::{IntoResponse as _, Redirect, Response},
};
use qrcodegen::{QrCode, QrCodeEcc};

use super::visitor::{Visitor, enter, insecure, refusal, safe_next, visiting_form};
use crate::{
    error::{PageError, Result, problem_of, wait_before_retry},
    frame::{Frame, page, page_with},
    moment::Moment,
    session::{Posted, Signed, browser},
    state::Console,
};

const HERE: &str = "/account/settings/two-step";

#[derive(Template)]
#[template(path = "code.html")]
struct CodePage {
    frame: Frame,
    /// The proof of the first step.
    pending: String,
    next: String,
    /// The invitation that is accepted afterwards.
    invitation: Option<String>,
    problem: Option<String>,
}

#[derive(Template)]
#[template(path = "two_step.html")]
struct TwoStepPage {
    frame: Frame,
    login: String,
    has_password: bool,
    /// Since when it is on, and how many recovery codes are left.
    on: Option<(Moment, i64)>,
    /// If it is off: a secret to scan, and its picture.
    setup: Option<(NewSecret, Picture)>,
    /// New recovery codes, shown only now.
    codes: Vec<String>,
    problems: Vec<Problem>,
    /// A problem with the form to turn it off, and not with the one for new codes.
    turning_off: bool,
    done: Option<&'static str>,
}

impl TwoStepPage {
    fn problem(&self, name: &str) -> String {
        problem_of(&self.problems, name)
    }
}

/// A QR code as the path of an SVG, with the quiet zone of four modules that scanners need.
struct Picture {
    size: i32,
    path: String,
}

impl Picture {
    fn of(text: &str) -> std::result::Result<Self, PageError> {
        let code = QrCode::encode_text(text, QrCodeEcc::Medium)
            .map_err(|error| Error::Internal(format!("no QR code can be made: {error}")))?;
        let size = code.size();
        let cells = (0..size).flat_map(|y| (0..size).map(move |x| (x, y)));
        let dark = cells.filter(|(x, y)| code.get_module(*x, *y));
        let modules: Vec<String> = dark
            .map(|(x, y)| format!("M{},{}h1v1h-1z", x + 4, y + 4))
            .collect();
        let path = modules.concat();
        Ok(Self { size: size + 8, path })
    }
}

/// Answers a first step that succeeded: the session begins, or the page asks for a code.
pub(super) fn proceed(
    visitor: &Visitor,
    headers: &HeaderMap,
    entry: Entry,
    next: &str,
    invitation: Option<String>,
) -> Response {
    match entry {
        Entry::SignedIn(session) => enter(visitor.transport, &session, next),
        Entry::Code(pending) => {
            let page = CodePage {
                frame: visitor.frame(headers, "Enter the code"),
                pending,
                next: next.to_owned(),
                invitation,
                problem: None,
            };
            visitor.answer(page_with(StatusCode::OK, &page))
        }
    }
}

/// The same for a visitor who comes back from the OpenID provider.
pub(super) fn proceed_from_provider(
    console: &Console,
    headers: &HeaderMap,
    entry: Entry,
    next: &str,
) -> Response {
    match Visitor::of(console, headers) {
        Some(visitor) => proceed(&visitor, headers, entry, next, None),
        None => insecure(headers),
    }
}

/// The second step.
pub(crate) async fn code(State(console): State<Console>, request: Request) -> Result {
    let (visitor, parts, form) = match visiting_form(&console, request).await {
        Ok(visit) => visit,
        Err(response) => return Ok(response),
    };
    let (pending, next) = (form.get("pending"), safe_next(form.get("next")));
    let invitation = form.given("invitation");
    let browser = browser(&console, &parts);
    let app = &console.app;
    match app
        .finish_two_step(pending, form.get("code"), invitation, &browser)
        .await
    {
        Ok(session) => Ok(enter(visitor.transport, &session, &next)),
        Err(error @ (Error::InvalidRequest { .. } | Error::RateLimited(_))) => {
            let (status, problem) = refusal(&error);
            let page = CodePage {
                frame: visitor.frame(&parts.headers, "Enter the code"),
                pending: pending.to_owned(),
                next,
                invitation: invitation.map(str::to_owned),
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

pub(crate) async fn show(State(console): State<Console>, signed: Signed) -> Result {
    let mut shown = view(&console, &signed, None).await?;
    if let Some(codes) = signed.once.text("codes") {
        shown.codes = codes.lines().map(str::to_owned).collect();
        shown.done = Some(match signed.once.text("new") {
            Some(_) => "The old recovery codes no longer work.",
            None => "Two-step sign-in is on.",
        });
    }
    Ok(page(&shown))
}

pub(crate) async fn turn_on(State(console): State<Console>, posted: Posted) -> Result {
    let Posted { signed, form } = posted;
    let secret = form.get("secret");
    let turned_on =
        console
            .app
            .turn_two_step_on(&signed.signed_in, secret, form.get("code"), form.get("proof"));
    match turned_on.await {
        Ok(codes) => {
            let codes = codes.join("\n");
            signed.once.redirect(&console, HERE, &[("codes", &codes)])
        }
        // The same secret is shown again: it is in the app already.
        Err(error) => refused(view(&console, &signed, Some(secret)).await?, error),
    }
}

pub(crate) async fn turn_off(State(console): State<Console>, posted: Posted) -> Result {
    let Posted { signed, form } = posted;
    let turned_off = console
        .app
        .turn_two_step_off(&signed.signed_in, form.get("proof"));
    match turned_off.await {
        Ok(()) => Ok(Redirect::to("/account/settings#two-step").into_response()),
        Err(error) => {
            let mut shown = view(&console, &signed, None).await?;
            shown.turning_off = true;
            refused(shown, error)
        }
    }
}

pub(crate) async fn new_codes(State(console): State<Console>, posted: Posted) -> Result {
    let Posted { signed, form } = posted;
    let codes = console
        .app
        .new_recovery_codes(&signed.signed_in, form.get("proof"));
    match codes.await {
        Ok(codes) => {
            let codes = codes.join("\n");
            let texts = [("codes", codes.as_str()), ("new", "true")];
            signed.once.redirect(&console, HERE, &texts)
        }
        Err(error) => refused(view(&console, &signed, None).await?, error),
    }
}

/// The page with what is wrong in its form.
fn refused(mut shown: TwoStepPage, error: Error) -> Result {
    match error {
        Error::InvalidRequest { details, .. } if !details.is_empty() => {
            shown.problems = details;
            Ok(page_with(StatusCode::BAD_REQUEST, &shown))
        }
        other => Err(other.into()),
    }
}

async fn view(
    console: &Console,
    signed: &Signed,
    secret: Option<&str>,
) -> std::result::Result<TwoStepPage, PageError> {
    let (app, signed_in) = (&console.app, &signed.signed_in);
    let state = app.two_step(signed_in).await?;
    let setup = if state.on.is_none() {
        let secret = secret.and_then(|text| two_step_secret(signed_in, text));
        let secret = secret.unwrap_or_else(|| app.new_two_step_secret(signed_in));
        let picture = Picture::of(&secret.uri)?;
        Some((secret, picture))
    } else {
        None
    };
    Ok(TwoStepPage {
        frame: signed.frame("Two-step sign-in", "/account/settings"),
        login: signed_in.user.login.clone(),
        has_password: state.has_password,
        on: state.on.map(|(since, left)| (Moment::date(since), left)),
        setup,
        codes: Vec::new(),
        problems: Vec::new(),
        turning_off: false,
        done: None,
    })
}

//! Apps and API: keys, the signing secret, and how a receiver verifies signatures.

use askama::Template;
use atelier_app::Error;
use atelier_domain::{KeyLimits, SigningSecrets};
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::{IntoResponse as _, Redirect},
};

use super::keys::{KeyView, LimitsForm, spending};
use crate::{
    error::{PageError, Result, capital},
    frame::{Frame, page, page_with},
    moment::Moment,
    session::{Posted, Signed},
    state::Console,
};

/// Functions that verify the signature of a delivery. Tests of this crate and the browser tests run them.
pub(crate) const VERIFICATIONS: [(&str, &str); 5] = [
    ("Python", include_str!("../../snippets/verify.py")),
    ("TypeScript", include_str!("../../snippets/verify.ts")),
    ("Go", include_str!("../../snippets/verify.go")),
    ("Rust", include_str!("../../snippets/verify.rs")),
    ("PHP", include_str!("../../snippets/verify.php")),
];

#[derive(Template)]
#[template(path = "apps.html")]
struct AppsPage {
    frame: Frame,
    base_url: String,
    keys: Vec<KeyView>,
    /// The name and text of a new key. The text is shown only once.
    created: Option<(String, String)>,
    name: String,
    problem: String,
    limits: LimitsForm,
    /// The signing secret, if it is revealed.
    secret: Option<SecretView>,
    /// Until when the previous secret also signs.
    overlap: Option<Moment>,
    verifications: &'static [(&'static str, &'static str)],
}

struct SecretView {
    current: String,
    rotated: bool,
}

pub(crate) async fn apps(State(console): State<Console>, signed: Signed) -> Result {
    let mut shown = view(&console, &signed).await?;
    let text = |name| signed.once.text(name).map(str::to_owned);
    shown.created = text("name").zip(text("key"));
    shown.secret = text("secret").map(|current| SecretView {
        current,
        rotated: text("rotated").is_some(),
    });
    Ok(page(&shown))
}

pub(crate) async fn create_key(State(console): State<Console>, posted: Posted) -> Result {
    let signed = &posted.signed;
    let name = posted.form.get("name");
    let created = match LimitsForm::read(&posted.form) {
        Ok(limits) => console.app.create_key(&signed.signed_in, name, limits).await,
        Err(message) => Err(Error::invalid(message)),
    };
    match created {
        Ok(key) => {
            let texts = [("name", key.record.name.as_str()), ("key", &key.text)];
            signed.once.redirect(&console, "/account/apps", &texts)
        }
        Err(Error::InvalidRequest { message, .. }) => {
            let mut shown = view(&console, signed).await?;
            shown.problem = capital(&message);
            name.clone_into(&mut shown.name);
            shown.limits = LimitsForm::typed(&posted.form);
            Ok(page_with(StatusCode::BAD_REQUEST, &shown))
        }
        Err(other) => Err(other.into()),
    }
}

pub(crate) async fn revoke_key(
    State(console): State<Console>,
    Path(id): Path<String>,
    posted: Posted,
) -> Result {
    console.app.revoke_key(&posted.signed.signed_in, &id).await?;
    Ok(Redirect::to("/account/apps").into_response())
}

pub(crate) async fn reveal_secret(State(console): State<Console>, posted: Posted) -> Result {
    let secrets = console.app.reveal_secret(&posted.signed.signed_in).await?;
    show_secret(&console, &posted.signed, &secrets, false)
}

pub(crate) async fn rotate_secret(State(console): State<Console>, posted: Posted) -> Result {
    let secrets = console.app.rotate_secret(&posted.signed.signed_in).await?;
    show_secret(&console, &posted.signed, &secrets, true)
}

fn show_secret(console: &Console, signed: &Signed, secrets: &SigningSecrets, rotated: bool) -> Result {
    let mut texts = vec![("secret", secrets.current.as_str())];
    if rotated {
        texts.push(("rotated", "true"));
    }
    signed.once.redirect(console, "/account/apps#secret", &texts)
}

async fn view(console: &Console, signed: &Signed) -> std::result::Result<AppsPage, PageError> {
    let mut keys = console.app.keys(&signed.signed_in).await?;
    // Active keys first, the newest on top.
    keys.sort_by_key(|key| (key.revoked_at.is_some(), std::cmp::Reverse(key.created_at)));
    let now = console.app.now();
    let spending = spending(console, signed).await?;
    Ok(AppsPage {
        frame: signed.frame("Apps and API", "/account/apps"),
        base_url: console.base_url().to_owned(),
        keys: keys
            .into_iter()
            .map(|key| KeyView::new(key, &spending, now))
            .collect(),
        created: None,
        name: String::new(),
        problem: String::new(),
        limits: LimitsForm::of(&KeyLimits::default()),
        secret: None,
        overlap: overlap(console, &signed.signed_in.account().signing),
        verifications: &VERIFICATIONS,
    })
}

fn overlap(console: &Console, secrets: &SigningSecrets) -> Option<Moment> {
    let now = console.app.now();
    let (_, until) = secrets.previous.as_ref().filter(|(_, until)| now < *until)?;
    Some(Moment::new(*until))
}

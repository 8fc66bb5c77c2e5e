//! One API key: its limits, what it spent, rotation.

use std::{collections::HashMap, time::Duration};

use askama::Template;
use atelier_app::{Error, accounts::keys::KeySpending};
use atelier_domain::{KeyChange, KeyId, KeyLimits, KeyRecord, Scope, Timestamp};
use axum::{
    extract::{Path, State},
    http::{StatusCode, Uri},
    response::{IntoResponse as _, Redirect},
};

use crate::{
    error::{PageError, Result, capital},
    form::Form,
    frame::{Frame, page, page_with},
    moment::Moment,
    session::{Posted, Signed},
    state::Console,
    text,
};

#[derive(Template)]
#[template(path = "key.html")]
struct KeyPage {
    frame: Frame,
    key: KeyView,
    limits: LimitsForm,
    /// The new text after a rotation, which is shown only once.
    rotated: Option<String>,
    saved: bool,
    problem: String,
}

/// A key as pages show it.
pub(super) struct KeyView {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) prefix: String,
    pub(super) created: Moment,
    pub(super) used: Option<Moment>,
    pub(super) revoked: Option<Moment>,
    /// Until when the text before a rotation works.
    pub(super) previous: Option<Moment>,
    /// The credits of today and of this month, each with its limit.
    pub(super) today: String,
    pub(super) month: String,
    pub(super) jobs: String,
    /// The other limits, in short.
    pub(super) limits: Vec<String>,
    pub(super) expired: bool,
}

/// The fields of limits, as they are typed.
#[derive(Default)]
pub(super) struct LimitsForm {
    pub(super) scopes: Vec<ScopeView>,
    pub(super) models: String,
    pub(super) credits_per_day: String,
    pub(super) credits_per_month: String,
    pub(super) requests_per_minute: String,
    pub(super) networks: String,
    pub(super) expires: String,
}

pub(super) struct ScopeView {
    pub(super) name: &'static str,
    pub(super) hint: &'static str,
    pub(super) ticked: bool,
}

pub(crate) async fn show(
    State(console): State<Console>,
    Path(id): Path<String>,
    uri: Uri,
    signed: Signed,
) -> Result {
    let mut shown = view(&console, &signed, &id).await?;
    shown.saved = uri.query() == Some("saved");
    shown.rotated = signed.once.text("key").map(str::to_owned);
    Ok(page(&shown))
}

pub(crate) async fn update(State(console): State<Console>, Path(id): Path<String>, posted: Posted) -> Result {
    let (signed, form) = (&posted.signed, &posted.form);
    let change = match LimitsForm::read(form) {
        Ok(limits) => KeyChange {
            name: Some(form.get("name").to_owned()),
            ..KeyChange::to(limits)
        },
        Err(message) => return refused(&console, signed, (&id, form), &message).await,
    };
    match console.app.update_key(&signed.signed_in, &id, change).await {
        Ok(_) => Ok(Redirect::to(&format!("/account/apps/keys/{id}?saved")).into_response()),
        Err(Error::InvalidRequest { message, .. }) => {
            refused(&console, signed, (&id, form), &capital(&message)).await
        }
        Err(other) => Err(other.into()),
    }
}

pub(crate) async fn rotate(State(console): State<Console>, Path(id): Path<String>, posted: Posted) -> Result {
    let signed = &posted.signed;
    let hours = posted.form.get("overlap").parse().unwrap_or(24_u64).min(720);
    let overlap = Duration::from_secs(hours * 3_600);
    let rotated = console.app.rotate_key(&signed.signed_in, &id, overlap).await?;
    let to = format!("/account/apps/keys/{}", rotated.record.id);
    signed.once.redirect(&console, &to, &[("key", &rotated.text)])
}

/// The page again, with what was typed.
async fn refused(console: &Console, signed: &Signed, (id, form): (&str, &Form), problem: &str) -> Result {
    let mut shown = view(console, signed, id).await?;
    shown.limits = LimitsForm::typed(form);
    form.get("name").clone_into(&mut shown.key.name);
    problem.clone_into(&mut shown.problem);
    Ok(page_with(StatusCode::BAD_REQUEST, &shown))
}

async fn view(console: &Console, signed: &Signed, id: &str) -> std::result::Result<KeyPage, PageError> {
    let missing = || Error::NotFound("there is no key with this id".to_owned());
    let keys = console.app.keys(&signed.signed_in).await?;
    let found = keys.into_iter().find(|key| key.id.to_string() == id);
    let found = found.ok_or_else(missing)?;
    let limits = LimitsForm::of(&found.limits);
    let spending = spending(console, signed).await?;
    Ok(KeyPage {
        frame: signed.frame(&found.name, "/account/apps"),
        key: KeyView::new(found, &spending, console.app.now()),
        limits,
        rotated: None,
        saved: false,
        problem: String::new(),
    })
}

/// Returns the spending of each key of the account.
pub(super) async fn spending(
    console: &Console,
    signed: &Signed,
) -> std::result::Result<HashMap<KeyId, KeySpending>, PageError> {
    let spending = console.app.key_spending(&signed.signed_in).await?;
    Ok(spending
        .into_iter()
        .filter_map(|of| Some((of.key?, of)))
        .collect())
}

impl KeyView {
    pub(super) fn new(key: KeyRecord, spending: &HashMap<KeyId, KeySpending>, now: Timestamp) -> Self {
        let spent = spending.get(&key.id);
        let of = |spent: i64, limit: Option<i64>| match limit {
            Some(limit) => format!("{} of {}", text::count(spent), text::count(limit)),
            None => text::count(spent),
        };
        let limits = &key.limits;
        Self {
            id: key.id.to_string(),
            today: of(spent.map_or(0, |of| of.credits_of_day), limits.credits_per_day),
            month: of(
                spent.map_or(0, |of| of.credits_of_month),
                limits.credits_per_month,
            ),
            jobs: text::count(spent.map_or(0, |of| of.generations_of_month)),
            expired: limits.expires_at.is_some_and(|at| at <= now),
            limits: in_short(limits),
            name: key.name,
            prefix: key.prefix,
            created: Moment::date(key.created_at),
            used: key.last_used_at.map(|at| Moment::ago(at, now)),
            revoked: key.revoked_at.map(Moment::date),
            previous: key.previous_until.filter(|until| now < *until).map(Moment::new),
        }
    }
}

/// All limits except those on credits.
fn in_short(limits: &KeyLimits) -> Vec<String> {
    let mut parts = Vec::new();
    if !limits.scopes.is_empty() {
        let scopes: Vec<_> = limits.scopes.iter().map(|scope| scope.as_str()).collect();
        parts.push(scopes.join(", "));
    }
    if !limits.models.is_empty() {
        parts.push(limits.models.join(", "));
    }
    parts.extend(
        limits
            .requests_per_minute
            .map(|requests| format!("{requests} requests a minute")),
    );
    if !limits.networks.is_empty() {
        parts.push(format!("from {}", limits.networks.join(", ")));
    }
    parts.extend(limits.expires_at.map(|at| format!("until {}", text::date(at))));
    parts
}

impl LimitsForm {
    /// The fields for these limits.
    pub(super) fn of(limits: &KeyLimits) -> Self {
        let number = |limit: Option<i64>| limit.map_or_else(String::new, |limit| limit.to_string());
        let date = |at: Timestamp| at.to_string().chars().take(10).collect();
        Self {
            scopes: scopes(|scope| limits.scopes.contains(&scope)),
            models: limits.models.join(", "),
            credits_per_day: number(limits.credits_per_day),
            credits_per_month: number(limits.credits_per_month),
            requests_per_minute: number(limits.requests_per_minute.map(i64::from)),
            networks: limits.networks.join(", "),
            expires: limits.expires_at.map_or_else(String::new, date),
        }
    }

    /// The fields as they were sent.
    pub(super) fn typed(form: &Form) -> Self {
        let text = |name: &str| form.get(name).to_owned();
        Self {
            scopes: scopes(|scope| form.all("scopes").any(|name| name == scope.as_str())),
            models: text("models"),
            credits_per_day: text("credits_per_day"),
            credits_per_month: text("credits_per_month"),
            requests_per_minute: text("requests_per_minute"),
            networks: text("networks"),
            expires: text("expires"),
        }
    }

    /// Whether any field says something.
    pub(super) fn is_filled(&self) -> bool {
        let texts = [
            &self.models,
            &self.credits_per_day,
            &self.credits_per_month,
            &self.requests_per_minute,
            &self.networks,
            &self.expires,
        ];
        self.scopes.iter().any(|scope| scope.ticked) || texts.iter().any(|text| !text.trim().is_empty())
    }

    /// The limits that a form asks for, or what is wrong with its numbers and its date.
    pub(super) fn read(form: &Form) -> std::result::Result<KeyLimits, String> {
        let expires_at = match form.given("expires") {
            None => None,
            Some(date) => Some(
                Timestamp::of_date(date)
                    .ok_or_else(|| format!("\u{201c}Works until\u{201d} must be a date (got {date})"))?,
            ),
        };
        Ok(KeyLimits {
            scopes: form
                .all("scopes")
                .map(str::parse)
                .collect::<std::result::Result<_, _>>()?,
            models: entries(form, "models"),
            credits_per_day: number(form, "credits_per_day", "Credits per day")?,
            credits_per_month: number(form, "credits_per_month", "Credits per month")?,
            requests_per_minute: number(form, "requests_per_minute", "Requests per minute")?,
            networks: entries(form, "networks"),
            expires_at,
        })
    }
}

fn scopes(ticked: impl Fn(Scope) -> bool) -> Vec<ScopeView> {
    let view = |scope: Scope| ScopeView {
        name: scope.as_str(),
        hint: match scope {
            Scope::Read => "jobs, balance, log, deliveries",
            Scope::Generate => "create, follow and cancel jobs",
            Scope::Upload => "upload files",
            Scope::Webhooks => "send webhooks again, test them",
        },
        ticked: ticked(scope),
    };
    Scope::ALL.into_iter().map(view).collect()
}

/// Entries with commas or spaces between them.
fn entries(form: &Form, name: &str) -> Vec<String> {
    let separator = |c: char| c == ',' || c.is_whitespace();
    let entries = form.get(name).split(separator).filter(|entry| !entry.is_empty());
    entries.map(str::to_owned).collect()
}

fn number<T: std::str::FromStr>(
    form: &Form,
    name: &str,
    label: &str,
) -> std::result::Result<Option<T>, String> {
    let wrong = |text| format!("\u{201c}{label}\u{201d} must be a whole number (got {text})");
    let number = form.given(name).map(|text| text.parse().map_err(|_| wrong(text)));
    number.transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_says_what_its_fields_say() {
        let form = Form::parse(
            b"scopes=upload&scopes=read&models=flux-*%2C+image-gen-4&credits_per_day=5&expires=2027-01-31",
        );
        let limits = LimitsForm::read(&form).unwrap();
        assert_eq!(limits.scopes, [Scope::Upload, Scope::Read]);
        assert_eq!(limits.models, ["flux-*", "image-gen-4"]);
        assert_eq!(
            (limits.credits_per_day, limits.credits_per_month),
            (Some(5), None)
        );
        assert_eq!(LimitsForm::of(&limits).expires, "2027-01-31");
        assert!(LimitsForm::typed(&form).is_filled());
        let empty = Form::parse(b"scopes=&expires=");
        assert_eq!(LimitsForm::read(&Form::parse(b"")).unwrap(), KeyLimits::default());
        assert!(!LimitsForm::typed(&empty).is_filled());
        let wrong = LimitsForm::read(&Form::parse(b"credits_per_day=many")).unwrap_err();
        assert_eq!(
            wrong,
            "\u{201c}Credits per day\u{201d} must be a whole number (got many)"
        );
    }
}

//! Registered webhook endpoints, and the threshold of the balance.

use askama::Template;
use atelier_app::{
    Error,
    webhooks::endpoints::{EndpointUpdate, EndpointView},
};
use atelier_domain::Event;
use axum::{
    extract::{Path, State},
    http::{StatusCode, Uri},
    response::{IntoResponse as _, Redirect, Response},
};

use crate::{
    error::{Result, capital},
    form::Form,
    frame::{Frame, page, page_with},
    moment::Moment,
    session::{Posted, Signed},
    state::Console,
};

#[derive(Template)]
#[template(path = "webhooks/endpoint.html")]
struct EndpointPage {
    frame: Frame,
    /// Empty for a new one.
    id: String,
    url: String,
    events: Vec<EventView>,
    enabled: bool,
    /// The secret, if it is new.
    secret: Option<String>,
    /// Until when the one before signs.
    previous: Option<Moment>,
    saved: bool,
    problem: String,
}

struct EventView {
    name: &'static str,
    hint: &'static str,
    ticked: bool,
}

/// An endpoint as the list shows it.
pub(crate) struct EndpointRow {
    pub id: String,
    pub url: String,
    pub events: String,
    pub enabled: bool,
}

impl From<EndpointView> for EndpointRow {
    fn from(view: EndpointView) -> Self {
        Self {
            events: view.events.join(", "),
            id: view.id,
            url: view.url,
            enabled: view.enabled,
        }
    }
}

fn events(ticked: impl Fn(&str) -> bool) -> Vec<EventView> {
    let view = |event: Event| EventView {
        name: event.as_str(),
        hint: match event {
            Event::Completed => "a job is done",
            Event::Failed => "a job has failed",
            Event::Cancelled => "a job was cancelled",
            Event::LowBalance => "the balance fell below your threshold",
            Event::Test => "",
        },
        ticked: ticked(event.as_str()),
    };
    Event::SUBSCRIBED.map(view).into()
}

fn shown(signed: &Signed, view: EndpointView) -> EndpointPage {
    EndpointPage {
        frame: signed.frame("Webhook endpoint", "/account/webhooks"),
        events: events(|name| view.events.contains(&name)),
        id: view.id,
        url: view.url,
        enabled: view.enabled,
        secret: view.secret,
        previous: view.previous_secret_until.as_deref().map(Moment::parse),
        saved: false,
        problem: String::new(),
    }
}

pub(crate) async fn new(signed: Signed) -> Result {
    Ok(page(&EndpointPage {
        frame: signed.frame("New webhook endpoint", "/account/webhooks"),
        id: String::new(),
        url: String::new(),
        events: events(|_| true),
        enabled: true,
        secret: None,
        previous: None,
        saved: false,
        problem: String::new(),
    }))
}

pub(crate) async fn create(State(console): State<Console>, posted: Posted) -> Result {
    let asked = read(&posted.form);
    let created = console
        .app
        .create_endpoint(&posted.signed.signed_in.caller, asked)
        .await;
    match created {
        Ok(view) => show_secret(&console, &posted.signed, &view),
        Err(Error::InvalidRequest { message, .. }) => Ok(refused(&posted, "", &message)),
        Err(other) => Err(other.into()),
    }
}

pub(crate) async fn show(
    State(console): State<Console>,
    Path(id): Path<String>,
    uri: Uri,
    signed: Signed,
) -> Result {
    let view = console.app.endpoint(&signed.signed_in.caller, &id).await?;
    let mut shown = shown(&signed, view);
    shown.saved = uri.query() == Some("saved");
    shown.secret = signed.once.text("secret").map(str::to_owned);
    Ok(page(&shown))
}

pub(crate) async fn update(State(console): State<Console>, Path(id): Path<String>, posted: Posted) -> Result {
    let asked = read(&posted.form);
    let caller = &posted.signed.signed_in.caller;
    match console.app.update_endpoint(caller, &id, asked).await {
        Ok(view) => {
            Ok(Redirect::to(&format!("/account/webhooks/endpoints/{}?saved", view.id)).into_response())
        }
        Err(Error::InvalidRequest { message, .. }) => Ok(refused(&posted, &id, &message)),
        Err(other) => Err(other.into()),
    }
}

pub(crate) async fn rotate(State(console): State<Console>, Path(id): Path<String>, posted: Posted) -> Result {
    let caller = &posted.signed.signed_in.caller;
    let view = console.app.rotate_endpoint_secret(caller, &id).await?;
    show_secret(&console, &posted.signed, &view)
}

/// Leads to the page of an endpoint, which shows its new secret.
fn show_secret(console: &Console, signed: &Signed, view: &EndpointView) -> Result {
    let to = format!("/account/webhooks/endpoints/{}", view.id);
    let secret = view.secret.as_deref().unwrap_or_default();
    signed.once.redirect(console, &to, &[("secret", secret)])
}

pub(crate) async fn test(State(console): State<Console>, Path(id): Path<String>, posted: Posted) -> Result {
    let caller = &posted.signed.signed_in.caller;
    let sent = console.app.test_endpoint(caller, &id).await?;
    Ok(Redirect::to(&format!("/account/webhooks/{}", sent.delivery.id)).into_response())
}

pub(crate) async fn delete(State(console): State<Console>, Path(id): Path<String>, posted: Posted) -> Result {
    let caller = &posted.signed.signed_in.caller;
    console.app.delete_endpoint(caller, &id).await?;
    Ok(Redirect::to("/account/webhooks").into_response())
}

/// Sets the credits below which the balance is low; an empty field removes the threshold.
pub(crate) async fn alert(State(console): State<Console>, posted: Posted) -> Result {
    let threshold = match posted.form.given("threshold").map(str::parse::<i64>) {
        None => None,
        Some(Ok(threshold)) => Some(threshold),
        Some(Err(_)) => {
            let message = "The threshold must be a whole number of credits";
            return Err(Error::parameter("threshold", message).into());
        }
    };
    let caller = &posted.signed.signed_in.caller;
    console.app.set_low_balance(caller, threshold).await?;
    Ok(Redirect::to("/account/usage#alert").into_response())
}

fn read(form: &Form) -> EndpointUpdate {
    EndpointUpdate {
        url: Some(form.get("url").trim().to_owned()),
        events: Some(form.all("events").map(str::to_owned).collect()),
        enabled: Some(form.get("enabled") == "true"),
    }
}

fn refused(posted: &Posted, id: &str, message: &str) -> Response {
    let asked = read(&posted.form);
    let named = asked.events.unwrap_or_default();
    let shown = EndpointPage {
        frame: posted.signed.frame("Webhook endpoint", "/account/webhooks"),
        id: id.to_owned(),
        url: asked.url.unwrap_or_default(),
        events: events(|name| named.iter().any(|given| given == name)),
        enabled: asked.enabled.unwrap_or_default(),
        secret: None,
        previous: None,
        saved: false,
        problem: capital(message.trim_start_matches("`url`: ")),
    };
    page_with(StatusCode::BAD_REQUEST, &shown)
}

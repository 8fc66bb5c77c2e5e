//! Signing in at the operator's OpenID provider: the departure, the return, and connecting an identity in Settings.

use std::collections::HashMap;

use atelier_app::people::oidc::{Arrived, Begun, CallbackQuery, Visit};
use axum::{
    extract::{Query, Request, State},
    http::{HeaderMap, header},
    response::{IntoResponse as _, Redirect, Response},
};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};

use super::{
    two_step::proceed_from_provider,
    visitor::{insecure, safe_next},
};
use crate::{
    cookie::Secret,
    error::{PageError, Result},
    origin::{self, Transport},
    session::{self, Signed, browser},
    state::Console,
};

/// The path to which the provider sends the browser back.
pub(crate) const CALLBACK: &str = "/account/sign-in/oidc/callback";
/// How long somebody may take at the provider, in seconds.
const VISIT: u64 = 600;

pub(crate) async fn depart(
    State(console): State<Console>,
    Query(query): Query<HashMap<String, String>>,
    headers: HeaderMap,
) -> Result {
    let Some(transport) = origin::transport(&console.options.public_url, &headers) else {
        return Ok(insecure(&headers));
    };
    let next = safe_next(query.get("next").map_or("", String::as_str));
    let redirect = console.link(CALLBACK);
    let begun = console.app.begin_oidc(&redirect, &next, false).await?;
    Ok(leave(transport, &begun))
}

/// Connects an identity to the user who is signed in. The link in Settings carries the session's token.
pub(crate) async fn connect(
    State(console): State<Console>,
    Query(query): Query<HashMap<String, String>>,
    headers: HeaderMap,
    signed: Signed,
) -> Result {
    let token = query.get("csrf").map_or("", String::as_str);
    if !signed.signed_in.csrf_matches(token) {
        return Err(PageError::Forged);
    }
    let Some(transport) = origin::transport(&console.options.public_url, &headers) else {
        return Ok(insecure(&headers));
    };
    let redirect = console.link(CALLBACK);
    let begun = console
        .app
        .begin_oidc(&redirect, "/account/settings", true)
        .await?;
    Ok(leave(transport, &begun))
}

pub(crate) async fn arrive(
    State(console): State<Console>,
    Query(query): Query<HashMap<String, String>>,
    request: Request,
) -> Response {
    let (parts, _) = request.into_parts();
    let Some(transport) = origin::transport(&console.options.public_url, &parts.headers) else {
        return insecure(&parts.headers);
    };
    let visit = Secret::Oidc.read(transport, &parts.headers).and_then(visit);
    let arrived = async {
        let visit = visit.ok_or(PageError::Forged)?;
        let given = |name: &str| query.get(name).cloned();
        let callback = CallbackQuery {
            state: given("state").unwrap_or_default(),
            code: given("code"),
            error: given("error"),
        };
        let signed = session::find(&console, &parts).await?;
        let signed_in = signed.as_ref().map(|signed| &signed.signed_in);
        let (redirect, browser) = (console.link(CALLBACK), browser(&console, &parts));
        let app = &console.app;
        let arrived = app.finish_oidc(&visit, callback, &redirect, &browser, signed_in);
        match arrived.await? {
            Arrived::Proved(entry) => {
                let next = safe_next(&visit.next);
                Ok(proceed_from_provider(&console, &parts.headers, entry, &next))
            }
            Arrived::Connected => Ok(Redirect::to("/account/settings").into_response()),
        }
    };
    let mut response = arrived
        .await
        .unwrap_or_else(|error: PageError| error.into_response());
    // The state counts once.
    let cookie = Secret::Oidc.set(transport, "", 0);
    response.headers_mut().append(header::SET_COOKIE, cookie);
    response
}

fn leave(transport: Transport, begun: &Begun) -> Response {
    let mut response = Redirect::to(&begun.url).into_response();
    let value = URL_SAFE_NO_PAD.encode(serde_json::to_vec(&begun.visit).unwrap_or_default());
    let cookie = Secret::Oidc.set(transport, &value, VISIT);
    response.headers_mut().append(header::SET_COOKIE, cookie);
    response
}

fn visit(value: &str) -> Option<Visit> {
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(value).ok()?).ok()
}

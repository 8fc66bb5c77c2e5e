//! Sets the theme: light, dark, or the setting of the system. It is stored in a cookie because it belongs to the screen
//! and not to the user.

use axum::{
    extract::State,
    http::{HeaderMap, header},
    response::{IntoResponse as _, Redirect},
};

use crate::{
    cookie,
    error::{PageError, Result},
    form::Form,
    frame::Theme,
    origin::{self, Transport},
    state::Console,
};

/// Sets the theme for browsers without scripts. The account does not change, so the check of the origin is enough.
pub(crate) async fn set(State(console): State<Console>, headers: HeaderMap, form: Form) -> Result {
    let public_url = &console.options.public_url;
    if !origin::is_own(public_url, &headers) {
        return Err(PageError::Forged);
    }
    let theme = Theme::parse(form.get("theme")).as_str();
    let secure = match origin::transport(public_url, &headers) {
        Some(Transport::Https) => "; Secure",
        _ => "",
    };
    let cookie = format!(
        "{}={theme}; Path=/; SameSite=Lax; Max-Age=31536000{secure}",
        cookie::THEME
    );
    let back = headers
        .get(header::REFERER)
        .and_then(|value| value.to_str().ok())
        .and_then(|referer| url::Url::parse(referer).ok())
        .map_or_else(
            || "/account".to_owned(),
            |url| url[url::Position::BeforePath..url::Position::AfterQuery].to_owned(),
        );
    // An address that begins with two slashes would lead to another host.
    let back = if back.starts_with("//") { "/account" } else { &back };
    Ok(([(header::SET_COOKIE, cookie)], Redirect::to(back)).into_response())
}

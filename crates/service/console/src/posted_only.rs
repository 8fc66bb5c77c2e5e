//! Addresses that only take forms. Opening one, from the address bar or after a sign-in, leads to the page that it
//! belongs to.

use axum::{
    extract::OriginalUri,
    http::Method,
    response::{IntoResponse as _, Redirect, Response},
};

use crate::error;

/// The answer to a method that an address of the account area does not have.
pub(crate) async fn lead(method: Method, OriginalUri(uri): OriginalUri) -> Response {
    if method == Method::GET || method == Method::HEAD {
        return Redirect::to(&page_of(uri.path())).into_response();
    }
    error::wrong_method()
}

/// The page that an address belongs to.
fn page_of(path: &str) -> String {
    let parts: Vec<&str> = path
        .strip_prefix("/account")
        .unwrap_or(path)
        .split('/')
        .skip(1)
        .collect();
    let kept = match parts[..] {
        ["operator", "users", ..] => return "/account/operator/accounts".to_owned(),
        ["theme" | "sign-out", ..] => 0,
        ["operator", "api" | "takedowns", ..]
        | ["gallery", "selected", ..]
        | ["webhooks", "test" | "redeliver-failed", ..]
        | ["webhooks", "endpoints"] => 1,
        ["apps", "keys", _, _] | ["operator", "accounts", _, _, ..] | ["webhooks", "endpoints", _, _] => 3,
        ["gallery" | "playground" | "join" | "webhooks" | "operator", _, ..] => 2,
        _ => 1,
    };
    let kept = parts.into_iter().take(kept);
    kept.fold("/account".to_owned(), |page, part| page + "/" + part)
}

#[cfg(test)]
mod tests {
    use super::page_of;

    #[test]
    fn every_form_belongs_to_the_page_that_shows_it() {
        for (form, page) in [
            ("/account/theme", "/account"),
            ("/account/sign-out", "/account"),
            ("/account/sign-in/code", "/account/sign-in"),
            ("/account/join/abc/accept", "/account/join/abc"),
            ("/account/apps/keys", "/account/apps"),
            ("/account/apps/secret/reveal", "/account/apps"),
            ("/account/apps/keys/1/rotate", "/account/apps/keys/1"),
            ("/account/settings/password", "/account/settings"),
            ("/account/settings/sessions/1/end", "/account/settings"),
            ("/account/collections/1/delete", "/account/collections"),
            ("/account/gallery/selected", "/account/gallery"),
            ("/account/gallery/1/cancel", "/account/gallery/1"),
            ("/account/playground/m/quote", "/account/playground/m"),
            ("/account/usage/alert", "/account/usage"),
            ("/account/webhooks/test", "/account/webhooks"),
            ("/account/webhooks/endpoints", "/account/webhooks"),
            ("/account/webhooks/1/redeliver", "/account/webhooks/1"),
            (
                "/account/webhooks/endpoints/1/test",
                "/account/webhooks/endpoints/1",
            ),
            ("/account/operator/api", "/account/operator"),
            ("/account/operator/users/bob/reset", "/account/operator/accounts"),
            (
                "/account/operator/accounts/a%20b/credits",
                "/account/operator/accounts/a%20b",
            ),
            ("/account/operator/models/x/pull", "/account/operator/models"),
            ("/account/operator/programs/x/load", "/account/operator/programs"),
            ("/account/operator/policy/1/review", "/account/operator/policy"),
        ] {
            assert_eq!(page_of(form), page, "{form}");
        }
    }
}

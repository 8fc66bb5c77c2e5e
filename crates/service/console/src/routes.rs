//! The list of routes, and what all pages work with.

use std::{ops::Deref, sync::Arc};

use atelier_app::App;
use axum::{
    Router,
    extract::DefaultBodyLimit,
    http::{HeaderValue, request::Parts},
    middleware,
    response::Redirect,
    routing::{get, post},
};
use serde_json::Value;
use tower_http::catch_panic::CatchPanicLayer;

use crate::{
    assets,
    docs::{self, Reference},
    error::PageError,
    frame::{Frame, Theme},
    headers,
    pages::{apps, door, gallery, operator, overview, playground, service, settings, usage, webhooks},
    session, theme,
};

/// What the pages need beyond the use cases.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The origin in links, without a slash at its end.
    pub public_url: String,
    /// The address that the API's paths are relative to.
    pub base_url: String,
    /// The OpenAPI document, from which the reference is drawn.
    pub openapi: Value,
}

/// What every handler gets.
#[derive(Debug, Clone)]
pub(crate) struct Console(Arc<Inner>);

#[derive(Debug)]
pub(crate) struct Inner {
    pub app: App,
    pub options: Options,
    pub base_url: String,
    pub reference: Reference,
    /// The Content-Security-Policy of all pages.
    pub policy: HeaderValue,
}

impl Deref for Console {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}

impl Console {
    fn new(app: &App, options: Options) -> Self {
        let policy = headers::policy(app.media_base());
        Self(Arc::new(Inner {
            app: app.clone(),
            base_url: options.base_url.clone(),
            reference: Reference::new(&options.openapi),
            // A URL's origin is ASCII.
            policy: HeaderValue::from_str(&policy).unwrap_or(HeaderValue::from_static("default-src 'none'")),
            options,
        }))
    }

    /// The surroundings of a page that everybody may see.
    pub(crate) async fn open_frame(&self, parts: &Parts, title: &str, here: &'static str) -> Frame {
        // Without the store nobody is signed in, and the page can be read all the same.
        if let Ok(Some(signed)) = session::find(self, parts).await {
            return signed.frame(title, here);
        }
        Frame {
            title: title.to_owned(),
            here,
            theme: Theme::read(&parts.headers),
            ..Frame::default()
        }
    }

    /// A path of ours as a link that can be sent to somebody.
    pub(crate) fn link(&self, path: &str) -> String {
        format!("{}{path}", self.options.public_url)
    }
}

/// The account area and the documentation. It has no fallback, so that it can be merged with the API.
pub fn router(app: &App, options: Options) -> Router {
    let console = Console::new(app, options);
    let pages = Router::new()
        .route("/", get(|| async { Redirect::to("/account") }))
        .route("/account", get(overview::overview))
        .route("/account/", get(|| async { Redirect::permanent("/account") }))
        .route("/account/sign-in", get(door::sign_in_page).post(door::sign_in))
        .route("/account/join/{token}", get(door::join_page).post(door::join))
        .route("/account/sign-out", post(door::sign_out))
        .route("/account/theme", post(theme::set))
        .route("/account/playground", get(playground::index))
        .route(
            "/account/playground/{slug}",
            get(playground::model).post(playground::run),
        )
        .route("/account/playground/{slug}/quote", post(playground::quote))
        .route(
            "/account/uploads",
            post(playground::upload).layer(DefaultBodyLimit::disable()),
        )
        .route("/account/gallery", get(gallery::index))
        .route("/account/gallery/{id}", get(gallery::detail))
        .route("/account/gallery/{id}/result", get(gallery::result))
        .route("/account/gallery/{id}/events", get(gallery::events))
        .route("/account/gallery/{id}/cancel", post(gallery::cancel))
        .route("/account/apps", get(apps::apps))
        .route("/account/apps/keys", post(apps::create_key))
        .route("/account/apps/keys/{id}/revoke", post(apps::revoke_key))
        .route("/account/apps/secret/reveal", post(apps::reveal_secret))
        .route("/account/apps/secret/rotate", post(apps::rotate_secret))
        .route("/account/settings", get(settings::settings))
        .route("/account/settings/password", post(settings::change_password))
        .route("/account/settings/invite", post(settings::invite))
        .route(
            "/account/settings/sessions/others/end",
            post(settings::end_other_sessions),
        )
        .route("/account/settings/sessions/{id}/end", post(settings::end_session))
        .route("/account/webhooks", get(webhooks::index))
        .route("/account/webhooks/test", post(webhooks::test))
        .route(
            "/account/webhooks/redeliver-failed",
            post(webhooks::redeliver_failed),
        )
        .route("/account/webhooks/{id}", get(webhooks::delivery))
        .route("/account/webhooks/{id}/redeliver", post(webhooks::redeliver))
        .route("/account/usage", get(usage::usage))
        .route("/account/usage.csv", get(usage::csv))
        .route("/account/ledger.csv", get(usage::ledger_csv))
        .route("/account/operator", get(service::service))
        .route("/account/operator/api", post(service::switch))
        .route("/account/operator/takedowns", post(service::take_down))
        .route(
            "/account/operator/accounts",
            get(operator::accounts).post(operator::create_account),
        )
        .route(
            "/account/operator/accounts/{name}",
            get(operator::account).post(operator::update_account),
        )
        .route("/account/operator/accounts/{name}/credits", post(operator::grant))
        .route("/account/operator/accounts/{name}/invite", post(operator::invite))
        .route("/account/operator/users/{login}", post(operator::update_user))
        .route("/account/operator/audit", get(operator::audit))
        .route("/docs", get(docs::index))
        .route("/docs/", get(|| async { Redirect::permanent("/docs") }))
        .route("/docs.md", get(docs::reference_markdown))
        .route("/docs/{page}", get(docs::guide))
        .route("/llms.txt", get(docs::llms))
        .route("/account/{*rest}", get(missing));
    Router::new()
        .route(
            &format!("{}/{{version}}/{{name}}", assets::PATH),
            get(assets::get),
        )
        .merge(pages)
        .layer(middleware::from_fn_with_state(console.clone(), headers::add))
        .layer(CatchPanicLayer::new())
        .with_state(console)
}

async fn missing() -> PageError {
    PageError::NotFound("no page has this address".to_owned())
}

//! The list of routes.

use atelier_app::App;
use axum::{
    Router,
    extract::DefaultBodyLimit,
    middleware,
    response::Redirect,
    routing::{get, post},
};
use tower_http::catch_panic::CatchPanicLayer;

use crate::{
    assets, docs,
    error::{self, PageError},
    headers, once,
    pages::{
        apps, audit, deletion, endpoints, erase, gallery, keys, members, monthly_report, oidc, operator,
        overview, playground, policy, programs, reports, requests, reset, service, settings, sign_in,
        two_step, usage, verify, webhooks, weights,
    },
    posted_only, samples,
    state::{Console, Options},
    theme,
};

/// The account area and the documentation. There is no fallback, so that the router can be merged with the API's.
pub fn router(app: &App, options: Options) -> Router {
    let console = Console::new(app, options);
    let sources = headers::policy([app.media_base(), app.private_media_base()]);
    let pages = Router::new()
        .route("/", get(|| async { Redirect::to("/account") }))
        .route("/account", get(overview::overview))
        .route("/account/", get(|| async { Redirect::permanent("/account") }))
        .merge(sign_in_routes())
        .route("/account/settings/oidc", get(oidc::connect))
        .route(
            "/account/join/{token}",
            get(sign_in::join_page).post(sign_in::join),
        )
        .route("/account/join/{token}/accept", post(members::accept))
        .route("/account/join/{token}/login", post(sign_in::join_with_login))
        .route("/account/switch", get(members::accounts).post(members::switch))
        .route(
            "/account/reset/{token}",
            get(reset::reset_page).post(reset::reset),
        )
        .route("/account/sign-out", post(sign_in::sign_out))
        .route("/account/theme", post(theme::set))
        .route("/account/playground", get(playground::index))
        .route(
            "/account/playground/{slug}",
            get(playground::model).post(playground::run),
        )
        .route("/account/playground/{slug}/quote", post(playground::quote))
        .route(
            "/account/uploads",
            post(playground::upload)
                .layer(DefaultBodyLimit::disable())
                .get(deletion::uploads),
        )
        .route(
            "/account/uploads/{name}/delete",
            get(deletion::ask_upload).post(deletion::delete_upload),
        )
        .merge(gallery_routes())
        .route("/account/apps", get(apps::apps))
        .route("/account/apps/keys", post(apps::create_key))
        .route("/account/apps/keys/{id}", get(keys::show).post(keys::update))
        .route("/account/apps/keys/{id}/rotate", post(keys::rotate))
        .route("/account/apps/keys/{id}/revoke", post(apps::revoke_key))
        .route("/account/apps/secret/reveal", post(apps::reveal_secret))
        .route("/account/apps/secret/rotate", post(apps::rotate_secret))
        .route("/account/settings", get(settings::settings))
        .route("/account/settings/password", post(settings::change_password))
        .route("/account/settings/media", post(settings::set_private_media))
        .route("/account/settings/prompts", post(settings::set_prompt_in_files))
        .route(
            "/account/settings/two-step",
            get(two_step::show).post(two_step::turn_on),
        )
        .route("/account/settings/two-step/off", post(two_step::turn_off))
        .route("/account/settings/two-step/codes", post(two_step::new_codes))
        .route("/account/settings/invite", post(settings::invite))
        .route("/account/settings/members/{login}", post(members::change))
        .route(
            "/account/settings/invitations/{id}/revoke",
            post(settings::revoke_invitation),
        )
        .route(
            "/account/settings/sessions/others/end",
            post(settings::end_other_sessions),
        )
        .route("/account/settings/sessions/{id}/end", post(settings::end_session))
        .merge(webhook_pages())
        .route("/account/requests", get(requests::index))
        .route("/account/usage", get(usage::usage))
        .route("/account/usage.csv", get(usage::csv))
        .route("/account/ledger.csv", get(usage::ledger_csv))
        .route("/account/{*rest}", get(missing));
    Router::new()
        .route(
            &format!("{}/{{version}}/{{name}}", assets::PATH),
            get(assets::get),
        )
        .route(&format!("{}/{{hash}}/{{name}}", samples::PATH), get(samples::get))
        .merge(
            pages
                .merge(operator_routes())
                .method_not_allowed_fallback(posted_only::lead),
        )
        .merge(docs_routes())
        .layer(middleware::from_fn(once::remove))
        .layer(middleware::from_fn_with_state(sources, headers::add))
        .layer(CatchPanicLayer::custom(error::panicked))
        .with_state(console)
}

/// The pages before signing in.
fn sign_in_routes() -> Router<Console> {
    Router::new()
        .route(
            "/account/sign-in",
            get(sign_in::sign_in_page).post(sign_in::sign_in),
        )
        .route("/account/sign-in/code", post(two_step::code))
        .route("/account/forgot", get(reset::forgot_page).post(reset::forgot))
        .route("/account/sign-in/oidc", get(oidc::depart))
        .route(oidc::CALLBACK, get(oidc::arrive))
}

/// The results of the account.
fn gallery_routes() -> Router<Console> {
    Router::new()
        .route("/account/gallery", get(gallery::index))
        .route("/account/gallery/selected", post(gallery::selected))
        .route("/account/gallery/following", get(gallery::followed))
        .route(
            "/account/collections",
            get(gallery::collections).post(gallery::create_collection),
        )
        .route("/account/collections/{id}", post(gallery::rename_collection))
        .route(
            "/account/collections/{id}/delete",
            post(gallery::delete_collection),
        )
        .route("/account/gallery/compare", get(gallery::compare))
        .route("/account/gallery/files.zip", get(gallery::download))
        .route("/account/gallery/{id}", get(gallery::detail))
        .route("/account/gallery/{id}/result", get(gallery::result))
        .route("/account/gallery/{id}/events", get(gallery::events))
        .route("/account/gallery/{id}/cancel", post(gallery::cancel))
        .route("/account/gallery/{id}/favourite", post(gallery::favourite))
        .route(
            "/account/gallery/{id}/delete",
            get(deletion::ask_generation).post(deletion::delete_generation),
        )
}

/// The pages for operators.
fn operator_routes() -> Router<Console> {
    Router::new()
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
        .route(
            "/account/operator/accounts/{name}/erase",
            get(erase::ask).post(erase::erase),
        )
        .route("/account/operator/accounts/{name}/credits", post(operator::grant))
        .route("/account/operator/accounts/{name}/invite", post(operator::invite))
        .route(
            "/account/operator/accounts/{name}/invitations/{id}/revoke",
            post(operator::revoke_invitation),
        )
        .route("/account/operator/users/{login}", post(operator::update_user))
        .route(
            "/account/operator/users/{login}/reset",
            post(operator::reset_password),
        )
        .route(
            "/account/operator/users/{login}/two-step",
            post(operator::reset_two_step),
        )
        .route("/account/operator/audit", get(audit::audit))
        .route("/account/operator/policy", get(policy::policy))
        .route("/account/operator/policy/{id}/review", post(policy::review))
        .route("/account/operator/policy/{id}/overturn", post(policy::overturn))
        .route("/account/operator/usage", get(reports::usage))
        .route("/account/operator/report.csv", get(monthly_report::csv))
        .route("/account/operator/programs", get(programs::programs))
        .route("/account/operator/programs/state", get(programs::state))
        .route(
            "/account/operator/programs/{name}/{change}",
            post(programs::change),
        )
        .route("/account/operator/models", get(weights::models))
        .route("/account/operator/models/{name}/state", get(weights::state))
        .route("/account/operator/models/{name}/pull", post(weights::pull))
        .route("/account/operator/models/{name}/cancel", post(weights::cancel))
        .route("/account/operator/models/{name}/remove", post(weights::remove))
}

/// The documentation, and what else anybody may open.
fn docs_routes() -> Router<Console> {
    Router::new()
        .route(
            "/verify",
            get(verify::page)
                .post(verify::ask)
                .layer(DefaultBodyLimit::disable()),
        )
        .route("/docs", get(docs::index))
        .route("/docs/", get(|| async { Redirect::permanent("/docs") }))
        .route("/docs.md", get(docs::reference_markdown))
        .route("/docs/{page}", get(docs::guide))
        .route("/docs/models", get(docs::models))
        .route("/docs/models/{slug}", get(docs::model))
        .route("/llms.txt", get(docs::llms))
}

fn webhook_pages() -> Router<Console> {
    Router::new()
        .route("/account/webhooks", get(webhooks::index))
        .route("/account/webhooks/test", post(webhooks::test))
        .route(
            "/account/webhooks/redeliver-failed",
            post(webhooks::redeliver_failed),
        )
        .route("/account/webhooks/endpoints", post(endpoints::create))
        .route("/account/webhooks/endpoints/new", get(endpoints::new))
        .route(
            "/account/webhooks/endpoints/{id}",
            get(endpoints::show).post(endpoints::update),
        )
        .route("/account/webhooks/endpoints/{id}/rotate", post(endpoints::rotate))
        .route("/account/webhooks/endpoints/{id}/test", post(endpoints::test))
        .route("/account/webhooks/endpoints/{id}/delete", post(endpoints::delete))
        .route("/account/usage/alert", post(endpoints::alert))
        .route("/account/webhooks/{id}", get(webhooks::delivery))
        .route("/account/webhooks/{id}/redeliver", post(webhooks::redeliver))
}

async fn missing() -> PageError {
    PageError::missing()
}

//! The overview: the balance, recent results, and the first steps for new users.

use askama::Template;
use atelier_app::{generations::list::ListGenerations, webhooks::deliveries::ListDeliveries};
use atelier_domain::Right;
use axum::{
    extract::State,
    response::{IntoResponse as _, Redirect},
};

use super::gallery::{Tile, tiles};
use crate::{
    error::{Result, capital},
    frame::{Frame, page},
    session::Signed,
    state::Console,
    text,
};

#[derive(Template)]
#[template(path = "overview.html")]
struct OverviewPage {
    frame: Frame,
    available: String,
    held: String,
    plan: String,
    total: String,
    recent: Vec<Tile>,
    steps: Vec<Step>,
    barred: Option<String>,
}

impl OverviewPage {
    fn steps_are_done(&self) -> bool {
        self.steps.iter().all(|step| step.done)
    }
}

/// One of the first steps.
struct Step {
    title: &'static str,
    text: &'static str,
    path: &'static str,
    link: &'static str,
    done: bool,
}

pub(crate) async fn overview(State(console): State<Console>, signed: Signed) -> Result {
    // Roles that see no content begin with the usage.
    if !signed.signed_in.role.allows(Right::Look) {
        return Ok(Redirect::to("/account/usage").into_response());
    }
    let app = &console.app;
    let listed = app
        .list_generations(
            &signed.signed_in.caller,
            ListGenerations {
                limit: Some(8),
                ..ListGenerations::default()
            },
        )
        .await?;
    let deliveries = app
        .list_deliveries(
            &signed.signed_in.caller,
            ListDeliveries {
                limit: Some(1),
                ..ListDeliveries::default()
            },
        )
        .await?;
    let keys = app.keys(&signed.signed_in).await?;
    let account = signed.signed_in.account();
    let steps = vec![
        Step {
            title: "Try the playground",
            text: "Choose a model, describe what you want, and press Run.",
            path: "/account/playground",
            link: "Open the playground",
            done: listed.total > 0,
        },
        Step {
            title: "Create an API key",
            text: "Your programs use it to authenticate.",
            path: "/account/apps",
            link: "Create a key",
            done: keys.iter().any(|key| key.revoked_at.is_none()),
        },
        Step {
            title: "Call the API",
            text: "Make your first picture with three requests.",
            path: "/docs/quick-start",
            link: "Read the quick start",
            done: keys.iter().any(|key| key.last_used_at.is_some()),
        },
        Step {
            title: "Get notified when a job finishes",
            text: "Set a webhook URL and verify the signature of each delivery.",
            path: "/docs/webhooks",
            link: "Read about webhooks",
            done: deliveries.total > 0,
        },
    ];
    Ok(page(&OverviewPage {
        frame: signed.frame("Overview", "/account"),
        available: text::count(account.available),
        held: text::count(account.held),
        plan: account
            .plan
            .as_ref()
            .map_or_else(|| "none".to_owned(), |plan| plan.name.clone()),
        total: text::count(i64::try_from(listed.total).unwrap_or(i64::MAX)),
        recent: tiles(&console, &signed.signed_in.caller, &listed.items).await?,
        steps,
        barred: signed.signed_in.caller.barred().map(capital),
    }))
}

//! Members of the account, the accounts of a person, and the switch between them.

use askama::Template;
use atelier_app::Error;
use atelier_domain::{AccountRole, Member};
use axum::{
    extract::{Path, State},
    response::{IntoResponse as _, Redirect},
};

use crate::{
    error::Result,
    frame::{Frame, page},
    moment::Moment,
    session::{Posted, Signed},
    state::Console,
};

#[derive(Template)]
#[template(path = "switch.html")]
struct SwitchPage {
    frame: Frame,
    accounts: Vec<AccountView>,
}

struct AccountView {
    id: String,
    name: String,
    role: &'static str,
    hint: &'static str,
    shown: bool,
}

/// A member as a row of a table.
pub(super) struct MemberView {
    pub(super) login: String,
    pub(super) role: &'static str,
    pub(super) since: Moment,
    pub(super) disabled: bool,
    /// The signed-in user.
    pub(super) own: bool,
}

impl MemberView {
    pub(super) fn new(member: Member, own: &str) -> Self {
        Self {
            role: member.role.as_str(),
            since: Moment::date(member.since),
            disabled: member.user.disabled_at.is_some(),
            own: member.user.login == own,
            login: member.user.login,
        }
    }
}

pub(crate) async fn accounts(State(console): State<Console>, signed: Signed) -> Result {
    let shown = signed.signed_in.account().id;
    let accounts = console.app.accounts_of(&signed.signed_in).await?;
    Ok(page(&SwitchPage {
        frame: signed.frame("Switch account", "/account/switch"),
        accounts: accounts
            .into_iter()
            .map(|one| AccountView {
                id: one.account.to_string(),
                shown: one.account == shown,
                name: one.name,
                role: one.role.as_str(),
                hint: one.role.hint(),
            })
            .collect(),
    }))
}

pub(crate) async fn switch(State(console): State<Console>, posted: Posted) -> Result {
    let signed_in = &posted.signed.signed_in;
    console
        .app
        .show_account(signed_in, posted.form.get("account"))
        .await?;
    Ok(Redirect::to("/account").into_response())
}

/// Changes the role of a member, or removes them if the form names none.
pub(crate) async fn change(
    State(console): State<Console>,
    Path(login): Path<String>,
    posted: Posted,
) -> Result {
    let role = match posted.form.get("role") {
        "none" => None,
        role => Some(role.parse::<AccountRole>().map_err(Error::invalid)?),
    };
    let signed_in = &posted.signed.signed_in;
    console.app.change_member(signed_in, &login, role).await?;
    Ok(Redirect::to("/account/settings#users").into_response())
}

/// Accepts an invitation for the user who is signed in.
pub(crate) async fn accept(
    State(console): State<Console>,
    Path(token): Path<String>,
    posted: Posted,
) -> Result {
    console.app.join_account(&posted.signed.signed_in, &token).await?;
    Ok(Redirect::to("/account").into_response())
}

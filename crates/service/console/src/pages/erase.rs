//! The erasure of an account, after the operator has typed its name.

use askama::Template;
use atelier_app::{Error, accounts::erase::Erased};
use axum::{
    extract::{Path, State},
    http::StatusCode,
};

use super::operator::account_path;
use crate::{
    error::{PageError, Result, capital},
    frame::{Frame, page, page_with},
    session::{PostedByOperator, SignedOperator},
    state::Console,
};

#[derive(Template)]
#[template(path = "operator/erase.html")]
struct ErasePage {
    frame: Frame,
    name: String,
    path: String,
    problem: String,
    done: Option<Done>,
}

enum Done {
    /// The things that were removed.
    All(Erased),
    /// The erasure goes on.
    Begun,
}

impl ErasePage {
    fn new(by: &SignedOperator, name: &str) -> Self {
        Self {
            frame: by.signed.frame("Erase an account", "/account/operator/accounts"),
            name: name.to_owned(),
            path: account_path(name),
            problem: String::new(),
            done: None,
        }
    }
}

pub(crate) async fn ask(
    State(console): State<Console>,
    Path(name): Path<String>,
    by: SignedOperator,
) -> Result {
    let account = console.app.admin(&by.operator).account(&name).await?;
    Ok(page(&ErasePage::new(&by, &account.name)))
}

pub(crate) async fn erase(
    State(console): State<Console>,
    Path(name): Path<String>,
    posted: PostedByOperator,
) -> Result {
    let (by, form) = posted.split();
    let mut shown = ErasePage::new(&by, &name);
    if form.get("name").trim() != name {
        shown.problem = format!("Enter the account's name, {name}, to erase it. Nothing was changed.");
        return Ok(page_with(StatusCode::BAD_REQUEST, &shown));
    }
    let cancel = form.get("cancel") == "true";
    match console.app.erase_account(&by.operator, &name, cancel).await {
        Ok(erased) => {
            shown.done = Some(erased.map_or(Done::Begun, Done::All));
            Ok(page(&shown))
        }
        Err(Error::Conflict(message)) => {
            shown.problem = capital(&message);
            Ok(page_with(StatusCode::CONFLICT, &shown))
        }
        Err(other) => Err(PageError::from(other)),
    }
}

//! Marks a result as a favourite of the account.

use askama::Template;
use axum::{
    extract::{Path, State},
    http::HeaderMap,
    response::{IntoResponse as _, Redirect},
};

use super::list::back;
use crate::{error::Result, frame::page, script::is_script, session::Posted, state::Console};

/// The button that marks a favourite.
#[derive(Template)]
#[template(path = "gallery/star.html")]
struct StarPart {
    star: Star,
}

/// The state of the button of a generation.
#[derive(Debug, Clone)]
pub(crate) struct Star {
    pub id: String,
    pub on: bool,
    /// Whether the button is on the page of the generation.
    pub alone: bool,
}

pub(crate) async fn favourite(
    State(console): State<Console>,
    Path(id): Path<String>,
    headers: HeaderMap,
    posted: Posted,
) -> Result {
    let (on, alone) = match posted.form.get("favourite") {
        "gallery-on" => (true, false),
        "gallery-off" => (false, false),
        "off" => (false, true),
        _ => (true, true),
    };
    let caller = &posted.signed.signed_in.caller;
    let id = console.app.set_favourite(caller, &id, on).await?.to_string();
    if is_script(&headers) {
        return Ok(page(&StarPart {
            star: Star { id, on, alone },
        }));
    }
    let back = if alone {
        format!("/account/gallery/{id}")
    } else {
        back(posted.form.get("back"), &id, None)
    };
    Ok(Redirect::to(&back).into_response())
}

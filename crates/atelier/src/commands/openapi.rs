//! `atelier openapi`: prints the document that a server serves at `/openapi.json`.

use super::Session;
use crate::{failure::Failure, output::print, service};

pub(super) fn run(session: &Session) -> Result<(), Failure> {
    let document = service::openapi(&session.config)?;
    let text = if session.output.json {
        document.to_string()
    } else {
        format!("{document:#}")
    };
    Ok(print(&text)?)
}

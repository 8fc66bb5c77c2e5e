//! `atelier verify`: asks a service what it knows about a file.

use atelier_client::{Client, Question};
use serde_json::Value;

use super::Session;
use crate::{cli, failure::Failure, local::Reached, logging, output::fields};

pub(super) fn run(session: &Session, asked: &cli::Verify) -> Result<(), Failure> {
    logging::start("error", session.config.log_format);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let reached = match &asked.target.server {
            Some(server) => {
                // A key is not needed; with one, the service links your own jobs.
                let key = session.api_key.as_deref().unwrap_or_default();
                Reached::remote(Client::new(server.as_str(), key)?)
            }
            None => Reached::local(&session.config, session.api_key.as_deref()).await?,
        };
        let found = ask(&reached.client, &asked.file).await;
        let closed = reached.close().await;
        let found = found?;
        session.output.result(&found, || described(&found))?;
        closed
    })
}

async fn ask(client: &Client, file: &str) -> Result<Value, Failure> {
    let question = if file.starts_with("https://") || file.starts_with("http://") {
        Question::Url(file.to_owned())
    } else {
        let bytes = std::fs::read(file).map_err(|error| Failure::new(format!("{file}: {error}")))?;
        Question::File(bytes)
    };
    Ok(client.verify(question).await?)
}

/// The answer for people.
fn described(found: &Value) -> String {
    let text = |pointer: &str| found.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
    let by_bytes = !found["made_by"].is_null();
    let is_signed = found["credentials"]["own"] == true && found["credentials"]["state"] != "invalid";
    let heading = match found["result"].as_str() {
        Some("made_here") if by_bytes => "Made by this service: exactly this file.",
        Some("made_here") if is_signed => "Made by this service: it carries its signature.",
        Some("made_here") => "Made by this service, and changed since: it carries its watermark.",
        Some("declared") => "Not known to this service, but its metadata says how it was made.",
        _ => "Nothing is known about this file.",
    };
    let maker = if by_bytes {
        "/made_by"
    } else {
        "/watermark/made_by"
    };
    let watermark = match found["watermark"]["found"].as_bool() {
        Some(true) => Some("found".to_owned()),
        Some(false) => Some("none of this service".to_owned()),
        None => text("/watermark/reason"),
    };
    let credentials = text("/credentials/state").map(|state| match text("/credentials/signer") {
        Some(signer) => format!("{state}, signed by {signer}"),
        None => state,
    });
    let made_at = text(&format!("{maker}/created_at")).or_else(|| text("/watermark/created_at"));
    let rows = [
        ("model", text(&format!("{maker}/model"))),
        ("job", text(&format!("{maker}/id"))),
        ("made", made_at),
        ("watermark", watermark),
        ("credentials", credentials),
        ("source type", text("/declared/source_type")),
        ("made with", text("/declared/system")),
        ("sha256", text("/file/sha256")),
    ];
    let rows: Vec<_> = rows
        .into_iter()
        .filter_map(|(name, value)| Some((name, value?)))
        .collect();
    format!("{heading}\n{}", fields(&rows))
}

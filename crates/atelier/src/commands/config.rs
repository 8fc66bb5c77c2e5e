//! `atelier config`: every setting with its value and its source.

use serde_json::{Value, json};

use super::Session;
use crate::{failure::Failure, output::table};

pub(super) fn run(session: &Session) -> Result<(), Failure> {
    let settings = session.config.settings();
    let value: Value = settings
        .iter()
        .map(|setting| {
            (
                setting.key.to_owned(),
                json!({ "value": setting.value, "from": setting.from }),
            )
        })
        .collect();
    Ok(session.output.result(&value, || {
        let row = |setting: &crate::config::Setting| {
            let value = match &setting.value {
                Value::String(text) if text.is_empty() => "-".to_owned(),
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            vec![setting.key.to_owned(), value, setting.from.clone()]
        };
        table(
            &["setting", "value", "source"],
            settings.iter().map(row).collect(),
        )
    })?)
}

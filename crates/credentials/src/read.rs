//! Reads the manifest of a file, and checks whether it is valid.

use std::{fs::File, path::PathBuf};

use c2pa::{
    Context, Error, Manifest, Reader, Settings, ValidationState, validation_status::TIMESTAMP_TRUSTED,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::format;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Order {
    path: PathBuf,
    /// Certificates in PEM whose signatures are trusted.
    #[serde(default)]
    trusted: String,
    /// Certificates in PEM with which the reader signs, or has signed.
    #[serde(default)]
    own: String,
}

/// The content of a manifest.
#[derive(Debug, Default, Serialize)]
pub struct Found {
    state: State,
    /// Whether one of the reader's own certificates signed it.
    is_own: bool,
    /// The signer: the organisation and the common name of the certificate.
    organization: Option<String>,
    name: Option<String>,
    /// The program that made the manifest.
    program: Option<String>,
    /// When it was signed (RFC 3339), by the time stamp of an authority that is trusted.
    signed_at: Option<String>,
    /// The actions on the content, in order.
    actions: Vec<Act>,
    /// Files that it was made from.
    inputs: usize,
    /// Codes of the problems, by the C2PA specification.
    problems: Vec<String>,
}

#[derive(Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// There is no manifest.
    #[default]
    None,
    /// The file or its manifest was changed after it was signed, or the manifest is damaged.
    Invalid,
    /// The file was not changed after it was signed. Anybody can make the certificate that signed it.
    Valid,
    /// The same, and the certificate is trusted.
    Trusted,
}

#[derive(Debug, Serialize)]
struct Act {
    action: String,
    agent: Option<String>,
    source_type: Option<String>,
    when: Option<String>,
}

pub fn read(order: &Order) -> Result<Found, String> {
    let Some(format) = format::of(&order.path)? else {
        return Ok(Found::default());
    };
    let failed = |error: Error| format!("the settings are wrong: {error}");
    let mut settings = json!({ "verify": { "ocsp_fetch": false, "remote_manifest_fetch": false } });
    if !order.trusted.is_empty() {
        settings["trust"] = json!({ "user_anchors": order.trusted });
    }
    let settings = Settings::new().with_json(&settings.to_string()).map_err(failed)?;
    let context = Context::new().with_settings(settings).map_err(failed)?;
    let file = File::open(&order.path).map_err(|error| format!("the file cannot be read: {error}"))?;
    let reader = match Reader::from_context(context).with_stream(format, file) {
        Ok(reader) => reader,
        Err(Error::JumbfNotFound) => return Ok(Found::default()),
        Err(error) => {
            return Ok(Found {
                state: State::Invalid,
                problems: vec![error.to_string()],
                ..Found::default()
            });
        }
    };
    let problems = reader.validation_status().unwrap_or_default();
    let mut found = Found {
        state: match reader.validation_state() {
            ValidationState::Trusted => State::Trusted,
            ValidationState::Valid => State::Valid,
            ValidationState::Invalid => State::Invalid,
        },
        problems: problems.iter().map(|problem| problem.code().to_owned()).collect(),
        ..Found::default()
    };
    if let Some(manifest) = reader.active_manifest() {
        found.tell(manifest, &order.own);
        found.signed_at = manifest.time().filter(|_| is_stamp_trusted(&reader));
    }
    Ok(found)
}

impl Found {
    fn tell(&mut self, manifest: &Manifest, own: &str) {
        let signer = manifest
            .signature_info()
            .and_then(|signature| certificates(signature.cert_chain()).next());
        self.is_own = signer.is_some_and(|signer| certificates(own).any(|own| own == signer));
        self.organization = manifest.issuer();
        self.name = manifest.common_name();
        let program = manifest
            .claim_generator_info
            .as_ref()
            .and_then(|programs| programs.first());
        self.program = program.map(|program| program.name.clone());
        self.inputs = manifest.ingredients().len();
        for assertion in manifest.assertions() {
            if !assertion.label().starts_with("c2pa.actions") {
                continue;
            }
            let listed = assertion
                .value()
                .ok()
                .and_then(|value| value["actions"].as_array());
            self.actions.extend(listed.into_iter().flatten().map(act));
        }
    }
}

/// Whether the time stamp of the manifest is by an authority that is trusted: anybody can make one.
fn is_stamp_trusted(reader: &Reader) -> bool {
    let codes = reader
        .validation_results()
        .and_then(|results| results.active_manifest());
    codes.is_some_and(|codes| {
        codes
            .success()
            .iter()
            .any(|status| status.code() == TIMESTAMP_TRUSTED)
    })
}

/// The certificates in PEM, without line ends.
fn certificates(text: &str) -> impl Iterator<Item = String> {
    let parts = text.split("-----BEGIN CERTIFICATE-----").skip(1);
    let bodies = parts.filter_map(|part| part.split_once("-----END CERTIFICATE-----"));
    bodies.map(|(body, _)| body.split_whitespace().collect())
}

fn act(told: &Value) -> Act {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let agent = &told["softwareAgent"];
    Act {
        action: text(&told["action"]).unwrap_or_default(),
        agent: text(agent).or_else(|| text(&agent["name"])),
        source_type: text(&told["digitalSourceType"]),
        when: text(&told["when"]),
    }
}

//! Writes a signed manifest into a copy of a file: its program, model, inputs and time.

use std::{
    fs::{File, OpenOptions},
    io::Cursor,
    path::{Path, PathBuf},
};

use c2pa::{Builder, Context, Reader, ValidationState};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{format, signer, stamp::Stamped};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Order {
    /// The file. It is not changed.
    path: PathBuf,
    /// The path of the signed copy.
    to: PathBuf,
    /// The program that signs, and its version.
    program: (String, String),
    /// The system that made the content: a model's name.
    agent: String,
    /// One sentence about the act, such as with which weights.
    #[serde(default)]
    description: Option<String>,
    /// The prompt, if the account wants it in the manifest.
    #[serde(default)]
    prompt: Option<String>,
    /// The origin of the content: a URI of the IPTC's vocabulary of digital source types.
    source_type: String,
    /// When the content was made (RFC 3339).
    made_at: String,
    /// The files it was made from.
    #[serde(default)]
    inputs: Vec<Input>,
    signer: signer::Order,
    /// The address of a time-stamping authority (RFC 3161).
    #[serde(default)]
    time_stamps: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    path: PathBuf,
    title: String,
    /// Whether the signed file is an edit of this one. This is true for at most one input.
    #[serde(default)]
    is_parent: bool,
}

/// The result of signing a file.
#[derive(Debug, Serialize)]
pub struct Signed {
    /// Whether the format has manifests. If not, no copy was written.
    signed: bool,
    /// Inputs that the manifest names.
    inputs: usize,
    /// The reason why a requested time stamp is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_stamped: Option<String>,
}

pub fn sign(order: &Order) -> Result<Signed, String> {
    let Some(format) = format::of(&order.path)? else {
        return Ok(Signed {
            signed: false,
            inputs: 0,
            not_stamped: None,
        });
    };
    let signer = Stamped::new(signer::make(order.signer.clone())?, order.time_stamps.clone());
    let failed = |error: c2pa::Error| format!("the file cannot be signed: {error}");
    let base = json!({
        "claim_generator_info": [{ "name": order.program.0, "version": order.program.1 }],
    });
    let mut builder = Builder::from_context(Context::new())
        .with_definition(base.to_string())
        .map_err(failed)?;
    let mut named = Named::default();
    for input in &order.inputs {
        named.add(&mut builder, input);
    }
    for action in actions(order, &named) {
        builder.add_action(action).map_err(failed)?;
    }
    let mut source = open(&order.path)?;
    let mut copy = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(true)
        .open(&order.to)
        .map_err(|error| format!("the copy cannot be made: {error}"))?;
    builder
        .sign(&signer, format, &mut source, &mut copy)
        .map_err(failed)?;
    Ok(Signed {
        signed: true,
        inputs: named.others.len() + usize::from(named.parent.is_some()),
        not_stamped: signer.missed(),
    })
}

/// The ids of the inputs that the manifest names.
#[derive(Debug, Default)]
struct Named {
    parent: Option<String>,
    others: Vec<String>,
}

impl Named {
    /// Adds an input with its own manifest, if it has one. Skips an input that cannot be read, or whose format has no
    /// manifests.
    fn add(&mut self, builder: &mut Builder, input: &Input) {
        let is_parent = input.is_parent && self.parent.is_none();
        let id = format!("input-{}", self.others.len() + usize::from(self.parent.is_some()));
        let relationship = if is_parent { "parentOf" } else { "inputTo" };
        let ingredient = json!({ "title": input.title, "relationship": relationship, "label": id });
        let Ok(Some(format)) = format::of(&input.path) else {
            return;
        };
        let Ok(mut file) = File::open(&input.path) else {
            return;
        };
        let added = builder.add_ingredient_from_stream(ingredient.to_string(), format, &mut file);
        match added {
            Ok(_) if is_parent => self.parent = Some(id),
            Ok(_) => self.others.push(id),
            Err(error) => eprintln!("{}: {error}", input.title),
        }
    }
}

/// The actions: an edited file is opened first; any other is created.
fn actions(order: &Order, named: &Named) -> Vec<Value> {
    let mut act = json!({
        "action": if named.parent.is_some() { "c2pa.edited" } else { "c2pa.created" },
        "when": order.made_at,
        "softwareAgent": { "name": order.agent },
        "digitalSourceType": order.source_type,
    });
    if let Some(description) = &order.description {
        act["description"] = json!(description);
    }
    if !named.others.is_empty() {
        act["parameters"]["ingredientIds"] = json!(named.others);
    }
    if let Some(prompt) = &order.prompt {
        act["parameters"]["prompt"] = json!(prompt);
    }
    let opened = named
        .parent
        .as_ref()
        .map(|parent| json!({ "action": "c2pa.opened", "parameters": { "ingredientIds": [parent] } }));
    opened.into_iter().chain([act]).collect()
}

fn open(path: &Path) -> Result<File, String> {
    File::open(path).map_err(|error| format!("the file cannot be read: {error}"))
}

/// A picture of one pixel (PNG).
const PIXEL: &[u8] = include_bytes!("pixel.png");

/// Signs a small picture and reads it, because a key may belong to another certificate.
pub fn check(order: signer::Order) -> Result<(), String> {
    let signer = signer::make(order)?;
    let failed = |error: c2pa::Error| format!("the certificate or its key cannot be used: {error}");
    let mut builder = Builder::from_context(Context::new());
    let created =
        json!({ "action": "c2pa.created", "digitalSourceType": "http://c2pa.org/digitalsourcetype/empty" });
    builder.add_action(created).map_err(failed)?;
    let (mut source, mut copy) = (Cursor::new(PIXEL), Cursor::new(Vec::new()));
    builder
        .sign(&*signer, "image/png", &mut source, &mut copy)
        .map_err(failed)?;
    copy.set_position(0);
    let reader = Reader::from_context(Context::new())
        .with_stream("image/png", copy)
        .map_err(failed)?;
    if reader.validation_state() != ValidationState::Invalid {
        return Ok(());
    }
    let problems = reader.validation_status().unwrap_or_default();
    let codes: Vec<_> = problems.iter().map(|problem| problem.code()).collect();
    Err(format!(
        "a test signature by the certificate and its key is invalid: {}",
        codes.join(", ")
    ))
}

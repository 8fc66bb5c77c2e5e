//! The playground: choose a model, fill in its form, see the price, run it, look at the result.

mod about;
mod fields;
mod list;
mod model;
mod request;
mod run;
mod upload;

use atelier_app::{admin::weights::WeightsState, models::pull_command as command};
use atelier_catalog::{Model, ParameterType};
use request::FilledForm;
use serde_json::{Value, json};

use super::weights::anchor;
use crate::{
    error::PageError,
    samples::{self, Sample},
    session::Signed,
    state::Console,
    text,
};

pub(crate) use about::About;
pub(crate) use list::index;
pub(crate) use model::{model, quote};
pub(crate) use run::run;
pub(crate) use upload::upload;

/// A request to start from: the defaults, the words of the model's sample, and files where they are required.
pub(crate) fn example_body(model: &Model) -> Value {
    let mut form = FilledForm::defaults(model);
    let told = samples::of(&model.slug).filter(|sample| sample.is_words);
    if let (Some(sample), Some(field)) = (told, words_field(model)) {
        form.params.insert(field.to_owned(), sample.told.clone().into());
    }
    let files = model.parameters.iter().filter(|parameter| parameter.required);
    for (parameter, accepted) in files.filter_map(|parameter| Some((parameter, parameter.accepts.first()?))) {
        let url = format!("https://example.com/input.{}", accepted.extension());
        let value = match parameter.kind {
            ParameterType::MultiSelect => json!([url]),
            _ => json!(url),
        };
        form.params.insert(parameter.name.clone(), value);
    }
    json!(form.body(model))
}

/// Whether the embedded engine would make a draft instead of running the vendor's model.
fn is_draft(console: &Console, model: &Model) -> bool {
    model.vendor.is_some() && is_untrained(console, model)
}

/// Whether the embedded engine serves the model, without trained weights.
fn is_untrained(console: &Console, model: &Model) -> bool {
    let targets = console.app.targets(&model.slug);
    targets
        .first()
        .is_some_and(|target| target.engine.name() == "draft" && target.weights().is_none())
}

/// A sample with its caption.
#[derive(Debug)]
struct SampleView {
    sample: &'static Sample,
    /// Whether something else than what made the sample serves the model now.
    served_otherwise: bool,
    /// The page of the model with the words of the sample in the form, if it has some.
    again: Option<String>,
}

/// The field of a model that takes the words of its sample.
fn words_field(model: &Model) -> Option<&str> {
    let mut names = model.parameters.iter().map(|parameter| parameter.name.as_str());
    names.find(|name| ["prompt", "text"].contains(name))
}

impl SampleView {
    fn of(console: &Console, model: &Model) -> Option<Self> {
        let sample = samples::of(&model.slug)?;
        let fills = sample.is_words && words_field(model).is_some();
        Some(Self {
            sample,
            again: fills.then(|| format!("/account/playground/{}?sample=true", model.slug)),
            served_otherwise: !is_embedded(console, model),
        })
    }

    fn caption(&self) -> &'static str {
        match (self.served_otherwise, self.sample.kind.as_str()) {
            (true, _) => "Made by the embedded engine as a draft. Here, something else serves this model.",
            (false, "video") => "A frame of a video that the embedded engine made",
            (false, _) => "Made by the embedded engine",
        }
    }
}

/// The network that is part of the program and cuts out subjects.
const OWN_NETWORK: &str = "U-2-Net small";

/// Whether what made the samples serves the model: the embedded engine with nothing but its own network.
fn is_embedded(console: &Console, model: &Model) -> bool {
    let targets = console.app.targets(&model.slug);
    targets.first().is_some_and(|target| {
        let weights = target.weights();
        target.engine.name() == "draft" && weights.is_none_or(|weights| weights.title == OWN_NETWORK)
    })
}

/// The weights on this machine that make the model's results, with their licence.
fn weights(console: &Console, model: &Model) -> Option<String> {
    let targets = console.app.targets(&model.slug);
    let weights = targets.first()?.weights()?;
    Some(format!("{} ({})", weights.title, weights.license))
}

/// Trained weights that could serve a model of the embedded engine.
#[derive(Debug)]
struct OfferedWeights {
    title: String,
    /// The size or the progress, and the licence.
    facts: String,
    /// Their place on the operator's page.
    page: String,
    /// The operator's command that downloads them, and the program that runs them.
    command: String,
    /// Whether the service runs them, by itself or by a program.
    runs: bool,
}

/// The weights that could serve a model, first those that the service runs by itself. Nothing for members, who could
/// not pull them.
async fn offered(
    console: &Console,
    signed: &Signed,
    model: &Model,
) -> Result<Vec<OfferedWeights>, PageError> {
    let targets = console.app.targets(&model.slug);
    let is_embedded = targets
        .first()
        .is_some_and(|target| target.engine.name() == "draft");
    let operator = console.app.operator(&signed.signed_in);
    let Some(operator) = operator.ok().filter(|_| is_embedded) else {
        return Ok(Vec::new());
    };
    let found = console.app.weights_for(&operator, &model.slug).await?;
    let offered = found.into_iter().map(|weights| {
        let state = match &weights.state {
            WeightsState::Absent(Ok(offer)) | WeightsState::Failed { offer: Ok(offer), .. } => {
                text::size(offer.missing_bytes)
            }
            _ => "being pulled".to_owned(),
        };
        OfferedWeights {
            facts: format!("{state}, {}", weights.entry.licence.short()),
            page: anchor(&weights.entry.name),
            command: command(&weights.entry.name, weights.program.as_deref()),
            runs: weights.runs,
            title: weights.entry.title,
        }
    });
    let mut offered: Vec<_> = offered.collect();
    offered.sort_by_key(|weights| !weights.runs);
    Ok(offered)
}

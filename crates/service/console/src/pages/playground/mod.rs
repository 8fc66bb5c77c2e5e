//! The playground: choose a model, fill in its form, see the price, run it, look at the result.

mod fields;
mod list;
mod model;
mod request;
mod run;
mod snippets;
mod upload;

use atelier_catalog::Model;

use crate::state::Console;

pub(crate) use list::index;
pub(crate) use model::{model, quote};
pub(crate) use run::run;
pub(crate) use upload::upload;

/// Whether the embedded engine would make a draft instead of running the vendor's model.
fn is_draft(console: &Console, model: &Model) -> bool {
    let targets = console.app.targets(&model.slug);
    let engine = targets.first().map(|target| target.engine.name());
    model.vendor.is_some() && engine == Some("draft")
}

/// The weights on this machine that make the model's results, with their licence.
fn weights(console: &Console, model: &Model) -> Option<String> {
    let targets = console.app.targets(&model.slug);
    let weights = targets.first()?.weights.as_ref()?;
    Some(format!("{} ({})", weights.title, weights.license))
}

/// The price without its multipliers: `4 credits per image`.
fn short_price(model: &Model) -> &str {
    let rule = &model.pricing.description;
    rule.split([',', ';']).next().unwrap_or(rule)
}

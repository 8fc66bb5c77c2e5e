//! The facts to know about a model before it is used: its maker, its licence, its limits and its prices.

use std::time::Duration;

use atelier_catalog::{Commercial, License, Model, Parameter, PriceTable};

use crate::text;

pub(crate) struct About {
    pub facts: Vec<(String, String)>,
    /// The prices for each combination of the values that change them.
    pub prices: Option<PriceTable>,
    pub unit: &'static str,
}

impl About {
    pub(crate) fn new(model: &Model) -> Self {
        let mut facts = Vec::new();
        let mut add = |name: &str, value: String| facts.push((name.to_owned(), value));
        if let Some(vendor) = &model.vendor {
            add("Maker", vendor.clone());
        }
        if let Some(license) = &model.license {
            add("Licence", in_words(license));
        }
        add("Price", model.pricing.description.clone());
        let longest = Duration::from_secs(model.limits.max_processing_seconds);
        add(
            "Time",
            format!("ends after {} at the latest", text::span(longest)),
        );
        for parameter in model.parameters.iter().filter(|parameter| parameter.is_file()) {
            add(&parameter.label, files(parameter));
        }
        Self {
            facts,
            prices: model.price_table(),
            unit: model.pricing.unit.as_str(),
        }
    }
}

/// `CC-BY-NC-4.0; commercial use: no. A note.`
fn in_words(license: &License) -> String {
    let name = license.name.as_ref().or(license.id.as_ref());
    let name = name.map_or("not known", String::as_str);
    let commercial = match license.commercial {
        Commercial::Yes => "yes",
        Commercial::No => "no",
        Commercial::Conditions => "under conditions",
        Commercial::Unknown => "not known",
    };
    let note = license
        .note
        .as_ref()
        .map_or_else(String::new, |note| format!(". {note}"));
    format!("{name}; commercial use: {commercial}{note}")
}

/// `PNG, JPG, WEBP; up to 5 files; each file at most 30 MiB`.
fn files(parameter: &Parameter) -> String {
    let types = parameter.accepts.iter();
    let types: Vec<String> = types.map(|one| one.extension().to_uppercase()).collect();
    let mut parts = vec![types.join(", ")];
    if let Some(most) = parameter.max_items.filter(|most| *most > 1) {
        parts.push(format!("up to {most} files"));
    }
    parts.extend(parameter.file_limits());
    parts.join("; ")
}

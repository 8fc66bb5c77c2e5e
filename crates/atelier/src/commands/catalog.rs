//! `atelier catalog`: lists the models of the catalog, or shows the fields of one.

use atelier_client::{Client, Model, ModelSummary, Parameter};
use serde_json::Value;

use super::Session;
use crate::{
    cli,
    failure::Failure,
    output::{fields, table},
    service::served_models,
};

pub(super) fn run(session: &Session, asked: &cli::Catalog) -> Result<(), Failure> {
    match (&asked.target.server, &asked.slug) {
        (None, None) => list(
            session,
            &local(session)?
                .into_iter()
                .map(|model| model.summary)
                .collect::<Vec<_>>(),
        ),
        (None, Some(slug)) => {
            let models = local(session)?;
            match models.iter().find(|model| model.summary.slug == *slug) {
                Some(model) => show(session, model),
                None => Err(not_found(
                    slug,
                    models.iter().map(|model| model.summary.slug.as_str()),
                )),
            }
        }
        (Some(server), slug) => {
            let client = Client::new(server.as_str(), session.api_key_for_server()?)?;
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()?;
            runtime.block_on(async {
                match slug {
                    None => list(session, &client.models().await?),
                    Some(slug) => show(session, &find(&client, slug).await?),
                }
            })
        }
    }
}

/// The model with this slug, or a failure that names similar ones.
pub(super) async fn find(client: &Client, slug: &str) -> Result<Model, Failure> {
    match client.model(slug).await {
        Err(error) if error.code() == Some("not_found") => {
            let models = client.models().await?;
            Err(not_found(slug, models.iter().map(|model| model.slug.as_str())))
        }
        found => Ok(found?),
    }
}

/// The catalog of this configuration, in the shapes of the API.
fn local(session: &Session) -> Result<Vec<Model>, Failure> {
    let described = served_models(&session.config)?;
    let models: Result<Vec<Model>, _> = described.iter().map(|text| serde_json::from_str(text)).collect();
    models.map_err(|error| Failure::new(format!("the catalog cannot be shown: {error}")))
}

fn not_found<'a>(slug: &str, models: impl Iterator<Item = &'a str>) -> Failure {
    Failure::Refused {
        code: "not_found".to_owned(),
        message: unknown(slug, models),
    }
}

/// Says that no model has this slug, and names similar ones.
pub(super) fn unknown<'a>(slug: &str, models: impl Iterator<Item = &'a str>) -> String {
    let hint = atelier_catalog::similar(slug, models).map_or_else(
        || "`atelier catalog` lists the known models".to_owned(),
        |similar| format!("did you mean {similar}?"),
    );
    format!("unknown model `{slug}`; {hint}")
}

fn list(session: &Session, models: &[ModelSummary]) -> Result<(), Failure> {
    let row = |model: &ModelSummary| {
        vec![
            model.slug.clone(),
            model.kind.clone(),
            model.category.clone(),
            made_by(model),
            model.description.clone(),
        ]
    };
    Ok(session.output.result(&models, || {
        let table = table(
            &["model", "type", "category", "made by", "description"],
            models.iter().map(row).collect(),
        );
        format!(
            "{table}\n`atelier catalog MODEL` shows the fields of a model. `atelier models pull NAME` downloads the \
             weights that a draft can be replaced by.\n"
        )
    })?)
}

/// `draft`, with the weights that could take its place, or the weights that make the results.
fn made_by(model: &ModelSummary) -> String {
    let name = |weights: &Value| weights["name"].as_str().unwrap_or_default().to_owned();
    let available: Vec<_> = model.available_weights.iter().map(name).collect();
    match (&model.weights, model.draft) {
        (Some(weights), _) => name(weights),
        (None, true) if !available.is_empty() => format!("draft; can be {}", available.join(", ")),
        (None, true) => "draft".to_owned(),
        (None, false) => "-".to_owned(),
    }
}

fn show(session: &Session, model: &Model) -> Result<(), Failure> {
    Ok(session.output.result(&model, || {
        let summary = &model.summary;
        let mut lines = vec![
            ("model", format!("{} ({})", summary.slug, summary.name)),
            ("type", format!("{}, {}", summary.kind, summary.category)),
            ("about", summary.description.clone()),
        ];
        lines.extend(model.more.get("vendor").map(|vendor| ("vendor", plain(vendor))));
        lines.extend(
            model
                .more
                .get("license")
                .map(|license| ("license", license_line(license))),
        );
        lines.extend(
            model
                .more
                .get("served_by")
                .map(|engine| ("served by", plain(engine))),
        );
        if summary.draft {
            lines.push(("results", "drafts, without a trained model".to_owned()));
        }
        lines.extend(
            summary
                .weights
                .iter()
                .map(|weights| ("weights", weights_line(weights))),
        );
        let available = summary.available_weights.iter();
        lines.extend(available.map(|weights| {
            let command = weights["command"].as_str().unwrap_or_default();
            (
                "can be made by",
                format!("{}: `{command}`", weights_line(weights)),
            )
        }));
        lines.push(("price", price(model)));
        let head = fields(&lines);
        let rows = model.parameters.iter().map(row).collect();
        let parameters = table(&["field", "type", "default", "allowed", "description"], rows);
        let rules = match model.rules.as_slice() {
            [] => String::new(),
            rules => format!("\nRules:\n- {}\n", rules.join("\n- ")),
        };
        format!("{head}\n{parameters}{rules}")
    })?)
}

fn row(parameter: &Parameter) -> Vec<String> {
    let default = match &parameter.default {
        Value::Null if parameter.required => "required".to_owned(),
        Value::Null => "-".to_owned(),
        value => plain(value),
    };
    let meaning = parameter
        .description
        .clone()
        .unwrap_or_else(|| parameter.label.clone());
    vec![
        parameter.name.clone(),
        parameter.kind.clone(),
        default,
        allowed(parameter),
        meaning,
    ]
}

fn allowed(parameter: &Parameter) -> String {
    let number = |name: &str| parameter.more.get(name).and_then(Value::as_u64);
    if let Some(options) = &parameter.options {
        return options.iter().map(plain).collect::<Vec<_>>().join(", ");
    }
    match (parameter.min, parameter.max) {
        (Some(min), Some(max)) => return format!("{min} to {max}"),
        (Some(min), None) => return format!("at least {min}"),
        (None, Some(max)) => return format!("at most {max}"),
        (None, None) => {}
    }
    match (parameter.max_items, number("max_length")) {
        (Some(1), _) => "one file".to_owned(),
        (Some(items), _) => format!("up to {items} files"),
        (None, Some(length)) => format!("up to {length} characters"),
        (None, None) if !parameter.accepts.is_empty() => "a file".to_owned(),
        (None, None) if parameter.kind == "boolean" => "true, false".to_owned(),
        (None, None) => "-".to_owned(),
    }
}

/// Trained weights with their licence.
fn weights_line(weights: &Value) -> String {
    let text = |name: &str| weights[name].as_str().unwrap_or_default();
    format!("{} ({})", text("title"), text("license"))
}

/// The license of a model's weights, in one line.
fn license_line(license: &Value) -> String {
    let text = |name: &str| license[name].as_str();
    let name = text("name").or(text("id")).unwrap_or("unknown license");
    let note = text("note").map_or_else(String::new, |note| format!(". {note}"));
    let commercial = match text("commercial") {
        Some("unknown") | None => "read it before commercial use".to_owned(),
        Some("conditions") => "commercial use under conditions".to_owned(),
        Some(answer) => format!("commercial use: {answer}"),
    };
    format!("{name}; {commercial}{note}")
}

fn price(model: &Model) -> String {
    let text = |name: &str| model.pricing.get(name).map(plain);
    match (text("credits"), text("unit")) {
        (Some(credits), Some(unit)) => {
            let more = if model.pricing.contains_key("factors") {
                ", depending on its settings"
            } else {
                ""
            };
            format!("{credits} credits per {}{more}", unit.replace('_', " "))
        }
        _ => Value::Object(model.pricing.clone()).to_string(),
    }
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_about_an_unknown_model_names_similar_ones() {
        let models = ["image-gen-4", "upscale", "video-gen-1-0"];
        let message = unknown("image-gen4", models.into_iter());
        assert!(
            message.starts_with("unknown model `image-gen4`; did you mean `image-gen-4`"),
            "{message}"
        );
        let message = unknown("qqq", models.into_iter());
        assert_eq!(
            message,
            "unknown model `qqq`; `atelier catalog` lists the known models"
        );
    }
}

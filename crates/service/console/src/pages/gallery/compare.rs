//! Two generations beside each other, and what was different between them.

use std::collections::{BTreeSet, HashMap};

use askama::Template;
use atelier_app::{
    generations::list::{GenerationFilter, ListGenerations},
    private::Links,
};
use atelier_domain::Generation;
use axum::extract::{Query, State};

use super::{ResultView, Tile, generation::inputs_and_params, tiles};
use crate::{
    error::{PageError, Result},
    frame::{Frame, page},
    moment::Moment,
    session::Signed,
    state::Console,
    text,
};

/// Generations to choose the second one from.
const OFFERED: u32 = 24;

#[derive(Template)]
#[template(path = "gallery/compare.html")]
struct ComparePage {
    frame: Frame,
    first: String,
    second: Option<String>,
    model: String,
    /// Both, once the second one is chosen.
    sides: Vec<Side>,
    differences: Vec<Difference>,
    /// The results that the first one can be compared with.
    offered: Vec<Tile>,
}

struct Side {
    model: String,
    when: Moment,
    result: ResultView,
}

impl Side {
    async fn new(
        console: &Console,
        links: &Links,
        generation: &Generation,
    ) -> std::result::Result<Self, PageError> {
        Ok(Self {
            model: console.model_name(&generation.model),
            when: Moment::new(generation.created_at),
            result: ResultView::read(console, links, generation).await?,
        })
    }
}

/// A row that is not the same on both sides.
#[derive(Debug, PartialEq, Eq)]
struct Difference {
    name: String,
    first: String,
    second: String,
}

pub(crate) async fn compare(
    State(console): State<Console>,
    signed: Signed,
    Query(query): Query<HashMap<String, String>>,
) -> Result {
    let caller = &signed.signed_in.caller;
    let id = |name: &str| query.get(name).map_or("", String::as_str);
    let first = console.app.generation(caller, id("first")).await?;
    let second = match id("second") {
        "" => None,
        id => Some(console.app.generation(caller, id).await?),
    };
    let offered = if second.is_some() {
        Vec::new()
    } else {
        let filter = GenerationFilter {
            kind: Some(first.kind),
            ..GenerationFilter::default()
        };
        let wanted = ListGenerations {
            filter,
            limit: Some(OFFERED),
            cursor: None,
        };
        let mut listed = console.app.list_generations(caller, wanted).await?.items;
        listed.retain(|other| other.id != first.id);
        listed
    };
    let links = console.app.links(caller).await?;
    Ok(page(&ComparePage {
        frame: signed.frame("Compare", "/account/gallery"),
        first: first.id.to_string(),
        model: console.model_name(&first.model),
        sides: match &second {
            Some(second) => vec![
                Side::new(&console, &links, &first).await?,
                Side::new(&console, &links, second).await?,
            ],
            None => Vec::new(),
        },
        differences: second.as_ref().map_or_else(Vec::new, |second| {
            differences(&rows(&console, &first), &rows(&console, second))
        }),
        second: second.as_ref().map(|second| second.id.to_string()),
        offered: tiles(&console, caller, &offered).await?,
    }))
}

/// Returns the rows that can differ, in the order in which they are shown.
fn rows(console: &Console, generation: &Generation) -> Vec<(String, String)> {
    let mut rows = vec![("Model".to_owned(), console.model_name(&generation.model))];
    let model = console.app.catalog().get(&generation.model);
    let (inputs, params) = inputs_and_params(model, &generation.params);
    rows.extend(inputs);
    rows.extend(params);
    rows.push((
        "Charged".to_owned(),
        generation.charged.map(text::credits).unwrap_or_default(),
    ));
    if let Some((started, ended)) = generation.started_at.zip(generation.ended_at) {
        rows.push(("Ran".to_owned(), text::duration(ended.since(started))));
    }
    rows
}

/// The rows whose values differ; one that a side lacks is empty there. Equal names of one side are joined.
fn differences(first: &[(String, String)], second: &[(String, String)]) -> Vec<Difference> {
    let value = |rows: &[(String, String)], name: &str| {
        let values = rows.iter().filter(|(other, _)| other == name);
        values
            .map(|(_, value)| value.as_str())
            .collect::<Vec<_>>()
            .join(", ")
    };
    let mut seen = BTreeSet::new();
    let names = first.iter().chain(second).map(|(name, _)| name);
    names
        .filter(|name| seen.insert(*name))
        .map(|name| Difference {
            name: name.clone(),
            first: value(first, name),
            second: value(second, name),
        })
        .filter(|row| row.first != row.second)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(rows: &[(&str, &str)]) -> Vec<(String, String)> {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        rows.iter().map(owned).collect()
    }

    #[test]
    fn only_what_differs_is_shown_and_what_a_side_lacks_is_empty() {
        let first = rows(&[
            ("Prompt", "a cat"),
            ("Seed", "1"),
            ("Picture", "a"),
            ("Picture", "b"),
        ]);
        let second = rows(&[("Prompt", "a cat"), ("Picture", "a"), ("Steps", "4")]);
        let found = differences(&first, &second);
        let found: Vec<[&str; 3]> = found
            .iter()
            .map(|row| [row.name.as_str(), row.first.as_str(), row.second.as_str()])
            .collect();
        assert_eq!(
            found,
            [["Seed", "1", ""], ["Picture", "a, b", "a"], ["Steps", "", "4"]]
        );
    }
}

//! The tables of docs/models.md match the catalog.

use atelier_catalog::{Commercial, Model, ModelType};

use crate::CATALOG;

const DOCUMENT: &str = include_str!("../../../../../docs/models.md");

#[test]
fn the_tables_in_the_documentation_match_the_catalog() {
    for (heading, wanted) in [
        ("### Image", ModelType::Image),
        ("### Video", ModelType::Video),
        ("### Audio", ModelType::Audio),
        ("### Tools", ModelType::Tool),
    ] {
        let models = CATALOG.iter().filter(|model| model.model_type == wanted);
        let rows: Vec<_> = models.map(row).collect();
        let section = DOCUMENT.split(heading).nth(1).unwrap();
        let documented: Vec<_> = section
            .lines()
            .skip_while(|line| !line.starts_with("| `"))
            .take_while(|line| line.starts_with("| `"))
            .collect();
        assert_eq!(
            documented,
            rows,
            "the table under {heading} must be:\n{}\n",
            rows.join("\n")
        );
    }
}

fn row(model: &Model) -> String {
    let tasks: Vec<_> = model.capabilities["tasks"].as_array().unwrap().iter().collect();
    let tasks: Vec<_> = tasks.iter().map(|task| task.as_str().unwrap()).collect();
    let license = model.license.as_ref().map_or(("–", "–"), |license| {
        let name = license.name.as_deref().or(license.id.as_deref());
        let commercial = match license.commercial {
            Commercial::Yes => "yes",
            Commercial::No => "no",
            Commercial::Conditions => "conditions",
            Commercial::Unknown => "to be read first",
        };
        (name.unwrap_or("not certain"), commercial)
    });
    format!(
        "| `{}` | {} | {} | {} | {} | {} | `{}` |",
        model.slug,
        model.name,
        model.vendor.as_deref().unwrap_or("–"),
        tasks.join(", "),
        license.0,
        license.1,
        model.routes[0].task
    )
}

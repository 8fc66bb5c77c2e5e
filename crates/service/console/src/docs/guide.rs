//! The guides: Markdown files of this crate, with the URLs and limits of this service filled in.

use crate::state::Console;

#[derive(Debug)]
pub(super) struct Guide {
    pub path: &'static str,
    pub title: &'static str,
    pub summary: &'static str,
    text: &'static str,
}

macro_rules! guide {
    ($name:literal, $title:literal, $summary:literal) => {
        Guide {
            path: concat!("/docs/", $name),
            title: $title,
            summary: $summary,
            text: include_str!(concat!("../../guides/", $name, ".md")),
        }
    };
}

pub(super) static GUIDES: [Guide; 5] = [
    guide!("quick-start", "Quick start", "make your first picture"),
    guide!(
        "webhooks",
        "Webhooks",
        "signed deliveries, retries, secret rotation"
    ),
    guide!(
        "errors",
        "Errors",
        "error codes of requests and jobs, and how to handle them"
    ),
    guide!("limits", "Limits", "rates, sizes, times, credits"),
    guide!("files", "Files", "uploads, inputs and results"),
];

pub(super) fn find(name: &str) -> Option<&'static Guide> {
    GUIDES
        .iter()
        .find(|guide| guide.path.strip_prefix("/docs/") == Some(name))
}

impl Guide {
    /// The Markdown with the URLs and limits of this service filled in.
    pub(super) fn filled(&self, console: &Console) -> String {
        let app = &console.app;
        self.text
            .replace("{base_url}", console.base_url())
            .replace("{media_url}", app.media_base())
            .replace(
                "{generations_per_minute}",
                &app.generations_per_minute().to_string(),
            )
            .replace("{requests_per_minute}", &app.requests_per_minute().to_string())
    }
}

//! The documentation at `/docs`: the guides and the API reference, as HTML and Markdown, the models, and `/llms.txt`.

mod guide;
mod markdown;
mod models;

use askama::Template;
use axum::{
    extract::{Path, Request, State},
    http::header,
    response::{IntoResponse, Response},
};

use crate::{
    error::{PageError, Result},
    frame::{Frame, page},
    gzip,
    reference::Reference,
    session,
    state::Console,
};

pub(crate) use models::{model, models};

/// An entry of the documentation's navigation.
#[derive(Debug, Clone, Copy)]
struct Entry {
    path: &'static str,
    title: &'static str,
}

#[derive(Template)]
#[template(path = "docs/guide.html")]
struct GuidePage {
    frame: Frame,
    entries: Vec<Entry>,
    here: &'static str,
    /// Rendered from our own Markdown. This is the only text that is not escaped.
    html: String,
}

#[derive(Template)]
#[template(path = "docs/reference.html")]
struct ReferencePage<'a> {
    frame: Frame,
    entries: Vec<Entry>,
    here: &'static str,
    reference: &'a Reference,
    base_url: &'a str,
}

fn entries() -> Vec<Entry> {
    let guides = guide::GUIDES.iter().map(|guide| Entry {
        path: guide.path,
        title: guide.title,
    });
    let reference = Entry {
        path: "/docs",
        title: "API reference",
    };
    let models = Entry {
        path: models::PATH,
        title: "Models",
    };
    [reference, models].into_iter().chain(guides).collect()
}

pub(crate) async fn index(State(console): State<Console>, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    let frame = session::open_frame(&console, &parts, "API reference", "/docs").await;
    let reference = page(&ReferencePage {
        frame,
        entries: entries(),
        here: "/docs",
        reference: &console.reference,
        base_url: console.base_url(),
    });
    gzip::compressed(reference, &parts.headers).await
}

/// A guide as a page, or as Markdown if the name ends with `.md`.
pub(crate) async fn guide(
    State(console): State<Console>,
    Path(name): Path<String>,
    request: Request,
) -> Result {
    let (parts, _) = request.into_parts();
    let (name, as_markdown) = match name.strip_suffix(".md") {
        Some(name) => (name, true),
        None => (name.as_str(), false),
    };
    if name == "reference" && as_markdown {
        return Ok(as_text(console.reference.markdown(console.base_url())));
    }
    let guide = guide::find(name)
        .ok_or_else(|| PageError::NotFound(format!("the documentation has no page `{name}`")))?;
    let text = guide.filled(&console);
    if as_markdown {
        return Ok(as_text(text));
    }
    let frame = session::open_frame(&console, &parts, guide.title, "/docs").await;
    Ok(page(&GuidePage {
        frame,
        entries: entries(),
        here: guide.path,
        html: markdown::html(&text),
    }))
}

pub(crate) async fn reference_markdown(State(console): State<Console>) -> Response {
    as_text(console.reference.markdown(console.base_url()))
}

/// The index of the documentation for language models: <https://llmstxt.org>.
pub(crate) async fn llms(State(console): State<Console>) -> Response {
    let origin = &console.options.public_url;
    let mut text = format!(
        "# atelier\n\n> Images, videos, audio and post-production behind one asynchronous API at {}.\n\n\
         ## Documentation\n\n\
         - [API reference]({origin}/docs.md): every request with its fields and answers\n",
        console.base_url()
    );
    text += &[
        "- [Models](",
        origin,
        models::PATH,
        "): the fields, limits and prices of each model\n",
    ]
    .concat();
    for guide in &guide::GUIDES {
        let (title, path, summary) = (guide.title, guide.path, guide.summary);
        text += &["- [", title, "](", origin, path, ".md): ", summary, "\n"].concat();
    }
    text += "\n## Optional\n\n- [OpenAPI](";
    text += origin;
    text += "/openapi.json): the machine-readable description\n";
    as_text(text)
}

fn as_text(text: String) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/markdown; charset=utf-8"),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (headers, text).into_response()
}

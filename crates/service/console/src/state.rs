//! The common state of all pages: the use cases, the addresses of the service, the API reference.

use std::{ops::Deref, sync::Arc};

use atelier_app::App;
use serde_json::Value;

use crate::reference::Reference;

/// The settings of the pages, besides the use cases.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The origin in links, without a trailing slash.
    pub public_url: String,
    /// The base URL of the API.
    pub base_url: String,
    /// The OpenAPI document, from which the reference is rendered.
    pub openapi: Value,
    /// The proxies that are trusted to name the address of a client.
    pub trusted_proxies: Vec<ipnet::IpNet>,
}

/// The state of every handler.
#[derive(Debug, Clone)]
pub(crate) struct Console(Arc<Inner>);

#[derive(Debug)]
pub(crate) struct Inner {
    pub app: App,
    pub options: Options,
    pub reference: Reference,
}

impl Deref for Console {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}

impl Console {
    pub(crate) fn new(app: &App, options: Options) -> Self {
        Self(Arc::new(Inner {
            app: app.clone(),
            reference: Reference::new(&options.openapi),
            options,
        }))
    }

    /// The base URL of the API.
    pub(crate) fn base_url(&self) -> &str {
        &self.options.base_url
    }

    /// The name of a model, or its slug if the catalog no longer has it.
    pub(crate) fn model_name(&self, slug: &str) -> String {
        let model = self.app.catalog().get(slug);
        model.map_or_else(|| slug.to_owned(), |model| model.name.clone())
    }

    /// A path of this service as a complete URL that can be sent to someone.
    pub(crate) fn link(&self, path: &str) -> String {
        format!("{}{path}", self.options.public_url)
    }
}

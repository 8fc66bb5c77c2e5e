//! The frame around every page: navigation, the signed-in user, theme, assets.

use askama::Template;
use atelier_domain::{AccountRole, Right};
use axum::{
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};

use crate::{cookie, text};

/// Light, dark, or the setting of the system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Theme {
    #[default]
    Auto,
    Light,
    Dark,
}

impl Theme {
    pub(crate) const ALL: [Self; 3] = [Self::Auto, Self::Light, Self::Dark];

    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    pub(crate) const fn label(self) -> &'static str {
        match self {
            Self::Auto => "Auto",
            Self::Light => "Light",
            Self::Dark => "Dark",
        }
    }

    pub(crate) fn read(headers: &HeaderMap) -> Self {
        Self::parse(cookie::read(cookie::THEME, headers).unwrap_or_default())
    }

    pub(crate) fn parse(text: &str) -> Self {
        let found = Self::ALL.into_iter().find(|theme| theme.as_str() == text);
        found.unwrap_or_default()
    }
}

/// The signed-in user, as the navigation shows them.
#[derive(Debug, Clone)]
pub(crate) struct Who {
    pub login: String,
    pub account: String,
    /// The role in the account.
    pub role: AccountRole,
    pub has_other_accounts: bool,
    pub operator: bool,
    pub available: i64,
    /// The threshold below which the balance is, if it is.
    pub low: Option<i64>,
}

/// The frame of one page.
#[derive(Debug, Clone, Default)]
pub(crate) struct Frame {
    pub title: String,
    /// The path of the current navigation entry.
    pub here: &'static str,
    pub theme: Theme,
    pub who: Option<Who>,
    pub csrf: String,
}

impl Frame {
    /// The value of `aria-current` for an entry of the navigation.
    pub(crate) fn current(&self, path: &str) -> &'static str {
        if self.here == path { "page" } else { "false" }
    }

    pub(crate) fn operator(&self) -> bool {
        self.who.as_ref().is_some_and(|who| who.operator)
    }

    /// Whether the signed-in user has this right in the account. The use cases check it again.
    pub(crate) fn may(&self, right: Right) -> bool {
        self.who.as_ref().is_some_and(|who| who.role.allows(right))
    }

    pub(crate) fn may_look(&self) -> bool {
        self.may(Right::Look)
    }

    pub(crate) fn may_generate(&self) -> bool {
        self.may(Right::Generate)
    }

    pub(crate) fn may_upload(&self) -> bool {
        self.may(Right::Upload)
    }

    pub(crate) fn may_use_keys(&self) -> bool {
        self.may(Right::Keys)
    }

    pub(crate) fn may_use_webhooks(&self) -> bool {
        self.may(Right::Webhooks)
    }

    /// The entries of the navigation under "Account" and "Integration".
    pub(crate) fn entries(&self, integration: bool) -> Vec<(&'static str, &'static str)> {
        let all: &[(&'static str, &'static str, Option<Right>)] = if integration {
            &[
                ("/account/apps", "Apps and API", Some(Right::Look)),
                ("/account/webhooks", "Webhooks", Some(Right::Look)),
                ("/account/requests", "Requests", Some(Right::Look)),
                ("/account/usage", "Usage", Some(Right::Spending)),
                ("/docs", "Documentation", None),
            ]
        } else {
            &[
                ("/account", "Overview", Some(Right::Look)),
                ("/account/playground", "Playground", Some(Right::Generate)),
                ("/account/gallery", "Gallery", Some(Right::Look)),
            ]
        };
        let seen = all
            .iter()
            .filter(|(_, _, right)| right.is_none_or(|right| self.may(right)));
        seen.map(|(path, label, _)| (*path, *label)).collect()
    }

    /// The threshold below which the balance is, if it is, for those who may see it.
    pub(crate) fn low(&self) -> Option<String> {
        let who = self.who.as_ref().filter(|who| who.role.allows(Right::Spending))?;
        who.low.map(text::credits)
    }

    pub(crate) fn balance(&self) -> String {
        let available = self.who.as_ref().map_or(0, |who| who.available);
        text::credits(available)
    }
}

/// Renders a template as a page.
pub(crate) fn page(template: &impl Template) -> Response {
    page_with(StatusCode::OK, template)
}

pub(crate) fn page_with(status: StatusCode, template: &impl Template) -> Response {
    let html = HeaderValue::from_static("text/html; charset=utf-8");
    match template.render() {
        Ok(text) => (status, [(header::CONTENT_TYPE, html)], text).into_response(),
        Err(error) => {
            tracing::error!(%error, "a page could not be rendered");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

//! The sender of a request. Pages take a [`Signed`], and handlers that change something take a [`Posted`], so that no
//! handler can forget to check the session or the form's token.

use std::net::SocketAddr;

use atelier_api::client_address;
use atelier_app::{
    Operator,
    people::{Browser, SignedIn},
};
use atelier_domain::Right;
use axum::{
    extract::{ConnectInfo, FromRequest, FromRequestParts, Request},
    http::{HeaderName, Method, header, request::Parts},
    response::{IntoResponse as _, Response},
};

use crate::{
    cookie::Secret,
    csrf,
    error::PageError,
    form::Form,
    frame::{Frame, Theme, Who},
    once::Once,
    origin,
    script::is_script,
    state::Console,
};

/// A signed-in user.
#[derive(Debug, Clone)]
#[expect(
    clippy::struct_field_names,
    reason = "`signed_in` is what the use cases call it"
)]
pub(crate) struct Signed {
    pub signed_in: SignedIn,
    /// The texts that this page shows only once.
    pub once: Once,
    theme: Theme,
}

impl Signed {
    pub(crate) fn frame(&self, title: &str, here: &'static str) -> Frame {
        Frame {
            title: title.to_owned(),
            here,
            theme: self.theme,
            who: Some(self.who()),
            csrf: self.signed_in.csrf().to_owned(),
        }
    }

    /// Whether the user has this right in the account. The use cases check it again.
    pub(crate) fn may(&self, right: Right) -> bool {
        self.signed_in.role.allows(right)
    }

    fn who(&self) -> Who {
        let account = self.signed_in.account();
        Who {
            login: self.signed_in.user.login.clone(),
            account: account.name.clone(),
            role: self.signed_in.role,
            has_other_accounts: self.signed_in.has_other_accounts,
            operator: self.signed_in.user.role == atelier_domain::Role::Operator,
            available: account.available,
            low: account.low_balance.since.and(account.low_balance.threshold),
        }
    }
}

/// A form that a signed-in user sent from one of our pages.
#[derive(Debug)]
pub(crate) struct Posted {
    pub signed: Signed,
    pub form: Form,
}

/// A signed-in operator.
#[derive(Debug)]
pub(crate) struct SignedOperator {
    pub signed: Signed,
    pub operator: Operator,
}

/// A form that an operator sent from one of our pages.
#[derive(Debug)]
pub(crate) struct PostedByOperator {
    pub signed: Signed,
    pub operator: Operator,
    pub form: Form,
}

impl PostedByOperator {
    pub(crate) fn split(self) -> (SignedOperator, Form) {
        let Self {
            signed,
            operator,
            form,
        } = self;
        (SignedOperator { signed, operator }, form)
    }
}

/// The client as sessions and the sign-in throttle know it.
pub(crate) fn browser(console: &Console, parts: &Parts) -> Browser {
    let headers = &parts.headers;
    let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
    let trusted = &console.options.trusted_proxies;
    let address = peer.map(|peer| client_address(peer.0.ip(), headers, trusted).to_string());
    let user_agent = headers
        .get(header::USER_AGENT)
        .and_then(|value| value.to_str().ok());
    Browser {
        address: address.unwrap_or_default(),
        user_agent: user_agent.unwrap_or_default().to_owned(),
    }
}

/// The user who is signed in, if there is one.
pub(crate) async fn find(console: &Console, parts: &Parts) -> Result<Option<Signed>, PageError> {
    let headers = &parts.headers;
    let Some(transport) = origin::transport(&console.options.public_url, headers) else {
        return Ok(None);
    };
    let Some(token) = Secret::Session.read(transport, headers) else {
        return Ok(None);
    };
    let found = console.app.signed_in(token, &browser(console, parts)).await?;
    Ok(found.map(|signed_in| Signed {
        signed_in,
        once: Once::read(token, transport, parts.uri.path(), headers, console.app.now()),
        theme: Theme::read(headers),
    }))
}

/// The frame of a page that does not require a session.
pub(crate) async fn open_frame(console: &Console, parts: &Parts, title: &str, here: &'static str) -> Frame {
    // If the store is down, the page is still readable, as for a visitor without a session.
    if let Ok(Some(signed)) = find(console, parts).await {
        return signed.frame(title, here);
    }
    Frame {
        title: title.to_owned(),
        here,
        theme: Theme::read(&parts.headers),
        ..Frame::default()
    }
}

impl FromRequestParts<Console> for Signed {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, console: &Console) -> Result<Self, PageError> {
        find(console, parts).await?.ok_or_else(|| PageError::SignIn {
            next: page_of(parts),
            by_script: is_script(&parts.headers),
        })
    }
}

impl FromRequest<Console> for Posted {
    type Rejection = Response;

    async fn from_request(request: Request, console: &Console) -> Result<Self, Response> {
        let (mut parts, body) = request.into_parts();
        let signed = Signed::from_request_parts(&mut parts, console)
            .await
            .map_err(PageError::into_response)?;
        if !origin::is_own(&console.options.public_url, &parts.headers) {
            return Err(PageError::Forged.into_response());
        }
        let header = parts
            .headers
            .get(csrf::HEADER)
            .and_then(|value| value.to_str().ok());
        let header = header.map(str::to_owned);
        let form = Form::from_request(Request::from_parts(parts, body), console).await?;
        let given = header.as_deref().unwrap_or_else(|| form.get(csrf::FIELD));
        if !signed.signed_in.csrf_matches(given) {
            return Err(PageError::Forged.into_response());
        }
        Ok(Self { signed, form })
    }
}

impl FromRequestParts<Console> for SignedOperator {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, console: &Console) -> Result<Self, PageError> {
        let signed = Signed::from_request_parts(parts, console).await?;
        let operator = console.app.operator(&signed.signed_in)?;
        Ok(Self { signed, operator })
    }
}

impl FromRequest<Console> for PostedByOperator {
    type Rejection = Response;

    async fn from_request(request: Request, console: &Console) -> Result<Self, Response> {
        let Posted { signed, form } = Posted::from_request(request, console).await?;
        let operator = console
            .app
            .operator(&signed.signed_in)
            .map_err(|error| PageError::from(error).into_response())?;
        Ok(Self {
            signed,
            operator,
            form,
        })
    }
}

/// The page that somebody sees who makes this request: the one that is asked for, or the one with the script or the
/// form.
fn page_of(parts: &Parts) -> Option<String> {
    let path_of = |name: HeaderName| {
        let url = url::Url::parse(parts.headers.get(name)?.to_str().ok()?).ok()?;
        Some(url[url::Position::BeforePath..url::Position::AfterQuery].to_owned())
    };
    if is_script(&parts.headers) {
        path_of(HeaderName::from_static("hx-current-url"))
    } else if parts.method == Method::GET {
        parts.uri.path_and_query().map(ToString::to_string)
    } else {
        path_of(header::REFERER)
    }
}

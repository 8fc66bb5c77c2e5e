//! The gate in front of every route below the base path. It checks the key, whether the account may use the API, and
//! whether the rate limit allows one more request, in this order and before anything else.

use std::sync::{Arc, Mutex, PoisonError};

use atelier_app::{App, Caller, Error, requests::Asker};
use atelier_domain::RateState;
use axum::{
    extract::{FromRequestParts, Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, header, request::Parts},
    middleware::Next,
    response::{IntoResponse, Response},
};

use crate::{
    base_path::BASE_PATH,
    client_address::Client,
    error::{ApiError, Refusal},
};

const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

/// The state of the request's rate limit, for the answer's headers. Handlers that take a token store the new
/// state here.
#[derive(Debug, Clone)]
pub(crate) struct Rate(Arc<Mutex<RateState>>);

impl Rate {
    pub(crate) fn set(&self, state: RateState) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = state;
    }

    fn get(&self) -> RateState {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The account and key of an answered request, and the code of a refusal: an extension of the answer, for the log of
/// requests.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked {
    pub(crate) asker: Asker,
    pub(crate) code: Option<&'static str>,
}

/// Passes a request on with its [`Caller`] and [`Rate`], or answers it.
pub(crate) async fn gate(State(app): State<App>, request: Request, next: Next) -> Response {
    guard(&app, None, request, next).await
}

/// The same for a resource that also accepts access tokens.
pub(crate) async fn gate_of_resource(
    State((app, resource)): State<(App, Arc<str>)>,
    request: Request,
    next: Next,
) -> Response {
    guard(&app, Some(&resource), request, next).await
}

async fn guard(app: &App, resource: Option<&str>, request: Request, next: Next) -> Response {
    let mut asker = None;
    let mut response = pass(app, resource, request, next, &mut asker).await;
    if let Some(asker) = asker {
        let code = response.extensions().get::<Refusal>().map(|refusal| refusal.code);
        response.extensions_mut().insert(Asked { asker, code });
    }
    response
}

async fn pass(
    app: &App,
    resource: Option<&str>,
    mut request: Request,
    next: Next,
    asker: &mut Option<Asker>,
) -> Response {
    let client = Client::of(request.extensions());
    let caller = match (resource, bearer(request.headers())) {
        (Some(resource), Ok(token)) if app.may_be_access_token(token) => {
            app.authenticate_token(token, resource, asker).await
        }
        _ => caller(app, request.headers(), &client, asker).await,
    };
    let caller = match caller {
        Ok(caller) => caller,
        Err(error) => return ApiError::from(error).into_response(),
    };
    if let Err(error) = app.take_request_of_key(&caller) {
        return ApiError::from(error).into_response();
    }
    let policy = Policy::of(&request);
    let state = match policy {
        Policy::Generations => app.generation_rate(&caller),
        Policy::Requests => app.take_request(&caller),
    };
    let state = match state {
        Ok(state) => state,
        Err(Error::RateLimited(limited)) => {
            let mut response = ApiError::from(Error::RateLimited(limited)).into_response();
            policy.describe(limited.state, response.headers_mut());
            return response;
        }
        Err(error) => return ApiError::from(error).into_response(),
    };
    let rate = Rate(Arc::new(Mutex::new(state)));
    request.extensions_mut().insert(caller);
    request.extensions_mut().insert(rate.clone());
    let mut response = next.run(request).await;
    // If concurrent requests took the last tokens, the handler was refused after the gate had let it through. The
    // refusal has the newer state.
    let refused = response.extensions().get::<RateState>().copied();
    policy.describe(refused.unwrap_or_else(|| rate.get()), response.headers_mut());
    response
}

/// The caller of a request.
pub(crate) async fn caller(
    app: &App,
    headers: &HeaderMap,
    client: &Client,
    asker: &mut Option<Asker>,
) -> Result<Caller, Error> {
    let key = bearer(headers)?;
    app.authenticate_noting(key, || client.address(headers), asker)
        .await
}

/// The credentials of a request.
fn bearer(headers: &HeaderMap) -> Result<&str, Error> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let (Some(value), None) = (values.next(), values.next()) else {
        return Err(Error::InvalidApiKey);
    };
    let text = value.to_str().map_err(|_| Error::InvalidApiKey)?;
    let (scheme, key) = text.split_once(' ').ok_or(Error::InvalidApiKey)?;
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Err(Error::InvalidApiKey);
    }
    Ok(key.trim())
}

/// The paths that count against the limit on generations, below the base path and OpenAI's.
const MAKING: [&str; 8] = [
    "/generations",
    "/uploads",
    "/uploads/direct",
    "/webhooks/test",
    "/images/generations",
    "/images/edits",
    "/audio/speech",
    "/videos",
];

/// The rate limit that a request counts against.
#[derive(Debug, Clone, Copy)]
enum Policy {
    /// For generations, uploads and webhook tests. Exact across nodes.
    Generations,
    /// For everything else, counted per node.
    Requests,
}

impl Policy {
    fn of(request: &Request) -> Self {
        let path = request.uri().path();
        let path = path.strip_prefix(BASE_PATH).unwrap_or(path);
        let makes =
            MAKING.contains(&path) || path.starts_with("/webhook-endpoints/") && path.ends_with("/test");
        if request.method() == Method::POST && makes {
            Self::Generations
        } else {
            Self::Requests
        }
    }

    /// The header fields of draft-ietf-httpapi-ratelimit-headers.
    fn describe(self, state: RateState, headers: &mut HeaderMap) {
        let name = match self {
            Self::Generations => "generations",
            Self::Requests => "requests",
        };
        let limit = format!("\"{name}\";r={};t={}", state.remaining, state.reset_seconds);
        let policy = format!("\"{name}\";q={};w=60", state.per_minute);
        for (field, value) in [(RATE_LIMIT, limit), (RATE_LIMIT_POLICY, policy)] {
            headers.insert(
                field,
                HeaderValue::from_str(&value).expect("names and numbers are ASCII"),
            );
        }
    }
}

/// Proof for a handler that the request has passed the gate.
#[derive(Debug, Clone)]
pub(crate) struct Authenticated(pub(crate) Caller);

impl<S: Sync> FromRequestParts<S> for Authenticated {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        parts
            .extensions
            .remove::<Caller>()
            .map(Self)
            .ok_or_else(|| Error::InvalidApiKey.into())
    }
}

impl<S: Sync> FromRequestParts<S> for Rate {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        parts
            .extensions
            .get::<Self>()
            .cloned()
            .ok_or_else(|| Error::InvalidApiKey.into())
    }
}

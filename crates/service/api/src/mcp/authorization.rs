//! Leads programs to the OpenID provider: the metadata of `/mcp` (RFC 9728), and the challenge of a 401 that names it.
//! Without a provider, neither exists.

use std::{future, sync::Arc};

use atelier_app::{App, people::oidc::ResourceMetadata};
use axum::{
    Json, Router,
    extract::State,
    http::{HeaderValue, StatusCode, header},
    middleware,
    response::{IntoResponse as _, Response},
    routing::get,
};

use super::PATH;
use crate::error::Refusal;

/// The path of the origin's metadata. For the metadata of a path, that path follows.
const METADATA: &str = "/.well-known/oauth-protected-resource";

/// Adds the metadata and the challenge to the routes of `/mcp`, if there is a provider.
pub(super) fn add(messages: Router<App>, app: &App, public_url: &str) -> Router<App> {
    let Some(metadata) = app.resource_metadata(&format!("{public_url}{PATH}")) else {
        return messages;
    };
    let place: Arc<str> = format!("{public_url}{METADATA}{PATH}").into();
    let describe = get(move || future::ready(describe(&metadata)));
    messages
        .layer(middleware::map_response_with_state(place, challenge))
        .route(METADATA, describe.clone())
        .route(&format!("{METADATA}{PATH}"), describe)
}

/// Pages of any origin may read it, because it contains no data of users.
fn describe(metadata: &ResourceMetadata) -> Response {
    let any = (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*");
    ([any], Json(metadata)).into_response()
}

/// Names the metadata in the challenge of a 401, and the mistake of a token (RFC 6750, section 3).
async fn challenge(State(place): State<Arc<str>>, mut response: Response) -> Response {
    if response.status() != StatusCode::UNAUTHORIZED {
        return response;
    }
    let mut challenge = format!("Bearer resource_metadata=\"{place}\"");
    let refusal = response.extensions().get::<Refusal>();
    if let Some(refusal) = refusal.filter(|refusal| refusal.code == "invalid_token") {
        let why: String = refusal
            .message
            .chars()
            .filter(|letter| is_quotable(*letter))
            .collect();
        challenge = format!("{challenge}, error=\"invalid_token\", error_description=\"{why}\"");
    }
    if let Ok(value) = HeaderValue::try_from(challenge) {
        response.headers_mut().insert(header::WWW_AUTHENTICATE, value);
    }
    response
}

const fn is_quotable(letter: char) -> bool {
    matches!(letter, ' '..='~') && !matches!(letter, '"' | '\\')
}

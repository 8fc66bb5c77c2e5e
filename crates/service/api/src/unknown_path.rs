//! The answer for a path that does not exist. It names those that do: the common mistake is a wrong base URL.

use axum::extract::OriginalUri;

use crate::{base_path::BASE_PATH, error::ApiError, openai};

/// Characters of the path that the answer repeats.
const REPEATED: usize = 200;

pub(crate) async fn unknown_path(OriginalUri(uri): OriginalUri) -> ApiError {
    let path: String = uri.path().chars().take(REPEATED).collect();
    ApiError::not_found(format!("unknown path `{path}`{}", advice(uri.path())))
}

fn advice(path: &str) -> String {
    let own = BASE_PATH;
    let openai = openai::PATH;
    if below(path, own) {
        String::new()
    } else if below(path, openai) {
        format!(
            "; `{openai}` has OpenAI's paths for models, images, speech and videos only, \
             and the API of this service is at `{own}`"
        )
    } else {
        format!("; the API of this service is at `{own}`, and OpenAI's interface at `{openai}`")
    }
}

fn below(path: &str, base: &str) -> bool {
    path.strip_prefix(base)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

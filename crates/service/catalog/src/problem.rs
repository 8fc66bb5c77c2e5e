//! The problems of a request.

use serde::Serialize;

/// One problem of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The name that the request used.
    pub parameter: String,
    /// The field, the value and what is allowed, without a full stop.
    pub message: String,
}

impl Problem {
    pub(crate) fn new(parameter: impl Into<String>, message: String) -> Self {
        Self {
            parameter: parameter.into(),
            message,
        }
    }
}
